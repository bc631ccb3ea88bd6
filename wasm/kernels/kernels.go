// Package kernels is the arithmetic of package straw as WebAssembly modules: the same results, bit for bit, by SIMD. The
// modules are made by the program in generate, which documents each function's parameters; there is one for every kind of
// processor and memory:
//
//	simd, simd-shared        fixed-width SIMD
//	relaxed, relaxed-shared  relaxed SIMD as well
//	dot, dot-shared          relaxed SIMD whose dot product takes unsigned bytes, as processors with AVX-VNNI have it
//
// Each imports its memory as env.memory.
package kernels

//go:generate go run ./generate

import "embed"

// Function is the number of a function among a module's exports.
type Function int32

// Modules holds the modules as files: simd.wasm and so on.
//
//go:embed *.wasm
var Modules embed.FS
