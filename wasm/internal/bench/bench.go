// Package bench answers what a page asks when it works on a file: statistics, sums, comparisons, and new files made of the open one. Everything is read
// and written a piece at a time.
package bench

import (
	"context"

	"straw/gguf"
	"straw/internal/compare"
	"straw/internal/digest"
	"straw/internal/stats"
	"straw/wasm/internal/look"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

// Bench works on a viewer's file.
type Bench struct {
	viewer *look.Viewer
	open   look.Opener
	create worker.Creator
}

// New makes a bench. open opens what the file is compared with.
func New(v *look.Viewer, open look.Opener, create worker.Creator) *Bench {
	return &Bench{viewer: v, open: open, create: create}
}

// Methods are what the bench answers, by name.
func (b *Bench) Methods() map[string]worker.Method {
	return map[string]worker.Method{
		"stats":   b.stats,
		"hash":    b.hash,
		"measure": b.measure,
		"compare": b.compare,
		"plan":    b.plan,
		"save":    b.save,
	}
}

func (b *Bench) stats(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Stats)
	f, t, err := b.tensor(p.Name)
	if err != nil {
		return worker.Reply{}, err
	}
	o := stats.Options{Progress: inBytes(c, t)}
	if p.Sample != nil {
		o.Sample = *p.Sample
	}
	if p.Bins != nil {
		o.Bins = int(min(*p.Bins, maxBins))
	}
	s, err := stats.Of(ctx, f, t, o)
	if err != nil {
		return worker.Reply{}, err
	}
	h := s.Histogram
	return worker.Reply{Result: protocol.Described{
		Elements: s.Elements, Sampled: s.Sampled,
		Min: protocol.Real(s.Min), Max: protocol.Real(s.Max), Mean: protocol.Real(s.Mean), Std: protocol.Real(s.Std),
		Zeros: s.Zeros, NaN: s.NaN, Inf: s.PosInf + s.NegInf,
		Histogram: protocol.Histogram{Low: protocol.Real(h.Low), Width: protocol.Real(h.Width), Counts: append([]int64{}, h.Counts...)},
	}}, nil
}

// tensor is the open file, and one of its tensors.
func (b *Bench) tensor(name string) (*gguf.File, *gguf.Tensor, error) {
	f, err := b.viewer.File()
	if err != nil {
		return nil, nil, err
	}
	t, ok := f.Lookup(name)
	if !ok {
		return nil, nil, argument("name", "the file has no tensor "+quoted(name))
	}
	return f, t, nil
}

// maxBins is more than anyone can see.
const maxBins = 4096

// inBytes reports elements of t as the bytes they take.
func inBytes(c *worker.Call, t *gguf.Tensor) func(done, total int64) {
	report := c.Progress("read", "bytes")
	each := float64(t.Bytes) / float64(max(t.Elements, 1))
	return func(done, total int64) {
		report(int64(float64(done)*each), int64(float64(total)*each))
	}
}

func (b *Bench) hash(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	f, err := b.viewer.File()
	if err != nil {
		return worker.Reply{}, err
	}
	s, err := digest.Of(ctx, f, digest.Options{Progress: c.Progress("read", "bytes")})
	if err != nil {
		return worker.Reply{}, err
	}
	return worker.Reply{Result: protocol.Sums{Files: sums(s.Files), Tensors: sums(s.Tensors), All: s.All, UUID: s.UUID}}, nil
}

func sums(from []digest.Sum) []protocol.Sum {
	to := make([]protocol.Sum, len(from))
	for i, s := range from {
		to[i] = protocol.Sum{Name: protocol.Piece(s.Name), Bytes: s.Bytes, SHA256: s.SHA256}
	}
	return to
}

func (b *Bench) compare(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Compare)
	f, err := b.viewer.File()
	if err != nil {
		return worker.Reply{}, err
	}
	other, err := b.open(ctx, p.Source, c.Objects, c.Progress("open", "bytes"))
	if other != nil {
		defer other.Close()
	}
	if err != nil {
		return worker.Reply{}, err
	}
	report, err := compare.Files(ctx, f, other, compare.Options{
		NoTensors: p.Values != nil && !*p.Values,
		Progress:  c.Progress("read", "bytes"),
	})
	if err != nil {
		return worker.Reply{}, err
	}
	d, err := differences(report)
	return worker.Reply{Result: d}, err
}
