//go:build !purego

#include "kernels_amd64.h"

// Eight rows of 32-element blocks times one Q8 column, with VPDPBUSD and masks; see rows8. Registers are those of
// kernels_q8_amd64.h, but for
//
//	Y14 low halves of bytes   Y13, Y12, Y11, Y10 per kernel   K1, K2, K3 lanes 1, 2, 3

DATA byte<>+0(SB)/4, $0x000000ff
GLOBL byte<>(SB), RODATA|NOPTR, $4

DATA one<>+0(SB)/4, $0x00000001
GLOBL one<>(SB), RODATA|NOPTR, $4

DATA two<>+0(SB)/4, $0x00000002
GLOBL two<>(SB), RODATA|NOPTR, $4

DATA least<>+0(SB)/4, $0x00200000
GLOBL least<>(SB), RODATA|NOPTR, $4

// The levels of IQ4_NL plus 128, and of MXFP4 plus 12.
DATA levels<>+0(SB)/8, $0x766a5d4f3f2d1801
DATA levels<>+8(SB)/8, $0xf1d9c5b5a6998d81
GLOBL levels<>(SB), RODATA|NOPTR, $16

DATA fp4<>+0(SB)/8, $0x181412100f0e0d0c
DATA fp4<>+8(SB)/8, $0x00040608090a0b0c
GLOBL fp4<>(SB), RODATA|NOPTR, $16

#define START \
	MOVQ         w+8(FP), SI         \
	MOVQ         rowBytes+16(FP), R8 \
	MOVQ         q+24(FP), AX        \
	MOVQ         d+32(FP), BX        \
	MOVQ         sum+40(FP), CX      \
	MOVQ         blocks+48(FP), DX   \
	LEAQ         (R8)(R8*2), R9      \
	LEAQ         (SI)(R8*4), DI      \
	LEAQ         (SI)(R8*8), R11     \
	MOVL         $2, R10             \
	KMOVW        R10, K1             \
	MOVL         $4, R10             \
	KMOVW        R10, K2             \
	MOVL         $8, R10             \
	KMOVW        R10, K3             \
	VMOVDQU      low4<>(SB), Y14     \
	VPXOR        Y15, Y15, Y15

#define NEXT(blockBytes) \
	PREFETCHT0 (R11)     \
	PREFETCHT0 64(R11)   \
	PREFETCHT0 128(R11)  \
	ADDQ $(8*blockBytes), R11 \
	ADDQ $32, AX         \
	ADDQ $4, BX          \
	ADDQ $4, CX          \
	ADDQ $blockBytes, SI \
	ADDQ $blockBytes, DI \
	DECQ DX

#define STORE \
	MOVQ    dst+0(FP), R10 \
	VMOVUPS Y15, (R10)     \
	VZEROUPPER             \
	RET

// Y8[r] = the four bytes at the start of row r's block.
#define DWORDS \
	VPBROADCASTD (SI), X8            \
	VPBROADCASTD (SI)(R8*1), K1, X8  \
	VPBROADCASTD (SI)(R8*2), K2, X8  \
	VPBROADCASTD (SI)(R9*1), K3, X8  \
	VPBROADCASTD (DI), X9            \
	VPBROADCASTD (DI)(R8*1), K1, X9  \
	VPBROADCASTD (DI)(R8*2), K2, X9  \
	VPBROADCASTD (DI)(R9*1), K3, X9  \
	VINSERTI128  $1, X9, Y8, Y8

// y = the binary16 in the low half of each dword of Y8, as float32
#define FLOATS(x, y) \
	VPMOVDW   Y8, x \
	VCVTPH2PS x, y

// acc += float32(float32(Y0) * float32(d*dx)), d in Y1
#define ADDTERM \
	VMULPS.BCST (BX), Y1, Y1 \
	VCVTDQ2PS   Y0, Y0       \
	VMULPS      Y1, Y0, Y0   \
	VADDPS      Y0, Y15, Y15

// The same with a minimum in the upper half of each dword of Y8.
#define ADDTERMMIN \
	DWORDS                        \
	FLOATS(X1, Y1)                \
	VPSRLD         $16, Y8, Y8    \
	FLOATS(X2, Y2)                \
	VMULPS.BCST    (BX), Y1, Y1   \
	VMULPS.BCST    (BX), Y2, Y2   \
	VCVTDQ2PS      Y0, Y0         \
	VCVTDQ2PS.BCST (CX), Y3       \
	VMULPS         Y1, Y0, Y0     \
	VMULPS         Y2, Y3, Y3     \
	VADDPS         Y3, Y0, Y0     \
	VADDPS         Y0, Y15, Y15

// Y0 -= Σx << shift: takes off the offset of unsigned elements.
#define OFFSET(shift) \
	VPBROADCASTD (CX), Y9         \
	VPSLLD       $shift, Y9, Y9   \
	VPSUBD       Y9, Y0, Y0

