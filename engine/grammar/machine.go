package grammar

import "slices"

// A machine follows a program through a text. Where it is in it is a state: all places of the program that the text so
// far can have led to, each with the calls that led there. Calls are shared between these ways (a graph-structured
// stack, as in GLL parsing), so that they cannot multiply: their number grows with the ambiguity of the grammar, not
// with that of the text. Left recursion is nothing special, and a call at the end of a rule leaves nothing behind.
type machine struct {
	g     *Grammar
	ids   []int32 // of g.tokens, in the vocabulary
	names uint64  // given to frames

	states map[uint64][]*state // those that were met, by their hash
	frames map[uint64][]*frame
	met    int
	work   int // items looked at since it was last set to 0
	tired  bool

	// of the closure under way
	stamp  uint64
	all    []item
	seen   map[item]struct{} // those of all, once they are many
	terms  []item
	accept bool
	byRule []*frame
	made   []*frame
}

// item is a place in the program: at an op, after count repetitions of it, in a call. pc < 0 is the end of the root.
type item struct {
	pc, count int32
	frame     *frame
}

// frame is the call of one rule at one place in the text, by all who called it there.
type frame struct {
	name   uint64
	stamp  uint64 // of the closure that made it
	popped bool   // the rule matched nothing at all, in that closure
	edges  []edge // where it returns to; no more of them are added after that closure
	same   *frame // that stands for it after the closure
}

// edge is where a call returns to, and the stamp of the closure in which it was made; 0 when that is over.
type edge struct {
	item
	again bool // it is a repetition's, and returns to it
	stamp uint64
}

type state struct {
	m      *machine
	items  []item // at ops that take a character or a token
	accept bool   // the text may end here
	next   []*state
	more   map[int32]*state // in place of next where there are many classes
}

const (
	maxDense  = 512  // classes up to which states have a table of their successors
	maxStates = 8192 // that are remembered, and calls
)

// nowhere is the state that no way leads to.
var nowhere = &state{}

func newMachine(g *Grammar, ids []int32) *machine {
	return &machine{g: g, ids: ids, byRule: make([]*frame, len(g.rules)), states: map[uint64][]*state{}, frames: map[uint64][]*frame{}, seen: map[item]struct{}{}}
}

// start is the state before the text.
func (m *machine) start() *state {
	m.begin()
	m.call(0, edge{item{pc: -1}, false, m.stamp})
	return m.end()
}

// step is the state after a character of the class; nowhere if none can be there.
func (s *state) step(class int32) *state {
	m := s.m
	if s.next != nil {
		if n := s.next[class]; n != nil {
			return n
		}
	} else if n := s.more[class]; n != nil {
		return n
	}
	m.begin()
	for _, it := range s.items {
		switch o := &m.g.ops[it.pc]; {
		case o.set == nil || !o.matches(class):
		case o.kind == opSet:
			m.add(item{it.pc + 1, 0, it.frame})
		default:
			m.add(item{it.pc, o.counted(it.count), it.frame})
		}
	}
	n := m.end()
	if m.tired {
		return n
	}
	if s.next == nil && s.more == nil {
		if len(m.g.starts) <= maxDense {
			s.next = make([]*state, len(m.g.starts))
		} else {
			s.more = map[int32]*state{}
		}
	}
	if s.next != nil {
		s.next[class] = n
	} else {
		s.more[class] = n
	}
	return n
}

// counted is the number of repetitions after one more. Beyond the least without a limit they need not be told apart.
func (o *op) counted(n int32) int32 {
	if o.max < 0 {
		return min(n+1, o.min)
	}
	return n + 1
}

// token is the state after the whole token id; nowhere if no op is for it. ender: it ends the generation, and is meant
// by no op that does not name it.
func (s *state) token(id int32, ender bool) *state {
	m := s.m
	m.begin()
	for _, it := range s.items {
		if o := &m.g.ops[it.pc]; o.kind == opToken {
			if not := m.g.tokens[o.token].not; not && !ender && m.ids[o.token] != id || !not && m.ids[o.token] == id {
				m.add(item{it.pc + 1, 0, it.frame})
			}
		}
	}
	return m.end()
}

// or is the state of a text that leads to both.
func (s *state) or(t *state) *state {
	if s == nowhere {
		return t
	}
	if t == nowhere || s == t {
		return s
	}
	m := s.m
	m.begin()
	m.accept = s.accept || t.accept
	for _, x := range []*state{s, t} {
		for _, it := range x.items {
			if m.fresh(it) {
				m.terms = append(m.terms, it)
			}
		}
	}
	return m.intern()
}

func (m *machine) begin() {
	m.stamp++
	m.all, m.terms, m.made, m.accept = m.all[:0], m.terms[:0], m.made[:0], false
	if len(m.seen) > 0 {
		clear(m.seen)
	}
}

// end follows all that can be done without a character.
func (m *machine) end() *state {
	for i := 0; i < len(m.all); i++ {
		m.follow(m.all[i])
		if m.work++; len(m.all) > maxItems || m.work > maxWork {
			m.tired = true
			return nowhere
		}
	}
	return m.intern()
}

// fresh notes an item, and tells whether it is new.
func (m *machine) fresh(it item) bool {
	const few = 16
	if len(m.all) < few {
		if slices.Contains(m.all, it) {
			return false
		}
	} else {
		if len(m.seen) == 0 {
			for _, x := range m.all {
				m.seen[x] = struct{}{}
			}
		}
		if _, ok := m.seen[it]; ok {
			return false
		}
		m.seen[it] = struct{}{}
	}
	m.all = append(m.all, it)
	return true
}

