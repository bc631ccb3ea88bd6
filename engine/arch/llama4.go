package arch

// Llama 4: attention in chunks of 8192 in three layers of four, which rotate and then normalize heads without weights; in
// the fourth, queries grow with their position. Experts' weights multiply their input.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Attn.Rope.Factors = Freqs
		still := 4 // every so many layers one does not rotate
		temperature := Temperature{Scale: 0.1, Length: 8192, Offset: 1}
		local := b.Attn.Rope
		if b.get("attention.sliding_window") != nil && b.Int("attention.sliding_window", 0, 0, maxPositions) == 0 {
			still, temperature = b.N, Temperature{}
		} else {
			b.Windows(Chunked, 4, false)
			b.Attn.Window.Size = 8192
			local = b.LocalBase(local.Base)
		}
		moe := b.MoE(b.ExpertHidden(0))
		moe.Gating, moe.Select, moe.Before = Sigmoid, Logits, true
		moe.Shared = b.SharedExpert(moe.Hidden)
		step := b.Int("interleave_moe_layer_step", 0, 0, maxLayers)
		b.Each(func(i int) Layer {
			a := b.local(i, local)
			if (i+1)%still == 0 {
				a.Rope.Pairing = NoRope
				a.Temperature = temperature
			} else if moe.Experts != 128 {
				a.QNorm, a.KNorm, a.NormAfterRope = HeadNorm{b.Norm, Head}, HeadNorm{b.Norm, Head}, true
			}
			if step > 0 && (i+1)%step == 0 {
				return b.Pre(a, b.Layout(i, moe))
			}
			return b.Pre(a, b.Net(i))
		})
	}, "llama4")
}
