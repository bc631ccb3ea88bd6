//go:build !purego

#include "textflag.h"
#include "kernels_tile_amd64.h"

// Tiles of 256-element blocks; see kernels_tile_amd64.s. Rows are turned, so that a lane has its row's bits, scales
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

// The lowest byte of a dword in both of its words.
DATA twice<>+0(SB)/8, $0x8004800480008000
DATA twice<>+8(SB)/8, $0x800c800c80088008
GLOBL twice<>(SB), RODATA|NOPTR, $16

// Z0 to Z7, to be used after the next turn: in a, b, c, d and Z28 to Z31
#define KEEP(a, b, c, d) \
	VMOVDQA32 Z0, a   \
	VMOVDQA32 Z1, b   \
	VMOVDQA32 Z2, c   \
	VMOVDQA32 Z3, d   \
	VMOVDQA32 Z4, Z28 \
	VMOVDQA32 Z5, Z29 \
	VMOVDQA32 Z6, Z30 \
	VMOVDQA32 Z7, Z31

// Scale and minimum of group g from byte g mod 4 of s and m; the minimum twice, as words.
#define SCALEMIN(g, s, m) \
	VPSRLD    $(8*(g&3)), s, Z0   \
	VPANDD    Z11, Z0, Z0         \
	VMOVDQU32 Z0, (640*g+512)(DI) \
	VPSRLD    $(8*(g&3)), m, Z0   \
	VPSHUFB   Z9, Z0, Z0          \
	VMOVDQU32 Z0, (640*g+576)(DI)

// Scales and minima of Q4_K and Q5_K. Z14 = low4, Z11 = byte, Z9 = twice
#define SCALEMINS \
	TURN16(0)                 \
	VPSRLD $16, Z0, Z4        \
	FLOATS(Z0, Y0, 5120)      \
	FLOATS(Z4, Y4, 5184)      \
	VPANDD.BCST low6<>(SB), Z1, Z5  \ // scales 0-3
	VPANDD.BCST low6<>(SB), Z2, Z6  \ // minima 0-3
	VPANDD Z14, Z3, Z7        \
	VPSRLD $2, Z1, Z1         \
	VPANDD.BCST high2<>(SB), Z1, Z1 \
	VPORD  Z1, Z7, Z7         \ // scales 4-7
	VPSRLD $4, Z3, Z3         \
	VPANDD Z14, Z3, Z8        \
	VPSRLD $2, Z2, Z2         \
	VPANDD.BCST high2<>(SB), Z2, Z2 \
	VPORD  Z2, Z8, Z8         \ // minima 4-7
	SCALEMIN(0, Z5, Z6)       \
	SCALEMIN(1, Z5, Z6)       \
	SCALEMIN(2, Z5, Z6)       \
	SCALEMIN(3, Z5, Z6)       \
	SCALEMIN(4, Z7, Z8)       \
	SCALEMIN(5, Z7, Z8)       \
	SCALEMIN(6, Z7, Z8)       \
	SCALEMIN(7, Z7, Z8)

// Four elements of group 2j, those of z, and four of group 2j+1
#define NIBBLES(j, e, z) \
	VPANDD    Z14, z, Z16                 \
	VPSRLD    $4, z, z                    \
	VPANDD    Z14, z, z                   \
	VMOVDQU32 Z16, (1280*j+64*e)(DI)      \
	VMOVDQU32 z, (1280*j+640+64*e)(DI)

#define NIBBLES8(j) \
	TURN32((16+32*j)) \
	NIBBLES(j, 0, Z0) \
	NIBBLES(j, 1, Z1) \
	NIBBLES(j, 2, Z2) \
	NIBBLES(j, 3, Z3) \
	NIBBLES(j, 4, Z4) \
	NIBBLES(j, 5, Z5) \
	NIBBLES(j, 6, Z6) \
	NIBBLES(j, 7, Z7)

