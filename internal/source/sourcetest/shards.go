package sourcetest

import (
	"encoding/binary"
	"fmt"
)

// Shards is a set of n small GGUF shards by name. Shard i has one F32 tensor "ti" of 32 elements, all i.
func Shards(n int) map[string][]byte {
	files := map[string][]byte{}
	for i := range n {
		files[fmt.Sprintf("m-%05d-of-%05d.gguf", i+1, n)] = shard(i, n)
	}
	return files
}

func shard(i, n int) []byte {
	le := binary.LittleEndian
	text := func(b []byte, s string) []byte { return append(le.AppendUint64(b, uint64(len(s))), s...) }
	b := le.AppendUint32([]byte("GGUF"), 3)
	b = le.AppendUint64(b, 1) // tensors
	b = le.AppendUint64(b, 3) // metadata
	for _, kv := range []struct {
		key   string
		value int
	}{{"split.no", i}, {"split.count", n}} {
		b = le.AppendUint16(le.AppendUint32(text(b, kv.key), 2), uint16(kv.value)) // u16
	}
	b = le.AppendUint32(le.AppendUint32(text(b, "split.tensors.count"), 5), uint32(n)) // i32
	b = le.AppendUint32(text(b, fmt.Sprint("t", i)), 1)                                // one dim
	b = le.AppendUint64(b, 32)
	b = le.AppendUint32(b, 0) // F32
	b = le.AppendUint64(b, 0) // offset
	for len(b)%32 != 0 {
		b = append(b, 0)
	}
	for range 32 {
		b = binary.LittleEndian.AppendUint32(b, []uint32{0, 0x3f800000, 0x40000000}[i%3])
	}
	return b
}
