package main

import (
	"encoding/binary"
	"io"
	"math"

	kernels "straw"
	"straw/gguf"
	"straw/quant"
)

// noise is numbers of about a normal distribution: one table, of which tensors take pieces from wandering places. Their
// speed is that of trained weights.
type noise struct {
	table []float32
	state uint64
}

const (
	noiseTable = 1 << 16
	noisePiece = 1 << 12
)

func newNoise() *noise {
	n := &noise{table: make([]float32, noiseTable), state: 1}
	for i := range n.table {
		sum := float32(-6) // of twelve uniform numbers: mean 0, variance 1
		for range 12 {
			sum += float32(n.next()>>40) * 0x1p-24
		}
		n.table[i] = sum
	}
	return n
}

// next is the next number of splitmix64.
func (n *noise) next() uint64 {
	n.state += 0x9e3779b97f4a7c15
	z := n.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// add adds a tensor of noise: a matrix in F16, a vector in F32.
func (n *noise) add(d *gguf.Draft, name string, spread, mean float32, dims []int) error {
	shape := make([]uint64, len(dims))
	elems := 1
	for i, v := range dims {
		shape[i] = uint64(v)
		elems *= v
	}
	t, bytes := quant.F16, 2
	if len(dims) == 1 {
		t, bytes = quant.F32, 4
	}
	return d.Add(name, shape, t, func(w io.Writer) error {
		packed := make([]byte, 0, bytes*noiseTable)
		for _, v := range n.table {
			if v = v*spread + mean; t == quant.F32 {
				packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(v))
			} else {
				packed = binary.LittleEndian.AppendUint16(packed, kernels.ToF16(v))
			}
		}
		for left := elems; left > 0; left -= noisePiece {
			at := int(n.next() % (noiseTable - noisePiece))
			if _, err := w.Write(packed[bytes*at:][:bytes*min(left, noisePiece)]); err != nil {
				return err
			}
		}
		return nil
	})
}

func squareRoot(n int) float32 { return float32(math.Sqrt(float64(n))) }
