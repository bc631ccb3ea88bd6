package simd

import (
	"unsafe"

	"straw/engine"
	"straw/quant"
)

// tile is the bytes of packed rows that are multiplied with all columns before the next ones are looked at: they stay in
// a core's cache.
const tile = 64 << 10

// Backend multiplies weights that are in the program's memory by SIMD, on one thread.
type Backend struct {
	engine.Backend // of one goroutine, for rows of types that the modules do not know
	call           Call
	name           string

	x       []float32 // columns of k
	k       int
	rounded [3][]byte // x in each form
	have    [3]bool
}

// New is a backend that calls the functions of a module.
func New(name string, call Call) *Backend {
	return &Backend{Backend: engine.NewCPU(1), call: call, name: name}
}

func (b *Backend) Name() string { return b.name }

func (b *Backend) Load(x []float32, k int) {
	b.Backend.Load(x, k)
	b.x, b.k, b.have = x, k, [3]bool{}
}

func (b *Backend) Mul(dst []float32, stride int, t quant.Type, w []byte) {
	f, ok := multiplication(t)
	if !ok || len(b.x) == 0 || len(w) == 0 {
		b.Backend.Mul(dst, stride, t, w)
		return
	}
	x, columns := b.columns(t.Form()), len(b.x)/b.k
	bytes := t.Bytes(b.k)
	rows := len(w) / bytes
	step := rows
	if columns > 4 {
		step = max(tile/bytes&^3, 4)
	}
	for lo := 0; lo < rows; lo += step {
		n := min(step, rows-lo)
		b.call(f, unsafe.Pointer(&dst[lo]), unsafe.Pointer(&w[lo*bytes]), x, int32(stride), int32(n), int32(b.k), int32(columns))
	}
}

// columns is x in a form, as the functions want it.
func (b *Backend) columns(form quant.Form) unsafe.Pointer {
	if form == quant.FormF32 {
		return pointer(b.x)
	}
	r := &roundings[form]
	if !b.have[form] {
		b.have[form] = true
		if n := r.bytes(len(b.x)); len(b.rounded[form]) < n {
			b.rounded[form] = make([]byte, n)
		}
		b.call(r.round, pointer(b.rounded[form]), pointer(b.x), nil, int32(b.k), int32(len(b.x)/b.k), 0, 0)
	}
	return pointer(b.rounded[form])
}
