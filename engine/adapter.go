package engine

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	kernels "straw"
	"straw/engine/arch"
	"straw/quant"
)

// Adapter is a LoRA file to be applied to a session's model: to the product of a matrix W that it changes it adds
// Scale * alpha / rank * B (A x), behind W's own scale and before the bias. Several are added in the order given.
type Adapter struct {
	Name   string // for messages
	Source WeightSource
	Scale  float32 // how strongly it is applied; 1 is as trained
}

// lowRank is what an adapter has for one matrix, or for each expert's rows of one tensor after the other's. It is in
// memory whatever the plan.
type lowRank struct {
	a     *matrix   // [rank, k] of each expert; of a table [rows, rank]
	b     []float32 // [rows, rank] of each expert; of a table [k, rank]
	rank  int
	scale float32
}

// part is l for some rows of its matrix. Rows of several experts cannot be parted: each has its own A.
func (l *lowRank) part(first, rows, all int) lowRank {
	p := *l
	if n := l.a.rows / l.rank; n > 1 {
		p.a = l.a.part(first/(all/n)*l.rank, l.rank)
	}
	p.b = l.b[first*l.rank:][:rows*l.rank]
	return p
}

// add adds the product of B and x [rank], scaled, to dst.
func (l *lowRank) add(dst, x []float32) {
	for r := range dst {
		dst[r] += float32(l.scale * kernels.Dot(l.b[r*l.rank:][:l.rank], x))
	}
}

// The last parts of the names of an adapter's tensors.
const (
	loraA = ".lora_a"
	loraB = ".lora_b"
)

// adapterReader reads one adapter for m.
type adapterReader struct {
	*Adapter
	m        *Model
	weights  *weights
	problems []string
}

// loadAdapters reads adapters: what each tensor of the model is changed by, in the order of the adapters.
func (w *weights) loadAdapters(ctx context.Context, m *Model, adapters []Adapter) (map[string][]lowRank, error) {
	changes := map[string][]lowRank{}
	for i := range adapters {
		r := adapterReader{Adapter: &adapters[i], m: m, weights: w}
		alpha, err := r.header()
		if err != nil {
			return nil, err
		}
		names, err := r.match()
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			l, err := r.pair(ctx, name)
			if err != nil {
				return nil, err
			}
			l.scale = r.Scale
			if alpha != 0 {
				l.scale = r.Scale * alpha / float32(l.rank)
			}
			changes[name] = append(changes[name], l)
		}
	}
	return changes, nil
}

func (r *adapterReader) problem(format string, args ...any) {
	r.problems = append(r.problems, r.about()+fmt.Sprintf(format, args...))
}

func (r *adapterReader) err() error {
	if r.problems == nil {
		return nil
	}
	return &FormatError{Problems: r.problems}
}

func (r *adapterReader) unsupported(field, reason string) error {
	return &UnsupportedError{Field: field, Reason: r.about() + reason}
}

func (r *adapterReader) about() string {
	if r.Name == "" {
		return "adapter: "
	}
	return "adapter " + r.Name + ": "
}

// header checks that the file is a LoRA adapter for the model's architecture, and returns its alpha, 0 if it has none.
func (r *adapterReader) header() (alpha float32, err error) {
	for _, want := range []struct{ key, value string }{
		{"general.type", "adapter"}, {"adapter.type", "lora"}, {"general.architecture", r.m.Name},
	} {
		v, err := r.Source.Get(want.key)
		if err != nil {
			return 0, err
		}
		switch s, ok := v.(string); {
		case !ok:
			r.problem("%s: missing, or not a string; must be %q", want.key, want.value)
		case s != want.value:
			r.problem("%s is %q, must be %q", want.key, s, want.value)
		}
	}
	v, err := r.Source.Get("adapter.lora.alpha")
	if err != nil {
		return 0, err
	}
	switch v := v.(type) {
	case nil:
	case float64:
		alpha = float32(v)
	case int64:
		alpha = float32(v)
	default:
		r.problem("adapter.lora.alpha: not a number")
	}
	const invocation = "adapter.alora.invocation_tokens"
	if v, err = r.Source.Get(invocation); err != nil {
		return 0, err
	}
	if v != nil && r.problems == nil {
		return 0, r.unsupported(invocation, "an activated LoRA, which begins at certain tokens, cannot be applied")
	}
	return alpha, r.err()
}

