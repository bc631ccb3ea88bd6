//go:build !purego

package kernels

import "unsafe"

// tile4x4F32AVX512 is, k > 0 being a multiple of 16 and row r the float32 from byte r*size of w on:
//
//	for r := range 4 {
//		for c := range 4 {
//			dst[c*stride+r] = genericDot(row r, x[c*k:(c+1)*k])
//		}
//	}
//
//go:noescape
func tile4x4F32AVX512(dst *float32, stride int, w unsafe.Pointer, size int, x *float32, k int)

// tile4x4F16AVX512 is tile4x4F32AVX512 for binary16 rows.
//
//go:noescape
func tile4x4F16AVX512(dst *float32, stride int, w unsafe.Pointer, size int, x *float32, k int)

// tile4x4BF16AVX512 is tile4x4F32AVX512 for bfloat16 rows.
//
//go:noescape
func tile4x4BF16AVX512(dst *float32, stride int, w unsafe.Pointer, size int, x *float32, k int)

// dots8F32AVX512 is, with k and rows as for tile4x4F32AVX512:
//
//	for r := range 8 {
//		dst[r] = genericDot(row r, x[:k])
//	}
//
//go:noescape
func dots8F32AVX512(dst *float32, w unsafe.Pointer, size int, x *float32, k int)

// dots8F16AVX512 is dots8F32AVX512 for binary16 rows.
//
//go:noescape
func dots8F16AVX512(dst *float32, w unsafe.Pointer, size int, x *float32, k int)

// dots8BF16AVX512 is dots8F32AVX512 for bfloat16 rows.
//
//go:noescape
func dots8BF16AVX512(dst *float32, w unsafe.Pointer, size int, x *float32, k int)

// floatForm is the products of rows of one float type by AVX-512.
type floatForm struct {
	tile func(dst *float32, stride int, w unsafe.Pointer, size int, x *float32, k int)
	dots func(dst *float32, w unsafe.Pointer, size int, x *float32, k int)
	size int // bytes of an element
}

var (
	floatF32  = floatForm{tile4x4F32AVX512, dots8F32AVX512, 4}
	floatF16  = floatForm{tile4x4F16AVX512, dots8F16AVX512, 2}
	floatBF16 = floatForm{tile4x4BF16AVX512, dots8BF16AVX512, 2}
)

// panelBytes is how much of the rows is multiplied with all columns before the next: it stays in a core's second cache.
const panelBytes = 128 << 10

// mul is MulF32 of the form's rows; false if there are too few rows, or k does not fit.
func (f *floatForm) mul(dst []float32, stride int, w unsafe.Pointer, rows int, x []float32, k int) bool {
	if k <= 0 || k%lanes != 0 || rows < 4 || len(x) < k || rows < 8 && len(x) < 4*k {
		return false
	}
	size, columns := k*f.size, len(x)/k
	_ = dst[(columns-1)*stride+rows-1]
	if columns < 4 {
		// The last rows overlap those before: the same results are written twice.
		for c := range columns {
			for r := 0; r < rows; r += 8 {
				r := min(r, rows-8)
				f.dots(&dst[c*stride+r], unsafe.Add(w, r*size), size, &x[c*k], k)
			}
		}
		return true
	}
	panel := max(4, panelBytes/size&^3)
	for from := 0; from < rows; from += panel {
		to := min(from+panel, rows)
		for c := 0; c < columns; c += 4 {
			c := min(c, columns-4)
			for r := from; r < to; r += 4 {
				r := min(r, rows-4)
				f.tile(&dst[c*stride+r], stride, unsafe.Add(w, r*size), size, &x[c*k], k)
			}
		}
	}
	return true
}

func mulF32AVX512(dst []float32, stride int, w []byte, x []float32, k int) {
	if !floatF32.mul(dst, stride, unsafe.Pointer(unsafe.SliceData(w)), rowsOf(w, 4*k), x, k) {
		mulF32Native(dst, stride, w, x, k)
	}
}

func mulF16AVX512(dst []float32, stride int, w []byte, x []float32, k int) {
	if !floatF16.mul(dst, stride, unsafe.Pointer(unsafe.SliceData(w)), rowsOf(w, 2*k), x, k) {
		mulF16Native(dst, stride, w, x, k)
	}
}

func mulBF16AVX512(dst []float32, stride int, w []byte, x []float32, k int) {
	if !floatBF16.mul(dst, stride, unsafe.Pointer(unsafe.SliceData(w)), rowsOf(w, 2*k), x, k) {
		mulBF16Native(dst, stride, w, x, k)
	}
}

// rowsOf is how many rows of size bytes w has.
func rowsOf(w []byte, size int) int {
	if size <= 0 {
		return 0
	}
	return len(w) / size
}

func dotsAVX512(dst []float32, stride int, rows, x []float32, k int) {
	if !floatF32.mul(dst, stride, unsafe.Pointer(unsafe.SliceData(rows)), len(rows)/k, x, k) {
		dotsNative(dst, stride, rows, x, k)
	}
}

// mulDecodedAVX512 is MulDecoded by four rows and four columns at a time.
func mulDecodedAVX512(dst []float32, stride int, w []byte, rowBytes int, x []float32, k int, decode func([]float32, []byte)) {
	rows := rowsOf(w, rowBytes)
	if k <= 0 || k%lanes != 0 || len(x) < 4*k || rows < 4 {
		mulDecodedNative(dst, stride, w, rowBytes, x, k, decode)
		return
	}
	buffer := rowBuffers.Get().(*[]float32)
	defer rowBuffers.Put(buffer)
	*buffer = resize(*buffer, 4*k)
	four, columns := *buffer, len(x)/k
	_ = dst[(columns-1)*stride+rows-1]
	for row := 0; row < rows; row += 4 {
		row := min(row, rows-4)
		for r := range 4 {
			decode(four[r*k:(r+1)*k], w[(row+r)*rowBytes:(row+r+1)*rowBytes])
		}
		for c := 0; c < columns; c += 4 {
			c := min(c, columns-4)
			tile4x4F32AVX512(&dst[c*stride+row], stride, unsafe.Pointer(&four[0]), 4*k, &x[c*k], k)
		}
	}
}
