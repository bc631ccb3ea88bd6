//go:build !purego

package kernels

import "sync"

// The grids as the kernels look them up: bytes of an entry are its elements but for signs, lowest first.
var (
	bytesIQ2_XXS [256]uint64
	bytesIQ2_XS  [512]uint64
	bytesIQ2_S   [1024]uint64
	bytesIQ3_XXS [256]uint32
	bytesIQ3_S   [512]uint32
	bytesIQ1_S   [2048]uint64 // with a delta of +1
	signBytes    [128]uint64  // the signs of eighthSign: 1, or -1 where negative
)

// expandGrids fills these tables when a type that has need of them is first used.
var expandGrids = sync.OnceFunc(func() {
	expandGrid2(bytesIQ2_XXS[:], GridIQ2_XXS[:])
	expandGrid2(bytesIQ2_XS[:], GridIQ2_XS[:])
	expandGrid2(bytesIQ2_S[:], GridIQ2_S[:])
	expandGrid3(bytesIQ3_XXS[:], GridIQ3_XXS[:], &magnitudesIQ3_XXS)
	expandGrid3(bytesIQ3_S[:], GridIQ3_S[:], &magnitudesIQ3_S)
	var q [8]int8
	for i, grid := range GridIQ1_S {
		unpackGrid1(q[:], grid, false)
		bytesIQ1_S[i] = pack8(q)
	}
	for i := range signBytes {
		for j := range q {
			q[j] = negateIf(1, eighthSign(uint32(i))>>j)
		}
		signBytes[i] = pack8(q)
	}
})

func expandGrid2(dst []uint64, grid []uint16) {
	var q [8]int8
	for i, g := range grid {
		unpackGrid2(q[:], g, 0)
		dst[i] = pack8(q)
	}
}

func expandGrid3(dst []uint32, grid []uint16, magnitudes *[8]int8) {
	var q [8]int8
	for i, g := range grid {
		unpackGrid3(q[:4], magnitudes, g, 0)
		dst[i] = uint32(pack8(q))
	}
}

// pack8 is q as the bytes of one number, q[0] lowest.
func pack8(q [8]int8) uint64 {
	packed := uint64(0)
	for j, v := range q {
		packed |= uint64(uint8(v)) << (8 * j)
	}
	return packed
}
