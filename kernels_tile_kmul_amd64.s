//go:build !purego

#include "textflag.h"

// Tiles of 256-element blocks (kernels_tile_k_amd64.s) times four columns of a Q8K. For each column a register of sixteen
// int32 adds up the block's integer sum, another its sum of minima, or of what the offset makes.

// AX q, R8 k, R9 3k; CX sums, R10 their distance, R11 three times that; BX d, R12 their distance, R13 three times that
#define MULSTART \
	MOVQ   tile+16(FP), SI  \
	MOVQ   q+24(FP), AX     \
	MOVQ   k+32(FP), R8     \
	MOVQ   d+40(FP), BX     \
	MOVQ   sums+48(FP), CX  \
	MOVQ   blocks+56(FP), DX \
	LEAQ   (R8)(R8*2), R9   \
	MOVQ   R8, R10          \
	SHRQ   $3, R10          \
	LEAQ   (R10)(R10*2), R11 \
	LEAQ   (DX*4), R12      \
	LEAQ   (R12)(R12*2), R13 \
	VPXORD Z4, Z4, Z4       \
	VPXORD Z5, Z5, Z5       \
	VPXORD Z6, Z6, Z6       \
	VPXORD Z7, Z7, Z7

// isum = 0, msum = 0
#define BLOCKSTART \
	MOVQ   $8, DI           \
	VPXORD Z20, Z20, Z20    \
	VPXORD Z21, Z21, Z21    \
	VPXORD Z22, Z22, Z22    \
	VPXORD Z23, Z23, Z23    \
	VPXORD Z24, Z24, Z24    \
	VPXORD Z25, Z25, Z25    \
	VPXORD Z26, Z26, Z26    \
	VPXORD Z27, Z27, Z27

#define GROUPSTART \
	VPXORD Z0, Z0, Z0       \
	VPXORD Z1, Z1, Z1       \
	VPXORD Z2, Z2, Z2       \
	VPXORD Z3, Z3, Z3       \
	VPXORD Z16, Z16, Z16    \
	VPXORD Z17, Z17, Z17    \
	VPXORD Z18, Z18, Z18    \
	VPXORD Z19, Z19, Z19

// Four elements of each row with four columns
#define FOUR(e, z, a0, a1, a2, a3) \
	VMOVDQU32     (64*e)(SI), z            \
	VPDPBUSD.BCST (4*e)(AX), z, a0         \
	VPDPBUSD.BCST (4*e)(AX)(R8*1), z, a1   \
	VPDPBUSD.BCST (4*e)(AX)(R8*2), z, a2   \
	VPDPBUSD.BCST (4*e)(AX)(R9*1), z, a3

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

#define STORE \
	MOVQ    dst+0(FP), DI      \
	MOVQ    stride+8(FP), R8   \
	SHLQ    $2, R8             \
	LEAQ    (R8)(R8*2), R9     \
	VMOVUPS Z4, (DI)           \
	VMOVUPS Z5, (DI)(R8*1)     \
	VMOVUPS Z6, (DI)(R8*2)     \
	VMOVUPS Z7, (DI)(R9*1)     \
	VZEROUPPER                 \
	RET

// func mulTileMin4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileMin4(SB), NOSPLIT, $0-72
	MULSTART

loop:
	BLOCKSTART

