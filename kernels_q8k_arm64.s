//go:build !purego

#include "textflag.h"
#include "kernels_arm64.h"

// Eight rows of 256-element blocks times one Q8K column, four rows at a time; see rows8K.
//
//	R0 dst   R1 w   R2 bytes of a row   R3 x.Q   R4 x.D   R5 x.Sums   R6 blocks left   R7, R8, R9, R10 the rows
//	R12 x at hand   R13 fours left   R11, R14, R15, R16, R17, R19 free
//	V16, V17, V18, V19 the rows' integer sums   V20, V21, V22, V23 their sums of minima   V24 the four accumulators
//	V2 dx   V3 d, V25 dmin of the rows   V26, V27 sums of 32 of x   V28 to V31 per kernel

#define START \
	MOVD dst+0(FP), R0       \
	MOVD w+8(FP), R1         \
	MOVD rowBytes+16(FP), R2 \
	MOVD $2, R13

#define FOURROWS \
	MOVD q+24(FP), R3      \
	MOVD d+32(FP), R4      \
	MOVD sums+40(FP), R5   \
	MOVD blocks+48(FP), R6 \
	MOVD R1, R7            \
	ADD  R2, R7, R8        \
	ADD  R2, R8, R9        \
	ADD  R2, R9, R10       \
	ADD  R2<<2, R1, R1     \
	VEOR V24.B16, V24.B16, V24.B16

// V16 = float32(float32(isum) * float32(d*dx))
#define TERM \
	REDUCE(V16, V17, V18, V19) \
	VLD1R (R4), [V2.S4]        \
	FCVTL(3, 3)                \
	FMUL(2, 3, 3)              \
	SCVTF(16, 16)              \
	FMUL(3, 16, 16)

// V16 -= float32(float32(msum) * float32(dmin*dx))
#define SUBMIN \
	REDUCE(V20, V21, V22, V23) \
	FCVTL(25, 25)              \
	FMUL(2, 25, 25)            \
	SCVTF(20, 20)              \
	FMUL(25, 20, 20)           \
	FSUB(20, 16, 16)

// n += 32 elements, unsigned below 128, in V6 and V7 times x, times lane i of the scales in V<s>
#define ADDGROUP(i, s, n) \
	VLD1.P 32(R12), [V0.B16, V1.B16] \
	VEOR   V10.B16, V10.B16, V10.B16 \
	SDOT(0, 6, 10)                   \
	SDOT(1, 7, 10)                   \
	MLALANE(i, s, 10, n)

// 64 elements: groups 2j and 2j+1, whose scales are lanes i and i+1 of V<s>
#define Q4KPAIR(row, i, s, n) \
	VLD1.P 32(row), [V4.B16, V5.B16] \
	VAND   V31.B16, V4.B16, V6.B16   \
	VAND   V31.B16, V5.B16, V7.B16   \
	ADDGROUP(i, s, n)                \
	VUSHR  $4, V4.B16, V6.B16        \
	VUSHR  $4, V5.B16, V7.B16        \
	ADDGROUP((i+1), s, n)

// acc, of number n, and min, of number nmin, = the row's integer sums; R15 = 0x3f3f3f3f twice, R16 = 0x0f0f0f0f,
// R17 = 0x30303030
#define ROWQ4_K(row, r, acc, n, min, nmin) \
	MOVHU.P 2(row), R11      \
	VMOV    R11, V3.H[r]     \
	MOVHU.P 2(row), R11      \
	VMOV    R11, V25.H[r]    \
	MOVD.P  8(row), R11      \
	MOVWU.P 4(row), R14      \
	AND     R16, R14, R19    \ // low bits of scales 4-7
	LSR     $4, R14, R14     \
	AND     R16, R14, R14    \ // of minima 4-7
	LSR     $2, R11, R20     \
	AND     R17, R20, R20    \ // high bits of scales 4-7
	ORR     R20, R19, R19    \
	LSR     $34, R11, R20    \
	AND     R17, R20, R20    \ // of minima 4-7
	ORR     R20, R14, R14    \
	AND     R15, R11, R11    \ // scales 0-3, minima 0-3
	VMOV    R11, V4.S[0]     \
	VMOV    R19, V4.S[1]     \
	LSR     $32, R11, R11    \
	VMOV    R11, V5.S[0]     \
	VMOV    R14, V5.S[1]     \
	SXTLB(4, 4)              \
	SXTLB(5, 5)              \
	SXTLH(4, 8)              \
	SXTLH2(4, 9)             \
	SXTLH(5, 6)              \
	SXTLH2(5, 7)             \
	MUL(26, 6, nmin)         \
	MLA(27, 7, nmin)         \
	VEOR acc.B16, acc.B16, acc.B16 \
	MOVD R3, R12             \
	Q4KPAIR(row, 0, 8, n)    \
	Q4KPAIR(row, 2, 8, n)    \
	Q4KPAIR(row, 0, 9, n)    \
	Q4KPAIR(row, 2, 9, n)

// func rows8Q4_KNEON(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8Q4_KNEON(SB), NOSPLIT, $0-56
	START
	MOVD  $0x3f3f3f3f3f3f3f3f, R15
	MOVD  $0x0f0f0f0f, R16
	MOVD  $0x30303030, R17
	VMOVI $15, V31.B16

rows:
	FOURROWS

