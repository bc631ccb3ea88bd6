package engine

import (
	"strconv"

	"straw/engine/arch"
)

// memory is the state of a recurrent op, all in one piece, and a copy of it: what history asks for.
type memory struct {
	now, kept []float32
	used      int // of now, by take
}

// maxMemory is how many floats one op may remember, far above any model.
const maxMemory = 1 << 28

// newMemory is the memory of v, an op of layer i, all 0.
func (s *Session) newMemory(v arch.Remembering, i int) (memory, error) {
	n := v.Memory(s.model.Embd)
	if n < 0 || n > maxMemory {
		return memory{}, &UnsupportedError{Field: arch.LayerPrefix(i), Reason: "a state of " + strconv.FormatInt(n, 10) + " numbers cannot be run"}
	}
	return memory{now: make([]float32, n), kept: make([]float32, n)}, nil
}

// take is the next n floats of the memory.
func (m *memory) take(n int) []float32 {
	m.used += n
	return m.now[m.used-n : m.used : m.used]
}

func (m *memory) reset()       { clear(m.now) }
func (m *memory) save()        { copy(m.kept, m.now) }
func (m *memory) restore()     { copy(m.now, m.kept) }
func (m *memory) bytes() int64 { return 4 * int64(len(m.now)+len(m.kept)) }
func (m *memory) mixes() bool  { return true }

// shift gives each column the one before it.
type shift struct {
	last []float32 // [embd]: of the batch before; 0 before the first token
}

// before is the column before column c of h [n, embd].
func (s *shift) before(h []float32, c int) []float32 {
	embd := len(s.last)
	if c == 0 {
		return s.last
	}
	return h[(c-1)*embd:][:embd]
}

// advance remembers the last column of h.
func (s *shift) advance(h []float32) { copy(s.last, h[len(h)-len(s.last):]) }

// lerp is dst = x + (before - x) * (rate + more), where more may be nil: a step from x towards the column before.
func lerp(dst, x, before, rate, more []float32) {
	for i, v := range x {
		r := rate[i]
		if more != nil {
			r += more[i]
		}
		dst[i] = v + float32((before[i]-v)*r)
	}
}
