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

#define LEVELS(e) \
	GATHER((1+4*e), Z0)            \
	VPANDD    Z14, Z0, Z1          \
	VPSRLD    $4, Z0, Z0           \
	VPANDD    Z14, Z0, Z0          \
	VPSHUFB   Z1, Z13, Z1          \
	VPSHUFB   Z0, Z13, Z0          \
	VMOVDQU32 Z1, (64*e)(DI)       \
	VMOVDQU32 Z0, (64*e+256)(DI)

// func tileMXFP4(tile, w *byte, rowBytes, blocks int)
TEXT ·tileMXFP4(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VBROADCASTI32X4 levels<>(SB), Z13
	VPBROADCASTD    byte<>(SB), Z12
	VPBROADCASTD    one<>(SB), Z11
	VPBROADCASTD    two<>(SB), Z10
	VPBROADCASTD    least<>(SB), Z9

loop:
	GATHER(0, Z0)
	VPANDD    Z12, Z0, Z0
	VPMINUD   Z10, Z0, Z1   // the two subnormal scales: 2^-128 << e
	VPSLLVD   Z1, Z9, Z1
	VPSUBD    Z11, Z0, Z0
	VPSLLD    $23, Z0, Z0
	VPMAXSD   Z1, Z0, Z0    // the others: exponent e-1
	VMOVDQU32 Z0, 512(DI)
	LEVELS(0)
	LEVELS(1)
	LEVELS(2)
	LEVELS(3)
	ADDQ $17, SI
	ADDQ $576, DI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

// Sixteen elements with one scale: those of the low halves, then those of the high halves of 8 bytes; as elements 16g.
#define LEVELS16(off, g) \
	GATHER(off, Z0)                \
	GATHER((off+4), Z2)            \
	VPANDD    Z14, Z0, Z1          \
	VPANDD    Z14, Z2, Z3          \
	VPSRLD    $4, Z0, Z0           \
	VPSRLD    $4, Z2, Z2           \
	VPANDD    Z14, Z0, Z0          \
	VPANDD    Z14, Z2, Z2          \
	VPSHUFB   Z1, Z13, Z1          \
	VPSHUFB   Z3, Z13, Z3          \
	VPSHUFB   Z0, Z13, Z0          \
	VPSHUFB   Z2, Z13, Z2          \
	VMOVDQU32 Z1, (256*g)(DI)      \
	VMOVDQU32 Z3, (256*g+64)(DI)   \
	VMOVDQU32 Z0, (256*g+128)(DI)  \
	VMOVDQU32 Z2, (256*g+192)(DI)

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

// func tileNVFP4(tile, w *byte, rowBytes, blocks int)
TEXT ·tileNVFP4(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VBROADCASTI32X4 levels<>(SB), Z13
	VPBROADCASTD    low7<>(SB), Z12
	VPBROADCASTD    exponent8<>(SB), Z11
	VPBROADCASTD    exponent7<>(SB), Z9

loop:
	GATHER(0, Z10)
	LEVELS16(4, 0)
	LEVELS16(12, 1)
	E4M3(0, 512)
	E4M3(1, 576)
	ADDQ $640, DI
	LEVELS16(20, 0)
	LEVELS16(28, 1)
	E4M3(2, 512)
	E4M3(3, 576)
	ADDQ $640, DI
	ADDQ $36, SI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

// Four bits of the 32 in Z2: the product moves bit j to byte j. They become 0 and 2.
#define BITS(e) \
	VPSRLD    $(4*e), Z2, Z3  \
	VPANDD    Z13, Z3, Z3     \
	VPMULLD   Z12, Z3, Z3     \
	VPANDD    Z11, Z3, Z3     \
	VPADDD    Z3, Z3, Z3      \
	VMOVDQU32 Z3, (64*e)(DI)

#define BITS32(g) \
	GATHER((2+4*g), Z2)      \
	BITS(0)                  \
	BITS(1)                  \
	BITS(2)                  \
	BITS(3)                  \
	BITS(4)                  \
	BITS(5)                  \
	BITS(6)                  \
	BITS(7)                  \
	VMOVUPS Z10, 512(DI)     \
	ADDQ    $576, DI

// func tileQ1_0(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ1_0(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD fifteen<>(SB), Z13
	VPBROADCASTD scatter<>(SB), Z12
	VPBROADCASTD bit0<>(SB), Z11

loop:
	GATHER(0, Z0)
	VPMOVDW   Z0, Y0
	VCVTPH2PS Y0, Z10
	BITS32(0)
	BITS32(1)
	BITS32(2)
	BITS32(3)
	ADDQ $18, SI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

// The four elements of byte n of the four in Z2, spread over the bytes of a dword.
#define TWOS(n, e) \
	VPSRLD    $(8*n), Z2, Z3  \
	VPANDD    Z13, Z3, Z3     \
	VPSLLD    $12, Z3, Z4     \
	VPORD     Z4, Z3, Z3      \
	VPSLLD    $6, Z3, Z4      \
	VPORD     Z4, Z3, Z3      \
	VPANDD    Z14, Z3, Z3     \
	VMOVDQU32 Z3, (64*e)(DI)

#define TWOS32(g) \
	GATHER((2+8*g), Z2)      \
	TWOS(0, 0)               \
	TWOS(1, 1)               \
	TWOS(2, 2)               \
	TWOS(3, 3)               \
	GATHER((6+8*g), Z2)      \
	TWOS(0, 4)               \
	TWOS(1, 5)               \
	TWOS(2, 6)               \
	TWOS(3, 7)               \
	VMOVUPS Z10, 512(DI)     \
	ADDQ    $576, DI

// func tileQ2_0(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ2_0(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low2<>(SB), Z14
	VPBROADCASTD byte<>(SB), Z13

loop:
	GATHER(0, Z0)
	VPMOVDW   Z0, Y0
	VCVTPH2PS Y0, Z10
	TWOS32(0)
	TWOS32(1)
	ADDQ $18, SI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET
