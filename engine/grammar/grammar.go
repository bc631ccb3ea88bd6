// Package grammar holds what a model writes to a grammar: GBNF (llama.cpp's BNF) or a JSON schema. It says which tokens
// of a vocabulary may come next; what is sampled among them matches the grammar as a text, whatever way it is cut into
// tokens.
//
// A grammar is a list of rules over code points (expr.go), read from GBNF (gbnf.go) or made from a JSON schema
// (schema.go). It is compiled into a program (compile.go), which a machine follows character by character through all
// ways of reading the text at once (machine.go). A Matcher walks it over a Vocabulary (matcher.go, vocabulary.go).
package grammar

import "fmt"

// Limits against grammars made to harm.
const (
	maxText   = 4 << 20 // bytes of a grammar or schema
	maxDepth  = 200     // of nesting
	maxOps    = 1 << 20 // of a compiled grammar
	maxRepeat = 1 << 20 // in {m,n}
	maxItems  = 1 << 14 // ways of reading the same text that are followed at once
	maxWork   = 1 << 24 // of these, over all characters that are tried for one token
)

// Error is a fault of a grammar or a schema. Line and Column count from 1, in characters; 0 if the place is not known.
type Error struct {
	Line, Column int
	Path         string // within a schema, as a JSON pointer
	Message      string
}

func (e *Error) Error() string {
	s := e.Message
	if e.Path != "" {
		s = e.Path + ": " + s
	}
	if e.Line > 0 {
		s = fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, s)
	}
	return s
}

// Kind names the failure for messages to people and pages.
func (e *Error) Kind() string { return "usage" }

// Grammar is what a text must match. It does not change and may be used from any number of goroutines.
type Grammar struct {
	ops    []op
	rules  [][]int32 // of each rule the first op of each alternative; rule 0 is the root
	starts []rune    // class i of characters is starts[i] to starts[i+1]-1; no rule tells characters of a class apart
	ascii  [128]int32
	tokens []tokenRef
}

// Match tells whether the grammar matches the text as a whole. Grammars with tokens match no text at those.
func (g *Grammar) Match(text string) bool {
	m := newMachine(g, make([]int32, len(g.tokens)))
	p := place{at: m.start()}
	for i := 0; i < len(text) && p.at != nowhere; i++ {
		m.work = 0
		if !p.feed(text[i]) {
			return false
		}
	}
	return p.n == 0 && p.at.accept
}
