//go:build !purego

#include "textflag.h"

// Weighted sums of rows. The sums stay in registers while the rows go by; lanes are elements.

// K1 to K4 = which of n elements each of four registers has
#define MASKS \
	MOVQ  $64, CX      \
	SUBQ  n+48(FP), CX \
	MOVQ  $-1, DX      \
	SHRQ  CX, DX       \
	KMOVW DX, K1       \
	SHRQ  $16, DX      \
	KMOVW DX, K2       \
	SHRQ  $16, DX      \
	KMOVW DX, K3       \
	SHRQ  $16, DX      \
	KMOVW DX, K4

#define ARGUMENTS \
	MOVQ dst+0(FP), DI     \
	MOVQ w+8(FP), R8       \
	MOVQ stride+16(FP), R9 \
	MOVQ v+24(FP), SI      \
	MOVQ dim+32(FP), BX    \
	MOVQ rows+40(FP), CX   \
	SHLQ $2, R9            \
	SHLQ $2, BX

#define LOAD(at, a, b, c, d) \
	VMOVUPS.Z (at), K1, a    \
	VMOVUPS.Z 64(at), K2, b  \
	VMOVUPS.Z 128(at), K3, c \
	VMOVUPS.Z 192(at), K4, d

#define LOADHALF(at, a, b, c, d) \
	VCVTPH2PS.Z (at), K1, a   \
	VCVTPH2PS.Z 32(at), K2, b \
	VCVTPH2PS.Z 64(at), K3, c \
	VCVTPH2PS.Z 96(at), K4, d

#define STORE(at, a, b, c, d) \
	VMOVUPS a, K1, (at)    \
	VMOVUPS b, K2, 64(at)  \
	VMOVUPS c, K3, 128(at) \
	VMOVUPS d, K4, 192(at)

// a to d += weight * Z16 to Z19
#define ADD(weight, a, b, c, d) \
	VBROADCASTSS weight, Z20 \
	VMULPS Z16, Z20, Z21     \
	VMULPS Z17, Z20, Z22     \
	VMULPS Z18, Z20, Z23     \
	VMULPS Z19, Z20, Z24     \
	VADDPS Z21, a, a         \
	VADDPS Z22, b, b         \
	VADDPS Z23, c, c         \
	VADDPS Z24, d, d

// DI and R11 to R13 = the rows of dst, AX = weights of the last two queries
#define FOUR \
	LEAQ (DI)(BX*1), R11         \
	LEAQ (DI)(BX*2), R12         \
	LEAQ (R11)(BX*2), R13        \
	LEAQ (R8)(R9*2), AX          \
	LOAD(DI, Z0, Z1, Z2, Z3)     \
	LOAD(R11, Z4, Z5, Z6, Z7)    \
	LOAD(R12, Z8, Z9, Z10, Z11)  \
	LOAD(R13, Z12, Z13, Z14, Z15)

#define ADD4 \
	ADD((R8), Z0, Z1, Z2, Z3)              \
	ADD((R8)(R9*1), Z4, Z5, Z6, Z7)        \
	ADD((AX), Z8, Z9, Z10, Z11)            \
	ADD((AX)(R9*1), Z12, Z13, Z14, Z15)    \
	ADDQ $4, R8                            \
	ADDQ $4, AX

#define STORE4 \
	STORE(DI, Z0, Z1, Z2, Z3)      \
	STORE(R11, Z4, Z5, Z6, Z7)     \
	STORE(R12, Z8, Z9, Z10, Z11)   \
	STORE(R13, Z12, Z13, Z14, Z15)

// func mix4F32AVX512(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)
TEXT ·mix4F32AVX512(SB), NOSPLIT, $0-56
	MASKS
	ARGUMENTS
	FOUR

loop:
	LOAD(SI, Z16, Z17, Z18, Z19)
	ADD4
	ADDQ BX, SI
	DECQ CX
	JNZ  loop
	STORE4
	VZEROUPPER
	RET

// func mix4F16AVX512(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)
TEXT ·mix4F16AVX512(SB), NOSPLIT, $0-56
	MASKS
	ARGUMENTS
	FOUR
	SHRQ $1, BX

