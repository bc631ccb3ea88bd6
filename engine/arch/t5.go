package arch

import "strconv"

// T5: an encoder, and a decoder that looks at its result; no positions but a bias by distance.
func init() {
	register(func(b *Base) {
		b.t5()
		b.Embeds()
		b.Output.Norm = b.Norm.As("enc.output_norm")
		b.t5Encoder()
	}, "t5encoder")

	register(func(b *Base) {
		b.t5()
		b.Encoder = Encoder{Layers: b.N, Norm: b.Norm.As("enc.output_norm"), Start: b.t5Start()}
		b.Output.Norm = b.Norm.As("dec.output_norm")
		b.t5Encoder()
		for i := range b.Int("decoder_block_count", b.N, 1, maxLayers) {
			b.Layers = append(b.Layers, b.t5Decoder(i))
		}
	}, "t5")
}

// t5 sets what encoder and decoder have in common.
func (b *Base) t5() {
	b.RMS()
	a := &b.Attn
	a.Scale = 1
	a.Bias, a.OutBias, b.Dense.Bias = Never, Never, Never
	a.Out = "attn_o"
	a.Relative.Buckets = b.Int("attention.relative_buckets_count", 0, 4, 255)
}

// t5Start is the token that the decoder begins with: BOS if the file does not say.
func (b *Base) t5Start() int {
	if n := b.Int("decoder_start_token_id", -1, -1, maxPositions); n >= 0 {
		if n >= b.Vocab {
			b.Problem("decoder_start_token_id", strconv.Itoa(n)+" is none of the vocabulary's "+strconv.Itoa(b.Vocab))
		}
		return n
	}
	v, err := b.src.Get("tokenizer.ggml.bos_token_id")
	if err != nil && b.failure == nil {
		b.failure = err
	}
	n, ok := integer(v)
	if !ok || n < 0 || n >= int64(b.Vocab) {
		b.Problem("decoder_start_token_id", "missing, and there is no BOS token to begin with")
		return 0
	}
	return int(n)
}

// t5Encoder adds the encoder's layers.
func (b *Base) t5Encoder() {
	b.Each(func(i int) Layer {
		a := b.At(i)
		a.Fused, a.Ahead = false, true
		l := b.Pre(a, nil)
		l.Prefix = "enc." + LayerPrefix(i)
		b.t5Net(&l, i)
		return l
	})
}

// t5Decoder is layer i of the decoder.
func (b *Base) t5Decoder(i int) Layer {
	a := b.At(min(i, b.N-1))
	a.Fused = false
	a.Relative.First = b.N
	l := b.Pre(a, nil)
	l.Prefix = "dec." + LayerPrefix(i)
	b.Spare = append(b.Spare, l.Prefix+"cross_attn_rel_b")
	b.t5Net(&l, min(i, b.N-1))
	cross := Step{Branches: []Branch{{Norm: b.Norm.As("cross_attn_norm"), Op: &Cross{
		Heads: a.Heads, KVHeads: a.KVHeads, KeyDim: a.KeyDim, ValueDim: a.ValueDim, Scale: a.Scale,
	}}}}
	l.Steps = []Step{l.Steps[0], cross, l.Steps[1]}
	return l
}

// t5Net gives l its network: gated GELU in the newer models, else ReLU.
func (b *Base) t5Net(l *Layer, i int) {
	d := b.Net(i)
	d.Act, d.Gate = ReLU, NoGateFFN
	if b.Has(l.Prefix + "ffn_gate.weight") {
		d.Act, d.Gate = GELU, OwnGate
	}
	l.Steps[1].Branches[0].Op = d
}
