package engine

import (
	"context"
	"time"

	kernels "straw"
	"straw/engine/arch"
)

// layer is one block of the model, ready to run.
type layer struct {
	steps     []step
	fromLayer bool // something in it wants what came into the layer
}

// step changes the residual stream once.
type step struct {
	values   *arch.Step
	branches []branch
	post     norm
	after    norm
	scale    []float32 // one number, or nil
	mixes    bool      // some branch does
}

// branch is one op with its norms.
type branch struct {
	values *arch.Branch
	norm   norm
	post   norm
	op     op
	same   bool // the norm is the one of the branch before
}

// newLayers joins what the architecture says with the weights.
func (s *machine) newLayers() error {
	s.layers = make([]layer, len(s.model.Layers))
	for i := range s.model.Layers {
		l, w := &s.layers[i], &s.weights.layers[i]
		for j := range s.model.Layers[i].Steps {
			v := &s.model.Layers[i].Steps[j]
			st := step{values: v, post: w.norm(v.Post), after: w.norm(v.After)}
			if v.Scale != "" {
				st.scale = w.vector(v.Scale, arch.Weight)
			}
			for k := range v.Branches {
				b := &v.Branches[k]
				op, err := s.newOp(b.Op, i)
				if err != nil {
					return err
				}
				same := k > 0 && b.Norm == v.Branches[k-1].Norm && b.FromLayer == v.Branches[k-1].FromLayer
				st.branches = append(st.branches, branch{b, w.norm(b.Norm), w.norm(b.Post), op, same})
				st.mixes = st.mixes || op.mixes()
				l.fromLayer = l.fromLayer || b.FromLayer
				if m, ok := b.Op.(*arch.MoE); ok {
					l.fromLayer = l.fromLayer || m.RouteLayer
				}
			}
			l.steps = append(l.steps, st)
		}
	}
	return nil
}

// pass runs some columns, one a token, through the layers, layer after layer: each weight is read once a pass. What is
// done to a column depends on that column and its timeline alone, so neither the number of columns nor the company of
// other timelines changes a result.
type pass struct {
	s      *machine
	tokens int64
	work   []attendScratch // one a worker

	lanes  []lane
	laneOf []int // by column, if there are several lanes
	n      int   // columns of the pass
	end    int   // a bound of the columns' positions
	rows   bool  // of the residual stream are wanted, not logits
	first  int   // columns before it are no longer computed: their logits are not wanted

	// Activations, each with one row [embd] a column.
	x        []float32 // the residual stream
	h        []float32 // x normalized
	out      []float32 // a branch's result
	sum      []float32 // of a step's branches
	entry    []float32 // x as it came into the layer, if the layer wants it
	origin   []float32 // x as it came into the model, if some op wants it
	own      floats    // memory of x to entry
	arena    arena     // of the op that runs
	most     int       // floats of the arena that a column takes, about
	perLayer perLayer
	streams  streams

	// The steps between the products, bound once so that a pass makes no garbage, and what they work on.
	normStep, postStep, sumStep, endStep, finishStep func(worker, i int)
	step                                             *step
	branch                                           *branch
	product                                          struct {
		dst    []float32
		stride int
		l      linear
		low    int // floats of low for a column
	}
	columns int       // that are loaded
	low     []float32 // [columns, ranks of the adapters]
}

func (p *pass) init(s *machine) {
	p.s = s
	p.work = make([]attendScratch, s.backend.Workers())
	p.perLayer = s.newPerLayer()
	p.streams.count = s.model.Input.Streams
	p.normStep, p.postStep, p.sumStep, p.endStep, p.finishStep = p.norm, p.post, p.sumUp, p.normEnd, p.finish
	for i := range s.layers {
		for _, st := range s.layers[i].steps {
			for _, b := range st.branches {
				p.most = max(p.most, b.op.floats())
			}
		}
	}
	column := 4 * int64(5*s.model.Embd+p.most)
	if !s.model.Whole {
		s.batch = int(max(1, min(int64(s.batch), maxActivations/column)))
	}
}

// maxActivations is the memory in bytes that the activations of a pass may take, unless one column takes more: wide
// models have smaller batches.
const maxActivations = 512 << 20

// reserve makes room for n columns.
func (p *pass) reserve(n int) {
	size := n * p.s.model.Embd
	if len(p.x) >= size {
		return
	}
	p.own.free()
	p.own = newFloats(5 * size)
	for i, x := range [...]*[]float32{&p.x, &p.h, &p.out, &p.sum, &p.entry} {
		*x = p.own.x[i*size:][:size:size]
	}
	p.arena.reset()
	p.arena.grow(n * p.most)
}

// free gives the memory back. The pass must be over.
func (p *pass) free() {
	p.own.free()
	p.arena.free()
}

