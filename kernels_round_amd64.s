//go:build !purego

#include "textflag.h"

DATA magnitude<>+0(SB)/4, $0x7fffffff
GLOBL magnitude<>(SB), RODATA|NOPTR, $4

DATA f127<>+0(SB)/4, $0x42fe0000
GLOBL f127<>(SB), RODATA|NOPTR, $4

DATA nan<>+0(SB)/4, $0x7fc00000
GLOBL nan<>(SB), RODATA|NOPTR, $4

DATA ones<>+0(SB)/4, $0x00010001
GLOBL ones<>(SB), RODATA|NOPTR, $4

// Undoes the interleaving of lanes by the packing instructions.
DATA order<>+0(SB)/8, $0x0000000400000000
DATA order<>+8(SB)/8, $0x0000000500000001
DATA order<>+16(SB)/8, $0x0000000600000002
DATA order<>+24(SB)/8, $0x0000000700000003
GLOBL order<>(SB), RODATA|NOPTR, $32

// Y15 = magnitude, Y14 = order, Y13 = ones, X12 = 127
#define CONSTANTS \
	VPBROADCASTD magnitude<>(SB), Y15 \
	VMOVDQU      order<>(SB), Y14     \
	VPBROADCASTD ones<>(SB), Y13      \
	VMOVSS       f127<>(SB), X12

// Y4 = larger of Y4 and the magnitudes of the 32 floats at off, as bits
#define MAX32(off) \
	VPAND   (off+0)(SI), Y15, Y0  \
	VPAND   (off+32)(SI), Y15, Y1 \
	VPAND   (off+64)(SI), Y15, Y2 \
	VPAND   (off+96)(SI), Y15, Y3 \
	VPMAXUD Y0, Y4, Y4            \
	VPMAXUD Y1, Y2, Y2            \
	VPMAXUD Y3, Y4, Y4            \
	VPMAXUD Y2, Y4, Y4

// R8 = X4[0] = the largest of Y4
#define LARGEST \
	VEXTRACTI128 $1, Y4, X5  \
	VPMAXUD X5, X4, X4       \
	VPSHUFD $0x4e, X4, X5    \
	VPMAXUD X5, X4, X4       \
	VPSHUFD $0xb1, X4, X5    \
	VPMAXUD X5, X4, X4       \
	VMOVD   X4, R8

// The block's scale amax/127 to (DX), and Y8 = 127/amax
#define SCALE \
	VDIVSS       X12, X4, X5 \
	VMOVSS       X5, (DX)    \
	VDIVSS       X4, X12, X8 \
	VBROADCASTSS X8, Y8

// Rounds the 32 floats at SI to 32 int8 at DI; X0[0] and X0[1] = sums of the first and the last 16.
#define ROUND32 \
	VMULPS     (SI), Y8, Y0     \
	VMULPS     32(SI), Y8, Y1   \
	VMULPS     64(SI), Y8, Y2   \
	VMULPS     96(SI), Y8, Y3   \
	VCVTPS2DQ  Y0, Y0           \ // to the nearest, ties to even
	VCVTPS2DQ  Y1, Y1           \
	VCVTPS2DQ  Y2, Y2           \
	VCVTPS2DQ  Y3, Y3           \
	VPACKSSDW  Y1, Y0, Y0       \
	VPACKSSDW  Y3, Y2, Y2       \
	VPACKSSWB  Y2, Y0, Y1       \
	VPERMD     Y1, Y14, Y1      \
	VMOVDQU    Y1, (DI)         \
	VPMADDWD   Y13, Y0, Y0      \
	VPMADDWD   Y13, Y2, Y2      \
	VPHADDD    Y2, Y0, Y0       \
	VPHADDD    Y0, Y0, Y0       \
	VEXTRACTI128 $1, Y0, X1     \
	VPADDD     X1, X0, X0

// func roundQ8AVX2(q *int8, d *float32, sum *int32, x *float32, blocks int)
TEXT ·roundQ8AVX2(SB), NOSPLIT, $0-40
	MOVQ q+0(FP), DI
	MOVQ d+8(FP), DX
	MOVQ sum+16(FP), BX
	MOVQ x+24(FP), SI
	MOVQ blocks+32(FP), CX
	CONSTANTS

loop:
	VPXOR Y4, Y4, Y4
	MAX32(0)
	LARGEST
	CMPL  R8, $0x7f800000
	JAE   nan
	CMPL  R8, $0x04800000 // 2^-118
	JB    zero
	SCALE
	ROUND32
	VPHADDD X0, X0, X0
	VMOVD   X0, (BX)

next:
	ADDQ $128, SI
	ADDQ $32, DI
	ADDQ $4, DX
	ADDQ $4, BX
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

nan:
	MOVL nan<>(SB), R8
	JMP  clear

zero:
	XORL R8, R8

clear:
	MOVL    R8, (DX)
	VPXOR   Y0, Y0, Y0
	VMOVDQU Y0, (DI)
	MOVL    $0, (BX)
	JMP     next

// func roundQ8KAVX2(q *int8, d *float32, sums *int16, x *float32, blocks int)
TEXT ·roundQ8KAVX2(SB), NOSPLIT, $0-40
	MOVQ q+0(FP), DI
	MOVQ d+8(FP), DX
	MOVQ sums+16(FP), BX
	MOVQ x+24(FP), SI
	MOVQ blocks+32(FP), CX
	CONSTANTS

loop:
	VPXOR Y4, Y4, Y4
	MAX32(0)
	MAX32(128)
	MAX32(256)
	MAX32(384)
	MAX32(512)
	MAX32(640)
	MAX32(768)
	MAX32(896)
	LARGEST
	MOVQ  $8, R9
	CMPL  R8, $0x7f800000
	JAE   nan
	CMPL  R8, $0x04800000 // 2^-118
	JB    zero
	SCALE

round:
	ROUND32
	VPACKSSDW X0, X0, X0
	VMOVD     X0, (BX)
	ADDQ      $128, SI
	ADDQ      $32, DI
	ADDQ      $4, BX
	DECQ      R9
	JNZ       round

next:
	ADDQ $4, DX
	DECQ CX
	JNZ  loop
	VZEROUPPER
	RET

nan:
	MOVL nan<>(SB), R8
	JMP  clear

zero:
	XORL R8, R8

clear:
	MOVL  R8, (DX)
	VPXOR Y0, Y0, Y0

clear32:
	VMOVDQU Y0, (DI)
	MOVL    $0, (BX)
	ADDQ    $128, SI
	ADDQ    $32, DI
	ADDQ    $4, BX
	DECQ    R9
	JNZ     clear32
	JMP     next
