//go:build !purego

package kernels

import "unsafe"

// mix4F32AVX512 is, n being in 1 to 64 and rows > 0:
//
//	for i := range 4 {
//		for j := range rows {
//			for d := range n {
//				dst[i*dim+d] += float32(w[i*stride+j] * v[j*dim+d])
//			}
//		}
//	}
//
//go:noescape
func mix4F32AVX512(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)

// mix4F16AVX512 is mix4F32AVX512 with F16(v[j*dim+d]).
//
//go:noescape
func mix4F16AVX512(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)

// mix1F32AVX512 is mix4F32AVX512 for i = 0 alone.
//
//go:noescape
func mix1F32AVX512(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)

// mix1F16AVX512 is mix4F16AVX512 for i = 0 alone.
//
//go:noescape
func mix1F16AVX512(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)

// mix4F32AVX2 is mix4F32AVX512 with n = 16.
//
//go:noescape
func mix4F32AVX2(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)

// mix4F16AVX2 is mix4F16AVX512 with n = 16.
//
//go:noescape
func mix4F16AVX2(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)

// mixForm is Mix in some rows' type: sums of up to width elements, of four queries and of one.
type mixForm struct {
	four, one func(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)
	width     int
	size      int // bytes of an element
}

// mix is Mix for rows of values.
func (f *mixForm) mix(dst, weights []float32, stride int, values unsafe.Pointer, dim, rows int) {
	queries, i := len(dst)/dim, 0
	for part := f.four; i < queries; {
		step := 4
		if i+4 > queries {
			part, step = f.one, 1
		}
		for at := 0; at < dim; at += f.width {
			part(&dst[i*dim+at], &weights[i*stride], stride, unsafe.Add(values, at*f.size), dim, rows, min(f.width, dim-at))
		}
		i += step
	}
}

var (
	mixFormF32 = mixForm{mix4F32AVX512, mix1F32AVX512, 64, 4}
	mixFormF16 = mixForm{mix4F16AVX512, mix1F16AVX512, 64, 2}
)

func mixAVX512(dst, weights []float32, stride int, values []float32, dim int) {
	mixFormF32.mix(dst, weights, stride, unsafe.Pointer(&values[0]), dim, len(values)/dim)
}

func mixF16AVX512(dst, weights []float32, stride int, values []byte, dim int) {
	mixFormF16.mix(dst, weights, stride, unsafe.Pointer(&values[0]), dim, len(values)/(2*dim))
}

func mixAVX2(dst, weights []float32, stride int, values []float32, dim int) {
	rows := len(values) / dim
	if dim%16 == 0 {
		for ; len(dst) >= 4*dim; dst, weights = dst[4*dim:], weights[min(4*stride, len(weights)):] {
			for at := 0; at < dim; at += 16 {
				mix4F32AVX2(&dst[at], &weights[0], stride, unsafe.Pointer(&values[at]), dim, rows, 16)
			}
		}
	}
	for ; len(dst) >= dim; dst = dst[dim:] {
		for j := range rows {
			axpyNative(dst[:dim], weights[j], values[j*dim:(j+1)*dim])
		}
		weights = weights[min(stride, len(weights)):]
	}
}

func mixF16AVX2(dst, weights []float32, stride int, values []byte, dim int) {
	rows := len(values) / (2 * dim)
	if dim%16 == 0 {
		for ; len(dst) >= 4*dim; dst, weights = dst[4*dim:], weights[min(4*stride, len(weights)):] {
			for at := 0; at < dim; at += 16 {
				mix4F16AVX2(&dst[at], &weights[0], stride, unsafe.Pointer(&values[2*at]), dim, rows, 16)
			}
		}
	}
	if len(dst) >= dim {
		mixDecoded(dst, weights, stride, values, dim, decodeF16Native, axpyNative)
	}
}
