// Package simd computes with the modules of package kernels in place of Go's portable forms: the products of packed rows,
// and what else is slow without SIMD.
package simd

import (
	"unsafe"

	"straw/quant"
	"straw/wasm/kernels"
)

// Call calls a function of a kernel module whose memory is the program's own; what the parameters mean, the function says.
type Call func(f kernels.Function, p, q, r unsafe.Pointer, a, b, c, d int32)

func pointer[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// functions are the multiplications by the code of the rows' type, counted from 1; 0 is none.
var functions = [...]kernels.Function{
	quant.F32:    1 + kernels.MulF32,
	quant.F16:    1 + kernels.MulF16,
	quant.BF16:   1 + kernels.MulBF16,
	quant.Q4_0:   1 + kernels.MulQ4_0,
	quant.Q4_1:   1 + kernels.MulQ4_1,
	quant.Q5_0:   1 + kernels.MulQ5_0,
	quant.Q5_1:   1 + kernels.MulQ5_1,
	quant.Q8_0:   1 + kernels.MulQ8_0,
	quant.IQ4_NL: 1 + kernels.MulIQ4_NL,
	quant.MXFP4:  1 + kernels.MulMXFP4,
	quant.Q2_K:   1 + kernels.MulQ2_K,
	quant.Q3_K:   1 + kernels.MulQ3_K,
	quant.Q4_K:   1 + kernels.MulQ4_K,
	quant.Q5_K:   1 + kernels.MulQ5_K,
	quant.Q6_K:   1 + kernels.MulQ6_K,
	quant.IQ4_XS: 1 + kernels.MulIQ4_XS,
}

// multiplication is the function that multiplies rows of type t, if there is one.
func multiplication(t quant.Type) (kernels.Function, bool) {
	if int(t) >= len(functions) || functions[t] == 0 {
		return 0, false
	}
	return functions[t] - 1, true
}

// roundings are the functions that round activations to a form, and what they write.
var roundings = [...]struct {
	round kernels.Function
	bytes func(values int) int
}{
	quant.FormQ8:  {kernels.RoundQ8, func(v int) int { return 3*v + 8*(v/32) }},
	quant.FormQ8K: {kernels.RoundQ8K, func(v int) int { return 3*v + 36*(v/256) }},
}
