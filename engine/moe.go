package engine

import (
	"context"
	"math"
	"slices"

	kernels "straw"
	"straw/engine/arch"
)

// moe is the op of arch.MoE: each column goes through the experts that its router chooses.
type moe struct {
	*arch.MoE
	router         linear
	selectBias     []float32
	routeNorm      norm
	gate, up, down experts
	networks       networks // the same, by expert
	unit           unit
	chunks         *moe
	divide         int    // chosen experts are divided by it: they are groups
	latentDown     linear // before and after the experts, if they work in a narrower space
	latentUp       linear
	dim            int // elements of what experts see and give
	shared         *dense
	sharedGate     []float32 // [embd], or nil

	p             *pass
	h, out        []float32
	logits        []float32 // [n, Experts]
	chosen        []int     // [n, Used]: experts of each column, the best first
	weights       []float32 // [n, Used]
	results       []float32 // [n, Used, dim]
	column        []int     // those that go to the expert at hand: indices into chosen
	starts        []int     // [Experts + 1]: where each expert's part of order begins
	order         []int     // indices into chosen, by expert
	hidden, inner []float32
	extra         []float32 // [n, embd] of the shared or the smaller experts
	width         int

	routeStep, actStep, sumStep, gateStep, chunkStep func(worker, i int)
	uses                                             func(e int) int
}

// experts is one matrix of each expert.
type experts struct {
	of    []*matrix
	bias  []float32 // [experts, rows], or nil
	scale []float32 // [experts], or nil
}

// matrices is the experts' matrices of a role: parts of one tensor, or a tensor each. They are nil if the file has none.
func newExperts(w *layerWeights, r, split arch.Role, n int) experts {
	e := experts{bias: w.vector(r, arch.Bias), scale: w.vector(r, arch.Scale)}
	if all := w.matrices[r]; all != nil {
		for i := range n {
			part := all.part(i*(all.rows/n), all.rows/n)
			if len(e.scale) == n {
				part.scale = e.scale[i]
			}
			e.of = append(e.of, part)
		}
		return e
	}
	for i := range n {
		if m := w.matrices[arch.SplitRole(split, i)]; m != nil {
			e.of = append(e.of, m)
		}
	}
	return e
}

// linear is expert i's matrix with its bias.
func (e *experts) linear(i int) linear {
	l := linear{matrix: e.of[i]}
	if e.bias != nil {
		l.bias = e.bias[i*l.rows:][:l.rows]
	}
	return l
}

func newMoE(v *arch.MoE, w *layerWeights) *moe {
	m := &moe{
		MoE:    v,
		divide: 1,
		router: w.linear("ffn_gate_inp"), selectBias: w.vector("exp_probs_b", v.SelectPart()),
		gate: newExperts(w, "ffn_gate_exps", "ffn_gate", v.Experts),
		up:   newExperts(w, "ffn_up_exps", "ffn_up", v.Experts),
		down: newExperts(w, "ffn_down_exps", "ffn_down", v.Experts),

		latentDown: w.linear("ffn_latent_down"), latentUp: w.linear("ffn_latent_up"),
	}
	if v.RouteNorm.Kind != arch.NoNorm {
		m.routeNorm = norm{Norm: v.RouteNorm, weight: w.vector("ffn_gate_inp", arch.Scale)}
	}
	if v.Layout == arch.PackedFused {
		m.up = newExperts(w, "ffn_gate_up_exps", "", v.Experts)
	}
	if c := v.Chunks; c.PerGroup > 0 {
		n := v.Experts / c.PerGroup
		values := *v
		values.Hidden, values.Chunks, values.Used = c.Hidden, arch.Chunks{}, min(v.Used, n)
		m.chunks = &moe{
			MoE: &values, divide: c.PerGroup,
			gate: newExperts(w, "ffn_gate_chexps", "", n),
			up:   newExperts(w, "ffn_up_chexps", "", n),
			down: newExperts(w, "ffn_down_chexps", "", n),
		}
		m.chunks.prepare(w)
	}
	if v.Shared != nil {
		m.shared = newDense(v.Shared, w)
		m.sharedGate = w.vector("ffn_gate_inp_shexp", arch.Weight)
	}
	m.prepare(w)
	return m
}

func (m *moe) prepare(w *layerWeights) {
	var of [][]*matrix
	for e := range m.down.of {
		var network []*matrix
		for _, x := range [...]*experts{&m.gate, &m.up, &m.down} {
			if x.of != nil {
				network = append(network, x.of[e])
			}
		}
		of = append(of, network)
	}
	m.networks = newNetworks(of, w.all.experts, w.slots[len(of)])
	m.uses = func(e int) int { return m.starts[e+1] - m.starts[e] }
	m.unit = unit{act: m.Act, gated: m.Layout != arch.PackedPlain, limit: m.Limit}
	m.dim = m.down.of[0].rows
	m.width = m.Hidden
	if m.unit.gated {
		m.width *= 2
	}
	m.routeStep, m.actStep, m.sumStep, m.gateStep, m.chunkStep = m.route, m.activate, m.sumUp, m.gateShared, m.addChunks
}

