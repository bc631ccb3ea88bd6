package engine

import (
	"context"
	"time"

	kernels "straw"
	"straw/engine/arch"
)

// layer is one block of the model, ready to run.
type layer struct {
	values   *arch.Layer
	attn     *arch.Attn
	ffn      *arch.Dense
	weights  *layerWeights
	rotation *rotation
	cache    kvCache
}

// pass runs some columns, one a token, through the layers, layer after layer: each weight is read once a pass. What is
// done to a column depends on that column and the cache alone, so the number of columns does not change a result.
type pass struct {
	s      *Session
	tokens int64
	work   []attendScratch // one a worker

	n     int // columns of the pass
	pos   int // position of column 0
	first int // columns before it are no longer computed: their logits are not wanted
	layer *layer

	// Widths of the activations: the widest layer's.
	qWidth, kWidth, vWidth, mixedWidth, hidden int

	// Activations, each with one row a column.
	x       []float32 // [embd] the residual stream
	h       []float32 // [embd] x normalized
	q, k, v []float32 // [heads, keyDim], [kvHeads, keyDim], [kvHeads, valueDim]
	mixed   []float32 // [heads, valueDim]
	gate    []float32 // [hidden]
	up      []float32 // [hidden]
	out     []float32 // [embd] what is added to x

	// The steps between the products, bound once so that a pass makes no garbage.
	normStep, qkvStep, attendStep, addStep, actStep, endStep func(worker, i int)
}

func (p *pass) init(s *Session) {
	p.s = s
	p.work = make([]attendScratch, s.backend.Workers())
	p.normStep, p.qkvStep, p.attendStep = p.norm, p.qkv, p.attend
	p.addStep, p.actStep, p.endStep = p.add, p.act, p.end
	for i := range s.layers {
		a := s.layers[i].attn
		p.qWidth, p.mixedWidth = max(p.qWidth, a.Heads*a.KeyDim), max(p.mixedWidth, a.Heads*a.ValueDim)
		p.kWidth, p.vWidth = max(p.kWidth, a.KVHeads*a.KeyDim), max(p.vWidth, a.KVHeads*a.ValueDim)
		p.hidden = max(p.hidden, s.layers[i].ffn.Hidden)
	}
	column := 4 * int64(3*s.model.Embd+p.qWidth+p.mixedWidth+p.kWidth+p.vWidth+2*p.hidden)
	s.batch = int(max(1, min(int64(s.batch), maxActivations/column)))
}

// maxActivations is the memory in bytes that the activations of a pass may take, unless one column takes more: wide
// models have smaller batches.
const maxActivations = 512 << 20

// reserve makes room for n columns.
func (p *pass) reserve(n int) {
	embd := p.s.model.Embd
	if len(p.x) >= n*embd {
		return
	}
	p.x, p.h, p.out = make([]float32, n*embd), make([]float32, n*embd), make([]float32, n*embd)
	p.q, p.mixed = make([]float32, n*p.qWidth), make([]float32, n*p.mixedWidth)
	p.k, p.v = make([]float32, n*p.kWidth), make([]float32, n*p.vWidth)
	p.gate, p.up = make([]float32, n*p.hidden), make([]float32, n*p.hidden)
}

// run evaluates ids at the end of the timeline, and the logits of the last wanted of them, logits [wanted, vocab].
func (p *pass) run(ctx context.Context, ids []int, wanted int, logits []float32) error {
	s := p.s
	n, embd := len(ids), s.model.Embd
	p.reserve(n)
	p.n, p.pos, p.first = n, s.n, 0
	s.weights.begin(wanted > 0)
	for c, id := range ids {
		if err := s.weights.embedding(p.x[c*embd:][:embd], id); err != nil {
			return err
		}
	}
	for i := range s.layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		clock := p.start()
		p.layer = &s.layers[i]
		if i == len(s.layers)-1 {
			p.first = n - max(wanted, 1) // one column is run for nothing: the weights come in any case
		}
		if err := p.runLayer(ctx); err != nil {
			return err
		}
		clock.stop(&s.stats[i])
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if wanted > 0 {
		clock := p.start()
		s.each(n-p.first, p.endStep)
		s.backend.Load(p.h[p.first*embd:n*embd], embd)
		if err := p.mul(ctx, logits, s.weights.output); err != nil {
			return err
		}
		for c := range wanted {
			finish(logits[c*s.model.Vocab:][:s.model.Vocab], s.weights.output.scale, s.weights.bias)
		}
		clock.stop(&s.stats[len(s.layers)])
	}
	p.tokens += int64(n)
	return nil
}

// each calls f for n items, at once when there are several.
func (s *Session) each(n int, f func(worker, i int)) {
	if n == 1 {
		f(0, 0)
		return
	}
	s.backend.Each(n, f)
}

