//go:build !purego

#include "textflag.h"
#include "kernels_columns_amd64.h"

// Tiles of 256-element blocks (kernels_tile_k_amd64.s) times one, two or four columns of a Q8K. For each column a register of sixteen
// int32 adds up the block's integer sum, another its sum of minima, or of what the offset makes.

// AX q, R8 k, R9 3k; CX sums, R10 their distance, R11 three times that; BX d, R12 their distance, R13 three times that
#define MULSTART(COLUMNS) \
	MOVQ dst+0(FP), DI     \
	MOVQ stride+8(FP), R12 \
	SHLQ $2, R12           \
	LEAQ (R12)(R12*2), R13 \
	COLUMNS(MOVE((DI), Z4), MOVE((DI)(R12*1), Z5), MOVE((DI)(R12*2), Z6), MOVE((DI)(R13*1), Z7)) \
	MOVQ tile+16(FP), SI   \
	MOVQ q+24(FP), AX      \
	MOVQ k+32(FP), R8      \
	MOVQ d+40(FP), BX      \
	MOVQ sums+48(FP), CX   \
	MOVQ blocks+56(FP), DX \
	LEAQ (R8)(R8*2), R9    \
	MOVQ R8, R10           \
	SHRQ $3, R10           \
	LEAQ (R10)(R10*2), R11 \
	MOVQ R8, R12           \
	SHRQ $6, R12           \
	LEAQ (R12)(R12*2), R13

// isum = 0, msum = 0
#define BLOCKSTART(COLUMNS) \
	MOVQ $8, DI \
	COLUMNS(ZERO(Z20), ZERO(Z21), ZERO(Z22), ZERO(Z23)) \
	COLUMNS(ZERO(Z24), ZERO(Z25), ZERO(Z26), ZERO(Z27))

// Four elements of each row with all columns
#define EVEN(COLUMNS, e) \
	VMOVDQU32 (64*e)(SI), Z8 \
	COLUMNS(DOT((4*e)(AX), Z8, Z0), DOT((4*e)(AX)(R8*1), Z8, Z1), DOT((4*e)(AX)(R8*2), Z8, Z2), DOT((4*e)(AX)(R9*1), Z8, Z3))

// The same to other accumulators: the instruction takes four cycles.
#define ODD(COLUMNS, e) \
	VMOVDQU32 (64*e)(SI), Z11 \
	COLUMNS(DOT((4*e)(AX), Z11, Z16), DOT((4*e)(AX)(R8*1), Z11, Z17), DOT((4*e)(AX)(R8*2), Z11, Z18), DOT((4*e)(AX)(R9*1), Z11, Z19))

#define GROUPSTART(COLUMNS) \
	COLUMNS(ZERO(Z0), ZERO(Z1), ZERO(Z2), ZERO(Z3)) \
	COLUMNS(ZERO(Z16), ZERO(Z17), ZERO(Z18), ZERO(Z19))

#define NEXTGROUP(tileBytes) \
	ADDQ $tileBytes, SI \
	ADDQ $32, AX        \
	ADDQ $4, CX         \
	DECQ DI

#define NEXTBLOCK(tileBytes) \
	ADDQ $tileBytes, SI \
	ADDQ $4, BX         \
	DECQ DX

// isum += scale * (a + b), msum += minimum * sums
#define ADDGROUP(a, b, isum, msum, sums) \
	VPADDD        b, a, a        \
	VPMULLD       Z12, a, a      \
	VPADDD        a, isum, isum  \
	VPDPWSSD.BCST sums, Z13, msum

// acc += float32(float32(isum)*float32(d*dx)) - float32(float32(msum)*float32(dmin*dx))
#define TERM(isum, msum, dx, acc) \
	VCVTDQ2PS    isum, isum     \
	VCVTDQ2PS    msum, msum     \
	VBROADCASTSS dx, Z0         \
	VMULPS       Z0, Z12, Z1    \
	VMULPS       Z0, Z13, Z2    \
	VMULPS       Z1, isum, isum \
	VMULPS       Z2, msum, msum \
	VSUBPS       msum, isum, isum \
	VADDPS       isum, acc, acc

#define STORE(COLUMNS) \
	MOVQ dst+0(FP), DI     \
	MOVQ stride+8(FP), R12 \
	SHLQ $2, R12           \
	LEAQ (R12)(R12*2), R13 \
	COLUMNS(MOVE(Z4, (DI)), MOVE(Z5, (DI)(R12*1)), MOVE(Z6, (DI)(R12*2)), MOVE(Z7, (DI)(R13*1))) \
	VZEROUPPER             \
	RET

#define MULMIN(COLUMNS) \
	MULSTART(COLUMNS)   \
loop:                   \
	BLOCKSTART(COLUMNS) \
