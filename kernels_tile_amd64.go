//go:build !purego

package kernels

import "sync"

// A tile is sixteen rows of 32-element blocks, unpacked so that lanes are rows: for each block
//
//	[8][16][4]byte  element 4*e+j of row r at [e][r][j], plus the type's offset, so that it is not negative
//	[16]float32     scales
//	[16]float32     minima, or the scales of the last 16 elements: only types that have them
//
// It is unpacked once for all columns, which pays from four columns on.
const (
	tileRows       = 16
	tileColumns    = 4
	tileBlockBytes = 8*16*4 + 16*4
	tileTwoBytes   = 8*16*4 + 2*16*4
)

// unpackTile writes the tile of the sixteen rows at w, rowBytes apart (times 15 less than 2^31) and blocks > 0 long. It
// reads nothing outside the blocks.
type unpackTile func(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileQ8_0(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileQ4_0(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileQ5_0(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileIQ4_NL(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileMXFP4(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileQ1_0(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileQ2_0(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileQ4_1(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileQ5_1(tile, w *byte, rowBytes, blocks int)

//go:noescape
func tileNVFP4(tile, w *byte, rowBytes, blocks int)

// mulTile4 multiplies a tile with four columns of a Q8, k elements apart:
//
//	for c := range 4 {
//		for r := range 16 {
//			acc := float32(0)
//			for i := range blocks {
//				isum := -offset * sum[c*blocks+i]
//				for e := range 8 {
//					for j := range 4 {
//						isum += int32(tile[i].q[e][r][j]) * int32(q[c*k+32*i+4*e+j])
//					}
//				}
//				acc += float32(float32(isum) * float32(tile[i].d[r]*d[c*blocks+i]))
//			}
//			dst[c*stride+r] = acc
//		}
//	}
//
//go:noescape
func mulTile4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

// mulTileSum4 is mulTile4 for tiles with minima, with the terms of block32; offset does not count.
//
//go:noescape
func mulTileSum4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

// mulTileTwo4 is mulTile4 for tiles with two scales, with the terms of genericMulNVFP4; sum does not count.
//
//go:noescape
func mulTileTwo4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

// tileShape is the geometry of a type and of its tiles.
type tileShape struct {
	groups, blockBytes int // of a block in the file: how often 32 elements, bytes
	tileBytes          int // of 32 elements of a tile
	offset             int // of a tile's elements
}

// tiles holds the memory of tiles between calls, *[]byte.
var tiles = sync.Pool{New: func() any { return new([]byte) }}

// nativeTile is the multiplication by way of tiles, by few where there are too few rows or columns for that.
func nativeTile(t tileShape, unpack unpackTile, mul func(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int), few func(dst []float32, stride int, w []byte, x *Q8)) func(dst []float32, stride int, w []byte, x *Q8) {
	return func(dst []float32, stride int, w []byte, x *Q8) {
		n := x.K / 32
		rowBytes := n / t.groups * t.blockBytes
		if !throughTiles(dst, stride, w, rowBytes, x.Columns(), n*t.tileBytes, func(tile *byte, row int) {
			unpack(tile, &w[row*rowBytes], rowBytes, n/t.groups)
		}, func(dst *float32, tile *byte, c int) {
			mul(dst, stride, tile, &x.Q[c*x.K], x.K, &x.D[c*n], &x.Sum[c*n], n, t.offset)
		}) {
			few(dst, stride, w, x)
		}
	}
}

// throughTiles covers rows and columns by tiles: unpack(tile, row) for sixteen rows from row on, then mul(dst, tile, c)
// for every four columns from c on. It reports false, and does nothing, if there are too few of either. The last rows and
// columns overlap those before: the same results are written twice.
func throughTiles(dst []float32, stride int, w []byte, rowBytes, columns, tileBytes int, unpack func(tile *byte, row int), mul func(dst *float32, tile *byte, c int)) bool {
	if columns < tileColumns || len(w) < tileRows*rowBytes || tileRows*rowBytes > 1<<31-1 {
		return false
	}
	buffer := tiles.Get().(*[]byte)
	defer tiles.Put(buffer)
	*buffer = resize(*buffer, tileBytes)
	tile := &(*buffer)[0]
	rows := len(w) / rowBytes
	for row := 0; row < rows; row += tileRows {
		row := min(row, rows-tileRows)
		unpack(tile, row)
		for c := 0; c < columns; c += tileColumns {
			c := min(c, columns-tileColumns)
			_ = dst[(c+tileColumns-1)*stride+row+tileRows-1] // what mul writes last is there
			mul(&dst[c*stride+row], tile, c)
		}
	}
	return true
}
