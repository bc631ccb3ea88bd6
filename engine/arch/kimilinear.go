package arch

import "strconv"

// Kimi Linear: delta attention in most layers, latent attention without rotation in the others, DeepSeek's experts.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Output.Need = true
		b.Dense.Bias = Never
		mla := b.ReadMLA()
		dim := b.Int("kda.head_dim", 0, 1, maxWidth)
		kernel := b.Int("ssm.conv_kernel", 0, 1, maxKernel)
		moe := b.DeepExperts(SelectSame)
		moe.SelectBias, moe.Norm = Required, true
		moe.Shared = b.SharedExpert(moe.Hidden * max(1, b.Int("expert_shared_count", 0, 0, maxExperts)))
		b.Each(func(i int) Layer {
			if !b.Recurrent(i) {
				return b.Pre(b.LatentAt(i, mla), b.DenseFirst(i, moe))
			}
			if b.Heads[i] == 0 || tooWide(b.Heads[i], dim) {
				b.Problem("attention.head_count", strconv.Itoa(b.Heads[i])+" heads of "+strconv.Itoa(dim)+" elements")
			}
			kda := &Delta{Form: KDA, KeyHeads: b.Heads[i], Heads: b.Heads[i], Dim: dim, Kernel: kernel, Norm: b.Norm.As("ssm_norm")}
			kda.Fused = b.HasIn(i, "attn_qkv.weight")
			return b.Pre(kda, b.DenseFirst(i, moe))
		})
	}, "kimi-linear")
}
