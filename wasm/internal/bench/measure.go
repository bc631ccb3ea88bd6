package bench

import (
	"context"

	"straw/gguf"
	"straw/internal/compare"
	"straw/quant"
	"straw/wasm/internal/worker"
	"straw/wasm/protocol"
)

func (b *Bench) measure(ctx context.Context, c *worker.Call) (worker.Reply, error) {
	p := c.Params.(*protocol.Measure)
	f, t, err := b.tensor(p.Name)
	if err != nil {
		return worker.Reply{}, err
	}
	o := compare.Sampling{Progress: inBytes(c, t)}
	if p.Sample != nil {
		o.Sample = *p.Sample
	}
	var m *compare.Measured
	if p.Source != nil {
		m, err = b.against(ctx, c, f, t, o)
	} else {
		m, err = rounded(ctx, p.Type, f, t, o)
	}
	if err != nil {
		return worker.Reply{}, err
	}
	return worker.Reply{Result: protocol.Measured{Elements: m.Elements, Sampled: m.Sampled, Bytes: m.Bytes, Error: *measuredError(m.Error)}}, nil
}

func rounded(ctx context.Context, name string, f *gguf.File, t *gguf.Tensor, o compare.Sampling) (*compare.Measured, error) {
	as, ok := quant.ParseType(name)
	if !ok {
		return nil, argument("type", quoted(name)+" is no type of a tensor")
	}
	return compare.Rounded(ctx, f, t, as, o)
}

func (b *Bench) against(ctx context.Context, c *worker.Call, f *gguf.File, t *gguf.Tensor, o compare.Sampling) (*compare.Measured, error) {
	other, err := b.open(ctx, *c.Params.(*protocol.Measure).Source, c.Objects, c.Progress("open", "bytes"))
	if other != nil {
		defer other.Close()
	}
	if err != nil {
		return nil, err
	}
	u, ok := other.Lookup(t.Name)
	if !ok {
		return nil, argument("source", "the other file has no tensor "+quoted(t.Name))
	}
	return compare.Against(ctx, f, t, other, u, o)
}

func measuredError(e compare.Error) *protocol.MeasuredError {
	return &protocol.MeasuredError{
		Relative: protocol.Real(e.Relative), RMS: protocol.Real(e.RMS), Max: protocol.Real(e.Max),
		Differing: e.Differing, NonFinite: e.NonFinite,
	}
}