// As in kernels_q8_amd64.h: two rows to a register. x in Y10 and Y11
#define PAIRS(off, ELEMENTS) \
	VBROADCASTI128 (AX), Y10   \
	VBROADCASTI128 16(AX), Y11 \
	PAIR(off (SI), off (DI), X4, Y4, Y5, Y0, ELEMENTS) \
	PAIR(off (SI)(R8*1), off (DI)(R8*1), X6, Y6, Y7, Y1, ELEMENTS) \
	PAIR(off (SI)(R8*2), off (DI)(R8*2), X4, Y4, Y5, Y2, ELEMENTS) \
	PAIR(off (SI)(R9*1), off (DI)(R9*1), X6, Y6, Y7, Y3, ELEMENTS) \
	VPHADDD Y1, Y0, Y0         \
	VPHADDD Y3, Y2, Y2         \
	VPHADDD Y2, Y0, Y0

#define PAIR(lower, upper, x, y, hi, acc, ELEMENTS) \
	VMOVDQU     lower, x        \
	VINSERTI128 $1, upper, y, y \
	VPSRLW      $4, y, hi       \
	VPAND       Y14, y, y       \
	VPAND       Y14, hi, hi     \
	ELEMENTS(y, hi)             \
	VPXOR       acc, acc, acc   \
	VPDPBUSD    Y10, y, acc     \
	VPDPBUSD    Y11, hi, acc

#define PLAIN(lo, hi)

// Levels from the table in Y13
#define LEVELS(lo, hi) \
	VPSHUFB lo, Y13, lo \
	VPSHUFB hi, Y13, hi

// func rows8Q4_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q4_0VNNI(SB), NOSPLIT, $0-56
	START

loop:
	PAIRS(2, PLAIN)
	OFFSET(3)
	DWORDS
	FLOATS(X1, Y1)
	ADDTERM
	NEXT(18)
	JNZ loop
	STORE

// func rows8Q4_1VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q4_1VNNI(SB), NOSPLIT, $0-56
	START

loop:
	PAIRS(4, PLAIN)
	ADDTERMMIN
	NEXT(20)
	JNZ loop
	STORE

// func rows8IQ4_NLVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8IQ4_NLVNNI(SB), NOSPLIT, $0-56
	START
	VBROADCASTI128 levels<>(SB), Y13

loop:
	PAIRS(2, LEVELS)
	OFFSET(7)
	DWORDS
	FLOATS(X1, Y1)
	ADDTERM
	NEXT(18)
	JNZ loop
	STORE

// func rows8MXFP4VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8MXFP4VNNI(SB), NOSPLIT, $0-56
	START
	VBROADCASTI128 fp4<>(SB), Y13
	VPBROADCASTD   least<>(SB), Y12

loop:
	PAIRS(1, LEVELS)
	OFFSET(3)
	OFFSET(2)                       // 12 in all
	DWORDS
	VPANDD.BCST  byte<>(SB), Y8, Y8
	VPMINUD.BCST two<>(SB), Y8, Y1  // the two subnormal scales: 2^-128 << e
	VPSLLVD      Y1, Y12, Y1
	VPSUBD.BCST  one<>(SB), Y8, Y8
	VPSLLD       $23, Y8, Y8
	VPMAXSD      Y1, Y8, Y1         // the others: exponent e-1
	ADDTERM
	NEXT(17)
	JNZ loop
	STORE

// acc = the products of a row's 32 elements with x in Y10: nibbles at off, and 16 where a bit is set of the 32 at bits
#define FIVES(bits, at, y, acc, k) \
	VBROADCASTI128 at, y      \
	KMOVD    bits, k          \
	VPSRLVD  Y13, y, y        \
	VPAND    Y14, y, y        \
	VPADDB   Y12, y, k, y     \
	VPXOR    acc, acc, acc    \
	VPDPBUSD Y10, y, acc

// Y0 = sums of the products of eight rows
#define FIVES8(bits, off) \
	VMOVDQU (AX), Y10 \
	FIVES(bits (SI), off (SI), Y8, Y0, K4)             \
	FIVES(bits (SI)(R8*1), off (SI)(R8*1), Y9, Y1, K5) \
	FIVES(bits (SI)(R8*2), off (SI)(R8*2), Y8, Y2, K6) \
	FIVES(bits (SI)(R9*1), off (SI)(R9*1), Y9, Y3, K7) \
	FIVES(bits (DI), off (DI), Y8, Y4, K4)             \
	FIVES(bits (DI)(R8*1), off (DI)(R8*1), Y9, Y5, K5) \
	FIVES(bits (DI)(R8*2), off (DI)(R8*2), Y8, Y6, K6) \
	FIVES(bits (DI)(R9*1), off (DI)(R9*1), Y9, Y7, K7) \
	REDUCE

// func rows8Q5_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q5_0VNNI(SB), NOSPLIT, $0-56
	START
	VMOVDQU shift04<>(SB), Y13
	VMOVDQU sixteens<>(SB), Y12

loop:
	FIVES8(2, 6)
	OFFSET(4)
	DWORDS
	FLOATS(X1, Y1)
	ADDTERM
	NEXT(22)
	JNZ loop
	STORE

// func rows8Q5_1VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q5_1VNNI(SB), NOSPLIT, $0-56
	START
	VMOVDQU shift04<>(SB), Y13
	VMOVDQU sixteens<>(SB), Y12

loop:
	FIVES8(4, 8)
	ADDTERMMIN
	NEXT(24)
	JNZ loop
	STORE