loop:
	VLD1.P 32(R5), [V26.H8, V27.H8]
	SADDLP(26, 26)
	SADDLP(27, 27)
	ROWQ4_K(R7, 0, V16, 16, V20, 20)
	ROWQ4_K(R8, 1, V17, 17, V21, 21)
	ROWQ4_K(R9, 2, V18, 18, V22, 22)
	ROWQ4_K(R10, 3, V19, 19, V23, 23)
	TERM
	SUBMIN
	FADD(16, 24, 24)
	ADD    $256, R3
	ADD    $4, R4
	SUBS   $1, R6
	BNE    loop
	VST1.P [V24.S4], 16(R0)
	SUBS   $1, R13
	BNE    rows
	RET

// n += the 16 elements in V6 and the 16 in V7, less 32, times x, times lanes i and i+1 of the scales in V<s>
#define ADDPAIR(i, s, n) \
	VLD1.P 32(R12), [V0.B16, V1.B16] \
	VSUB   V30.B16, V6.B16, V6.B16   \
	VSUB   V30.B16, V7.B16, V7.B16   \
	VEOR   V10.B16, V10.B16, V10.B16 \
	VEOR   V11.B16, V11.B16, V11.B16 \
	SDOT(0, 6, 10)                   \
	SDOT(1, 7, 11)                   \
	MLALANE(i, s, 10, n)             \
	MLALANE((i+1), s, 11, n)

// 128 elements: R14 at 64 bytes of low bits, R19 at 32 of high ones, V<s0> and V<s1> their scales
#define Q6KHALF(s0, s1, n) \
	VLD1.P 32(R14), [V4.B16, V5.B16]  \
	VLD1.P 32(R14), [V8.B16, V9.B16]  \
	VLD1.P 32(R19), [V12.B16, V13.B16] \
	VAND   V31.B16, V4.B16, V6.B16    \
	VAND   V31.B16, V5.B16, V7.B16    \
	VSHL   $4, V12.B16, V14.B16       \
	VSHL   $4, V13.B16, V15.B16       \
	VAND   V29.B16, V14.B16, V14.B16  \
	VAND   V29.B16, V15.B16, V15.B16  \
	VORR   V14.B16, V6.B16, V6.B16    \
	VORR   V15.B16, V7.B16, V7.B16    \
	ADDPAIR(0, s0, n)                 \
	VAND   V31.B16, V8.B16, V6.B16    \
	VAND   V31.B16, V9.B16, V7.B16    \
	VSHL   $2, V12.B16, V14.B16       \
	VSHL   $2, V13.B16, V15.B16       \
	VAND   V29.B16, V14.B16, V14.B16  \
	VAND   V29.B16, V15.B16, V15.B16  \
	VORR   V14.B16, V6.B16, V6.B16    \
	VORR   V15.B16, V7.B16, V7.B16    \
	ADDPAIR(2, s0, n)                 \
	VUSHR  $4, V4.B16, V6.B16         \
	VUSHR  $4, V5.B16, V7.B16         \
	VAND   V29.B16, V12.B16, V14.B16  \
	VAND   V29.B16, V13.B16, V15.B16  \
	VORR   V14.B16, V6.B16, V6.B16    \
	VORR   V15.B16, V7.B16, V7.B16    \
	ADDPAIR(0, s1, n)                 \
	VUSHR  $4, V8.B16, V6.B16         \
	VUSHR  $4, V9.B16, V7.B16         \
	VUSHR  $2, V12.B16, V14.B16       \
	VUSHR  $2, V13.B16, V15.B16       \
	VAND   V29.B16, V14.B16, V14.B16  \
	VAND   V29.B16, V15.B16, V15.B16  \
	VORR   V14.B16, V6.B16, V6.B16    \
	VORR   V15.B16, V7.B16, V7.B16    \
	ADDPAIR(2, s1, n)

// acc, of number n, = the row's integer sum
#define ROWQ6_K(row, r, acc, n) \
	MOVD row, R14                  \
	ADD  $128, row, R19            \
	ADD  $192, row                 \
	VLD1.P 16(row), [V4.B16]       \ // scales
	SXTLB(4, 5)                    \
	SXTLB2(4, 6)                   \
	SXTLH(5, 20)                   \
	SXTLH2(5, 21)                  \
	SXTLH(6, 22)                   \
	SXTLH2(6, 23)                  \
	MOVHU.P 2(row), R11            \
	VMOV R11, V3.H[r]              \
	VEOR acc.B16, acc.B16, acc.B16 \
	MOVD R3, R12                   \
	Q6KHALF(20, 21, n)             \
	Q6KHALF(22, 23, n)

// func rows8Q6_KNEON(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8Q6_KNEON(SB), NOSPLIT, $0-56
	START
	VMOVI $0x30, V29.B16
	VMOVI $32, V30.B16
	VMOVI $15, V31.B16

rows:
	FOURROWS

loop:
	ROWQ6_K(R7, 0, V16, 16)
	ROWQ6_K(R8, 1, V17, 17)
	ROWQ6_K(R9, 2, V18, 18)
	ROWQ6_K(R10, 3, V19, 19)
	TERM
	FADD(16, 24, 24)
	ADD    $256, R3
	ADD    $4, R4
	SUBS   $1, R6
	BNE    loop
	VST1.P [V24.S4], 16(R0)
	SUBS   $1, R13
	BNE    rows
	RET
