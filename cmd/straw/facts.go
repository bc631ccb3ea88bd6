package main

import (
	"fmt"
	"strconv"
	"strings"

	"straw/internal/inspect"
	"straw/internal/term"
)

// facts writes what one wants to know of a file first: its name, then a strip of figures that fits
// the width, then what kind of file it is.
func (a *app) facts(in *input, width int, color bool) {
	s := inspect.Summarize(in.File)
	name := s.Name
	if name == "" {
		name = in.label
	}
	name = term.Safe(name)
	if color {
		name = "\x1b[1m" + name + "\x1b[0m"
	}
	fmt.Fprintln(a.out, name)

	var strip []string
	add := func(format string, args ...any) { strip = append(strip, term.Safe(fmt.Sprintf(format, args...))) }
	if s.Architecture != "" {
		add("%s", s.Architecture)
	}
	if s.Parameters > 0 {
		add("%s parameters", short(uint64(s.Parameters)))
	}
	if s.FileType != "" {
		add("%s", s.FileType)
	}
	if s.BitsPerWeight > 0 {
		add("%.2f bits per weight", s.BitsPerWeight)
	}
	add("%s", size(in.Size))
	if s.ContextLength != nil {
		add("context %s", count(uint64(*s.ContextLength)))
	}
	if s.BlockCount != nil {
		add("%s layers", count(uint64(*s.BlockCount)))
	}
	if s.VocabSize != nil {
		add("vocabulary %s", count(uint64(*s.VocabSize)))
	}
	a.strip(strip, width)

	strip = nil
	add("GGUF version %d", in.Version)
	if in.BigEndian {
		add("big-endian")
	}
	add("%s keys", count(s.NKeys))
	add("%s tensors", count(s.NTensors))
	if in.DataOffset >= 0 {
		add("data at byte %d, alignment %d", in.DataOffset, in.Alignment)
	}
	if s.NShards > 1 {
		add("%d shards", s.NShards)
	}
	if len(s.Types) > 1 {
		types := make([]string, len(s.Types))
		for i, t := range s.Types {
			types[i] = fmt.Sprintf("%s %d", t.Name, t.NTensors)
		}
		add("%s", strings.Join(types, ", "))
	}
	a.strip(strip, width)
}

// strip writes facts with dots between, on as many lines as the width asks for.
func (a *app) strip(facts []string, width int) {
	const between = " · "
	line := ""
	for _, f := range facts {
		switch {
		case line == "":
			line = f
		case width > 0 && term.Columns(line)+len(between)-1+term.Columns(f) > width:
			fmt.Fprintln(a.out, line)
			line = f
		default:
			line += between + f
		}
	}
	fmt.Fprintln(a.out, line)
}

// short writes a large number for people: 3.41 M, 7.62 B.
func short(n uint64) string {
	v, unit := float64(n), ""
	for _, u := range []string{"K", "M", "B", "T"} {
		if v < 1000 {
			break
		}
		v /= 1000
		unit = " " + u
	}
	if unit == "" {
		return strconv.FormatUint(n, 10)
	}
	return strconv.FormatFloat(v, 'f', digits(v), 64) + unit
}
