//go:build !purego

package kernels

import "github.com/klauspost/cpuid/v2"

func init() {
	form = "neon" // every arm64 has it; see kernels_float_arm64.go
	if !cpuid.CPU.Supports(cpuid.ASIMDDP) {
		return
	}
	form = "neon-dotprod"
	mulQ4_0 = native8(1, 18, rows8Q4_0NEON)
	mulQ8_0 = native8(1, 34, rows8Q8_0NEON)
	mulQ4_K = native8K(144, rows8Q4_KNEON)
	mulQ6_K = native8K(210, rows8Q6_KNEON)
}

// Kernels of eight rows; see rows8 and rows8K.

//go:noescape
func rows8Q4_0NEON(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q8_0NEON(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q4_KNEON(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q6_KNEON(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
