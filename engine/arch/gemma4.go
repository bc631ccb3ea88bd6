package arch

import "slices"

// Gemma 4: heads of layers with a window have a width of their own, values are normalized or the keys themselves, the last
// layers share the keys and values of earlier ones. The small ones have inputs for each layer, one has experts beside the
// plain network.
func init() {
	register(func(b *Base) {
		b.gemma()
		b.QKNorm(Head)
		b.NeedWindows()
		b.Attn.Scale = 1
		b.Attn.ValueNorm = b.Norm
		b.Output.Softcap = float32(b.Float("final_logit_softcapping", 30))
		b.perLayer(b.Int("embedding_length_per_layer_input", 0, 0, maxWidth))
		keyDim := b.Int("attention.key_length_swa", b.Attn.KeyDim, 1, maxWidth)
		valueDim := b.Int("attention.value_length_swa", b.Attn.ValueDim, 1, maxWidth)
		local := b.LocalRope(10000)
		local.Dim = b.LocalDim()
		b.Attn.Rope.Factors, b.Attn.Rope.NFactors = Freqs, b.Attn.KeyDim/2
		if !b.Has("rope_freqs.weight") && slices.Contains(b.Window, false) {
			b.problems = append(b.problems, "missing tensors: rope_freqs.weight")
		}
		start := b.N - b.Int("attention.shared_kv_layers", 0, 0, b.N)
		b.Each(func(i int) Layer {
			a := b.local(i, local)
			if b.Window[i] {
				a.KeyDim, a.ValueDim = keyDim, valueDim
			} else {
				a.Ahead = false // also where the others see all
			}
			a.ValueIsKey = !a.Fused && !b.HasIn(i, "attn_v.weight")
			b.shareKV(i, start, a)
			l := b.Sandwich(a, b.Net(i))
			if b.HasIn(i, "ffn_gate_inp.weight") {
				l.Steps[1] = b.gemma4Experts(i)
			}
			if b.Input.PerLayer.Dim > 0 {
				l.Steps = append(l.Steps, b.injection())
			}
			l.Steps[len(l.Steps)-1].Scale = "layer_output_scale"
			return l
		})
	}, "gemma4")
}

// gemma4Experts is a step of a plain network and experts side by side, each between its own norms.
func (b *Base) gemma4Experts(i int) Step {
	moe := b.MoE(b.ExpertHidden(0))
	moe.Act, moe.Norm, moe.RouteNorm = GELU, true, b.Norm.Plain()
	return Step{
		Branches: []Branch{
			{Norm: b.Norm.As("ffn_norm"), Op: b.Net(i), Post: b.Norm.As("post_ffw_norm_1")},
			{Norm: b.Norm.As("pre_ffw_norm_2"), Op: b.Layout(i, moe), Post: b.Norm.As("post_ffw_norm_2")},
		},
		Post: b.Norm.As("post_ffw_norm"),
	}
}
