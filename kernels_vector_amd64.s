//go:build !purego

#include "textflag.h"

// func addAVX2(dst, x *float32, n int)
TEXT ·addAVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	SHRQ $3, CX
	JZ   done

loop:
	VMOVUPS (DI), Y0
	VADDPS  (SI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     loop

done:
	VZEROUPPER
	RET

// func scaleAVX2(dst, x *float32, a float32, n int)
TEXT ·scaleAVX2(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSS a+16(FP), Y1
	MOVQ         n+24(FP), CX
	SHRQ         $3, CX
	JZ           done

loop:
	VMULPS  (SI), Y1, Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     loop

done:
	VZEROUPPER
	RET

// func scaleByAVX2(dst, x *float32, a float32, w *float32, n int)
TEXT ·scaleByAVX2(SB), NOSPLIT, $0-40
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSS a+16(FP), Y1
	MOVQ         w+24(FP), DX
	MOVQ         n+32(FP), CX
	SHRQ         $3, CX
	JZ           done

loop:
	VMULPS  (SI), Y1, Y0
	VMULPS  (DX), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, DI
	DECQ    CX
	JNZ     loop

done:
	VZEROUPPER
	RET

// func shiftAVX2(dst, x *float32, a float32, n int)
TEXT ·shiftAVX2(SB), NOSPLIT, $0-32
	MOVQ         dst+0(FP), DI
	MOVQ         x+8(FP), SI
	VBROADCASTSS a+16(FP), Y1
	MOVQ         n+24(FP), CX
	SHRQ         $3, CX
	JZ           done

loop:
	VMOVUPS (SI), Y0
	VSUBPS  Y1, Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ    $32, SI
	ADDQ    $32, DI
	DECQ    CX
	JNZ     loop

done:
	VZEROUPPER
	RET

// func rotateHalvesAVX2(a, b, cos, sin *float32, n int)
TEXT ·rotateHalvesAVX2(SB), NOSPLIT, $0-40
	MOVQ a+0(FP), DI
	MOVQ b+8(FP), SI
	MOVQ cos+16(FP), DX
	MOVQ sin+24(FP), BX
	MOVQ n+32(FP), CX
	SHRQ $3, CX
	JZ   done

loop:
	VMOVUPS (DX), Y2
	VMOVUPS (BX), Y3
	VMULPS  (DI), Y2, Y0
	VMULPS  (SI), Y3, Y1
	VSUBPS  Y1, Y0, Y4 // a*cos - b*sin
	VMULPS  (DI), Y3, Y0
	VMULPS  (SI), Y2, Y1
	VADDPS  Y1, Y0, Y5 // a*sin + b*cos
	VMOVUPS Y4, (DI)
	VMOVUPS Y5, (SI)
	ADDQ    $32, DI
	ADDQ    $32, SI
	ADDQ    $32, DX
	ADDQ    $32, BX
	DECQ    CX
	JNZ     loop

done:
	VZEROUPPER
	RET

// func rotatePairsAVX2(x, cos, sin *float32, n int)
TEXT ·rotatePairsAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ cos+8(FP), DX
	MOVQ sin+16(FP), BX
	MOVQ n+24(FP), CX
	SHRQ $2, CX
	JZ   done

loop:
	VPMOVZXDQ (DX), Y2
	VPMOVZXDQ (BX), Y3
	VMOVSLDUP Y2, Y2          // each cosine and sine twice
	VMOVSLDUP Y3, Y3
	VMOVUPS   (DI), Y0
	VPERMILPS $0xb1, Y0, Y1   // b, a
	VMULPS    Y2, Y0, Y0
	VMULPS    Y3, Y1, Y1
	VADDSUBPS Y1, Y0, Y0      // a*cos - b*sin, b*cos + a*sin
	VMOVUPS   Y0, (DI)
	ADDQ      $32, DI
	ADDQ      $16, DX
	ADDQ      $16, BX
	DECQ      CX
	JNZ       loop

done:
	VZEROUPPER
	RET

// func encodeF16AVX2(dst *byte, src *float32, n int)
TEXT ·encodeF16AVX2(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SHRQ $3, CX
	JZ   done

loop:
	VMOVUPS   (SI), Y0
	VCVTPS2PH $0, Y0, (DI) // to the nearest, ties to even
	ADDQ      $32, SI
	ADDQ      $16, DI
	DECQ      CX
	JNZ       loop

done:
	VZEROUPPER
	RET
