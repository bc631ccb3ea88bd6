package grammar

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

func fromSchema(t testing.TB, text string) *Grammar {
	t.Helper()
	g, err := FromSchema([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return g
}

var schemas = []struct {
	schema  string
	yes, no []string
}{
	{`{}`, []string{`null`, `{"a": [1, "x", {}]}`, `-1.5e3`, "[\n  1]"}, []string{``, `nul`, `[1,]`, `{"a"}`, `01`, `"\ud800"`}},
	{`true`, []string{`[]`}, []string{`x`}},
	{`{"type": "null"}`, []string{`null`}, []string{`0`}},
	{`{"type": "boolean"}`, []string{`true`, `false`}, []string{`0`}},
	{`{"type": "integer"}`, []string{`0`, `-12`}, []string{`1.5`, `01`, `1e3`, `""`}},
	{`{"type": "number"}`, []string{`0`, `-12.50`, `1e-3`}, []string{`.5`, `1.`, `+1`}},
	{`{"type": "string"}`, []string{`""`, `"é\n\u00e9\"\\"`}, []string{`"`, "\"\n\"", `"\x"`, `a`}},
	{`{"type": ["string", "null"]}`, []string{`"a"`, `null`}, []string{`1`}},
	{`{"type": "object"}`, []string{`{}`, `{"a": 1, "b":[]}`}, []string{`[]`, `{"a"}`, `{,}`}},
	{`{"type": "array"}`, []string{`[]`, `[1, "a"]`}, []string{`{}`, `[,]`}},
	{`{"const": {"b": [1, "é\u0001"], "a": null}}`, []string{`{"b":[1,"é\u0001"],"a":null}`}, []string{`{"a":null,"b":[1,"é"]}`, `{}`}},
	{`{"enum": ["a", 1, null, 2.5]}`, []string{`"a"`, `1`, `null`, `2.5`}, []string{`a`, `2`, `"1"`}},
	{`{"type": "integer", "enum": ["a", 1, 2.0, 2.5]}`, []string{`1`, `2.0`}, []string{`"a"`, `2.5`}},

	{`{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "boolean"}, "c": {"const": 1}}, "required": ["b"]}`,
		[]string{`{"b": true}`, `{"a": 1, "b": false}`, `{"a":1,"b":true,"c":1}`, `{ "b": true, "c":1 }`},
		[]string{`{}`, `{"a":1}`, `{"b":true,"a":1}`, `{"a":1,"b":true,"c":1,"d":1}`, `{"b":true,}`, `{,"b":true}`}},
	{`{"properties": {"a": true, "b": false}}`, []string{`{}`, `{"a": [1]}`}, []string{`{"b": 1}`, `[]`}},
	{`{"properties": {"a": {"type": "null"}}, "additionalProperties": {"type": "integer"}}`, []string{`{}`, `{"a":null}`, `{"a":null,"b":1,"ab":2}`, `{"b":1}`, `{"":1}`, `{"\n":1}`},
		[]string{`{"a":1}`, `{"b":null}`, `{"b":1,"a":null}`, `{"\u0061":1}`}},
	{`{"properties": {"a\"b": true, "abc": true, "": true}, "additionalProperties": true}`, []string{`{"a\"b":1,"abc":2,"":3,"x":4}`, `{"a\"c":1}`, `{"a\"":1}`, `{"a":1,"ab":1,"abcd":1}`, `{"a\\b":1}`},
		[]string{`{"abc":2,"a\"b":1}`, `{"x":1,"":3}`}},
	{`{"properties": {"a": true}, "required": ["z"], "additionalProperties": {"const": 5}}`, []string{`{"z":5}`, `{"a":1,"z":5,"y":5}`}, []string{`{}`, `{"z":1}`, `{"y":5,"z":5}`}},
	{`{"additionalProperties": {"type": "boolean"}, "minProperties": 1, "maxProperties": 2}`, []string{`{"a":true}`, `{"a":true,"b":false}`}, []string{`{}`, `{"a":1}`, `{"a":true,"b":true,"c":true}`}},
	{`{"type": "object", "additionalProperties": false}`, []string{`{}`}, []string{`{"a":1}`}},
	{`{"type": "object", "maxProperties": 1}`, []string{`{}`, `{"a":1}`}, []string{`{"a":1,"b":2}`}},

	{`{"items": {"type": "integer"}}`, []string{`[]`, `[1]`, `[1, 2,3]`}, []string{`["a"]`, `[1 2]`}},
	{`{"items": {"type": "integer"}, "minItems": 2, "maxItems": 3}`, []string{`[1,2]`, `[1,2,3]`}, []string{`[]`, `[1]`, `[1,2,3,4]`}},
	{`{"items": {"type": "integer"}, "minItems": 1}`, []string{`[1]`, `[1,2,3]`}, []string{`[]`}},
	{`{"items": {"type": "integer"}, "maxItems": 1}`, []string{`[]`, `[1]`}, []string{`[1,2]`}},
	{`{"type": "array", "maxItems": 0}`, []string{`[]`}, []string{`[1]`}},
	{`{"items": false}`, []string{`[]`}, []string{`[1]`}},
	{`{"prefixItems": [{"const": 1}, {"const": 2}]}`, []string{`[1,2]`}, []string{`[]`, `[1]`, `[1,2,3]`, `[2,1]`}},
	{`{"items": [{"const": 1}, {"const": 2}], "additionalItems": {"const": 3}}`, []string{`[1,2]`, `[1,2,3,3]`}, []string{`[1]`, `[1,2,4]`}},
	{`{"prefixItems": [{"const": 1}, {"const": 2}], "items": {"const": 3}, "minItems": 0, "maxItems": 3}`, []string{`[]`, `[1]`, `[1,2]`, `[1,2,3]`}, []string{`[2]`, `[1,2,3,3]`, `[1,3]`}},
	{`{"prefixItems": [{"const": 1}, {"const": 2}], "items": {"const": 3}, "minItems": 4}`, []string{`[1,2,3,3]`, `[1,2,3,3,3]`}, []string{`[1,2,3]`}},
	{`{"prefixItems": [{"const": 1}, {"const": 2}], "maxItems": 1}`, []string{`[1]`}, []string{`[]`, `[1,2]`}},

	{`{"type": "string", "minLength": 2, "maxLength": 3}`, []string{`"ab"`, `"é\n\u00e9"`}, []string{`"a"`, `"abcd"`}},
	{`{"type": "string", "minLength": 1}`, []string{`"a"`, `"abcd"`}, []string{`""`}},
	{`{"pattern": "^a[b-d]+\\d{2}$"}`, []string{`"ab12"`, `"abcd99"`}, []string{`"a12"`, `"ab1"`, `"xab12"`}},
	{`{"pattern": "b+"}`, []string{`"b"`, `"abbc"`, `"\nb"`}, []string{`""`, `"ac"`}},
	{`{"pattern": "^a|b$"}`, []string{`"ax"`, `"xb"`}, []string{`"xa"`, `"bx"`}},
	{`{"pattern": "^(?:x|(y)(?<n>z))*?.$"}`, []string{`"xyzq"`, `"q"`, `"\""`, `"\\"`}, []string{`""`, `"\n"`, `"yq"`}},
	{`{"pattern": "^[^a-z\"\\\\]\\s\\S\\w\\W\\D\\u0041\\x42\\u{43}\\/$"}`, []string{`"1\tx_ xABC/"`}, []string{`"a\tx_ xABC/"`}},
	{`{"pattern": "^[\\]\\-\\b]{2,}$"}`, []string{`"]-\b"`}, []string{`"]"`, `"b]"`}},
	{`{"format": "date"}`, []string{`"2026-11-30"`}, []string{`"2026-13-30"`, `"26-1-1"`}},
	{`{"format": "date-time"}`, []string{`"2026-11-30T23:59:59Z"`, `"2026-11-30T23:59:59.123+01:00"`}, []string{`"2026-11-30"`, `"2026-11-30T24:00:00Z"`}},
	{`{"format": "uuid"}`, []string{`"123e4567-e89b-12d3-a456-426614174000"`}, []string{`"123e4567"`}},
	{`{"format": "email"}`, []string{`"a.b@c.de"`}, []string{`"a@b"`, `"@c.de"`, `"a b@c.de"`}},
	{`{"format": "ipv4"}`, []string{`"192.168.0.255"`}, []string{`"256.1.1.1"`, `"1.2.3"`}},
	{`{"format": "color", "maxLength": 3}`, []string{`"red"`}, []string{`"green"`, `1`}},
	{`{"type": "number", "format": "double"}`, []string{`1.5`}, []string{`"a"`}},
	{`{"format": "uri", "minLength": 1}`, []string{`"https://example.org/a?b=c#d"`}, []string{`"example"`, `""`}},

	{`{"type": "integer", "minimum": 0}`, []string{`0`, `7`, `1234567890123456`}, []string{`-1`, `00`, `1.0`}},
	{`{"type": "integer", "minimum": 15, "maximum": 300}`, []string{`15`, `99`, `100`, `299`, `300`}, []string{`14`, `301`, `3000`, `1`}},
	{`{"type": "integer", "exclusiveMinimum": -3, "exclusiveMaximum": 2.5}`, []string{`-2`, `-1`, `0`, `1`, `2`}, []string{`-3`, `3`, `-0`}},
	{`{"type": "integer", "maximum": -7}`, []string{`-7`, `-8`, `-1000`}, []string{`-6`, `0`, `7`}},
	{`{"type": "integer", "minimum": 0, "exclusiveMinimum": true, "maximum": 1e1}`, []string{`1`, `10`}, []string{`0`, `11`}},
	{`{"type": "number", "minimum": 0}`, []string{`0`, `0.5`, `17.25`}, []string{`-1`, `-0.5`, `1e5`}},
	{`{"type": "number", "minimum": -1.5, "maximum": 2.25}`, []string{`-1.5`, `-1.25`, `-0.01`, `0`, `1`, `1.99`, `2`, `2.2`, `2.25`, `2.250`}, []string{`-1.51`, `-2`, `2.26`, `3`, `2.251`, `2.`}},
	{`{"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1}`, []string{`0.5`, `0.001`, `0.99`}, []string{`0`, `1`, `0.0`, `1.0`}},
	{`{"type": "number", "minimum": 1.25, "exclusiveMaximum": 1.3}`, []string{`1.25`, `1.29`, `1.2999`}, []string{`1.3`, `1.2`, `1.24`, `1`, `1.30`}},

	{`{"anyOf": [{"type": "integer"}, {"type": "string", "maxLength": 1}]}`, []string{`1`, `"a"`}, []string{`"ab"`, `null`}},
	{`{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}`,
		[]string{`{"a":1}`, `{"b":1}`, `{"a":1,"b":2}`}, []string{`{}`}},
	{`{"allOf": [{"properties": {"a": {"type": "integer"}}, "required": ["a"]}, {"properties": {"b": {"type": "null"}, "a": {"minimum": 5}}}]}`,
		[]string{`{"a":5}`, `{"a":7,"b":null}`}, []string{`{"a":4}`, `{"b":null}`, `{}`}},
	{`{"allOf": [{"enum": [1, 2, 3]}, {"enum": [2, 3, 4]}, {"oneOf": [{"const": 3}, {"const": 4}]}]}`, []string{`3`}, []string{`2`, `4`}},
	{`{"oneOf": [{"const": 1}, false, {"$ref": "#/$defs/x"}], "$defs": {"x": {"const": "y"}}}`, []string{`1`, `"y"`}, []string{`2`}},
	{`{"$defs": {"tree": {"type": "object", "properties": {"v": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/tree"}}}, "required": ["v"]}}, "$ref": "#/$defs/tree"}`,
		[]string{`{"v":1}`, `{"v":1,"kids":[{"v":2,"kids":[]},{"v":3}]}`}, []string{`{"v":1,"kids":[{}]}`, `{"kids":[]}`}},
	{`{"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"const": 0}]}}`, []string{`[]`, `[0,[0,[[]]]]`}, []string{`[1]`, `0`}},
	{`{"definitions": {"a/b~c": {"const": 1}}, "items": {"$ref": "#/definitions/a~1b~0c"}}`, []string{`[1]`}, []string{`[2]`}},
	{`{"properties": {"a": {"$ref": "#/properties/b/anyOf/1"}, "b": {"anyOf": [{"const": 1}, {"const": 2}]}}}`, []string{`{"a":2,"b":1}`}, []string{`{"a":1}`}},
	{`{"properties": {"next": {"$ref": "#/$defs/endless"}, "a": {"const": 1}}, "$defs": {"endless": {"type": "object", "properties": {"next": {"$ref": "#/$defs/endless"}}, "required": ["next"]}}}`,
		[]string{`{}`, `{"a":1}`}, []string{`{"next":{}}`}},
}

func TestSchemas(t *testing.T) {
	for _, c := range schemas {
		g := fromSchema(t, c.schema)
		for _, s := range c.yes {
			if !g.Match(s) {
				t.Errorf("%s: %s should match", c.schema, s)
			}
		}
		for _, s := range c.no {
			if g.Match(s) {
				t.Errorf("%s: %s should not match", c.schema, s)
			}
		}
	}
}

func TestSchemaFaults(t *testing.T) {
	for _, c := range []struct{ schema, word string }{
		{``, "line 1, column 1: this is not JSON: the text ends"},
		{"{\n \"type\": \"object\",\n}", "line 3, column 1: this is not JSON"},
		{`{"type": "string"`, "the text ends"},
		{`{} {}`, "line 1, column 4: this is not JSON"},
		{`[]`, "an object, true or false"},
		{`false`, "no JSON text"},
		{`{"type": "str"}`, `#/type/: the type "str"`},
		{`{"type": "object", "properties": {"a": {"patternProperties": {}}}}`, "#/properties/a/patternProperties/: patternProperties is not supported"},
		{`{"not": {}}`, "not is not supported"},
		{`{"uniqueItems": true}`, "no grammar can keep uniqueItems"},
		{`{"multipleOf": 2}`, "multipleOf"},
		{`{"minLength": -1}`, "#/minLength/: a count is needed, not -1"},
		{`{"minLength": 1e9}`, "a count is needed"},
		{`{"$ref": "#/$defs/x"}`, `leads nowhere: there is no "$defs" in #`},
		{`{"$ref": "http://example.org/x"}`, "leads out of the schema"},
		{`{"$ref": "#"}`, "leads back to itself"},
		{`{"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"$ref": "#/$defs/a"}}}`, "leads back to itself"},
		{`{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}`, "no JSON text of finite length"},
		{`{"anyOf": []}`, "a list of schemas"},
		{`{"pattern": "(?=a)"}`, "looking ahead"},
		{`{"pattern": "a\\b"}`, `\b is not supported`},
		{`{"pattern": "(a"}`, "( without )"},
		{`{"pattern": "a)"}`, ") without ("},
		{`{"pattern": "[a"}`, "[ without ]"},
		{`{"pattern": "a{2"}`, "{ without }"},
		{`{"pattern": "*"}`, "nothing to repeat"},
		{`{"pattern": "` + strings.Repeat("(", 500) + `"}`, "levels"},
		{`{"pattern": "^a", "minLength": 3}`, "beside pattern"},
		{`{"format": "regex"}`, `the format "regex"`},
		{`{"type": "integer", "minimum": "a"}`, "a number"},
		{`{"properties": [], "required": 1}`, "an object of schemas"},
		{`{"required": [1]}`, "a list of names"},
		{strings.Repeat(`{"items":`, 1000) + `{}` + strings.Repeat(`}`, 1000), "levels of nesting"},
		{`{"allOf": [` + strings.Repeat(`{"anyOf": [{"minLength": 1}, {"minLength": 2}, {"minLength": 3}, {"minLength": 4}]},`, 20) + `{}]}`, "multiply"},
		{`{"a": 1, "a": 2}`, "twice"},
		{`{"properties": {"a": {}}, "minProperties": 1}`, "minProperties"},
		{`{"type": "string", "minLength": 3, "maxLength": 2}`, "no JSON text"},
	} {
		g, err := FromSchema([]byte(c.schema))
		if e, ok := err.(*Error); !ok || !strings.Contains(err.Error(), c.word) || e.Kind() != "usage" {
			t.Errorf("%.80s: %v, %v; want %q", c.schema, g != nil, err, c.word)
		}
	}
}

// valid is a textbook validator of the keywords that the tests use.
func valid(root, schema any, v any) bool {
	s, ok := schema.(map[string]any)
	if !ok {
		return schema.(bool)
	}
	same := func(a, b any) bool { x, _ := json.Marshal(a); y, _ := json.Marshal(b); return string(x) == string(y) }
	each := func(list any, f func(any) bool) (n int) {
		for _, x := range list.([]any) {
			if f(x) {
				n++
			}
		}
		return n
	}
	is := func(t any) bool {
		switch v := v.(type) {
		case nil:
			return t == "null"
		case bool:
			return t == "boolean"
		case json.Number:
			r, _ := new(big.Rat).SetString(v.String())
			return t == "number" || t == "integer" && r.IsInt()
		case string:
			return t == "string"
		case []any:
			return t == "array"
		}
		return t == "object"
	}
	number := func(key string) (int, bool) {
		n, ok := s[key].(json.Number)
		x, _ := n.Int64()
		return int(x), ok
	}
	against := func(x any) bool { return valid(root, x, v) }
	for key, k := range s {
		switch key {
		case "type":
			if list, ok := k.([]any); ok && each(list, is) == 0 || !ok && !is(k) {
				return false
			}
		case "const":
			if !same(k, v) {
				return false
			}
		case "enum":
			if each(k, func(x any) bool { return same(x, v) }) == 0 {
				return false
			}
		case "anyOf", "oneOf": // oneOf is anyOf here
			if each(k, against) == 0 {
				return false
			}
		case "allOf":
			if each(k, against) != len(k.([]any)) {
				return false
			}
		case "$ref":
			at := root
			for _, name := range strings.Split(k.(string), "/")[1:] {
				name = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
				if list, ok := at.([]any); ok {
					var i int
					fmt.Sscan(name, &i)
					at = list[i]
				} else {
					at = at.(map[string]any)[name]
				}
			}
			if !against(at) {
				return false
			}
		}
		switch v := v.(type) {
		case map[string]any:
			properties, _ := s["properties"].(map[string]any)
			switch key {
			case "properties":
				for name, p := range properties {
					if x, ok := v[name]; ok && !valid(root, p, x) {
						return false
					}
				}
			case "required":
				if each(k, func(x any) bool { _, ok := v[x.(string)]; return ok }) != len(k.([]any)) {
					return false
				}
			case "additionalProperties":
				for name, x := range v {
					if _, ok := properties[name]; !ok && !valid(root, k, x) {
						return false
					}
				}
			}
			if n, ok := number(key); ok && (key == "minProperties" && len(v) < n || key == "maxProperties" && len(v) > n) {
				return false
			}
		case []any:
			tuple, _ := s["prefixItems"].([]any)
			if list, ok := s["items"].([]any); ok {
				tuple = list
			}
			for i, x := range v {
				switch {
				case i < len(tuple):
					if !valid(root, tuple[i], x) {
						return false
					}
				case key == "items" && s["prefixItems"] != nil || key == "items" && len(tuple) == 0 || key == "additionalItems":
					if !valid(root, k, x) {
						return false
					}
				}
			}
			if n, ok := number(key); ok && (key == "minItems" && len(v) < n || key == "maxItems" && len(v) > n) {
				return false
			}
		case string:
			if n, ok := number(key); ok && (key == "minLength" && utf8.RuneCountInString(v) < n || key == "maxLength" && utf8.RuneCountInString(v) > n) {
				return false
			}
			if key == "pattern" {
				p := strings.ReplaceAll(k.(string), `\u{43}`, "C")
				p = strings.ReplaceAll(strings.ReplaceAll(p, `\u0041`, "A"), `[\]\-\b]`, `[\]\-\x08]`)
				const blank = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}` // ECMA's, not RE2's
				p = strings.ReplaceAll(strings.ReplaceAll(p, `\s`, "["+blank+"]"), `\S`, "[^"+blank+"]")
				if !regexp.MustCompile(p).MatchString(v) {
					return false
				}
			}
		case json.Number:
			limit, ok := k.(json.Number)
			if !ok {
				continue
			}
			x, _ := new(big.Rat).SetString(v.String())
			y, _ := new(big.Rat).SetString(limit.String())
			exclusive := func(key string) bool { b, _ := s[key].(bool); return b }
			switch c := x.Cmp(y); {
			case key == "minimum" && (c < 0 || c == 0 && exclusive("exclusiveMinimum")), key == "maximum" && (c > 0 || c == 0 && exclusive("exclusiveMaximum")),
				key == "exclusiveMinimum" && c <= 0, key == "exclusiveMaximum" && c >= 0:
				return false
			}
		}
	}
	return true
}

func decodeJSON(t testing.TB, text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err = d.Decode(&v); err == nil && d.More() {
		err = fmt.Errorf("more")
	}
	return v, err
}

// walk is a text that matches the grammar, made by choices at random; ok is false if it became too long.
func walk(g *Grammar, r *random, most int) (text string, ok bool) {
	m := newMachine(g, nil)
	at := m.start()
	for len(text) < most {
		m.work = 0
		if at.accept && (len(at.items) == 0 || r.n(4) == 0) {
			return text, true
		}
		var next []*state
		var by []rune
		for i, c := range g.starts {
			if n := at.step(int32(i)); n != nowhere && utf8.ValidRune(c) {
				next, by = append(next, n), append(by, c)
			}
		}
		if len(next) == 0 {
			return text, false
		}
		i := r.n(len(next))
		for _, end := range `"}]` { // come to an end
			for j, c := range by {
				if c == end && r.n(3) == 0 {
					i = j
				}
			}
		}
		text += string(by[i])
		at = next[i]
	}
	return text, false
}

// Whatever is sampled is JSON that a textbook validator finds valid.
func TestSampledIsValid(t *testing.T) {
	r := random(11)
	for _, c := range schemas {
		g := fromSchema(t, c.schema)
		schema, err := decodeJSON(t, c.schema)
		if err != nil {
			t.Fatal(err)
		}
		whole := 0
		for range 150 {
			text, ok := walk(g, &r, 300)
			if !ok {
				continue
			}
			whole++
			v, err := decodeJSON(t, text)
			if err != nil || !valid(schema, schema, v) {
				t.Errorf("%s: %q: %v", c.schema, text, err)
				break
			}
			if !g.Match(text) {
				t.Errorf("%s: %q does not match", c.schema, text)
			}
		}
		if whole == 0 {
			t.Errorf("%s: nothing was sampled", c.schema)
		}
		for _, text := range c.yes {
			if v, err := decodeJSON(t, text); err != nil || !valid(schema, schema, v) {
				t.Errorf("%s: the validator finds %s wrong: %v", c.schema, text, err)
			}
		}
	}
}

// Every number near a limit, against arithmetic.
func TestNumberLimits(t *testing.T) {
	texts := []string{}
	for _, whole := range []string{"0", "1", "2", "3", "9", "10", "11", "19", "20", "99", "100", "101", "200"} {
		for _, frac := range []string{"", ".0", ".09", ".1", ".49", ".50", ".500001", ".99"} {
			texts = append(texts, whole+frac, "-"+whole+frac)
		}
	}
	limits := []string{"", "0", "1", "-1", "0.5", "-0.5", "-2.49", "10", "-10", "10.1", "19.99", "-20", "99.5", "100", "100.09", "-200"}
	for _, kind := range []string{"integer", "number"} {
		for _, low := range limits {
			for _, high := range limits {
				for _, without := range []string{"", "exclusive"}[len(low+high)%2:] { // half of them with both
					s := fmt.Sprintf(`{"type": %q`, kind)
					minimum, maximum := "minimum", "maximum"
					if without != "" {
						minimum, maximum = "exclusiveMinimum", "exclusiveMaximum"
					}
					if low != "" {
						s += fmt.Sprintf(`, %q: %s`, minimum, low)
					}
					if high != "" {
						s += fmt.Sprintf(`, %q: %s`, maximum, high)
					}
					s += "}"
					g, err := FromSchema([]byte(s))
					schema, _ := decodeJSON(t, s)
					for _, text := range texts {
						if kind == "integer" && strings.Contains(text, ".") || strings.Trim(text, "-0.") == "" && text[0] == '-' {
							continue
						}
						v, _ := decodeJSON(t, text)
						want := valid(schema, schema, v)
						if got := err == nil && g.Match(text); got != want {
							t.Fatalf("%s: %s: %t, want %t", s, text, got, want)
						}
					}
				}
			}
		}
	}
}

func FuzzSchema(f *testing.F) {
	for _, c := range schemas {
		f.Add(c.schema, uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		g, err := FromSchema([]byte(text))
		if err != nil {
			return
		}
		r := random(seed)
		for range 3 {
			if s, ok := walk(g, &r, 200); ok {
				if _, err := decodeJSON(t, s); err != nil {
					t.Fatalf("%q is no JSON", s)
				}
			}
		}
	})
}
