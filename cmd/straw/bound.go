package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"straw/engine/arch"
	"straw/internal/pages"
)

// layerBytes is the bytes of weights that a token needs of each layer, and last of the output: matrices as a whole, of
// experts those that it is sent to, of tables nothing worth counting.
func (m *model) layerBytes() []int64 {
	n := make([]int64, len(m.Arch.Layers)+1)
	output := false
	for _, t := range m.Arch.Tensors() {
		i := t.Layer
		if i < 0 {
			i = len(n) - 1
		}
		switch {
		case !t.Present:
		case t.Use == arch.Expert:
			used, of := m.experts(t.Layer)
			n[i] += t.Bytes * int64(used) / int64(of)
		case t.Use == arch.Matrix, t.Use == arch.Values:
			n[i] += t.Bytes
		}
		output = output || t.Present && t.Role == arch.OutputMatrix
	}
	if !output && !m.Arch.Output.None { // the embedding table is the output matrix too
		for _, t := range m.Arch.Tensors() {
			if t.Role == arch.TokenEmbd && t.Part == arch.Weight {
				n[len(n)-1] += t.Bytes
			}
		}
	}
	return n
}

// experts is how many of a layer's experts a token is sent to.
func (m *model) experts(layer int) (used, of int) {
	for _, s := range m.Arch.Layers[layer].Steps {
		for _, b := range s.Branches {
			if moe, ok := b.Op.(*arch.MoE); ok {
				return moe.Used, moe.Experts
			}
		}
	}
	return 1, 1
}

// weightBytes is the bytes of weights that a token needs.
func (m *model) weightBytes() (n int64) {
	for _, b := range m.layerBytes() {
		n += b
	}
	return n
}

// boundTPS is the tokens a second that reading at so many bytes a second allows: of all weights, or, where they are
// streamed, of what a token reads, unless computing takes longer.
func (m *model) boundTPS(r *figures, speed float64) float64 {
	if !m.streams() {
		return speed / float64(max(m.weightBytes(), 1))
	}
	compute := 0.0
	for _, l := range r.Layers {
		compute += l.Compute / 1000
	}
	if t := max(compute, float64(r.Read)/speed); t > 0 {
		return 1 / t
	}
	return 0
}

// expertFigures is how experts came into the passes.
type expertFigures struct {
	HitRate float64 `json:"hit_rate"` // of those a pass needed, the part that was in memory
	Kept    int64   `json:"kept_bytes"`
}

func expertsOf(m *model) *expertFigures {
	x := m.Stats().Experts
	if x.Hits+x.Misses == 0 {
		return nil
	}
	return &expertFigures{places(float64(x.Hits)/float64(x.Hits+x.Misses), 4), x.KeptBytes}
}

// readFrom says what is to be said of the bytes that a token reads.
func readFrom(r *figures) string {
	if r.ReadSpeed == 0 {
		return "from the file"
	}
	s := fmt.Sprintf("from the file, whose reader alone brings %s/s", size(int64(r.ReadSpeed)))
	if x := r.Experts; x != nil {
		s += fmt.Sprintf("; %.0f %% of the experts were in memory", 100*x.HitRate)
	}
	return s
}

// boundBy is what most of a token's time went to: waiting for weights from the file, reading them from memory, or neither.
func boundBy(r *figures, m *model) string {
	var wait, all float64
	for _, l := range r.Layers {
		wait += l.Wait
		all += l.Wait + l.Compute
	}
	reading := 0.0 // of memory; a prompt's tokens share it
	if !m.streams() && r.BoundTPS > 0 {
		reading = 1000 / r.BoundTPS
		if r.TGN == 0 {
			reading /= float64(r.PPN)
		}
	}
	switch {
	case wait > all/2:
		return "disk"
	case reading > all/2:
		return "memory"
	}
	return "compute"
}

// The probe reads this much a thread: more than the caches hold, little enough to take no time.
const probeBytes = 64 << 20

// streams tells whether weights are read in every pass.
func (m *model) streams() bool { return m.Stats().RingBytes > 0 }

// streamProbe is how long the readers of a stream are measured.
const streamProbe = 3 * time.Second

// readingSpeed is bytes a second that all threads together read of memory, the best of a few rounds; where weights are
// streamed, what their readers bring in when nothing is computed.
func (m *model) readingSpeed(ctx context.Context) (float64, error) {
	if m.streams() {
		return m.ReadSpeed(ctx, streamProbe)
	}
	return memorySpeed(ctx, m.threads)
}

// memorySpeed is bytes a second that threads together read of memory as the weights lie in it, the best of a few rounds.
func memorySpeed(ctx context.Context, threads int) (float64, error) {
	memory, err := pages.New(int64(threads) * probeBytes)
	if err != nil {
		return 0, err
	}
	defer memory.Free()
	data := memory.Bytes()
	for i := 0; i < len(data); i += 64 { // pages that nobody has written are all one
		data[i] = byte(i >> 12)
	}
	best := 0.0
	sums := make([]uint64, threads) // keeps the reading from being optimised away
	for range 5 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		begin := time.Now()
		var wg sync.WaitGroup
		for i := range sums {
			wg.Go(func() { sums[i] += readAll(data[i*probeBytes:][:probeBytes]) })
		}
		wg.Wait()
		best = max(best, float64(len(data))/time.Since(begin).Seconds())
	}
	return best, nil
}

// readAll reads a word of each cache line of b, whose length is a multiple of four lines.
func readAll(b []byte) uint64 {
	var sum [4]uint64
	for ; len(b) >= 256; b = b[256:] {
		sum[0] ^= binary.NativeEndian.Uint64(b)
		sum[1] ^= binary.NativeEndian.Uint64(b[64:])
		sum[2] ^= binary.NativeEndian.Uint64(b[128:])
		sum[3] ^= binary.NativeEndian.Uint64(b[192:])
	}
	return sum[0] ^ sum[1] ^ sum[2] ^ sum[3]
}
