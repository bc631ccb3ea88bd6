//go:build js

// Runner is the program of the worker that works on a model: the viewer's methods, load, generate, logits and what else a session can do, what needs chat templates, and
// what reads or writes whole files (stats, hash, compare, plan and save). The page fetches it when someone wants one of these.
package main

import (
	"context"
	"maps"
	"unsafe"

	"straw/wasm/internal/bench"
	"straw/wasm/internal/browser"
	"straw/wasm/internal/look"
	"straw/wasm/internal/run"
	"straw/wasm/internal/simd"
	"straw/wasm/internal/worker"
	"straw/wasm/kernels"
)

//go:wasmimport straw call
func call(f int32, p, q, r unsafe.Pointer, a, b, c, d int32)

//go:wasmimport straw multiply
func multiply(job unsafe.Pointer)

//go:wasmimport straw write
func write(memory, at int32, from unsafe.Pointer, n int32)

//go:wasmimport straw read
func read(memory, at int32, to unsafe.Pointer, n int32)

func main() {
	host := simd.Imports{
		Call: func(f kernels.Function, p, q, r unsafe.Pointer, a, b, c, d int32) {
			call(int32(f), p, q, r, a, b, c, d)
		},
		Multiply: multiply, Write: write, Read: read,
	}
	start := func(ctx context.Context, backend string, threads int) (m run.Machine, err error) {
		var b *simd.Banked
		if b, m.Name, m.Reason, err = simd.Start(ctx, host, backend, threads); b != nil {
			m.Backend, m.Run = b, simd.Run
		}
		return m, err
	}
	viewer := look.New(browser.Open)
	methods := run.New(viewer, start, run.Files{Create: browser.Create, Read: browser.Read}).Methods()
	maps.Copy(methods, bench.New(viewer, browser.Open, browser.Create).Methods())
	worker.Serve("runner", methods)
}
