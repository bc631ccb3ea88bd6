//go:build !purego

#include "textflag.h"

// Sixteen rows unpacked to a tile, which several columns are then multiplied with. In a tile lanes are rows: a register
// has four consecutive elements of each, as unsigned bytes, so that VPDPBUSD with four broadcast bytes of x adds 64
// products, and no sum has to be reduced.
//
// A tile has for each block of 32 elements eight registers of elements and one of float32 scales, 576 bytes.

DATA low4<>+0(SB)/4, $0x0f0f0f0f
GLOBL low4<>(SB), RODATA|NOPTR, $4

DATA flip<>+0(SB)/4, $0x80808080
GLOBL flip<>(SB), RODATA|NOPTR, $4

// The levels of IQ4_NL and IQ4_XS, plus 128.
DATA levels<>+0(SB)/8, $0x766a5d4f3f2d1801
DATA levels<>+8(SB)/8, $0xf1d9c5b5a6998d81
GLOBL levels<>(SB), RODATA|NOPTR, $16

DATA fifteen<>+0(SB)/4, $0x0000000f
GLOBL fifteen<>(SB), RODATA|NOPTR, $4

DATA scatter<>+0(SB)/4, $0x00204081
GLOBL scatter<>(SB), RODATA|NOPTR, $4

DATA bit0<>+0(SB)/4, $0x01010101
GLOBL bit0<>(SB), RODATA|NOPTR, $4

DATA rows<>+0(SB)/8, $0x0000000100000000
DATA rows<>+8(SB)/8, $0x0000000300000002
DATA rows<>+16(SB)/8, $0x0000000500000004
DATA rows<>+24(SB)/8, $0x0000000700000006
DATA rows<>+32(SB)/8, $0x0000000900000008
DATA rows<>+40(SB)/8, $0x0000000b0000000a
DATA rows<>+48(SB)/8, $0x0000000d0000000c
DATA rows<>+56(SB)/8, $0x0000000f0000000e
GLOBL rows<>(SB), RODATA|NOPTR, $64

// Z15 = offset of each row, R8 their distance
#define UNPACKSTART \
	MOVQ         tile+0(FP), DI     \
	MOVQ         w+8(FP), SI        \
	MOVQ         rowBytes+16(FP), AX \
	MOVQ         blocks+24(FP), DX  \
	VPBROADCASTD AX, Z15            \
	VPMULLD      rows<>(SB), Z15, Z15

// z = the four bytes at off of each row
#define GATHER(off, z) \
	KXNORW     K1, K1, K1               \
	VPGATHERDD off(SI)(Z15*1), K1, z

// The binary16 in the low half of each dword of z as float32, stored after the elements.
#define SCALES(z, y) \
	VPMOVDW   z, y          \
	VCVTPH2PS y, z          \
	VMOVDQU32 z, 512(DI)

#define BYTES(e) \
	GATHER((2+4*e), Z0)     \
	VPXORD    Z14, Z0, Z0   \ // signed + 128
	VMOVDQU32 Z0, (64*e)(DI)

// func tileQ8_0(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ8_0(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD flip<>(SB), Z14

loop:
	GATHER(0, Z1)
	SCALES(Z1, Y1)
	BYTES(0)
	BYTES(1)
	BYTES(2)
	BYTES(3)
	BYTES(4)
	BYTES(5)
	BYTES(6)
	BYTES(7)
	ADDQ $34, SI
	ADDQ $576, DI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

#define NIBBLES(e) \
	GATHER((2+4*e), Z0)            \
	VPANDD    Z14, Z0, Z1          \
	VPSRLD    $4, Z0, Z0           \
	VPANDD    Z14, Z0, Z0          \
	VMOVDQU32 Z1, (64*e)(DI)       \
	VMOVDQU32 Z0, (64*e+256)(DI)

// func tileQ4_0(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ4_0(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14

loop:
	GATHER(0, Z1)
	SCALES(Z1, Y1)
	NIBBLES(0)
	NIBBLES(1)
	NIBBLES(2)
	NIBBLES(3)
	ADDQ $18, SI
	ADDQ $576, DI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

// y |= 16 in each byte whose bit of the four at 4e of qh, Z2, is set: the product moves bit j to byte j
#define FIFTHS(e, y) \
	VPSRLD  $(4*e), Z2, Z3  \
	VPANDD  Z13, Z3, Z3     \
	VPMULLD Z12, Z3, Z3     \
	VPANDD  Z11, Z3, Z3     \
	VPSLLD  $4, Z3, Z3      \
	VPORD   Z3, y, y

#define FIVES(e) \
	GATHER((6+4*e), Z0)            \
	VPANDD    Z14, Z0, Z1          \
	VPSRLD    $4, Z0, Z0           \
	VPANDD    Z14, Z0, Z0          \
	FIFTHS(e, Z1)                  \
	FIFTHS((e+4), Z0)              \
	VMOVDQU32 Z1, (64*e)(DI)       \
	VMOVDQU32 Z0, (64*e+256)(DI)

