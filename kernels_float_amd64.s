//go:build !purego

#include "textflag.h"

// The 16 lanes of z (y and x are its lower parts), added in halves, to off of DI.
#define TREE(z, y, x, off) \
	VEXTRACTF64X4 $1, z, Y31    \
	VADDPS        Y31, y, y     \ // lane j + lane j+8
	VEXTRACTF32X4 $1, y, X31    \
	VADDPS        X31, x, x     \ // + j+4
	VPERMILPS     $0x4e, x, X31 \
	VADDPS        X31, x, x     \ // + j+2
	VPERMILPS     $0xb1, x, X31 \
	VADDSS        X31, x, x     \ // + j+1
	VMOVSS        x, off(DI)

#define ROW(at, z, a0, a1, a2, a3) \
	VMOVUPS at, z         \
	VMULPS  Z20, z, Z24   \
	VMULPS  Z21, z, Z25   \
	VMULPS  Z22, z, Z26   \
	VMULPS  Z23, z, Z27   \
	VADDPS  Z24, a0, a0   \
	VADDPS  Z25, a1, a1   \
	VADDPS  Z26, a2, a2   \
	VADDPS  Z27, a3, a3

// func dot4x4AVX512(dst *[4][4]float32, a, b *float32, k int)
TEXT ·dot4x4AVX512(SB), NOSPLIT, $0-32
	MOVQ   dst+0(FP), DI
	MOVQ   a+8(FP), SI
	MOVQ   b+16(FP), BX
	MOVQ   k+24(FP), CX
	MOVQ   CX, R8
	SHLQ   $2, R8
	LEAQ   (R8)(R8*2), R9
	SHRQ   $4, CX
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15

loop:
	VMOVUPS (BX), Z20
	VMOVUPS (BX)(R8*1), Z21
	VMOVUPS (BX)(R8*2), Z22
	VMOVUPS (BX)(R9*1), Z23
	ROW((SI), Z16, Z0, Z1, Z2, Z3)
	ROW((SI)(R8*1), Z17, Z4, Z5, Z6, Z7)
	ROW((SI)(R8*2), Z18, Z8, Z9, Z10, Z11)
	ROW((SI)(R9*1), Z19, Z12, Z13, Z14, Z15)
	ADDQ    $64, SI
	ADDQ    $64, BX
	DECQ    CX
	JNZ     loop
	TREE(Z0, Y0, X0, 0)
	TREE(Z1, Y1, X1, 4)
	TREE(Z2, Y2, X2, 8)
	TREE(Z3, Y3, X3, 12)
	TREE(Z4, Y4, X4, 16)
	TREE(Z5, Y5, X5, 20)
	TREE(Z6, Y6, X6, 24)
	TREE(Z7, Y7, X7, 28)
	TREE(Z8, Y8, X8, 32)
	TREE(Z9, Y9, X9, 36)
	TREE(Z10, Y10, X10, 40)
	TREE(Z11, Y11, X11, 44)
	TREE(Z12, Y12, X12, 48)
	TREE(Z13, Y13, X13, 52)
	TREE(Z14, Y14, X14, 56)
	TREE(Z15, Y15, X15, 60)
	VZEROUPPER
	RET
