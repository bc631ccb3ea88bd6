package kernels

// TQ1_0 and TQ2_0: elements are -1, 0 or 1 (with two bits also 2), 256 under one scale.

func genericMulTQ1_0(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 54, unpackTQ1_0)
}

func genericMulTQ2_0(dst []float32, stride int, w []byte, x *Q8K) {
	mulBlocks256(dst, stride, w, x, 66, unpackTQ2_0)
}

func unpackTQ1_0(b *block256, w []byte) {
	b.d = half(w[52:])
	for g := range b.scale {
		b.scale[g] = 1
	}
	unpackTernary(b.q[:160], w[:32])
	unpackTernary(b.q[160:240], w[32:48])
	unpackTernary(b.q[240:], w[48:52])
}

// unpackTernary unpacks one run of bytes, as many elements of each as q has room for: a byte is a fraction of 256 in base
// 3, most significant digit first.
func unpackTernary(q []int8, w []byte) {
	for m, b := range w {
		for i := m; i < len(q); i += len(w) {
			q[i] = int8(uint16(b)*3>>8) - 1
			b *= 3
		}
	}
}

func unpackTQ2_0(b *block256, w []byte) {
	b.d = half(w[64:])
	for g := range b.scale {
		b.scale[g] = 1
	}
	for i := range b.q {
		b.q[i] = int8(w[i/128*32+i%32]>>(i/32%4*2)&3) - 1
	}
}
