//go:build !purego

#include "textflag.h"
#include "kernels_tile_amd64.h"

// Tiles of 256-element blocks; see kernels_tile_amd64.s. Rows are gathered, so that a lane has its row's bits, scales
// and all, and unpacking is the arithmetic of the format on dwords.

DATA low4<>+0(SB)/4, $0x0f0f0f0f
GLOBL low4<>(SB), RODATA|NOPTR, $4

DATA fifteen<>+0(SB)/4, $0x0000000f
GLOBL fifteen<>(SB), RODATA|NOPTR, $4

DATA low6<>+0(SB)/4, $0x3f3f3f3f
GLOBL low6<>(SB), RODATA|NOPTR, $4

DATA high2<>+0(SB)/4, $0x30303030
GLOBL high2<>(SB), RODATA|NOPTR, $4

DATA byte<>+0(SB)/4, $0x000000ff
GLOBL byte<>(SB), RODATA|NOPTR, $4

DATA word<>+0(SB)/4, $0x0000ffff
GLOBL word<>(SB), RODATA|NOPTR, $4

DATA sixteens<>+0(SB)/4, $0x10101010
GLOBL sixteens<>(SB), RODATA|NOPTR, $4

DATA low2<>+0(SB)/4, $0x03030303
GLOBL low2<>(SB), RODATA|NOPTR, $4

DATA fours<>+0(SB)/4, $0x04040404
GLOBL fours<>(SB), RODATA|NOPTR, $4

DATA thirtytwos<>+0(SB)/4, $0x20202020
GLOBL thirtytwos<>(SB), RODATA|NOPTR, $4

// The levels of IQ4_NL and IQ4_XS, plus 128.
DATA levels<>+0(SB)/8, $0x766a5d4f3f2d1801
DATA levels<>+8(SB)/8, $0xf1d9c5b5a6998d81
GLOBL levels<>(SB), RODATA|NOPTR, $16

// The binary16 in the low half of each dword of z as float32, stored at off of the tile.
#define FLOATS(z, y, off) \
	VPMOVDW   z, y          \
	VCVTPH2PS y, z          \
	VMOVDQU32 z, off(DI)

// Scale and minimum of group g from byte g mod 4 of s and m; the minimum twice, as words.
#define SCALEMIN(g, s, m) \
	VPSRLD    $(8*(g&3)), s, Z0   \
	VPANDD    Z11, Z0, Z0         \
	VMOVDQU32 Z0, (640*g+512)(DI) \
	VPSRLD    $(8*(g&3)), m, Z0   \
	VPANDD    Z11, Z0, Z0         \
	VPSLLD    $16, Z0, Z1         \
	VPORD     Z1, Z0, Z0          \
	VMOVDQU32 Z0, (640*g+576)(DI)

// Scales and minima of Q4_K and Q5_K. Z14 = low4, Z13 = low6, Z12 = high2, Z11 = byte
#define SCALEMINS \
	GATHER(0, Z0)             \
	VPSRLD $16, Z0, Z1        \
	FLOATS(Z0, Y0, 5120)      \
	FLOATS(Z1, Y1, 5184)      \
	GATHER(4, Z2)             \
	GATHER(8, Z3)             \
	GATHER(12, Z4)            \
	VPANDD Z13, Z2, Z5        \ // scales 0-3
	VPANDD Z13, Z3, Z6        \ // minima 0-3
	VPANDD Z14, Z4, Z7        \
	VPSRLD $2, Z2, Z2         \
	VPANDD Z12, Z2, Z2        \
	VPORD  Z2, Z7, Z7         \ // scales 4-7
	VPSRLD $4, Z4, Z4         \
	VPANDD Z14, Z4, Z8        \
	VPSRLD $2, Z3, Z3         \
	VPANDD Z12, Z3, Z3        \
	VPORD  Z3, Z8, Z8         \ // minima 4-7
	SCALEMIN(0, Z5, Z6)       \
	SCALEMIN(1, Z5, Z6)       \
	SCALEMIN(2, Z5, Z6)       \
	SCALEMIN(3, Z5, Z6)       \
	SCALEMIN(4, Z7, Z8)       \
	SCALEMIN(5, Z7, Z8)       \
	SCALEMIN(6, Z7, Z8)       \
	SCALEMIN(7, Z7, Z8)

// Four elements of group 2j and four of group 2j+1
#define NIBBLES(j, e) \
	GATHER((16+32*j+4*e), Z0)             \
	VPANDD    Z14, Z0, Z1                 \
	VPSRLD    $4, Z0, Z0                  \
	VPANDD    Z14, Z0, Z0                 \
	VMOVDQU32 Z1, (1280*j+64*e)(DI)       \
	VMOVDQU32 Z0, (1280*j+640+64*e)(DI)

