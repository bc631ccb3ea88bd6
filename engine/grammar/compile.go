package grammar

import (
	"slices"
	"sort"
)

// op is a step of the program; the next one follows it.
type op struct {
	kind     opKind
	rule     int32
	min, max int32  // of repetitions; max < 0: no limit
	set      []span // classes, ascending
	token    int32  // index into Grammar.tokens
}

type span struct{ first, last int32 }

type opKind uint8

const (
	opEnd        opKind = iota // of an alternative
	opSet                      // a character of set
	opRepeatSet                // min to max of them
	opCall                     // what the rule matches
	opRepeatCall               // min to max times
	opToken
)

// matches tells whether the op's set has the class.
func (o *op) matches(class int32) bool { return o.overlaps(class, class) }

// overlaps tells whether the op's set has a class from first to last.
func (o *op) overlaps(first, last int32) bool {
	s := o.set
	if len(s) == 1 { // mostly
		return s[0].first <= last && first <= s[0].last
	}
	i := sort.Search(len(s), func(i int) bool { return s[i].last >= first })
	return i < len(s) && s[i].first <= last
}

// class is the class of a character.
func (g *Grammar) class(r rune) int32 {
	if r < int32(len(g.ascii)) {
		return g.ascii[r]
	}
	return g.search(r)
}

func (g *Grammar) search(r rune) int32 {
	return int32(sort.Search(len(g.starts), func(i int) bool { return g.starts[i] > r })) - 1
}

type compiler struct {
	g    *Grammar
	sets []runeSet // of ops with a set, by the index of the op; turned into classes at the end
	at   []int
}

// compile makes the program of rules. The first is the root.
func compile(rules []*expr) (*Grammar, error) {
	c := compiler{g: &Grammar{rules: make([][]int32, len(rules))}}
	for i, e := range rules {
		if err := c.rule(i, e); err != nil {
			return nil, err
		}
	}
	c.classes()
	return c.g, nil
}

// rule compiles the alternatives of rule i.
func (c *compiler) rule(i int, e *expr) error {
	alternatives := []*expr{e}
	if e.kind == exprAlt {
		alternatives = e.list
	}
	starts := make([]int32, 0, len(alternatives))
	for _, a := range alternatives {
		// What is nested comes first, so that the ops of an alternative follow each other.
		ops, err := c.sequence(nil, a)
		if err != nil {
			return err
		}
		starts = append(starts, int32(len(c.g.ops)))
		for _, o := range ops {
			if o.kind == opSet || o.kind == opRepeatSet {
				c.sets, c.at = append(c.sets, o.set), append(c.at, len(c.g.ops))
			}
			c.g.ops = append(c.g.ops, o.op)
		}
		c.g.ops = append(c.g.ops, op{kind: opEnd})
		if len(c.g.ops) > maxOps {
			return &Error{Message: "the grammar is too large"}
		}
	}
	c.g.rules[i] = starts
	return nil
}

// pending is an op whose set is still one of characters.
type pending struct {
	op
	set runeSet
}

func (c *compiler) sequence(ops []pending, e *expr) ([]pending, error) {
	var err error
	switch e.kind {
	case exprSet:
		ops = append(ops, pending{op{kind: opSet}, e.set})
	case exprSeq:
		for _, x := range e.list {
			if ops, err = c.sequence(ops, x); err != nil {
				return nil, err
			}
		}
	case exprRef:
		ops = append(ops, pending{op: op{kind: opCall, rule: int32(e.rule)}})
	case exprAlt:
		r, err := c.inner(e)
		if err != nil {
			return nil, err
		}
		ops = append(ops, pending{op: op{kind: opCall, rule: r}})
	case exprRepeat:
		body, o := e.list[0], op{kind: opRepeatCall, min: int32(e.min), max: int32(e.max)}
		switch {
		case e.max == 0:
		case e.min == 1 && e.max == 1:
			return c.sequence(ops, body)
		case body.kind == exprSet:
			o.kind = opRepeatSet
			ops = append(ops, pending{o, body.set})
		case body.kind == exprRef:
			o.rule = int32(body.rule)
			ops = append(ops, pending{op: o})
		default:
			if o.rule, err = c.inner(body); err != nil {
				return nil, err
			}
			ops = append(ops, pending{op: o})
		}
	case exprToken:
		ops = append(ops, pending{op: op{kind: opToken, token: int32(len(c.g.tokens))}})
		c.g.tokens = append(c.g.tokens, e.token)
	}
	if len(ops) > maxOps {
		return nil, &Error{Message: "the grammar is too large"}
	}
	return ops, nil
}

// inner makes a rule without a name.
func (c *compiler) inner(e *expr) (int32, error) {
	i := len(c.g.rules)
	c.g.rules = append(c.g.rules, nil)
	return int32(i), c.rule(i, e)
}

// classes divides the characters so that each set is a union of classes.
func (c *compiler) classes() {
	g := c.g
	g.starts = []rune{0}
	for _, s := range c.sets {
		for _, r := range s {
			g.starts = append(g.starts, r[0], r[1]+1)
		}
	}
	slices.Sort(g.starts)
	g.starts = slices.Compact(g.starts)
	for r := range g.ascii {
		g.ascii[r] = g.search(rune(r))
	}
	for i, s := range c.sets {
		spans := make([]span, len(s))
		for j, r := range s {
			spans[j] = span{g.search(r[0]), g.search(r[1]+1) - 1}
		}
		g.ops[c.at[i]].set = spans
	}
}
