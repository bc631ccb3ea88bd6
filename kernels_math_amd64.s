//go:build !purego

#include "textflag.h"

// Functions of kernels_math.go on vectors; every operation is the scalar form's.

DATA log2e<>+0(SB)/8, $0x3fb8aa3b3fb8aa3b
DATA log2e<>+8(SB)/8, $0x3fb8aa3b3fb8aa3b
DATA log2e<>+16(SB)/8, $0x3fb8aa3b3fb8aa3b
DATA log2e<>+24(SB)/8, $0x3fb8aa3b3fb8aa3b
GLOBL log2e<>(SB), RODATA|NOPTR, $32

DATA ln2a<>+0(SB)/8, $0x3f3180003f318000
DATA ln2a<>+8(SB)/8, $0x3f3180003f318000
DATA ln2a<>+16(SB)/8, $0x3f3180003f318000
DATA ln2a<>+24(SB)/8, $0x3f3180003f318000
GLOBL ln2a<>(SB), RODATA|NOPTR, $32

DATA ln2b<>+0(SB)/8, $0xb95e8083b95e8083
DATA ln2b<>+8(SB)/8, $0xb95e8083b95e8083
DATA ln2b<>+16(SB)/8, $0xb95e8083b95e8083
DATA ln2b<>+24(SB)/8, $0xb95e8083b95e8083
GLOBL ln2b<>(SB), RODATA|NOPTR, $32

DATA p0<>+0(SB)/8, $0x3950696739506967
DATA p0<>+8(SB)/8, $0x3950696739506967
DATA p0<>+16(SB)/8, $0x3950696739506967
DATA p0<>+24(SB)/8, $0x3950696739506967
GLOBL p0<>(SB), RODATA|NOPTR, $32

DATA p1<>+0(SB)/8, $0x3ab743ce3ab743ce
DATA p1<>+8(SB)/8, $0x3ab743ce3ab743ce
DATA p1<>+16(SB)/8, $0x3ab743ce3ab743ce
DATA p1<>+24(SB)/8, $0x3ab743ce3ab743ce
GLOBL p1<>(SB), RODATA|NOPTR, $32

DATA p2<>+0(SB)/8, $0x3c0889083c088908
DATA p2<>+8(SB)/8, $0x3c0889083c088908
DATA p2<>+16(SB)/8, $0x3c0889083c088908
DATA p2<>+24(SB)/8, $0x3c0889083c088908
GLOBL p2<>(SB), RODATA|NOPTR, $32

DATA p3<>+0(SB)/8, $0x3d2aa9c13d2aa9c1
DATA p3<>+8(SB)/8, $0x3d2aa9c13d2aa9c1
DATA p3<>+16(SB)/8, $0x3d2aa9c13d2aa9c1
DATA p3<>+24(SB)/8, $0x3d2aa9c13d2aa9c1
GLOBL p3<>(SB), RODATA|NOPTR, $32

DATA p4<>+0(SB)/8, $0x3e2aaaaa3e2aaaaa
DATA p4<>+8(SB)/8, $0x3e2aaaaa3e2aaaaa
DATA p4<>+16(SB)/8, $0x3e2aaaaa3e2aaaaa
DATA p4<>+24(SB)/8, $0x3e2aaaaa3e2aaaaa
GLOBL p4<>(SB), RODATA|NOPTR, $32

DATA p5<>+0(SB)/8, $0x3f0000003f000000
DATA p5<>+8(SB)/8, $0x3f0000003f000000
DATA p5<>+16(SB)/8, $0x3f0000003f000000
DATA p5<>+24(SB)/8, $0x3f0000003f000000
GLOBL p5<>(SB), RODATA|NOPTR, $32

DATA one<>+0(SB)/8, $0x3f8000003f800000
DATA one<>+8(SB)/8, $0x3f8000003f800000
DATA one<>+16(SB)/8, $0x3f8000003f800000
DATA one<>+24(SB)/8, $0x3f8000003f800000
GLOBL one<>(SB), RODATA|NOPTR, $32

DATA high<>+0(SB)/8, $0x42b1721842b17218
DATA high<>+8(SB)/8, $0x42b1721842b17218
DATA high<>+16(SB)/8, $0x42b1721842b17218
DATA high<>+24(SB)/8, $0x42b1721842b17218
GLOBL high<>(SB), RODATA|NOPTR, $32

