package arch

// Qwen 3 Next and 3.5: delta nets in three layers of four, attention with a gate in the fourth; experts with a gated
// one that all tokens share, or a plain network.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		moe := b.deltaExperts()
		b.deltaLayers(b.DeltaNet(DeltaPaired), func(i int) Op { return b.Layout(i, moe) })
	}, "qwen3next")
	register(func(b *Base) {
		b.qwen35()
		b.Dense.Bias = Never
		b.deltaLayers(b.DeltaNet(DeltaSplit), func(i int) Op { return b.Net(i) })
	}, "qwen35")
	register(func(b *Base) {
		b.qwen35()
		moe := b.deltaExperts()
		b.deltaLayers(b.DeltaNet(DeltaSplit), func(i int) Op { return b.Layout(i, moe) })
	}, "qwen35moe")
}

func (b *Base) qwen35() {
	b.RMS()
	b.Turn(Halves, false)
	b.needSections()
	b.Attn.Rope.Interleaved = true
}

// deltaExperts is the experts of these models.
func (b *Base) deltaExperts() *MoE {
	hidden := b.ExpertHidden(0)
	if used := b.Ints("expert_used_count", make([]int, b.blocks))[0]; hidden == 0 && used > 0 {
		hidden = b.Hidden[0] / used
	}
	m := b.MoE(hidden)
	m.Norm = true
	n := b.SharedHidden(0)
	if n == 0 {
		n = b.Hidden[0]
	}
	m.Shared, m.SharedGate = b.SharedExpert(n), true
	m.Shared.Bias = Never
	return m
}

// deltaLayers adds the layers.
func (b *Base) deltaLayers(d *Delta, net func(i int) Op) {
	b.QKNorm(Head)
	b.Attn.Gate, b.Attn.OutBias = GateQuery, Never
	recurrent := b.recurrentLayers(4)
	b.Each(func(i int) Layer {
		var mixer Op
		if recurrent[i] {
			own := *d
			own.Packed = d.Form == DeltaPaired && !b.HasIn(i, "attn_qkv.weight")
			mixer = &own
		} else {
			mixer = b.At(i)
		}
		l := b.Pre(mixer, net(i))
		l.Steps[1].Branches[0].Norm.Role = "post_attention_norm"
		return l
	})
}
