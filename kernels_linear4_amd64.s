//go:build !purego

#include "kernels_linear_amd64.h"

// Pairs of rows of 32-element blocks with a half of a byte for each element, in 16 bytes, times one Q8 column, sixteen blocks
// at a time; see linearPairs and kernels_linear_amd64.h.
//
// A register holds the 16 bytes of four blocks, so x is copied in that order: the first 16 elements of four blocks, the last 16.
//
//	Z16 low halves of bytes   Z17 the order of sums   K1 to K3 quarters 1 to 3 of a register   Z10 to Z15, Z18 per kernel
//	Z21, Z22 x's sums, times the type's offset, and scales   Z26 to Z29 heads of four blocks each   Z30 where elements lie

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

// Where the elements of four blocks of 18, 20 and 22 bytes, which begin at byte 2, 4 and 6 of each, lie in 64 words: 32 of
// the blocks' first 64 bytes and 32 of their last 64.
DATA four18<>+0(SB)/8, $0x0004000300020001
DATA four18<>+8(SB)/8, $0x0008000700060005
DATA four18<>+16(SB)/8, $0x000d000c000b000a
DATA four18<>+24(SB)/8, $0x00110010000f000e
DATA four18<>+32(SB)/8, $0x0016001500140013
DATA four18<>+40(SB)/8, $0x001a001900180017
DATA four18<>+48(SB)/8, $0x001f001e001d001c
DATA four18<>+56(SB)/8, $0x003f003e003d003c
GLOBL four18<>(SB), RODATA|NOPTR, $64

DATA four20<>+0(SB)/8, $0x0005000400030002
DATA four20<>+8(SB)/8, $0x0009000800070006
DATA four20<>+16(SB)/8, $0x000f000e000d000c
DATA four20<>+24(SB)/8, $0x0013001200110010
DATA four20<>+32(SB)/8, $0x0019001800170016
DATA four20<>+40(SB)/8, $0x001d001c001b001a
DATA four20<>+48(SB)/8, $0x003b003a00390038
DATA four20<>+56(SB)/8, $0x003f003e003d003c
GLOBL four20<>(SB), RODATA|NOPTR, $64

DATA four22<>+0(SB)/8, $0x0006000500040003
DATA four22<>+8(SB)/8, $0x000a000900080007
DATA four22<>+16(SB)/8, $0x00110010000f000e
DATA four22<>+24(SB)/8, $0x0015001400130012
DATA four22<>+32(SB)/8, $0x001c001b001a0019
DATA four22<>+40(SB)/8, $0x0034001f001e001d
DATA four22<>+48(SB)/8, $0x003b003a00390038
DATA four22<>+56(SB)/8, $0x003f003e003d003c
GLOBL four22<>(SB), RODATA|NOPTR, $64

// The levels of IQ4_NL plus 128.
DATA levels<>+0(SB)/8, $0x766a5d4f3f2d1801
DATA levels<>+8(SB)/8, $0xf1d9c5b5a6998d81
GLOBL levels<>(SB), RODATA|NOPTR, $16

// Where a block of Q5_0 has the fifth bits of its first 16 elements, and of its last; which bits.
DATA fifths2<>+0(SB)/8, $0x0202020202020202
DATA fifths2<>+8(SB)/8, $0x0303030303030303
GLOBL fifths2<>(SB), RODATA|NOPTR, $16

DATA fifths4<>+0(SB)/8, $0x0404040404040404
DATA fifths4<>+8(SB)/8, $0x0505050505050505
GLOBL fifths4<>(SB), RODATA|NOPTR, $16

DATA bits<>+0(SB)/8, $0x8040201008040201
DATA bits<>+8(SB)/8, $0x8040201008040201
GLOBL bits<>(SB), RODATA|NOPTR, $16

DATA sixteen<>+0(SB)/4, $0x10101010
GLOBL sixteen<>(SB), RODATA|NOPTR, $4

