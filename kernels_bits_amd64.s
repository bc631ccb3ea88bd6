//go:build !purego

#include "kernels_amd64.h"
#include "kernels_q8_amd64.h"

// Q1_0 and Q2_0, eight rows times one Q8 column. Y12 is the scales of a block's several groups of 32.

// Per byte.
DATA twos<>+0(SB)/8, $0x0202020202020202
DATA twos<>+8(SB)/8, $0x0202020202020202
DATA twos<>+16(SB)/8, $0x0202020202020202
DATA twos<>+24(SB)/8, $0x0202020202020202
GLOBL twos<>(SB), RODATA|NOPTR, $32

DATA threes<>+0(SB)/8, $0x0303030303030303
DATA threes<>+8(SB)/8, $0x0303030303030303
DATA threes<>+16(SB)/8, $0x0303030303030303
DATA threes<>+24(SB)/8, $0x0303030303030303
GLOBL threes<>(SB), RODATA|NOPTR, $32

#define GROUP(ROW, bytes) \
	ROWS(ROW)                    \
	OFFSET(0)                    \
	VBROADCASTSS (BX), Y9        \
	VMULPS       Y9, Y12, Y8     \
	VCVTDQ2PS    Y0, Y0          \
	VMULPS       Y8, Y0, Y0      \
	VADDPS       Y0, Y15, Y15    \
	ADDQ         $32, AX         \
	ADDQ         $4, BX          \
	ADDQ         $4, CX          \
	ADDQ         $bytes, SI      \
	ADDQ         $bytes, DI

#define NEXTBLOCK \
	PREFETCHT0 (R11)     \
	PREFETCHT0 64(R11)   \
	PREFETCHT0 128(R11)  \
	ADDQ       $144, R11 \
	ADDQ       $2, SI    \
	ADDQ       $2, DI    \
	DECQ       DX

// Elements are 0 and 2, less 1.
#define ROWQ1_0(at, y) \
	VPBROADCASTD 2 at, y   \
	VPSHUFB  Y11, y, y     \
	VPAND    Y10, y, y     \
	VPCMPEQB Y10, y, y     \
	VPAND    Y13, y, y     \
	UNSIGNED(y, y)

// func rows8Q1_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q1_0AVX2(SB), NOSPLIT, $0-56
	START
	VMOVDQU twos<>(SB), Y13
	VMOVDQU spread<>(SB), Y11
	VMOVDQU bits<>(SB), Y10

loop:
	HALVES(0, X12, Y12)
	GROUP(ROWQ1_0, 4)
	GROUP(ROWQ1_0, 4)
	GROUP(ROWQ1_0, 4)
	GROUP(ROWQ1_0, 4)
	NEXTBLOCK
	JNZ loop
	STORE

// A byte's four elements, spread over the bytes of a dword: 0 to 3, less 1.
#define ROWQ2_0(at, y) \
	VPMOVZXBD 2 at, y     \
	VPSLLD $12, y, Y8     \
	VPOR   Y8, y, y       \
	VPSLLD $6, y, Y8      \
	VPOR   Y8, y, y       \
	VPAND  Y13, y, y      \
	UNSIGNED(y, y)

// func rows8Q2_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q2_0AVX2(SB), NOSPLIT, $0-56
	START
	VMOVDQU threes<>(SB), Y13

loop:
	HALVES(0, X12, Y12)
	GROUP(ROWQ2_0, 8)
	GROUP(ROWQ2_0, 8)
	NEXTBLOCK
	JNZ loop
	STORE
