//go:build !purego

#include "textflag.h"
#include "kernels_columns_amd64.h"

// Tiles of 32-element blocks (kernels_tile_amd64.s, kernels_tile_bits_amd64.s) times one, two or four columns of a Q8.

// Four elements of each row with all columns
#define EVEN(COLUMNS, e) \
	VMOVDQU32 (64*e)(SI), Z8 \
	COLUMNS(DOT((4*e)(AX), Z8, Z0), DOT((4*e)(AX)(R8*1), Z8, Z1), DOT((4*e)(AX)(R8*2), Z8, Z2), DOT((4*e)(AX)(R9*1), Z8, Z3))

// The same to other accumulators: the instruction takes four cycles.
#define ODD(COLUMNS, e) \
	VMOVDQU32 (64*e)(SI), Z11 \
	COLUMNS(DOT((4*e)(AX), Z11, Z16), DOT((4*e)(AX)(R8*1), Z11, Z17), DOT((4*e)(AX)(R8*2), Z11, Z18), DOT((4*e)(AX)(R9*1), Z11, Z19))

#define MULSTART(COLUMNS) \
	MOVQ dst+0(FP), DI     \
	MOVQ stride+8(FP), R10 \
	SHLQ $2, R10           \
	LEAQ (R10)(R10*2), R11 \
	COLUMNS(MOVE((DI), Z4), MOVE((DI)(R10*1), Z5), MOVE((DI)(R10*2), Z6), MOVE((DI)(R11*1), Z7)) \
	MOVQ tile+16(FP), SI   \
	MOVQ q+24(FP), AX      \
	MOVQ k+32(FP), R8      \
	MOVQ d+40(FP), BX      \
	MOVQ sum+48(FP), CX    \
	MOVQ blocks+56(FP), DX \
	LEAQ (R8)(R8*2), R9    \
	MOVQ R8, R10           \
	SHRQ $3, R10           \
	LEAQ (R10)(R10*2), R11

#define NEXT(tileBytes) \
	ADDQ $tileBytes, SI \
	ADDQ $32, AX        \
	ADDQ $4, BX         \
	ADDQ $4, CX         \
	DECQ DX

#define STORE(COLUMNS) \
	MOVQ dst+0(FP), DI     \
	MOVQ stride+8(FP), R10 \
	SHLQ $2, R10           \
	LEAQ (R10)(R10*2), R11 \
	COLUMNS(MOVE(Z4, (DI)), MOVE(Z5, (DI)(R10*1)), MOVE(Z6, (DI)(R10*2)), MOVE(Z7, (DI)(R11*1))) \
	VZEROUPPER             \
	RET

// acc += float32(float32(a + b) * float32(d*dx)), d in Z9
#define TERM(a, b, dx, acc) \
	VPADDD      b, a, a     \
	VMULPS.BCST dx, Z9, Z10 \
	VCVTDQ2PS   a, a        \
	VMULPS      Z10, a, a   \
	VADDPS      a, acc, acc

// a = -offset * Σx
#define OFFSET(sum, a) VPMULLD.BCST sum, Z31, a

#define ALL8(COLUMNS) \
	EVEN(COLUMNS, 0) \
	ODD(COLUMNS, 1)  \
	EVEN(COLUMNS, 2) \
	ODD(COLUMNS, 3)  \
	EVEN(COLUMNS, 4) \
	ODD(COLUMNS, 5)  \
	EVEN(COLUMNS, 6) \
	ODD(COLUMNS, 7)

#define MUL(COLUMNS) \
	MULSTART(COLUMNS)    \
	MOVQ offset+64(FP), DI \
	NEGQ DI              \
	VPBROADCASTD DI, Z31 \
loop:                    \
	COLUMNS(OFFSET((CX), Z0), OFFSET((CX)(R10*1), Z1), OFFSET((CX)(R10*2), Z2), OFFSET((CX)(R11*1), Z3)) \
	COLUMNS(ZERO(Z16), ZERO(Z17), ZERO(Z18), ZERO(Z19)) \
	ALL8(COLUMNS)        \
	VMOVUPS 512(SI), Z9  \
	COLUMNS(TERM(Z0, Z16, (BX), Z4), TERM(Z1, Z17, (BX)(R10*1), Z5), TERM(Z2, Z18, (BX)(R10*2), Z6), TERM(Z3, Z19, (BX)(R11*1), Z7)) \
	NEXT(576)            \
	JNZ loop             \
	STORE(COLUMNS)

// func mulTile1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTile1(SB), NOSPLIT, $0-72
	MUL(ONE)

// func mulTile2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTile2(SB), NOSPLIT, $0-72
	MUL(TWO)

// func mulTile4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTile4(SB), NOSPLIT, $0-72
	MUL(FOUR)

// acc += float32(float32(a + b)*float32(d*dx)) + float32(float32(sum)*float32(m*dx)), d in Z9, m in Z12
#define SUMTERM(a, b, dx, sum, acc) \
	VPADDD         b, a, a      \
	VBROADCASTSS   dx, Z10      \
	VMULPS         Z10, Z9, Z13 \
	VMULPS         Z10, Z12, Z10 \
	VCVTDQ2PS      a, a         \
	VMULPS         Z13, a, a    \
	VCVTDQ2PS.BCST sum, Z13     \
	VMULPS         Z10, Z13, Z13 \
	VADDPS         Z13, a, a    \
	VADDPS         a, acc, acc

