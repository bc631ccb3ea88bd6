package term

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSafe(t *testing.T) {
	for _, c := range []struct{ name, in, line, text string }{
		{"plain", "hello", "hello", "hello"},
		{"empty", "", "", ""},
		{"colour", "\x1b[31mred\x1b[0m", `\x1b[31mred\x1b[0m`, `\x1b[31mred\x1b[0m`},
		{"lines", "a\n\tb\r", `a\n\tb\r`, "a\n\tb" + `\r`},
		{"bidi override", "abc\u202egnp.exe", `abc\u202egnp.exe`, `abc\u202egnp.exe`},
		{"isolates", "\u2066x\u2069\u200f\u061c", `\u2066x\u2069\u200f\u061c`, `\u2066x\u2069\u200f\u061c`},
		{"C1 control", "\u009b2J", `\u009b2J`, `\u009b2J`},
		{"delete", "\x7f", `\x7f`, `\x7f`},
		{"not UTF-8", "a\xff\xc3", `a\xff\xc3`, `a\xff\xc3`},
		{"line separator", "\u2028", `\u2028`, `\u2028`},
		{"tag characters", "\U000e0041", `\U000e0041`, `\U000e0041`},
		{"words", "日本語 ▁the Ġa café 🦙", "日本語 ▁the Ġa café 🦙", "日本語 ▁the Ġa café 🦙"},
		{"joined emoji", "👩‍💻", "👩‍💻", "👩‍💻"},
		{"replacement character", "\ufffd", "\ufffd", "\ufffd"},
	} {
		if got := Safe(c.in); got != c.line {
			t.Errorf("%s: Safe %q, want %q", c.name, got, c.line)
		}
		if got := SafeText(c.in); got != c.text {
			t.Errorf("%s: SafeText %q, want %q", c.name, got, c.text)
		}
	}
}

func TestSafeJSONMeansTheSame(t *testing.T) {
	in := "a\u202eb\x7f\u009b\U000e0041c <&> 日本"
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	safe := SafeJSON(raw)
	if strings.ContainsAny(string(safe), "\u202e\x7f\u009b\U000e0041") {
		t.Errorf("raw characters are left: %q", safe)
	}
	var out string
	if err := json.Unmarshal(safe, &out); err != nil || out != in {
		t.Errorf("%q, %v: want %q", out, err, in)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"hello", 0, "hello"}, {"hello", 5, "hello"}, {"hello", 4, "hel…"}, {"日本語", 6, "日本語"}, {"日本語", 5, "日本…"}, {"日本語", 4, "日…"}} {
		if got := Cut(c.in, c.n); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"": 0, "a…b": 3, "日本": 4, "ｱ": 1, "Ａ": 2, "e\u0301": 1, "\u1112\u1161\u11ab": 2, "🙂": 2, "Ġ▁": 2, "a\u200db": 2} {
		if got := Columns(s); got != want {
			t.Errorf("Columns(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestTableWraps(t *testing.T) {
	columns := []Column{{Title: "rule"}, {Title: "n", Right: true}, {Title: "message", Wrap: true}}
	rows := [][]string{{"one", "10", "words that go on and on, unbreakably-long"}, {"two", "", "short"}, {"three", "7", ""}}
	var b strings.Builder
	Table(&b, 26, true, columns, rows)
	want := "\x1b[2mrule\x1b[0m    \x1b[2mn\x1b[0m  \x1b[2mmessage\x1b[0m\n" + `one    10  words that go
           on and on,
           unbreakably-lon
           g
two        short
three   7
`
	if b.String() != want {
		t.Errorf("got\n%q\nwant\n%q", b.String(), want)
	}
}

func TestTableFits(t *testing.T) {
	columns := []Column{{Title: "key", Give: true}, {Title: "n", Right: true}, {Title: "value", Give: true}}
	rows := func() [][]string {
		return [][]string{{"general.name", "1", strings.Repeat("long ", 60)}, {"\x1b[2J", "1000", "x"}, {strings.Repeat("k", 50), "5", "y"}}
	}
	for _, width := range []int{40, 60, 80, 100} {
		var b strings.Builder
		Table(&b, width, false, columns, rows())
		for line := range strings.SplitSeq(b.String(), "\n") {
			if Columns(line) > width {
				t.Errorf("width %d: %d columns: %q", width, Columns(line), line)
			}
			if strings.Contains(line, "\x1b") {
				t.Errorf("an escape is left: %q", line)
			}
		}
	}
	columns[0].Keep = 40
	var kept strings.Builder
	Table(&kept, 60, false, columns, rows())
	if !strings.Contains(kept.String(), strings.Repeat("k", 37)) {
		t.Errorf("the key did not keep its columns:\n%s", kept.String())
	}
	columns[0].Keep = 0
	var b strings.Builder
	Table(&b, 60, false, columns, rows())
	want := `key                            n  value
general.name                   1  long long long long long …
\x1b[2J                     1000  x
kkkkkkkkkkkkkkkkkkkkkkkkk…     5  y
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestProgressIsSilentElsewhere(t *testing.T) {
	var b strings.Builder
	p := NewProgress(&b)
	p.Set("half")
	p.Clear()
	if b.Len() > 0 {
		t.Errorf("wrote %q", b.String())
	}
}
