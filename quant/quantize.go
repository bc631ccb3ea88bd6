package quant

import (
	"strconv"

	kernels "straw"
)

// A quantizer packs all of src, whole blocks, into dst; Quantize has checked the lengths and the values.
var quantizers = [...]func(dst []byte, src []float32){
	F32: quantizeF32, F16: kernels.EncodeF16, BF16: quantizeBF16,
	Q4_0: quantizeQ4_0, Q4_1: quantizeQ4_1, Q5_0: quantizeQ5_0, Q5_1: quantizeQ5_1, Q8_0: quantizeQ8_0,
	Q2_K: quantizeQ2_K, Q3_K: quantizeQ3_K, Q4_K: quantizeQ4_K, Q5_K: quantizeQ5_K, Q6_K: quantizeQ6_K,
	IQ4_NL: quantizeIQ4_NL, IQ4_XS: quantizeIQ4_XS, MXFP4: quantizeMXFP4, TQ1_0: quantizeTQ1_0, TQ2_0: quantizeTQ2_0,
}

// Quantizable reports whether Quantize can write the type: F32, F16, BF16 and those block types that need no
// importance matrix.
func (t Type) Quantizable() bool { return int64(t) < int64(len(quantizers)) && quantizers[t] != nil }

// Quantize packs numbers into blocks of type t so that Dequantize gives back values with a small sum of squared
// differences from src. Lengths are as for Dequantize, len(src) a multiple of t.BlockElems and len(dst) exactly
// t.Bytes(len(src)); else, or when t is not Quantizable, it panics.
//
// The result depends on src alone and is the same on every platform: each block is packed by itself, from IEEE 754
// operations in a fixed order. It does not equal the blocks of llama-quantize; the distance to src is no larger.
//
// F32, F16 and BF16 keep infinities and NaNs. The block types cannot, and their scales end at 65504 as binary16 does:
// a value that is not finite or beyond that, or one that F16 or BF16 would round to infinity, is a *ValueError, and
// dst is then undefined.
func Quantize(t Type, dst []byte, src []float32) error {
	if !t.Quantizable() || len(src)%t.BlockElems() != 0 || len(dst) != t.Bytes(len(src)) {
		panic("quant: Quantize to " + t.String() + ": lengths of elements and bytes disagree, or the type has no quantizer")
	}
	if i := firstBeyond(t, src); i >= 0 {
		return &ValueError{Type: t, Index: i, Value: src[i]}
	}
	quantizers[t](dst, src)
	return nil
}

// ValueError is a value that a type cannot hold.
type ValueError struct {
	Type  Type
	Index int // in src
	Value float32
}

func (e *ValueError) Error() string {
	return "element " + strconv.Itoa(e.Index) + " is " + strconv.FormatFloat(float64(e.Value), 'g', -1, 32) + ", which " + e.Type.String() + " cannot hold"
}

// firstBeyond is the index of the first value that t cannot hold, -1 if there is none.
func firstBeyond(t Type, src []float32) int {
	limit, special := uint32(0x477fe000), false // the bits of 65504
	switch t {
	case F32:
		return -1
	case F16:
		limit, special = 0x477fefff, true // what rounds to 65504
	case BF16:
		limit, special = 0x7f7f7fff, true
	}
	for i, v := range src {
		if b := magnitude(v); b > limit && !(special && b >= 0x7f800000) {
			return i
		}
	}
	return -1
}
