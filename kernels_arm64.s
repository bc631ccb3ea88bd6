//go:build !purego

#include "textflag.h"
#include "kernels_arm64.h"

// Eight rows of 32-element blocks times one Q8 column, four rows at a time; see rows8. Lanes of the float sums are rows, so
// each row takes its blocks in order.
//
//	R0 dst   R1 w   R2 bytes of a row   R3 x.Q   R4 x.D   R6 blocks left   R7, R8, R9, R10 the rows   R13 fours left
//	V0, V1 x   V2 dx   V3 d of the rows   V24 the four accumulators   V30, V31 per kernel

#define START \
	MOVD dst+0(FP), R0     \
	MOVD w+8(FP), R1       \
	MOVD rowBytes+16(FP), R2 \
	MOVD $2, R13

#define FOURROWS \
	MOVD q+24(FP), R3      \
	MOVD d+32(FP), R4      \
	MOVD blocks+48(FP), R6 \
	MOVD R1, R7            \
	ADD  R2, R7, R8        \
	ADD  R2, R8, R9        \
	ADD  R2, R9, R10       \
	ADD  R2<<2, R1, R1     \
	VEOR V24.B16, V24.B16, V24.B16

#define COLUMN \
	VLD1.P 32(R3), [V0.B16, V1.B16] \
	VLD1R  (R4), [V2.S4]            \
	ADD    $4, R4

// acc += float32(float32(isum) * float32(d*dx))
#define TERM \
	REDUCE(V16, V17, V18, V19) \
	FCVTL(3, 3)                \
	FMUL(2, 3, 3)              \
	SCVTF(16, 16)              \
	FMUL(3, 16, 16)            \
	FADD(16, 24, 24)

// acc, of number n, = the row's products
#define ROWQ8_0(row, r, acc, n) \
	MOVHU.P 2(row), R11               \
	VMOV    R11, V3.H[r]              \
	VLD1.P  32(row), [V4.B16, V5.B16] \
	VEOR    acc.B16, acc.B16, acc.B16 \
	SDOT(0, 4, n)                     \
	SDOT(1, 5, n)

// func rows8Q8_0NEON(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q8_0NEON(SB), NOSPLIT, $0-56
	START

rows:
	FOURROWS

loop:
	COLUMN
	ROWQ8_0(R7, 0, V16, 16)
	ROWQ8_0(R8, 1, V17, 17)
	ROWQ8_0(R9, 2, V18, 18)
	ROWQ8_0(R10, 3, V19, 19)
	TERM
	SUBS   $1, R6
	BNE    loop
	VST1.P [V24.S4], 16(R0)
	SUBS   $1, R13
	BNE    rows
	RET

#define ROWQ4_0(row, r, acc, n) \
	MOVHU.P 2(row), R11               \
	VMOV    R11, V3.H[r]              \
	VLD1.P  16(row), [V4.B16]         \
	VUSHR   $4, V4.B16, V5.B16        \
	VAND    V30.B16, V4.B16, V4.B16   \
	VSUB    V31.B16, V4.B16, V4.B16   \
	VSUB    V31.B16, V5.B16, V5.B16   \
	VEOR    acc.B16, acc.B16, acc.B16 \
	SDOT(0, 4, n)                     \
	SDOT(1, 5, n)

// func rows8Q4_0NEON(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q4_0NEON(SB), NOSPLIT, $0-56
	START
	VMOVI $15, V30.B16
	VMOVI $8, V31.B16

rows:
	FOURROWS

loop:
	COLUMN
	ROWQ4_0(R7, 0, V16, 16)
	ROWQ4_0(R8, 1, V17, 17)
	ROWQ4_0(R9, 2, V18, 18)
	ROWQ4_0(R10, 3, V19, 19)
	TERM
	SUBS   $1, R6
	BNE    loop
	VST1.P [V24.S4], 16(R0)
	SUBS   $1, R13
	BNE    rows
	RET