// run evaluates the lanes' ids at the ends of their timelines, and makes rows for the last wanted of each, lane after
// lane: logits [wanted, vocab], or the normalized residual stream [wanted, embd].
func (p *pass) run(ctx context.Context, lanes []lane, rows []float32) (err error) {
	s := p.s
	defer s.weights.mapped.leave(s.weights.mapped.enter(), &err)
	p.begin(lanes)
	n, wanted, first := p.n, 0, p.n-1 // one column is run for nothing: the weights come in any case
	for i := range p.lanes {
		l := &p.lanes[i]
		if wanted == 0 && l.wanted > 0 {
			first = l.to - l.wanted
		}
		wanted += l.wanted
	}
	s.weights.begin(wanted > 0 && !p.rows)
	if err := p.input(); err != nil {
		return err
	}
	if err := p.perLayer.make(ctx, p, p.x[:n*s.model.Embd]); err != nil {
		return err
	}
	if err := p.streams.split(ctx, p); err != nil {
		return err
	}
	if s.keepInput {
		p.origin = append(p.origin[:0], p.x[:n*s.model.Embd]...)
	}
	base := s.model.Encoder.Layers
	if err := p.through(ctx, s.layers[base:], base, first); err != nil {
		return err
	}
	if err := p.streams.merge(ctx, p); err != nil {
		return err
	}
	if wanted > 0 {
		clock := p.start()
		if err := p.output(ctx, wanted, rows); err != nil {
			return err
		}
		clock.stop(&s.stats[len(s.layers)])
	}
	p.tokens += int64(n)
	return nil
}

// input makes the residual stream of the columns' tokens.
func (p *pass) input() error {
	s, in := p.s, &p.s.model.Input
	embd := s.model.Embd
	g := &s.weights.global
	for c := range p.n {
		l := p.lane(c)
		id := l.ids[c-l.from]
		x := p.x[c*embd:][:embd]
		if err := s.weights.lookup(x, g.matrices[arch.TokenEmbd], id); err != nil {
			return err
		}
		scale(x, in.Scale)
		if in.Types > 0 {
			if err := p.addRow(x, arch.TokenTypes, 0); err != nil {
				return err
			}
		}
		if in.Positions > 0 {
			if err := p.addRow(x, arch.PositionEmbd, l.at(c)); err != nil {
				return err
			}
		}
		if in.Norm.Kind != arch.NoNorm {
			n := g.norm(in.Norm)
			n.apply(x, x)
		}
	}
	return nil
}

// addRow adds a row of a table to x.
func (p *pass) addRow(x []float32, r arch.Role, row int) error {
	p.arena.reset()
	v := p.arena.take(len(x))
	if err := p.s.weights.lookup(v, p.s.weights.global.matrices[r], row); err != nil {
		return err
	}
	addTo(x, v)
	return nil
}

// through runs the columns through layers, the first of which is the model's layer base, and of the last layer only what
// the columns from first on need: once no column looks at another any more, those before it are left behind.
func (p *pass) through(ctx context.Context, layers []layer, base, first int) error {
	last := lastMixing(layers)
	if last == nil {
		p.first = first
	}
	for i := range layers {
		if err := ctx.Err(); err != nil {
			return err
		}
		clock := p.start()
		l := &layers[i]
		if l.fromLayer {
			copy(p.entry, p.x[:p.n*p.s.model.Embd])
		}
		for j := range l.steps {
			p.step = &l.steps[j]
			if p.step == last {
				p.first = first
			}
			if err := p.runStep(ctx); err != nil {
				return err
			}
		}
		clock.stop(&p.s.stats[base+i])
	}
	return ctx.Err()
}

// lastMixing is the last step in which columns look at each other.
func lastMixing(layers []layer) *step {
	for i := len(layers) - 1; i >= 0; i-- {
		for j := len(layers[i].steps) - 1; j >= 0; j-- {
			if st := &layers[i].steps[j]; st.mixes {
				return st
			}
		}
	}
	return nil
}

// runStep is x = after(keep*x + post(sum of the branches)).
func (p *pass) runStep(ctx context.Context) error {
	st := p.step
	embd := p.s.model.Embd
	for k := range st.branches {
		b := &st.branches[k]
		p.branch = b
		if !b.same {
			p.s.each(p.n, p.normStep)
		}
		p.arena.reset()
		out := p.out
		if k == 0 {
			out = p.sum
		}
		if err := b.op.run(ctx, p, p.h[:p.n*embd], out[:p.n*embd]); err != nil {
			return err
		}
		p.branch = b
		p.s.each(p.n-p.first, p.postStep)
	}
	p.s.each(p.n-p.first, p.sumStep)
	return nil
}

// norm normalizes a column for a branch. Columns that are not wanted are needed where columns mix.
func (p *pass) norm(_, c int) {
	if c < p.first && !p.step.mixes {
		return
	}
	embd := p.s.model.Embd
	x := p.x
	if p.branch.values.FromLayer {
		x = p.entry
	}
	p.branch.norm.apply(p.h[c*embd:][:embd], x[c*embd:][:embd])
}

