//go:build !purego

#include "textflag.h"

// Tiles of 32-element blocks (kernels_tile_amd64.s, kernels_tile_bits_amd64.s) times four columns of a Q8.

// Four elements of each row with four columns. Even and odd ones have accumulators of their own: the instruction takes
// four cycles.
#define FOUR(e, z, a0, a1, a2, a3) \
	VMOVDQU32     (64*e)(SI), z            \
	VPDPBUSD.BCST (4*e)(AX), z, a0         \
	VPDPBUSD.BCST (4*e)(AX)(R8*1), z, a1   \
	VPDPBUSD.BCST (4*e)(AX)(R8*2), z, a2   \
	VPDPBUSD.BCST (4*e)(AX)(R9*1), z, a3

#define MULSTART \
	MOVQ   tile+16(FP), SI   \
	MOVQ   q+24(FP), AX      \
	MOVQ   k+32(FP), R8      \
	MOVQ   d+40(FP), BX      \
	MOVQ   sum+48(FP), CX    \
	MOVQ   blocks+56(FP), DX \
	LEAQ   (R8)(R8*2), R9    \
	LEAQ   (DX*4), R10       \
	LEAQ   (R10)(R10*2), R11 \
	VPXORD Z4, Z4, Z4        \
	VPXORD Z5, Z5, Z5        \
	VPXORD Z6, Z6, Z6        \
	VPXORD Z7, Z7, Z7

#define NEXT(tileBytes) \
	ADDQ $tileBytes, SI \
	ADDQ $32, AX        \
	ADDQ $4, BX         \
	ADDQ $4, CX         \
	DECQ DX

#define STORE \
	MOVQ    dst+0(FP), DI     \
	MOVQ    stride+8(FP), R8  \
	SHLQ    $2, R8            \
	LEAQ    (R8)(R8*2), R9    \
	VMOVUPS Z4, (DI)          \
	VMOVUPS Z5, (DI)(R8*1)    \
	VMOVUPS Z6, (DI)(R8*2)    \
	VMOVUPS Z7, (DI)(R9*1)    \
	VZEROUPPER                \
	RET

// acc += float32(float32(a + b) * float32(d*dx)), d in Z9
#define TERM(a, b, dx, acc) \
	VPADDD      b, a, a     \
	VMULPS.BCST dx, Z9, Z10 \
	VCVTDQ2PS   a, a        \
	VMULPS      Z10, a, a   \
	VADDPS      a, acc, acc

// func mulTile4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTile4(SB), NOSPLIT, $0-72
	MULSTART
	MOVQ         offset+64(FP), DI
	NEGQ         DI
	VPBROADCASTD DI, Z31

loop:
	VPMULLD.BCST (CX), Z31, Z0         // isum = -offset * Σx
	VPMULLD.BCST (CX)(R10*1), Z31, Z1
	VPMULLD.BCST (CX)(R10*2), Z31, Z2
	VPMULLD.BCST (CX)(R11*1), Z31, Z3
	VPXORD       Z16, Z16, Z16
	VPXORD       Z17, Z17, Z17
	VPXORD       Z18, Z18, Z18
	VPXORD       Z19, Z19, Z19
	FOUR(0, Z8, Z0, Z1, Z2, Z3)
	FOUR(1, Z11, Z16, Z17, Z18, Z19)
	FOUR(2, Z8, Z0, Z1, Z2, Z3)
	FOUR(3, Z11, Z16, Z17, Z18, Z19)
	FOUR(4, Z8, Z0, Z1, Z2, Z3)
	FOUR(5, Z11, Z16, Z17, Z18, Z19)
	FOUR(6, Z8, Z0, Z1, Z2, Z3)
	FOUR(7, Z11, Z16, Z17, Z18, Z19)
	VMOVUPS      512(SI), Z9
	TERM(Z0, Z16, (BX), Z4)
	TERM(Z1, Z17, (BX)(R10*1), Z5)
	TERM(Z2, Z18, (BX)(R10*2), Z6)
	TERM(Z3, Z19, (BX)(R11*1), Z7)
	NEXT(576)
	JNZ          loop
	STORE

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