#define BEGIN \
	START                          \
	PAIRS                          \
	MOVQ         sum+40(FP), CX    \
	VPBROADCASTD low<>(SB), Z16    \
	VMOVDQU64    turned<>(SB), Z17 \
	MOVL         $0xf0, R10        \
	KMOVW        R10, K1           \
	MOVL         $0xf00, R10       \
	KMOVW        R10, K2           \
	MOVL         $0xf000, R10      \
	KMOVW        R10, K3           \
	ARRANGE

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

// z = the 16 bytes at byte at of each of four blocks of size bytes from p on.
#define OFFOUR(p, at, size, x, z) \
	VMOVDQU32       (at)(p), x            \
	VBROADCASTI32X4 (at+size)(p), K1, z   \
	VBROADCASTI32X4 (at+2*size)(p), K2, z \
	VBROADCASTI32X4 (at+3*size)(p), K3, z

// acc = four sums for each of four blocks of size bytes from byte begin of p on, whose elements are where Z30 tells; HEADS(p, at,
// size, head) may look at their beginnings, ELEMENTS(head, lo, hi) makes unsigned bytes of the halves.
#define FOURBLOCKS(p, begin, size, x, HEADS, xhead, head, ELEMENTS, acc) \
	HEADS(p, begin, size, xhead, head)     \
	VMOVDQA64 Z30, Z4                      \
	VMOVDQU64 (begin)(p), Z5               \
	VPERMI2W  (begin+4*size-64)(p), Z5, Z4 \
	VPSRLW    $4, Z4, Z5                   \
	VPANDD    Z16, Z4, Z4                  \
	VPANDD    Z16, Z5, Z5                  \
	ELEMENTS(head, Z4, Z5)                 \
	VPXORD    acc, acc, acc                \
	VPDPBUSD  (x)(R12), Z4, acc            \
	VPDPBUSD  (x+64)(R12), Z5, acc

#define NOHEADS(p, at, size, x, z)

// Z0 = the sums of sixteen blocks of size bytes.
#define SUMS(p, size, HEADS, ELEMENTS) \
	FOURBLOCKS(p, 0, size, 0, HEADS, X26, Z26, ELEMENTS, Z0)           \
	FOURBLOCKS(p, (4*size), size, 128, HEADS, X27, Z27, ELEMENTS, Z1)  \
	FOURBLOCKS(p, (8*size), size, 256, HEADS, X28, Z28, ELEMENTS, Z2)  \
	FOURBLOCKS(p, (12*size), size, 384, HEADS, X29, Z29, ELEMENTS, Z3) \
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

// Z8 = the first four bytes of each block.
#define FIRSTS \
	VPUNPCKLDQ  Z27, Z26, Z4 \
	VPUNPCKLDQ  Z29, Z28, Z5 \
	VPUNPCKLQDQ Z5, Z4, Z4   \
	VPERMD      Z4, Z17, Z8

#define PLAIN(head, lo, hi)

// Levels from the table in Z10.
#define LEVELS(head, lo, hi) \
	VPSHUFB lo, Z10, lo \
	VPSHUFB hi, Z10, hi

// 16 more, Z13, where a bit is set of those that Z10 and Z11 take from a head, Z12 being which.
#define FIFTHS(head, lo, hi) \
	VPSHUFB  Z10, head, Z6     \
	VPSHUFB  Z11, head, Z7     \
	VPTESTMB Z12, Z6, K5       \
	VPTESTMB Z12, Z7, K6       \
	VPADDB   Z13, lo, K5, lo   \
	VPADDB   Z13, hi, K6, hi

// The scales of sixteen blocks, where they are the first two bytes of each.
#define SCALES(p) \
	FIRSTS             \
	VPMOVDW   Z8, Y8   \
	VCVTPH2PS Y8, Z8

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

