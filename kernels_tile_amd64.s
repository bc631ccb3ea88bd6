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

// y = the binary16 in the upper half of each dword of z as float32, stored as the minima.
#define MINIMA(z, y) \
	VPSRLD    $16, z, z     \
	VPMOVDW   z, y          \
	VCVTPH2PS y, z          \
	VMOVUPS   z, 576(DI)

#define NIBBLES1(e) \
	GATHER((4+4*e), Z0)            \
	VPANDD    Z14, Z0, Z1          \
	VPSRLD    $4, Z0, Z0           \
	VPANDD    Z14, Z0, Z0          \
	VMOVDQU32 Z1, (64*e)(DI)       \
	VMOVDQU32 Z0, (64*e+256)(DI)

// func tileQ4_1(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ4_1(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14

loop:
	GATHER(0, Z1)
	VMOVDQA32 Z1, Z2
	SCALES(Z1, Y1)
	MINIMA(Z2, Y2)
	NIBBLES1(0)
	NIBBLES1(1)
	NIBBLES1(2)
	NIBBLES1(3)
	ADDQ $20, SI
	ADDQ $640, DI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

#define FIVES1(e) \
	GATHER((8+4*e), Z0)            \
	VPANDD    Z14, Z0, Z1          \
	VPSRLD    $4, Z0, Z0           \
	VPANDD    Z14, Z0, Z0          \
	FIFTHS(e, Z1)                  \
	FIFTHS((e+4), Z0)              \
	VMOVDQU32 Z1, (64*e)(DI)       \
	VMOVDQU32 Z0, (64*e+256)(DI)

// func tileQ5_1(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ5_1(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14
	VPBROADCASTD fifteen<>(SB), Z13
	VPBROADCASTD scatter<>(SB), Z12
	VPBROADCASTD bit0<>(SB), Z11

loop:
	GATHER(0, Z1)
	VMOVDQA32 Z1, Z2
	SCALES(Z1, Y1)
	MINIMA(Z2, Y2)
	GATHER(4, Z2)
	FIVES1(0)
	FIVES1(1)
	FIVES1(2)
	FIVES1(3)
	ADDQ $24, SI
	ADDQ $640, DI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

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
