package arch

// LFM 2: short convolutions between two gates in most layers, attention in the others; in the larger ones experts.
func init() {
	register(func(b *Base) {
		b.lfm2()
		if n := b.Int("attention.sliding_window", 0, 0, maxPositions); n > 0 {
			b.Attn.Window = Window{Size: n}
			for i := range b.Window {
				b.Window[i] = true
			}
		}
		b.Each(func(i int) Layer { return b.Pre(b.shortConv(i), b.Net(i)) })
	}, "lfm2")
	register(func(b *Base) {
		b.lfm2()
		moe := b.MoE(b.ExpertHidden(0))
		moe.SelectBias, moe.Norm = Required, true
		if moe.Gating = b.Gating(SelectSame); moe.Gating == SelectSame {
			b.Problem("expert_gating_func", "missing")
		}
		b.Each(func(i int) Layer { return b.Pre(b.shortConv(i), b.DenseFirst(i, moe)) })
	}, "lfm2moe")
}

func (b *Base) lfm2() {
	b.RMS()
	b.Output.Norm = b.Norm.As(TokenNorm) // the name is a mistake that stayed
	b.Turn(Halves, false)
	b.QKNorm(Head)
	b.Attn.OutBias, b.Dense.Bias = Never, Never
	if b.Has("dense_2.weight") { // ColBERT's
		size := b.Int("embedding_length_out", b.Embd, 1, maxWidth)
		b.Output.Stages = []Stage{{Role: "dense_2", Rows: size, Bias: Optional}}
	}
	if !b.Bool("attention.causal", true) {
		b.Unsupported("attention.causal", "short convolutions that look ahead cannot be run")
	}
}

// ShortConv is a convolution of a few tokens between two gates.
type ShortConv struct {
	Kernel int // shortconv.l_cache: tokens that it sees
}

// shortConv is layer i's convolution, or its attention if it has key/value heads.
func (b *Base) shortConv(i int) Op {
	if !b.Recurrent(i) {
		return b.At(i)
	}
	return &ShortConv{Kernel: b.Int("shortconv.l_cache", 0, 2, maxKernel)}
}

// Memory is the columns before the next.
func (s *ShortConv) Memory(embd int) int64 { return int64(s.Kernel-1) * int64(embd) }

func (s *ShortConv) tensors(t *table) {
	t.linear("shortconv.in_proj", 3*t.embd, t.embd, Never)
	t.add("shortconv.conv", Weight, Required, Values, t.embd, s.Kernel)
	t.linear("shortconv.out_proj", t.embd, t.embd, Never)
}
