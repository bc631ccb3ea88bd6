//go:build !purego

package kernels

// Kernels of eight rows; see rows8K.

//go:noescape
func rows8Q2_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q3_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q4_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q5_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q6_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8IQ4_XSAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8IQ4_XSVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func rows8Q4_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
