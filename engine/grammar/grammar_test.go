package grammar

import (
	"fmt"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func parse(t testing.TB, text string) *Grammar {
	t.Helper()
	g, err := Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return g
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		name, grammar string
		yes, no       []string
	}{
		{"text", `root ::= "yes" | "no"`, []string{"yes", "no"}, []string{"", "y", "yesno", "Yes", "ye"}},
		{"nothing", `root ::= "a" | `, []string{"", "a"}, []string{"b", "aa"}},
		{"empty text", `root ::= "" "a"`, []string{"a"}, []string{"", "aa"}},
		{"sets", `root ::= [a-cx] [^a-c\n] [\]\-\\] [a-]`, []string{"ad]-", "xé-a", "b\U0001F600\\-"}, []string{"da]a", "aa]a", "ad[a", "a\n]a"}},
		{"any", `root ::= . .`, []string{"ab", "é\n", "\U0010ffffx"}, []string{"a", "abc", "\xff\xfe", "é"}},
		{"escapes", `root ::= "\x41\u00e9\U0001F600\t\r\n\\\"\[\]\-"`, []string{"Aé😀\t\r\n\\\"[]-"}, []string{"A"}},
		{"star", `root ::= "ab"* "c"`, []string{"c", "abc", "ababc"}, []string{"abac", "ac", "bc", ""}},
		{"plus", `root ::= [0-9]+`, []string{"0", "123"}, []string{"", "12a"}},
		{"exactly", `root ::= "a"{3}`, []string{"aaa"}, []string{"aa", "aaaa", ""}},
		{"at least", `root ::= ("a" | "b"){ 2 , }`, []string{"ab", "bbbb"}, []string{"a", ""}},
		{"between", `root ::= x{2,4}` + "\n" + `x ::= [a-z] "."`, []string{"a.b.", "a.b.c.d."}, []string{"a.", "a.b.c.d.e.", "a.b"}},
		{"none", `root ::= "a"{0} "b"{0,0} "c"`, []string{"c"}, []string{"ac", "bc", ""}},
		{"repetition of a repetition", `root ::= ("a"{2}){2,3}`, []string{"aaaa", "aaaaaa"}, []string{"aa", "aaa", "aaaaa", "aaaaaaaa"}},
		{"star of a star", `root ::= "a"** "b"*?`, []string{"", "aaa", "ab", "bbb"}, []string{"ba"}},
		{"repetition of what may be nothing", `root ::= ("a" | ""){3,5} "b"`, []string{"b", "ab", "aaaaab"}, []string{"aaaaaab", "a"}},
		{"star of what may be nothing", `root ::= ("a"? "b"?)* "c"`, []string{"c", "abbac"}, []string{"ab"}},
		{"repetition after what may be nothing", "root ::= none (\"a\" none)* \"c\"\nnone ::= \"b\"?", []string{"c", "ac", "babc"}, []string{"bbc"}},
		{"repetition of nothing", `root ::= (""){1000000} "a"`, []string{"a"}, []string{"", "aa"}},
		{"many", `root ::= [a]{2,1000}`, []string{"aa", strings.Repeat("a", 1000)}, []string{"a", strings.Repeat("a", 1001)}},
		{"right recursion", "root ::= \"a\" root | \"b\"", []string{"b", strings.Repeat("a", 5000) + "b"}, []string{"a", ""}},
		{"left recursion", "root ::= root \"a\" | \"b\"", []string{"b", "b" + strings.Repeat("a", 5000)}, []string{"a", "ba b", ""}},
		{"left recursion after nothing", "root ::= none root \"a\" | \"b\"\nnone ::= \"x\"?", []string{"b", "xba", "xxbaa", "baa", "xbaa"}, []string{"xb", "xxba", "a"}},
		{"recursion on both sides", "root ::= root root | \"a\" | \"\"", []string{"", "a", "aaaaaaaa"}, []string{"b", "aab"}},
		{"middle recursion", "root ::= \"(\" root \")\" root | \"\"", []string{"", "()", "(()())()"}, []string{"(", ")", "(()"}},
		{"ambiguous middle", "root ::= \"a\" root \"b\" | \"a\" root \"c\" | \"\"", []string{"ab", "aaabcb", strings.Repeat("a", 300) + strings.Repeat("cb", 150)}, []string{"aab", "abcb"}},
		{"lines", "# a comment\nroot ::= a | # another\n  b\n\na ::= ( \"x\" # inside\n \"y\" )\n\r\nb ::= \"z\"\r\n", []string{"xy", "z"}, []string{"x", "yz"}},
		{"expressions", "root ::= sum\nsum ::= sum \"+\" product | product\nproduct ::= product \"*\" value | value\nvalue ::= [0-9]+ | \"(\" sum \")\"",
			[]string{"1", "1+2*3", "(1+22)*3"}, []string{"1+", "(1", "1 + 2", "+1"}},
	} {
		g := parse(t, c.grammar)
		for _, s := range c.yes {
			if !g.Match(s) {
				t.Errorf("%s: %.40q should match", c.name, s)
			}
		}
		for _, s := range c.no {
			if g.Match(s) {
				t.Errorf("%s: %.40q should not match", c.name, s)
			}
		}
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		grammar      string
		line, column int
		word         string
	}{
		{"", 0, 0, "no rule root"},
		{"a ::= \"x\"", 0, 0, "no rule root"},
		{"root ::= a b\nb ::= \"\"", 1, 10, "no rule a"},
		{"root ::= \"a\"\nroot ::= \"b\"", 2, 1, "twice"},
		{"root = \"a\"", 1, 6, "'=' stands where ::="},
		{"root", 1, 5, "the grammar ends where ::="},
		{"root ::= \"é\" $", 1, 14, "'$' stands"},
		{"root ::= \"a\" \"b", 1, 14, "no end"},
		{"root ::= [ab", 1, 10, "no end"},
		{"root ::= \"ab\\", 1, 10, "no end"},
		{"root ::= []", 1, 10, "no characters"},
		{"root ::= [z-a]", 1, 11, "ends before"},
		{"root ::= \"\\q\"", 1, 11, "not known"},
		{"root ::= \"\\x4\"", 1, 11, "2 hexadecimal"},
		{"root ::= \"\\ud800\"", 1, 11, "no character"},
		{"root ::= \"\\U00110000\"", 1, 11, "no character"},
		{"root ::= *", 1, 10, "nothing to repeat"},
		{"root ::= \"a\"{", 1, 14, "number"},
		{"root ::= \"a\"{2,1}", 1, 13, "at least 2"},
		{"root ::= \"a\"{2", 1, 15, "}"},
		{"root ::= \"a\"{9999999999999}", 1, 14, "above"},
		{"root ::= (\"a\"\nb ::= \"c\"", 2, 3, "end with )"},
		{"root ::= \"a\")", 1, 13, "')' stands"},
		{"root ::= <[12>", 1, 10, "<[123]>"},
		{"root ::= <think", 1, 10, "no end"},
		{"root ::= !x", 1, 11, "token"},
		{"root ::= root", 0, 0, "matches no text"},
		{"root ::= a \"x\"\na ::= b\nb ::= a", 0, 0, "matches no text"},
		{"root ::= " + strings.Repeat("(", 300), 1, 210, "levels"},
		{"root ::= \"a\"" + strings.Repeat("*", 1000), 1, 213, "repetitions of repetitions"},
		{"root ::= \"a\xff\"", 1, 12, "UTF-8"},
		{strings.Repeat("#\n", maxText), 0, 0, "at most"},
	} {
		g, err := Parse(c.grammar)
		e, ok := err.(*Error)
		if !ok {
			t.Errorf("%.40q: %v, %v", c.grammar, g, err)
			continue
		}
		if e.Line != c.line || e.Column != c.column || !strings.Contains(e.Message, c.word) || e.Kind() != "usage" {
			t.Errorf("%.40q: %v; want line %d, column %d, %q", c.grammar, e, c.line, c.column, c.word)
		}
	}
}

