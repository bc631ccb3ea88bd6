package emit_test

import (
	"syscall/js"
	"testing"
)

// TestRun: the host takes the example's module and computes with it.
func TestRun(t *testing.T) {
	code := sum().Bytes()
	source := js.Global().Get("Uint8Array").New(len(code))
	js.CopyBytesToJS(source, code)
	wasm := js.Global().Get("WebAssembly")
	memory := wasm.Get("Memory").New(map[string]any{"initial": 1})
	instance := wasm.Get("Instance").New(wasm.Get("Module").New(source), map[string]any{"env": map[string]any{"memory": memory}})
	numbers := js.Global().Get("Float32Array").New(memory.Get("buffer"))
	for i, v := range []float64{0.5, 1.25, -3, 100} {
		numbers.SetIndex(i+1, v)
	}
	for n, want := range []float64{0, 0.5, 1.75, -1.25, 98.75} {
		if got := instance.Get("exports").Call("sum", 4, n).Float(); got != want {
			t.Errorf("the sum of %d numbers is %v, want %v", n, got, want)
		}
	}
}
