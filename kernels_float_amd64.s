//go:build !purego

#include "textflag.h"

// Rows by columns in the float form. Z0 to Z15 each hold the 16 lanes of one product; in the end the trees of all of them
// are added together, so that the sums come out side by side.

// a = [lanes 0-7 + 8-15 of a, of b]
#define HALF8(a, b) \
	VSHUFF32X4 $0x44, b, a, Z31 \
	VSHUFF32X4 $0xee, b, a, a   \
	VADDPS     Z31, a, a

// a = [lanes 0-3 + 4-7 of a's two, of b's]
#define HALF4(a, b) \
	VSHUFF32X4 $0x88, b, a, Z31 \
	VSHUFF32X4 $0xdd, b, a, a   \
	VADDPS     Z31, a, a

// in each quarter of a: lanes 0-1 + 2-3 of a's, of b's
#define HALF2(a, b) \
	VUNPCKLPD b, a, Z31 \
	VUNPCKHPD b, a, a   \
	VADDPS    Z31, a, a

// in each quarter of a: lanes 0 + 1 of a's two, of b's
#define HALF1(a, b) \
	VSHUFPS $0x88, b, a, Z31 \
	VSHUFPS $0xdd, b, a, a   \
	VADDPS  Z31, a, a

// Z0's quarter i = sums of Z<i>, Z<4+i>, Z<8+i>, Z<12+i>
#define TREES \
	HALF8(Z0, Z1)   \
	HALF8(Z2, Z3)   \
	HALF8(Z4, Z5)   \
	HALF8(Z6, Z7)   \
	HALF8(Z8, Z9)   \
	HALF8(Z10, Z11) \
	HALF8(Z12, Z13) \
	HALF8(Z14, Z15) \
	HALF4(Z0, Z2)   \
	HALF4(Z4, Z6)   \
	HALF4(Z8, Z10)  \
	HALF4(Z12, Z14) \
	HALF2(Z0, Z4)   \
	HALF2(Z8, Z12)  \
	HALF1(Z0, Z8)

#define CLEAR8 \
	VPXORD Z0, Z0, Z0 \
	VPXORD Z1, Z1, Z1 \
	VPXORD Z2, Z2, Z2 \
	VPXORD Z3, Z3, Z3 \
	VPXORD Z4, Z4, Z4 \
	VPXORD Z5, Z5, Z5 \
	VPXORD Z6, Z6, Z6 \
	VPXORD Z7, Z7, Z7

#define CLEAR16 \
	CLEAR8               \
	VPXORD Z8, Z8, Z8    \
	VPXORD Z9, Z9, Z9    \
	VPXORD Z10, Z10, Z10 \
	VPXORD Z11, Z11, Z11 \
	VPXORD Z12, Z12, Z12 \
	VPXORD Z13, Z13, Z13 \
	VPXORD Z14, Z14, Z14 \
	VPXORD Z15, Z15, Z15

// Sixteen elements of a row to z.
#define F32(at, z) VMOVUPS at, z
#define F16(at, z) VCVTPH2PS at, z
#define BF16(at, z) \
	VPMOVZXWD at, z     \
	VPSLLD    $16, z, z

// a0 to a3 += z * columns
#define TIMES4(z, a0, a1, a2, a3) \
	VMULPS Z20, z, Z24 \
	VMULPS Z21, z, Z25 \
	VMULPS Z22, z, Z26 \
	VMULPS Z23, z, Z27 \
	VADDPS Z24, a0, a0 \
	VADDPS Z25, a1, a1 \
	VADDPS Z26, a2, a2 \
	VADDPS Z27, a3, a3

#define TILE4X4(load, bytes) \
	MOVQ dst+0(FP), DI     \
	MOVQ stride+8(FP), AX  \
	MOVQ w+16(FP), SI      \
	MOVQ size+24(FP), R8   \
	MOVQ x+32(FP), BX      \
	MOVQ k+40(FP), CX      \
	SHLQ $2, AX            \
	LEAQ (R8)(R8*2), R9    \
	LEAQ (CX*4), R10       \
	LEAQ (R10)(R10*2), R11 \
	SHRQ $4, CX            \
	CLEAR16                \
