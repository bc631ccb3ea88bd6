//go:build !purego

#include "textflag.h"

// Functions of kernels_math.go and Softmax on sixteen numbers at a time; every operation is the scalar form's. What is
// left in the end is done with a mask.

DATA log2e<>+0(SB)/4, $0x3fb8aa3b
GLOBL log2e<>(SB), RODATA|NOPTR, $4
DATA ln2a<>+0(SB)/4, $0x3f318000
GLOBL ln2a<>(SB), RODATA|NOPTR, $4
DATA ln2b<>+0(SB)/4, $0xb95e8083
GLOBL ln2b<>(SB), RODATA|NOPTR, $4
DATA e0<>+0(SB)/4, $0x39506967
GLOBL e0<>(SB), RODATA|NOPTR, $4
DATA e1<>+0(SB)/4, $0x3ab743ce
GLOBL e1<>(SB), RODATA|NOPTR, $4
DATA e2<>+0(SB)/4, $0x3c088908
GLOBL e2<>(SB), RODATA|NOPTR, $4
DATA e3<>+0(SB)/4, $0x3d2aa9c1
GLOBL e3<>(SB), RODATA|NOPTR, $4
DATA e4<>+0(SB)/4, $0x3e2aaaaa
GLOBL e4<>(SB), RODATA|NOPTR, $4
DATA e5<>+0(SB)/4, $0x3f000000
GLOBL e5<>(SB), RODATA|NOPTR, $4
DATA one<>+0(SB)/4, $0x3f800000
GLOBL one<>(SB), RODATA|NOPTR, $4
DATA high<>+0(SB)/4, $0x42b17218
GLOBL high<>(SB), RODATA|NOPTR, $4
DATA low<>+0(SB)/4, $0xc2cff1b5
GLOBL low<>(SB), RODATA|NOPTR, $4
DATA inf<>+0(SB)/4, $0x7f800000
GLOBL inf<>(SB), RODATA|NOPTR, $4
DATA minusInf<>+0(SB)/4, $0xff800000
GLOBL minusInf<>(SB), RODATA|NOPTR, $4
DATA minus2<>+0(SB)/4, $0xc0000000
GLOBL minus2<>(SB), RODATA|NOPTR, $4
DATA gelua<>+0(SB)/4, $0x3f4c422a
GLOBL gelua<>(SB), RODATA|NOPTR, $4
DATA gelub<>+0(SB)/4, $0x3d372713
GLOBL gelub<>(SB), RODATA|NOPTR, $4
DATA bias<>+0(SB)/4, $0x0000007f
GLOBL bias<>(SB), RODATA|NOPTR, $4
DATA sign<>+0(SB)/4, $0x80000000
GLOBL sign<>(SB), RODATA|NOPTR, $4

// Z0 = Exp(Z0); clobbers Z1 to Z5, K2, K3
#define EXP16 \
	VMULPS.BCST log2e<>(SB), Z0, Z1 \
	VCVTPS2DQ   Z1, Z1               \ // n
	VCVTDQ2PS   Z1, Z2               \
	VMULPS.BCST ln2a<>(SB), Z2, Z3  \
	VSUBPS      Z3, Z0, Z3           \
	VMULPS.BCST ln2b<>(SB), Z2, Z2  \
	VSUBPS      Z2, Z3, Z3           \ // r
	VMULPS.BCST e0<>(SB), Z3, Z2    \
	VADDPS.BCST e1<>(SB), Z2, Z2    \
	VMULPS      Z3, Z2, Z2           \
	VADDPS.BCST e2<>(SB), Z2, Z2    \
	VMULPS      Z3, Z2, Z2           \
	VADDPS.BCST e3<>(SB), Z2, Z2    \
	VMULPS      Z3, Z2, Z2           \
	VADDPS.BCST e4<>(SB), Z2, Z2    \
	VMULPS      Z3, Z2, Z2           \
	VADDPS.BCST e5<>(SB), Z2, Z2    \
	VMULPS      Z3, Z3, Z4           \
	VMULPS      Z4, Z2, Z2           \
	VADDPS      Z3, Z2, Z2           \
	VADDPS.BCST one<>(SB), Z2, Z2   \ // e^r
	VPSRAD      $1, Z1, Z4           \
	VPSUBD      Z4, Z1, Z5           \
	VPADDD.BCST bias<>(SB), Z4, Z4  \
	VPADDD.BCST bias<>(SB), Z5, Z5  \
	VPSLLD      $23, Z4, Z4          \
	VPSLLD      $23, Z5, Z5          \
	VMULPS      Z4, Z2, Z2           \
	VMULPS      Z5, Z2, Z2           \
	VCMPPS.BCST $0x1e, high<>(SB), Z0, K2 \ // x > high: infinity
	VBROADCASTSS inf<>(SB), K2, Z2        \
	VCMPPS.BCST $0x11, low<>(SB), Z0, K3  \ // x < low: 0
	VPXORD      Z2, Z2, K3, Z2             \
	VCMPPS      $3, Z0, Z0, K2             \ // NaN: itself
	VMOVAPS     Z0, K2, Z2                 \
	VMOVAPS     Z2, Z0

