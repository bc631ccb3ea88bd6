package arch

// Nanbeige: llama whose layers may be run several times over, with keys and values of their own each time, and the last
// norm between.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, false)
		b.Attn.Rope.Factors = Freqs
		loops := b.Int("num_loops", 1, 1, max(1, maxLayers/b.N))
		plain := b.Bool("skip_loop_final_norm", false)
		for loop := range loops {
			for i := range b.N {
				l := b.Pre(b.At(i), b.Net(i))
				l.Prefix = LayerPrefix(i)
				if i == b.N-1 && loop < loops-1 && !plain {
					l.Steps[1].After = b.Output.Norm
					l.Steps[1].After.Global = true
				}
				b.Layers = append(b.Layers, l)
			}
		}
	}, "nanbeige")
}
