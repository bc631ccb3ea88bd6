//go:build !purego

#include "kernels_linear_amd64.h"

// Pairs of rows of 32-element blocks of 16 bytes, a half of a byte an element, times one Q8 column, sixteen blocks at a time;
// see linearPairs and kernels_linear_amd64.h. blocks must be a multiple of four.
//
// A register holds the 16 bytes of four blocks, so x is copied in that order: the first 16 elements of four blocks, the last 16.
//
//	Z16 low halves of bytes   Z17 the order of sums   Z18, Z19 per kernel   K1 to K3 quarters 1 to 3 of a register
//	Z21, Z22 x's sums times the type's offset, x's scales

DATA low<>+0(SB)/4, $0x0f0f0f0f
GLOBL low<>(SB), RODATA|NOPTR, $4

// Element e of sixteen where the sums of four blocks lie in each quarter: 4*(e%4) + e/4.
DATA turned<>+0(SB)/8, $0x0000000400000000
DATA turned<>+8(SB)/8, $0x0000000c00000008
DATA turned<>+16(SB)/8, $0x0000000500000001
DATA turned<>+24(SB)/8, $0x0000000d00000009
DATA turned<>+32(SB)/8, $0x0000000600000002
DATA turned<>+40(SB)/8, $0x0000000e0000000a
DATA turned<>+48(SB)/8, $0x0000000700000003
DATA turned<>+56(SB)/8, $0x0000000f0000000b
GLOBL turned<>(SB), RODATA|NOPTR, $64

// Where the scales of eight blocks lie in 128 bytes of words.
DATA scale18<>+0(SB)/8, $0x001b001200090000
DATA scale18<>+8(SB)/8, $0x003f0036002d0024
DATA scale18<>+16(SB)/8, $0x0000000000000000
DATA scale18<>+24(SB)/8, $0x0000000000000000
DATA scale18<>+32(SB)/8, $0x0000000000000000
DATA scale18<>+40(SB)/8, $0x0000000000000000
DATA scale18<>+48(SB)/8, $0x0000000000000000
DATA scale18<>+56(SB)/8, $0x0000000000000000
GLOBL scale18<>(SB), RODATA|NOPTR, $64

#define CONSTANTS \
	VPBROADCASTD low<>(SB), Z16    \
	VMOVDQU64    turned<>(SB), Z17 \
	MOVL         $0xf0, R10        \
	KMOVW        R10, K1           \
	MOVL         $0xf00, R10       \
	KMOVW        R10, K2           \
	MOVL         $0xf000, R10      \
	KMOVW        R10, K3

// Copies x, four blocks at a time, to where AX points then.
#define ARRANGE \
	ARRANGED(0, DI)               \
	MOVQ       R11, DX            \
arrange:                          \
	VMOVDQU64  (AX), Z0           \
	VMOVDQU64  64(AX), Z1         \
	VSHUFI64X2 $0x88, Z1, Z0, Z2  \
	VSHUFI64X2 $0xdd, Z1, Z0, Z3  \
	VMOVDQU64  Z2, (DI)           \
	VMOVDQU64  Z3, 64(DI)         \
	ADDQ       $128, AX           \
	ADDQ       $128, DI           \
	SUBQ       $4, DX             \
	JNZ        arrange            \
	ARRANGED(0, AX)

// acc = four sums for each of four blocks of size bytes from p on, whose elements begin at byte at; ELEMENTS(lo, hi) makes
// unsigned bytes of the halves.
#define FOURBLOCKS(p, at, size, x, ELEMENTS, acc) \
	VMOVDQU         (at)(p), X4            \
	VBROADCASTI32X4 (at+size)(p), K1, Z4   \
	VBROADCASTI32X4 (at+2*size)(p), K2, Z4 \
	VBROADCASTI32X4 (at+3*size)(p), K3, Z4 \
	VPSRLW          $4, Z4, Z5             \
	VPANDD          Z16, Z4, Z4            \
	VPANDD          Z16, Z5, Z5            \
	ELEMENTS(Z4, Z5)                       \
	VPXORD          acc, acc, acc          \
	VPDPBUSD        (x)(R12), Z4, acc      \
	VPDPBUSD        (x+64)(R12), Z5, acc

// Z0 = the sums of sixteen blocks of size bytes.
#define SIXTEENSUMS(p, at, size, ELEMENTS) \
	FOURBLOCKS(p, at, size, 0, ELEMENTS, Z0)             \
	FOURBLOCKS(p, (at+4*size), size, 128, ELEMENTS, Z1)  \
	FOURBLOCKS(p, (at+8*size), size, 256, ELEMENTS, Z2)  \
	FOURBLOCKS(p, (at+12*size), size, 384, ELEMENTS, Z3) \
	VPUNPCKLDQ  Z1, Z0, Z4 \
	VPUNPCKHDQ  Z1, Z0, Z5 \
	VPADDD      Z5, Z4, Z4 \
	VPUNPCKLDQ  Z3, Z2, Z6 \
	VPUNPCKHDQ  Z3, Z2, Z7 \
	VPADDD      Z7, Z6, Z6 \
	VPUNPCKLQDQ Z6, Z4, Z5 \
	VPUNPCKHQDQ Z6, Z4, Z7 \
	VPADDD      Z7, Z5, Z5 \ // blocks q, 4+q, 8+q and 12+q in quarter q
	VPERMD      Z5, Z17, Z0

#define PLAIN(lo, hi)

// Z8 = the scales of sixteen blocks of 18 bytes from p on.
#define SCALES18(p) \
	VMOVDQA64   Z18, Z8        \
	VMOVDQU64   (p), Z4        \
	VPERMI2W    64(p), Z4, Z8  \
	VMOVDQA64   Z18, Z9        \
	VMOVDQU64   144(p), Z5     \
	VPERMI2W    208(p), Z5, Z9 \
	VINSERTI128 $1, X9, Y8, Y8 \
	VCVTPH2PS   Y8, Z8

// Z0 = float32(float32(Z0 - Z21) * float32(d*dx)), d in Z8
#define TERMS \
	VPSUBD      Z21, Z0, Z0 \
	VMULPS      Z22, Z8, Z8 \
	VCVTDQ2PS   Z0, Z0      \
	VMULPS.Z    Z8, Z0, K4, Z0

// The addresses of a pair's next blocks, and what x has to their terms.
#define GROUP(shift) \
	LEAQ      (DX)(R9*1), DI    \
	PAGEAHEAD(DX, R10)          \
	PAGEAHEAD(DI, R10)          \
	VMOVDQU32 (CX)(R13*4), Z21  \
	VPSLLD    $shift, Z21, Z21  \
	VMOVUPS   (BX)(R13*4), Z22

// func linearQ4_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)
TEXT ·linearQ4_0VNNI(SB), 0, $16448-72
	START
	PAIRS
	MOVQ      sum+40(FP), CX
	CONSTANTS
	VMOVDQU64 scale18<>(SB), Z18
	ARRANGE

row:
	ROW

group:
	GROUP(3)
	SIXTEENSUMS(DX, 2, 18, PLAIN)
	SCALES18(DX)
	TERMS
	VMOVAPS Z0, Z20
	SIXTEENSUMS(DI, 2, 18, PLAIN)
	SCALES18(DI)
	TERMS
	ADDPAIRS16
	NEXT(16, 18, 5, TWO, pairs)
