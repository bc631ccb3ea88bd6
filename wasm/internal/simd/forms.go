//go:build js

package simd

import (
	"math"
	"unsafe"

	kernels "straw"
	modules "straw/wasm/kernels"
)

// Forms are the functions of package straw that the module has.
func Forms(call Call) kernels.Forms {
	mul := func(f modules.Function, bytes int) func(dst []float32, stride int, w []byte, x []float32, k int) {
		return func(dst []float32, stride int, w []byte, x []float32, k int) {
			if k <= 0 || len(x) < k || len(w) < bytes*k {
				return
			}
			call(f, pointer(dst), pointer(w), pointer(x), int32(stride), int32(len(w)/(bytes*k)), int32(k), int32(len(x)/k))
		}
	}
	gated := func(f modules.Function) func(dst, gate, up []float32) {
		return func(dst, gate, up []float32) {
			call(f, pointer(dst), pointer(gate), pointer(up), int32(len(dst)), 0, 0, 0)
		}
	}
	mix := func(f modules.Function, dst, weights []float32, stride int, values unsafe.Pointer, rows, dim int) {
		if queries := len(dst) / dim; queries > 0 && rows > 0 {
			call(f, pointer(dst), pointer(weights), values, int32(stride), int32(queries), int32(rows), int32(dim))
		}
	}
	return kernels.Forms{
		MulF32: mul(modules.MulF32, 4), MulF16: mul(modules.MulF16, 2), MulBF16: mul(modules.MulBF16, 2),
		Dots: func(dst []float32, stride int, rows, x []float32, k int) {
			if len(rows) >= k {
				call(modules.MulF32, pointer(dst), pointer(rows), pointer(x), int32(stride), int32(len(rows)/k), int32(k), int32(len(x)/k))
			}
		},
		Mix: func(dst, weights []float32, stride int, values []float32, dim int) {
			mix(modules.Mix, dst, weights, stride, pointer(values), len(values)/dim, dim)
		},
		MixF16: func(dst, weights []float32, stride int, values []byte, dim int) {
			mix(modules.MixF16, dst, weights, stride, pointer(values), len(values)/(2*dim), dim)
		},
		DecodeF16: func(dst []float32, src []byte) {
			call(modules.DecodeF16, pointer(dst), pointer(src), nil, int32(len(dst)), 0, 0, 0)
		},
		Axpy: func(dst []float32, a float32, x []float32) {
			call(modules.Axpy, pointer(dst), pointer(x), nil, int32(len(x)), int32(math.Float32bits(a)), 0, 0)
		},
		Softmax: func(x []float32) {
			if len(x) > 0 {
				call(modules.Softmax, pointer(x), nil, nil, int32(len(x)), 0, 0, 0)
			}
		},
		SiLUMul: gated(modules.SiLUMul), GELUMul: gated(modules.GELUMul),
	}
}
