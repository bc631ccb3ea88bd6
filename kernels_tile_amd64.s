//go:build !purego

#include "textflag.h"
#include "kernels_tile_amd64.h"

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

#define BYTES(e, z) \
	VPXORD    Z14, z, z        \ // signed + 128
	VMOVDQU32 z, (64*e)(DI)

// func tileQ8_0(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ8_0(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD flip<>(SB), Z14

loop:
	FIRST(0)
	FLOATS(Z0, Y0, 512)
	TURN32(2)
	BYTES(0, Z0)
	BYTES(1, Z1)
	BYTES(2, Z2)
	BYTES(3, Z3)
	BYTES(4, Z4)
	BYTES(5, Z5)
	BYTES(6, Z6)
	BYTES(7, Z7)
	NEXTBLOCK(34, 576)
	JNZ loop
	VZEROUPPER
	RET

#define NIBBLES(e, z) \
	VPANDD    Z14, z, Z16          \
	VPSRLD    $4, z, z             \
	VPANDD    Z14, z, z            \
	VMOVDQU32 Z16, (64*e)(DI)      \
	VMOVDQU32 z, (64*e+256)(DI)

#define NIBBLES4 \
	NIBBLES(0, Z0) \
	NIBBLES(1, Z1) \
	NIBBLES(2, Z2) \
	NIBBLES(3, Z3)

// func tileQ4_0(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ4_0(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14

loop:
	FIRST(0)
	FLOATS(Z0, Y0, 512)
	TURN16(2)
	NIBBLES4
	NEXTBLOCK(18, 576)
	JNZ loop
	VZEROUPPER
	RET

// y |= 16 in each byte whose bit of the four at 4e of qh, Z6, is set: the product moves bit j to byte j
#define FIFTHS(e, y) \
	VPSRLD  $(4*e), Z6, Z17 \
	VPANDD  Z13, Z17, Z17   \
	VPMULLD Z12, Z17, Z17   \
	VPANDD  Z11, Z17, Z17   \
	VPSLLD  $4, Z17, Z17    \
	VPORD   Z17, y, y

#define FIVES(e, z) \
	VPANDD    Z14, z, Z16          \
	VPSRLD    $4, z, z             \
	VPANDD    Z14, z, z            \
	FIFTHS(e, Z16)                 \
	FIFTHS((e+4), z)               \
	VMOVDQU32 Z16, (64*e)(DI)      \
	VMOVDQU32 z, (64*e+256)(DI)

#define FIVES4 \
	FIVES(0, Z0) \
	FIVES(1, Z1) \
	FIVES(2, Z2) \
	FIVES(3, Z3)

// The two binary16 of each dword of Z0 as float32, stored as scales and minima.
#define SCALEMIN \
	VPSRLD $16, Z0, Z1  \
	FLOATS(Z0, Y0, 512) \
	FLOATS(Z1, Y1, 576)

// func tileQ4_1(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ4_1(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14

loop:
	FIRST(0)
	SCALEMIN
	TURN16(4)
	NIBBLES4
	NEXTBLOCK(20, 640)
	JNZ loop
	VZEROUPPER
	RET

// func tileQ5_1(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ5_1(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14
	VPBROADCASTD fifteen<>(SB), Z13
	VPBROADCASTD scatter<>(SB), Z12
	VPBROADCASTD bit0<>(SB), Z11

loop:
	TURN16(0)
	VMOVDQA32 Z1, Z6
	SCALEMIN
	TURN16(8)
	FIVES4
	NEXTBLOCK(24, 640)
	JNZ loop
	VZEROUPPER
	RET

// func tileQ5_0(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ5_0(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14
	VPBROADCASTD fifteen<>(SB), Z13
	VPBROADCASTD scatter<>(SB), Z12
	VPBROADCASTD bit0<>(SB), Z11

loop:
	TURN16(0)
	VPSRLD $16, Z0, Z6
	VPSLLD $16, Z1, Z1
	VPORD  Z1, Z6, Z6      // qh, from 2 on
	FLOATS(Z0, Y0, 512)
	TURN16(6)
	FIVES4
	NEXTBLOCK(22, 576)
	JNZ loop
	VZEROUPPER
	RET

#define LEVELS(e, z) \
	VPANDD    Z14, z, Z16          \
	VPSRLD    $4, z, z             \
	VPANDD    Z14, z, z            \
	VPSHUFB   Z16, Z13, Z16        \
	VPSHUFB   z, Z13, z            \
	VMOVDQU32 Z16, (64*e)(DI)      \
	VMOVDQU32 z, (64*e+256)(DI)

// func tileIQ4_NL(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileIQ4_NL(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VBROADCASTI32X4 levels<>(SB), Z13

loop:
	FIRST(0)
	FLOATS(Z0, Y0, 512)
	TURN16(2)
	LEVELS(0, Z0)
	LEVELS(1, Z1)
	LEVELS(2, Z2)
	LEVELS(3, Z3)
	NEXTBLOCK(18, 576)
	JNZ loop
	VZEROUPPER
	RET