loop:
	LOADHALF(SI, Z16, Z17, Z18, Z19)
	ADD4
	ADDQ BX, SI
	DECQ CX
	JNZ  loop
	STORE4
	VZEROUPPER
	RET

// func mix1F32AVX512(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)
TEXT ·mix1F32AVX512(SB), NOSPLIT, $0-56
	MASKS
	ARGUMENTS
	LOAD(DI, Z0, Z1, Z2, Z3)

loop:
	LOAD(SI, Z16, Z17, Z18, Z19)
	ADD((R8), Z0, Z1, Z2, Z3)
	ADDQ $4, R8
	ADDQ BX, SI
	DECQ CX
	JNZ  loop
	STORE(DI, Z0, Z1, Z2, Z3)
	VZEROUPPER
	RET

// func mix1F16AVX512(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)
TEXT ·mix1F16AVX512(SB), NOSPLIT, $0-56
	MASKS
	ARGUMENTS
	LOAD(DI, Z0, Z1, Z2, Z3)
	SHRQ $1, BX

loop:
	LOADHALF(SI, Z16, Z17, Z18, Z19)
	ADD((R8), Z0, Z1, Z2, Z3)
	ADDQ $4, R8
	ADDQ BX, SI
	DECQ CX
	JNZ  loop
	STORE(DI, Z0, Z1, Z2, Z3)
	VZEROUPPER
	RET

// Sixteen elements of four queries: Y0 to Y7.
#define FOUR2 \
	LEAQ (DI)(BX*1), R11  \
	LEAQ (DI)(BX*2), R12  \
	LEAQ (R11)(BX*2), R13 \
	LEAQ (R8)(R9*2), AX   \
	VMOVUPS (DI), Y0      \
	VMOVUPS 32(DI), Y1    \
	VMOVUPS (R11), Y2     \
	VMOVUPS 32(R11), Y3   \
	VMOVUPS (R12), Y4     \
	VMOVUPS 32(R12), Y5   \
	VMOVUPS (R13), Y6     \
	VMOVUPS 32(R13), Y7

// a and b += weight * Y8 and Y9
#define ADD2(weight, a, b) \
	VBROADCASTSS weight, Y10 \
	VMULPS Y8, Y10, Y11      \
	VMULPS Y9, Y10, Y12      \
	VADDPS Y11, a, a         \
	VADDPS Y12, b, b

#define ADD4X2 \
	ADD2((R8), Y0, Y1)       \
	ADD2((R8)(R9*1), Y2, Y3) \
	ADD2((AX), Y4, Y5)       \
	ADD2((AX)(R9*1), Y6, Y7) \
	ADDQ $4, R8              \
	ADDQ $4, AX

#define STORE4X2 \
	VMOVUPS Y0, (DI)      \
	VMOVUPS Y1, 32(DI)    \
	VMOVUPS Y2, (R11)     \
	VMOVUPS Y3, 32(R11)   \
	VMOVUPS Y4, (R12)     \
	VMOVUPS Y5, 32(R12)   \
	VMOVUPS Y6, (R13)     \
	VMOVUPS Y7, 32(R13)   \
	VZEROUPPER

// func mix4F32AVX2(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)
TEXT ·mix4F32AVX2(SB), NOSPLIT, $0-56
	ARGUMENTS
	FOUR2

loop:
	VMOVUPS (SI), Y8
	VMOVUPS 32(SI), Y9
	ADD4X2
	ADDQ BX, SI
	DECQ CX
	JNZ  loop
	STORE4X2
	RET

// func mix4F16AVX2(dst, w *float32, stride int, v unsafe.Pointer, dim, rows, n int)
TEXT ·mix4F16AVX2(SB), NOSPLIT, $0-56
	ARGUMENTS
	FOUR2
	SHRQ $1, BX

loop:
	VCVTPH2PS (SI), Y8
	VCVTPH2PS 16(SI), Y9
	ADD4X2
	ADDQ BX, SI
	DECQ CX
	JNZ  loop
	STORE4X2
	RET
