// Tables and macros of the kernels for eight rows of 32-element blocks.
//
//	AX x.Q   BX x.D   CX x.Sum   DX blocks left   SI row 0   DI row 4   R8 bytes of a row   R9 three times R8
//	R11 what to prefetch
//	Y15 the eight accumulators   Y14 sixteen ones   Y13 low halves of bytes   Y12, Y11, Y10 per kernel

DATA ones<>+0(SB)/8, $0x0001000100010001
DATA ones<>+8(SB)/8, $0x0001000100010001
DATA ones<>+16(SB)/8, $0x0001000100010001
DATA ones<>+24(SB)/8, $0x0001000100010001
GLOBL ones<>(SB), RODATA|NOPTR, $32

// Byte i is what bit i of 32 is in: byte i/8.
DATA spread<>+0(SB)/8, $0x0000000000000000
DATA spread<>+8(SB)/8, $0x0101010101010101
DATA spread<>+16(SB)/8, $0x0202020202020202
DATA spread<>+24(SB)/8, $0x0303030303030303
GLOBL spread<>(SB), RODATA|NOPTR, $32

// Byte i has bit i mod 8 alone.
DATA bits<>+0(SB)/8, $0x8040201008040201
DATA bits<>+8(SB)/8, $0x8040201008040201
DATA bits<>+16(SB)/8, $0x8040201008040201
DATA bits<>+24(SB)/8, $0x8040201008040201
GLOBL bits<>(SB), RODATA|NOPTR, $32

#define START \
	MOVQ    w+8(FP), SI         \
	MOVQ    rowBytes+16(FP), R8 \
	MOVQ    q+24(FP), AX        \
	MOVQ    d+32(FP), BX        \
	MOVQ    sum+40(FP), CX      \
	MOVQ    blocks+48(FP), DX   \
	LEAQ    (R8)(R8*2), R9      \
	LEAQ    (SI)(R8*4), DI      \
	LEAQ    (SI)(R8*8), R11     \
	VMOVDQU ones<>(SB), Y14     \
	VMOVDQU low4<>(SB), Y13     \
	VPXOR   Y15, Y15, Y15

// The next block, and the next eight rows on their way into the cache while these are multiplied: the hardware's own
// prefetch does not follow eight rows at once.
#define NEXT(blockBytes) \
	PREFETCHT0 (R11)     \
	PREFETCHT0 64(R11)   \
	PREFETCHT0 128(R11)  \
	ADDQ $(8*blockBytes), R11 \
	ADDQ $32, AX        \
	ADDQ $4, BX         \
	ADDQ $4, CX         \
	ADDQ $blockBytes, SI \
	ADDQ $blockBytes, DI \
	DECQ DX

#define STORE \
	MOVQ    dst+0(FP), R10 \
	VMOVUPS Y15, (R10)     \
	VZEROUPPER             \
	RET

// term, Y0 = float32(float32(Y0) * float32(d*dx)); Y9 becomes dx.
#define TERM \
	HALVES(0, X8, Y8)     \
	VBROADCASTSS (BX), Y9 \
	VMULPS    Y9, Y8, Y8  \
	VCVTDQ2PS Y0, Y0      \
	VMULPS    Y8, Y0, Y0

// term += float32(float32(sum) * float32(m*dx)), m at off 2.
#define ADDMIN \
	HALVES(2, X8, Y8)          \
	VMULPS       Y9, Y8, Y8    \
	VPBROADCASTD (CX), Y1      \
	VCVTDQ2PS    Y1, Y1        \
	VMULPS       Y8, Y1, Y1    \
	VADDPS       Y1, Y0, Y0

// Y0 -= Σx << shift: takes off the offset of unsigned elements.
#define OFFSET(shift) \
	VPBROADCASTD (CX), Y9         \
	VPSLLD       $shift, Y9, Y9   \
	VPSUBD       Y9, Y0, Y0

// dst = eight int32 that add up to the products of signed bytes y with x in Y9; clobbers y and Y8.
#define SIGNED(y, dst) \
	VPABSB     y, Y8         \
	VPSIGNB    y, Y9, y      \ // x with the sign of y
	VPMADDUBSW y, Y8, y      \
	VPMADDWD   Y14, y, dst

