// What the functions share that unpack sixteen rows to a tile. SI, R10, R11 and R12 are the blocks at hand of rows 0, 4, 8
// and 12, R8 the bytes of a row, R9 three times R8; DI is the tile, DX the blocks left. AX is what the next sixteen rows are
// brought into the cache from, in the order of memory and not of rows, which memory is twice as fast in: 16 bytes for each
// byte of a block.
//
// The rows are turned so that lanes are rows: a register per dword of the block. Gathering the dwords would be shorter and
// takes five times as long.

#define UNPACKSTART \
	MOVQ tile+0(FP), DI      \
	MOVQ w+8(FP), SI         \
	MOVQ rowBytes+16(FP), R8 \
	MOVQ blocks+24(FP), DX   \
	MOVQ ahead+32(FP), AX    \
	ADDQ SI, AX              \
	LEAQ (R8)(R8*2), R9      \
	LEAQ (SI)(R8*4), R10     \
	LEAQ (SI)(R8*8), R11     \
	LEAQ (R10)(R8*8), R12

#define NEXTBLOCK(blockBytes, tileBytes) \
	ADDQ $blockBytes, SI  \
	ADDQ $blockBytes, R10 \
	ADDQ $blockBytes, R11 \
	ADDQ $blockBytes, R12 \
	ADDQ $(16*blockBytes), AX \
	ADDQ $tileBytes, DI   \
	DECQ DX

// The 4 by 4 dwords in each lane of a, b, c, d turned: e, f, g, h; clobbers t, u, v, w
#define TURN(a, b, c, d, t, u, v, w, e, f, g, h) \
	VPUNPCKLDQ  b, a, t \
	VPUNPCKHDQ  b, a, u \
	VPUNPCKLDQ  d, c, v \
	VPUNPCKHDQ  d, c, w \
	VPUNPCKLQDQ v, t, e \
	VPUNPCKHQDQ v, t, f \
	VPUNPCKLQDQ w, u, g \
	VPUNPCKHQDQ w, u, h

// Rows r, r+4, r+8 and r+12, where index leads from row 0 to r: a lane of z each
#define LANES(off, x, z) \
	VMOVDQU      off(SI), x            \
	VINSERTI32X4 $1, off(R10), z, z    \
	VINSERTI32X4 $2, off(R11), z, z    \
	VINSERTI32X4 $3, off(R12), z, z

#define LANESAT(off, index, x, z) \
	VMOVDQU      off(SI)(index), x         \
	VINSERTI32X4 $1, off(R10)(index), z, z \
	VINSERTI32X4 $2, off(R11)(index), z, z \
	VINSERTI32X4 $3, off(R12)(index), z, z

#define LANES16(off) \
	LANES(off, X0, Z0)         \
	LANESAT(off, R8*1, X1, Z1) \
	LANESAT(off, R8*2, X2, Z2) \
	LANESAT(off, R9*1, X3, Z3)

// What the next sixteen rows have from byte off of the block on, and 64*line bytes after it, into the cache
#define AHEAD(off, line) PREFETCHT0 (16*off+64*line)(AX)

// Z0, Z1, Z2, Z3 = the four dwords at off of each row; clobbers Z16 to Z19
#define TURN16(off) \
	AHEAD(off, 0) \
	AHEAD(off, 1) \
	AHEAD(off, 2) \
	AHEAD(off, 3) \
	LANES16(off) \
	TURN(Z0, Z1, Z2, Z3, Z16, Z17, Z18, Z19, Z0, Z1, Z2, Z3)

// Row r at the pointer low in the lower half of z, row r+4 at high in the upper
#define HALVES(off, low, high, y, z) \
	VMOVDQU      off(low), y           \
	VINSERTI64X4 $1, off(high), z, z

#define HALVESAT(off, low, high, index, y, z) \
	VMOVDQU      off(low)(index), y          \
	VINSERTI64X4 $1, off(high)(index), z, z

// a = dword j of each row, b = dword j+4, from both of rows 0 to 7 (a) and of rows 8 to 15 (rest)
#define SPLIT(a, rest, b) \
	VSHUFI32X4 $0xdd, rest, a, b \
	VSHUFI32X4 $0x88, rest, a, a

// Z0 to Z7 = the eight dwords at off of each row; clobbers Z16 to Z27
#define TURN32(off) \
	HALVES(off, SI, R10, Y0, Z0)           \
	AHEAD(off, 0) \
	HALVESAT(off, SI, R10, R8*1, Y1, Z1)   \
	AHEAD(off, 1) \
	HALVESAT(off, SI, R10, R8*2, Y2, Z2)   \
	AHEAD(off, 2) \
	HALVESAT(off, SI, R10, R9*1, Y3, Z3)   \
	AHEAD(off, 3) \
	TURN(Z0, Z1, Z2, Z3, Z16, Z17, Z18, Z19, Z0, Z1, Z2, Z3)     \
	HALVES(off, R11, R12, Y4, Z4)          \
	AHEAD(off, 4) \
	HALVESAT(off, R11, R12, R8*1, Y5, Z5)  \
	AHEAD(off, 5) \
	HALVESAT(off, R11, R12, R8*2, Y6, Z6)  \
	AHEAD(off, 6) \
	HALVESAT(off, R11, R12, R9*1, Y7, Z7)  \
	AHEAD(off, 7) \
	TURN(Z4, Z5, Z6, Z7, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27) \
	SPLIT(Z0, Z24, Z4) \
	SPLIT(Z1, Z25, Z5) \
	SPLIT(Z2, Z26, Z6) \
	SPLIT(Z3, Z27, Z7)


// Z0 = the first dword of the 16 bytes at off of each row; clobbers Z1 to Z3
#define FIRST(off) \
	AHEAD(off, 0)            \
	LANES16(off)             \
	VPUNPCKLDQ  Z1, Z0, Z0   \
	VPUNPCKLDQ  Z3, Z2, Z2   \
	VPUNPCKLQDQ Z2, Z0, Z0

// Z0 = the last dword of the 16 bytes at off of each row; clobbers Z1 to Z3
#define LAST(off) \
	AHEAD(off, 3)            \
	LANES16(off)             \
	VPUNPCKHDQ  Z1, Z0, Z0   \
	VPUNPCKHDQ  Z3, Z2, Z2   \
	VPUNPCKHQDQ Z2, Z0, Z0

// The binary16 in the low half of each dword of z as float32, stored at off of the tile.
#define FLOATS(z, y, off) \
	VPMOVDW   z, y          \
	VCVTPH2PS y, z          \
	VMOVDQU32 z, off(DI)
