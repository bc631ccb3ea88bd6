//go:build !purego

#include "kernels_amd64.h"
#include "kernels_q8_amd64.h"

// Eight rows of 32-element blocks times one Q8 column; see rows8 for what they share. Lanes of the float sums are rows,
// so each row takes its blocks in order.

#define ROWQ8_0(at, y) \
	VMOVDQU 2 at, y \
	SIGNED(y, y)

#define ROWQ5_0(at, y) \
	NIBBLES(6 at, y) \
	FIFTHS(2 at, y)  \
	UNSIGNED(y, y)

#define ROWQ5_1(at, y) \
	NIBBLES(8 at, y) \
	FIFTHS(4 at, y)  \
	UNSIGNED(y, y)

// func rows8Q8_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q8_0AVX2(SB), NOSPLIT, $0-56
	START

loop:
	ROWS(ROWQ8_0)
	TERM
	VADDPS Y0, Y15, Y15
	PREFETCHT0 192(R11)
	PREFETCHT0 256(R11)
	NEXT(34)
	JNZ    loop
	STORE

// func rows8Q4_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q4_0AVX2(SB), NOSPLIT, $0-56
	START

loop:
	PAIRS(2, SMALL)
	OFFSET(3)
	TERM
	VADDPS Y0, Y15, Y15
	NEXT(18)
	JNZ    loop
	STORE

// func rows8Q4_1AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q4_1AVX2(SB), NOSPLIT, $0-56
	START

loop:
	PAIRS(4, SMALL)
	TERM
	ADDMIN
	VADDPS Y0, Y15, Y15
	NEXT(20)
	JNZ    loop
	STORE

// func rows8Q5_0AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q5_0AVX2(SB), NOSPLIT, $0-56
	START
	VMOVDQU shift04<>(SB), Y12
	VMOVDQU spread<>(SB), Y11
	VMOVDQU bits<>(SB), Y10

loop:
	ROWS(ROWQ5_0)
	OFFSET(4)
	TERM
	VADDPS Y0, Y15, Y15
	NEXT(22)
	JNZ    loop
	STORE

// func rows8Q5_1AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8Q5_1AVX2(SB), NOSPLIT, $0-56
	START
	VMOVDQU shift04<>(SB), Y12
	VMOVDQU spread<>(SB), Y11
	VMOVDQU bits<>(SB), Y10

loop:
	ROWS(ROWQ5_1)
	TERM
	ADDMIN
	VADDPS Y0, Y15, Y15
	NEXT(24)
	JNZ    loop
	STORE

// func rows8IQ4_NLAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8IQ4_NLAVX2(SB), NOSPLIT, $0-56
	START
	VMOVDQU iq4<>(SB), Y12

loop:
	PAIRS(2, LEVELS)
	TERM
	VADDPS Y0, Y15, Y15
	NEXT(18)
	JNZ    loop
	STORE