// K1 = the next 16 of CX elements
#define MASK(full) \
	CMPQ  CX, $16 \
	JGE   full    \
	MOVQ  $1, AX  \
	SHLQ  CX, AX  \
	DECQ  AX      \
	KMOVW AX, K1

#define ACTIVATION \
	MOVQ   dst+0(FP), DI  \
	MOVQ   gate+8(FP), SI \
	MOVQ   up+16(FP), DX  \
	MOVQ   n+24(FP), CX   \
	KXNORW K1, K1, K1

// dst = Z6 / (1 + Z0) * up
#define QUOTIENT \
	VADDPS.BCST one<>(SB), Z0, Z0 \
	VDIVPS      Z0, Z6, Z0         \
	VMULPS.Z    (DX), Z0, K1, Z0   \
	VMOVUPS     Z0, K1, (DI)       \
	ADDQ        $64, SI            \
	ADDQ        $64, DX            \
	ADDQ        $64, DI            \
	SUBQ        $16, CX

// func softmaxAVX512(x *float32, n int)
TEXT ·softmaxAVX512(SB), NOSPLIT, $0-16
	MOVQ         x+0(FP), SI
	MOVQ         n+8(FP), CX
	KXNORW       K1, K1, K1
	VBROADCASTSS minusInf<>(SB), Z6

max:
	MASK(max16)

max16:
	VMOVAPS Z6, Z0
	VMOVUPS (SI), K1, Z0
	VMAXPS  Z6, Z0, Z6   // Z6 where Z0 is NaN
	ADDQ    $64, SI
	SUBQ    $16, CX
	JG      max

	VEXTRACTF64X4 $1, Z6, Y0
	VMAXPS        Y0, Y6, Y6
	VEXTRACTF128  $1, Y6, X0
	VMAXPS        X0, X6, X6
	VPERMILPS     $0x4e, X6, X0
	VMAXPS        X0, X6, X6
	VPERMILPS     $0xb1, X6, X0
	VMAXPS        X0, X6, X6
	VBROADCASTSS  X6, Z6

	MOVQ   x+0(FP), SI
	MOVQ   n+8(FP), CX
	KXNORW K1, K1, K1
	VPXORD Z7, Z7, Z7

exp:
	MASK(exp16)

exp16:
	VMOVUPS.Z (SI), K1, Z0
	VSUBPS    Z6, Z0, Z0
	EXP16
	VMOVUPS   Z0, K1, (SI)
	VADDPS    Z0, Z7, K1, Z7 // l[i%16] += e^(x-top)
	ADDQ      $64, SI
	SUBQ      $16, CX
	JG        exp

	VEXTRACTF64X4 $1, Z7, Y0
	VADDPS        Y0, Y7, Y7    // lane j + lane j+8
	VEXTRACTF128  $1, Y7, X0
	VADDPS        X0, X7, X7    // + j+4
	VPERMILPS     $0x4e, X7, X0
	VADDPS        X0, X7, X7    // + j+2
	VPERMILPS     $0xb1, X7, X0
	VADDSS        X0, X7, X7    // + j+1
	VMOVSS        one<>(SB), X0
	VDIVSS        X7, X0, X7
	VBROADCASTSS  X7, Z7

	MOVQ   x+0(FP), SI
	MOVQ   n+8(FP), CX
	KXNORW K1, K1, K1

scale:
	MASK(scale16)

scale16:
	VMULPS.Z (SI), Z7, K1, Z0
	VMOVUPS  Z0, K1, (SI)
	ADDQ     $64, SI
	SUBQ     $16, CX
	JG       scale
	VZEROUPPER
	RET

// func siluMulAVX512(dst, gate, up *float32, n int)
TEXT ·siluMulAVX512(SB), NOSPLIT, $0-32
	ACTIVATION

loop:
	MASK(all)

all:
	VMOVUPS.Z   (SI), K1, Z6
	VPXORD.BCST sign<>(SB), Z6, Z0
	EXP16
	QUOTIENT                        // x / (1 + e^-x)
	JG          loop
	VZEROUPPER
	RET

// func geluMulAVX512(dst, gate, up *float32, n int)
TEXT ·geluMulAVX512(SB), NOSPLIT, $0-32
	ACTIVATION

loop:
	MASK(all)

all:
	VMOVUPS.Z   (SI), K1, Z6
	VMULPS      Z6, Z6, Z0
	VMULPS.BCST gelub<>(SB), Z0, Z0
	VADDPS.BCST one<>(SB), Z0, Z0
	VMULPS.BCST gelua<>(SB), Z6, Z1
	VMULPS      Z1, Z0, Z0           // u
	VMULPS.BCST minus2<>(SB), Z0, Z0
	EXP16
	QUOTIENT                         // x / (1 + e^-2u)
	JG          loop
	VZEROUPPER
	RET
