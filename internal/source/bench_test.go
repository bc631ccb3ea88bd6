package source

import (
	"io"
	"testing"
)

// What watching a file costs: each read is followed by an fstat.
func BenchmarkReadAt(b *testing.B) {
	path := write(b, "m.gguf", make([]byte, 8<<20))
	for name, o := range map[string]Options{"pread": {}, "mapped": {Mapped: true}} {
		at := open(b, path, o).(io.ReaderAt)
		for size, n := range map[string]int{"4K": 4 << 10, "1M": 1 << 20} {
			b.Run(name+"/"+size, func(b *testing.B) {
				p := make([]byte, n)
				b.SetBytes(int64(n))
				for i := range b.N {
					if _, err := at.ReadAt(p, int64(i*n)&(4<<20-1)); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