// func tileQ4_K(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ4_K(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VPBROADCASTD    byte<>(SB), Z11
	VBROADCASTI32X4 twice<>(SB), Z9

loop:
	SCALEMINS
	NIBBLES8(0)
	NIBBLES8(1)
	NIBBLES8(2)
	NIBBLES8(3)
	NEXTBLOCK(144, 5248)
	JNZ loop
	VZEROUPPER
	RET

// The low bits of 32 elements of run i of half h, and of 32 of run i+2, both in Z0 to Z7, and their high bits, moved to bits 4
// and 5 of each byte from Z8, Z9, Z10, Z11, Z28, Z29, Z30, Z31.
#define SIX(i, e, z, q, low, lowcount, high, highcount) \
	low       lowcount, q, Z17             \
	high      highcount, q, Z18            \
	VPANDD    Z14, z, Z16                  \
	VPSRLD    $4, z, z                     \
	VPANDD    Z14, z, z                    \
	VPTERNLOGD $0xf8, Z12, Z17, Z16        \ // Z16 | Z17 & Z12
	VPTERNLOGD $0xf8, Z12, Z18, z          \
	VMOVDQU32 Z16, (704*i+64*e)(DI)        \
	VMOVDQU32 z, (704*(i+2)+64*e)(DI)

#define SIX8(i, low, lowcount, high, highcount) \
	SIX(i, 0, Z0, Z8, low, lowcount, high, highcount)  \
	SIX(i, 1, Z1, Z9, low, lowcount, high, highcount)  \
	SIX(i, 2, Z2, Z10, low, lowcount, high, highcount) \
	SIX(i, 3, Z3, Z11, low, lowcount, high, highcount) \
	SIX(i, 4, Z4, Z28, low, lowcount, high, highcount) \
	SIX(i, 5, Z5, Z29, low, lowcount, high, highcount) \
	SIX(i, 6, Z6, Z30, low, lowcount, high, highcount) \
	SIX(i, 7, Z7, Z31, low, lowcount, high, highcount)

// Half h of a block: four runs of 32.
#define SIXES(h) \
	TURN32((128+32*h))     \
	KEEP(Z8, Z9, Z10, Z11) \
	TURN32((64*h))         \
	SIX8((4*h), VPSLLD, $4, VPSLLD, $0)   \
	TURN32((64*h+32))      \
	SIX8((4*h+1), VPSLLD, $2, VPSRLD, $2)

// The two scales of run i, signed bytes of z shifted to the top by left0 and left1: one by one, then as a pair of words
#define SCALES(i, z, left0, left1) \
	VPSLLD    $left0, z, Z16         \
	VPSRAD    $24, Z16, Z16          \
	VPSLLD    $left1, z, Z17         \
	VPSRAD    $24, Z17, Z17          \
	VMOVDQU32 Z16, (704*i+512)(DI)   \
	VMOVDQU32 Z17, (704*i+576)(DI)   \
	VPANDD    Z13, Z16, Z16          \
	VPSLLD    $16, Z17, Z17          \
	VPORD     Z17, Z16, Z16          \
	VMOVDQU32 Z16, (704*i+640)(DI)

// func tileQ6_K(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ6_K(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD low4<>(SB), Z14
	VPBROADCASTD word<>(SB), Z13
	VPBROADCASTD high2<>(SB), Z12

loop:
	LAST(194)
	VPSRLD $16, Z0, Z0
	FLOATS(Z0, Y0, 5632)
	TURN16(192)
	SCALES(0, Z0, 24, 16)
	SCALES(1, Z0, 8, 0)
	SCALES(2, Z1, 24, 16)
	SCALES(3, Z1, 8, 0)
	SCALES(4, Z2, 24, 16)
	SCALES(5, Z2, 8, 0)
	SCALES(6, Z3, 24, 16)
	SCALES(7, Z3, 8, 0)
	SIXES(0)
	SIXES(1)
	NEXTBLOCK(210, 5696)
	JNZ loop
	VZEROUPPER
	RET

