package arch

// ModernBERT: norms before each half of a layer, two layers of three with a window to both sides.
func init() {
	register(func(b *Base) {
		b.LN(Never)
		b.Embeds()
		b.Input.Norm = b.Norm.As(TokenNorm)
		b.Turn(Halves, false)
		local := b.Attn.Rope
		if b.Int("attention.sliding_window", 0, 0, maxPositions) > 0 {
			b.Windows(Symmetric, 3, true)
			local = b.LocalRope(10000)
		}
		b.Attn.Bias, b.Attn.OutBias, b.Dense.Bias = Never, Never, Never
		b.Dense.Gate = FusedGate
		switch act := b.String("hidden_activation", "gelu"); act {
		case "silu", "swish", "swiglu":
			b.Dense.Act = SiLU
		case "reglu":
			b.Dense.Act = ReLU
		case "relu":
			b.Unsupported("hidden_activation", quote(act)+" has no gate, the file's networks have one")
		default:
			b.Dense.Act = GELU
		}
		b.Classifier(b.Embd, GELUAct, b.Norm.As("cls.norm"))
		if b.Output.Scores {
			b.Output.Pooling = PoolMean
		}
		b.Each(func(i int) Layer {
			a := b.At(i)
			a.Fused = true
			if b.Window[i] {
				a.Rope = local
			}
			l := b.Pre(a, b.Net(i))
			if i == 0 && !b.HasIn(0, "attn_norm.weight") {
				l.Steps[0].Branches[0].Norm = Norm{}
			}
			return l
		})
	}, "modern-bert")
}