// runLayer is x = x + attention(norm(x)); x = x + ffn(norm(x)) for all columns.
func (p *pass) runLayer(ctx context.Context) error {
	s, l := p.s, p.layer
	a, w := l.attn, &l.weights.matrix
	embd := s.model.Embd
	end := p.pos + p.n
	l.rotation.grow(end)
	l.cache.grow(end)

	s.each(p.n, p.normStep)
	s.backend.Load(p.h[:p.n*embd], embd)
	for _, m := range [...]struct {
		dst []float32
		m   *matrix
	}{{p.q, w[arch.AttnQ]}, {p.k, w[arch.AttnK]}, {p.v, w[arch.AttnV]}} {
		if err := p.mul(ctx, m.dst, m.m); err != nil {
			return err
		}
	}
	s.each(p.n, p.qkvStep)
	s.each((p.n-p.first)*a.KVHeads, p.attendStep)
	width := a.Heads * a.ValueDim
	s.backend.Load(p.mixed[p.first*width:p.n*width], width)
	if err := p.mul(ctx, p.out[p.first*embd:], w[arch.AttnOut]); err != nil {
		return err
	}

	s.each(p.n-p.first, p.addStep)
	s.backend.Load(p.h[p.first*embd:p.n*embd], embd)
	hidden := l.ffn.Hidden
	if err := p.mul(ctx, p.gate[p.first*hidden:], w[arch.FFNGate]); err != nil {
		return err
	}
	if err := p.mul(ctx, p.up[p.first*hidden:], w[arch.FFNUp]); err != nil {
		return err
	}
	s.each(p.n-p.first, p.actStep)
	s.backend.Load(p.gate[p.first*hidden:p.n*hidden], hidden)
	if err := p.mul(ctx, p.out[p.first*embd:], w[arch.FFNDown]); err != nil {
		return err
	}
	for c := p.first; c < p.n; c++ {
		out := p.out[c*embd:][:embd]
		finish(out, w[arch.FFNDown].scale, l.weights.bias[arch.FFNDown])
		addTo(p.x[c*embd:][:embd], out)
	}
	return nil
}

// mul multiplies m with the loaded columns: dst [columns, m.rows].
func (p *pass) mul(ctx context.Context, dst []float32, m *matrix) error {
	for lo := 0; lo < m.rows; {
		packed, hi, err := p.s.weights.rows(ctx, m, lo)
		if err != nil {
			return err
		}
		p.s.backend.Mul(dst[lo:], m.rows, m.typ, packed)
		lo = hi
	}
	return nil
}

// norm is the step before attention.
func (p *pass) norm(_, c int) {
	embd := p.s.model.Embd
	kernels.RMSNorm(p.h[c*embd:][:embd], p.x[c*embd:][:embd], p.layer.weights.weight[arch.AttnNorm], p.layer.values.Norm.Eps)
}

// qkv finishes a column's queries, keys and values and stores the latter two.
func (p *pass) qkv(_, c int) {
	l := p.layer
	a, w := l.attn, l.weights
	q := p.q[c*a.Heads*a.KeyDim:][:a.Heads*a.KeyDim]
	k := p.k[c*a.KVHeads*a.KeyDim:][:a.KVHeads*a.KeyDim]
	v := p.v[c*a.KVHeads*a.ValueDim:][:a.KVHeads*a.ValueDim]
	finish(q, w.matrix[arch.AttnQ].scale, w.bias[arch.AttnQ])
	finish(k, w.matrix[arch.AttnK].scale, w.bias[arch.AttnK])
	finish(v, w.matrix[arch.AttnV].scale, w.bias[arch.AttnV])
	if a.QKNorm == arch.PerHeadRMS {
		for x := q; len(x) > 0; x = x[a.KeyDim:] {
			kernels.RMSNorm(x[:a.KeyDim], x[:a.KeyDim], w.weight[arch.AttnQNorm], a.QKEps)
		}
		for x := k; len(x) > 0; x = x[a.KeyDim:] {
			kernels.RMSNorm(x[:a.KeyDim], x[:a.KeyDim], w.weight[arch.AttnKNorm], a.QKEps)
		}
	}
	l.rotation.apply(q, a.KeyDim, p.pos+c)
	l.rotation.apply(k, a.KeyDim, p.pos+c)
	l.cache.store(p.pos+c, k, v)
}

// attend is the attention of the queries of one column that share a key/value head.
func (p *pass) attend(worker, i int) {
	a := p.layer.attn
	c, h := p.first+i/a.KVHeads, i%a.KVHeads
	group := a.Heads / a.KVHeads
	q := p.q[(c*a.Heads+h*group)*a.KeyDim:][:group*a.KeyDim]
	dst := p.mixed[(c*a.Heads+h*group)*a.ValueDim:][:group*a.ValueDim]
	p.layer.cache.attend(dst, q, h, p.pos+c+1, a.Scale, &p.work[worker])
}

// add adds the attention's result to the residual stream and normalizes for the feed-forward network.
func (p *pass) add(_, c int) {
	c += p.first
	embd := p.s.model.Embd
	w := p.layer.weights
	x, out := p.x[c*embd:][:embd], p.out[c*embd:][:embd]
	finish(out, w.matrix[arch.AttnOut].scale, w.bias[arch.AttnOut])
	addTo(x, out)
	kernels.RMSNorm(p.h[c*embd:][:embd], x, w.weight[arch.FFNNorm], p.layer.values.FFNNorm.Eps)
}

// act is the gate's activation times up, in place of the gate.
func (p *pass) act(_, c int) {
	c += p.first
	hidden, w := p.layer.ffn.Hidden, p.layer.weights
	gate, up := p.gate[c*hidden:][:hidden], p.up[c*hidden:][:hidden]
	finish(gate, w.matrix[arch.FFNGate].scale, w.bias[arch.FFNGate])
	finish(up, w.matrix[arch.FFNUp].scale, w.bias[arch.FFNUp])
	for i, g := range gate {
		gate[i] = kernels.SiLU(g) * up[i]
	}
}

// end normalizes for the output matrix.
func (p *pass) end(_, c int) {
	c += p.first
	embd := p.s.model.Embd
	kernels.RMSNorm(p.h[c*embd:][:embd], p.x[c*embd:][:embd], p.s.weights.norm, p.s.model.Norm.Eps)
}

// finish turns the products of packed rows into a linear layer's result.
func finish(x []float32, scale float32, bias []float32) {
	if scale != 1 {
		for i := range x {
			x[i] *= scale
		}
	}
	if bias != nil {
		addTo(x, bias)
	}
}

func addTo(x, y []float32) {
	for i, v := range y[:len(x)] {
		x[i] += v
	}
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