// Four elements of group 2j, those of z, and four of group 2j+1, with the bits of qh, q, that become 16
#define FIVE(j, e, z, q, shift0, count0, shift1, count1) \
	shift0    count0, q, Z17              \
	shift1    count1, q, Z18              \
	VPANDD    Z14, z, Z16                 \
	VPSRLD    $4, z, z                    \
	VPANDD    Z14, z, z                   \
	VPTERNLOGD $0xf8, Z10, Z17, Z16       \ // Z16 | Z17 & Z10
	VPTERNLOGD $0xf8, Z10, Z18, z         \
	VMOVDQU32 Z16, (1280*j+64*e)(DI)      \
	VMOVDQU32 z, (1280*j+640+64*e)(DI)

#define FIVES(j, shift0, count0, shift1, count1) \
	TURN32((48+32*j))                                    \
	FIVE(j, 0, Z0, Z8, shift0, count0, shift1, count1)   \
	FIVE(j, 1, Z1, Z12, shift0, count0, shift1, count1)  \
	FIVE(j, 2, Z2, Z13, shift0, count0, shift1, count1)  \
	FIVE(j, 3, Z3, Z15, shift0, count0, shift1, count1)  \
	FIVE(j, 4, Z4, Z28, shift0, count0, shift1, count1)  \
	FIVE(j, 5, Z5, Z29, shift0, count0, shift1, count1)  \
	FIVE(j, 6, Z6, Z30, shift0, count0, shift1, count1)  \
	FIVE(j, 7, Z7, Z31, shift0, count0, shift1, count1)

// func tileQ5_K(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ5_K(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VPBROADCASTD    byte<>(SB), Z11
	VPBROADCASTD    sixteens<>(SB), Z10
	VBROADCASTI32X4 twice<>(SB), Z9

loop:
	SCALEMINS
	TURN32(16)
	KEEP(Z8, Z12, Z13, Z15)
	FIVES(0, VPSLLD, $4, VPSLLD, $3)
	FIVES(1, VPSLLD, $2, VPSLLD, $1)
	FIVES(2, VPSLLD, $0, VPSRLD, $1)
	FIVES(3, VPSRLD, $2, VPSRLD, $3)
	NEXTBLOCK(176, 5248)
	JNZ loop
	VZEROUPPER
	RET

// Two bits of z, the third from hmask, q; stored as elements 4e of run i
#define THREE(count, z, q, hshift, hcount, i, e) \
	VPSRLD     count, z, Z16         \
	hshift     hcount, q, Z17        \
	VPANDD     Z11, Z16, Z16         \
	VPTERNLOGD $0xf8, Z10, Z17, Z16  \ // Z16 | Z17 & Z10
	VMOVDQU32  Z16, (704*i+64*e)(DI)

#define THREE8(count, hshift, hcount, i) \
	THREE(count, Z0, Z8, hshift, hcount, i, 0)  \
	THREE(count, Z1, Z12, hshift, hcount, i, 1) \
	THREE(count, Z2, Z14, hshift, hcount, i, 2) \
	THREE(count, Z3, Z15, hshift, hcount, i, 3) \
	THREE(count, Z4, Z28, hshift, hcount, i, 4) \
	THREE(count, Z5, Z29, hshift, hcount, i, 5) \
	THREE(count, Z6, Z30, hshift, hcount, i, 6) \
	THREE(count, Z7, Z31, hshift, hcount, i, 7)

// Four scales: low bits from s, shifted right by right, high bits from Z2, shifted; less 32, as runs i and i+1
#define SCALES3(s, right, hshift, hcount, i) \
	VPSRLD right, s, Z4                  \
	VPANDD Z14, Z4, Z4                   \
	hshift hcount, Z2, Z5                \
	VPTERNLOGD.BCST $0xf8, high2<>(SB), Z5, Z4 \ // Z4 | Z5 & high2
	VPSUBB Z9, Z4, Z4                    \
	SCALES(i, Z4, 24, 16)                \
	SCALES((i+1), Z4, 8, 0)

