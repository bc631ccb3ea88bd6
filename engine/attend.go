package engine

import (
	kernels "straw"
	"straw/quant"
)

// Queries are computed in blocks: the keys and values of a page, once in a core's cache, serve all queries of the block.
// What a query gets depends on its own positions alone: the products with the keys it sees, their weights over all of
// these, and the values added in the order of their positions.
const (
	blockQueries = 32        // in a block, so that reading a page is little of the work
	blockScores  = 128 << 10 // floats of scores in a block, unless one query has more: they stay in a core's second cache
)

// attending is the attention of a pass's columns to their caches, in pieces that workers may take in any order.
type attending struct {
	slot  int // of the caches
	heads int // of queries; those of a group that share a key/value head follow each other
	rule  *scoring
	span  func(l *lane, c int) span // of the positions that column c of l sees

	p                  *pass
	shape              kvShape
	queries, mixed     []float32 // [columns from p.first on, heads, keyDim], of valueDim
	blocks             []columns
	group, part, parts int // queries of a key/value head; those of them in one block; parts of them
}

// columns is columns from to below to of a lane.
type columns struct {
	*lane
	from, to int
}

// attendScratch is one worker's memory.
type attendScratch struct {
	scores []float32 // [queries, positions]
	q, out []float32 // [queries, keyDim] and [queries, valueDim] of a block of several columns
	spans  []span    // of the columns
	values []float32 // [kvPage, valueDim] decoded
	acts   quant.Activations
}

// span is positions from the one to below the other.
type span struct{ from, to int }

// begin divides the work, and is how many pieces there are. The columns before p.first get none.
func (a *attending) begin(p *pass, queries, mixed []float32) int {
	a.p, a.queries, a.mixed = p, queries, mixed
	a.shape = p.lanes[0].caches[a.slot].kvShape
	a.group = a.heads / a.shape.heads
	a.blocks = a.blocks[:0]
	a.part = min(a.group, blockQueries)
	for i := range p.lanes {
		l := &p.lanes[i]
		for to := l.to; to > max(l.from, p.first); {
			s := a.span(l, to-1)
			queries := min(blockQueries, blockScores/(s.to-s.from+blockQueries))
			from := max(l.from, p.first, to-max(1, queries/a.group))
			a.part = min(a.part, max(1, queries))
			a.blocks = append(a.blocks, columns{l, from, to})
			to = from
		}
	}
	have, workers := len(a.blocks)*a.shape.heads, len(p.work)
	if have < workers { // groups are divided
		shares := (workers + have - 1) / have
		a.part = min(a.part, (a.group+shares-1)/shares)
	}
	a.parts = (a.group + a.part - 1) / a.part
	return have * a.parts
}

// piece is the attention of one block of queries.
func (a *attending) piece(worker, i int) {
	k := a.shape
	h := i % k.heads
	first := i / k.heads % a.parts * a.part
	of := a.blocks[i/k.heads/a.parts]
	b := block{
		kvCache: &of.caches[a.slot], attendScratch: &a.p.work[worker], rule: a.rule,
		h: h, head: h*a.group + first, each: min(a.part, a.group-first), pos: of.at(of.from),
	}
	b.spans = b.spans[:0]
	for c := of.from; c < of.to; c++ {
		b.spans = append(b.spans, a.span(of.lane, c))
	}
	n, key, value := len(b.spans), b.each*k.keyDim, b.each*k.valueDim
	at := (of.from-a.p.first)*a.heads + b.head
	if n == 1 {
		b.attend(a.mixed[at*k.valueDim:][:value], a.queries[at*k.keyDim:][:key])
		return
	}
	b.q, b.out = sized(b.q, n*key), sized(b.out, n*value)
	for c := range n {
		copy(b.q[c*key:][:key], a.queries[(at+c*a.heads)*k.keyDim:])
	}
	b.attend(b.out, b.q)
	for c := range n {
		copy(a.mixed[(at+c*a.heads)*k.valueDim:][:value], b.out[c*value:])
	}
}

