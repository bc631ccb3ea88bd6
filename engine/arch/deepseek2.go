package arch

// DeepSeek 2, 3 and R1, and others with latent attention and DeepSeek's experts. OCR's has plain attention instead.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		y := &b.Attn.Rope.Yarn
		y.LogMultiplier = b.Float("rope.scaling.yarn_log_multiplier", 0) / float64(float32(0.1)) // converters multiply by it
		y.SameMultiplier = b.Name == "deepseek2" && y.LogMultiplier != 1
		mla := b.ReadMLA()
		mla.MagnitudeScale = true
		if mla.QRank = b.Int("attention.q_lora_rank", 0, 0, maxWidth); b.HasIn(0, "attn_q.weight") {
			mla.QRank = 0
		}
		if s := b.Float("attention.temperature_scale", 0); s != 0 {
			mla.Temperature = Temperature{Scale: s, Length: b.Float("attention.temperature_length", 0)}
			if !(mla.Temperature.Length > 0) {
				b.Problem("attention.temperature_length", "missing, or not above 0")
			}
		}
		gating := Softmax
		if (b.N == 47 || b.N == 48) && b.Vocab == 154880 { // GLM 4.7 Flash
			gating = Sigmoid
		}
		moe := b.DeepExperts(gating)
		b.SharedCount(moe)
		b.Each(func(i int) Layer { return b.Pre(b.LatentAt(i, mla), b.DenseFirst(i, moe)) })
	}, "deepseek2", "mistral4")
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		r := &b.Attn.Rope
		b.Attn.Scale = inverseRoot(b.Attn.KeyDim)
		r.Dim, r.Factor, r.Attn, r.Yarn = b.Attn.KeyDim, 1, 1, Yarn{}
		moe := b.DeepExperts(Softmax)
		b.SharedCount(moe)
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.DenseFirst(i, moe)) })
	}, "deepseek2-ocr")
}
