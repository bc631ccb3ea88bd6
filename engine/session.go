package engine

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"straw/engine/arch"
)

// Options say how a session computes. None but KV changes what it computes.
type Options struct {
	Threads    int                     // 0: one for each processor; not used with Backend
	Context    int                     // positions the session may hold; 0: the model's context length, at most 4096
	KV         KVType                  // how keys and values are kept; the zero value is KVF32
	Batch      int                     // positions computed at once; 0: 256, or 32 in a browser, where a pass must end soon
	Resident   bool                    // keep all weights in memory; else they are streamed, pass after pass
	NoPrefetch bool                    // streamed weights are read when needed, not ahead
	Backend    Backend                 // what computes; nil: the CPU. The session closes it
	Progress   func(done, total int64) // bytes of resident weights read so far
}

const (
	defaultContext = 4096
	streamChunk    = 4 << 20 // bytes: long enough for a disk, and few for memory
	streamDepth    = 4       // buffers: one in use, one being read, two to even out
)

// Session is one timeline: tokens that were evaluated, their keys and values, and what it takes to evaluate more. It is
// for one goroutine at a time.
type Session struct {
	model   *Model
	weights *weights
	backend Backend
	layers  []layer
	context int
	batch   int
	n       int // tokens evaluated
	closed  bool
	pass    pass
	stats   []LayerStats
}

// Stats is what a session has cost so far.
type Stats struct {
	BytesRead     int64 // of weights, from the source
	ResidentBytes int64 // weights in memory
	RingBytes     int64 // buffers of streamed weights
	KVBytes       int64 // keys and values
	Tokens        int64
	Layers        []LayerStats // one a layer, then one for the output matrix
}

// LayerStats is the time one layer has cost.
type LayerStats struct {
	Compute time.Duration
	Wait    time.Duration // for weights
}

// NewSession is an empty session. ctx only ends the reading of resident weights; then the error is ctx's.
func (m *Model) NewSession(ctx context.Context, o Options) (*Session, error) {
	return m.newSession(ctx, o, keepNone, ringSize{streamChunk, streamDepth})
}

func (m *Model) newSession(ctx context.Context, o Options, keep plan, ring ringSize) (*Session, error) {
	if len(m.tensors) == 0 || len(m.Layers) == 0 {
		return nil, &FormatError{Problems: []string{"model has no tensor table"}}
	}
	if o.Resident {
		keep = keepAll
	}
	if o.NoPrefetch {
		ring.depth = 1
	}
	s := &Session{model: m, context: o.Context, batch: o.Batch, stats: make([]LayerStats, len(m.Layers)+1)}
	if s.context <= 0 {
		s.context = min(m.Context, defaultContext)
	}
	if s.batch <= 0 {
		s.batch = 256
		if runtime.GOOS == "js" {
			s.batch = 32
		}
	}
	var err error
	if s.weights, err = loadWeights(ctx, m, keep, ring, o.Progress); err != nil {
		return nil, err
	}
	if s.layers, err = newLayers(m, s.weights, o.KV); err != nil {
		s.weights.close()
		return nil, err
	}
	if s.backend = o.Backend; s.backend == nil {
		s.backend = NewCPU(o.Threads)
	}
	s.pass.init(s)
	return s, nil
}

