package engine

import (
	"context"
	"fmt"

	"straw/engine/arch"
)

// Options say how a session computes. None but KV and Adapters changes what it computes.
type Options struct {
	Threads    int                     // 0: one for each processor; not used with Backend
	Context    int                     // positions the session may hold; 0: the model's context length, at most 4096
	KV         KVType                  // how keys and values are kept; the zero value is KVF32
	Batch      int                     // positions computed at once; 0: 256, or 32 in a browser, where a pass must end soon
	Resident   bool                    // without a budget: keep all weights in memory; else they are streamed, pass after pass
	Budget     int64                   // bytes of memory that may be taken, Program's included; 0: no limit
	Timelines  int                     // with a budget: sessions with full contexts that it has room for, siblings and forks too; 0: one
	Kept       int64                   // with a budget: bytes of keys and values beside those, of forks that are kept for later
	Program    func() int64            // with a budget: bytes that the process has taken before, asked once; nil: none
	Mapped     bool                    // use weights where they lie, if the source is a MappedSource; the others as Resident says
	NoPrefetch bool                    // streamed weights are read when needed, not ahead
	Backend    Backend                 // what computes; nil: the CPU. The session closes it
	Progress   func(done, total int64) // bytes of resident weights read so far
	Adapters   []Adapter               // applied to the model; read by NewSession alone
}

const defaultContext = 4096

// Session is one timeline: tokens that were evaluated, their keys and values, and what it takes to evaluate more.
// Sessions made by Sibling and Fork share the weights and what computes; all of them together are for one goroutine at a
// time.
type Session struct {
	*machine
	timeline
	closed bool
}

// machine is what sessions over the same weights share.
type machine struct {
	model    *Model
	weights  *weights
	backend  Backend
	layers   []layer
	context  int
	batch    int
	kv       KVType
	pass     pass
	stats    []LayerStats
	sessions int       // that are not closed
	pending  []pending // requests of the call at hand
	lanes    []lane    // of the pass at hand

	rotations  map[arch.Rope]*rotation
	outputNorm norm
	keepInput  bool      // some op wants the embeddings
	shapes     []kvShape // of a timeline's caches, by slot
	sizes      []int     // of a timeline's states in floats, by slot
}

// NewSession is an empty session. ctx only ends the reading of resident weights; then the error is ctx's. A budget that is
// too small is a *plan.BudgetError, which says what memory is needed for. An adapter that
// does not fit the model is a *FormatError that names the tensors, one that asks for what is not there an
// *UnsupportedError.
func (m *Model) NewSession(ctx context.Context, o Options) (*Session, error) {
	if len(m.tensors) == 0 || len(m.Layers) == 0 {
		return nil, &FormatError{Problems: []string{"model has no tensor table"}}
	}
	l, err := m.layout(&o)
	if err != nil {
		return nil, err
	}
	return m.newSession(ctx, o, l)
}

func (m *Model) newSession(ctx context.Context, o Options, l *layout) (*Session, error) {
	s := &machine{
		model: m, context: m.sessionContext(&o), batch: l.batch, kv: o.KV,
		rotations: map[arch.Rope]*rotation{}, stats: make([]LayerStats, len(m.Layers)+1),
	}
	var err error
	if s.weights, err = loadWeights(ctx, m, l, &o); err != nil {
		return nil, err
	}
	if s.backend = o.Backend; s.backend == nil {
		s.backend = NewCPU(o.Threads)
	}
	s.outputNorm = s.weights.global.norm(m.Output.Norm)
	if err = s.newLayers(); err != nil {
		s.close()
		return nil, err
	}
	s.pass.init(s)
	return s.newSession(), nil
}

// newSession is an empty session.
func (s *machine) newSession() *Session {
	s.sessions++
	return &Session{machine: s, timeline: newTimeline(s.shapes, s.sizes)}
}

// Sibling is an empty session over the same weights, with the same options.
func (s *Session) Sibling() (*Session, error) {
	if s.closed {
		return nil, ErrClosed
	}
	return s.newSession(), nil
}

// Fork is a sibling with the same timeline. Keys and values are not copied: the two share them until one of them goes
// another way.
func (s *Session) Fork() (*Session, error) {
	f, err := s.Sibling()
	if err == nil {
		f.timeline = s.timeline.fork()
	}
	return f, err
}

// newCache makes every timeline have a cache for heads of keys and values, in the slot that is returned.
func (s *machine) newCache(heads, keyDim, valueDim int) (slot int, err error) {
	kv := s.kv
	if kv != KVF32 && kv != KVF16 && kv != KVQ8_0 {
		return 0, &UnsupportedError{Reason: "keys and values cannot be kept as " + kv.String() + "; known are F32, F16, Q8_0"}
	}
	if n := kv.BlockElems(); keyDim%n != 0 || valueDim%n != 0 {
		return 0, &UnsupportedError{Reason: fmt.Sprintf("keys and values cannot be kept as %s: heads of %d and %d elements are not whole blocks of %d", kv, keyDim, valueDim, n)}
	}
	s.shapes = append(s.shapes, kvShape{kv, heads, keyDim, valueDim})
	return len(s.shapes) - 1, nil
}

