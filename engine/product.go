package engine

import "context"

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