// func tileQ3_K(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ3_K(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD word<>(SB), Z13
	VPBROADCASTD low2<>(SB), Z11
	VPBROADCASTD fours<>(SB), Z10
	VPBROADCASTD thirtytwos<>(SB), Z9

loop:
	VPBROADCASTD low4<>(SB), Z14
	LANES16(94)         // 2 bytes early, to end with the block
	VPSRLDQ $2, Z0, Z0
	VPSRLDQ $2, Z1, Z1
	VPSRLDQ $2, Z2, Z2
	VPSRLDQ $2, Z3, Z3
	TURN(Z0, Z1, Z2, Z3, Z16, Z17, Z18, Z19, Z0, Z1, Z2, Z3)
	FLOATS(Z3, Y3, 5632)
	SCALES3(Z0, $0, VPSLLD, $4, 0)
	SCALES3(Z1, $0, VPSLLD, $2, 2)
	SCALES3(Z0, $4, VPSLLD, $0, 4)
	SCALES3(Z1, $4, VPSRLD, $2, 6)
	TURN32(0)
	KEEP(Z8, Z12, Z14, Z15)
	TURN32(32)
	THREE8($0, VPSLLD, $2, 0)
	THREE8($2, VPSLLD, $1, 1)
	THREE8($4, VPSLLD, $0, 2)
	THREE8($6, VPSRLD, $1, 3)
	TURN32(64)
	THREE8($0, VPSRLD, $2, 4)
	THREE8($2, VPSRLD, $3, 5)
	THREE8($4, VPSRLD, $4, 6)
	THREE8($6, VPSRLD, $5, 7)
	NEXTBLOCK(110, 5696)
	JNZ loop
	VZEROUPPER
	RET

#define LEVELS(g, e, z) \
	VPANDD    Z14, z, Z16                  \
	VPSRLD    $4, z, z                     \
	VPANDD    Z14, z, z                    \
	VPSHUFB   Z16, Z11, Z16                \
	VPSHUFB   z, Z11, z                    \
	VMOVDQU32 Z16, (704*g+64*e)(DI)        \
	VMOVDQU32 z, (704*g+64*e+256)(DI)

// Groups 2j and 2j+1
#define LEVELS32(j) \
	TURN32((8+32*j))        \
	LEVELS((2*j), 0, Z0)    \
	LEVELS((2*j), 1, Z1)    \
	LEVELS((2*j), 2, Z2)    \
	LEVELS((2*j), 3, Z3)    \
	LEVELS((2*j+1), 0, Z4)  \
	LEVELS((2*j+1), 1, Z5)  \
	LEVELS((2*j+1), 2, Z6)  \
	LEVELS((2*j+1), 3, Z7)

// The scale of group g, low bits from Z1, high bits from Z5: for both halves of the group, and as a pair of words
#define GROUP(g) \
	VPSRLD    $(4*g), Z1, Z0         \
	VPANDD    Z14, Z0, Z0            \
	VPANDD    Z8, Z0, Z0             \
	VPSRLD    $(2*g), Z5, Z2         \
	VPSLLD    $4, Z2, Z2             \
	VPANDD    Z12, Z2, Z2            \
	VPANDD    Z8, Z2, Z2             \
	VPORD     Z2, Z0, Z0             \
	VPSUBD    Z9, Z0, Z0             \
	VMOVDQU32 Z0, (704*g+512)(DI)    \
	VMOVDQU32 Z0, (704*g+576)(DI)    \
	VPANDD    Z13, Z0, Z2            \
	VPSLLD    $16, Z0, Z0            \
	VPORD     Z2, Z0, Z0             \
	VMOVDQU32 Z0, (704*g+640)(DI)

