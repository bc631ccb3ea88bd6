package reply

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// reads returns what read makes of a text, if it takes all of it.
func reads(text string, read func(*scanner, *[]byte, int) bool) (string, bool) {
	s := whole(text)
	var w []byte
	ok := read(s, &w, 0)
	s.space()
	return string(w), ok && s.peek() < 0
}

// TestJSON holds the reader of JSON to encoding/json, on texts that are nearly JSON.
func TestJSON(t *testing.T) {
	seeds := []string{`{"a": [1, -0.5e+3, "x\u00e9\n\"", true, null]}`, `[]`, `{}`, `[[], {"": {}}]`, `0`, `-1E9`, `"\ud83d\ude00 é 😀"`, `"\b\f\/"`}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(seeds).Draw(t, "seed")
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			c := rapid.SampledFrom(strings.Split(`{}[]",:0123456789+-.eEtrue\unlfas x`, "")).Draw(t, "put")
			text = text[:i] + c + text[i+rapid.IntRange(0, 1).Draw(t, "over"):]
		}
		text = strings.TrimLeft(text, " ")
		got, ok := reads(text, (*scanner).value)
		if ok != json.Valid([]byte(text)) {
			t.Fatalf("%q: %v", text, ok)
		}
		if ok && got != strings.TrimRight(text, " ") {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`'it\'s'`, `"it's"`},
		{`"""two
"lines\""""`, `"two\n\"lines\""`},
		{`'\x41\u00e9\U0001F600\ud83d\ude00\d\
'`, `"Aé😀😀\\d"`},
		{`'\ud83d'`, `"` + "\uFFFD" + `"`},
		{`(1, 2,)`, `[1, 2]`},
		{`{'a': True, "b": [None, False], c: {}}`, `{"a": true, "b": [null, false], "c": {}}`},
		{`<|"|>a\n"b"<|"|>`, `"a\\n\"b\""`},
		{`""`, `""`},
		{`f(1)`, ""}, {`[1`, ""}, {`{'a' 1}`, ""}, {`{1: 2}`, ""}, {`'a`, ""}, {`'\x4'`, ""}, {`'\`, ""}, {`1 2`, ""}, {`[1 2]`, ""},
		{strings.Repeat("[", maxDepth+2) + strings.Repeat("]", maxDepth+2), ""},
	} {
		got, ok := reads(c.in, (*scanner).literal)
		if ok != (c.want != "") || ok && got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.in, got, ok, c.want)
		}
	}
}

func TestArgument(t *testing.T) {
	schema := readSchema([]byte(`{"properties": {"s": {"type": "string"}, "n": {"type": ["integer", "null"]}, "both": {"oneOf": [{"type": "string"}, {"type": "number"}]},
		"enum": {"enum": ["1", "2"]}, "level": {"enum": [1, 2]}, "any": true, "wrong": {"type": 7}}}`))
	for _, c := range []struct{ key, attributes, in, want string }{
		{"s", "", "1", `"1"`}, {"s", "", "<b>", `"<b>"`}, {"n", "", " 1 ", `1`}, {"n", "", "one", `"one"`}, {"both", "", "1", `1`}, {"both", "", `"1"`, `"\"1\""`},
		{"enum", "", "1", `"1"`}, {"level", "", "1", `1`}, {"any", "", "[True]", `[true]`}, {"any", "", `"x"`, `"x"`}, {"wrong", "", "1", `1`}, {"none", "", "a b", `"a b"`},
		{"s", ` string="false"`, "1", `1`}, {"n", ` string="true"`, "1", `"1"`}, {"n", ` type="string"`, "1", `"1"`}, {"s", ` type="array"`, "[1]", `[1]`},
	} {
		if got := string(argument(c.in, schema.of(c.key, c.attributes))); got != c.want {
			t.Errorf("%s %s %q: %s, want %s", c.key, c.attributes, c.in, got, c.want)
		}
	}
}
