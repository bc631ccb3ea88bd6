//go:build !purego

#include "textflag.h"

// IQ types unpacked, a block at a time, to a block256: elements at 0, scales at 256, d at 320. Entries of a grid are
// looked up one by one; their bytes are elements but for the sign.
//
//	SI the block   DI the block256   CX blocks left   R8 the grid   R9 bytes of signs
//	Y15 zero   Y14 ones, as words   X13 what d is multiplied with

DATA ones<>+0(SB)/4, $0x00010001
GLOBL ones<>(SB), RODATA|NOPTR, $4

DATA eighth<>+0(SB)/4, $0x3e000000
GLOBL eighth<>(SB), RODATA|NOPTR, $4

DATA quarter<>+0(SB)/4, $0x3e800000
GLOBL quarter<>(SB), RODATA|NOPTR, $4

DATA fifteens<>+0(SB)/4, $0x000f000f
GLOBL fifteens<>(SB), RODATA|NOPTR, $4

DATA sevens<>+0(SB)/4, $0x00070007
GLOBL sevens<>(SB), RODATA|NOPTR, $4

// Shifts of dwords.
DATA shift0to28<>+0(SB)/8, $0x0000000400000000
DATA shift0to28<>+8(SB)/8, $0x0000000c00000008
DATA shift0to28<>+16(SB)/8, $0x0000001400000010
DATA shift0to28<>+24(SB)/8, $0x0000001c00000018
GLOBL shift0to28<>(SB), RODATA|NOPTR, $32

// Byte i is what bit i of 32 is in, byte i/8, and its bit.
DATA spread<>+0(SB)/8, $0x0000000000000000
DATA spread<>+8(SB)/8, $0x0101010101010101
DATA spread<>+16(SB)/8, $0x0202020202020202
DATA spread<>+24(SB)/8, $0x0303030303030303
GLOBL spread<>(SB), RODATA|NOPTR, $32

DATA bits<>+0(SB)/8, $0x8040201008040201
DATA bits<>+8(SB)/8, $0x8040201008040201
DATA bits<>+16(SB)/8, $0x8040201008040201
DATA bits<>+24(SB)/8, $0x8040201008040201
GLOBL bits<>(SB), RODATA|NOPTR, $32

// IQ1_M: what the signs of the deltas are in, eight by eight, in 16 bits; and their bits.
DATA deltas<>+0(SB)/8, $0x0000000000000000
DATA deltas<>+8(SB)/8, $0x0000000000000000
DATA deltas<>+16(SB)/8, $0x0101010101010101
DATA deltas<>+24(SB)/8, $0x0101010101010101
GLOBL deltas<>(SB), RODATA|NOPTR, $32

DATA deltabits<>+0(SB)/8, $0x0808080808080808
DATA deltabits<>+8(SB)/8, $0x8080808080808080
DATA deltabits<>+16(SB)/8, $0x0808080808080808
DATA deltabits<>+24(SB)/8, $0x8080808080808080
GLOBL deltabits<>(SB), RODATA|NOPTR, $32

// IQ1_M: words of scales, each four times; then 2^15 >> 3j, so that twice the word times it is the word >> 3j, above 16.
DATA fourfold<>+0(SB)/8, $0x0100010001000100
DATA fourfold<>+8(SB)/8, $0x0302030203020302
DATA fourfold<>+16(SB)/8, $0x0504050405040504
DATA fourfold<>+24(SB)/8, $0x0706070607060706
GLOBL fourfold<>(SB), RODATA|NOPTR, $32

DATA down<>+0(SB)/8, $0x0040020010008000
DATA down<>+8(SB)/8, $0x0040020010008000
DATA down<>+16(SB)/8, $0x0040020010008000
DATA down<>+24(SB)/8, $0x0040020010008000
GLOBL down<>(SB), RODATA|NOPTR, $32

#define START(grid, factor) \
	MOVQ         b+0(FP), DI       \
	MOVQ         w+8(FP), SI       \
	MOVQ         blocks+16(FP), CX \
	LEAQ         grid(SB), R8      \
	LEAQ         ·signBytes(SB), R9 \
	VPXOR        Y15, Y15, Y15     \
	VPBROADCASTD ones<>(SB), Y14   \
	VMOVSS       factor<>(SB), X13

#define NEXT(blockBytes) \
	ADDQ $blockBytes, SI \
	ADDQ $328, DI        \
	DECQ CX

