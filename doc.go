// Package kernels is the arithmetic of Straw: dot products of packed rows with activations, and the float32 functions a
// forward pass needs. It imports nothing of ours, knows no file and no tensor, only bytes and numbers.
//
// # One result
//
// Every function has one exact definition, its portable form in Go, which is compiled on every platform. A faster form
// (assembly, WebAssembly) gives the same bits. That needs three rules:
//
//   - A product and a sum are rounded separately: float32(a*b) + c, where the conversion forbids a fused
//     multiply-add (Go specification, "Floating-point operators").
//   - No function of package math whose bits depend on the platform (Exp, Tanh, Sin, Pow...). Sqrt and the
//     roundings are exact by IEEE 754 and allowed.
//   - The order of additions is fixed, and independent of how rows and columns are cut into pieces.
//
// # Integer form
//
// Activations are rounded to int8 in blocks (Q8: 32 elements, Q8K: 256), each with a float32 scale dx. A row's dot
// product has one float32 accumulator that starts at zero and takes its blocks in order:
//
//	acc = acc + float32(float32(isum) * float32(dw*dx))
//
// where isum is the block's exact integer sum and dw the block's scale. Types with a minimum or an offset (Q4_1, Q5_1,
// Q2_K, Q4_K, Q5_K) add one term that has both parts:
//
//	acc = acc + (float32(float32(isum)*float32(dw*dx)) ± float32(float32(msum)*float32(mw*dx)))
//
// Sub-block scales of the K types are integers and belong to isum (isum = Σ scale_j * Σ q_i * x_i) and msum (Σ min_j *
// Σ x_i): both fit in an int32 whatever the bytes are, so they need no rounding before the conversion to float32.
// SIMD lanes are rows or columns, never parts of a row's float sum.
//
// # Float form
//
// Float weights, and those types that are multiplied after dequantization, use 16 accumulators: element i is added to
// lane i mod 16, lanes are then added in halves (lane j + lane j+8, then +4, +2, +1). See Dot.
//
// # Forms
//
// kernels.go holds the form in use of each function; it starts as the generic one, and stays so with the build tag purego.
// On amd64 two sets replace it:
//
//   - AVX2 (with F16C): eight packed rows a step for one column; a row's blocks stay in order since lanes are rows.
//     Types with grids, and the ternary ones, are unpacked to int8 first.
//   - AVX-512 with VNNI: eight rows a step for 4- and 5-bit types; from four columns and sixteen rows on a tile of sixteen
//     rows is unpacked once so that lanes are rows, then multiplied with four columns at a time. Nothing is repacked for good.
//
// On arm64 NEON does the float form and, with the dot product instructions, rows of Q8_0, Q4_0, Q4_K and Q6_K, four at once.
package kernels
