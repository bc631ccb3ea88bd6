package kernels

// Q1_0 and Q2_0: elements of one or two bits, several times 32 under one scale.

func genericMulQ1_0(dst []float32, stride int, w []byte, x *Q8) {
	mulGroups32(dst, stride, w, x, 4, 18, unpackQ1_0)
}

func genericMulQ2_0(dst []float32, stride int, w []byte, x *Q8) {
	mulGroups32(dst, stride, w, x, 2, 18, unpackQ2_0)
}

func unpackQ1_0(b []block32, w []byte) {
	for g := range b {
		b[g].d = half(w)
		for i := range 32 {
			b[g].q[i] = int8(w[2+4*g+i/8]>>(i%8)&1)*2 - 1
		}
	}
}

func unpackQ2_0(b []block32, w []byte) {
	for g := range b {
		b[g].d = half(w)
		for i := range 32 {
			b[g].q[i] = int8(w[2+8*g+i/4]>>(i%4*2)&3) - 1
		}
	}
}