#define NIBBLES8(j) \
	NIBBLES(j, 0) \
	NIBBLES(j, 1) \
	NIBBLES(j, 2) \
	NIBBLES(j, 3) \
	NIBBLES(j, 4) \
	NIBBLES(j, 5) \
	NIBBLES(j, 6) \
	NIBBLES(j, 7)

// func tileQ4_K(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ4_K(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14
	VPBROADCASTD low6<>(SB), Z13
	VPBROADCASTD high2<>(SB), Z12
	VPBROADCASTD byte<>(SB), Z11

loop:
	SCALEMINS
	NIBBLES8(0)
	NIBBLES8(1)
	NIBBLES8(2)
	NIBBLES8(3)
	ADDQ $144, SI
	ADDQ $5248, DI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

// y |= the 2 bits of qh, Z2, moved to bits 4 and 5 of each byte; then stored as elements 4e of the 32 of run i
#define HIGH(shift, count, y, i, e) \
	shift     count, Z2, Z5          \
	VPANDD    Z12, Z5, Z5            \
	VPORD     Z5, y, y               \
	VMOVDQU32 y, (704*i+64*e)(DI)

// Four elements of each of the four runs of 32 of half h
#define SIXES(h, e) \
	GATHER((64*h+4*e), Z0)      \
	GATHER((64*h+32+4*e), Z1)   \
	GATHER((128+32*h+4*e), Z2)  \
	VPANDD Z14, Z0, Z3          \
	HIGH(VPSLLD, $4, Z3, (4*h), e)   \
	VPANDD Z14, Z1, Z3          \
	HIGH(VPSLLD, $2, Z3, (4*h+1), e) \
	VPSRLD $4, Z0, Z0           \
	VPANDD Z14, Z0, Z0          \
	HIGH(VPSLLD, $0, Z0, (4*h+2), e) \
	VPSRLD $4, Z1, Z1           \
	VPANDD Z14, Z1, Z1          \
	HIGH(VPSRLD, $2, Z1, (4*h+3), e)

#define SIXES8(h) \
	SIXES(h, 0) \
	SIXES(h, 1) \
	SIXES(h, 2) \
	SIXES(h, 3) \
	SIXES(h, 4) \
	SIXES(h, 5) \
	SIXES(h, 6) \
	SIXES(h, 7)

// The two scales of run i, signed bytes shifted to the top by left0 and left1: one by one, then as a pair of words
#define SCALES(i, left0, left1) \
	VPSLLD    $left0, Z0, Z1         \
	VPSRAD    $24, Z1, Z1            \
	VPSLLD    $left1, Z0, Z2         \
	VPSRAD    $24, Z2, Z2            \
	VMOVDQU32 Z1, (704*i+512)(DI)    \
	VMOVDQU32 Z2, (704*i+576)(DI)    \
	VPANDD    Z13, Z1, Z1            \
	VPSLLD    $16, Z2, Z2            \
	VPORD     Z2, Z1, Z1             \
	VMOVDQU32 Z1, (704*i+640)(DI)

// func tileQ6_K(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ6_K(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14
	VPBROADCASTD word<>(SB), Z13
	VPBROADCASTD high2<>(SB), Z12

loop:
	GATHER(206, Z0)
	VPSRLD $16, Z0, Z0
	FLOATS(Z0, Y0, 5632)
	GATHER(192, Z0)
	SCALES(0, 24, 16)
	SCALES(1, 8, 0)
	GATHER(196, Z0)
	SCALES(2, 24, 16)
	SCALES(3, 8, 0)
	GATHER(200, Z0)
	SCALES(4, 24, 16)
	SCALES(5, 8, 0)
	GATHER(204, Z0)
	SCALES(6, 24, 16)
	SCALES(7, 8, 0)
	SIXES8(0)
	SIXES8(1)
	ADDQ   $210, SI
	ADDQ   $5696, DI
	DECQ   DX
	JNZ    loop
	VZEROUPPER
	RET

// Bit g of each byte of qh, Z2, becomes 16 of y; then stored as elements 4e of group g
#define FIFTH(shift, count, y, g, e) \
	shift     count, Z2, Z3          \
	VPANDD    Z10, Z3, Z3            \
	VPORD     Z3, y, y               \
	VMOVDQU32 y, (640*g+64*e)(DI)

#define FIVES(j, e, shift0, count0, shift1, count1) \
	GATHER((48+32*j+4*e), Z0)         \
	VPANDD Z14, Z0, Z1                \
	VPSRLD $4, Z0, Z0                 \
	VPANDD Z14, Z0, Z0                \
	FIFTH(shift0, count0, Z1, (2*j), e)   \
	FIFTH(shift1, count1, Z0, (2*j+1), e)

