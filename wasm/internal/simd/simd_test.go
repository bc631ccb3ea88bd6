//go:build js

package simd

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"syscall/js"
	"testing"
	"unsafe"

	"straw/quant"
	"straw/wasm/emit"
	"straw/wasm/kernels"
)

// hosted is the modules that fit the program's memory and the processor.
func hosted() []string {
	if byteDot() {
		return []string{"simd", "relaxed", "dot"}
	}
	return []string{"simd", "relaxed"}
}

// byteDot says whether the processor's relaxed dot product is the one that the module dot is for; see
// web/src/kernels/features.ts.
func byteDot() bool {
	m := &emit.Module{Memory: emit.Memory{From: "env", Name: "memory", Min: 1}}
	f := m.Func("f", emit.I32, emit.I32)
	a, b := emit.Splat32(f.Param(0)), emit.Splat32(f.Param(1))
	f.Return(emit.Lane32(emit.RelaxedDot8Add(a, b, emit.Ints32(0)), 0))
	module := compiled(m.Bytes())
	got := instance(module).Get("exports").Call("f", 0x7f7f7f7f, -1).Int()
	return got == 4*127*255
}

// forEachModule runs test with every module that can run here.
func forEachModule(t *testing.T, test func(t *testing.T, call Call)) {
	for _, name := range hosted() {
		t.Run(name, func(t *testing.T) { test(t, instantiate(t, name)) })
	}
}

// instantiate is a module over the program's memory.
func instantiate(t testing.TB, name string) Call {
	t.Helper()
	code, err := kernels.Modules.ReadFile(name + ".wasm")
	if err != nil {
		t.Fatal(err)
	}
	module := compiled(code)
	functions := instance(module).Get("exports")
	var exports []js.Value
	for i, list := 0, js.Global().Get("WebAssembly").Get("Module").Call("exports", module); i < list.Length(); i++ {
		exports = append(exports, functions.Get(list.Index(i).Get("name").String()))
	}
	return func(f kernels.Function, p, q, r unsafe.Pointer, a, b, c, d int32) {
		exports[f].Invoke(uintptr(p), uintptr(q), uintptr(r), a, b, c, d)
	}
}

func compiled(code []byte) js.Value {
	bytes := js.Global().Get("Uint8Array").New(len(code))
	js.CopyBytesToJS(bytes, code)
	return js.Global().Get("WebAssembly").Get("Module").New(bytes)
}

func instance(module js.Value) js.Value {
	env := map[string]any{"memory": js.Global().Get("goMemory")}
	return js.Global().Get("WebAssembly").Get("Instance").New(module, map[string]any{"env": env})
}

// fill writes random bytes to w, by kind: 0 any, 1 all ones (largest numbers, NaN), 2 zero, 3 sign bits, 4 subnormal
// binary16 everywhere.
func fill(r *rand.Rand, w []byte, kind int) {
	for i := range w {
		w[i] = []byte{byte(r.Uint32()), 0xff, 0, 0x80, byte(r.Uint32())}[kind]
	}
	for i := 0; kind == 4 && i+2 <= len(w); i += 2 {
		binary.LittleEndian.PutUint16(w[i:], uint16(r.Uint32())&0x83ff)
	}
}

// numbers is n of them, at an address that is no multiple of 16; extreme has some that rounding treats on their own.
func numbers(r *rand.Rand, n int, extreme bool) []float32 {
	x := make([]float32, n+3)[3:]
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	if extreme {
		for _, v := range []float32{float32(math.NaN()), float32(math.Inf(-1)), 0x1p-149, 0x1p-120} {
			x[r.IntN(n)] = v
		}
		clear(x[:min(n, 300)/2])
	}
	return x
}

func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func TestMul(t *testing.T) {
	forEachModule(t, func(t *testing.T, call Call) {
		for typ := range quant.Type(len(functions)) {
			f, ok := multiplication(typ)
			if !ok {
				continue
			}
			t.Run(typ.String(), func(t *testing.T) {
				r := rand.New(rand.NewPCG(7, uint64(typ)))
				for _, c := range []struct{ blocks, rows, columns int }{
					{1, 1, 1}, {1, 4, 1}, {21, 5, 3}, {46, 3, 1}, {64, 2, 2}, {2, 7, 3}, {3, 9, 2}, {4, 5, 4}, {7, 8, 9}, {16, 6, 1}, {3, 16, 4}, {2, 13, 11}, {5, 3, 8},
				} {
					for kind := range 5 {
						k := c.blocks * typ.BlockElems()
						w := make([]byte, kind+c.rows*typ.Bytes(k))[kind:]
						fill(r, w, kind)
						x := numbers(r, c.columns*k, kind == 3)
						if err := compare(call, f, typ, w, x, c.rows, k, c.columns); err != nil {
							t.Fatalf("%d rows of %d, %d columns, filling %d: %v", c.rows, k, c.columns, kind, err)
						}
					}
				}
			})
		}
	})
}

func compare(call Call, f kernels.Function, typ quant.Type, w []byte, x []float32, rows, k, columns int) error {
	const guard = 12345
	stride := rows + 3
	got, want := make([]float32, columns*stride), make([]float32, columns*stride)
	for i := range got {
		got[i], want[i] = guard, guard
	}
	var a quant.Activations
	a.Set(typ.Form(), x, k)
	quant.MulRows(want, stride, typ, w, k, &a)
	at := unsafe.Pointer(&x[0])
	if form := typ.Form(); form != quant.FormF32 {
		r := &roundings[form]
		rounded := make([]byte, r.bytes(columns*k))
		call(r.round, unsafe.Pointer(&rounded[0]), at, nil, int32(k), int32(columns), 0, 0)
		at = unsafe.Pointer(&rounded[0])
	}
	call(f, unsafe.Pointer(&got[0]), unsafe.Pointer(&w[0]), at, int32(stride), int32(rows), int32(k), int32(columns))
	for i := range want {
		if !same(got[i], want[i]) {
			return fmt.Errorf("row %d, column %d is %v, want %v", i%stride, i/stride, got[i], want[i])
		}
	}
	return nil
}

// TestModules: the functions are numbered as the modules export them.
func TestModules(t *testing.T) {
	forEachModule(t, func(t *testing.T, call Call) {})
	code, err := kernels.Modules.ReadFile("relaxed-shared.wasm")
	if err != nil || !strings.HasPrefix(string(code), "\x00asm") {
		t.Error(err)
	}
}
