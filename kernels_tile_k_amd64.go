//go:build !purego

package kernels

// Tiles of 256-element blocks. One kind, for types with minima, has for each of a block's eight groups of 32 elements
//
//	[8][16][4]byte  element 4*e+j of row r at [e][r][j]
//	[16]int32       scales
//	[16][2]int16    minima, each twice: for both sums of 16 of the group
//
// and then [16]float32 d and [16]float32 dmin. The other kind, for types with an offset and two scales in 32 elements, has
// for each 32 elements
//
//	[8][16][4]byte  element 4*e+j of row r at [e][r][j], plus the offset, so that it is not negative
//	[2][16]int32    scales of the first and the last 16
//	[16][2]int16    both again
//
// and then [16]float32 d. The third, for types with minima and two scales in 32 elements, is like the second, but with the
// minima of the first and the last 16 in the pair of int16, and [16]float32 dmin at the end.
const (
	tileMinBytes    = 8*(8*16*4+2*16*4) + 2*16*4
	tileOffBytes    = 8*(8*16*4+3*16*4) + 16*4
	tileTwoMinBytes = 8*(8*16*4+3*16*4) + 2*16*4
)

//go:noescape
func tileQ4_K(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ6_K(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ2_K(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ5_K(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileQ3_K(tile, w *byte, rowBytes, blocks, ahead int)

//go:noescape
func tileIQ4_XS(tile, w *byte, rowBytes, blocks, ahead int)

// mulTileK adds the product of a tile with one, two or four columns of a Q8K, k elements apart: the loops of mulTile with
// the terms of mulBlocks256.
type mulTileK func(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

// mulTileMin1 is for tiles with minima; offset does not count.
//
//go:noescape
func mulTileMin1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

//go:noescape
func mulTileMin2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

//go:noescape
func mulTileMin4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

// mulTileOff1 is for tiles with an offset and two scales in 32 elements.
//
//go:noescape
func mulTileOff1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

//go:noescape
func mulTileOff2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

//go:noescape
func mulTileOff4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

// mulTileTwoMin1 is for tiles with minima and two scales in 32 elements; offset does not count.
//
//go:noescape
func mulTileTwoMin1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

//go:noescape
func mulTileTwoMin2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

//go:noescape
func mulTileTwoMin4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)

// A mulTilesK has the forms for one, two and four columns, at columns/2.
type mulTilesK [3]mulTileK

var (
	mulTileMinAny    = mulTilesK{mulTileMin1, mulTileMin2, mulTileMin4}
	mulTileOffAny    = mulTilesK{mulTileOff1, mulTileOff2, mulTileOff4}
	mulTileTwoMinAny = mulTilesK{mulTileTwoMin1, mulTileTwoMin2, mulTileTwoMin4}
)

// nativeTileK is nativeTile for 256-element blocks, with tiles of tileBytes a block.
func nativeTileK(blockBytes, tileBytes, offset int, unpack unpackTile, mul mulTilesK, one func(dst []float32, stride int, w []byte, x *Q8K)) func(dst []float32, stride int, w []byte, x *Q8K) {
	return func(dst []float32, stride int, w []byte, x *Q8K) {
		n := x.K / 256
		rowBytes := n * blockBytes
		if !throughTiles(dst, stride, w, rowBytes, n, x.Columns(), tileBytes, func(tile *byte, row, block, blocks int) {
			unpack(tile, &w[row*rowBytes+block*blockBytes], rowBytes, blocks, tileAhead(rowBytes, block*blockBytes))
		}, func(dst *float32, tile *byte, c, columns, block, blocks int) {
			i := c*n + block
			mul[columns/2](dst, stride, tile, &x.Q[256*i], x.K, &x.D[i], &x.Sums[16*i], blocks, offset)
		}) {
			one(dst, stride, w, x)
		}
	}
}