// func tileQ5_0(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ5_0(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14
	VPBROADCASTD fifteen<>(SB), Z13
	VPBROADCASTD scatter<>(SB), Z12
	VPBROADCASTD bit0<>(SB), Z11

loop:
	GATHER(0, Z1)
	SCALES(Z1, Y1)
	GATHER(2, Z2)
	FIVES(0)
	FIVES(1)
	FIVES(2)
	FIVES(3)
	ADDQ $22, SI
	ADDQ $576, DI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

#define LEVELS(e) \
	GATHER((2+4*e), Z0)            \
	VPANDD    Z14, Z0, Z1          \
	VPSRLD    $4, Z0, Z0           \
	VPANDD    Z14, Z0, Z0          \
	VPSHUFB   Z1, Z13, Z1          \
	VPSHUFB   Z0, Z13, Z0          \
	VMOVDQU32 Z1, (64*e)(DI)       \
	VMOVDQU32 Z0, (64*e+256)(DI)

// func tileIQ4_NL(tile, w *byte, rowBytes, blocks int)
TEXT ·tileIQ4_NL(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VBROADCASTI32X4 levels<>(SB), Z13

loop:
	GATHER(0, Z1)
	SCALES(Z1, Y1)
	LEVELS(0)
	LEVELS(1)
	LEVELS(2)
	LEVELS(3)
	ADDQ $18, SI
	ADDQ $576, DI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

// Four elements of each row with four columns. Even and odd ones have accumulators of their own: the instruction takes
// four cycles.
#define FOUR(e, z, a0, a1, a2, a3) \
	VMOVDQU32     (64*e)(SI), z            \
	VPDPBUSD.BCST (4*e)(AX), z, a0         \
	VPDPBUSD.BCST (4*e)(AX)(R8*1), z, a1   \
	VPDPBUSD.BCST (4*e)(AX)(R8*2), z, a2   \
	VPDPBUSD.BCST (4*e)(AX)(R9*1), z, a3

// acc += float32(float32(a + b) * float32(d*dx)), d in Z9
#define TERM(a, b, dx, acc) \
	VPADDD      b, a, a     \
	VMULPS.BCST dx, Z9, Z10 \
	VCVTDQ2PS   a, a        \
	VMULPS      Z10, a, a   \
	VADDPS      a, acc, acc

// func mulTile4(dst *float32, stride int, tile *byte, q *int8, k int, d *float32, sum *int32, blocks int, offset int)
TEXT ·mulTile4(SB), NOSPLIT, $0-72
	MOVQ         tile+16(FP), SI
	MOVQ         q+24(FP), AX
	MOVQ         k+32(FP), R8
	MOVQ         d+40(FP), BX
	MOVQ         sum+48(FP), CX
	MOVQ         blocks+56(FP), DX
	MOVQ         offset+64(FP), R10
	NEGQ         R10
	VPBROADCASTD R10, Z31
	LEAQ         (R8)(R8*2), R9
	LEAQ         (DX*4), R10
	LEAQ         (R10)(R10*2), R11
	VPXORD       Z4, Z4, Z4
	VPXORD       Z5, Z5, Z5
	VPXORD       Z6, Z6, Z6
	VPXORD       Z7, Z7, Z7

loop:
	VPMULLD.BCST (CX), Z31, Z0         // isum = -offset * Σx
	VPMULLD.BCST (CX)(R10*1), Z31, Z1
	VPMULLD.BCST (CX)(R10*2), Z31, Z2
	VPMULLD.BCST (CX)(R11*1), Z31, Z3
	VPXORD       Z16, Z16, Z16
	VPXORD       Z17, Z17, Z17
	VPXORD       Z18, Z18, Z18
	VPXORD       Z19, Z19, Z19
	FOUR(0, Z8, Z0, Z1, Z2, Z3)
	FOUR(1, Z11, Z16, Z17, Z18, Z19)
	FOUR(2, Z8, Z0, Z1, Z2, Z3)
	FOUR(3, Z11, Z16, Z17, Z18, Z19)
	FOUR(4, Z8, Z0, Z1, Z2, Z3)
	FOUR(5, Z11, Z16, Z17, Z18, Z19)
	FOUR(6, Z8, Z0, Z1, Z2, Z3)
	FOUR(7, Z11, Z16, Z17, Z18, Z19)
	VMOVUPS      512(SI), Z9
	TERM(Z0, Z16, (BX), Z4)
	TERM(Z1, Z17, (BX)(R10*1), Z5)
	TERM(Z2, Z18, (BX)(R10*2), Z6)
	TERM(Z3, Z19, (BX)(R11*1), Z7)
	ADDQ         $576, SI
	ADDQ         $32, AX
	ADDQ         $4, BX
	ADDQ         $4, CX
	DECQ         DX
	JNZ          loop
	MOVQ         dst+0(FP), DI
	MOVQ         stride+8(FP), R8
	SHLQ         $2, R8
	LEAQ         (R8)(R8*2), R9
	VMOVUPS      Z4, (DI)
	VMOVUPS      Z5, (DI)(R8*1)
	VMOVUPS      Z6, (DI)(R8*2)
	VMOVUPS      Z7, (DI)(R9*1)
	VZEROUPPER
	RET
