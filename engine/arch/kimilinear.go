package arch

import "strconv"

// Kimi Linear: delta attention in most layers, latent attention without rotation in the others, DeepSeek's experts.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Output.Need = true
		b.Dense.Bias = Never
		mla := b.ReadMLA()
		kda := b.kda()
		moe := b.DeepExperts(SelectSame)
		moe.SelectBias, moe.Norm = Required, true
		moe.Shared = b.SharedExpert(moe.Hidden * max(1, b.Int("expert_shared_count", 0, 0, maxExperts)))
		b.Each(func(i int) Layer {
			if !b.Recurrent(i) {
				return b.Pre(b.LatentAt(i, mla), b.DenseFirst(i, moe))
			}
			return b.Pre(b.kdaAt(i, kda), b.DenseFirst(i, moe))
		})
	}, "kimi-linear")
}

// kda reads the keys of delta attention.
func (b *Base) kda() Delta {
	return Delta{
		Form:   KDA,
		Dim:    b.Int("kda.head_dim", 0, 1, maxWidth),
		Kernel: b.Int("ssm.conv_kernel", 0, 1, maxKernel),
		Norm:   b.Norm.As("ssm_norm"),
	}
}

// kdaAt is d for layer i.
func (b *Base) kdaAt(i int, d Delta) *Delta {
	if d.Heads = b.Heads[i]; d.Heads == 0 || tooWide(d.Heads, d.Dim) {
		b.Problem("attention.head_count", strconv.Itoa(d.Heads)+" heads of "+strconv.Itoa(d.Dim)+" elements in layer "+strconv.Itoa(i))
	}
	d.KeyHeads = d.Heads
	d.Fused = b.HasIn(i, "attn_qkv.weight")
	return &d
}
