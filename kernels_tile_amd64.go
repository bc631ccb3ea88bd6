//go:build !purego

package kernels

import "sync"

// A tile is sixteen rows of 32-element blocks, unpacked so that lanes are rows: for each block
//
//	[8][16][4]byte  element 4*e+j of row r at [e][r][j], plus the type's offset, so that it is not negative
//	[16]float32     scales
//	[16]float32     minima, or the scales of the last 16 elements: only types that have them
//
// It is unpacked once for all columns, a piece of the rows at a time that leaves room in the first cache.
const (
	tileRows       = 16
	tileColumns    = 2        // from which on it pays
	tileRoom       = 24 << 10 // bytes of a piece at most, if it is more than one block
	tileBlockBytes = 8*16*4 + 16*4
	tileTwoBytes   = 8*16*4 + 2*16*4
)

// unpackTile writes the tile of blocks > 0 blocks of the sixteen rows at w, rowBytes apart. It reads nothing outside the
// blocks, but brings sixteen times the blocks' bytes at w+ahead into the cache, whether or not anything is there.
type unpackTile func(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ8_0(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ4_0(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ5_0(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileIQ4_NL(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileMXFP4(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ1_0(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ2_0(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ4_1(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ5_1(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileNVFP4(tile, w *byte, rowBytes, blocks, ahead int)

// mulTile adds the product of a tile with columns of a Q8, k elements apart: for one column, or two, or four,
//
//	for c := range columns {
//		for r := range 16 {
//			for i := range blocks {
//				isum := -offset * sum[c*k/32+i]
//				for e := range 8 {
//					for j := range 4 {
//						isum += int32(tile[i].q[e][r][j]) * int32(q[c*k+32*i+4*e+j])
//					}
//				}
//				dst[c*stride+r] += float32(float32(isum) * float32(tile[i].d[r]*d[c*k/32+i]))
//			}
//		}
//	}
type mulTile func(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

//go:noescape
func mulTile1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

//go:noescape
func mulTile2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

//go:noescape
func mulTile4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

// mulTileSum1 is mulTile1 for tiles with minima, with the terms of block32; offset does not count.
//
//go:noescape
func mulTileSum1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

//go:noescape
func mulTileSum2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

//go:noescape
func mulTileSum4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

// mulTileTwo1 is mulTile1 for tiles with two scales, with the terms of genericMulNVFP4; sum does not count.
//
//go:noescape
func mulTileTwo1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

//go:noescape
func mulTileTwo2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

//go:noescape
func mulTileTwo4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)

// A mulTiles has the forms for one, two and four columns, at columns/2.
type mulTiles [3]mulTile

var (
	mulTileAny    = mulTiles{mulTile1, mulTile2, mulTile4}
	mulTileSumAny = mulTiles{mulTileSum1, mulTileSum2, mulTileSum4}
	mulTileTwoAny = mulTiles{mulTileTwo1, mulTileTwo2, mulTileTwo4}
)

// tileShape is the geometry of a type and of its tiles.
type tileShape struct {
	groups, blockBytes int // of a block in the file: how often 32 elements, bytes
	tileBytes          int // of 32 elements of a tile
	offset             int // of a tile's elements
}

// tiles holds the memory of tiles between calls, *[]byte.
var tiles = sync.Pool{New: func() any { return new([]byte) }}

// nativeTile is the multiplication by way of tiles, by one where there are too few rows or columns for that.
func nativeTile(t tileShape, unpack unpackTile, mul mulTiles, one func(dst []float32, stride int, w []byte, x *Q8)) func(dst []float32, stride int, w []byte, x *Q8) {
	return func(dst []float32, stride int, w []byte, x *Q8) {
		n := x.K / 32
		rowBytes := n / t.groups * t.blockBytes
		if !throughTiles(dst, stride, w, rowBytes, n/t.groups, x.Columns(), t.groups*t.tileBytes, func(tile *byte, row, block, blocks int) {
			unpack(tile, &w[row*rowBytes+block*t.blockBytes], rowBytes, blocks, tileAhead(rowBytes, block*t.blockBytes))
		}, func(dst *float32, tile *byte, c, columns, block, blocks int) {
			i := c*n + t.groups*block
			mul[columns/2](dst, stride, tile, &x.Q[32*i], x.K, &x.D[i], &x.Sum[i], t.groups*blocks, t.offset)
		}) {
			one(dst, stride, w, x)
		}
	}
}

// tileAhead is the distance of the piece at off of sixteen rows to the part as large of the sixteen rows after them that
// comes at that time, if those are fetched in the order of memory.
func tileAhead(rowBytes, off int) int { return tileRows*rowBytes + (tileRows-1)*off }

// throughTiles covers rows of blocks, and columns, by tiles of tileBytes a block: unpack(tile, row, block, n) for n blocks of
// sixteen rows from row on, then mul(dst, tile, c, count, block, n), which adds the products with count = 4, 2 or 1
// columns from c on. It reports false, and does nothing, if there are too few rows or columns. The last rows overlap those
// before: the same results are written twice.
func throughTiles(dst []float32, stride int, w []byte, rowBytes, blocks, columns, tileBytes int, unpack func(tile *byte, row, block, blocks int), mul func(dst *float32, tile *byte, c, columns, block, blocks int)) bool {
	if columns < tileColumns || len(w) < tileRows*rowBytes {
		return false
	}
	piece := min(max(tileRoom/tileBytes, 1), blocks)
	buffer := tiles.Get().(*[]byte)
	defer tiles.Put(buffer)
	*buffer = resize(*buffer, piece*tileBytes)
	tile := &(*buffer)[0]
	rows := len(w) / rowBytes
	for row := 0; row < rows; row += tileRows {
		row := min(row, rows-tileRows)
		for c := range columns {
			clear(dst[c*stride+row:][:tileRows])
		}
		for block := 0; block < blocks; block += piece {
			n := min(piece, blocks-block)
			unpack(tile, row, block, n)
			for c := 0; c < columns; {
				count := min(columns-c, 4)
				if count == 3 {
					count = 2
				}
				mul(&dst[c*stride+row], tile, c, count, block, n)
				c += count
			}
		}
	}
	return true
}
