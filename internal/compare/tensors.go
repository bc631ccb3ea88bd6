package compare

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"straw/gguf"
	"straw/internal/values"
)

// Tensor is a tensor that differs.
type Tensor struct {
	Name   string
	Change Change
	A, B   *gguf.Tensor // nil on the side that has none

	Error *Error // nil where the shapes differ, a type cannot be decoded, or nothing was read
}

// Error is how far B's numbers are from A's. Places at which one of them is NaN or infinite are counted and left out,
// unless both are the same.
type Error struct {
	RMS       float64 // root of the mean square of the differences
	Max       float64 // largest difference
	Relative  float64 // RMS by that of A's numbers; 0 where both are 0, +Inf where only A's are
	Differing int64   // numbers that are not the same
	NonFinite int64   // of those, the ones left out
}

// tensors compares all tensors, the largest relative error first.
func tensors(ctx context.Context, a, b *gguf.File, o Options) ([]Tensor, error) {
	var pairs, list []Tensor
	var total int64
	for i := range a.Tensors {
		t := Tensor{Name: a.Tensors[i].Name, A: &a.Tensors[i]}
		other, ok := b.Lookup(t.Name)
		switch t.B = other; {
		case !ok:
			t.Change = Removed
			list = append(list, t)
		case !slices.Equal(t.A.Dims, t.B.Dims), o.NoTensors && t.A.Type != t.B.Type:
			list = append(list, t)
		case !t.A.Type.Live() || !t.B.Type.Live():
			if t.A.Type != t.B.Type {
				list = append(list, t)
			}
		case !o.NoTensors:
			pairs = append(pairs, t)
			total += t.A.Bytes
		}
	}
	measured, err := measureAll(ctx, a, b, pairs, total, o)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(measured, func(x, y Tensor) int { return cmp.Compare(y.Error.Relative, x.Error.Relative) })
	list = append(measured, list...)
	for i := range b.Tensors {
		if _, ok := a.Lookup(b.Tensors[i].Name); !ok {
			list = append(list, Tensor{Name: b.Tensors[i].Name, Change: Added, B: &b.Tensors[i]})
		}
	}
	return list, nil
}

// measureAll reads the pairs, several at a time, and gives those that differ in their order.
func measureAll(ctx context.Context, a, b *gguf.File, pairs []Tensor, total int64, o Options) ([]Tensor, error) {
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ctx = asking{inner, ctx}
	var mu sync.Mutex
	next, done := 0, int64(0)
	var wg sync.WaitGroup
	for range max(min(o.Threads, len(pairs)), 1) {
		wg.Go(func() {
			m := meter{a: a, b: b, read: func(n int64) {
				mu.Lock()
				defer mu.Unlock()
				if done += n; o.Progress != nil {
					o.Progress(done, total)
				}
			}}
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(pairs) {
					return
				}
				var err error
				if pairs[i].Error, err = m.measure(ctx, &pairs[i]); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	wg.Wait()
	if inner.Err() != nil {
		return nil, context.Cause(inner)
	}
	return slices.DeleteFunc(pairs, func(t Tensor) bool { return t.Error == nil }), nil
}

// asking is a context whose caller's is asked too whenever it is: Err of one that is merely derived would not, and a page's
// lets messages in when it is asked.
type asking struct {
	context.Context
	caller context.Context
}

func (c asking) Err() error {
	if err := c.caller.Err(); err != nil {
		return err
	}
	return c.Context.Err()
}

// meter measures tensors, with buffers of its own.
type meter struct {
	a, b *gguf.File
	x, y []byte
	read func(n int64) // told of A's bytes
}

const rawStep = 1 << 20 // bytes compared at a time

// measure is nil where the bytes are the same in the same type.
func (m *meter) measure(ctx context.Context, t *Tensor) (*Error, error) {
	equal := int64(0)
	if t.A.Type == t.B.Type {
		var err error
		if equal, err = m.equal(ctx, t); err != nil || equal == t.A.Bytes {
			return nil, err
		}
	}
	x, err := values.NewReader(m.a, t.A)
	if err != nil {
		return nil, err
	}
	y, err := values.NewReader(m.b, t.B)
	if err != nil {
		return nil, err
	}
	var s sums
	var buf [values.Piece]float32
	elements := int64(t.A.Elements)
	told := equal // of the bytes that were read already
	err = x.Each(ctx, 0, elements, func(first int64, p []float32) error {
		q := buf[:len(p)]
		if err := y.Read(q, first); err != nil {
			return err
		}
		s.add(p, q)
		if now := int64(float64(first+int64(len(p))) / float64(elements) * float64(t.A.Bytes)); now > told {
			m.read(now - told)
			told = now
		}
		return nil
	})
	return s.error(elements), err
}

// equal is the number of bytes from the start that were found the same, in steps.
func (m *meter) equal(ctx context.Context, t *Tensor) (int64, error) {
	if m.x == nil {
		m.x, m.y = make([]byte, rawStep), make([]byte, rawStep)
	}
	for off := int64(0); off < t.A.Bytes; {
		if err := ctx.Err(); err != nil {
			return off, err
		}
		n := min(rawStep, t.A.Bytes-off)
		if err := m.a.ReadTensorAt(t.Name, m.x[:n], off); err != nil {
			return off, err
		}
		if err := m.b.ReadTensorAt(t.Name, m.y[:n], off); err != nil {
			return off, err
		}
		if !bytes.Equal(m.x[:n], m.y[:n]) {
			return off, nil
		}
		off += n
		m.read(n)
	}
	return t.A.Bytes, nil
}

// sums are what an Error is made of.
type sums struct {
	squares   float64 // of the differences
	of        float64 // squares of A's numbers
	max       float64
	differing int64
	nonFinite int64
}

func (s *sums) add(p, q []float32) {
	for i, x := range p {
		y := q[i]
		if x-x == 0 && y-y == 0 {
			d := float64(y) - float64(x)
			s.squares += float64(d * d)
			s.of += float64(float64(x) * float64(x))
			if d != 0 {
				s.max = max(s.max, math.Abs(d))
				s.differing++
			}
			continue
		}
		if x != y && (x == x || y == y) {
			s.differing++
			s.nonFinite++
		}
	}
}

func (s *sums) error(elements int64) *Error {
	e := &Error{Max: s.max, Differing: s.differing, NonFinite: s.nonFinite}
	if n := float64(elements - s.nonFinite); n > 0 {
		e.RMS = math.Sqrt(s.squares / n)
	}
	switch {
	case s.of > 0:
		e.Relative = math.Sqrt(s.squares / s.of)
	case s.squares > 0:
		e.Relative = math.Inf(1)
	}
	return e
}
