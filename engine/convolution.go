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
	past     []float32   // [kernel-1, channels]: the inputs before this batch, the oldest first
}

// newConvolution has the weights of a file, [channels, kernel] in one or several parts; past is its state.
func newConvolution(kernel int, bias, past []float32, weights ...[]float32) convolution {
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

// column is the result [channels] for column t of a batch. The batch's inputs are in[c*stride:][:channels].
func (c *convolution) column(dst, in []float32, stride, t int) {
	dst = dst[:c.channels]
	clear(dst)
	for j, w := range c.taps {
		x := c.input(in, stride, t-len(c.taps)+1+j)
		for i := range dst {
			dst[i] += float32(w[i] * x[i])
		}
	}
	if c.bias != nil {
		addTo(dst, c.bias)
	}
}

// silu is column with SiLU after it.
func (c *convolution) silu(dst, in []float32, stride, t int) {
	c.column(dst, in, stride, t)
	for i, v := range dst[:c.channels] {
		dst[i] = kernels.SiLU(v)
	}
}

// input is the input of column t, which is negative for those before the batch.
func (c *convolution) input(in []float32, stride, t int) []float32 {
	if t < 0 {
		return c.past[(len(c.taps)-1+t)*c.channels:][:c.channels]
	}
	return in[t*stride:][:c.channels]
}

// advance remembers what the next batch needs of n columns.
func (c *convolution) advance(in []float32, stride, n int) {
	for j := range len(c.taps) - 1 {
		copy(c.past[j*c.channels:][:c.channels], c.input(in, stride, n-len(c.taps)+1+j))
	}
}
