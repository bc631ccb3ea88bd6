//go:build !purego

package kernels

// Kernels of eight rows; see rows8.

//go:noescape
func rows8Q4_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q4_1AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q5_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q5_1AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q8_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8IQ4_NLAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8MXFP4AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8NVFP4AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q1_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q2_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q4_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q4_1VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q5_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8Q5_1VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8IQ4_NLVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func rows8MXFP4VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
