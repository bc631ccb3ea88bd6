package engine

import (
	"context"

	kernels "straw"
	"straw/engine/arch"
)

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