DATA low<>+0(SB)/8, $0xc2cff1b5c2cff1b5
DATA low<>+8(SB)/8, $0xc2cff1b5c2cff1b5
DATA low<>+16(SB)/8, $0xc2cff1b5c2cff1b5
DATA low<>+24(SB)/8, $0xc2cff1b5c2cff1b5
GLOBL low<>(SB), RODATA|NOPTR, $32

DATA inf<>+0(SB)/8, $0x7f8000007f800000
DATA inf<>+8(SB)/8, $0x7f8000007f800000
DATA inf<>+16(SB)/8, $0x7f8000007f800000
DATA inf<>+24(SB)/8, $0x7f8000007f800000
GLOBL inf<>(SB), RODATA|NOPTR, $32

DATA minus2<>+0(SB)/8, $0xc0000000c0000000
DATA minus2<>+8(SB)/8, $0xc0000000c0000000
DATA minus2<>+16(SB)/8, $0xc0000000c0000000
DATA minus2<>+24(SB)/8, $0xc0000000c0000000
GLOBL minus2<>(SB), RODATA|NOPTR, $32

DATA gelua<>+0(SB)/8, $0x3f4c422a3f4c422a
DATA gelua<>+8(SB)/8, $0x3f4c422a3f4c422a
DATA gelua<>+16(SB)/8, $0x3f4c422a3f4c422a
DATA gelua<>+24(SB)/8, $0x3f4c422a3f4c422a
GLOBL gelua<>(SB), RODATA|NOPTR, $32

DATA gelub<>+0(SB)/8, $0x3d3727133d372713
DATA gelub<>+8(SB)/8, $0x3d3727133d372713
DATA gelub<>+16(SB)/8, $0x3d3727133d372713
DATA gelub<>+24(SB)/8, $0x3d3727133d372713
GLOBL gelub<>(SB), RODATA|NOPTR, $32

DATA bias<>+0(SB)/8, $0x0000007f0000007f
DATA bias<>+8(SB)/8, $0x0000007f0000007f
DATA bias<>+16(SB)/8, $0x0000007f0000007f
DATA bias<>+24(SB)/8, $0x0000007f0000007f
GLOBL bias<>(SB), RODATA|NOPTR, $32

DATA sign<>+0(SB)/8, $0x8000000080000000
DATA sign<>+8(SB)/8, $0x8000000080000000
DATA sign<>+16(SB)/8, $0x8000000080000000
DATA sign<>+24(SB)/8, $0x8000000080000000
GLOBL sign<>(SB), RODATA|NOPTR, $32

// Y0 = Exp(Y0); clobbers Y1 to Y6
#define EXP \
	VMULPS    log2e<>(SB), Y0, Y1 \
	VCVTPS2DQ Y1, Y1              \ // n
	VCVTDQ2PS Y1, Y2              \
	VMULPS    ln2a<>(SB), Y2, Y3  \
	VSUBPS    Y3, Y0, Y3          \
	VMULPS    ln2b<>(SB), Y2, Y2  \
	VSUBPS    Y2, Y3, Y3          \ // r
	VMOVUPS   p0<>(SB), Y2        \
	VMULPS    Y3, Y2, Y2          \
	VADDPS    p1<>(SB), Y2, Y2    \
	VMULPS    Y3, Y2, Y2          \
	VADDPS    p2<>(SB), Y2, Y2    \
	VMULPS    Y3, Y2, Y2          \
	VADDPS    p3<>(SB), Y2, Y2    \
	VMULPS    Y3, Y2, Y2          \
	VADDPS    p4<>(SB), Y2, Y2    \
	VMULPS    Y3, Y2, Y2          \
	VADDPS    p5<>(SB), Y2, Y2    \
	VMULPS    Y3, Y3, Y4          \
	VMULPS    Y4, Y2, Y2          \
	VADDPS    Y3, Y2, Y2          \
	VADDPS    one<>(SB), Y2, Y2   \ // e^r
	VPSRAD    $1, Y1, Y4          \
	VPSUBD    Y4, Y1, Y5          \
	VPADDD    bias<>(SB), Y4, Y4  \
	VPADDD    bias<>(SB), Y5, Y5  \
	VPSLLD    $23, Y4, Y4         \
	VPSLLD    $23, Y5, Y5         \
	VMULPS    Y4, Y2, Y2          \
	VMULPS    Y5, Y2, Y2          \
	VCMPPS    $0x1e, high<>(SB), Y0, Y4 \ // x > high: infinity
	VBLENDVPS Y4, inf<>(SB), Y2, Y2     \
	VCMPPS    $0x11, low<>(SB), Y0, Y5  \ // x < low: 0
	VANDNPS   Y2, Y5, Y2                \
	VCMPPS    $3, Y0, Y0, Y6            \ // NaN: itself
	VBLENDVPS Y6, Y0, Y2, Y0

