package main

import (
	"fmt"
	"strconv"
	"strings"

	"straw/gguf"
	"straw/internal/term"
)

// describe writes a file, or what could be read of one (whole is false), for people: a strip of facts,
// then metadata, tensors, findings.
func (a *app) describe(in *input, whole, full bool) error {
	width, color := term.Width(a.stdout), term.Color(a.stdout)
	heading := func(s string) {
		if color {
			s = "\x1b[1m" + s + "\x1b[0m"
		}
		fmt.Fprintf(a.out, "\n%s\n", s)
	}
	a.facts(in, whole, width, color)

	rows := make([][]string, len(in.Metadata))
	for i, kv := range in.Metadata {
		text, err := valueText(kv.Value, full)
		if err != nil {
			return err
		}
		rows[i] = []string{kv.Key, typeText(kv.Value), text}
	}
	if len(rows) > 0 {
		heading("Metadata (" + count(len(rows)) + ")")
		term.Table(a.out, width, color, []term.Column{{Title: "key", Give: true, Keep: 44}, {Title: "type"}, {Title: "value", Give: !full, Wrap: full}}, rows)
	}

	rows = make([][]string, len(in.Tensors))
	for i := range in.Tensors {
		t := &in.Tensors[i]
		rows[i] = []string{t.Name, t.Type.String(), dimsText(t.Dims), size(t.Bytes), strconv.FormatInt(t.AbsOffset, 10)}
	}
	if len(rows) > 0 {
		heading("Tensors (" + count(len(rows)) + ")")
		columns := []term.Column{{Title: "name", Give: true}, {Title: "type"}, {Title: "dims"}, {Title: "size", Right: true}, {Title: "at byte", Right: true}}
		if len(in.Shards) > 1 {
			columns = append(columns, term.Column{Title: "shard", Right: true})
			for i := range rows {
				rows[i] = append(rows[i], strconv.Itoa(in.Tensors[i].Shard+1))
			}
		}
		term.Table(a.out, width, color, columns, rows)
	}

	if len(in.Findings) > 0 {
		heading("Findings (" + count(len(in.Findings)) + ")")
		a.findings(in.Findings)
	}
	return nil
}

// dimsText writes dims as in the file, the row length first.
func dimsText(dims []uint64) string {
	s := make([]string, len(dims))
	for i, d := range dims {
		s[i] = strconv.FormatUint(d, 10)
	}
	return strings.Join(s, " x ")
}

func typeText(v gguf.Value) string {
	if v.Type() == gguf.Array {
		return v.Elem().String() + "[" + strconv.Itoa(v.Len()) + "]"
	}
	return v.Type().String()
}

// What is shown of a text and of an array unless all is asked for.
const (
	textShown  = 4 << 10
	arrayShown = 16
	textLimit  = 64 << 20 // longer ones are only measured
)

// valueText writes a value on one line.
func valueText(v gguf.Value, full bool) (string, error) {
	switch v.Type() {
	case gguf.String:
		if v.Len() > textLimit {
			return size(int64(v.Len())) + " of text", nil
		}
		s, err := v.Text()
		if err == nil && !full && len(s) > textShown {
			s = strings.ToValidUTF8(s[:textShown], "") + "…"
		}
		return s, err
	case gguf.Array:
		return arrayText(v, full)
	case gguf.Bool:
		n, _ := v.Int()
		return strconv.FormatBool(n != 0), nil
	case gguf.Float32:
		x, _ := v.Float()
		return strconv.FormatFloat(x, 'g', -1, 32), nil
	case gguf.Float64:
		x, _ := v.Float()
		return strconv.FormatFloat(x, 'g', -1, 64), nil
	}
	if n, ok := v.Int(); ok {
		return strconv.FormatInt(n, 10), nil
	}
	n, _ := v.Uint()
	return strconv.FormatUint(n, 10), nil
}

func arrayText(v gguf.Value, full bool) (string, error) {
	n := v.Len()
	if !full {
		n = min(n, arrayShown)
	}
	list, err := v.Slice(0, n)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	writeElement(&b, list, v.Elem() == gguf.Float32)
	s := b.String()
	if n < v.Len() {
		s = strings.TrimSuffix(s, "]") + ", …]"
	}
	return s, nil
}

// writeElement writes what Slice and Decode return: strings quoted, arrays in brackets.
func writeElement(b *strings.Builder, v any, single bool) {
	switch v := v.(type) {
	case []string:
		writeList(b, v, single)
	case []bool:
		writeList(b, v, single)
	case []int64:
		writeList(b, v, single)
	case []uint64:
		writeList(b, v, single)
	case []float64:
		writeList(b, v, single)
	case []any:
		writeList(b, v, single)
	case string:
		b.WriteString(strconv.Quote(v))
	case float64:
		bits := 64
		if single {
			bits = 32
		}
		b.WriteString(strconv.FormatFloat(v, 'g', -1, bits))
	default:
		fmt.Fprint(b, v)
	}
}

func writeList[T any](b *strings.Builder, list []T, single bool) {
	b.WriteByte('[')
	for i, v := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		writeElement(b, v, single)
	}
	b.WriteByte(']')
}
