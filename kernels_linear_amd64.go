//go:build !purego

package kernels

// Kernels of eight rows that read them one after the other; see rows8 and rows8K. blocks must be 8 to 256, of 256-element
// blocks 4 to 64.

// Rows that these kernels are for: of no fewer elements than they take at a time, and no more than they have room for.
const (
	linearLeast = 8 * 32
	linearMost  = 256 * 32

	linearLeastK = 4 * 256
	linearMostK  = 64 * 256
)

//go:noescape
func linear8Q8_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func linear8Q4_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)

//go:noescape
func linear8Q4_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

//go:noescape
func linear8Q6_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)

// linear8K is the multiplication by linear, or by others where rows are too short or too long for it.
func linear8K(blockBytes int, linear, others rows8K) func(dst []float32, stride int, w []byte, x *Q8K) {
	suited, rest := native8K(blockBytes, linear), native8K(blockBytes, others)
	return func(dst []float32, stride int, w []byte, x *Q8K) {
		if linearLeastK <= x.K && x.K <= linearMostK {
			suited(dst, stride, w, x)
		} else {
			rest(dst, stride, w, x)
		}
	}
}

// linear8 is the multiplication by linear, or by others where rows are too short for it or longer than most elements.
func linear8(most, blockBytes int, linear, others rows8) func(dst []float32, stride int, w []byte, x *Q8) {
	suited, rest := native8(1, blockBytes, linear), native8(1, blockBytes, others)
	return func(dst []float32, stride int, w []byte, x *Q8) {
		if linearLeast <= x.K && x.K <= most {
			suited(dst, stride, w, x)
		} else {
			rest(dst, stride, w, x)
		}
	}
}
