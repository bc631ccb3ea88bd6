//go:build !purego

#include "textflag.h"
#include "kernels_tile_amd64.h"

// Tiles of MXFP4, NVFP4, Q1_0 and Q2_0; see kernels_tile_amd64.s.

DATA low4<>+0(SB)/4, $0x0f0f0f0f
GLOBL low4<>(SB), RODATA|NOPTR, $4

DATA low2<>+0(SB)/4, $0x03030303
GLOBL low2<>(SB), RODATA|NOPTR, $4

DATA bit0<>+0(SB)/4, $0x01010101
GLOBL bit0<>(SB), RODATA|NOPTR, $4

DATA byte<>+0(SB)/4, $0x000000ff
GLOBL byte<>(SB), RODATA|NOPTR, $4

DATA fifteen<>+0(SB)/4, $0x0000000f
GLOBL fifteen<>(SB), RODATA|NOPTR, $4

DATA scatter<>+0(SB)/4, $0x00204081
GLOBL scatter<>(SB), RODATA|NOPTR, $4

DATA one<>+0(SB)/4, $0x00000001
GLOBL one<>(SB), RODATA|NOPTR, $4

DATA two<>+0(SB)/4, $0x00000002
GLOBL two<>(SB), RODATA|NOPTR, $4

DATA least<>+0(SB)/4, $0x00200000
GLOBL least<>(SB), RODATA|NOPTR, $4

DATA low7<>+0(SB)/4, $0x0000007f
GLOBL low7<>(SB), RODATA|NOPTR, $4

DATA exponent8<>+0(SB)/4, $0x3b800000
GLOBL exponent8<>(SB), RODATA|NOPTR, $4

DATA exponent7<>+0(SB)/4, $0x3c000000
GLOBL exponent7<>(SB), RODATA|NOPTR, $4

// The E2M1 numbers, doubled, plus 12.
DATA levels<>+0(SB)/8, $0x181412100f0e0d0c
DATA levels<>+8(SB)/8, $0x00040608090a0b0c
GLOBL levels<>(SB), RODATA|NOPTR, $16

#define LEVELS(e, z) \
	VPANDD    Z14, z, Z16          \
	VPSRLD    $4, z, z             \
	VPANDD    Z14, z, z            \
	VPSHUFB   Z16, Z13, Z16        \
	VPSHUFB   z, Z13, z            \
	VMOVDQU32 Z16, (64*e)(DI)      \
	VMOVDQU32 z, (64*e+256)(DI)

// func tileMXFP4(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileMXFP4(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VBROADCASTI32X4 levels<>(SB), Z13
	VPBROADCASTD    byte<>(SB), Z12
	VPBROADCASTD    one<>(SB), Z11
	VPBROADCASTD    two<>(SB), Z10
	VPBROADCASTD    least<>(SB), Z9

loop:
	FIRST(0)
	VPANDD    Z12, Z0, Z0
	VPMINUD   Z10, Z0, Z1   // the two subnormal scales: 2^-128 << e
	VPSLLVD   Z1, Z9, Z1
	VPSUBD    Z11, Z0, Z0
	VPSLLD    $23, Z0, Z0
	VPMAXSD   Z1, Z0, Z0    // the others: exponent e-1
	VMOVDQU32 Z0, 512(DI)
	TURN16(1)
	LEVELS(0, Z0)
	LEVELS(1, Z1)
	LEVELS(2, Z2)
	LEVELS(3, Z3)
	NEXTBLOCK(17, 576)
	JNZ loop
	VZEROUPPER
	RET

// Sixteen elements with one scale: those of the low halves, then those of the high halves of a and b; as elements 16g.
#define LEVELS16(g, a, b) \
	VPANDD    Z14, a, Z16          \
	VPANDD    Z14, b, Z17          \
	VPSRLD    $4, a, a             \
	VPSRLD    $4, b, b             \
	VPANDD    Z14, a, a            \
	VPANDD    Z14, b, b            \
	VPSHUFB   Z16, Z13, Z16        \
	VPSHUFB   Z17, Z13, Z17        \
	VPSHUFB   a, Z13, a            \
	VPSHUFB   b, Z13, b            \
	VMOVDQU32 Z16, (256*g)(DI)     \
	VMOVDQU32 Z17, (256*g+64)(DI)  \
	VMOVDQU32 a, (256*g+128)(DI)   \
	VMOVDQU32 b, (256*g+192)(DI)

