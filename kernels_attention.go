package kernels

// Attention takes, for each query, the products with all keys (MulF16, MulQ8_0, or Dots), Softmax, and Mix of the values.
// Each is defined for one query alone, so that queries may be computed together in any number.

// Dots multiplies rows of k elements with the columns of x, [columns][k]: for row r and column c,
// dst[c*stride+r] = Dot(row r, column c). It is MulF32 for rows in memory.
func Dots(dst []float32, stride int, rows, x []float32, k int) {
	if k > 0 && len(x) >= k {
		dots(dst, stride, rows, x, k)
	}
}

// Mix adds to the rows of dst, [queries][dim], the weighted rows of values, [rows][dim], in their order:
//
//	for i := range queries {
//		for j := range rows {
//			Axpy(dst[i*dim:][:dim], weights[i*stride+j], values[j*dim:][:dim])
//		}
//	}
func Mix(dst, weights []float32, stride int, values []float32, dim int) {
	if dim > 0 && len(dst) >= dim && len(values) >= dim {
		mix(dst, weights[:(len(dst)/dim-1)*stride+len(values)/dim], stride, values, dim)
	}
}

// MixF16 is Mix for values in little-endian binary16. They may lie at any address.
func MixF16(dst, weights []float32, stride int, values []byte, dim int) {
	if dim > 0 && len(dst) >= dim && len(values) >= 2*dim {
		mixF16(dst, weights[:(len(dst)/dim-1)*stride+len(values)/(2*dim)], stride, values, dim)
	}
}

func genericDots(dst []float32, stride int, rows, x []float32, k int) {
	for r := 0; (r+1)*k <= len(rows); r++ {
		genericDotColumns(dst[r:], stride, rows[r*k:(r+1)*k], x)
	}
}

func genericMix(dst, weights []float32, stride int, values []float32, dim int) {
	for i := 0; (i+1)*dim <= len(dst); i++ {
		for j := 0; (j+1)*dim <= len(values); j++ {
			genericAxpy(dst[i*dim:(i+1)*dim], weights[i*stride+j], values[j*dim:(j+1)*dim])
		}
	}
}

func genericMixF16(dst, weights []float32, stride int, values []byte, dim int) {
	mixDecoded(dst, weights, stride, values, dim, genericDecodeF16, genericAxpy)
}

// mixDecoded is MixF16 with the forms of its parts given: each row is decoded once for all queries.
func mixDecoded(dst, weights []float32, stride int, values []byte, dim int, decode func([]float32, []byte), axpy func([]float32, float32, []float32)) {
	buffer := rowBuffers.Get().(*[]float32)
	defer rowBuffers.Put(buffer)
	*buffer = resize(*buffer, dim)
	row := *buffer
	for j := 0; len(values) >= 2*dim; j, values = j+1, values[2*dim:] {
		decode(row, values[:2*dim])
		for i := 0; (i+1)*dim <= len(dst); i++ {
			axpy(dst[i*dim:(i+1)*dim], weights[i*stride+j], row)
		}
	}
}
