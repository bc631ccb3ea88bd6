package arch

// Cross is attention of a decoder to the result of the encoder, whose keys and values are made once for a text.
type Cross struct {
	Heads    int
	KVHeads  int
	KeyDim   int
	ValueDim int
	Scale    float32 // of the scores
}

// CacheDims is as Attn.CacheDims.
func (c *Cross) CacheDims() (heads, key, value int) { return c.KVHeads, c.KeyDim, c.ValueDim }

func (c *Cross) tensors(t *table) {
	t.linear("cross_attn_q", c.Heads*c.KeyDim, t.embd, Never)
	t.add("cross_attn_k", Weight, Required, Rare, c.KVHeads*c.KeyDim, t.embd)
	t.add("cross_attn_v", Weight, Required, Rare, c.KVHeads*c.ValueDim, t.embd)
	t.linear("cross_attn_o", t.embd, c.Heads*c.ValueDim, Never)
}

// Same is its input, unchanged.
type Same struct{}

func (*Same) tensors(*table) {}
