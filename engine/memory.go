package engine

import (
	"strconv"

	"straw/engine/arch"
)

// memory is where a recurrent op has its state: each timeline has one, all in one piece.
type memory struct {
	slot int // of timeline.states
	size int // floats
	used int // of size, by take
}

// region is a part of a memory.
type region struct{ slot, off, n int }

// of is what l's timeline has there.
func (r region) of(l *lane) []float32 { return l.states[r.slot][r.off:][:r.n:r.n] }

// maxMemory is how many floats one op may remember, far above any model.
const maxMemory = 1 << 28

// newMemory makes every timeline have the memory of v, an op of layer i.
func (s *machine) newMemory(v arch.Remembering, i int) (memory, error) {
	n := v.Memory(s.model.Embd)
	if n < 0 || n > maxMemory {
		return memory{}, &UnsupportedError{Field: arch.LayerPrefix(i), Reason: "a state of " + strconv.FormatInt(n, 10) + " numbers cannot be run"}
	}
	s.sizes = append(s.sizes, int(n))
	return memory{slot: len(s.sizes) - 1, size: int(n)}, nil
}

// take is the next n floats of the memory.
func (m *memory) take(n int) region {
	m.used += n
	return region{m.slot, m.used - n, n}
}

func (m *memory) mixes() bool { return true }

// shift gives each column the one before it on its timeline. What is remembered is the last column of the batch before,
// [embd], 0 before the first token.
type shift struct{ region }

// before is the column before column c of h [n, embd].
func (s *shift) before(p *pass, h []float32, c int) []float32 {
	if l := p.lane(c); c == l.from {
		return s.of(l)
	}
	return h[(c-1)*s.n:][:s.n]
}

// advance remembers the last column of each lane of h.
func (s *shift) advance(p *pass, h []float32) {
	for i := range p.lanes {
		l := &p.lanes[i]
		copy(s.of(l), h[(l.to-1)*s.n:])
	}
}

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
