#include "textflag.h"
#include "kernels_ahead_amd64.h"

// What the kernels share that take rows in the order of memory, which the hardware's own prefetch follows, or two such
// streams of rows at once; see linearPairs and linearK. A group of blocks gives as many terms at once, which are added in order.
//
//	AX x.Q   BX x.D   CX x.Sum   R8 bytes of a row   R11 blocks   R14 dst
//	SI the row   R13 block   DX its bytes   R12 its x   X15 accumulators   K4 terms of a group that count
//	of pairs: R15 how many rows the second is on   R9 how many bytes   DI its bytes

#define START \
	MOVQ   dst+0(FP), R14      \
	MOVQ   w+8(FP), SI         \
	MOVQ   rowBytes+16(FP), R8 \
	MOVQ   q+24(FP), AX        \
	MOVQ   d+32(FP), BX        \
	MOVQ   blocks+48(FP), R11

#define PAIRS \
	MOVQ  apart+64(FP), R15 \
	MOVQ  R15, R9           \
	IMULQ R8, R9

// Where what a kernel makes of x lies on the stack, from an address of whole cache lines on.
#define ARRANGED(off, reg) \
	LEAQ (off+63)(SP), reg \
	ANDQ $~63, reg

#define ROW \
	MOVQ   SI, DX        \
	MOVQ   AX, R12       \
	XORQ   R13, R13      \
	KXNORW K4, K4, K4    \
	VXORPS X15, X15, X15

// The next count blocks of the row, or its last ones, where fewer are left: then some are done again, whose terms are zeros;
// then the next row, of left. A block's x has 1<<log bytes.
#define NEXT(count, blockBytes, log, STORE, left) \
	ADDQ   $(count*blockBytes), DX \
	ADDQ   $(count<<log), R12      \
	ADDQ   $count, R13             \
	LEAQ   count(R13), R10         \
	SUBQ   R11, R10                \
	JLE    group                   \
	CMPQ   R10, $count             \
	JGE    rowed                   \
	SUBQ   R10, R13                \
	MOVQ   $-1, R12                \
	SHLXQ  R10, R12, R12           \
	KMOVW  R12, K4                 \
	IMUL3Q $blockBytes, R10, R10   \
	SUBQ   R10, DX                 \
	MOVQ   R13, R12                \
	SHLQ   $log, R12               \
	ADDQ   AX, R12                 \
	JMP    group                   \
rowed:                             \
	STORE                          \
	ADDQ   $4, R14                 \
	ADDQ   R8, SI                  \
	DECQ   left+56(FP)             \
	JNZ    row                     \
	VZEROUPPER                     \
	RET

#define ONE VMOVSS X15, (R14)

#define TWO \
	VMOVSS     X15, (R14)          \
	VEXTRACTPS $1, X15, (R14)(R15*4)

// X15 += the four terms in X0.
#define ADD4 \
	VADDSS    X0, X15, X15 \
	VMOVSHDUP X0, X1       \
	VADDSS    X1, X15, X15 \
	VUNPCKHPS X0, X0, X2   \
	VADDSS    X2, X15, X15 \
	VMOVHLPS  X2, X2, X3   \
	VADDSS    X3, X15, X15

// X15 += the terms of four blocks of a pair, which x (blocks 0 and 1) and y (2 and 3) have by turns; its upper half is of no use.
#define ADDPAIRS4(x, y) \
	VADDPS   x, X15, X15  \
	VMOVHLPS x, x, X3     \
	VADDPS   X3, X15, X15 \
	VADDPS   y, X15, X15  \
	VMOVHLPS y, y, X3     \
	VADDPS   X3, X15, X15

// X15 += the terms of eight blocks of a pair, in Y20 and Y0.
#define ADDPAIRS8 \
	VUNPCKLPS    Y0, Y20, Y1 \
	VUNPCKHPS    Y0, Y20, Y2 \
	ADDPAIRS4(X1, X2)        \
	VEXTRACTF128 $1, Y1, X1  \
	VEXTRACTF128 $1, Y2, X2  \
	ADDPAIRS4(X1, X2)

// X15 += the terms of sixteen blocks of a pair, in Z20 and Z0.
#define ADDPAIRS16 \
	VUNPCKLPS     Z0, Z20, Z1 \
	VUNPCKHPS     Z0, Z20, Z2 \
	ADDPAIRS4(X1, X2)         \
	VEXTRACTF32X4 $1, Z1, X4  \
	VEXTRACTF32X4 $1, Z2, X5  \
	ADDPAIRS4(X4, X5)         \
	VEXTRACTF32X4 $2, Z1, X4  \
	VEXTRACTF32X4 $2, Z2, X5  \
	ADDPAIRS4(X4, X5)         \
	VEXTRACTF32X4 $3, Z1, X4  \
	VEXTRACTF32X4 $3, Z2, X5  \
	ADDPAIRS4(X4, X5)
