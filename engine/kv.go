package engine

import (
	"encoding/binary"
	"math"
	"slices"

	kernels "straw"
	"straw/engine/arch"
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

// kvShape is what a layer keeps of each position.
type kvShape struct {
	typ              KVType
	heads            int
	keyDim, valueDim int
}

// rowBytes is the memory of a position.
func (k kvShape) rowBytes() int64 {
	return int64(k.heads) * int64(k.typ.Bytes(k.keyDim)+k.typ.Bytes(k.valueDim))
}

// bytes is the memory of n positions, in whole pages.
func (k kvShape) bytes(n int) int64 {
	return (int64(n) + kvPage - 1) / kvPage * kvPage * k.rowBytes()
}

// kvCache is one layer's keys and values on one timeline. It grows by pages and never copies what it holds. In a page a
// head's keys stand together, [heads, kvPage, keyDim], and so do its values, so that attention reads them in order.
type kvCache struct {
	kvShape
	pages  []kvPages
	shared int // of the pages, the first ones that other timelines have too: they are not written any more
}

// kvPages is one page: keys and values as float32 or as packed rows.
type kvPages struct {
	k, v       []float32
	kRow, vRow []byte
}

// grow makes room for positions from to below to, which are about to be stored. Of a shared page it takes a copy.
func (c *kvCache) grow(from, to int) {
	if page := from / kvPage; page < c.shared {
		old := c.pages[page]
		c.pages, c.shared = c.pages[:page], page
		if from%kvPage > 0 {
			c.pages = append(c.pages, kvPages{slices.Clone(old.k), slices.Clone(old.v), slices.Clone(old.kRow), slices.Clone(old.vRow)})
		}
	}
	for len(c.pages)*kvPage < to {
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

// fork is a cache with the same first n positions, in the same pages.
func (c *kvCache) fork(n int) kvCache {
	pages := min((n+kvPage-1)/kvPage, len(c.pages))
	c.shared = max(c.shared, pages)
	return kvCache{c.kvShape, slices.Clone(c.pages[:pages]), pages}
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

// CacheBytes is the memory of a timeline of n positions: keys and values, in whole pages, and states that are there for
// all of them, with their copies. A session never has more.
func (m *Model) CacheBytes(kv KVType, n int) int64 {
	bytes := int64(0)
	for _, l := range m.Layers {
		for _, st := range l.Steps {
			for _, b := range st.Branches {
				if c, ok := b.Op.(interface {
					CacheDims() (heads, key, value int)
				}); ok {
					heads, key, value := c.CacheDims()
					bytes += kvShape{kv, heads, key, value}.bytes(n)
				}
				if r, ok := b.Op.(arch.Remembering); ok {
					bytes += 4 * (1 + historyCopies) * r.Memory(m.Embd)
				}
			}
		}
	}
	return bytes
}
