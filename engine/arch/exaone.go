package arch

// EXAONE 3 is llama with the other rotation. EXAONE 4 has norms after and normalized heads; its largest windows, and only
// the layers with one rotate, as in K-EXAONE, which has experts.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Attn.Rope.Factors = Freqs
		b.Each(func(i int) Layer { return b.Pre(b.At(i), b.Net(i)) })
	}, "exaone")
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Attn.Rope.Factors = Freqs
		b.QKNorm(Head)
		if b.N == 64 { // the 32B
			b.Windows(Sliding, 4, false)
			b.Attn.Window.Size = b.Int("attention.sliding_window", 4096, 0, maxPositions)
			b.Each(func(i int) Layer { return b.Post(b.local4(i), b.Net(i)) })
			return
		}
		b.Each(func(i int) Layer { return b.Post(b.At(i), b.Net(i)) })
	}, "exaone4")
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Attn.Rope.Factors = Freqs
		b.QKNorm(Head)
		b.Output.Need = true
		b.Windows(Sliding, 4, false)
		moe := b.DeepExperts(SelectSame)
		moe.Shared = b.SharedExpert(b.SharedHidden(moe.Hidden))
		b.Each(func(i int) Layer { return b.Pre(b.local4(i), b.DenseFirst(i, moe)) })
	}, "exaone-moe")
}
