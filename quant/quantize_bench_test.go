package quant

import "testing"

// MB/s are of float32 read.
func BenchmarkQuantize(b *testing.B) {
	src := normal(1<<16, 1)
	for typ := range Type(len(quantizers)) {
		if !typ.Quantizable() {
			continue
		}
		b.Run(typ.String(), func(b *testing.B) {
			dst := make([]byte, typ.Bytes(len(src)))
			b.SetBytes(int64(4 * len(src)))
			for b.Loop() {
				if err := Quantize(typ, dst, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