// d = the binary16 at 0
#define D \
	VPINSRW   $0, (SI), X15, X0 \
	VCVTPH2PS X0, X0            \
	VMULSS    X13, X0, X0       \
	VMOVSS    X0, 320(DI)

// The scales 2s+1, s the words of y.
#define SCALES(y) \
	VPADDW  y, y, y     \
	VPOR    Y14, y, y   \
	VMOVDQU y, 256(DI)

// The scales of eight groups of 32, s the dwords of y.
#define SCALES8(y) \
	VPSLLD $16, y, Y1 \
	VPOR   Y1, y, y   \
	SCALES(y)

// The 16 scales in the halves of the 8 bytes at off.
#define SCALES16(off) \
	VPMOVZXBD    off(SI), Y0          \
	VPSLLD       $12, Y0, Y1          \
	VPOR         Y1, Y0, Y0           \
	VPBROADCASTD fifteens<>(SB), Y1   \
	VPAND        Y1, Y0, Y0           \
	SCALES(Y0)

// reg = index of an entry: the byte at off, and bits of R11 that shift brings above it
#define INDEX(off, shift, count, mask, reg) \
	MOVL    R11, reg     \
	shift   count, reg   \
	ANDL    mask, reg    \
	MOVBLZX off(SI), R12 \
	ORL     R12, reg

// y = the entries AX, BX, DX, R10 of a table of 8 bytes
#define EIGHTS(table, x, y) \
	VMOVQ       (table)(AX*8), x       \
	VPINSRQ     $1, (table)(BX*8), x, x \
	VMOVQ       (table)(DX*8), X3      \
	VPINSRQ     $1, (table)(R10*8), X3, X3 \
	VINSERTI128 $1, X3, y, y

// x = the entries AX, BX, DX, R10 of the grid, of 4 bytes
#define FOURS(x) \
	VMOVD   (R8)(AX*4), x         \
	VPINSRD $1, (R8)(BX*4), x, x  \
	VPINSRD $2, (R8)(DX*4), x, x  \
	VPINSRD $3, (R8)(R10*4), x, x

// Y1 gets the signs of the four times 7 bits in R11 and is stored as group g.
#define SIGN7(g) \
	MOVL    R11, AX       \
	ANDL    $127, AX      \
	MOVL    R11, BX       \
	SHRL    $7, BX        \
	ANDL    $127, BX      \
	MOVL    R11, DX       \
	SHRL    $14, DX       \
	ANDL    $127, DX      \
	SHRL    $21, R11      \
	ANDL    $127, R11     \
	MOVL    R11, R10      \
	EIGHTS(R9, X2, Y2)    \
	VPSIGNB Y2, Y1, Y1    \
	VMOVDQU Y1, (32*g)(DI)

// Y1 gets the signs of the 32 bits at off and is stored as group g. Y12 = spread, Y11 = bits
#define SIGN8(off, g) \
	VPBROADCASTD off(SI), Y2   \
	VPSHUFB      Y12, Y2, Y2   \
	VPAND        Y11, Y2, Y2   \
	VPCMPEQB     Y11, Y2, Y2   \
	VPXOR        Y2, Y1, Y1    \
	VPSUBB       Y2, Y1, Y1    \
	VMOVDQU      Y1, (32*g)(DI)

#define GROUPS(GROUP) \
	GROUP(0) \
	GROUP(1) \
	GROUP(2) \
	GROUP(3) \
	GROUP(4) \
	GROUP(5) \
	GROUP(6) \
	GROUP(7)

#define GROUP2XXS(g) \
	MOVBLZX (2+8*g)(SI), AX  \
	MOVBLZX (3+8*g)(SI), BX  \
	MOVBLZX (4+8*g)(SI), DX  \
	MOVBLZX (5+8*g)(SI), R10 \
	EIGHTS(R8, X1, Y1)       \
	MOVL    (6+8*g)(SI), R11 \
	SIGN7(g)

// func unpackIQ2_XXSAVX2(b *block256, w *byte, blocks int)
TEXT ·unpackIQ2_XXSAVX2(SB), NOSPLIT, $0-24
	START(·bytesIQ2_XXS, eighth)

loop:
	D
	VMOVUPS 2(SI), Y0
	VSHUFPS $0xdd, 34(SI), Y0, Y0 // the second dword of each group
	VPERMQ  $0xd8, Y0, Y0
	VPSRLD  $28, Y0, Y0
	SCALES8(Y0)
	GROUPS(GROUP2XXS)
	NEXT(66)
	JNZ     loop
	VZEROUPPER
	RET