func (m *moe) mixes() bool { return false }

func (m *moe) floats() int {
	n := 3*m.Experts + m.Used*(2+m.dim) + m.width + m.Hidden + 4*m.dim
	if m.shared != nil {
		n += m.shared.floats()
	}
	return n
}

func (m *moe) run(ctx context.Context, p *pass, h, out []float32) error {
	embd := p.s.model.Embd
	n := p.n - p.first
	logits := p.arena.take(n * m.Experts)
	from := h[p.first*embd:]
	if m.RouteLayer {
		from = p.entry[p.first*embd : p.n*embd]
	}
	if m.routeNorm.Kind != arch.NoNorm {
		x := p.x[p.first*embd:]
		from = p.arena.take(n * embd)
		for c := range n {
			m.routeNorm.apply(from[c*embd:][:embd], x[c*embd:][:embd])
			multiply(from[c*embd:][:embd], inverseRoot(embd))
		}
	}
	p.load(from, embd)
	if err := p.apply(ctx, logits, m.Experts, m.router); err != nil {
		return err
	}
	if err := m.narrowed(ctx, p, logits, h, out); err != nil {
		return err
	}
	if m.chunks != nil {
		m.extra = p.arena.take(p.n * embd)
		if err := m.chunks.routed(ctx, p, logits, out, m.extra); err != nil {
			return err
		}
		p.s.each(n, m.chunkStep)
	}
	if m.shared == nil {
		return nil
	}
	m.extra = p.arena.take(p.n * embd)
	if err := m.shared.run(ctx, p, h, m.extra); err != nil {
		return err
	}
	p.s.each(n, m.gateStep)
	return nil
}

// narrowed is routed in the space where the experts work.
func (m *moe) narrowed(ctx context.Context, p *pass, logits, h, out []float32) error {
	if !m.latentDown.present() {
		return m.routed(ctx, p, logits, h, out)
	}
	embd, first := p.s.model.Embd, p.first*m.dim
	in, sum := p.arena.take(p.n*m.dim), p.arena.take(p.n*m.dim)
	p.load(h[p.first*embd:], embd)
	if err := p.apply(ctx, in[first:], m.dim, m.latentDown); err != nil {
		return err
	}
	if err := m.routed(ctx, p, logits, in, sum); err != nil {
		return err
	}
	m.h, m.out = h[p.first*embd:], out[p.first*embd:]
	p.load(sum[first:], m.dim)
	return p.apply(ctx, m.out, embd, m.latentUp)
}

// routed runs each column of h [p.n, dim] through the experts that its logits [n, Experts] choose.
func (m *moe) routed(ctx context.Context, p *pass, logits, h, out []float32) error {
	embd := m.dim
	n := p.n - p.first
	m.p, m.h, m.out = p, h[p.first*embd:], out[p.first*embd:]
	m.logits = p.arena.take(2 * len(logits)) // and room for the choice
	copy(m.logits, logits)
	m.weights = p.arena.take(n * m.Used)
	m.results = p.arena.take(n * m.Used * embd)
	if len(m.chosen) < n*m.Used {
		m.chosen, m.order = make([]int, n*m.Used), make([]int, n*m.Used)
		m.starts = make([]int, m.Experts+1)
	}
	p.s.each(n, m.routeStep)
	m.sort(n)
	m.networks.begin(m.uses, n)
	defer m.networks.done()
	for _, e := range m.networks.turn {
		m.column = m.order[m.starts[e]:m.starts[e+1]]
		if err := m.expert(ctx, e); err != nil {
			return err
		}
		m.networks.ran(e)
	}
	p.s.each(n, m.sumStep)
	return nil
}

// sort orders the choices of n columns by expert.
func (m *moe) sort(n int) {
	clear(m.starts)
	chosen := m.chosen[:n*m.Used]
	for _, e := range chosen {
		m.starts[e+1]++
	}
	for e := range m.Experts {
		m.starts[e+1] += m.starts[e]
	}
	for i, e := range chosen {
		m.order[m.starts[e]] = i
		m.starts[e]++
	}
	copy(m.starts[1:], m.starts)
	m.starts[0] = 0
}

// expert runs the columns that chose expert e through it.
func (m *moe) expert(ctx context.Context, e int) error {
	p := m.p
	embd := m.dim
	n := len(m.column)
	used := p.arena.used
	defer func() { p.arena.used = used }() // the next expert has the same memory
	in := p.arena.take(n * embd)
	m.hidden, m.inner = p.arena.take(n*m.width), p.arena.take(n*m.Hidden)
	for j, i := range m.column {
		copy(in[j*embd:], m.h[i/m.Used*embd:][:embd])
		if m.Before {
			multiply(in[j*embd:][:embd], m.weights[i])
		}
	}
	p.load(in, embd)
	at := 0
	if m.gate.of != nil {
		if err := m.product(ctx, m.hidden, m.width, &m.gate, e); err != nil {
			return err
		}
		at = m.Hidden
	}
	if err := m.product(ctx, m.hidden[at:], m.width, &m.up, e); err != nil {
		return err
	}
	p.s.each(n, m.actStep)
	p.load(m.inner, m.Hidden)
	if err := m.product(ctx, in, embd, &m.down, e); err != nil {
		return err
	}
	for j, i := range m.column {
		copy(m.results[i*embd:], in[j*embd:][:embd])
	}
	return nil
}