// func tileIQ4_XS(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileIQ4_XS(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD    low4<>(SB), Z14
	VPBROADCASTD    word<>(SB), Z13
	VPBROADCASTD    high2<>(SB), Z12
	VBROADCASTI32X4 levels<>(SB), Z11
	VPBROADCASTD    byte<>(SB), Z8
	VPBROADCASTD    thirtytwos<>(SB), Z9
	VPANDD          Z8, Z9, Z9          // 32 in each dword

loop:
	TURN16(0)
	VPSRLD $16, Z0, Z5
	FLOATS(Z0, Y0, 5632)
	GROUP(0)
	GROUP(1)
	GROUP(2)
	GROUP(3)
	GROUP(4)
	GROUP(5)
	GROUP(6)
	GROUP(7)
	LEVELS32(0)
	LEVELS32(1)
	LEVELS32(2)
	LEVELS32(3)
	NEXTBLOCK(136, 5696)
	JNZ loop
	VZEROUPPER
	RET

// Scales and minima of run i, from the upper half, if right is 16, or the lower half of each dword of z; the minima as a
// pair of words. Z10 = 15 in each dword
#define SCALES2(i, z, right) \
	VPSRLD    $right, z, Z4          \
	VPANDD    Z10, Z4, Z5            \
	VMOVDQU32 Z5, (704*i+512)(DI)    \
	VPSRLD    $8, Z4, Z5             \
	VPANDD    Z10, Z5, Z5            \
	VMOVDQU32 Z5, (704*i+576)(DI)    \
	VPSRLD    $4, Z4, Z5             \
	VPANDD    Z10, Z5, Z5            \
	VPSRLD    $12, Z4, Z4            \
	VPANDD    Z10, Z4, Z4            \
	VPSLLD    $16, Z4, Z4            \
	VPORD     Z5, Z4, Z4             \
	VMOVDQU32 Z4, (704*i+640)(DI)

#define SCALES2X2(n, z) \
	SCALES2((2*n), z, 0)    \
	SCALES2((2*n+1), z, 16)

// Elements 4e of the four runs of half h, from z
#define TWOS(h, e, z) \
	VPANDD    Z11, z, Z16                 \
	VMOVDQU32 Z16, (704*(4*h)+64*e)(DI)   \
	VPSRLD    $2, z, Z16                  \
	VPANDD    Z11, Z16, Z16               \
	VMOVDQU32 Z16, (704*(4*h+1)+64*e)(DI) \
	VPSRLD    $4, z, Z16                  \
	VPANDD    Z11, Z16, Z16               \
	VMOVDQU32 Z16, (704*(4*h+2)+64*e)(DI) \
	VPSRLD    $6, z, z                    \
	VPANDD    Z11, z, z                   \
	VMOVDQU32 z, (704*(4*h+3)+64*e)(DI)

#define TWOS8(h) \
	TURN32((16+32*h)) \
	TWOS(h, 0, Z0) \
	TWOS(h, 1, Z1) \
	TWOS(h, 2, Z2) \
	TWOS(h, 3, Z3) \
	TWOS(h, 4, Z4) \
	TWOS(h, 5, Z5) \
	TWOS(h, 6, Z6) \
	TWOS(h, 7, Z7)

// func tileQ2_K(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileQ2_K(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD low2<>(SB), Z11
	VPBROADCASTD fifteen<>(SB), Z10

loop:
	LAST(68)
	VPSRLD $16, Z0, Z1
	FLOATS(Z0, Y0, 5632)
	FLOATS(Z1, Y1, 5696)
	TURN16(0)
	SCALES2X2(0, Z0)
	SCALES2X2(1, Z1)
	SCALES2X2(2, Z2)
	SCALES2X2(3, Z3)
	TWOS8(0)
	TWOS8(1)
	NEXTBLOCK(84, 5760)
	JNZ loop
	VZEROUPPER
	RET
