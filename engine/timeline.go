package engine

import "slices"

// timeline is tokens that were evaluated, as their successors need them.
type timeline struct {
	n       int         // tokens
	ids     []int       // the tokens; beyond n, what was cut off
	caches  []kvCache   // by slot; what is in them beyond n is of no value
	states  [][]float32 // of recurrent ops, by slot
	history history     // if there are states
	encoded encoded     // what the decoder of an encoder-decoder model looks at
}

// newTimeline is an empty timeline.
func newTimeline(shapes []kvShape, sizes []int) timeline {
	t := timeline{caches: make([]kvCache, len(shapes)), encoded: encoded{seen: make([]bool, len(shapes))}}
	for i, s := range shapes {
		t.caches[i].kvShape = s
	}
	for _, n := range sizes {
		t.states = append(t.states, make([]float32, n))
	}
	t.history.states = t.states
	return t
}

// fork is a timeline with the same tokens.
func (t *timeline) fork() timeline {
	f := timeline{n: t.n, ids: slices.Clone(t.ids[:t.n]), states: cloneStates(t.states), history: t.history.fork(), encoded: t.encoded}
	f.history.states = f.states
	f.encoded.seen = slices.Clone(t.encoded.seen)
	f.encoded.rows = slices.Clone(t.encoded.rows)
	for i := range t.caches {
		n := t.n
		if t.encoded.n > 0 { // the encoder's caches, and those that look at it, are not of the timeline
			n = max(n, t.encoded.n)
		}
		f.caches = append(f.caches, t.caches[i].fork(n))
	}
	return f
}

// bytes is the memory of keys, values and states.
func (t *timeline) bytes() int64 {
	n := t.history.bytes()
	for i := range t.caches {
		n += t.caches[i].bytes(len(t.caches[i].pages) * kvPage)
	}
	return n
}

// lane is the columns of a pass that are of one timeline: column c is the token at its position at(c).
type lane struct {
	*timeline
	request int // that it is of
	ids     []int
	wanted  int // of the last ids, whose rows are wanted

	from, to int // columns; set by begin
	pos      int // of column from
}

func (l *lane) at(c int) int { return l.pos + c - l.from }

// begin divides the columns of a pass among lanes, which it keeps until the next.
func (p *pass) begin(lanes []lane) {
	p.lanes = append(p.lanes[:0], lanes...)
	p.laneOf = p.laneOf[:0]
	p.n, p.end, p.first = 0, 0, 0
	for i := range p.lanes {
		l := &p.lanes[i]
		l.from, l.to, l.pos = p.n, p.n+len(l.ids), l.n
		p.n = l.to
		p.end = max(p.end, l.at(l.to))
		if len(lanes) > 1 {
			for range l.ids {
				p.laneOf = append(p.laneOf, i)
			}
		}
	}
	p.reserve(p.n)
}

// lane is column c's lane.
func (p *pass) lane(c int) *lane {
	if len(p.lanes) == 1 {
		return &p.lanes[0]
	}
	return &p.lanes[p.laneOf[c]]
}

// growCaches makes room in all lanes' caches of a slot for the pass's columns.
func (p *pass) growCaches(slot int) {
	for i := range p.lanes {
		l := &p.lanes[i]
		l.caches[slot].grow(l.pos, l.at(l.to))
	}
}
