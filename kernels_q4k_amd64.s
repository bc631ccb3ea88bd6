//go:build !purego

#include "kernels_amd64.h"
#include "kernels_q8k_amd64.h"

// Eight rows of Q4_K blocks times one Q8K column, with VPDPBUSD on 512 bits, for rows that linear8Q4_KVNNI is not for; see
// rows8K and kernels_q8k_amd64.h.
//
//	Z16, X14 low halves of bytes   Z18 to Z21 scales0 to scales3   X12, X11, X10 as in kernels_q8k_amd64.s   R9 x, until rows are added up

// Eight times dword i of 0, 1, 4, 5, and eight times dword i+2.
DATA scales0<>+0(SB)/8, $0x0000000000000000
DATA scales0<>+8(SB)/8, $0x0000000000000000
DATA scales0<>+16(SB)/8, $0x0000000000000000
DATA scales0<>+24(SB)/8, $0x0000000000000000
DATA scales0<>+32(SB)/8, $0x0000000200000002
DATA scales0<>+40(SB)/8, $0x0000000200000002
DATA scales0<>+48(SB)/8, $0x0000000200000002
DATA scales0<>+56(SB)/8, $0x0000000200000002
GLOBL scales0<>(SB), RODATA|NOPTR, $64
DATA scales1<>+0(SB)/8, $0x0000000100000001
DATA scales1<>+8(SB)/8, $0x0000000100000001
DATA scales1<>+16(SB)/8, $0x0000000100000001
DATA scales1<>+24(SB)/8, $0x0000000100000001
DATA scales1<>+32(SB)/8, $0x0000000300000003
DATA scales1<>+40(SB)/8, $0x0000000300000003
DATA scales1<>+48(SB)/8, $0x0000000300000003
DATA scales1<>+56(SB)/8, $0x0000000300000003
GLOBL scales1<>(SB), RODATA|NOPTR, $64
DATA scales2<>+0(SB)/8, $0x0000000400000004
DATA scales2<>+8(SB)/8, $0x0000000400000004
DATA scales2<>+16(SB)/8, $0x0000000400000004
DATA scales2<>+24(SB)/8, $0x0000000400000004
DATA scales2<>+32(SB)/8, $0x0000000600000006
DATA scales2<>+40(SB)/8, $0x0000000600000006
DATA scales2<>+48(SB)/8, $0x0000000600000006
DATA scales2<>+56(SB)/8, $0x0000000600000006
GLOBL scales2<>(SB), RODATA|NOPTR, $64
DATA scales3<>+0(SB)/8, $0x0000000500000005
DATA scales3<>+8(SB)/8, $0x0000000500000005
DATA scales3<>+16(SB)/8, $0x0000000500000005
DATA scales3<>+24(SB)/8, $0x0000000500000005
DATA scales3<>+32(SB)/8, $0x0000000700000007
DATA scales3<>+40(SB)/8, $0x0000000700000007
DATA scales3<>+48(SB)/8, $0x0000000700000007
DATA scales3<>+56(SB)/8, $0x0000000700000007
GLOBL scales3<>(SB), RODATA|NOPTR, $64

#define CONSTANTS \
	VMOVDQU   low4<>(SB), X14        \
	VMOVDQU   low6<>(SB), X12        \
	VMOVDQU   high2<>(SB), X11       \
	VMOVDQU   shift0400<>(SB), X10   \
	VPBROADCASTD low4<>(SB), Z16     \
	VMOVDQU64 scales0<>(SB), Z18     \
	VMOVDQU64 scales1<>(SB), Z19     \
	VMOVDQU64 scales2<>(SB), Z20     \
	VMOVDQU64 scales3<>(SB), Z21

// Z0 += groups 4j to 4j+3 times their scales, Z5: the 64 bytes at 16+64*j have groups 4j and 4j+2 in their low halves,
// 4j+1 and 4j+3 in the high; so have the 128 bytes of x from R9 on. A sum of four products fits 16 bits, so that words
// multiply it.
#define GROUPS(j, scales, others) \
	VMOVDQU64 (16+64*j)(R10), Z1     \
	VPSRLW   $4, Z1, Z2              \
	VPANDD   Z16, Z1, Z1             \
	VPANDD   Z16, Z2, Z2             \
	VPXORD   Z3, Z3, Z3              \
	VPXORD   Z6, Z6, Z6              \
	VPDPBUSD (128*j)(R9), Z1, Z3     \
	VPDPBUSD (128*j+64)(R9), Z2, Z6  \
	VPERMD   Z5, scales, Z7          \
	VPERMD   Z5, others, Z8          \
	VPDPWSSD Z7, Z3, Z0              \
	VPDPWSSD Z8, Z6, Z0

// 128 bytes of x at off in the order of GROUPS, to R9.
#define ARRANGE(off) \
	VMOVDQU      off(AX), Y0            \
	VINSERTI64X4 $1, (off+64)(AX), Z0, Z0 \
	VMOVDQU      (off+32)(AX), Y1       \
	VINSERTI64X4 $1, (off+96)(AX), Z1, Z1 \
	VMOVDQU64    Z0, off(R9)            \
	VMOVDQU64    Z1, (off+64)(R9)

// Y0 and Y4 = what adds up to isum and msum of the block at R10.
#define BLOCK \
	VMOVDQU    4(R10), X1       \ // the 12 bytes of scales and minima: a b c -
	VPAND      X12, X1, X2      \ // scales 0-3, minima 0-3
	VPSRLD     $2, X1, X3       \
	VPAND      X11, X3, X3      \ // high bits of scales 4-7, of minima 4-7
	VPSHUFD    $0xaa, X1, X1    \ // c c c c
	VPSRLVD    X10, X1, X1      \
	VPAND      X14, X1, X1      \ // their low bits
	VPOR       X3, X1, X1       \
	VPUNPCKLDQ X1, X2, X1       \ // scales 0-7, minima 0-7
	VPMOVZXBD  X1, Z5           \
	VPUNPCKHBW X1, X1, X4       \ // each minimum twice
	VPMOVZXBW  X4, Y4           \
	VPMADDWD   (CX), Y4, Y4     \
	VPXORD     Z0, Z0, Z0       \
	GROUPS(0, Z18, Z19)         \
	GROUPS(1, Z20, Z21)         \
	VEXTRACTI64X4 $1, Z0, Y1    \
	VPADDD     Y1, Y0, Y0

// func rows8Q4_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8Q4_KVNNI(SB), 0, $768-56
	START
	CONSTANTS

loop:
	LEAQ 512(SP), R9
	ARRANGE(0)
	ARRANGE(128)
	FIRSTROW

row:
	BLOCK
	VMOVDQU Y0, 0(SP)(R13*1)
	VMOVDQU Y4, 256(SP)(R13*1)
	NEXTROW(144)
	JNE row
	LEAQ (R8)(R8*2), R9
	TERM(0)
	SUBMIN(2)
	VADDPS Y9, Y15, Y15
	NEXTBLOCK(144)
	JNZ loop
	STORE
