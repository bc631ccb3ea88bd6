package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"straw/engine"
	"straw/engine/plan"
	"straw/gguf"
	"straw/internal/inspect"
	"straw/internal/session"
	"straw/internal/term"
)

// need is the memory to run a model with one context and one type of the cache.
type need struct {
	Context     int    `json:"context"`
	KVType      string `json:"kv_type"`
	Weights     int64  `json:"weights"` // norms and all, in memory
	Cache       int64  `json:"cache"`
	Activations int64  `json:"activations"`
	Program     int64  `json:"program"`
	Total       int64  `json:"total"`
	Least       int64  `json:"least"` // the smallest --ram-budget, the weights being streamed
}

var kvTypes = []struct {
	name string
	kv   engine.KVType
}{{"f16", engine.KVF16}, {"q8_0", engine.KVQ8_0}, {"f32", engine.KVF32}}

// programBytes is what the process takes beside a model: the program's own pages, Go's runtime, the file's directory. 14 to
// 16 MiB were measured on linux/amd64; a forecast is the same on every machine with as many cores.
const programBytes = 15 << 20

// needs forecasts what it takes to run a file, from its directory alone: a few contexts up to the model's own, with each
// type of the cache.
func needs(f *gguf.File) ([]need, error) {
	m, err := engine.Describe(f)
	if err != nil {
		return nil, err
	}
	var list []need
	for _, n := range contexts(m.ContextLength()) {
		for _, t := range kvTypes {
			p, err := m.Forecast(engine.Options{Context: n, KV: t.kv, Threads: physicalCores(), Program: func() int64 { return programBytes }})
			var tooSmall *plan.BudgetError
			if err != nil && !errors.As(err, &tooSmall) {
				return nil, err
			}
			list = append(list, needOf(n, t.name, p))
		}
	}
	return list, nil
}

func needOf(context int, kvType string, p *plan.Plan) need {
	x := need{Context: context, KVType: kvType, Total: p.Ledger.Total(), Least: p.Least}
	for _, i := range p.Ledger {
		switch i.Name {
		case "program":
			x.Program += i.Bytes
		case "keys and values":
			x.Cache += i.Bytes
		case "activations":
			x.Activations += i.Bytes
		default:
			x.Weights += i.Bytes
		}
	}
	return x
}

// contexts are the ones worth a forecast: what run takes of itself, then steps of eight up to all that the model has.
func contexts(most int) []int {
	n := session.DefaultContext
	if most > 0 {
		n = min(n, most)
	}
	list := []int{n}
	for n *= 8; n < most; n *= 8 {
		list = append(list, n)
	}
	if most > list[0] {
		list = append(list, most)
	}
	return list
}

// forecastText writes a line for the usual context, and one for each other with its caches.
func (a *app) forecastText(in *input, width int, color bool) {
	list, err := needs(in.File)
	if err != nil {
		fmt.Fprintln(a.out, "cannot be run here: "+term.Safe(err.Error()))
		return
	}
	first := list[0]
	fmt.Fprintln(a.out, strip([]string{size(first.Total) + " of memory to run", "weights " + size(first.Weights), "f16 cache of " + count(first.Context) + " tokens " + size(first.Cache),
		"activations " + size(first.Activations), "or " + size(first.Least) + " streamed"}, width))
	if len(list) == len(kvTypes) {
		return
	}
	columns := []term.Column{{Title: "memory for a context of", Right: true}}
	for _, t := range kvTypes {
		columns = append(columns, term.Column{Title: t.name + " cache", Right: true})
	}
	var rows [][]string
	for part := range slices.Chunk(list, len(kvTypes)) {
		row := []string{count(part[0].Context) + " tokens"}
		for _, x := range part {
			row = append(row, size(x.Total))
		}
		rows = append(rows, row)
	}
	fmt.Fprintln(a.out)
	term.Table(a.out, width, color, columns, rows)
}

// forecastMember is the same for programs: "memory", a list, or why the file cannot be run.
func forecastMember(f *gguf.File) (inspect.Member, error) {
	var v any
	list, err := needs(f)
	if v = list; err != nil {
		v = map[string]any{"error": inspect.FailureOf(err)}
	}
	b, err := marshal(v)
	return inspect.Member{Name: "memory", JSON: strings.TrimSpace(string(b))}, err
}