#define MULSUM(COLUMNS) \
	MULSTART(COLUMNS)    \
loop:                    \
	COLUMNS(ZERO(Z0), ZERO(Z1), ZERO(Z2), ZERO(Z3)) \
	COLUMNS(ZERO(Z16), ZERO(Z17), ZERO(Z18), ZERO(Z19)) \
	ALL8(COLUMNS)        \
	VMOVUPS 512(SI), Z9  \
	VMOVUPS 576(SI), Z12 \
	COLUMNS(SUMTERM(Z0, Z16, (BX), (CX), Z4), SUMTERM(Z1, Z17, (BX)(R10*1), (CX)(R10*1), Z5), SUMTERM(Z2, Z18, (BX)(R10*2), (CX)(R10*2), Z6), SUMTERM(Z3, Z19, (BX)(R11*1), (CX)(R11*1), Z7)) \
	NEXT(640)            \
	JNZ loop             \
	STORE(COLUMNS)

// func mulTileSum1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTileSum1(SB), NOSPLIT, $0-72
	MULSUM(ONE)

// func mulTileSum2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTileSum2(SB), NOSPLIT, $0-72
	MULSUM(TWO)

// func mulTileSum4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTileSum4(SB), NOSPLIT, $0-72
	MULSUM(FOUR)

// The offset, in each byte of Z31, times elements 4e and 4e+16 of each column: what it adds to their sums
#define OFFSETS(COLUMNS, e) \
	COLUMNS(DOT((4*e)(AX), Z31, Z20), DOT((4*e)(AX)(R8*1), Z31, Z21), DOT((4*e)(AX)(R8*2), Z31, Z22), DOT((4*e)(AX)(R9*1), Z31, Z23)) \
	COLUMNS(DOT((4*e+16)(AX), Z31, Z24), DOT((4*e+16)(AX)(R8*1), Z31, Z25), DOT((4*e+16)(AX)(R8*2), Z31, Z26), DOT((4*e+16)(AX)(R9*1), Z31, Z27))

// acc += float32(float32(a - oa)*float32(da*dx)) + float32(float32(b - ob)*float32(db*dx)), da in Z9, db in Z12
#define TWOTERM(a, oa, b, ob, dx, acc) \
	VPSUBD       oa, a, a     \
	VPSUBD       ob, b, b     \
	VBROADCASTSS dx, Z10      \
	VMULPS       Z10, Z9, Z13 \
	VMULPS       Z10, Z12, Z10 \
	VCVTDQ2PS    a, a         \
	VCVTDQ2PS    b, b         \
	VMULPS       Z13, a, a    \
	VMULPS       Z10, b, b    \
	VADDPS       b, a, a      \
	VADDPS       a, acc, acc

#define MULTWO(COLUMNS) \
	MULSTART(COLUMNS)      \
	MOVQ offset+64(FP), DI \
	VPBROADCASTB DI, Z31   \
loop:                      \
	COLUMNS(ZERO(Z0), ZERO(Z1), ZERO(Z2), ZERO(Z3)) \
	COLUMNS(ZERO(Z16), ZERO(Z17), ZERO(Z18), ZERO(Z19)) \
	COLUMNS(ZERO(Z20), ZERO(Z21), ZERO(Z22), ZERO(Z23)) \
	COLUMNS(ZERO(Z24), ZERO(Z25), ZERO(Z26), ZERO(Z27)) \
	EVEN(COLUMNS, 0)       \
	ODD(COLUMNS, 4)        \
	OFFSETS(COLUMNS, 0)    \
	EVEN(COLUMNS, 1)       \
	ODD(COLUMNS, 5)        \
	OFFSETS(COLUMNS, 1)    \
	EVEN(COLUMNS, 2)       \
	ODD(COLUMNS, 6)        \
	OFFSETS(COLUMNS, 2)    \
	EVEN(COLUMNS, 3)       \
	ODD(COLUMNS, 7)        \
	OFFSETS(COLUMNS, 3)    \
	VMOVUPS 512(SI), Z9    \
	VMOVUPS 576(SI), Z12   \
	COLUMNS(TWOTERM(Z0, Z20, Z16, Z24, (BX), Z4), TWOTERM(Z1, Z21, Z17, Z25, (BX)(R10*1), Z5), TWOTERM(Z2, Z22, Z18, Z26, (BX)(R10*2), Z6), TWOTERM(Z3, Z23, Z19, Z27, (BX)(R11*1), Z7)) \
	NEXT(640)              \
	JNZ loop               \
	STORE(COLUMNS)

// func mulTileTwo1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTileTwo1(SB), NOSPLIT, $0-72
	MULTWO(ONE)

// func mulTileTwo2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTileTwo2(SB), NOSPLIT, $0-72
	MULTWO(TWO)

// func mulTileTwo4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTileTwo4(SB), NOSPLIT, $0-72
	MULTWO(FOUR)
