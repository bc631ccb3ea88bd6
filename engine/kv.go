package engine

import (
	"encoding/binary"
	"math"

	kernels "straw"
	"straw/quant"
)

// KVType is how keys and values are kept.
type KVType = quant.Type

const (
	KVF32  KVType = quant.F32
	KVF16  KVType = quant.F16
	KVQ8_0 KVType = quant.Q8_0
)

const kvPage = 64 // positions in a page of the cache

// kvCache is one layer's keys and values. It grows by pages and never copies what it holds. In a page a head's keys
// stand together, [heads, kvPage, keyDim], and so do its values, so that attention reads them in order.
type kvCache struct {
	typ              KVType
	heads            int
	keyDim, valueDim int
	pages            []kvPages
}

// kvPages is one page: keys and values as float32 or as packed rows.
type kvPages struct {
	k, v       []float32
	kRow, vRow []byte
}

// grow makes room for positions below n.
func (c *kvCache) grow(n int) {
	for len(c.pages)*kvPage < n {
		var p kvPages
		if c.typ == KVF32 {
			p.k = make([]float32, c.heads*kvPage*c.keyDim)
			p.v = make([]float32, c.heads*kvPage*c.valueDim)
		} else {
			p.kRow = make([]byte, c.heads*kvPage*c.typ.Bytes(c.keyDim))
			p.vRow = make([]byte, c.heads*kvPage*c.typ.Bytes(c.valueDim))
		}
		c.pages = append(c.pages, p)
	}
}

// bytes is the memory of the pages.
func (c *kvCache) bytes() int64 {
	return int64(len(c.pages)) * int64(c.heads) * kvPage * int64(c.typ.Bytes(c.keyDim)+c.typ.Bytes(c.valueDim))
}

// store keeps k [heads, keyDim] and v [heads, valueDim] of position pos. Positions may be stored at the same time.
func (c *kvCache) store(pos int, k, v []float32) {
	p := &c.pages[pos/kvPage]
	for h := range c.heads {
		row := h*kvPage + pos%kvPage
		kh, vh := k[h*c.keyDim:][:c.keyDim], v[h*c.valueDim:][:c.valueDim]
		if c.typ == KVF32 {
			copy(p.k[row*c.keyDim:], kh)
			copy(p.v[row*c.valueDim:], vh)
			continue
		}
		encode(c.typ, p.kRow[row*c.typ.Bytes(c.keyDim):], kh)
		encode(c.typ, p.vRow[row*c.typ.Bytes(c.valueDim):], vh)
	}
}

// encode packs src as type t.
func encode(t KVType, dst []byte, src []float32) {
	if t == KVF16 {
		kernels.EncodeF16(dst, src)
		return
	}
	for ; len(src) > 0; src, dst = src[32:], dst[34:] { // Q8_0: a binary16 scale and 32 int8
		most := float32(0)
		for _, x := range src[:32] {
			most = max(most, x, -x)
		}
		d := most / 127
		inverse := float32(0)
		if d != 0 {
			inverse = 1 / d
		}
		binary.LittleEndian.PutUint16(dst, kernels.ToF16(d))
		for i, x := range src[:32] {
			dst[2+i] = byte(int8(math.Round(float64(x * inverse))))
		}
	}
}

// attendScratch is one worker's memory.
type attendScratch struct {
	scores []float32 // [queries, positions]
	values []float32 // [kvPage, valueDim] decoded
	acts   quant.Activations
}

// attend is the attention of some queries that share key/value head h, q [queries, keyDim], over positions below n:
// dst [queries, valueDim] = softmax(scale q·k) v. Values are added in the order of their positions.
func (c *kvCache) attend(dst, q []float32, h, n int, scale float32, s *attendScratch) {
	queries := len(q) / c.keyDim
	if cap(s.scores) < queries*n {
		s.scores = make([]float32, queries*(n+8*kvPage))
	}
	scores := s.scores[:queries*n]
	if c.typ != KVF32 {
		s.acts.Set(c.typ.Form(), q, c.keyDim)
	}
	for page := 0; page*kvPage < n; page++ {
		c.score(scores[page*kvPage:], n, q, h, page, min(kvPage, n-page*kvPage), s)
	}
	for i := range queries {
		row := scores[i*n:][:n]
		for j, x := range row {
			row[j] = x * scale
		}
		kernels.Softmax(row)
	}
	clear(dst)
	for page := 0; page*kvPage < n; page++ {
		rows := min(kvPage, n-page*kvPage)
		values := c.values(h, page, rows, s)
		for i := range queries {
			out := dst[i*c.valueDim:][:c.valueDim]
			for j, p := range scores[i*n+page*kvPage:][:rows] {
				kernels.Axpy(out, p, values[j*c.valueDim:][:c.valueDim])
			}
		}
	}
}

// score multiplies the queries with the first rows keys of a page: query i and key j at dst[i*stride+j].
func (c *kvCache) score(dst []float32, stride int, q []float32, h, page, rows int, s *attendScratch) {
	p := &c.pages[page]
	if c.typ != KVF32 {
		size := c.typ.Bytes(c.keyDim)
		quant.MulRows(dst, stride, c.typ, p.kRow[h*kvPage*size:][:rows*size], c.keyDim, &s.acts)
		return
	}
	keys := p.k[h*kvPage*c.keyDim:]
	for j := range rows {
		key := keys[j*c.keyDim:][:c.keyDim]
		for i := 0; (i+1)*c.keyDim <= len(q); i++ {
			dst[i*stride+j] = kernels.Dot(key, q[i*c.keyDim:][:c.keyDim])
		}
	}
}

// values is the first rows values of a page [rows, valueDim].
func (c *kvCache) values(h, page, rows int, s *attendScratch) []float32 {
	p := &c.pages[page]
	if c.typ == KVF32 {
		return p.v[h*kvPage*c.valueDim:]
	}
	if len(s.values) < kvPage*c.valueDim {
		s.values = make([]float32, kvPage*c.valueDim)
	}
	size := c.typ.Bytes(c.valueDim)
	quant.Dequantize(c.typ, s.values[:rows*c.valueDim], p.vRow[h*kvPage*size:][:rows*size])
	return s.values
}