// Z0 = float32(float32(Z0 - Z21) * float32(d*dx))
#define TERMS(p, SCALES) \
	SCALES(p)               \
	VPSUBD      Z21, Z0, Z0 \
	VMULPS      Z22, Z8, Z8 \
	VCVTDQ2PS   Z0, Z0      \
	VMULPS.Z    Z8, Z0, K4, Z0

// Z0 = float32(float32(Z0)*float32(d*dx)) + float32(float32(Z21)*float32(m*dx)), d and m being the first four bytes of each block
#define TERMSMIN(p, SCALES) \
	FIRSTS                  \
	VPMOVDW     Z8, Y9      \
	VPSRLD      $16, Z8, Z8 \
	VPMOVDW     Z8, Y8      \
	VCVTPH2PS   Y9, Z9      \
	VCVTPH2PS   Y8, Z8      \
	VCVTDQ2PS   Z0, Z0      \
	VCVTDQ2PS   Z21, Z4     \
	VMULPS      Z22, Z9, Z9 \
	VMULPS      Z22, Z8, Z8 \
	VMULPS      Z9, Z0, Z0  \
	VMULPS      Z8, Z4, Z4  \
	VADDPS.Z    Z4, Z0, K4, Z0

// All rows, of blocks of size bytes; OFFSET makes of Z21, x's sums, what TERMS wants of them.
#define MULTIPLY(size, HEADS, ELEMENTS, OFFSET, TERMS, SCALES) \
row:                            \
	ROW                         \
group:                          \
	LEAQ      (DX)(R9*1), DI    \
	PAGEAHEAD(DX, R10)          \
	PAGEAHEAD(DI, R10)          \
	VMOVDQU32 (CX)(R13*4), Z21  \
	OFFSET                      \
	VMOVUPS   (BX)(R13*4), Z22  \
	SUMS(DX, size, HEADS, ELEMENTS) \
	TERMS(DX, SCALES)           \
	VMOVAPS   Z0, Z20           \
	SUMS(DI, size, HEADS, ELEMENTS) \
	TERMS(DI, SCALES)           \
	ADDPAIRS16                  \
	NEXT(16, size, 5, TWO, pairs)

#define TIMES1
#define TIMES8   VPSLLD $3, Z21, Z21
#define TIMES16  VPSLLD $4, Z21, Z21
#define TIMES128 VPSLLD $7, Z21, Z21
// func linearQ4_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)
TEXT ·linearQ4_0VNNI(SB), 0, $16448-72
	BEGIN
	VMOVDQU64 four18<>(SB), Z30
	VMOVDQU64 scale18<>(SB), Z18
	MULTIPLY(18, NOHEADS, PLAIN, TIMES8, TERMS, SCALES18)

// func linearIQ4_NLVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)
TEXT ·linearIQ4_NLVNNI(SB), 0, $16448-72
	BEGIN
	VMOVDQU64 four18<>(SB), Z30
	VMOVDQU64       scale18<>(SB), Z18
	VBROADCASTI32X4 levels<>(SB), Z10
	MULTIPLY(18, NOHEADS, LEVELS, TIMES128, TERMS, SCALES18)

// func linearQ4_1VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)
TEXT ·linearQ4_1VNNI(SB), 0, $16448-72
	BEGIN
	VMOVDQU64 four20<>(SB), Z30
	MULTIPLY(20, OFFOUR, PLAIN, TIMES1, TERMSMIN, SCALES)

// func linearQ5_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)
TEXT ·linearQ5_0VNNI(SB), 0, $16448-72
	BEGIN
	VMOVDQU64 four22<>(SB), Z30
	VBROADCASTI32X4 fifths2<>(SB), Z10
	VBROADCASTI32X4 fifths4<>(SB), Z11
	VBROADCASTI32X4 bits<>(SB), Z12
	VPBROADCASTD    sixteen<>(SB), Z13
	MULTIPLY(22, OFFOUR, FIFTHS, TIMES16, TERMS, SCALES)