// newLayers joins what the architecture says with the weights.
func newLayers(m *Model, w *weights, kv KVType) ([]layer, error) {
	rotations := map[arch.Rope]*rotation{}
	layers := make([]layer, len(m.Layers))
	for i := range m.Layers {
		v := &m.Layers[i]
		a, ok := v.Mixer.(*arch.Attn)
		f, dense := v.FFN.(*arch.Dense)
		if !ok || !dense {
			return nil, &UnsupportedError{Field: arch.LayerPrefix(i), Reason: "kind of layer cannot be run"}
		}
		if kv != KVF32 && kv != KVF16 && kv != KVQ8_0 {
			return nil, &UnsupportedError{Reason: "keys and values cannot be kept as " + kv.String() + "; known are F32, F16, Q8_0"}
		}
		if n := kv.BlockElems(); a.KeyDim%n != 0 || a.ValueDim%n != 0 {
			return nil, &UnsupportedError{Reason: fmt.Sprintf("keys and values cannot be kept as %s: heads of %d and %d elements are not whole blocks of %d", kv, a.KeyDim, a.ValueDim, n)}
		}
		if rotations[a.Rope] == nil {
			var factors []float32
			if a.Rope.Factors {
				factors = w.factors
			}
			rotations[a.Rope] = newRotation(&a.Rope, factors)
		}
		layers[i] = layer{
			values: v, attn: a, ffn: f, weights: &w.layers[i], rotation: rotations[a.Rope],
			cache: kvCache{typ: kv, heads: a.KVHeads, keyDim: a.KeyDim, valueDim: a.ValueDim},
		}
	}
	return layers, nil
}

// Eval appends ids to the timeline and returns the logits after the last of them, or after each, one row [vocab] a
// position. The rows are the caller's. On an error, a cancelled ctx among them, the timeline is as it was before, and
// the session can be used again.
func (s *Session) Eval(ctx context.Context, ids []int, all bool) ([][]float32, error) {
	if s.closed {
		return nil, ErrClosed
	}
	if len(ids) == 0 {
		return nil, nil
	}
	for _, id := range ids {
		if id < 0 || id >= s.model.Vocab {
			return nil, fmt.Errorf("token %d is not one of the model's %d", id, s.model.Vocab)
		}
	}
	if len(ids) > s.context-s.n {
		return nil, fmt.Errorf("%w: %d tokens do not fit beside %d of %d", ErrContext, len(ids), s.n, s.context)
	}
	rows := 1
	if all {
		rows = len(ids)
	}
	logits := make([]float32, rows*s.model.Vocab)
	begun := s.n
	for done := 0; done < len(ids); {
		part := ids[done:min(done+s.batch, len(ids))]
		wanted, to := 0, 0
		switch {
		case all:
			wanted, to = len(part), done
		case done+len(part) == len(ids):
			wanted = 1
		}
		if err := s.pass.run(ctx, part, wanted, logits[to*s.model.Vocab:][:wanted*s.model.Vocab]); err != nil {
			s.n = begun
			return nil, err
		}
		s.n += len(part)
		done += len(part)
	}
	table := make([][]float32, rows)
	for i := range table {
		table[i] = logits[i*s.model.Vocab:][:s.model.Vocab]
	}
	return table, nil
}

// Len is the number of tokens on the timeline.
func (s *Session) Len() int { return s.n }

// Context is the number of tokens the timeline can hold.
func (s *Session) Context() int { return s.context }

// Truncate forgets all tokens from position n on. It panics if there are fewer.
func (s *Session) Truncate(n int) {
	if n < 0 || n > s.n {
		panic("engine: Truncate beyond the timeline")
	}
	s.n = n
}

// Backend is the name of what computes.
func (s *Session) Backend() string { return s.backend.Name() }

// Stats is what the session has cost so far.
func (s *Session) Stats() Stats {
	t := Stats{
		BytesRead:     s.weights.bytesRead(),
		ResidentBytes: s.weights.resident,
		Tokens:        s.pass.tokens,
		Layers:        append([]LayerStats(nil), s.stats...),
	}
	if s.weights.stream != nil {
		t.RingBytes = s.weights.stream.bytes()
	}
	for i := range s.layers {
		t.KVBytes += s.layers[i].cache.bytes()
	}
	return t
}

// Close ends the session's goroutines and waits for a read at hand. It may be called twice.
func (s *Session) Close() error {
	if !s.closed {
		s.closed = true
		s.weights.close()
		s.backend.Close()
	}
	return nil
}
