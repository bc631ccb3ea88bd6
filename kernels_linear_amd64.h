#include "textflag.h"
#include "kernels_ahead_amd64.h"

// What the kernels share that take eight rows one after the other; see rows8 and rows8K. The terms of a row wait on the
// stack until all rows have theirs; then they are turned so that lanes are rows, and added in order. So the weights are
// read from memory as they lie there, which the hardware's own prefetch follows.
//
//	AX x.Q   BX x.D   CX x.Sum   R8 bytes of a row   R11 blocks
//	SI the row   R9 its terms   R13 block   DX its bytes   R12 its x   Y15 the eight accumulators

// TERMS is bytes of a row's terms: of the most blocks, and eight zeros behind the last.

#define START \
	MOVQ   w+8(FP), SI         \
	MOVQ   rowBytes+16(FP), R8 \
	MOVQ   q+24(FP), AX        \
	MOVQ   d+32(FP), BX        \
	MOVQ   blocks+48(FP), R11  \
	MOVQ   SP, R9              \
	VPXOR  Y15, Y15, Y15

// Where what a kernel makes of x lies on the stack, from an address of whole cache lines on.
#define ARRANGED(off, reg) \
	LEAQ (8*TERMS+off+63)(SP), reg \
	ANDQ $~63, reg

// Begins with a row: zeros behind where its terms will end.
#define ROW \
	VPXOR   Y0, Y0, Y0      \
	VMOVUPS Y0, (R9)(R11*4) \
	MOVQ    SI, DX          \
	MOVQ    AX, R12         \
	XORQ    R13, R13

// The next blocks of the row, count of them, or its last ones, some of them again, where fewer are left; then the next
// row; and when all eight have their terms, these are added. A block's x has 1<<log bytes.
#define NEXT(count, blockBytes, log) \
	PAGEAHEAD(DX, R10)             \
	ADDQ   $(count*blockBytes), DX \
	ADDQ   $(count<<log), R12      \
	ADDQ   $count, R13             \
	LEAQ   count(R13), R10         \
	SUBQ   R11, R10                \
	JLE    group                   \
	CMPQ   R10, $count             \
	JGE    rowed                   \
	SUBQ   R10, R13                \
	IMUL3Q $blockBytes, R10, R10   \
	SUBQ   R10, DX                 \
	MOVQ   R13, R12                \
	SHLQ   $log, R12               \
	ADDQ   AX, R12                 \
	JMP    group                   \
rowed:                             \
	ADDQ   R8, SI                  \
	ADDQ   $TERMS, R9              \
	LEAQ   (8*TERMS)(SP), R10      \
	CMPQ   R9, R10                 \
	JNE    row                     \
	XORQ   R13, R13                \
add:                               \
	ADDTERMS                       \
	ADDQ   $8, R13                 \
	CMPQ   R13, R11                \
	JLT    add                     \
	MOVQ    dst+0(FP), R10         \
	VMOVUPS Y15, (R10)             \
	VZEROUPPER                     \
	RET

// Y15 += the terms of eight blocks from R13 on, in their order.
#define ADDTERMS \
	VMOVUPS     (0*TERMS)(SP)(R13*4), Y0 \
	VMOVUPS     (1*TERMS)(SP)(R13*4), Y1 \
	VMOVUPS     (2*TERMS)(SP)(R13*4), Y2 \
	VMOVUPS     (3*TERMS)(SP)(R13*4), Y3 \
	VMOVUPS     (4*TERMS)(SP)(R13*4), Y4 \
	VMOVUPS     (5*TERMS)(SP)(R13*4), Y5 \
	VMOVUPS     (6*TERMS)(SP)(R13*4), Y6 \
	VMOVUPS     (7*TERMS)(SP)(R13*4), Y7 \
	QUARTERS(Y0, Y1, Y2, Y3)        \
	QUARTERS(Y4, Y5, Y6, Y7)        \
	VPERM2F128  $0x20, Y4, Y0, Y8   \
	VADDPS      Y8, Y15, Y15        \
	VPERM2F128  $0x20, Y5, Y1, Y9   \
	VADDPS      Y9, Y15, Y15        \
	VPERM2F128  $0x20, Y6, Y2, Y8   \
	VADDPS      Y8, Y15, Y15        \
	VPERM2F128  $0x20, Y7, Y3, Y9   \
	VADDPS      Y9, Y15, Y15        \
	VPERM2F128  $0x31, Y4, Y0, Y8   \
	VADDPS      Y8, Y15, Y15        \
	VPERM2F128  $0x31, Y5, Y1, Y9   \
	VADDPS      Y9, Y15, Y15        \
	VPERM2F128  $0x31, Y6, Y2, Y8   \
	VADDPS      Y8, Y15, Y15        \
	VPERM2F128  $0x31, Y7, Y3, Y9   \
	VADDPS      Y9, Y15, Y15

// Turns four rows of two times four columns into columns 0 and 4, 1 and 5, 2 and 6, 3 and 7 of the four rows.
#define QUARTERS(a, b, c, d) \
	VUNPCKLPS b, a, Y8   \
	VUNPCKHPS b, a, Y9   \
	VUNPCKLPS d, c, Y10  \
	VUNPCKHPS d, c, Y11  \
	VUNPCKLPD Y10, Y8, a \
	VUNPCKHPD Y10, Y8, b \
	VUNPCKLPD Y11, Y9, c \
	VUNPCKHPD Y11, Y9, d
