//go:build !purego

#include "textflag.h"
#include "kernels_arm64.h"

// Additions, scalings and rotations, four elements at a time.

// func addNEON(dst, x *float32, n int)
TEXT ·addNEON(SB), NOSPLIT, $0-24
	MOVD dst+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R2
	LSR  $2, R2, R2
	CBZ  R2, done

loop:
	VLD1.P 16(R1), [V0.S4]
	VLD1   (R0), [V1.S4]
	FADD(0, 1, 1)
	VST1.P [V1.S4], 16(R0)
	SUB    $1, R2
	CBNZ   R2, loop

done:
	RET

// func scaleNEON(dst, x *float32, a float32, n int)
TEXT ·scaleNEON(SB), NOSPLIT, $0-32
	MOVD  dst+0(FP), R0
	MOVD  x+8(FP), R1
	MOVD  $a+16(FP), R3
	VLD1R (R3), [V4.S4]
	MOVD  n+24(FP), R2
	LSR   $2, R2, R2
	CBZ   R2, done

loop:
	VLD1.P 16(R1), [V0.S4]
	FMUL(4, 0, 0)
	VST1.P [V0.S4], 16(R0)
	SUB    $1, R2
	CBNZ   R2, loop

done:
	RET

// func scaleByNEON(dst, x *float32, a float32, weight *float32, n int)
TEXT ·scaleByNEON(SB), NOSPLIT, $0-40
	MOVD  dst+0(FP), R0
	MOVD  x+8(FP), R1
	MOVD  $a+16(FP), R3
	VLD1R (R3), [V4.S4]
	MOVD  weight+24(FP), R4
	MOVD  n+32(FP), R2
	LSR   $2, R2, R2
	CBZ   R2, done

loop:
	VLD1.P 16(R1), [V0.S4]
	VLD1.P 16(R4), [V1.S4]
	FMUL(4, 0, 0)
	FMUL(1, 0, 0)
	VST1.P [V0.S4], 16(R0)
	SUB    $1, R2
	CBNZ   R2, loop

done:
	RET

// func shiftNEON(dst, x *float32, a float32, n int)
TEXT ·shiftNEON(SB), NOSPLIT, $0-32
	MOVD  dst+0(FP), R0
	MOVD  x+8(FP), R1
	MOVD  $a+16(FP), R3
	VLD1R (R3), [V4.S4]
	MOVD  n+24(FP), R2
	LSR   $2, R2, R2
	CBZ   R2, done

loop:
	VLD1.P 16(R1), [V0.S4]
	FSUB(4, 0, 0)
	VST1.P [V0.S4], 16(R0)
	SUB    $1, R2
	CBNZ   R2, loop

done:
	RET

// func rotateNEON(x, y, cos, sin *float32, n int)
TEXT ·rotateNEON(SB), NOSPLIT, $0-40
	MOVD x+0(FP), R0
	MOVD y+8(FP), R1
	MOVD cos+16(FP), R3
	MOVD sin+24(FP), R4
	MOVD n+32(FP), R2
	LSR  $2, R2, R2
	CBZ  R2, done

loop:
	VLD1   (R0), [V0.S4]
	VLD1   (R1), [V1.S4]
	VLD1.P 16(R3), [V2.S4]
	VLD1.P 16(R4), [V3.S4]
	FMUL(2, 0, 4)          // x*cos
	FMUL(3, 1, 5)          // y*sin
	FMUL(3, 0, 6)          // x*sin
	FMUL(2, 1, 7)          // y*cos
	FSUB(5, 4, 4)
	FADD(7, 6, 6)
	VST1.P [V4.S4], 16(R0)
	VST1.P [V6.S4], 16(R1)
	SUB    $1, R2
	CBNZ   R2, loop

done:
	RET