// Eight l of group g: 9 bits of index and 7 of signs
#define EIGHT2XS(g, l, index, sign) \
	MOVWLZX (2+8*g+2*l)(SI), index \
	MOVL    index, sign            \
	SHRL    $9, sign               \
	ANDL    $511, index

#define GROUP2XS(g) \
	EIGHT2XS(g, 0, AX, R11)    \
	EIGHT2XS(g, 1, BX, R12)    \
	EIGHT2XS(g, 2, DX, R13)    \
	MOVWLZX (8+8*g)(SI), R10   \
	ANDL    $511, R10          \
	EIGHTS(R8, X1, Y1)         \
	MOVL    R11, AX            \
	MOVL    R12, BX            \
	MOVL    R13, DX            \
	MOVWLZX (8+8*g)(SI), R10   \
	SHRL    $9, R10            \
	EIGHTS(R9, X2, Y2)         \
	VPSIGNB Y2, Y1, Y1         \
	VMOVDQU Y1, (32*g)(DI)

// func unpackIQ2_XSAVX2(b *block256, w *byte, blocks int)
TEXT ·unpackIQ2_XSAVX2(SB), NOSPLIT, $0-24
	START(·bytesIQ2_XS, eighth)

loop:
	D
	SCALES16(66)
	GROUPS(GROUP2XS)
	NEXT(74)
	JNZ loop
	VZEROUPPER
	RET

#define GROUP2S(g) \
	MOVBLZX (66+g)(SI), R11                   \
	INDEX((2+4*g), SHLL, $8, $0x300, AX)      \
	INDEX((3+4*g), SHLL, $6, $0x300, BX)      \
	INDEX((4+4*g), SHLL, $4, $0x300, DX)      \
	INDEX((5+4*g), SHLL, $2, $0x300, R10)     \
	EIGHTS(R8, X1, Y1)                        \
	SIGN8((34+4*g), g)

// func unpackIQ2_SAVX2(b *block256, w *byte, blocks int)
TEXT ·unpackIQ2_SAVX2(SB), NOSPLIT, $0-24
	START(·bytesIQ2_S, eighth)
	VMOVDQU spread<>(SB), Y12
	VMOVDQU bits<>(SB), Y11

loop:
	D
	SCALES16(74)
	GROUPS(GROUP2S)
	NEXT(82)
	JNZ loop
	VZEROUPPER
	RET

#define GROUP3XXS(g) \
	MOVBLZX (2+8*g)(SI), AX  \
	MOVBLZX (3+8*g)(SI), BX  \
	MOVBLZX (4+8*g)(SI), DX  \
	MOVBLZX (5+8*g)(SI), R10 \
	FOURS(X1)                \
	MOVBLZX (6+8*g)(SI), AX  \
	MOVBLZX (7+8*g)(SI), BX  \
	MOVBLZX (8+8*g)(SI), DX  \
	MOVBLZX (9+8*g)(SI), R10 \
	FOURS(X3)                \
	VINSERTI128 $1, X3, Y1, Y1 \
	MOVL    (66+4*g)(SI), R11 \
	SIGN7(g)

// func unpackIQ3_XXSAVX2(b *block256, w *byte, blocks int)
TEXT ·unpackIQ3_XXSAVX2(SB), NOSPLIT, $0-24
	START(·bytesIQ3_XXS, quarter)

loop:
	D
	VMOVDQU 66(SI), Y0
	VPSRLD  $28, Y0, Y0
	SCALES8(Y0)
	GROUPS(GROUP3XXS)
	NEXT(98)
	JNZ     loop
	VZEROUPPER
	RET

#define GROUP3S(g) \
	MOVBLZX (66+g)(SI), R11                   \
	INDEX((2+8*g), SHLL, $8, $0x100, AX)      \
	INDEX((3+8*g), SHLL, $7, $0x100, BX)      \
	INDEX((4+8*g), SHLL, $6, $0x100, DX)      \
	INDEX((5+8*g), SHLL, $5, $0x100, R10)     \
	FOURS(X1)                                 \
	INDEX((6+8*g), SHLL, $4, $0x100, AX)      \
	INDEX((7+8*g), SHLL, $3, $0x100, BX)      \
	INDEX((8+8*g), SHLL, $2, $0x100, DX)      \
	INDEX((9+8*g), SHLL, $1, $0x100, R10)     \
	FOURS(X3)                                 \
	VINSERTI128 $1, X3, Y1, Y1                \
	SIGN8((74+4*g), g)