// func expAVX2(x *float32, shift float32, n int)
TEXT ·expAVX2(SB), NOSPLIT, $0-24
	MOVQ         x+0(FP), DI
	VBROADCASTSS shift+8(FP), Y7
	MOVQ         n+16(FP), CX
	SHRQ         $3, CX
	JZ           done

loop:
	VMOVUPS (DI), Y0
	VSUBPS  Y7, Y0, Y0
	EXP
	VMOVUPS Y0, (DI)
	ADDQ    $32, DI
	DECQ    CX
	JNZ     loop

done:
	VZEROUPPER
	RET

// func siluMulAVX2(dst, gate, up *float32, n int)
TEXT ·siluMulAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ gate+8(FP), SI
	MOVQ up+16(FP), DX
	MOVQ n+24(FP), CX
	SHRQ $3, CX
	JZ   done

loop:
	VMOVUPS (SI), Y7
	VXORPS  sign<>(SB), Y7, Y0
	EXP
	VADDPS  one<>(SB), Y0, Y0
	VDIVPS  Y0, Y7, Y0          // x / (1 + e^-x)
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

// func geluMulAVX2(dst, gate, up *float32, n int)
TEXT ·geluMulAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ gate+8(FP), SI
	MOVQ up+16(FP), DX
	MOVQ n+24(FP), CX
	SHRQ $3, CX
	JZ   done

loop:
	VMOVUPS (SI), Y7
	VMULPS  Y7, Y7, Y0
	VMULPS  gelub<>(SB), Y0, Y0
	VADDPS  one<>(SB), Y0, Y0
	VMULPS  gelua<>(SB), Y7, Y1
	VMULPS  Y1, Y0, Y0          // u
	VMULPS  minus2<>(SB), Y0, Y0
	EXP
	VADDPS  one<>(SB), Y0, Y0
	VDIVPS  Y0, Y7, Y0          // x / (1 + e^-2u)
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

// func maxAVX2(x *float32, n int) float32
TEXT ·maxAVX2(SB), NOSPLIT, $0-20
	MOVQ   x+0(FP), SI
	MOVQ   n+8(FP), CX
	VPCMPEQD Y0, Y0, Y0
	VPSLLD $31, Y0, Y0
	VORPS  inf<>(SB), Y0, Y0    // -Inf
	SHRQ   $3, CX
	JZ     done

loop:
	VMOVUPS (SI), Y1
	VMAXPS  Y0, Y1, Y0          // Y0 where Y1 is NaN
	ADDQ    $32, SI
	DECQ    CX
	JNZ     loop

done:
	VEXTRACTF128 $1, Y0, X1
	VMAXPS       X0, X1, X0
	VMOVHLPS     X0, X0, X1
	VMAXPS       X0, X1, X0
	VMOVSHDUP    X0, X1
	VMAXSS       X0, X1, X0
	VMOVSS       X0, ret+16(FP)
	VZEROUPPER
	RET

// func sumLanesAVX2(l *[16]float32, x *float32, n int)
TEXT ·sumLanesAVX2(SB), NOSPLIT, $0-24
	MOVQ   l+0(FP), DI
	MOVQ   x+8(FP), SI
	MOVQ   n+16(FP), CX
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	SHRQ   $4, CX
	JZ     done

loop:
	VADDPS (SI), Y0, Y0
	VADDPS 32(SI), Y1, Y1
	ADDQ   $64, SI
	DECQ   CX
	JNZ    loop

done:
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VZEROUPPER
	RET
