package arch

// Nemotron models made from Llama 3 by search (DeciLM): layers may lack attention, have one matrix in its place, or lack
// the network. As in the reference, a layer without network has no effect.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Adjacent, true)
		b.Each(func(i int) Layer {
			switch {
			case b.Hidden[i] == 0:
				b.Leave(i, "")
				return Layer{}
			case b.Heads[i] == 0:
				return Layer{Steps: b.Pre(nil, b.Net(i)).Steps[1:]}
			case b.KV[i] == 0:
				b.Leave(i, "attn_output.bias")
				return b.Pre(&Linear{Role: "attn_output"}, b.Net(i))
			}
			return b.Pre(b.At(i), b.Net(i))
		})
	}, "deci")
}