#define FIVES4(e) \
	GATHER((16+4*e), Z2)                    \
	FIVES(0, e, VPSLLD, $4, VPSLLD, $3)     \
	FIVES(1, e, VPSLLD, $2, VPSLLD, $1)     \
	FIVES(2, e, VPSLLD, $0, VPSRLD, $1)     \
	FIVES(3, e, VPSRLD, $2, VPSRLD, $3)

// func tileQ5_K(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ5_K(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14
	VPBROADCASTD low6<>(SB), Z13
	VPBROADCASTD high2<>(SB), Z12
	VPBROADCASTD byte<>(SB), Z11
	VPBROADCASTD sixteens<>(SB), Z10

loop:
	SCALEMINS
	FIVES4(0)
	FIVES4(1)
	FIVES4(2)
	FIVES4(3)
	FIVES4(4)
	FIVES4(5)
	FIVES4(6)
	FIVES4(7)
	ADDQ $176, SI
	ADDQ $5248, DI
	DECQ DX
	JNZ  loop
	VZEROUPPER
	RET

// Low bits from the four runs in Z0, the third from hmask, Z2; stored as elements 4e of run i
#define THREE(count, hshift, hcount, i, e) \
	VPSRLD    count, Z0, Z1          \
	VPANDD    Z11, Z1, Z1            \
	hshift    hcount, Z2, Z3         \
	VPANDD    Z10, Z3, Z3            \
	VPORD     Z3, Z1, Z1             \
	VMOVDQU32 Z1, (704*i+64*e)(DI)

#define THREES(e) \
	GATHER((4*e), Z2)             \
	GATHER((32+4*e), Z0)          \
	THREE($0, VPSLLD, $2, 0, e)   \
	THREE($2, VPSLLD, $1, 1, e)   \
	THREE($4, VPSLLD, $0, 2, e)   \
	THREE($6, VPSRLD, $1, 3, e)   \
	GATHER((64+4*e), Z0)          \
	THREE($0, VPSRLD, $2, 4, e)   \
	THREE($2, VPSRLD, $3, 5, e)   \
	THREE($4, VPSRLD, $4, 6, e)   \
	THREE($6, VPSRLD, $5, 7, e)

// Four scales: low bits from s, shifted right by right, high bits from Z6, shifted; less 32, as runs i and i+1
#define SCALES3(s, right, hshift, hcount, i) \
	VPSRLD right, s, Z0          \
	VPANDD Z14, Z0, Z0           \
	hshift hcount, Z6, Z1        \
	VPANDD Z12, Z1, Z1           \
	VPORD  Z1, Z0, Z0            \
	VPSUBB Z9, Z0, Z0            \
	SCALES(i, 24, 16)            \
	SCALES((i+1), 8, 0)

// func tileQ3_K(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ3_K(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14
	VPBROADCASTD word<>(SB), Z13
	VPBROADCASTD high2<>(SB), Z12
	VPBROADCASTD low2<>(SB), Z11
	VPBROADCASTD fours<>(SB), Z10
	VPBROADCASTD thirtytwos<>(SB), Z9

loop:
	GATHER(106, Z0)
	VPSRLD $16, Z0, Z0
	FLOATS(Z0, Y0, 5632)
	GATHER(96, Z4)
	GATHER(100, Z5)
	GATHER(104, Z6)
	SCALES3(Z4, $0, VPSLLD, $4, 0)
	SCALES3(Z5, $0, VPSLLD, $2, 2)
	SCALES3(Z4, $4, VPSLLD, $0, 4)
	SCALES3(Z5, $4, VPSRLD, $2, 6)
	THREES(0)
	THREES(1)
	THREES(2)
	THREES(3)
	THREES(4)
	THREES(5)
	THREES(6)
	THREES(7)
	ADDQ   $110, SI
	ADDQ   $5696, DI
	DECQ   DX
	JNZ    loop
	VZEROUPPER
	RET

#define LEVELS(g, e) \
	GATHER((8+16*g+4*e), Z0)               \
	VPANDD    Z14, Z0, Z1                  \
	VPSRLD    $4, Z0, Z0                   \
	VPANDD    Z14, Z0, Z0                  \
	VPSHUFB   Z1, Z11, Z1                  \
	VPSHUFB   Z0, Z11, Z0                  \
	VMOVDQU32 Z1, (704*g+64*e)(DI)         \
	VMOVDQU32 Z0, (704*g+64*e+256)(DI)

