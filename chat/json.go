package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxJSON bounds how deep values from outside may be nested.
const maxJSON = 1000

// DecodeJSON reads one JSON value as Python's json module does: objects keep the order of their
// keys, and a number without point and exponent is an int.
func DecodeJSON(data []byte) (Value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decode(d, 0)
	if err != nil {
		return nil, jsonError(d, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("JSON: more than one value, at byte %d", d.InputOffset())
	}
	return v, nil
}

func jsonError(d *json.Decoder, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("unexpected end")
	}
	return fmt.Errorf("JSON: %w, at byte %d", err, d.InputOffset())
}

func decode(d *json.Decoder, depth int) (Value, error) {
	if depth > maxJSON {
		return nil, errors.New("nested too deeply")
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case nil:
		return nil, nil
	case bool, string:
		return t, nil
	case json.Number:
		return number(string(t))
	}
	if t == json.Delim('[') {
		l := NewList()
		for d.More() {
			v, err := decode(d, depth+1)
			if err != nil {
				return nil, err
			}
			l.Items = append(l.Items, v)
		}
		_, err := d.Token()
		return l, err
	}
	o := NewDict()
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return nil, err
		}
		v, err := decode(d, depth+1)
		if err != nil {
			return nil, err
		}
		o.Set(k.(string), v)
	}
	_, err = d.Token()
	return o, err
}

func number(s string) (Value, error) {
	if strings.ContainsAny(s, ".eE") {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil && !math.IsInf(f, 0) {
			return nil, err
		}
		return f, nil
	}
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i, nil
	}
	if len(s) > 4300 {
		return nil, fmt.Errorf("an integer of %d digits is too large", len(s))
	}
	return bigInt(s), nil
}

// jsonStyle is how tojson writes.
type jsonStyle struct {
	indent      string
	pretty      bool   // with indent
	item, key   string // separators
	ascii, sort bool
}

// json writes v as Python's json.dumps.
func (p *printer) json(v Value, s *jsonStyle, depth int) {
	p.enter()
	defer p.leave()
	switch v := v.(type) {
	case nil:
		p.write("null")
	case bool:
		p.write(map[bool]string{true: "true", false: "false"}[v])
	case string:
		p.write(jsonString(v, s.ascii))
	case markup:
		p.write(jsonString(string(v), s.ascii))
	case int64, bigInt, float64:
		p.write(jsonNumber(v))
	case *List, tuple, group:
		items, _ := sequence(v)
		p.jsonItems("[", "]", len(items), s, depth, func(i int) { p.json(items[i], s, depth+1) })
	case *Dict:
		keys, values := v.keys, v.values
		if s.sort {
			keys, values = p.m.sortedKeys(v)
		}
		p.jsonItems("{", "}", len(keys), s, depth, func(i int) {
			p.write(jsonString(jsonKey(keys[i]), s.ascii))
			p.write(s.key)
			p.json(values[i], s, depth+1)
		})
	default:
		fail("Object of type %s is not JSON serializable", typeName(v))
	}
}

func (p *printer) jsonItems(open, closing string, n int, s *jsonStyle, depth int, item func(i int)) {
	p.write(open)
	line := func(depth int) {
		if s.pretty {
			p.write("\n")
			for range depth {
				p.write(s.indent)
			}
		}
	}
	for i := range n {
		if i > 0 {
			p.write(s.item)
		}
		line(depth + 1)
		item(i)
	}
	if n > 0 {
		line(depth)
	}
	p.write(closing)
}

func jsonNumber(v Value) string {
	if f, ok := v.(float64); ok {
		switch {
		case math.IsNaN(f):
			return "NaN"
		case math.IsInf(f, 1):
			return "Infinity"
		case math.IsInf(f, -1):
			return "-Infinity"
		}
	}
	return reprNumber(v)
}

// jsonKey is a key as an object of JSON has it: a text.
func jsonKey(v Value) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return map[bool]string{true: "true", false: "false"}[v]
	case int64, bigInt, float64:
		return jsonNumber(v)
	}
	s, ok := asString(v)
	if !ok {
		fail("keys must be str, int, float, bool or None, not %s", typeName(v))
	}
	return s
}

func jsonString(s string, ascii bool) string {
	b := make([]byte, 0, len(s)+2)
	b = append(b, '"')
	const hex = "0123456789abcdef"
	unit := func(r rune) {
		b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			switch {
			case !ascii:
				b = append(b, s[i:i+n]...)
			case r > 0xffff:
				r -= 0x10000
				unit(0xd800 + r>>10)
				unit(0xdc00 + r&0x3ff)
			default:
				unit(r)
			}
			i += n
			continue
		}
		i++
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		case '\b':
			b = append(b, '\\', 'b')
		case '\f':
			b = append(b, '\\', 'f')
		default:
			if c < 0x20 {
				unit(rune(c))
			} else {
				b = append(b, c)
			}
		}
	}
	return string(append(b, '"'))
}
