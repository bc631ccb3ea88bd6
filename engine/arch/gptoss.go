package arch

// gpt-oss: a sink in each head's softmax, a window in every other layer, experts with biases. The norm before the experts
// has the name of one after attention.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Output.Need = true
		b.Windows(Sliding, 2, false)
		b.Attn.Sinks, b.Attn.OutBias = Required, Required
		moe := b.MoE(b.ExpertHidden(0))
		moe.Act, moe.Gating = SwiGLUOAI, SelectedSoftmax
		moe.RouterBias, moe.Bias = Required, Required
		local := b.LocalRope(b.Attn.Rope.Base)
		local.Factor = b.Attn.Rope.Factor
		b.Each(func(i int) Layer {
			l := b.Pre(b.local(i, local), b.Layout(i, moe))
			l.Steps[1].Branches[0].Norm.Role = "post_attention_norm"
			return l
		})
	}, "gpt-oss")
}