// The scale of group g, low bits from Z4, high bits from Z5: for both halves of the group, and as a pair of words
#define GROUP(g) \
	VPSRLD    $(4*g), Z4, Z0         \
	VPANDD    Z14, Z0, Z0            \
	VPANDD    Z8, Z0, Z0             \
	VPSRLD    $(2*g), Z5, Z1         \
	VPSLLD    $4, Z1, Z1             \
	VPANDD    Z12, Z1, Z1            \
	VPANDD    Z8, Z1, Z1             \
	VPORD     Z1, Z0, Z0             \
	VPSUBD    Z9, Z0, Z0             \
	VMOVDQU32 Z0, (704*g+512)(DI)    \
	VMOVDQU32 Z0, (704*g+576)(DI)    \
	VPANDD    Z13, Z0, Z1            \
	VPSLLD    $16, Z0, Z0            \
	VPORD     Z1, Z0, Z0             \
	VMOVDQU32 Z0, (704*g+640)(DI)    \
	LEVELS(g, 0) \
	LEVELS(g, 1) \
	LEVELS(g, 2) \
	LEVELS(g, 3)

// func tileIQ4_XS(tile, w *byte, rowBytes, blocks int)
TEXT ·tileIQ4_XS(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VPBROADCASTD    word<>(SB), Z13
	VPBROADCASTD    high2<>(SB), Z12
	VBROADCASTI32X4 levels<>(SB), Z11
	VPBROADCASTD    byte<>(SB), Z8
	VPBROADCASTD    thirtytwos<>(SB), Z9
	VPANDD          Z8, Z9, Z9          // 32 in each dword

loop:
	GATHER(0, Z0)
	VPSRLD $16, Z0, Z5
	FLOATS(Z0, Y0, 5632)
	GATHER(4, Z4)
	GROUP(0)
	GROUP(1)
	GROUP(2)
	GROUP(3)
	GROUP(4)
	GROUP(5)
	GROUP(6)
	GROUP(7)
	ADDQ   $136, SI
	ADDQ   $5696, DI
	DECQ   DX
	JNZ    loop
	VZEROUPPER
	RET

// Scales and minima of run i, from the upper half, if right is 16, or the lower half of each dword of Z4; the minima as a
// pair of words. Z10 = 15 in each dword
#define SCALES2(i, right) \
	VPSRLD    $right, Z4, Z0         \
	VPANDD    Z10, Z0, Z1            \
	VMOVDQU32 Z1, (704*i+512)(DI)    \
	VPSRLD    $8, Z0, Z1             \
	VPANDD    Z10, Z1, Z1            \
	VMOVDQU32 Z1, (704*i+576)(DI)    \
	VPSRLD    $4, Z0, Z1             \
	VPANDD    Z10, Z1, Z1            \
	VPSRLD    $12, Z0, Z0            \
	VPANDD    Z10, Z0, Z0            \
	VPSLLD    $16, Z0, Z0            \
	VPORD     Z1, Z0, Z0             \
	VMOVDQU32 Z0, (704*i+640)(DI)

#define SCALES2X2(n) \
	GATHER((4*n), Z4)    \
	SCALES2((2*n), 0)    \
	SCALES2((2*n+1), 16)

// Elements 4e of the four runs of half h
#define TWOS(h, e) \
	GATHER((16+32*h+4*e), Z0)             \
	VPANDD    Z11, Z0, Z1                 \
	VMOVDQU32 Z1, (704*(4*h)+64*e)(DI)    \
	VPSRLD    $2, Z0, Z1                  \
	VPANDD    Z11, Z1, Z1                 \
	VMOVDQU32 Z1, (704*(4*h+1)+64*e)(DI)  \
	VPSRLD    $4, Z0, Z1                  \
	VPANDD    Z11, Z1, Z1                 \
	VMOVDQU32 Z1, (704*(4*h+2)+64*e)(DI)  \
	VPSRLD    $6, Z0, Z1                  \
	VPANDD    Z11, Z1, Z1                 \
	VMOVDQU32 Z1, (704*(4*h+3)+64*e)(DI)

#define TWOS8(h) \
	TWOS(h, 0) \
	TWOS(h, 1) \
	TWOS(h, 2) \
	TWOS(h, 3) \
	TWOS(h, 4) \
	TWOS(h, 5) \
	TWOS(h, 6) \
	TWOS(h, 7)

// func tileQ2_K(tile, w *byte, rowBytes, blocks int)
TEXT ·tileQ2_K(SB), NOSPLIT, $0-32
	UNPACKSTART
	VPBROADCASTD low2<>(SB), Z11
	VPBROADCASTD fifteen<>(SB), Z10

loop:
	GATHER(80, Z0)
	VPSRLD $16, Z0, Z1
	FLOATS(Z0, Y0, 5632)
	FLOATS(Z1, Y1, 5696)
	SCALES2X2(0)
	SCALES2X2(1)
	SCALES2X2(2)
	SCALES2X2(3)
	TWOS8(0)
	TWOS8(1)
	ADDQ   $84, SI
	ADDQ   $5760, DI
	DECQ   DX
	JNZ    loop
	VZEROUPPER
	RET