#define ZEROS(a0, a1, a2, a3) \
	VPXORD a0, a0, a0 \
	VPXORD a1, a1, a1 \
	VPXORD a2, a2, a2 \
	VPXORD a3, a3, a3

// func mulTileSum4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTileSum4(SB), NOSPLIT, $0-72
	MULSTART

loop:
	ZEROS(Z0, Z1, Z2, Z3)
	ZEROS(Z16, Z17, Z18, Z19)
	FOUR(0, Z8, Z0, Z1, Z2, Z3)
	FOUR(1, Z11, Z16, Z17, Z18, Z19)
	FOUR(2, Z8, Z0, Z1, Z2, Z3)
	FOUR(3, Z11, Z16, Z17, Z18, Z19)
	FOUR(4, Z8, Z0, Z1, Z2, Z3)
	FOUR(5, Z11, Z16, Z17, Z18, Z19)
	FOUR(6, Z8, Z0, Z1, Z2, Z3)
	FOUR(7, Z11, Z16, Z17, Z18, Z19)
	VMOVUPS 512(SI), Z9
	VMOVUPS 576(SI), Z12
	SUMTERM(Z0, Z16, (BX), (CX), Z4)
	SUMTERM(Z1, Z17, (BX)(R10*1), (CX)(R10*1), Z5)
	SUMTERM(Z2, Z18, (BX)(R10*2), (CX)(R10*2), Z6)
	SUMTERM(Z3, Z19, (BX)(R11*1), (CX)(R11*1), Z7)
	NEXT(640)
	JNZ     loop
	STORE

// The offset, in each byte of Z31, times four elements of each column: what it adds to their sums
#define OFFSETS(e, a0, a1, a2, a3) \
	VPDPBUSD.BCST (4*e)(AX), Z31, a0         \
	VPDPBUSD.BCST (4*e)(AX)(R8*1), Z31, a1   \
	VPDPBUSD.BCST (4*e)(AX)(R8*2), Z31, a2   \
	VPDPBUSD.BCST (4*e)(AX)(R9*1), Z31, a3

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

// func mulTileTwo4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTileTwo4(SB), NOSPLIT, $0-72
	MULSTART
	MOVQ         offset+64(FP), DI
	VPBROADCASTB DI, Z31

loop:
	ZEROS(Z0, Z1, Z2, Z3)
	ZEROS(Z16, Z17, Z18, Z19)
	ZEROS(Z20, Z21, Z22, Z23)
	ZEROS(Z24, Z25, Z26, Z27)
	FOUR(0, Z8, Z0, Z1, Z2, Z3)
	FOUR(4, Z11, Z16, Z17, Z18, Z19)
	OFFSETS(0, Z20, Z21, Z22, Z23)
	OFFSETS(4, Z24, Z25, Z26, Z27)
	FOUR(1, Z8, Z0, Z1, Z2, Z3)
	FOUR(5, Z11, Z16, Z17, Z18, Z19)
	OFFSETS(1, Z20, Z21, Z22, Z23)
	OFFSETS(5, Z24, Z25, Z26, Z27)
	FOUR(2, Z8, Z0, Z1, Z2, Z3)
	FOUR(6, Z11, Z16, Z17, Z18, Z19)
	OFFSETS(2, Z20, Z21, Z22, Z23)
	OFFSETS(6, Z24, Z25, Z26, Z27)
	FOUR(3, Z8, Z0, Z1, Z2, Z3)
	FOUR(7, Z11, Z16, Z17, Z18, Z19)
	OFFSETS(3, Z20, Z21, Z22, Z23)
	OFFSETS(7, Z24, Z25, Z26, Z27)
	VMOVUPS      512(SI), Z9
	VMOVUPS      576(SI), Z12
	TWOTERM(Z0, Z20, Z16, Z24, (BX), Z4)
	TWOTERM(Z1, Z21, Z17, Z25, (BX)(R10*1), Z5)
	TWOTERM(Z2, Z22, Z18, Z26, (BX)(R10*2), Z6)
	TWOTERM(Z3, Z23, Z19, Z27, (BX)(R11*1), Z7)
	NEXT(640)
	JNZ          loop
	STORE
