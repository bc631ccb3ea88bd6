package grammar

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Grammars and schemas made to take for ever end in a text or an error, soon.
func TestHostile(t *testing.T) {
	repeated := func(n int, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(f(i))
		}
		return b.String()
	}
	letters := func(int) string { return "x " }
	v := tokens{"$"}
	for _, s := range []string{"a", "aa", "aaa", "aaaa", "ab", "b", "\"", "{", "}", "p1", "x", "丁", "\xe4\xb8", "0", "1", "[", "]", ",", ":"} {
		v = append(v, s)
	}
	voc := NewVocabulary(v)
	for _, c := range []struct{ name, grammar, schema string }{
		{"repetitions of repetitions", `root ::= ("a"{0,1000}){0,1000}`, ""},
		{"and of these", `root ::= ((("a"{0,999}){0,999}){0,999}){0,999}`, ""},
		{"stars of stars", `root ::= ((("a"*)*)*)*`, ""},
		{"many ways for nothing", "root ::= " + repeated(60, letters) + "\nx ::= root | \"a\" | \"\"", ""},
		{"any way to divide", "root ::= root root root | \"a\" | \"\"", ""},
		{"any way to count", "root ::= " + repeated(200, func(int) string { return `("a"{0,500})` }), ""},
		{"many alternatives", "root ::= \"b\"" + repeated(30_000, func(int) string { return ` | "a" "a"` }), ""},
		{"many rules", repeated(20_000, func(i int) string { return fmt.Sprintf("r%d ::= r%d | \"a\"\n", i, i+1) }) + "r20000 ::= \"b\"\nroot ::= r0\n", ""},
		{"many rules in a circle", repeated(5_000, func(i int) string { return fmt.Sprintf("r%d ::= r%d r0 | \"a\"\n", i, (i+1)%5_000) }) + "root ::= r0\n", ""},
		{"many characters", "root ::= [" + repeated(50_000, func(i int) string { return string(rune(0x4e00+2*i%20000)) + string(rune(0x10000+2*i)) }) + "]*", ""},
		{"many literals", "root ::= (" + repeated(20_000, func(i int) string { return fmt.Sprintf("%q | ", string(rune(0x4e00+i))) }) + "\"a\")*", ""},
		{"many properties", "", `{"properties": {` + repeated(4_000, func(i int) string { return fmt.Sprintf("\"p%d\": {\"type\": \"integer\"},", i) }) + `"a": true}, "additionalProperties": true}`},
		{"many values", "", `{"enum": [` + repeated(20_000, func(i int) string { return fmt.Sprintf("\"a%d\",", i) }) + `0]}`},
		{"much nesting", "", strings.Repeat(`{"items":`, 190) + `{}` + strings.Repeat(`}`, 190)},
		{"choices of choices", "", strings.Repeat(`{"anyOf":[{"type":"integer"},`, 90) + `{}` + strings.Repeat(`]}`, 90)},
		{"choices multiplied", "", `{"allOf":[` + repeated(500, func(i int) string { return fmt.Sprintf(`{"anyOf":[{"minimum":%d},{"maxLength":%d}]},`, i, i) }) + `true]}`},
		{"references that double", "", `{"$defs":{"d0":{}` + repeated(60, func(i int) string {
			return fmt.Sprintf(`,"d%d":{"type":"array","prefixItems":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i+1, i, i)
		}) + `},"$ref":"#/$defs/d60"}`},
		{"joined references that double", "", `{"$defs":{"d0":{}` + repeated(60, func(i int) string {
			return fmt.Sprintf(`,"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i+1, i, i)
		}) + `},"$ref":"#/$defs/d60"}`},
		{"large counts", "", `{"type":"array","items":{"type":"string","minLength":1000000},"minItems":1000000}`},
		{"a pattern of patterns", "", `{"pattern":"^((a?){0,1000}){0,1000}$"}`},
	} {
		begin := time.Now()
		var g *Grammar
		var err error
		if c.schema != "" {
			g, err = FromSchema([]byte(c.schema))
		} else {
			g, err = Parse(c.grammar)
		}
		said := fmt.Sprint(err)
		if err == nil {
			m, err := g.Matcher(voc)
			if err != nil {
				t.Fatal(err)
			}
			r := random(1)
			for range 20 {
				ids := slices.DeleteFunc(allowed(m), v.IsEOG)
				if len(ids) == 0 {
					break
				}
				m.Accept(ids[r.n(len(ids))])
			}
			said = fmt.Sprint(m.err)
		}
		t.Logf("%-30s %8v  %s", c.name, time.Since(begin).Round(time.Millisecond), said)
	}
}
