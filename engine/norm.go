package engine

import (
	kernels "straw"
	"straw/engine/arch"
)

// norm is a normalization with its weights, nil where it has none.
type norm struct {
	arch.Norm
	weight, bias []float32
}

// apply normalizes x into dst, which may be x.
func (n *norm) apply(dst, x []float32) {
	switch n.Kind {
	case arch.RMS:
		kernels.RMSNorm(dst, x, n.weight, n.Eps)
		if n.bias != nil {
			addTo(dst, n.bias)
		}
	case arch.LN:
		kernels.LayerNorm(dst, x, n.weight, n.bias, n.Eps)
	default:
		copy(dst, x)
	}
}

// headNorm is a normalization of the heads of q or k.
type headNorm struct {
	norm
	over arch.Over
	dim  int // of a head
}

func newHeadNorm(w *layerWeights, n arch.HeadNorm, dim int) headNorm {
	return headNorm{w.norm(n.Norm), n.Over, dim}
}

// apply normalizes x [heads, dim].
func (n *headNorm) apply(x []float32) {
	switch {
	case n.Kind == arch.NoNorm:
	case n.over == arch.Whole:
		n.norm.apply(x, x)
	case n.over == arch.Head:
		for ; len(x) > 0; x = x[n.dim:] {
			n.norm.apply(x[:n.dim], x[:n.dim])
		}
	case n.over == arch.HeadScales:
		one := n.norm
		one.weight = nil
		for i, w := range n.weight {
			head := x[i*n.dim:][:n.dim]
			one.apply(head, head)
			multiply(head, w)
		}
	default:
		one := n.norm
		for at := 0; at < len(x); at += n.dim {
			one.weight = n.weight[at:][:n.dim]
			if n.bias != nil {
				one.bias = n.bias[at:][:n.dim]
			}
			one.apply(x[at:][:n.dim], x[at:][:n.dim])
		}
	}
}
