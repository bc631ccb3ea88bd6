package chat

import (
	"context"
	"strings"
	"time"
	"unsafe"
)

// machine runs one rendering.
type machine struct {
	ctx     context.Context
	stopped error // of ctx
	now     func() time.Time
	out     *strings.Builder
	vars    *Dict // of the caller; never changed
	global  *scope
	at      place // of the expression or statement that is at work

	// The last long text that was put together, and what it was put together in: a template that
	// gathers its output in a variable goes on with just that text.
	gathered string
	gather   *strings.Builder

	limits   Limits
	steps    int64
	bytes    int64
	depth    int // of calls
	nested   int // of expressions and statements, and of values that are compared
	maxPrint int
}

// Bounds that no caller needs to change.
const (
	maxEval    = 2500   // nested evaluations: a browser's stack, 1 MB, holds more than twice as many
	maxValue   = 1000   // values in values when they are written or compared, as Python has it
	maxRange   = 100000 // numbers of one range: the sandbox's own limit
	wordBytes  = 32     // what an item of a list is charged with
	workOfStep = 64     // bytes a built-in may pass over for a step
)

func newMachine(ctx context.Context, vars *Dict, o Options) *machine {
	if vars == nil {
		vars = NewDict()
	}
	l, size := o.Limits, sizeOf(vars, 0)
	orElse := func(n *int64, v int64) {
		if *n == 0 {
			*n = v
		}
	}
	orElse(&l.Steps, 2e6+64*size)
	orElse(&l.Bytes, 64<<20+1024*size)
	orElse(&l.Value, 16<<20+8*size)
	orElse(&l.Output, l.Value)
	if l.Depth == 0 {
		l.Depth = 200
	}
	m := &machine{ctx: ctx, now: o.Now, out: new(strings.Builder), vars: vars, global: &scope{}, limits: l, maxPrint: maxValue}
	if m.now == nil {
		m.now = time.Now
	}
	return m
}

// sizeOf is about what a value from outside takes, in bytes.
func sizeOf(v Value, depth int) int64 {
	n := int64(wordBytes)
	if depth > maxJSON {
		return n
	}
	switch v := v.(type) {
	case string:
		n += int64(len(v))
	case *List:
		for _, x := range v.Items {
			n += sizeOf(x, depth+1)
		}
	case *Dict:
		for i, k := range v.keys {
			n += sizeOf(k, depth+1) + sizeOf(v.values[i], depth+1)
		}
	}
	return n
}

// step counts one step, and looks now and then whether the caller still wants the text.
func (m *machine) step() {
	m.steps++
	if m.steps&1023 == 0 {
		if err := m.ctx.Err(); err != nil {
			m.stopped = context.Cause(m.ctx)
			fail("stopped: %v", err)
		}
	}
	if m.steps > m.limits.Steps {
		fail("the template takes too many steps (limit %d)", m.limits.Steps)
	}
}

// work counts the steps of a built-in that passes over values.
func (m *machine) work(values ...Value) {
	for _, v := range values {
		n := 0
		switch v := v.(type) {
		case string:
			n = len(v) / workOfStep
		case markup:
			n = len(v) / workOfStep
		case *List:
			n = len(v.Items) / 8
		case tuple:
			n = len(v) / 8
		}
		m.steps += int64(n)
	}
	m.step()
}

// alloc counts n bytes that a value of the template takes.
func (m *machine) alloc(n int) {
	m.bytes += int64(n)
	if m.bytes > m.limits.Bytes {
		fail("the template takes too much memory (limit %d bytes)", m.limits.Bytes)
	}
}

// fits refuses a value of n bytes that is too large, before it is made.
func (m *machine) fits(n int) {
	if int64(n) > m.limits.Value {
		fail("the template makes too large a value (limit %d bytes)", m.limits.Value)
	}
}

