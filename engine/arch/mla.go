package arch

// MLA is multi-head latent attention: keys and values of all heads come from one short vector a position, its latent, and
// one rotated part that all heads share.
type MLA struct {
	Heads    int
	QRank    int // attention.q_lora_rank: queries come through a vector of this length; 0: straight from the input
	KVRank   int // attention.kv_lora_rank: elements of the latent
	KeyDim   int // elements of one head of q and k, the rotated ones among them
	RopeDim  int // the last ones of a head, which rotate: rope.dimension_count
	ValueDim int
	Scale    float32 // of the scores; 0 is 1/√KeyDim
	// MagnitudeScale multiplies the scale by the square of YaRN's magnitude with its multiplier.
	MagnitudeScale bool

	// Absorbed: attention works on the latents themselves (attn_k_b, attn_v_b), so that only they are kept; else keys and
	// values of all heads are made from them (attn_kv_b).
	Absorbed bool

	QNorm, KVNorm Norm // of QRank's vector and of the latent
	Rope          Rope
	Temperature   Temperature
	OutBias       Need
	Gated         bool // each head's result times the sigmoid of a product with the layer's normalized input: attn_gate [Heads]
}

func (m *MLA) rope() *Rope { return &m.Rope }

// CacheDims is the heads that are kept for each position, and the elements of a head's key and value.
func (m *MLA) CacheDims() (heads, key, value int) {
	if m.Absorbed {
		return 1, m.KVRank + m.RopeDim, m.KVRank
	}
	return m.Heads, m.KeyDim, m.ValueDim
}

func (m *MLA) tensors(t *table) {
	if m.QRank > 0 {
		t.linear("attn_q_a", m.QRank, t.embd, Never)
		t.norm(m.QNorm, m.QRank)
	}
	t.linear("attn_kv_a_mqa", m.KVRank+m.RopeDim, t.embd, Never)
	t.norm(m.KVNorm, m.KVRank)
	if m.QRank > 0 {
		t.linear("attn_q_b", m.Heads*m.KeyDim, m.QRank, Never)
	} else {
		t.linear("attn_q", m.Heads*m.KeyDim, t.embd, Never)
	}
	plain := m.KeyDim - m.RopeDim
	if m.Absorbed {
		t.add("attn_k_b", Weight, Required, Matrix, m.Heads, m.KVRank, plain)
		t.add("attn_v_b", Weight, Required, Matrix, m.Heads, m.ValueDim, m.KVRank)
	} else {
		t.linear("attn_kv_b", m.Heads*(plain+m.ValueDim), m.KVRank, Never)
	}
	if m.Gated {
		t.linear("attn_gate", m.Heads, t.embd, Never)
	}
	t.linear("attn_output", t.embd, m.Heads*m.ValueDim, m.OutBias)
}

// ReadMLA reads the keys of latent attention. Without lengths of heads of their own the file is of the older kind, whose
// heads are made from the latents.
func (b *Base) ReadMLA() MLA {
	m := MLA{
		KVRank:  b.Int("attention.kv_lora_rank", 0, 1, maxWidth),
		KeyDim:  b.Int("attention.key_length_mla", 0, 0, maxWidth),
		RopeDim: b.Attn.Rope.Dim,
		KVNorm:  b.Norm.As("attn_kv_a_norm"),
		QNorm:   b.Norm.As("attn_q_a_norm"),
		Rope:    b.Attn.Rope,
	}
	m.ValueDim = b.Int("attention.value_length_mla", 0, 0, maxWidth)
	if m.Absorbed = m.KeyDim > 0 && m.ValueDim > 0; !m.Absorbed {
		m.KeyDim, m.ValueDim = b.Attn.KeyDim, b.Attn.ValueDim
	}
	if m.RopeDim >= m.KeyDim || m.RopeDim < 2 || m.RopeDim%2 != 0 || m.ValueDim < 1 {
		b.Problem("rope.dimension_count", show(int64(m.RopeDim))+" does not fit into heads of "+show(int64(m.KeyDim))+" elements")
	}
	return m
}

// LatentAt is m for layer i.
func (b *Base) LatentAt(i int, m MLA) *MLA {
	if m.Heads = b.Heads[i]; m.Heads == 0 {
		b.Problem("attention.head_count", "0 heads in layer "+show(int64(i)))
	}
	return &m
}
