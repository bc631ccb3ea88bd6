package engine

import "time"

// Stats is what a session has cost so far, and those that it shares the weights with: only KVBytes is its own.
type Stats struct {
	BytesRead     int64 // of weights, from the source
	ResidentBytes int64 // weights in memory
	MappedBytes   int64 // weights in the memory of the source
	RingBytes     int64 // buffers of streamed weights
	KVBytes       int64 // keys, values and states; also those that a fork has too
	Tokens        int64
	Experts       ExpertStats
	Layers        []LayerStats // one a layer, then one for the output matrix and what belongs to no layer
}

// LayerStats is what one layer has cost.
type LayerStats struct {
	Compute time.Duration
	Wait    time.Duration // for weights
	Bytes   int64         // of weights read for it, what was in memory from the start aside
	Read    time.Duration // that readers spent on these, several at once and while others computed
}

// Stats is what the session has cost so far.
func (s *Session) Stats() Stats {
	t := Stats{
		BytesRead:     s.weights.bytesRead(),
		ResidentBytes: s.weights.resident,
		RingBytes:     s.weights.ringBytes(),
		MappedBytes:   s.weights.mapped.bytes,
		Tokens:        s.pass.tokens,
		Layers:        append([]LayerStats(nil), s.stats...),
	}
	for i := range t.Layers {
		n := &s.weights.tally[i]
		t.Layers[i].Bytes, t.Layers[i].Read = n.bytes.Load(), time.Duration(n.nanoseconds.Load())
	}
	if x := s.weights.experts; x != nil {
		t.Experts = x.stats
		t.Experts.KeptBytes = int64(len(x.kept.Bytes()))
	}
	t.KVBytes = s.KVBytes()
	return t
}

// stopwatch divides the time of a layer into computing and waiting.
type stopwatch struct {
	p      *pass
	begun  time.Time
	waited time.Duration
}

func (p *pass) start() stopwatch { return stopwatch{p, time.Now(), p.s.weights.waited()} }

func (w stopwatch) stop(to *LayerStats) {
	wait := w.p.s.weights.waited() - w.waited
	to.Wait += wait
	to.Compute += time.Since(w.begun) - wait
}