// func unpackIQ3_SAVX2(b *block256, w *byte, blocks int)
TEXT ·unpackIQ3_SAVX2(SB), NOSPLIT, $0-24
	START(·bytesIQ3_S, eighth)
	VMOVDQU spread<>(SB), Y12
	VMOVDQU bits<>(SB), Y11

loop:
	VPINSRW      $0, (SI), X15, X0
	VCVTPH2PS    X0, X0
	VMOVSS       X0, 320(DI)
	VPBROADCASTD 106(SI), Y0
	VPSRLVD      shift0to28<>(SB), Y0, Y0
	VPSLLD       $28, Y0, Y0
	VPSRLD       $28, Y0, Y0
	SCALES8(Y0)
	GROUPS(GROUP3S)
	NEXT(110)
	JNZ          loop
	VZEROUPPER
	RET

// Y1 gets the delta: the grid's bytes have +1, so -2 where Y2 is set; stored as group g.
#define DELTA(g) \
	VPADDB  Y2, Y1, Y1      \
	VPADDB  Y2, Y1, Y1      \
	VMOVDQU Y1, (32*g)(DI)

#define GROUP1S(g) \
	MOVWLZX (34+2*g)(SI), R11                 \
	INDEX((2+4*g), SHLL, $8, $0x700, AX)      \
	INDEX((3+4*g), SHLL, $5, $0x700, BX)      \
	INDEX((4+4*g), SHLL, $2, $0x700, DX)      \
	INDEX((5+4*g), SHRL, $1, $0x700, R10)     \
	EIGHTS(R8, X1, Y1)                        \
	VPBROADCASTW (34+2*g)(SI), Y2             \
	VPSRAW  $15, Y2, Y2                       \
	DELTA(g)

// func unpackIQ1_SAVX2(b *block256, w *byte, blocks int)
TEXT ·unpackIQ1_SAVX2(SB), NOSPLIT, $0-24
	START(·bytesIQ1_S, eighth)

loop:
	D
	VPMOVZXWD 34(SI), Y0
	VPSLLD    $17, Y0, Y0
	VPSRLD    $29, Y0, Y0
	SCALES8(Y0)
	GROUPS(GROUP1S)
	NEXT(50)
	JNZ       loop
	VZEROUPPER
	RET

#define GROUP1M(g) \
	MOVWLZX (32+2*g)(SI), R11                 \
	INDEX((4*g), SHLL, $8, $0x700, AX)        \
	INDEX((1+4*g), SHLL, $4, $0x700, BX)      \
	INDEX((2+4*g), SHLL, $0, $0x700, DX)      \
	INDEX((3+4*g), SHRL, $4, $0x700, R10)     \
	EIGHTS(R8, X1, Y1)                        \
	VPBROADCASTW (32+2*g)(SI), Y2             \
	VPSHUFB  Y12, Y2, Y2                      \
	VPAND    Y11, Y2, Y2                      \
	VPCMPEQB Y11, Y2, Y2                      \
	DELTA(g)

// func unpackIQ1_MAVX2(b *block256, w *byte, blocks int)
TEXT ·unpackIQ1_MAVX2(SB), NOSPLIT, $0-24
	START(·bytesIQ1_S, eighth)
	VMOVDQU      deltas<>(SB), Y12
	VMOVDQU      deltabits<>(SB), Y11
	VPBROADCASTD sevens<>(SB), Y10

loop:
	VPBROADCASTQ 48(SI), Y0
	VPSHUFB      fourfold<>(SB), Y0, Y0
	VPADDW       Y0, Y0, Y0
	VPMULHUW     down<>(SB), Y0, Y0
	VPAND        Y10, Y0, Y0
	SCALES(Y0)
	MOVQ         48(SI), AX           // d: the top four bits of each word
	MOVL         AX, BX
	SHRL         $12, AX
	ANDL         $0x000f, AX
	SHRL         $24, BX
	ANDL         $0x00f0, BX
	ORL          BX, AX
	MOVQ         48(SI), BX
	MOVQ         BX, DX
	SHRQ         $36, BX
	ANDL         $0x0f00, BX
	SHRQ         $48, DX
	ANDL         $0xf000, DX
	ORL          BX, AX
	ORL          DX, AX
	VMOVD        AX, X0
	VCVTPH2PS    X0, X0
	VMULSS       X13, X0, X0
	VMOVSS       X0, 320(DI)
	GROUPS(GROUP1M)
	NEXT(56)
	JNZ          loop
	VZEROUPPER
	RET
