package reply

import (
	"bytes"
	"encoding/json"
	"strings"
)

// types are what a tool's parameters may be, by name.
type types map[string]kinds

// kinds is a set of JSON types; the empty set is one that nothing is known of.
type kinds uint8

const (
	isString kinds = 1 << iota
	isOther        // number, integer, boolean, object, array or null
)

// readSchema reads as much of a JSON schema as tells strings from other values.
func readSchema(schema []byte) types {
	var s struct {
		Properties map[string]property `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	t := make(types, len(s.Properties))
	for name, p := range s.Properties {
		t[name] = p.kinds(0)
	}
	return t
}

type property struct {
	Type  json.RawMessage   `json:"type"`
	Enum  []json.RawMessage `json:"enum"`
	AnyOf []property        `json:"anyOf"`
	OneOf []property        `json:"oneOf"`
}

// UnmarshalJSON reads an object; of any other schema (true, false) nothing is known.
func (p *property) UnmarshalJSON(data []byte) error {
	type plain property
	var q plain
	if json.Unmarshal(data, &q) == nil {
		*p = property(q)
	}
	return nil
}

func (p property) kinds(depth int) (k kinds) {
	if depth > 8 {
		return 0
	}
	var names []string
	var one string
	if json.Unmarshal(p.Type, &one) == nil {
		names = []string{one}
	} else if json.Unmarshal(p.Type, &names) != nil {
		names = nil
	}
	for _, name := range names {
		k |= kindOf(name)
	}
	if k == 0 {
		for _, e := range p.Enum {
			if e = bytes.TrimSpace(e); len(e) > 0 && e[0] == '"' {
				k |= isString
			} else {
				k |= isOther
			}
		}
	}
	for _, q := range append(p.AnyOf[:len(p.AnyOf):len(p.AnyOf)], p.OneOf...) {
		k |= q.kinds(depth + 1)
	}
	return k
}

func kindOf(name string) kinds {
	if name == "string" {
		return isString
	}
	return isOther
}

// of returns the kinds of a parameter: what the model wrote beside it, or else what the schema says.
func (t types) of(key, attributes string) kinds {
	if _, v, ok := strings.Cut(attributes, `string="`); ok {
		if strings.HasPrefix(v, "true") {
			return isString
		}
		return isOther
	}
	if _, v, ok := strings.Cut(attributes, `type="`); ok {
		name, _, _ := strings.Cut(v, `"`)
		return kindOf(name)
	}
	return t[key]
}

// argument turns a value written as plain text into JSON. Where a value other than a string is possible,
// and the text is one of JSON's or Python's, it is that; else it is a string.
func argument(text string, k kinds) []byte {
	if k != isString {
		s := whole(text)
		s.space()
		c := s.peek()
		var w []byte
		if !(c == '"' && k == isString|isOther) && s.literal(&w, 0) {
			if s.space(); s.peek() < 0 {
				return w
			}
		}
	}
	return appendString(nil, text)
}

func appendString(w []byte, text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string always encodes
	}
	return append(w, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
