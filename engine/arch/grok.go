package arch

import "math"

// Grok 1 and 2: scales and soft caps of everything, experts of GELU, beside a plain network where there is one.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.grokYarn()
		b.Input.Scale = float32(b.Float("embedding_scale", 78.38367176906169))
		b.Output.Scale = float32(b.Float("logit_scale", 0.5773502691896257))
		b.Output.Softcap = float32(b.Float("final_logit_softcapping", 0))
		b.Attn.Scale = float32(b.Float("attention.output_scale", 0.08838834764831845))
		b.Attn.Softcap = float32(b.Float("attn_logit_softcapping", 30))
		moe := b.MoE(b.ExpertHidden(b.Hidden[0]))
		moe.Norm, moe.Act = true, GELU
		b.Each(func(i int) Layer {
			m := b.Layout(i, moe)
			if b.HasIn(i, "ffn_up.weight") {
				m.Shared, m.SumScale = b.Net(i), math.Sqrt2/2
				m.Shared.Act = GELU
			}
			l := b.Sandwich(b.At(i), m)
			l.Steps[0].Branches[0].Post.Role = "attn_output_norm"
			if b.HasIn(i, "layer_output_norm.weight") {
				l.Steps[1].Branches[0].Post.Role = "layer_output_norm"
			}
			return l
		})
	}, "grok")
}

// grokYarn reads all keys of YaRN, with Grok's defaults.
func (b *Base) grokYarn() {
	r := &b.Attn.Rope
	y := &r.Yarn
	if ext := b.Float("rope.scaling.yarn_ext_factor", -1); ext >= 0 {
		y.Ext = ext
	}
	y.BetaFast = b.Float("rope.scaling.yarn_beta_fast", 8)
	y.BetaSlow = b.Float("rope.scaling.yarn_beta_slow", 1)
	if attn := b.Float("rope.scaling.yarn_attn_factor", 1); y.Ext == 0 { // YaRN computes its own
		r.Attn *= attn
	}
	if !(y.BetaFast > 0) || !(y.BetaSlow > 0) {
		b.Problem("rope.scaling", "yarn needs betas above 0")
	}
}
