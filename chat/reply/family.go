package reply

import (
	"slices"
	"strings"
)

// Family is a way of writing calls and thoughts that models share.
type Family struct {
	Name string

	// in holds what a template of the family has in it: all of one of the lists.
	in [][]string

	thoughts        [][2]string // what goes around thoughts
	callsEndThought bool        // a call within a thought ends it
	skip            []string    // marks that say nothing
	calls           []form      // ways to write calls; those with the same begin are tried in order
	bare            []*form     // ways to write calls without a mark, where the answer begins
	header          *header
}

// form is a way to write calls. Blanks between its parts are free.
type form struct {
	syntax func(*scanner, *form) bool
	begin  string   // what shows that calls come
	end    []string // what may follow the last call

	open      string   // before each call, if begin goes around several
	close     []string // after each call; keyed: the first is needed
	nameEnd   []string // after the name: named: the one, keyed: any
	prefix    string   // named: before the name
	idAfter   string   // named: between name and ID
	idBefore  string   // named: between ID and name
	numbered  bool     // named: what stands there is an ID, functions.name:0
	nameIsKey bool     // JSON: {"name": {arguments}}
	unmarked  bool     // calls of unknown tools are none

	key, keyEnd, value, valueEnd string // keyed: the marks of an argument; nested: of any element
}

// header is what each message of an output begins with, before its text.
type header struct {
	starts  []string
	initial []string // what an output begins with within a header, for the prompt holds the start; "" anything
	end     string
	within  []string // what else may stand in it
	read    func(text string) (k Kind, call string, ok bool)
}

// mark is a text that is not only text.
type mark struct {
	text  string
	is    meaning
	forms []*form
}

type meaning uint8

const (
	opensThought meaning = iota
	closesThought
	skipped
	opensHeader
	opensCalls
)

func (f *Family) marks() (m []mark) {
	for _, t := range f.thoughts {
		m = append(m, mark{text: t[0], is: opensThought}, mark{text: t[1], is: closesThought})
	}
	at := map[string]int{}
	for i := range f.calls {
		c := &f.calls[i]
		k, ok := at[c.begin]
		if !ok {
			k = len(m)
			at[c.begin] = k
			m = append(m, mark{text: c.begin, is: opensCalls})
		}
		m[k].forms = append(m[k].forms, c)
	}
	if f.header != nil {
		for _, s := range f.header.starts {
			m = append(m, mark{text: s, is: opensHeader})
		}
	}
	for _, s := range f.skip {
		m = append(m, mark{text: s, is: skipped})
	}
	return m
}

// Families returns all families, in the order in which Detect looks for them.
func Families() []*Family { return append([]*Family(nil), families()...) }

// Lookup returns the family of a name, or nil.
func Lookup(name string) *Family {
	for _, f := range families() {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Detect returns the family of a chat template's source: generic if it shows none, which knows the most
// common marks.
func Detect(template string) *Family {
	for _, f := range families() {
		for _, all := range f.in {
			if containsAll(template, all) {
				return f
			}
		}
	}
	all := families()
	return all[len(all)-1]
}

func containsAll(s string, parts []string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// Uses reports whether a special token has a meaning here: its text is part of a mark. Of other special
// tokens an output should not hold the texts.
func (f *Family) Uses(token string) bool {
	return token != "" && slices.ContainsFunc(f.literals(), func(text string) bool { return strings.Contains(text, token) })
}

// literals are all texts that are more than text to the family.
func (f *Family) literals() (all []string) {
	for _, t := range f.thoughts {
		all = append(all, t[:]...)
	}
	all = append(all, f.skip...)
	forms := slices.Clone(f.bare)
	for i := range f.calls {
		forms = append(forms, &f.calls[i])
	}
	for _, c := range forms {
		all = append(all, c.begin, c.open, c.prefix, c.idAfter, c.idBefore, c.key, c.keyEnd, c.value, c.valueEnd)
		all = slices.Concat(all, c.end, c.close, c.nameEnd)
	}
	if h := f.header; h != nil {
		all = append(slices.Concat(all, h.starts, h.within), h.end)
	}
	return all
}

// Thinking reports whether a prompt ends by opening a thought: the model goes on with it.
func (f *Family) Thinking(prompt string) bool {
	prompt = strings.TrimRight(prompt, " \n\t\r")
	for _, t := range f.thoughts {
		if strings.HasSuffix(prompt, t[0]) {
			return true
		}
	}
	return false
}