// The scale in byte n of the four in Z10, stored at off of the tile; see kernels_fp4_amd64.s. The NaN is 0.
#define E4M3(n, off) \
	VPSLLD     $(24-8*n), Z10, Z0  \
	VPSRLD     $24, Z0, Z0         \
	VPCMPD     $4, Z12, Z0, K2     \
	VPANDD     Z12, Z0, Z0         \
	VPSLLD     $20, Z0, Z0         \
	VPADDD     Z11, Z0, Z1         \
	VPADDD     Z9, Z0, Z0          \
	VSUBPS     Z9, Z0, Z0          \
	VMINPS.Z   Z1, Z0, K2, Z0      \
	VMOVUPS    Z0, off(DI)

// func tileNVFP4(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileNVFP4(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VBROADCASTI32X4 levels<>(SB), Z13
	VPBROADCASTD    low7<>(SB), Z12
	VPBROADCASTD    exponent8<>(SB), Z11
	VPBROADCASTD    exponent7<>(SB), Z9

loop:
	FIRST(0)
	VMOVDQA32 Z0, Z10
	E4M3(0, 512)
	E4M3(1, 576)
	E4M3(2, 1152)
	E4M3(3, 1216)
	TURN32(4)
	LEVELS16(0, Z0, Z1)
	LEVELS16(1, Z2, Z3)
	ADDQ $640, DI
	LEVELS16(0, Z4, Z5)
	LEVELS16(1, Z6, Z7)
	NEXTBLOCK(36, 640)
	JNZ loop
	VZEROUPPER
	RET

// Four bits of the 32 in z: the product moves bit j to byte j. They become 0 and 2.
#define BITS(e, z) \
	VPSRLD    $(4*e), z, Z16     \
	VPANDD    Z13, Z16, Z16      \
	VPMULLD   Z12, Z16, Z16      \
	VPANDD    Z11, Z16, Z16      \
	VPADDD    Z16, Z16, Z16      \
	VMOVDQU32 Z16, (64*e)(DI)

#define BITS32(z) \
	BITS(0, z)               \
	BITS(1, z)               \
	BITS(2, z)               \
	BITS(3, z)               \
	BITS(4, z)               \
	BITS(5, z)               \
	BITS(6, z)               \
	BITS(7, z)               \
	VMOVUPS Z10, 512(DI)

// func tileQ1_0(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ1_0(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD fifteen<>(SB), Z13
	VPBROADCASTD scatter<>(SB), Z12
	VPBROADCASTD bit0<>(SB), Z11

loop:
	FIRST(0)
	VPMOVDW   Z0, Y0
	VCVTPH2PS Y0, Z10
	TURN16(2)
	BITS32(Z0)
	ADDQ $576, DI
	BITS32(Z1)
	ADDQ $576, DI
	BITS32(Z2)
	ADDQ $576, DI
	BITS32(Z3)
	NEXTBLOCK(18, 576)
	JNZ loop
	VZEROUPPER
	RET

// The four elements of byte n of the four in z, spread over the bytes of a dword.
#define TWOS(n, z, e) \
	VPSRLD    $(8*n), z, Z16  \
	VPANDD    Z13, Z16, Z16   \
	VPSLLD    $12, Z16, Z17   \
	VPORD     Z17, Z16, Z16   \
	VPSLLD    $6, Z16, Z17    \
	VPORD     Z17, Z16, Z16   \
	VPANDD    Z14, Z16, Z16   \
	VMOVDQU32 Z16, (64*e)(DI)

#define TWOS32(a, b) \
	TWOS(0, a, 0)            \
	TWOS(1, a, 1)            \
	TWOS(2, a, 2)            \
	TWOS(3, a, 3)            \
	TWOS(0, b, 4)            \
	TWOS(1, b, 5)            \
	TWOS(2, b, 6)            \
	TWOS(3, b, 7)            \
	VMOVUPS Z10, 512(DI)

// func tileQ2_0(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ2_0(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD low2<>(SB), Z14
	VPBROADCASTD byte<>(SB), Z13

loop:
	FIRST(0)
	VPMOVDW   Z0, Y0
	VCVTPH2PS Y0, Z10
	TURN16(2)
	TWOS32(Z0, Z1)
	ADDQ $576, DI
	TWOS32(Z2, Z3)
	NEXTBLOCK(18, 576)
	JNZ loop
	VZEROUPPER
	RET
