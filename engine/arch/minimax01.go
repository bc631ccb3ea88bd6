package arch

import "strconv"

// MiniMax 01: linear attention with a constant decay in most layers, attention in the others, experts. What is kept of
// the stream is its normalized form.
func init() {
	register(func(b *Base) {
		b.RMS()
		b.Turn(Halves, false)
		b.Attn.OutBias = Never
		keep := float32(b.Float("residual_scale", 0))
		if keep == 0 {
			b.Problem("residual_scale", "missing or 0")
		}
		moe := b.MoE(b.Hidden[0])
		moe.Norm = true
		recurrent := b.recurrentLayers(8)
		b.Each(func(i int) Layer {
			var mixer Op
			if recurrent[i] {
				mixer = b.lightning(i)
			} else {
				mixer = b.At(i)
			}
			l := b.Pre(mixer, b.Layout(i, moe))
			for j := range l.Steps {
				l.Steps[j].Keep, l.Steps[j].KeepNorm = keep, true
			}
			return l
		})
	}, "minimax-01")
}

// Lightning is linear attention with a constant decay (Qin et al. 2024).
type Lightning struct {
	Heads int
	Dim   int     // elements of a head
	Slope float32 // what the heads' slopes, 2^(-8/Heads), 2^(-16/Heads) and so on, are multiplied by
	Norm  Norm    // of all heads' results
}

// lightning is the linear attention of layer i, whose decay is slower the higher the layer.
func (b *Base) lightning(i int) *Lightning {
	slope := 1 + 1e-5
	if b.N > 1 {
		slope -= float64(i) / float64(b.N-1)
	}
	if heads, dim := b.Heads[i], b.Attn.KeyDim; heads == 0 || dim == 0 || tooWide(heads, dim) {
		b.Problem("attention.head_count", strconv.Itoa(heads)+" heads of "+strconv.Itoa(dim)+" elements in layer "+strconv.Itoa(i))
	}
	return &Lightning{Heads: b.Heads[i], Dim: b.Attn.KeyDim, Slope: float32(slope), Norm: b.Norm.As("attn_norm_2")}
}

// Memory is a matrix for each head.
func (l *Lightning) Memory(int) int64 { return int64(l.Heads) * int64(l.Dim) * int64(l.Dim) }

func (l *Lightning) tensors(t *table) {
	width := l.Heads * l.Dim
	t.linear("attn_qkv", 3*width, t.embd, Never)
	t.linear("attn_gate", width, t.embd, Never)
	t.norm(l.Norm, width)
	t.linear("attn_output", t.embd, width, Never)
}