// made counts a new string or list, and refuses it where it is too large.
func (m *machine) made(v Value) Value {
	n := 0
	switch v := v.(type) {
	case string:
		n = len(v)
	case markup:
		n = len(v)
	case *List:
		n = len(v.Items) * wordBytes
	case tuple:
		n = len(v) * wordBytes
	case *Dict:
		n = v.Len() * 4 * wordBytes
	default:
		return v
	}
	m.fits(n)
	m.alloc(n + wordBytes)
	return v
}

// appended is s with more texts behind it. The time for a long text that grows bit by bit is that of
// the bits.
func (m *machine) appended(s string, more ...string) string {
	n := 0
	for _, t := range more {
		n += len(t)
	}
	m.fits(len(s) + n)
	b := m.gather
	if b == nil || !sameText(s, m.gathered) {
		m.alloc(len(s) + wordBytes)
		b = new(strings.Builder)
		b.Grow(len(s) + n)
		b.WriteString(s)
	} else if b.Len()+n > b.Cap() {
		m.alloc(2*b.Cap() + n)
	}
	m.alloc(n)
	for _, t := range more {
		b.WriteString(t)
	}
	const long = 1 << 10
	if b.Len() >= long {
		m.gather, m.gathered = b, b.String()
	}
	return b.String()
}

// sameText tells whether two texts are one in memory: it must not take time for their length.
func sameText(s, t string) bool {
	return len(s) == len(t) && unsafe.StringData(s) == unsafe.StringData(t)
}

// times is a*b, refused where a value of so many bytes is too large.
func (m *machine) times(a, b int) int {
	if a > 0 && b > 0 && int64(b) > m.limits.Value/int64(a) {
		m.fits(int(m.limits.Value) + 1)
	}
	return a * b
}

func (m *machine) write(s string) {
	if int64(m.out.Len())+int64(len(s)) > m.limits.Output {
		fail("the template writes too much (limit %d bytes)", m.limits.Output)
	}
	m.out.WriteString(s)
}

// capture is the text that f writes.
func (m *machine) capture(f func()) string {
	out := m.out
	m.out = new(strings.Builder)
	f()
	s := m.out.String()
	m.out = out
	m.made(s)
	return s
}

// enterCall counts a level of macros; leave it with m.depth--.
func (m *machine) enterCall() {
	if m.depth++; m.depth > m.limits.Depth {
		fail("macros call each other too deeply (limit %d)", m.limits.Depth)
	}
}

// nest counts a level of evaluation; leave it with m.nested--.
func (m *machine) nest() {
	m.step()
	if m.nested++; m.nested > maxEval {
		fail("the template is evaluated too deeply")
	}
}

// scope holds the variables of a block. What is not in it is looked for in its parent.
type scope struct {
	parent *scope
	vars   []variable
	index  map[string]int // position in vars, once there are many
}

type variable struct {
	name  string
	value Value
}

// many is how many variables are found faster with an index.
const many = 12

func (s *scope) find(name string) int {
	if s.index != nil {
		if i, ok := s.index[name]; ok {
			return i
		}
		return -1
	}
	for i := range s.vars {
		if s.vars[i].name == name {
			return i
		}
	}
	return -1
}

func (s *scope) set(name string, v Value) {
	if i := s.find(name); i >= 0 {
		s.vars[i].value = v
		return
	}
	s.vars = append(s.vars, variable{name, v})
	switch {
	case s.index != nil:
		s.index[name] = len(s.vars) - 1
	case len(s.vars) == many:
		s.index = make(map[string]int, 2*many)
		for i := range s.vars {
			s.index[s.vars[i].name] = i
		}
	}
}

func (m *machine) lookup(s *scope, name string) Value {
	for ; s != nil; s = s.parent {
		if i := s.find(name); i >= 0 {
			return s.vars[i].value
		}
	}
	if v, ok := m.vars.Get(name); ok {
		return v
	}
	if g, ok := globals()[name]; ok {
		return g
	}
	return &undefined{"'" + name + "' is undefined"}
}