// tokens is a vocabulary of texts. "" is a control token, "$" ends the generation.
type tokens []string

func (t tokens) Size() int         { return len(t) }
func (t tokens) IsEOG(id int) bool { return t[id] == "$" }
func (t tokens) Piece(id int, special bool) []byte {
	if name, ok := strings.CutPrefix(t[id], "<|"); ok && !special {
		_ = name
		return nil
	}
	return []byte(t[id])
}

func allowed(m *Matcher) (ids []int) {
	for w, word := range m.Mask() {
		for ; word != 0; word &= word - 1 {
			ids = append(ids, w*64+bits.TrailingZeros64(word))
		}
	}
	return ids
}

// texts are the texts of the tokens that are allowed.
func (t tokens) texts(m *Matcher) string {
	var s []string
	for _, id := range allowed(m) {
		s = append(s, t[id])
	}
	return strings.Join(s, " ")
}

func (t tokens) id(text string) int { return slices.Index(t, text) }

func TestMatcher(t *testing.T) {
	v := tokens{"y", "ye", "yes", "s", "n", "no", "o", "es", "yesno", "é", "\xc3", "\xa9", "\xa8", "$", "<|x|>", "é!", "\xc3\xa9\xc3", "!", "\xf0", "\xe2"}
	for _, c := range []struct {
		grammar string
		path    string // tokens, then what is allowed after each
		want    []string
	}{
		{`root ::= "yes" | "no"`, "", []string{"y ye yes n no"}},
		{`root ::= "yes" | "no"`, "y es", []string{"y ye yes n no", "es", "$"}},
		{`root ::= "yes" | "no"`, "no $", []string{"y ye yes n no", "$", "$"}},
		{`root ::= "yes" "no"*`, "yes", []string{"y ye yes yesno", "n no $"}},
		{`root ::= "é" [!é]`, "\xc3 \xa9 !", []string{"é \xc3 é! \xc3\xa9\xc3", "\xa9", "é \xc3 !", "$"}},
		{`root ::= [\u00e0-\u00ff]`, "\xc3", []string{"é \xc3", "\xa9 \xa8"}},
		{`root ::= [^\u0000-\u00ff]`, "", []string{"\xf0 \xe2"}},
		{`root ::= <|x|> "s" <[0]>`, "<|x|> s y", []string{"<|x|>", "s", "y", "$"}},
		{`root ::= !<|x|>* <|x|>`, "é \xc3 <|x|>", []string{"y ye yes s n no o es yesno é \xc3 \xa9 \xa8 <|x|> é! \xc3\xa9\xc3 ! \xf0 \xe2",
			"y ye yes s n no o es yesno é \xc3 \xa9 \xa8 <|x|> é! \xc3\xa9\xc3 ! \xf0 \xe2", "y ye yes s n no o es yesno é \xc3 \xa9 \xa8 <|x|> é! \xc3\xa9\xc3 ! \xf0 \xe2", "$"}},
		{`root ::= "ye" (<[3]> | "s") "!"`, "ye s", []string{"y ye yes", "s", "!"}},
		{`root ::= <[13]> | "yes"`, "", []string{"y ye yes $"}},
	} {
		g := parse(t, c.grammar)
		voc := NewVocabulary(v)
		m, err := g.Matcher(voc)
		if err != nil {
			t.Fatal(err)
		}
		steps := append([]string{""}, strings.Fields(c.path)...)
		for i, s := range steps {
			if i > 0 {
				m.Accept(v.id(s))
			}
			if got := v.texts(m); got != c.want[i] {
				t.Errorf("%s after %q: %q, want %q", c.grammar, steps[:i+1], got, c.want[i])
			}
			for id := range v {
				if m.Allows(id) != slices.Contains(allowed(m), id) {
					t.Errorf("%s after %q: token %q: alone %t", c.grammar, steps[:i+1], v[id], m.Allows(id))
				}
			}
		}
	}
}

