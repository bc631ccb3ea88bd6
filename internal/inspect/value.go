package inspect

import (
	"straw/gguf"
)

// value writes any value; arrays cut to d.most.
func (d *document) value(v gguf.Value) {
	switch v.Type() {
	case gguf.Array:
		n := v.Len()
		if d.most >= 0 && n > d.most {
			n, d.cut = d.most, true
		}
		d.elements(v, 0, n)
	case gguf.String:
		s, err := v.Text()
		d.unreadable(err)
		d.text(s)
	case gguf.Bool:
		n, _ := v.Int()
		d.bool(n != 0)
	case gguf.Float32, gguf.Float64:
		x, _ := v.Float()
		d.buf = appendFloat(d.buf, x, v.Type())
	default:
		if n, ok := v.Int(); ok {
			d.buf = appendInt(d.buf, n, v.Type())
		} else {
			n, _ := v.Uint()
			d.buf = appendUint(d.buf, n, v.Type())
		}
	}
}

// elements writes n elements of an array from start on.
func (d *document) elements(v gguf.Value, start, n int) {
	d.raw("[")
	for done := 0; done < n; {
		m := min(chunk, n-done)
		if done > 0 {
			d.raw(",")
		}
		if !d.chunk(v, start+done, m) {
			break
		}
		done += m
	}
	d.raw("]")
}

// chunk writes n > 0 elements, decoded together. It reports false if they could not be read.
func (d *document) chunk(v gguf.Value, start, n int) bool {
	if v.Elem() == gguf.Array {
		inner, err := v.Arrays(start, n)
		d.unreadable(err)
		for i, x := range inner {
			d.comma(i)
			d.value(x)
		}
		return err == nil
	}
	list, err := v.Slice(start, n)
	d.unreadable(err)
	switch list := list.(type) {
	case []bool:
		for i, x := range list {
			d.comma(i)
			d.bool(x)
		}
	case []int64:
		for i, x := range list {
			d.comma(i)
			d.buf = appendInt(d.buf, x, v.Elem())
		}
	case []uint64:
		for i, x := range list {
			d.comma(i)
			d.buf = appendUint(d.buf, x, v.Elem())
		}
	case []float64:
		for i, x := range list {
			d.comma(i)
			d.buf = appendFloat(d.buf, x, v.Elem())
		}
	case []string:
		for i, x := range list {
			d.comma(i)
			d.text(x)
		}
	}
	return err == nil
}

func (d *document) comma(i int) {
	if i > 0 {
		d.raw(",")
	}
}

func (d *document) bool(b bool) {
	if b {
		d.raw("true")
	} else {
		d.raw("false")
	}
}

// unreadable notes that a value could not be read; what was there of it stays.
func (d *document) unreadable(err error) {
	if d.valueErr == nil {
		d.valueErr = err
	}
}
