//go:build !purego

package kernels

import (
	"sync"
	"unsafe"
)

// Types whose blocks are best unpacked before they are multiplied: those with grids, where looking up costs more than
// writing the elements down, and the ternary ones. Unpacked rows serve all columns.

// unpack256 unpacks blocks > 0 blocks at w to b, as the generic function of the type's name does one; min and dmin are
// left as they are, 0. It reads nothing outside the blocks.
type unpack256 func(b *block256, w *byte, blocks int)

//go:noescape
func unpackIQ1_SAVX2(b *block256, w *byte, blocks int)

//go:noescape
func unpackIQ1_MAVX2(b *block256, w *byte, blocks int)

//go:noescape
func unpackIQ2_XXSAVX2(b *block256, w *byte, blocks int)

//go:noescape
func unpackIQ2_XSAVX2(b *block256, w *byte, blocks int)

//go:noescape
func unpackIQ2_SAVX2(b *block256, w *byte, blocks int)

//go:noescape
func unpackIQ3_XXSAVX2(b *block256, w *byte, blocks int)

//go:noescape
func unpackIQ3_SAVX2(b *block256, w *byte, blocks int)

//go:noescape
func unpackTQ1_0AVX2(b *block256, w *byte, blocks int)

//go:noescape
func unpackTQ2_0AVX2(b *block256, w *byte, blocks int)

// rows8Blocks256AVX2 is rows8K for unpacked blocks without minima, rows rowBytes apart.
//
//go:noescape
func rows8Blocks256AVX2(dst *float32, b *block256, rowBytes int, q *int8, d *float32, blocks int)

// tileBlocks256 makes of sixteen rows of unpacked blocks a tile of the kind with an offset, which is 128.
//
//go:noescape
func tileBlocks256(tile, w *byte, rowBytes, blocks, ahead int)

// unpacked holds the memory of unpacked blocks between calls, *[]block256. Nothing writes min and dmin.
var unpacked = sync.Pool{New: func() any { return new([]block256) }}

// nativeUnpacked is the multiplication of rows of blocks of blockBytes by way of unpacked blocks.
func nativeUnpacked(blockBytes int, unpack unpack256) func(dst []float32, stride int, w []byte, x *Q8K) {
	const size = int(unsafe.Sizeof(block256{}))
	return func(dst []float32, stride int, w []byte, x *Q8K) {
		n := x.K / 256
		if n == 0 {
			return
		}
		expandGrids()
		buffer := unpacked.Get().(*[]block256)
		defer unpacked.Put(buffer)
		*buffer = resize(*buffer, tileRows*n)
		b := &(*buffer)[0]
		rowBytes := n * blockBytes
		if wide && throughTiles(dst, stride, w, rowBytes, n, x.Columns(), tileOffBytes, func(tile *byte, row, block, blocks int) {
			for r := range tileRows {
				unpack(&(*buffer)[r*blocks], &w[(row+r)*rowBytes+block*blockBytes], blocks)
			}
			tileBlocks256(tile, (*byte)(unsafe.Pointer(b)), blocks*size, blocks, 0)
		}, func(dst *float32, tile *byte, c, columns, block, blocks int) {
			i := c*n + block
			mulTileOffAny[columns/2](dst, stride, tile, &x.Q[256*i], x.K, &x.D[i], &x.Sums[16*i], blocks, 128)
		}) {
			return
		}
		rows := len(w) / rowBytes
		step, group := 1, 8 // where there are fewer than eight rows they are done one by one
		if rows < 8 {
			step, group = 0, 1
		}
		for row := 0; row < rows; row += group {
			row := min(row, rows-group) // the last eight overlap those before: the same results are written twice
			unpack(b, &w[row*rowBytes], group*n)
			for c := range x.Columns() {
				var eight [8]float32
				rows8Blocks256AVX2(&eight[0], b, step*n*size, &x.Q[c*x.K], &x.D[c*n], n)
				copy(dst[c*stride+row:], eight[:group])
			}
		}
	}
}