// block is queries that are computed together: those of each heads from head on, which share key/value head h, of a
// column for each of the spans.
type block struct {
	*kvCache
	*attendScratch
	rule    *scoring
	h, head int
	each    int
	pos     int // of the first column
}

// attend makes dst [queries, valueDim] of q [queries, keyDim].
func (b *block) attend(dst, q []float32) {
	all := b.spans[0]
	common := all // what all columns see
	for _, s := range b.spans {
		all = span{min(all.from, s.from), max(all.to, s.to)}
		common = span{max(common.from, s.from), min(common.to, s.to)}
	}
	queries, stride := len(b.spans)*b.each, all.to-all.from+1 // one more for a sink
	b.scores = sized(b.scores, queries*stride)
	if b.typ != KVF32 {
		b.acts.Set(b.typ.Form(), q, b.keyDim)
	}
	b.overPages(all, func(page, lo, rows, at int) {
		b.score(b.scores[at-all.from:], stride, q, page, lo, rows)
	})
	for i, s := range b.spans {
		rule := *b.rule
		rule.pos = b.pos + i
		for e := range b.each {
			row := b.scores[(i*b.each+e)*stride:][s.from-all.from : s.to-all.from+1]
			rule.weigh(row, b.head+e, s.from)
		}
	}
	clear(dst)
	size := b.each * b.valueDim
	if common.from >= common.to {
		for i, s := range b.spans {
			b.mix(dst[i*size:][:size], b.scores[i*b.each*stride:], stride, s, all.from)
		}
		return
	}
	for i, s := range b.spans {
		b.mix(dst[i*size:][:size], b.scores[i*b.each*stride:], stride, span{s.from, common.from}, all.from)
	}
	b.mix(dst, b.scores, stride, common, all.from)
	for i, s := range b.spans {
		b.mix(dst[i*size:][:size], b.scores[i*b.each*stride:], stride, span{common.to, s.to}, all.from)
	}
}

// overPages calls f for the rows of each page that has positions of s; at is the position of the first.
func (b *block) overPages(s span, f func(page, lo, rows, at int)) {
	for at := s.from; at < s.to; {
		lo, rows := at%kvPage, min(kvPage-at%kvPage, s.to-at)
		f(at/kvPage, lo, rows, at)
		at += rows
	}
}

// score multiplies the queries with rows keys of a page from lo on: query i and key j at dst[i*stride+j].
func (b *block) score(dst []float32, stride int, q []float32, page, lo, rows int) {
	p, first := &b.pages[page], b.h*kvPage+lo
	if b.typ == KVF32 {
		kernels.Dots(dst, stride, p.k[first*b.keyDim:][:rows*b.keyDim], q, b.keyDim)
		return
	}
	size := b.typ.Bytes(b.keyDim)
	quant.MulRows(dst, stride, b.typ, p.kRow[first*size:][:rows*size], b.keyDim, &b.acts)
}

// mix adds to dst [queries, valueDim] the values at s with their weights: those of query i begin at weights[i*stride], with
// that of position from.
func (b *block) mix(dst, weights []float32, stride int, s span, from int) {
	b.overPages(s, func(page, lo, rows, at int) {
		p, first, w := &b.pages[page], b.h*kvPage+lo, weights[at-from:]
		switch b.typ {
		case KVF32:
			kernels.Mix(dst, w, stride, p.v[first*b.valueDim:][:rows*b.valueDim], b.valueDim)
		case KVF16:
			kernels.MixF16(dst, w, stride, p.vRow[2*first*b.valueDim:][:2*rows*b.valueDim], b.valueDim)
		default:
			b.values = sized(b.values, kvPage*b.valueDim)
			size := b.typ.Bytes(b.valueDim)
			quant.Dequantize(b.typ, b.values[:rows*b.valueDim], p.vRow[first*size:][:rows*size])
			kernels.Mix(dst, w, stride, b.values[:rows*b.valueDim], b.valueDim)
		}
	})
}

// sized is n floats of any value, x itself if it has room.
func sized(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, max(n, 2*cap(x)))[:n]
	}
	return x[:n]
}
