package arch

// Gemma 3n: four residual streams that predict and correct each other (AltUp), a low-rank way around attention (Laurel),
// inputs of each layer, networks whose gates are mostly 0 in the first layers, keys and values shared from layer 20 on.
func init() {
	register(func(b *Base) {
		b.gemma()
		b.QKNorm(Head)
		b.Windows(Sliding, 5, false)
		b.Attn.Scale = 1
		b.Attn.ValueNorm = b.Norm
		b.Output.Softcap = 30
		const streams, start, sparse = 4, 20, 10
		b.perLayer(256)
		b.Input.Streams = streams
		local := b.LocalRope(10000)
		b.Each(func(i int) Layer {
			a := b.local(i, local)
			b.shareKV(i, start, a)
			net := b.Net(i)
			if i < sparse {
				net.Sparsity = 1.6448533535003662 // the 95th percentile of a normal distribution
			}
			half := inverseRoot(2)
			return Layer{Steps: []Step{
				{Branches: []Branch{{Op: &Predict{Streams: streams, Norm: b.Norm.As("altup_router_norm")}}}, Replace: true},
				{Keep: half, Branches: []Branch{
					{Norm: b.Norm.As("attn_norm"), Op: a, Post: b.Norm.As("post_attention_norm"), Scale: half},
					{Norm: b.Norm.As("attn_norm"), Op: &Laurel{Rank: 64, Norm: b.Norm.As("laurel_post_norm")}, Scale: half},
				}},
				{Branches: []Branch{{Norm: b.Norm.As("ffn_norm"), Op: net, Post: b.Norm.As("post_ffw_norm")}}},
				{Branches: []Branch{{Op: &Correct{Streams: streams, Dim: b.Input.PerLayer.Dim,
					Router: b.Norm.As("altup_router_norm"), Norm: b.Norm.As("post_norm")}}}, Replace: true},
			}}
		})
	}, "gemma3n")
}
