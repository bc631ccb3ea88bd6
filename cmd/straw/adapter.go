package main

import (
	"context"
	"math"
	"strconv"
	"strings"

	"straw/engine"
)

// adapters are LoRA files that were opened.
type adapters struct {
	list  []engine.Adapter
	files []input
}

func (a *adapters) close() {
	for _, f := range a.files {
		f.Close()
	}
}

// adapters opens what --lora names, FILE or FILE:SCALE each. What was opened is to be closed even after an error.
func (a *app) adapters(ctx context.Context, args []string) (open adapters, err error) {
	for _, arg := range args {
		file, scale := splitScale(arg)
		if file == "" || math.IsNaN(scale) || math.IsInf(scale, 0) || math.Abs(scale) > math.MaxFloat32 {
			return open, usagef("--lora %q: FILE or FILE:SCALE with a finite number is needed", arg)
		}
		in, err := a.openWhole(ctx, file, false)
		if err != nil {
			return open, err
		}
		open.files = append(open.files, in)
		open.list = append(open.list, engine.Adapter{Name: in.label, Source: in.File, Scale: float32(scale)})
	}
	return open, nil
}

// splitScale takes the scale off the end of an argument: what follows the last colon, if it is a number.
func splitScale(arg string) (file string, scale float64) {
	if i := strings.LastIndexByte(arg, ':'); i >= 0 {
		if v, err := strconv.ParseFloat(arg[i+1:], 64); err == nil || v != 0 {
			return arg[:i], v
		}
	}
	return arg, 1
}