// product multiplies the loaded columns with expert e's matrix.
func (m *moe) product(ctx context.Context, dst []float32, stride int, x *experts, e int) error {
	return m.p.apply(ctx, dst, stride, x.linear(e))
}

func (m *moe) activate(_, c int) {
	m.unit.apply(m.inner[c*m.Hidden:][:m.Hidden], m.hidden[c*m.width:][:m.width])
}

// sumUp adds the results of a column's experts, the best first.
func (m *moe) sumUp(_, c int) {
	embd := m.dim
	out := m.out[c*embd:][:embd]
	clear(out)
	for i := c * m.Used; i < (c+1)*m.Used; i++ {
		w := m.weights[i]
		if m.Before {
			w = 1
		}
		kernels.Axpy(out, w, m.results[i*embd:][:embd])
	}
}

// addChunks adds the result of the smaller experts.
func (m *moe) addChunks(_, c int) {
	embd := m.p.s.model.Embd
	kernels.Axpy(m.out[c*embd:][:embd], m.Chunks.Scale, m.extra[(m.p.first+c)*embd:][:embd])
}

// gateShared adds the shared expert's result.
func (m *moe) gateShared(_, c int) {
	embd := m.p.s.model.Embd
	x := m.extra[(m.p.first+c)*embd:][:embd]
	if m.sharedGate != nil {
		multiply(x, kernels.Sigmoid(kernels.Dot(m.sharedGate, m.h[c*embd:][:embd])))
	}
	addTo(m.out[c*embd:][:embd], x)
	scale(m.out[c*embd:][:embd], m.SumScale)
}

// route chooses a column's experts and their weights.
func (m *moe) route(_, c int) {
	n := len(m.logits) / (2 * m.Experts)
	probs := m.logits[c*m.Experts:][:m.Experts]
	choice := m.logits[(n+c)*m.Experts:][:m.Experts]
	copy(choice, probs)
	gating(probs, m.Gating)
	switch m.Select {
	case arch.SelectSame:
		copy(choice, probs)
	default:
		gating(choice, m.Select)
	}
	if m.selectBias != nil {
		addTo(choice, m.selectBias)
	}
	if m.Groups > 1 {
		m.maskGroups(choice)
	}
	chosen, weights := m.chosen[c*m.Used:][:m.Used], m.weights[c*m.Used:][:m.Used]
	best(chosen, choice)
	for i, e := range chosen {
		chosen[i] = e / m.divide
		weights[i] = probs[chosen[i]]
	}
	if m.Gating == arch.SelectedSoftmax {
		kernels.Softmax(weights)
	}
	if m.Norm {
		sum := float32(0)
		for _, w := range weights {
			sum += w
		}
		sum = max(sum, 1.0/16384) // the least normal binary16
		for i := range weights {
			weights[i] /= sum
		}
	}
	scale(weights, m.Scale)
}

// gating replaces router logits by what experts are weighed by.
func gating(x []float32, g arch.Gating) {
	switch g {
	case arch.Softmax:
		kernels.Softmax(x)
	case arch.Sigmoid:
		for i, v := range x {
			x[i] = kernels.Sigmoid(v)
		}
	case arch.SqrtSoftplus:
		for i, v := range x {
			x[i] = float32(math.Sqrt(float64(kernels.Softplus(v))))
		}
	}
}

// maskGroups takes the experts of all but the best groups out of the choice. A group is as good as its two best experts.
func (m *moe) maskGroups(choice []float32) {
	size := m.Experts / m.Groups
	scores := make([]float32, m.Groups)
	for g := range scores {
		first, second := float32(math.Inf(-1)), float32(math.Inf(-1))
		for _, v := range choice[g*size:][:size] {
			switch {
			case v > first:
				first, second = v, first
			case v > second:
				second = v
			}
		}
		scores[g] = first + second
	}
	kept := make([]int, m.UsedGroups)
	best(kept, scores)
	for g := range scores {
		if !slices.Contains(kept, g) {
			for i := range size {
				choice[g*size+i] = float32(math.Inf(-1))
			}
		}
	}
}

// best fills chosen with the indices of the largest of x, the largest first, and the lower index first of equals.
func best(chosen []int, x []float32) {
	for i := range chosen {
		top := -1
		for e, v := range x {
			if (top < 0 || v > x[top]) && !slices.Contains(chosen[:i], e) {
				top = e
			}
		}
		chosen[i] = top
	}
}