loop:                          \
	VMOVUPS (BX), Z20         \
	VMOVUPS (BX)(R10*1), Z21  \
	VMOVUPS (BX)(R10*2), Z22  \
	VMOVUPS (BX)(R11*1), Z23  \
	load((SI), Z16)           \
	load((SI)(R8*1), Z17)     \
	load((SI)(R8*2), Z18)     \
	load((SI)(R9*1), Z19)     \
	TIMES4(Z16, Z0, Z1, Z2, Z3)     \
	TIMES4(Z17, Z4, Z5, Z6, Z7)     \
	TIMES4(Z18, Z8, Z9, Z10, Z11)   \
	TIMES4(Z19, Z12, Z13, Z14, Z15) \
	ADDQ $bytes, SI           \
	ADDQ $64, BX              \
	DECQ CX                   \
	JNZ  loop                 \
	TREES                     \
	LEAQ (AX)(AX*2), R9       \
	VMOVUPS X0, (DI)          \
	VEXTRACTF32X4 $1, Z0, (DI)(AX*1) \
	VEXTRACTF32X4 $2, Z0, (DI)(AX*2) \
	VEXTRACTF32X4 $3, Z0, (DI)(R9*1) \
	VZEROUPPER                \
	RET

// Z0[i] = sums of Z0 to Z7; clobbers Z30
DATA eight<>+0(SB)/8, $0x0000000400000000
DATA eight<>+8(SB)/8, $0x0000000c00000008
DATA eight<>+16(SB)/8, $0x0000000500000001
DATA eight<>+24(SB)/8, $0x0000000d00000009
DATA eight<>+32(SB)/8, $0
DATA eight<>+40(SB)/8, $0
DATA eight<>+48(SB)/8, $0
DATA eight<>+56(SB)/8, $0
GLOBL eight<>(SB), RODATA|NOPTR, $64

#define TREES8 \
	HALF8(Z0, Z1)          \
	HALF8(Z2, Z3)          \
	HALF8(Z4, Z5)          \
	HALF8(Z6, Z7)          \
	HALF4(Z0, Z2)          \
	HALF4(Z4, Z6)          \
	HALF2(Z0, Z4)          \
	HALF1(Z0, Z0)          \
	VMOVUPS eight<>(SB), Z30 \
	VPERMPS Z0, Z30, Z0

// a += the row's elements * the column's
#define TIMES1(load, at, z, a) \
	load(at, z)          \
	VMULPS Z24, z, z     \
	VADDPS z, a, a

#define ROWS8(load, bytes) \
	MOVQ dst+0(FP), DI    \
	MOVQ w+8(FP), SI      \
	MOVQ size+16(FP), R8  \
	MOVQ x+24(FP), BX     \
	MOVQ k+32(FP), CX     \
	LEAQ (R8)(R8*2), R9   \
	LEAQ (SI)(R8*4), R10  \
	SHRQ $4, CX           \
	CLEAR8                \
loop:                     \
	VMOVUPS (BX), Z24     \
	TIMES1(load, (SI), Z16, Z0)         \
	TIMES1(load, (SI)(R8*1), Z17, Z1)   \
	TIMES1(load, (SI)(R8*2), Z18, Z2)   \
	TIMES1(load, (SI)(R9*1), Z19, Z3)   \
	TIMES1(load, (R10), Z20, Z4)        \
	TIMES1(load, (R10)(R8*1), Z21, Z5)  \
	TIMES1(load, (R10)(R8*2), Z22, Z6)  \
	TIMES1(load, (R10)(R9*1), Z23, Z7)  \
	ADDQ $bytes, SI       \
	ADDQ $bytes, R10      \
	ADDQ $64, BX          \
	DECQ CX               \
	JNZ  loop             \
	TREES8                \
	VMOVUPS Y0, (DI)      \
	VZEROUPPER            \
	RET

// func tile4x4F32AVX512(dst *float32, stride int, w unsafe.Pointer, size int, x *float32, k int)
TEXT ·tile4x4F32AVX512(SB), NOSPLIT, $0-48
	TILE4X4(F32, 64)

// func tile4x4F16AVX512(dst *float32, stride int, w unsafe.Pointer, size int, x *float32, k int)
TEXT ·tile4x4F16AVX512(SB), NOSPLIT, $0-48
	TILE4X4(F16, 32)

// func tile4x4BF16AVX512(dst *float32, stride int, w unsafe.Pointer, size int, x *float32, k int)
TEXT ·tile4x4BF16AVX512(SB), NOSPLIT, $0-48
	TILE4X4(BF16, 32)

// func dots8F32AVX512(dst *float32, w unsafe.Pointer, size int, x *float32, k int)
TEXT ·dots8F32AVX512(SB), NOSPLIT, $0-40
	ROWS8(F32, 64)

// func dots8F16AVX512(dst *float32, w unsafe.Pointer, size int, x *float32, k int)
TEXT ·dots8F16AVX512(SB), NOSPLIT, $0-40
	ROWS8(F16, 32)

// func dots8BF16AVX512(dst *float32, w unsafe.Pointer, size int, x *float32, k int)
TEXT ·dots8BF16AVX512(SB), NOSPLIT, $0-40
	ROWS8(BF16, 32)
