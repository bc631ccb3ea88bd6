package engine

import kernels "straw"

// convolution is a causal convolution along the timeline, of each channel for itself:
//
//	out[t] = bias + sum over j < kernel of taps[j] * in[t-kernel+1+j]
//
// with zeros before the first token. It is what Mamba, delta nets and LFM2 have in front of their mixers.
type convolution struct {
	channels int
	taps     [][]float32 // [kernel][channels], for the oldest input first
	bias     []float32   // [channels], or nil
	past     region      // [kernel-1, channels]: the inputs before this batch, the oldest first
}

// newConvolution has the weights of a file, [channels, kernel] in one or several parts; past is its state.
func newConvolution(kernel int, bias []float32, past region, weights ...[]float32) convolution {
	c := convolution{bias: bias, past: past, taps: make([][]float32, kernel)}
	for _, w := range weights {
		c.channels += len(w) / kernel
	}
	for j := range c.taps {
		for _, w := range weights {
			for i := j; i < len(w); i += kernel {
				c.taps[j] = append(c.taps[j], w[i])
			}
		}
	}
	return c
}

// column is the result [channels] for column t of a pass. The pass's inputs are in[t*stride:][:channels].
func (c *convolution) column(p *pass, dst, in []float32, stride, t int) {
	l := p.lane(t)
	dst = dst[:c.channels]
	clear(dst)
	for j, w := range c.taps {
		x := c.input(l, in, stride, t-len(c.taps)+1+j)
		for i := range dst {
			dst[i] += float32(w[i] * x[i])
		}
	}
	if c.bias != nil {
		addTo(dst, c.bias)
	}
}

// silu is column with SiLU after it.
func (c *convolution) silu(p *pass, dst, in []float32, stride, t int) {
	c.column(p, dst, in, stride, t)
	for i, v := range dst[:c.channels] {
		dst[i] = kernels.SiLU(v)
	}
}

// input is the input of column t of lane l, where t is less than l.from for those before the batch.
func (c *convolution) input(l *lane, in []float32, stride, t int) []float32 {
	if t < l.from {
		return c.past.of(l)[(len(c.taps)-1+t-l.from)*c.channels:][:c.channels]
	}
	return in[t*stride:][:c.channels]
}

// advance remembers what the next batch of each lane needs.
func (c *convolution) advance(p *pass, in []float32, stride int) {
	for i := range p.lanes {
		l := &p.lanes[i]
		past := c.past.of(l)
		for j := range len(c.taps) - 1 {
			copy(past[j*c.channels:][:c.channels], c.input(l, in, stride, l.to-len(c.taps)+1+j))
		}
	}
}