// match checks the adapter's tensors against the model's and returns the names of those that it changes, in its order.
func (r *adapterReader) match() (names []string, err error) {
	table := map[string]*Tensor{}
	for i := range r.m.tensors {
		if t := &r.m.tensors[i]; t.Present {
			table[t.Name] = t
		}
	}
	for name := range r.Source.TensorNames() {
		base, isA := strings.CutSuffix(name, loraA)
		if !isA {
			var isB bool
			if base, isB = strings.CutSuffix(name, loraB); !isB {
				return nil, r.unsupported(name, "only pairs "+loraA+" and "+loraB+" can be applied")
			}
		}
		if slices.Contains(names, base) {
			continue
		}
		names = append(names, base)
		t := table[base]
		_, a, haveA := r.Source.TensorInfo(base + loraA)
		_, b, haveB := r.Source.TensorInfo(base + loraB)
		switch {
		case !haveA:
			r.problem("%s has no partner %s", name, base+loraA)
		case !haveB:
			r.problem("%s has no partner %s", name, base+loraB)
		case t == nil:
			r.problem("%s: the model has no tensor %s", name, base)
		case !(t.Use == arch.Rows && t.Role == arch.TokenEmbd) && (t.Use == arch.Rows || t.Use == arch.Values):
			return nil, r.unsupported(base, "this tensor cannot be adapted: it is no matrix of a product")
		default:
			r.shapes(base, t, a, b)
		}
	}
	if len(names) == 0 {
		r.problem("it has no tensors")
	}
	return names, r.err()
}

// maxRank is far beyond every adapter's: it keeps sizes within 64 bits.
const maxRank = 1 << 20

// shapes checks dims, of the file, of the pair for t. A table's pair has A and B the other way round.
func (r *adapterReader) shapes(base string, t *Tensor, a, b []int64) {
	k, rows := t.Shape[len(t.Shape)-1], at(rowMajor(t.Shape), 1)
	rank := at(b, 0)
	if rank < 1 || rank > maxRank {
		r.problem("%s has rank %d", base+loraB, rank)
		return
	}
	wantA, wantB := []int64{rank, k}, []int64{rows, rank}
	if t.Use == arch.Rows {
		wantA, wantB = []int64{rows, rank}, []int64{k, rank}
	}
	if len(t.Shape) == 3 {
		wantA, wantB = append(t.Shape[:1:1], wantA...), append(t.Shape[:1:1], wantB...)
	}
	for _, c := range []struct {
		name       string
		dims, want []int64
	}{{base + loraA, a, wantA}, {base + loraB, b, wantB}} {
		if !fits(c.dims, c.want) {
			r.problem("%s is %s, must be %s for the model's %s of %s", c.name, shape(rowMajor(c.dims)), shape(c.want), base, shape(t.Shape))
			continue
		}
		typ, _, _ := r.Source.TensorInfo(c.name)
		if !typ.Live() || integer(typ) || c.dims[0]%int64(typ.BlockElems()) != 0 {
			r.problem("%s cannot be of type %s with rows of %d elements", c.name, typ, c.dims[0])
		}
	}
}

// pair reads the two tensors for the model's tensor base. A stays as it is packed, B is decoded.
func (r *adapterReader) pair(ctx context.Context, base string) (l lowRank, err error) {
	if l.a, err = r.matrix(ctx, base+loraA); err != nil {
		return l, err
	}
	b, err := r.matrix(ctx, base+loraB)
	if err != nil {
		return l, err
	}
	l.rank = b.k
	l.b = make([]float32, b.rows*b.k)
	quant.Dequantize(b.typ, l.b, b.data)
	r.weights.resident += int64(len(l.a.data)) + int64(len(l.b))*4
	return l, nil
}

// matrix reads a tensor that was checked.
func (r *adapterReader) matrix(ctx context.Context, name string) (*matrix, error) {
	typ, dims, _ := r.Source.TensorInfo(name)
	n := elements(dims)
	bytes := n / int64(typ.BlockElems()) * int64(typ.BlockBytes())
	if int64(int(4*n)) != 4*n {
		return nil, r.unsupported(name, "tensor is too large for the memory of this platform")
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// A file that is too short costs no memory.
	err := r.Source.ReadTensorAt(name, make([]byte, 1), bytes-1)
	data := []byte(nil)
	if err == nil {
		data = make([]byte, bytes)
		err = r.Source.ReadTensorAt(name, data, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("%sreading tensor %s: %w", r.about(), strconv.Quote(name), err)
	}
	r.weights.read += bytes
	k := int(dims[0])
	return &matrix{name: name, typ: typ, k: k, rows: int(n) / k, rowBytes: typ.Bytes(k), scale: 1, data: data}, nil
}

// lowRanks makes ready what l's adapters add: A x of each, side by side, for the loaded columns.
func (p *pass) lowRanks(ctx context.Context, l linear) error {
	width := 0
	for i := range l.low {
		width += l.low[i].rank
	}
	if n := p.columns * width; len(p.low) < n {
		p.low = make([]float32, n)
	}
	at := 0
	for i := range l.low {
		if err := p.mul(ctx, p.low[at:], width, l.low[i].a); err != nil {
			return err
		}
		at += l.low[i].rank
	}
	p.product.low = width
	return nil
}

// adapt adds to row, the result of column c, what the adapters have for it.
func (p *pass) adapt(row []float32, c int, low []lowRank) {
	x := p.low[c*p.product.low:]
	for i := range low {
		low[i].add(row, x[:low[i].rank])
		x = x[low[i].rank:]
	}
}