func (m *machine) add(it item) {
	if it.pc < 0 {
		m.accept = true
		return
	}
	m.fresh(it)
}

func (m *machine) follow(it item) {
	o := &m.g.ops[it.pc]
	switch o.kind {
	case opSet, opToken:
		m.terms = append(m.terms, it)
	case opRepeatSet:
		if it.count >= o.min {
			m.add(item{it.pc + 1, 0, it.frame})
		}
		if o.max < 0 || it.count < o.max {
			m.terms = append(m.terms, it)
		}
	case opCall:
		m.call(o.rule, edge{item{it.pc + 1, 0, it.frame}, false, m.stamp})
	case opRepeatCall:
		if it.count >= o.min {
			m.add(item{it.pc + 1, 0, it.frame})
		}
		if o.max < 0 || it.count < o.max {
			m.call(o.rule, edge{item{it.pc, o.counted(it.count), it.frame}, true, m.stamp})
		}
	case opEnd:
		if it.frame.stamp == m.stamp {
			it.frame.popped = true
		}
		for _, e := range it.frame.edges {
			m.back(e)
		}
	}
}

// call begins a rule that will return to e.
func (m *machine) call(rule int32, e edge) {
	f := m.byRule[rule]
	if f == nil || f.stamp != m.stamp {
		m.names++
		f = &frame{name: m.names, stamp: m.stamp}
		m.byRule[rule] = f
		m.made = append(m.made, f)
		for _, pc := range m.g.rules[rule] {
			m.add(item{pc, 0, f})
		}
	}
	if e.pc >= 0 && m.g.ops[e.pc].kind == opEnd && e.frame.stamp != m.stamp {
		// Nothing is left to do there: the rule returns to where that one does.
		for _, e := range e.frame.edges {
			m.link(f, e)
		}
		return
	}
	m.link(f, e)
}

func (m *machine) link(f *frame, e edge) {
	m.work++
	if slices.Contains(f.edges, e) {
		return
	}
	m.work += len(f.edges) / 16
	f.edges = append(f.edges, e)
	if f.popped {
		m.back(e)
	}
}

// back returns from a call.
func (m *machine) back(e edge) {
	m.work++
	it := e.item
	if e.again && e.stamp == m.stamp {
		// The repeated rule can match nothing, so any number of repetitions can. Another one would lead back here.
		it.pc, it.count = it.pc+1, 0
	}
	m.add(it)
}

// share puts in place of the calls that this closure made those of earlier ones that return to the same places: then a
// loop in the grammar comes back to the same state. Calls that return into each other (left recursion) stay.
func (m *machine) share() {
	late := false // there are edges to calls made after the one they are of
	for _, f := range m.made {
		settled := true
		kept := f.edges[:0]
		hash := newHash
		for _, e := range f.edges {
			e.stamp = 0
			if t := e.frame; t != nil && t.stamp == m.stamp {
				if t.same == nil {
					settled = false
				} else {
					e.frame = t.same
				}
			}
			if !slices.Contains(kept, e) {
				kept = append(kept, e)
				hash = hash.item(e.item)
			}
		}
		f.edges = kept
		f.same = f
		if !settled {
			late = true
			continue
		}
		known := m.frames[uint64(hash)]
		if i := slices.IndexFunc(known, func(x *frame) bool { return slices.Equal(x.edges, f.edges) }); i >= 0 {
			f.same = known[i]
		} else {
			m.frames[uint64(hash)] = append(known, f)
			m.remember()
		}
	}
	if late {
		for _, f := range m.made {
			for i := range f.edges {
				if t := f.edges[i].frame; t != nil && t.same != nil {
					f.edges[i].frame = t.same
				}
			}
		}
	}
	for i := range m.terms {
		if t := m.terms[i].frame; t.stamp == m.stamp {
			m.terms[i].frame = t.same
		}
	}
}

// remember counts what is remembered, and forgets it all when it is too much.
func (m *machine) remember() {
	if m.met++; m.met > maxStates {
		clear(m.states)
		clear(m.frames)
		m.met = 1
	}
}

type hash uint64

const newHash hash = 14695981039346656037

func (h hash) mix(x uint64) hash {
	h = (h ^ hash(x)) * 1099511628211
	return h ^ h>>29
}

func (h hash) item(it item) hash {
	h = h.mix(uint64(it.pc)<<32 | uint64(uint32(it.count)))
	if it.frame != nil {
		h = h.mix(it.frame.name)
	}
	return h
}

// intern is the state with the items of this closure, the same one for the same items if it is remembered.
func (m *machine) intern() *state {
	if len(m.terms) == 0 && !m.accept {
		return nowhere
	}
	m.share()
	h := newHash
	if m.accept {
		h = h.mix(1)
	}
	for _, it := range m.terms {
		h = h.item(it)
	}
	for _, s := range m.states[uint64(h)] {
		if s.accept == m.accept && slices.Equal(s.items, m.terms) {
			return s
		}
	}
	m.remember()
	s := &state{m: m, accept: m.accept, items: slices.Clone(m.terms)}
	m.states[uint64(h)] = append(m.states[uint64(h)], s)
	return s
}