// newRotation is the rotation r; layers with the same have the same table. It is nil where nothing turns.
func (s *machine) newRotation(r *arch.Rope) *rotation {
	if r.Pairing == arch.NoRope {
		return nil
	}
	if s.rotations[*r] == nil {
		g := &s.weights.global
		var factors []float32
		switch {
		case r.Factors == arch.Freqs:
			factors = g.vector(arch.RopeFreqs, arch.Weight)
		case r.Factors == arch.LongShort && longRope(r, s.context):
			factors = g.vector(arch.RopeLong, arch.Weight)
		case r.Factors == arch.LongShort:
			factors = g.vector(arch.RopeShort, arch.Weight)
		}
		s.rotations[*r] = newRotation(r, factors)
	}
	return s.rotations[*r]
}

// longRope tells whether r turns by the factors of long contexts; contexts are whole 256s in the reference.
func longRope(r *arch.Rope, context int) bool { return (context+255)/256*256 > r.Yarn.OrigContext }

// Eval appends ids to the timeline and returns the logits after the last of them, or after each, one row [vocab] a
// position; of a model without logits, the rows [embd] that Embed would pool. The rows are the caller's. A model that
// sees all tokens at once evaluates them as one batch, whatever Options.Batch, and only on an empty timeline. On an
// error, a cancelled ctx among them, the timeline is as it was before, and the session can be used again.
func (s *Session) Eval(ctx context.Context, ids []int, all bool) ([][]float32, error) {
	return s.eval(ctx, ids, all, s.model.Output.None)
}

// eval is Eval, with rows of the residual stream in place of logits if hidden.
func (s *Session) eval(ctx context.Context, ids []int, all, hidden bool) ([][]float32, error) {
	count := min(1, len(ids))
	if all {
		count = len(ids)
	}
	rows := make([][][]float32, 1)
	if err := s.evalMany(ctx, []Request{{s, ids, count}}, rows, hidden); err != nil {
		return nil, err
	}
	return rows[0], nil
}

// advance runs the lanes' ids through the model in one pass.
func (s *machine) advance(ctx context.Context, lanes []lane, rows []float32) error {
	for i := range lanes {
		t := lanes[i].timeline
		t.ids = append(t.ids[:t.n], lanes[i].ids...)
		t.history.state = -1
	}
	if err := s.pass.run(ctx, lanes, rows); err != nil {
		return err
	}
	for i := range lanes {
		t := lanes[i].timeline
		t.n += len(lanes[i].ids)
		t.history.state = t.n
	}
	return nil
}

// check tells what keeps ids from being evaluated at the end of the timeline.
func (s *Session) check(ids []int) error {
	if s.closed {
		return ErrClosed
	}
	for _, id := range ids {
		if id < 0 || id >= s.model.Vocab {
			return fmt.Errorf("token %d is not one of the model's %d", id, s.model.Vocab)
		}
	}
	if len(ids) > s.context-s.n {
		return fmt.Errorf("%w: %d tokens do not fit beside %d of %d", ErrContext, len(ids), s.n, s.context)
	}
	if s.model.Input.Positions > 0 && len(ids) > s.model.Input.Positions-s.n {
		return fmt.Errorf("%w: the model knows %d positions", ErrContext, s.model.Input.Positions)
	}
	return nil
}

// Len is the number of tokens on the timeline.
func (s *Session) Len() int { return s.n }

// Batch is how many tokens one pass takes at most.
func (s *Session) Batch() int { return s.batch }

// IDs is the tokens on the timeline, valid until it changes.
func (s *Session) IDs() []int { return s.ids[:s.n:s.n] }

// Context is the number of tokens the timeline can hold.
func (s *Session) Context() int { return s.context }

// Truncate forgets all tokens from position n on. It panics if there are fewer. Keys and values of the others stay; the
// state of a recurrent layer cannot be cut, so the next Eval of such a model evaluates again what came after the last
// long piece of text, or all of it.
func (s *Session) Truncate(n int) {
	if n < 0 || n > s.n {
		panic("engine: Truncate beyond the timeline")
	}
	s.n = n
	s.history.cut(n)
}

// Backend is the name of what computes.
func (s *Session) Backend() string { return s.backend.Name() }

// KVBytes is the memory of the session's keys, values and states; also of those that a fork has too. Unlike Stats it may
// be called while others that share the weights are at work.
func (s *Session) KVBytes() int64 { return s.timeline.bytes() }

// Close gives up the timeline. The last of the sessions that share the weights also ends the goroutines and waits for a
// read at hand. It may be called twice.
func (s *Session) Close() error {
	if !s.closed {
		s.closed = true
		s.timeline = timeline{}
		if s.sessions--; s.sessions == 0 {
			s.machine.close()
		}
	}
	return nil
}

func (s *machine) close() {
	s.pass.free()
	s.weights.close()
	s.backend.Close()
}
