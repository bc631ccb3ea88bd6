package quant

// Q6_K: 256 elements in 210 bytes, 16 groups of 16 (ggml-common.h, block_q6_K). Each half of the block, 128 elements,
// has 64 bytes of ql and 32 of qh; its element 32*j + l has
//
//	0    ql      low 4 bits: a half of byte l + 32*(j mod 2), the high half for j >= 2
//	128  qh      high 2 bits: bits 2j and 2j+1 of byte l
//	192  scales  16 int8, one a group
//	208  d       binary16
//
// y = (d*scale) * (q - 32)

func dequantizeQ6_K(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[256:], src[210:] {
		d := half(src, 208)
		for g, s := range src[192:208] {
			scale := d * float32(int8(s))
			j := g / 2 % 4
			low, high := src[g/8*64+j%2*32+g%2*16:], src[128+g/8*32+g%2*16:]
			for i := range 16 {
				q := int(low[i]>>(j/2*4)&15) | int(high[i]>>(2*j)&3)<<4
				dst[16*g+i] = scale * float32(q-32)
			}
		}
	}
}
