//go:build !purego

#include "kernels_amd64.h"
#include "kernels_q8k_amd64.h"

// Eight rows of 256-element blocks times one Q8K column, with VPDPBUSD; see rows8K and kernels_q8k_amd64.h.

// The levels of IQ4_XS plus 128.
DATA levels<>+0(SB)/8, $0x766a5d4f3f2d1801
DATA levels<>+8(SB)/8, $0xf1d9c5b5a6998d81
GLOBL levels<>(SB), RODATA|NOPTR, $16

// Row j of 4: dword 2j in the lower half, dword 2j+1 in the upper.
DATA scales0<>+0(SB)/8, $0x0000000000000000
DATA scales0<>+8(SB)/8, $0x0000000000000000
DATA scales0<>+16(SB)/8, $0x0000000100000001
DATA scales0<>+24(SB)/8, $0x0000000100000001
GLOBL scales0<>(SB), RODATA|NOPTR, $32
DATA scales1<>+0(SB)/8, $0x0000000200000002
DATA scales1<>+8(SB)/8, $0x0000000200000002
DATA scales1<>+16(SB)/8, $0x0000000300000003
DATA scales1<>+24(SB)/8, $0x0000000300000003
GLOBL scales1<>(SB), RODATA|NOPTR, $32
DATA scales2<>+0(SB)/8, $0x0000000400000004
DATA scales2<>+8(SB)/8, $0x0000000400000004
DATA scales2<>+16(SB)/8, $0x0000000500000005
DATA scales2<>+24(SB)/8, $0x0000000500000005
GLOBL scales2<>(SB), RODATA|NOPTR, $32
DATA scales3<>+0(SB)/8, $0x0000000600000006
DATA scales3<>+8(SB)/8, $0x0000000600000006
DATA scales3<>+16(SB)/8, $0x0000000700000007
DATA scales3<>+24(SB)/8, $0x0000000700000007
GLOBL scales3<>(SB), RODATA|NOPTR, $32

// Shifts of dwords.
DATA shift0to28<>+0(SB)/8, $0x0000000400000000
DATA shift0to28<>+8(SB)/8, $0x0000000c00000008
DATA shift0to28<>+16(SB)/8, $0x0000001400000010
DATA shift0to28<>+24(SB)/8, $0x0000001c00000018
GLOBL shift0to28<>(SB), RODATA|NOPTR, $32

// The x of groups 2j and 2j+1: their first halves, then their last, to the stack.
#define ARRANGE(j) \
	VMOVDQU    (64*j)(AX), Y0        \
	VMOVDQU    (64*j+32)(AX), Y1     \
	VPERM2I128 $0x20, Y1, Y0, Y2     \
	VPERM2I128 $0x31, Y1, Y0, Y3     \
	VMOVDQU    Y2, (256+64*j)(SP)    \
	VMOVDQU    Y3, (256+64*j+32)(SP)

// Groups 2j and 2j+1, 32 bytes: each in one half of the registers.
#define IQ4XSPAIR(j, scales) \
	VMOVDQU  (8+32*j)(R10), Y1           \
	VPSRLW   $4, Y1, Y2                  \
	VPAND    Y13, Y1, Y1                 \
	VPAND    Y13, Y2, Y2                 \
	VPSHUFB  Y1, Y11, Y1                 \
	VPSHUFB  Y2, Y11, Y2                 \
	VPXOR    Y3, Y3, Y3                  \
	VPDPBUSD (256+64*j)(SP), Y1, Y3      \
	VPDPBUSD (256+64*j+32)(SP), Y2, Y3   \
	VPERMD   Y10, scales, Y4             \
	VPMULLD  Y4, Y3, Y3                  \
	VPADDD   Y3, Y0, Y0

// func rows8IQ4_XSVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8IQ4_XSVNNI(SB), 0, $512-56
	START
	VMOVDQU        low4<>(SB), Y13
	VBROADCASTI128 levels<>(SB), Y11
	VMOVDQU32      scales0<>(SB), Y16
	VMOVDQU32      scales1<>(SB), Y17
	VMOVDQU32      scales2<>(SB), Y18
	VMOVDQU32      scales3<>(SB), Y19

loop:
	ARRANGE(0)
	ARRANGE(1)
	ARRANGE(2)
	ARRANGE(3)
	FIRSTROW

row:
	VPBROADCASTW 2(R10), Y1                 // high bits of the scales
	VPSRLVD      shift0to14<>(SB), Y1, Y1
	VPSLLD       $30, Y1, Y1
	VPSRLD       $26, Y1, Y1
	VPBROADCASTD 4(R10), Y2                 // low bits
	VPSRLVD      shift0to28<>(SB), Y2, Y2
	VPSLLD       $28, Y2, Y2
	VPSRLD       $28, Y2, Y2
	VPOR         Y2, Y1, Y1
	VPSUBD       thirtytwosd<>(SB), Y1, Y10
	VPSLLD       $16, Y10, Y1               // each twice, as words, ...
	VPBLENDW     $0xaa, Y1, Y10, Y1
	VPMADDWD     (CX), Y1, Y1               // ... times the sums of 16
	VPSLLD       $7, Y1, Y1
	VPXOR        Y0, Y0, Y0
	VPSUBD       Y1, Y0, Y0                 // takes off what 128 adds
	IQ4XSPAIR(0, Y16)
	IQ4XSPAIR(1, Y17)
	IQ4XSPAIR(2, Y18)
	IQ4XSPAIR(3, Y19)
	VMOVDQU Y0, 0(SP)(R13*1)
	NEXTROW(136)
	JNE row
	TERM(0)
	VADDPS Y9, Y15, Y15
	NEXTBLOCK(136)
	JNZ loop
	STORE