group:                  \
	GROUPSTART(COLUMNS) \
	EVEN(COLUMNS, 0)    \
	ODD(COLUMNS, 1)     \
	EVEN(COLUMNS, 2)    \
	ODD(COLUMNS, 3)     \
	EVEN(COLUMNS, 4)    \
	ODD(COLUMNS, 5)     \
	EVEN(COLUMNS, 6)    \
	ODD(COLUMNS, 7)     \
	VMOVDQU32 512(SI), Z12 \
	VMOVDQU32 576(SI), Z13 \
	COLUMNS(ADDGROUP(Z0, Z16, Z20, Z24, (CX)), ADDGROUP(Z1, Z17, Z21, Z25, (CX)(R10*1)), ADDGROUP(Z2, Z18, Z22, Z26, (CX)(R10*2)), ADDGROUP(Z3, Z19, Z23, Z27, (CX)(R11*1))) \
	NEXTGROUP(640)      \
	JNZ group           \
	VMOVUPS (SI), Z12   \
	VMOVUPS 64(SI), Z13 \
	TERMS(COLUMNS, TERM) \
	NEXTBLOCK(128)      \
	JNZ loop            \
	STORE(COLUMNS)

#define TERMS(COLUMNS, TERM) \
	COLUMNS(TERM(Z20, Z24, (BX), Z4), TERM(Z21, Z25, (BX)(R12*1), Z5), TERM(Z22, Z26, (BX)(R12*2), Z6), TERM(Z23, Z27, (BX)(R13*1), Z7))

// func mulTileMin1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileMin1(SB), NOSPLIT, $0-72
	MULMIN(ONE)

// func mulTileMin2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileMin2(SB), NOSPLIT, $0-72
	MULMIN(TWO)

// func mulTileMin4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileMin4(SB), NOSPLIT, $0-72
	MULMIN(FOUR)

// isum += scale0 * a + scale1 * b, msum += both scales times their sums
#define ADDPAIR(a, b, isum, msum, sums) \
	VPMULLD       Z12, a, a      \
	VPMULLD       Z9, b, b       \
	VPADDD        a, isum, isum  \
	VPADDD        b, isum, isum  \
	VPDPWSSD.BCST sums, Z13, msum

// acc += float32(float32(isum - offset*msum) * float32(d*dx))
#define OFFTERM(isum, msum, dx, acc) \
	VPMULLD     Z31, msum, msum \
	VPSUBD      msum, isum, isum \
	VCVTDQ2PS   isum, isum      \
	VMULPS.BCST dx, Z12, Z1     \
	VMULPS      Z1, isum, isum  \
	VADDPS      isum, acc, acc

// 32 elements of each row with all columns, and their two scales
#define PAIR(COLUMNS) \
	GROUPSTART(COLUMNS) \
	EVEN(COLUMNS, 0)    \
	ODD(COLUMNS, 4)     \
	EVEN(COLUMNS, 1)    \
	ODD(COLUMNS, 5)     \
	EVEN(COLUMNS, 2)    \
	ODD(COLUMNS, 6)     \
	EVEN(COLUMNS, 3)    \
	ODD(COLUMNS, 7)     \
	VMOVDQU32 512(SI), Z12 \
	VMOVDQU32 576(SI), Z9  \
	VMOVDQU32 640(SI), Z13 \
	COLUMNS(ADDPAIR(Z0, Z16, Z20, Z24, (CX)), ADDPAIR(Z1, Z17, Z21, Z25, (CX)(R10*1)), ADDPAIR(Z2, Z18, Z22, Z26, (CX)(R10*2)), ADDPAIR(Z3, Z19, Z23, Z27, (CX)(R11*1)))

#define MULOFF(COLUMNS) \
	MULSTART(COLUMNS)   \
	VPBROADCASTD offset+64(FP), Z31 \
loop:                   \
	BLOCKSTART(COLUMNS) \
pair:                   \
	PAIR(COLUMNS)       \
	NEXTGROUP(704)      \
	JNZ pair            \
	VMOVUPS (SI), Z12   \
	TERMS(COLUMNS, OFFTERM) \
	NEXTBLOCK(64)       \
	JNZ loop            \
	STORE(COLUMNS)

// func mulTileOff1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileOff1(SB), NOSPLIT, $0-72
	MULOFF(ONE)

// func mulTileOff2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileOff2(SB), NOSPLIT, $0-72
	MULOFF(TWO)

// func mulTileOff4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileOff4(SB), NOSPLIT, $0-72
	MULOFF(FOUR)

#define MULTWOMIN(COLUMNS) \
	MULSTART(COLUMNS)   \
loop:                   \
	BLOCKSTART(COLUMNS) \
pair:                   \
	PAIR(COLUMNS)       \
	NEXTGROUP(704)      \
	JNZ pair            \
	VMOVUPS (SI), Z12   \
	VMOVUPS 64(SI), Z13 \
	TERMS(COLUMNS, TERM) \
	NEXTBLOCK(128)      \
	JNZ loop            \
	STORE(COLUMNS)

// func mulTileTwoMin1(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileTwoMin1(SB), NOSPLIT, $0-72
	MULTWOMIN(ONE)

// func mulTileTwoMin2(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileTwoMin2(SB), NOSPLIT, $0-72
	MULTWOMIN(TWO)

// func mulTileTwoMin4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileTwoMin4(SB), NOSPLIT, $0-72
	MULTWOMIN(FOUR)