func TestMatcherEnds(t *testing.T) {
	v := tokens{"a", "b", "$"}
	m, err := parse(t, `root ::= "a" "b"?`).Matcher(NewVocabulary(v))
	if err != nil {
		t.Fatal(err)
	}
	if m.Complete() || m.Done() {
		t.Error("complete before it begins")
	}
	if m.Accept(0); !m.Complete() || m.Done() {
		t.Error("after a it is complete, but not done")
	}
	if m.Accept(1); !m.Done() {
		t.Error("after b it is done")
	}
	m.Accept(0)
	if m.Allows(0) || len(allowed(m)) != 0 || m.Complete() || !strings.Contains(m.Err().Error(), "no token") {
		t.Error("what is wrong cannot be made right")
	}
	for text, word := range map[string]string{"root ::= <think>": "no token <think>", "root ::= \"a\"\\\n": "", "root ::= <[3]>": "its last is 2"} {
		if g, err := Parse(text); err == nil {
			if _, err = g.Matcher(NewVocabulary(v)); err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), "line 1, column 10") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// Files of testdata/*.gbnf, each with texts that match and that do not, parted by lines of "===" and "!!!".
func TestFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.gbnf")
	if err != nil || len(files) == 0 {
		t.Fatal("no grammars", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		g := parse(t, string(text))
		cases, err := os.ReadFile(strings.TrimSuffix(file, ".gbnf") + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range strings.Split(string(cases), "%%\n")[1:] {
			verdict, text, _ := strings.Cut(c, "\n")
			text = strings.TrimSuffix(text, "\n")
			if g.Match(text) != (verdict == "yes") {
				t.Errorf("%s: %q: should be %s", file, text, verdict)
			}
		}
	}
}

// textbook is all ends of matches of e in text from i on, found by trying everything until nothing new is found.
type textbook struct {
	rules []*expr
	text  []rune
	known map[[2]int]map[int]bool // by rule and beginning
	grew  bool
}

func (b *textbook) ends(e *expr, i int) map[int]bool {
	out := map[int]bool{}
	switch e.kind {
	case exprSet:
		if i < len(b.text) && e.set.has(b.text[i]) {
			out[i+1] = true
		}
	case exprSeq:
		out[i] = true
		for _, x := range e.list {
			next := map[int]bool{}
			for j := range out {
				for k := range b.ends(x, j) {
					next[k] = true
				}
			}
			out = next
		}
	case exprAlt:
		for _, x := range e.list {
			for k := range b.ends(x, i) {
				out[k] = true
			}
		}
	case exprRepeat:
		from := map[int]bool{i: true}
		if e.min == 0 {
			out[i] = true
		}
		for n := 1; (e.max < 0 || n <= e.max) && n <= e.min+len(b.text)+1; n++ {
			next := map[int]bool{}
			for j := range from {
				for k := range b.ends(e.list[0], j) {
					next[k] = true
				}
			}
			if from = next; n >= e.min {
				for k := range from {
					out[k] = true
				}
			}
		}
	case exprRef:
		key := [2]int{e.rule, i}
		if b.known[key] == nil {
			b.known[key] = map[int]bool{}
			b.grew = true
		}
		return b.known[key]
	}
	return out
}

func slowMatch(rules []*expr, text string) bool {
	b := &textbook{rules: rules, text: []rune(text), known: map[[2]int]map[int]bool{}, grew: true}
	b.ends(ref(0), 0)
	for b.grew {
		b.grew = false
		for key := range b.known {
			for k := range b.ends(rules[key[0]], key[1]) {
				if !b.known[key][k] {
					b.known[key][k] = true
					b.grew = true
				}
			}
		}
	}
	return b.known[[2]int{0, 0}][len(b.text)]
}

// random is a generator of grammars and choices.
type random uint64

func (r *random) n(n int) int {
	*r = *r*6364136223846793005 + 1442695040888963407
	return int(uint64(*r) >> 33 % uint64(n))
}

func (r *random) expr(rules, depth int) *expr {
	k := r.n(9)
	if depth <= 0 {
		k = r.n(4)
	}
	list := func(f func(...*expr) *expr) *expr {
		var l []*expr
		for range r.n(4) {
			l = append(l, r.expr(rules, depth-1))
		}
		return f(l...)
	}
	switch k {
	case 0, 1:
		return char(rune('a' + r.n(2)))
	case 2:
		return oneOf('a', 'é')
	case 3:
		return ref(r.n(rules))
	case 4, 5:
		return list(seq)
	case 6, 7:
		return list(alt)
	}
	m := r.n(3)
	n := m + r.n(3)
	if r.n(2) == 0 {
		n = -1
	}
	return repeat(r.expr(rules, depth-1), m, n)
}

func TestAgainstTextbook(t *testing.T) {
	r := random(1)
	texts := []string{""}
	for i := 0; i < len(texts) && len(texts) < 60; i++ {
		for _, s := range []string{"a", "b", "é"} {
			texts = append(texts, texts[i]+s)
		}
	}
	matched, grammars := 0, 0
	for range 1200 {
		rules := make([]*expr, 1+r.n(3))
		for i := range rules {
			rules[i] = r.expr(len(rules), 3)
		}
		g, err := compile(rules)
		if err != nil {
			t.Fatal(err)
		}
		grammars++
		for _, text := range texts {
			want := slowMatch(rules, text)
			if want {
				matched++
			}
			if got := g.Match(text); got != want {
				t.Fatalf("grammar %d, %q: %t, want %t\n%s", grammars, text, got, want, show(rules))
			}
		}
	}
	if matched < 1000 {
		t.Errorf("only %d matches: the grammars test nothing", matched)
	}
}

func show(rules []*expr) string {
	var b strings.Builder
	var write func(e *expr)
	write = func(e *expr) {
		list := func(sep string) {
			b.WriteString("(")
			for i, x := range e.list {
				if i > 0 {
					b.WriteString(sep)
				}
				write(x)
			}
			b.WriteString(")")
		}
		switch e.kind {
		case exprSet:
			fmt.Fprintf(&b, "%q", e.set)
		case exprSeq:
			list(" ")
		case exprAlt:
			list(" | ")
		case exprRef:
			fmt.Fprintf(&b, "r%d", e.rule)
		case exprRepeat:
			list("")
			fmt.Fprintf(&b, "{%d,%d}", e.min, e.max)
		}
	}
	for i, e := range rules {
		fmt.Fprintf(&b, "r%d ::= ", i)
		write(e)
		b.WriteString("\n")
	}
	return b.String()
}

func FuzzSampled(f *testing.F) {
	for _, s := range []string{`root ::= "yes" | "no"`, `root ::= [^"]* "\"" | root "é"`, `root ::= !<[3]>* "a"{2,3}`} {
		f.Add(s, uint64(1))
	}
	v := tokens{"a", "b", "ab", "\"", "é", "\xc3", "\xa9", "$", "<|x|>", "yes", "no", "\n", " ", "1", "{", "}", "[", "]", ":", ",", "\xf0\x9f", "\x98\x80"}
	voc := NewVocabulary(v)
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		g, err := Parse(text)
		if err != nil {
			return
		}
		m, err := g.Matcher(voc)
		if err != nil {
			return
		}
		r := random(seed)
		out := ""
		for range 30 {
			ids := allowed(m)
			if len(ids) == 0 {
				break
			}
			id := ids[r.n(len(ids))]
			if !m.Allows(id) {
				t.Fatalf("%q is in the mask after %q, but not allowed", v[id], out)
			}
			if v.IsEOG(id) && m.Complete() {
				if !strings.Contains(text, "<") && !g.Match(out) {
					t.Fatalf("%q was sampled and does not match", out)
				}
				break
			}
			out += string(v.Piece(id, false))
			if m.Accept(id); m.Complete() && !strings.Contains(text, "<") && (!utf8.ValidString(out) || !g.Match(out)) {
				t.Fatalf("%q is complete and does not match", out)
			}
		}
	})
}
