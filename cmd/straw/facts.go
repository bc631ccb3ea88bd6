package main

import (
	"fmt"
	"strconv"
	"strings"

	"straw/internal/inspect"
	"straw/internal/term"
)

// facts writes what one wants to know of a file first: its name, then a strip of figures that fits
// the width, then what kind of file it is, then, of a whole file, what it takes to run it.
func (a *app) facts(in *input, whole bool, width int, color bool) {
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

	var facts []string
	add := func(format string, args ...any) { facts = append(facts, term.Safe(fmt.Sprintf(format, args...))) }
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
		add("%s", plural(int(*s.BlockCount), "layer"))
	}
	if s.VocabSize != nil {
		add("vocabulary %s", count(uint64(*s.VocabSize)))
	}
	fmt.Fprintln(a.out, strip(facts, width))

	facts = nil
	add("GGUF version %d", in.Version)
	if in.BigEndian {
		add("big-endian")
	}
	add("%s", plural(s.NKeys, "key"))
	add("%s", plural(s.NTensors, "tensor"))
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
	fmt.Fprintln(a.out, strip(facts, width))
	switch what := purpose(in); {
	case what != "":
		fmt.Fprintln(a.out, term.Safe(what))
	case whole && s.NTensors > 0:
		a.forecastText(in, width, color)
	}
}

// plural is a count of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return count(n) + " " + thing + "s"
}

// strip joins facts with dots between, on as many lines as the width asks for (0: one).
func strip(facts []string, width int) string {
	const between = " · "
	var b strings.Builder
	used := 0
	for i, f := range facts {
		n := term.Columns(f)
		switch {
		case i == 0:
		case width > 0 && used+3+n > width:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteString(between)
			used += 3
		}
		b.WriteString(f)
		used += n
	}
	return b.String()
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