group:
	GROUPSTART
	FOUR(0, Z8, Z0, Z1, Z2, Z3)
	FOUR(1, Z11, Z16, Z17, Z18, Z19)
	FOUR(2, Z8, Z0, Z1, Z2, Z3)
	FOUR(3, Z11, Z16, Z17, Z18, Z19)
	FOUR(4, Z8, Z0, Z1, Z2, Z3)
	FOUR(5, Z11, Z16, Z17, Z18, Z19)
	FOUR(6, Z8, Z0, Z1, Z2, Z3)
	FOUR(7, Z11, Z16, Z17, Z18, Z19)
	VMOVDQU32 512(SI), Z12
	VMOVDQU32 576(SI), Z13
	ADDGROUP(Z0, Z16, Z20, Z24, (CX))
	ADDGROUP(Z1, Z17, Z21, Z25, (CX)(R10*1))
	ADDGROUP(Z2, Z18, Z22, Z26, (CX)(R10*2))
	ADDGROUP(Z3, Z19, Z23, Z27, (CX)(R11*1))
	ADDQ $640, SI
	ADDQ $32, AX
	ADDQ $4, CX
	DECQ DI
	JNZ  group
	VMOVUPS (SI), Z12
	VMOVUPS 64(SI), Z13
	TERM(Z20, Z24, (BX), Z4)
	TERM(Z21, Z25, (BX)(R12*1), Z5)
	TERM(Z22, Z26, (BX)(R12*2), Z6)
	TERM(Z23, Z27, (BX)(R13*1), Z7)
	ADDQ $128, SI
	ADDQ $4, BX
	DECQ DX
	JNZ  loop
	STORE

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

// 32 elements of each row with four columns, and their two scales
#define PAIR \
	GROUPSTART \
	FOUR(0, Z8, Z0, Z1, Z2, Z3) \
	FOUR(4, Z11, Z16, Z17, Z18, Z19) \
	FOUR(1, Z8, Z0, Z1, Z2, Z3) \
	FOUR(5, Z11, Z16, Z17, Z18, Z19) \
	FOUR(2, Z8, Z0, Z1, Z2, Z3) \
	FOUR(6, Z11, Z16, Z17, Z18, Z19) \
	FOUR(3, Z8, Z0, Z1, Z2, Z3) \
	FOUR(7, Z11, Z16, Z17, Z18, Z19) \
	VMOVDQU32 512(SI), Z12 \
	VMOVDQU32 576(SI), Z9 \
	VMOVDQU32 640(SI), Z13 \
	ADDPAIR(Z0, Z16, Z20, Z24, (CX)) \
	ADDPAIR(Z1, Z17, Z21, Z25, (CX)(R10*1)) \
	ADDPAIR(Z2, Z18, Z22, Z26, (CX)(R10*2)) \
	ADDPAIR(Z3, Z19, Z23, Z27, (CX)(R11*1))

// func mulTileOff4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileOff4(SB), NOSPLIT, $0-72
	MULSTART
	VPBROADCASTD offset+64(FP), Z31

loop:
	BLOCKSTART

pair:
	PAIR
	ADDQ $704, SI
	ADDQ $32, AX
	ADDQ $4, CX
	DECQ DI
	JNZ  pair
	VMOVUPS (SI), Z12
	OFFTERM(Z20, Z24, (BX), Z4)
	OFFTERM(Z21, Z25, (BX)(R12*1), Z5)
	OFFTERM(Z22, Z26, (BX)(R12*2), Z6)
	OFFTERM(Z23, Z27, (BX)(R13*1), Z7)
	ADDQ $64, SI
	ADDQ $4, BX
	DECQ DX
	JNZ  loop
	STORE

// func mulTileTwoMin4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sums *int16, blocks int, offset int)
TEXT ·mulTileTwoMin4(SB), NOSPLIT, $0-72
	MULSTART

loop:
	BLOCKSTART

pair:
	PAIR
	ADDQ $704, SI
	ADDQ $32, AX
	ADDQ $4, CX
	DECQ DI
	JNZ  pair
	VMOVUPS (SI), Z12
	VMOVUPS 64(SI), Z13
	TERM(Z20, Z24, (BX), Z4)
	TERM(Z21, Z25, (BX)(R12*1), Z5)
	TERM(Z22, Z26, (BX)(R12*2), Z6)
	TERM(Z23, Z27, (BX)(R13*1), Z7)
	ADDQ $128, SI
	ADDQ $4, BX
	DECQ DX
	JNZ  loop
	STORE
