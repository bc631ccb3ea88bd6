//go:build !purego

#include "kernels_amd64.h"
#include "kernels_q8k_amd64.h"

// Unpacked blocks: elements at 0, 16 scales as words at 256, d at 320, 328 bytes.

// Elements of group g of 32, signed, times x, times their two scales in s, added to Y0.
#define GROUP(g, s) \
	VMOVDQU    (32*g)(R10), Y1   \
	VPABSB     Y1, Y2            \
	VMOVDQU    (32*g)(AX), Y3    \
	VPSIGNB    Y1, Y3, Y3        \ // x with the element's sign
	VPMADDUBSW Y3, Y2, Y2        \
	VPSHUFB    pair<>+(32*(g&3))(SB), s, Y4 \
	VPMADDWD   Y4, Y2, Y2        \
	VPADDD     Y2, Y0, Y0

// The sums of eight rows' blocks wait on the stack; see kernels_q8k_amd64.s for the registers.
//
// func rows8Blocks256AVX2(dst *float32, b *block256, rowBytes int, q *int8, d *float32, blocks int)
TEXT ·rows8Blocks256AVX2(SB), 0, $256-48
	MOVQ  b+8(FP), SI
	MOVQ  rowBytes+16(FP), R8
	MOVQ  q+24(FP), AX
	MOVQ  d+32(FP), BX
	MOVQ  blocks+40(FP), DX
	LEAQ  (R8)(R8*2), R9
	LEAQ  (SI)(R8*4), DI
	VPXOR Y15, Y15, Y15

loop:
	MOVQ SI, R10
	XORQ R13, R13

row:
	VBROADCASTI128 256(R10), Y5
	VBROADCASTI128 272(R10), Y6
	VPXOR   Y0, Y0, Y0
	GROUP(0, Y5)
	GROUP(1, Y5)
	GROUP(2, Y5)
	GROUP(3, Y5)
	GROUP(4, Y6)
	GROUP(5, Y6)
	GROUP(6, Y6)
	GROUP(7, Y6)
	VMOVDQU Y0, 0(SP)(R13*1)
	ADDQ    R8, R10
	ADDQ    $32, R13
	CMPQ    R13, $256
	JNE     row

	VMOVDQU 0(SP), Y0
	VMOVDQU 32(SP), Y1
	VMOVDQU 64(SP), Y2
	VMOVDQU 96(SP), Y3
	VMOVDQU 128(SP), Y4
	VMOVDQU 160(SP), Y5
	VMOVDQU 192(SP), Y6
	VMOVDQU 224(SP), Y7
	REDUCE
	VMOVD        320(SI), X8
	VPINSRD      $1, 320(SI)(R8*1), X8, X8
	VPINSRD      $2, 320(SI)(R8*2), X8, X8
	VPINSRD      $3, 320(SI)(R9*1), X8, X8
	VMOVD        320(DI), X9
	VPINSRD      $1, 320(DI)(R8*1), X9, X9
	VPINSRD      $2, 320(DI)(R8*2), X9, X9
	VPINSRD      $3, 320(DI)(R9*1), X9, X9
	VINSERTI128  $1, X9, Y8, Y8
	VBROADCASTSS (BX), Y9
	VMULPS       Y9, Y8, Y8
	VCVTDQ2PS    Y0, Y0
	VMULPS       Y8, Y0, Y0
	VADDPS       Y0, Y15, Y15
	ADDQ         $256, AX
	ADDQ         $4, BX
	ADDQ         $328, SI
	ADDQ         $328, DI
	DECQ         DX
	JNZ          loop
	MOVQ         dst+0(FP), R10
	VMOVUPS      Y15, (R10)
	VZEROUPPER
	RET
