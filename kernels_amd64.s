//go:build !purego

#include "textflag.h"

// Every function here equals the Go loop in its declaration's comment (kernels_amd64.go), bit for bit. SIMD lanes are
// the float form's lanes, or rows; products and sums are separate instructions.

// The 16 lanes of Y0 (0-7) and Y1 (8-15), added in halves, to X0[0].
#define TREE \
	VADDPS       Y1, Y0, Y0      \ // lane j + lane j+8
	VEXTRACTF128 $1, Y0, X1      \
	VADDPS       X1, X0, X0      \ // + j+4
	VMOVHLPS     X0, X0, X1      \
	VADDPS       X1, X0, X0      \ // + j+2
	VMOVSHDUP    X0, X1          \
	VADDSS       X1, X0, X0      // + j+1

// func dotAVX2(a, b *float32, n int) float32
TEXT ·dotAVX2(SB), NOSPLIT, $0-28
	MOVQ   a+0(FP), SI
	MOVQ   b+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	SHRQ   $4, CX
	JZ     done

loop:
	VMOVUPS (SI), Y2
	VMOVUPS 32(SI), Y3
	VMULPS  (DI), Y2, Y2
	VMULPS  32(DI), Y3, Y3
	VADDPS  Y2, Y0, Y0      // l[0:8] += a*b
	VADDPS  Y3, Y1, Y1      // l[8:16] += a*b
	ADDQ    $64, SI
	ADDQ    $64, DI
	DECQ    CX
	JNZ     loop

done:
	TREE
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func dotF16AVX2(w *byte, x *float32, n int) float32
TEXT ·dotF16AVX2(SB), NOSPLIT, $0-28
	MOVQ   w+0(FP), SI
	MOVQ   x+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	SHRQ   $4, CX
	JZ     done

loop:
	VCVTPH2PS (SI), Y2
	VCVTPH2PS 16(SI), Y3
	VMULPS    (DI), Y2, Y2
	VMULPS    32(DI), Y3, Y3
	VADDPS    Y2, Y0, Y0      // l[0:8] += w*x
	VADDPS    Y3, Y1, Y1      // l[8:16] += w*x
	ADDQ      $32, SI
	ADDQ      $64, DI
	DECQ      CX
	JNZ       loop

done:
	TREE
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func dotBF16AVX2(w *byte, x *float32, n int) float32
TEXT ·dotBF16AVX2(SB), NOSPLIT, $0-28
	MOVQ   w+0(FP), SI
	MOVQ   x+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	SHRQ   $4, CX
	JZ     done

loop:
	VPMOVZXWD (SI), Y2
	VPMOVZXWD 16(SI), Y3
	VPSLLD    $16, Y2, Y2
	VPSLLD    $16, Y3, Y3
	VMULPS    (DI), Y2, Y2
	VMULPS    32(DI), Y3, Y3
	VADDPS    Y2, Y0, Y0      // l[0:8] += w*x
	VADDPS    Y3, Y1, Y1      // l[8:16] += w*x
	ADDQ      $32, SI
	ADDQ      $64, DI
	DECQ      CX
	JNZ       loop

done:
	TREE
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func dot4AVX2(dst *[4]float32, a, b *float32, stride, n int)
TEXT ·dot4AVX2(SB), NOSPLIT, $0-40
	MOVQ   dst+0(FP), DX
	MOVQ   a+8(FP), SI
	MOVQ   b+16(FP), R8
	MOVQ   stride+24(FP), AX
	MOVQ   n+32(FP), CX
	SHLQ   $2, AX
	LEAQ   (R8)(AX*1), R9
	LEAQ   (R9)(AX*1), R10
	LEAQ   (R10)(AX*1), R11
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	XORQ   BX, BX
	SHLQ   $2, CX
	JZ     done

loop:
	VMOVUPS (SI)(BX*1), Y8
	VMOVUPS 32(SI)(BX*1), Y9
	VMULPS  (R8)(BX*1), Y8, Y10
	VMULPS  32(R8)(BX*1), Y9, Y11
	VADDPS  Y10, Y0, Y0           // l0 += a*b[0]
	VADDPS  Y11, Y1, Y1
	VMULPS  (R9)(BX*1), Y8, Y12
	VMULPS  32(R9)(BX*1), Y9, Y13
	VADDPS  Y12, Y2, Y2           // l1 += a*b[stride]
	VADDPS  Y13, Y3, Y3
	VMULPS  (R10)(BX*1), Y8, Y10
	VMULPS  32(R10)(BX*1), Y9, Y11
	VADDPS  Y10, Y4, Y4           // l2 += a*b[2*stride]
	VADDPS  Y11, Y5, Y5
	VMULPS  (R11)(BX*1), Y8, Y12
	VMULPS  32(R11)(BX*1), Y9, Y13
	VADDPS  Y12, Y6, Y6           // l3 += a*b[3*stride]
	VADDPS  Y13, Y7, Y7
	ADDQ    $64, BX
	CMPQ    BX, CX
	JB      loop

done:
	TREE
	VMOVSS  X0, (DX)
	VMOVAPS Y2, Y0
	VMOVAPS Y3, Y1
	TREE
	VMOVSS  X0, 4(DX)
	VMOVAPS Y4, Y0
	VMOVAPS Y5, Y1
	TREE
	VMOVSS  X0, 8(DX)
	VMOVAPS Y6, Y0
	VMOVAPS Y7, Y1
	TREE
	VMOVSS  X0, 12(DX)
	VZEROUPPER
	RET

// func axpyAVX2(dst *float32, a float32, x *float32, n int)
TEXT ·axpyAVX2(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	VBROADCASTSS a+8(FP), Y0
	MOVQ         x+16(FP), SI
	MOVQ         n+24(FP), CX
	SHRQ         $3, CX
	JZ           done

loop:
	VMULPS  (SI), Y0, Y1
	VADDPS  (DI), Y1, Y1  // dst += a*x
	VMOVUPS Y1, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     loop

done:
	VZEROUPPER
	RET

// func decodeF16AVX2(dst *float32, src *byte, n int)
TEXT ·decodeF16AVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SHRQ $3, CX
	JZ   done

loop:
	VCVTPH2PS (SI), Y0
	VMOVUPS   Y0, (DI)
	ADDQ      $16, SI
	ADDQ      $32, DI
	DECQ      CX
	JNZ       loop

done:
	VZEROUPPER
	RET

// func decodeBF16AVX2(dst *float32, src *byte, n int)
TEXT ·decodeBF16AVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SHRQ $3, CX
	JZ   done

loop:
	VPMOVZXWD (SI), Y0
	VPSLLD    $16, Y0, Y0
	VMOVUPS   Y0, (DI)
	ADDQ      $16, SI
	ADDQ      $32, DI
	DECQ      CX
	JNZ       loop

done:
	VZEROUPPER
	RET
