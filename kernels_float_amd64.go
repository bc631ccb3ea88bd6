//go:build !purego

package kernels

// dot4x4AVX512 is, k > 0 being a multiple of 16:
//
//	for r := range 4 {
//		for c := range 4 {
//			dst[r][c] = genericDot(a[r*k:(r+1)*k], b[c*k:(c+1)*k])
//		}
//	}
//
//go:noescape
func dot4x4AVX512(dst *[4][4]float32, a, b *float32, k int)

// mulDecodedTile is mulDecoded by four rows and four columns at a time; false if there are too few of either.
func mulDecodedTile(dst []float32, stride int, w []byte, rowBytes int, x []float32, k int, decode func([]float32, []byte)) bool {
	if !wide || k <= 0 || k%lanes != 0 || len(x) < 4*k || rowBytes <= 0 || len(w) < 4*rowBytes {
		return false
	}
	buffer := rowBuffers.Get().(*[]float32)
	defer rowBuffers.Put(buffer)
	*buffer = resize(*buffer, 4*k)
	four := *buffer
	var tile [4][4]float32
	rows, columns := len(w)/rowBytes, len(x)/k
	for row := 0; row < rows; row += 4 {
		// The last rows and columns overlap those before: the same results are written twice.
		row := min(row, rows-4)
		for r := range 4 {
			decode(four[r*k:(r+1)*k], w[(row+r)*rowBytes:(row+r+1)*rowBytes])
		}
		for c := 0; c < columns; c += 4 {
			c := min(c, columns-4)
			dot4x4AVX512(&tile, &four[0], &x[c*k], k)
			for r := range 4 {
				for j := range 4 {
					dst[(c+j)*stride+row+r] = tile[r][j]
				}
			}
		}
	}
	return true
}
