//go:build !purego

#include "textflag.h"
#include "kernels_arm64.h"

// The float form: four registers of lanes; products and sums are separate instructions.

// func dotNEON(a, b *float32, n int) float32
TEXT ·dotNEON(SB), NOSPLIT, $0-28
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD n+16(FP), R2
	VEOR V16.B16, V16.B16, V16.B16
	VEOR V17.B16, V17.B16, V17.B16
	VEOR V18.B16, V18.B16, V18.B16
	VEOR V19.B16, V19.B16, V19.B16
	LSR  $4, R2, R2
	CBZ  R2, done

loop:
	VLD1.P 64(R0), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P 64(R1), [V4.S4, V5.S4, V6.S4, V7.S4]
	FMUL(4, 0, 0)
	FMUL(5, 1, 1)
	FMUL(6, 2, 2)
	FMUL(7, 3, 3)
	FADD(0, 16, 16)   // l[0:4] += a*b
	FADD(1, 17, 17)
	FADD(2, 18, 18)
	FADD(3, 19, 19)
	SUB    $1, R2
	CBNZ   R2, loop

done:
	FADD(18, 16, 16)  // lane j + lane j+8
	FADD(19, 17, 17)
	FADD(17, 16, 16)  // + j+4
	VDUP  V16.D[1], V17.D2
	FADD(17, 16, 16)  // + j+2
	VDUP  V16.S[1], V17.S4
	FADD(17, 16, 16)  // + j+1
	FMOVS F16, ret+24(FP)
	RET

// func axpyNEON(dst *float32, a float32, x *float32, n int)
TEXT ·axpyNEON(SB), NOSPLIT, $0-32
	MOVD  dst+0(FP), R0
	MOVD  $a+8(FP), R3
	VLD1R (R3), [V4.S4]
	MOVD  x+16(FP), R1
	MOVD  n+24(FP), R2
	LSR   $2, R2, R2
	CBZ   R2, done

loop:
	VLD1.P 16(R1), [V0.S4]
	VLD1   (R0), [V1.S4]
	FMUL(4, 0, 0)
	FADD(0, 1, 1)     // dst += a*x
	VST1.P [V1.S4], 16(R0)
	SUB    $1, R2
	CBNZ   R2, loop

done:
	RET

// func decodeF16NEON(dst *float32, src *byte, n int)
TEXT ·decodeF16NEON(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD src+8(FP), R1
	MOVD n+16(FP), R2
	LSR  $3, R2, R2
	CBZ  R2, done

loop:
	VLD1.P 16(R1), [V0.H8]
	FCVTL(0, 2)
	FCVTL2(0, 3)
	VST1.P [V2.S4, V3.S4], 32(R0)
	SUB    $1, R2
	CBNZ   R2, loop

done:
	RET