// dst = eight int32 that add up to the products of unsigned bytes y with x in Y9; clobbers y.
#define UNSIGNED(y, dst) \
	VPMADDUBSW Y9, y, y    \
	VPMADDWD   Y14, y, dst

// ROW is one of the macros below, for each of eight rows.
#define ROWS(ROW) \
	VMOVDQU (AX), Y9       \
	ROW((SI), Y0)          \
	ROW((SI)(R8*1), Y1)    \
	ROW((SI)(R8*2), Y2)    \
	ROW((SI)(R9*1), Y3)    \
	ROW((DI), Y4)          \
	ROW((DI)(R8*1), Y5)    \
	ROW((DI)(R8*2), Y6)    \
	ROW((DI)(R9*1), Y7)    \
	REDUCE

// Y0 = sums of the products of eight rows with 16 bytes of 4-bit elements each, at off. Two rows share a register, r in its
// lower half and r+4 in its upper: low halves of the bytes meet the first 16 of x, Y10, high halves the others, Y11, so that
// half as many sums are left to be reduced. PRODUCT(lo, hi) makes of both eight int32 in lo.
#define PAIRS(off, PRODUCT) \
	VBROADCASTI128 (AX), Y10   \
	VBROADCASTI128 16(AX), Y11 \
	PAIR(off (SI), off (DI), X0, Y0, Y4, PRODUCT) \
	PAIR(off (SI)(R8*1), off (DI)(R8*1), X1, Y1, Y5, PRODUCT) \
	PAIR(off (SI)(R8*2), off (DI)(R8*2), X2, Y2, Y6, PRODUCT) \
	PAIR(off (SI)(R9*1), off (DI)(R9*1), X3, Y3, Y7, PRODUCT) \
	VPHADDD Y1, Y0, Y0         \
	VPHADDD Y3, Y2, Y2         \
	VPHADDD Y2, Y0, Y0

#define PAIR(lower, upper, x, y, hi, PRODUCT) \
	VMOVDQU     lower, x        \
	VINSERTI128 $1, upper, y, y \
	VPSRLW      $4, y, hi       \
	VPAND       Y13, y, y       \
	VPAND       Y13, hi, hi     \
	PRODUCT(y, hi)

// Unsigned elements of at most 32.
#define SMALL(lo, hi) \
	VPMADDUBSW Y10, lo, lo \
	VPMADDUBSW Y11, hi, hi \
	VPADDW     hi, lo, lo  \
	VPMADDWD   Y14, lo, lo

// Unsigned levels from the table in Y12, at most 32.
#define SMALLLEVELS(lo, hi) \
	VPSHUFB lo, Y12, lo \
	VPSHUFB hi, Y12, hi \
	SMALL(lo, hi)

// Signed levels from the table in Y12.
#define LEVELS(lo, hi) \
	VPSHUFB    lo, Y12, lo  \
	VPSHUFB    hi, Y12, hi  \
	VPABSB     lo, Y8       \
	VPABSB     hi, Y9       \
	VPSIGNB    lo, Y10, lo  \
	VPSIGNB    hi, Y11, hi  \
	VPMADDUBSW lo, Y8, lo   \
	VPMADDUBSW hi, Y9, hi   \
	VPMADDWD   Y14, lo, lo  \
	VPMADDWD   Y14, hi, hi  \
	VPADDD     hi, lo, lo

// y = the 32 halves of bytes at off
#define NIBBLES(at, y) \
	VBROADCASTI128 at, y       \
	VPSRLVD        Y12, y, y   \
	VPAND          Y13, y, y

// y += 16 where the bit of the 32 at off is set
#define FIFTHS(at, y) \
	VPBROADCASTD at, Y8          \
	VPSHUFB      Y11, Y8, Y8     \
	VPAND        Y10, Y8, Y8     \
	VPCMPEQB     Y10, Y8, Y8     \
	VPAND        sixteens<>(SB), Y8, Y8 \
	VPOR         Y8, y, y
