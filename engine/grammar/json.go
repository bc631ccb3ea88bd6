package grammar

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// value is a JSON value with its members in the order of the text.
type value struct {
	kind    byte   // 'n'ull, 'b'oolean, '0' number, 's'tring, 'a'rray, 'o'bject
	text    string // of a number, as written; of a string
	yes     bool   // of a boolean
	list    []*value
	names   []string // of an object, beside list
	members map[string]*value
}

// readJSON reads one value. Errors have line and column.
func readJSON(text []byte) (*value, error) {
	if len(text) > maxText {
		return nil, &Error{Message: fmt.Sprintf("the schema has %d bytes; at most %d are read", len(text), maxText)}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		at, message := int64(len(text))+1, "the text ends within a value"
		if s := (*json.SyntaxError)(nil); errors.As(err, &s) && !strings.HasPrefix(s.Error(), "unexpected end") {
			at, message = s.Offset, s.Error()
		}
		before := text[:at-1]
		line := bytes.LastIndexByte(before, '\n') + 1
		return nil, &Error{Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(before[line:]) + 1, Message: "this is not JSON: " + message}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readValue(d, 0)
	if err != nil {
		return nil, &Error{Message: err.Error()}
	}
	return v, nil
}

func readValue(d *json.Decoder, depth int) (*value, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("more than %d levels of nesting", maxDepth)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case nil:
		return &value{kind: 'n'}, nil
	case bool:
		return &value{kind: 'b', yes: t}, nil
	case json.Number:
		return &value{kind: '0', text: t.String()}, nil
	case string:
		return &value{kind: 's', text: t}, nil
	}
	v := &value{kind: 'a'}
	if t == json.Delim('{') {
		v.kind, v.members = 'o', map[string]*value{}
	}
	for d.More() {
		name := ""
		if v.kind == 'o' {
			t, err := d.Token()
			if err != nil {
				return nil, err
			}
			name = t.(string)
			if v.members[name] != nil {
				return nil, fmt.Errorf("%q is there twice", name)
			}
		}
		x, err := readValue(d, depth+1)
		if err != nil {
			return nil, err
		}
		v.list = append(v.list, x)
		if v.kind == 'o' {
			v.names = append(v.names, name)
			v.members[name] = x
		}
	}
	_, err = d.Token()
	return v, err
}

// compact writes a value without blanks.
func (v *value) compact(b *strings.Builder) {
	switch v.kind {
	case 'n':
		b.WriteString("null")
	case 'b':
		fmt.Fprint(b, v.yes)
	case '0':
		b.WriteString(v.text)
	case 's':
		b.WriteString(quoteJSON(v.text))
	case 'a':
		b.WriteByte('[')
		for i, x := range v.list {
			if i > 0 {
				b.WriteByte(',')
			}
			x.compact(b)
		}
		b.WriteByte(']')
	case 'o':
		b.WriteByte('{')
		for i, x := range v.list {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoteJSON(v.names[i]))
			b.WriteByte(':')
			x.compact(b)
		}
		b.WriteByte('}')
	}
}

func (v *value) String() string {
	var b strings.Builder
	v.compact(&b)
	return b.String()
}

// quoteJSON writes a string with as few escapes as there can be.
func quoteJSON(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		b.WriteString(escapeJSON(r))
	}
	b.WriteByte('"')
	return b.String()
}

// shortEscapes are the characters with an escape of two characters, and the second of these.
const shortEscapes, shortNames = "\"\\\b\f\n\r\t", "\"\\bfnrt"

func escapeJSON(r rune) string {
	if i := strings.IndexRune(shortEscapes, r); i >= 0 {
		return "\\" + shortNames[i:i+1]
	}
	if r < 0x20 {
		return fmt.Sprintf("\\u%04x", r)
	}
	return string(r)
}
