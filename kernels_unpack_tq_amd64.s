//go:build !purego

#include "textflag.h"

// TQ1_0 and TQ2_0 unpacked to a block256: elements at 0, scales at 256, d at 320.
//
//	SI the block   DI the block256   CX blocks left   Y15 zero   Y14 ones, as words   Y13 ones

DATA ones<>+0(SB)/4, $0x00010001
GLOBL ones<>(SB), RODATA|NOPTR, $4

DATA one<>+0(SB)/4, $0x01010101
GLOBL one<>(SB), RODATA|NOPTR, $4

DATA low2<>+0(SB)/4, $0x03030303
GLOBL low2<>(SB), RODATA|NOPTR, $4

// The least bytes whose fraction of 256 in base 3 begins with 1, and with 2.
DATA third<>+0(SB)/4, $0x56565656
GLOBL third<>(SB), RODATA|NOPTR, $4

DATA twothirds<>+0(SB)/4, $0xabababab
GLOBL twothirds<>(SB), RODATA|NOPTR, $4

#define START \
	MOVQ         b+0(FP), DI       \
	MOVQ         w+8(FP), SI       \
	MOVQ         blocks+16(FP), CX \
	VPXOR        Y15, Y15, Y15     \
	VPBROADCASTD ones<>(SB), Y14   \
	VPBROADCASTD one<>(SB), Y13

#define NEXT(blockBytes) \
	ADDQ $blockBytes, SI \
	ADDQ $328, DI        \
	DECQ CX

// d = the binary16 at off; all scales are 1
#define D(off) \
	VPINSRW   $0, off(SI), X15, X0 \
	VCVTPH2PS X0, X0               \
	VMOVSS    X0, 320(DI)          \
	VMOVDQU   Y14, 256(DI)

// y = the first digit of each byte of b, less 1
#define DIGIT(b, t, y, one, third, twothirds, zero) \
	VPMAXUB  b, third, y      \ // b where b >= third
	VPCMPEQB b, y, y          \
	VPMAXUB  b, twothirds, t  \
	VPCMPEQB b, t, t          \
	VPADDB   y, t, t          \
	VPADDB   t, one, t        \
	VPSUBB   t, zero, y

// b times 3, mod 256
#define SHIFT(b, t) \
	VPADDB b, b, t \
	VPADDB t, b, b

#define DIGITS32(off) \
	DIGIT(Y0, Y2, Y1, Y13, Y12, Y11, Y15) \
	VMOVDQU Y1, off(DI)              \
	SHIFT(Y0, Y2)

#define DIGITS16(off) \
	DIGIT(X0, X2, X1, X13, X12, X11, X15) \
	VMOVDQU X1, off(DI)              \
	SHIFT(X0, X2)

#define DIGITS4(off) \
	DIGIT(X0, X2, X1, X13, X12, X11, X15) \
	VMOVD X1, off(DI)                \
	SHIFT(X0, X2)

// func unpackTQ1_0AVX2(b *block256, w *byte, blocks int)
TEXT ·unpackTQ1_0AVX2(SB), NOSPLIT, $0-24
	START
	VPBROADCASTD third<>(SB), Y12
	VPBROADCASTD twothirds<>(SB), Y11

loop:
	D(52)
	VMOVDQU (SI), Y0
	DIGITS32(0)
	DIGITS32(32)
	DIGITS32(64)
	DIGITS32(96)
	DIGITS32(128)
	VMOVDQU 32(SI), X0
	DIGITS16(160)
	DIGITS16(176)
	DIGITS16(192)
	DIGITS16(208)
	DIGITS16(224)
	VMOVD   48(SI), X0
	DIGITS4(240)
	DIGITS4(244)
	DIGITS4(248)
	DIGITS4(252)
	NEXT(54)
	JNZ     loop
	VZEROUPPER
	RET

#define TWOS(shift, off) \
	VPSRLW  $shift, Y0, Y1  \
	VPAND   Y12, Y1, Y1     \
	VPSUBB  Y13, Y1, Y1     \
	VMOVDQU Y1, off(DI)

// func unpackTQ2_0AVX2(b *block256, w *byte, blocks int)
TEXT ·unpackTQ2_0AVX2(SB), NOSPLIT, $0-24
	START
	VPBROADCASTD low2<>(SB), Y12

loop:
	D(64)
	VMOVDQU (SI), Y0
	TWOS(0, 0)
	TWOS(2, 32)
	TWOS(4, 64)
	TWOS(6, 96)
	VMOVDQU 32(SI), Y0
	TWOS(0, 128)
	TWOS(2, 160)
	TWOS(4, 192)
	TWOS(6, 224)
	NEXT(66)
	JNZ     loop
	VZEROUPPER
	RET
