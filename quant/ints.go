package quant

// I8, I16, I32, I64: two's complement, rounded to float32.

func dequantizeI8(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = float32(int8(src[i]))
	}
}

func dequantizeI16(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = float32(int16(le.Uint16(src[2*i:])))
	}
}

func dequantizeI32(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = float32(int32(le.Uint32(src[4*i:])))
	}
}

func dequantizeI64(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = float32(int64(le.Uint64(src[8*i:])))
	}
}
