package quant

import "encoding/binary"

// dequantizers is indexed by the type's code. Each function decodes all blocks of src, little-endian as in the file,
// into dst; Dequantize has checked that the lengths agree.
var dequantizers = [...]func(dst []float32, src []byte){
	F32: dequantizeF32, F16: dequantizeF16,
	Q8_0: dequantizeQ8_0,
}

// Dequantize decodes packed blocks into numbers, bit for bit as ggml's to_float does. len(dst) must be a multiple of
// t.BlockElems and len(src) exactly t.Bytes(len(dst)); else, or when t is not live, it panics, since that is the
// caller's fault and not the file's. Any bytes are valid: the result may hold infinities and NaNs.
func Dequantize(t Type, dst []float32, src []byte) {
	if !t.Live() || len(dst)%t.BlockElems() != 0 || len(src) != t.Bytes(len(dst)) {
		panic("quant: Dequantize of " + t.String() + ": lengths of elements and bytes disagree")
	}
	dequantizers[t](dst, src)
}

var le = binary.LittleEndian