// post finishes a column of a branch's result, and adds it to the step's sum.
func (p *pass) post(_, c int) {
	c += p.first
	embd := p.s.model.Embd
	b := p.branch
	sum := p.sum[c*embd:][:embd]
	out := sum
	if b != &p.step.branches[0] {
		out = p.out[c*embd:][:embd]
	}
	if b.post.Kind != arch.NoNorm {
		b.post.apply(out, out)
	}
	scale(out, b.values.Scale)
	if b != &p.step.branches[0] {
		addTo(sum, out)
	}
}

// sumUp adds the branches' sum to the residual stream.
func (p *pass) sumUp(_, c int) {
	c += p.first
	embd := p.s.model.Embd
	st := p.step
	x := p.x[c*embd:][:embd]
	if st.values.KeepNorm {
		st.branches[0].norm.apply(x, x)
	}
	sum := p.sum[c*embd:][:embd]
	if st.post.Kind != arch.NoNorm {
		st.post.apply(sum, sum)
	}
	if st.values.Replace {
		copy(x, sum)
	} else {
		scale(x, st.values.Keep)
		addTo(x, sum)
	}
	if st.after.Kind != arch.NoNorm {
		st.after.apply(x, x)
	}
	if st.scale != nil {
		multiply(x, st.scale[0])
	}
}

// output makes the rows that the caller gets.
func (p *pass) output(ctx context.Context, wanted int, rows []float32) error {
	s, o := p.s, &p.s.model.Output
	embd := s.model.Embd
	s.each(p.n-p.first, p.endStep)
	h := p.gather(wanted)
	if p.rows {
		copy(rows, h)
		return nil
	}
	p.load(h, embd)
	if err := p.apply(ctx, rows, s.model.Vocab, s.weights.output); err != nil {
		return err
	}
	for rows := rows; len(rows) > 0; rows = rows[s.model.Vocab:] {
		row := rows[:s.model.Vocab]
		scale(row, o.Scale)
		if o.Softcap != 0 {
			softcap(row, o.Softcap)
		}
	}
	return nil
}

// gather is the wanted columns of h, lane after lane.
func (p *pass) gather(wanted int) []float32 {
	embd := p.s.model.Embd
	if p.n-p.first == wanted {
		return p.h[p.first*embd : p.n*embd]
	}
	at := 0
	for i := range p.lanes {
		l := &p.lanes[i]
		at += copy(p.h[at:], p.h[(l.to-l.wanted)*embd:l.to*embd])
	}
	return p.h[:at]
}

// normEnd normalizes for the output matrix.
func (p *pass) normEnd(_, c int) {
	c += p.first
	embd := p.s.model.Embd
	p.s.outputNorm.apply(p.h[c*embd:][:embd], p.x[c*embd:][:embd])
}

// load sets the columns that mul and apply multiply with.
func (p *pass) load(x []float32, k int) {
	p.columns = len(x) / k
	p.s.backend.Load(x, k)
}

// mul multiplies m with the loaded columns: row r and column c at dst[c*stride+r], without m's scale.
func (p *pass) mul(ctx context.Context, dst []float32, stride int, m *matrix) error {
	lo := 0
	if m.kept != nil {
		m.kept.Mul(dst, stride, m.first, m.keptRows)
		lo = m.keptRows
	}
	for lo < m.rows {
		packed, hi, err := p.s.weights.rows(ctx, m, lo)
		if err != nil {
			return err
		}
		p.s.backend.Mul(dst[lo:], stride, m.typ, packed)
		lo = hi
	}
	return nil
}

// apply is mul with l's scale, adapters and bias. dst ends with the last column's row.
func (p *pass) apply(ctx context.Context, dst []float32, stride int, l linear) error {
	if err := p.mul(ctx, dst, stride, l.matrix); err != nil {
		return err
	}
	if len(l.low) > 0 {
		if err := p.lowRanks(ctx, l); err != nil {
			return err
		}
	}
	if l.scale != 1 || l.low != nil || l.bias != nil {
		p.product.dst, p.product.stride, p.product.l = dst, stride, l
		p.s.each(p.columns, p.finishStep)
	}
	return nil
}

// finish turns the products of packed rows into a linear layer's result.
func (p *pass) finish(_, c int) {
	row := p.product.dst[c*p.product.stride:][:p.product.l.rows]
	if s := p.product.l.scale; s != 1 {
		multiply(row, s)
	}
	p.adapt(row, c, p.product.l.low)
	if b := p.product.l.bias; b != nil {
		addTo(row, b)
	}
}

// each calls f for n items, at once when there are several.
func (s *machine) each(n int, f func(worker, i int)) {
	if n == 1 {
		f(0, 0)
		return
	}
	s.backend.Each(n, f)
}

// scale multiplies x by f; 0 stands for 1.
func scale(x []float32, f float32) {
	if f != 0 && f != 1 {
		multiply(x, f)
	}
}

func multiply(x []float32, f float32) { kernels.Scale(x, f) }

func addTo(x, y []float32) { kernels.Add(x, y[:len(x)]) }

// softcap bends x so that it stays between -top and top.
func softcap(x []float32, top float32) {
	for i, v := range x {
		x[i] = top * kernels.Tanh(v/top)
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
