//go:build !purego

#include "kernels_linear_amd64.h"

// Eight rows of 32-element blocks times one Q8 column, row after row, eight blocks at a time; see kernels_linear_amd64.h.
//
//	Z16 to Z19 per kernel   Z14, Z13 where REDUCE finds its halves

#define TERMS 1056

DATA even<>+0(SB)/8, $0x0000000800000000
DATA even<>+8(SB)/8, $0x0000000900000001
DATA even<>+16(SB)/8, $0x0000000a00000002
DATA even<>+24(SB)/8, $0x0000000b00000003
DATA even<>+32(SB)/8, $0
DATA even<>+40(SB)/8, $0
DATA even<>+48(SB)/8, $0
DATA even<>+56(SB)/8, $0
GLOBL even<>(SB), RODATA|NOPTR, $64

DATA odd<>+0(SB)/8, $0x0000000c00000004
DATA odd<>+8(SB)/8, $0x0000000d00000005
DATA odd<>+16(SB)/8, $0x0000000e00000006
DATA odd<>+24(SB)/8, $0x0000000f00000007
DATA odd<>+32(SB)/8, $0
DATA odd<>+40(SB)/8, $0
DATA odd<>+48(SB)/8, $0
DATA odd<>+56(SB)/8, $0
GLOBL odd<>(SB), RODATA|NOPTR, $64

DATA top<>+0(SB)/4, $0x80808080
GLOBL top<>(SB), RODATA|NOPTR, $4

DATA low<>+0(SB)/4, $0x0f0f0f0f
GLOBL low<>(SB), RODATA|NOPTR, $4

// Y0 = the sums of the eight halves of Z0 to Z3, in their order.
#define REDUCE \
	VPUNPCKLDQ  Z1, Z0, Z4 \
	VPUNPCKHDQ  Z1, Z0, Z5 \
	VPADDD      Z5, Z4, Z4 \ // blocks 0 2 0 2, 1 3 1 3
	VPUNPCKLDQ  Z3, Z2, Z6 \
	VPUNPCKHDQ  Z3, Z2, Z7 \
	VPADDD      Z7, Z6, Z6 \ // 4 6 4 6, 5 7 5 7
	VPUNPCKLQDQ Z6, Z4, Z5 \
	VPUNPCKHQDQ Z6, Z4, Z7 \
	VPADDD      Z7, Z5, Z5 \ // 0 2 4 6 of either half, 1 3 5 7 of either half
	VPERMD      Z5, Z14, Z6 \
	VPERMD      Z5, Z13, Z7 \
	VPADDD      Y7, Y6, Y0

// terms = float32(float32(Y0 - Σx<<shift) * float32(d*dx)), d in X8
#define TERM(shift) \
	VMOVDQU   (CX)(R13*4), Y1  \
	VPSLLD    $shift, Y1, Y1   \
	VPSUBD    Y1, Y0, Y0       \
	VCVTPH2PS X8, Y8           \
	VMULPS    (BX)(R13*4), Y8, Y8 \
	VCVTDQ2PS Y0, Y0           \
	VMULPS    Y8, Y0, Y0       \
	VMOVUPS   Y0, (R9)(R13*4)

// Where the scales of four blocks lie in 128 bytes of words, and those of the next four in the next 128.
DATA scale34a<>+0(SB)/8, $0x0033002200110000
DATA scale34a<>+8(SB)/8, $0x0000000000000000
DATA scale34a<>+16(SB)/8, $0
DATA scale34a<>+24(SB)/8, $0
DATA scale34a<>+32(SB)/8, $0
DATA scale34a<>+40(SB)/8, $0
DATA scale34a<>+48(SB)/8, $0
DATA scale34a<>+56(SB)/8, $0
GLOBL scale34a<>(SB), RODATA|NOPTR, $64

DATA scale34b<>+0(SB)/8, $0x0037002600150004
DATA scale34b<>+8(SB)/8, $0x0000000000000000
DATA scale34b<>+16(SB)/8, $0
DATA scale34b<>+24(SB)/8, $0
DATA scale34b<>+32(SB)/8, $0
DATA scale34b<>+40(SB)/8, $0
DATA scale34b<>+48(SB)/8, $0
DATA scale34b<>+56(SB)/8, $0
GLOBL scale34b<>(SB), RODATA|NOPTR, $64

// acc = the products of two Q8_0 blocks, plus 128 times the sum of x, from byte at on and x's byte x on.
#define TWOQ8_0(at, x, y, z, acc) \
	VMOVDQU       (at+2)(DX), y         \
	VINSERTI64X4  $1, (at+36)(DX), z, z \
	VPXORD        Z16, z, z             \
	VPXORD        acc, acc, acc         \
	VPDPBUSD      (x)(R12), z, acc

// func linear8Q8_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·linear8Q8_0VNNI(SB), 0, $8448-56
	START
	MOVQ         sum+40(FP), CX
	VMOVDQU64    even<>(SB), Z14
	VMOVDQU64    odd<>(SB), Z13
	VPBROADCASTD top<>(SB), Z16
	VMOVDQU64    scale34a<>(SB), Z18
	VMOVDQU64    scale34b<>(SB), Z19

row:
	ROW

group:
	TWOQ8_0(0, 0, Y4, Z4, Z0)
	TWOQ8_0(68, 64, Y5, Z5, Z1)
	TWOQ8_0(136, 128, Y6, Z6, Z2)
	TWOQ8_0(204, 192, Y7, Z7, Z3)
	REDUCE
	VMOVDQA64   Z18, Z8
	VMOVDQU64   (DX), Z1
	VPERMI2W    64(DX), Z1, Z8
	VMOVDQA64   Z19, Z9
	VMOVDQU64   128(DX), Z2
	VPERMI2W    192(DX), Z2, Z9
	VPUNPCKLQDQ X9, X8, X8
	TERM(7)
	NEXT(8, 34, 5)

DATA shift0404<>+0(SB)/8, $0
DATA shift0404<>+8(SB)/8, $0
DATA shift0404<>+16(SB)/8, $0x0000000400000004
DATA shift0404<>+24(SB)/8, $0x0000000400000004
DATA shift0404<>+32(SB)/8, $0
DATA shift0404<>+40(SB)/8, $0
DATA shift0404<>+48(SB)/8, $0x0000000400000004
DATA shift0404<>+56(SB)/8, $0x0000000400000004
GLOBL shift0404<>(SB), RODATA|NOPTR, $64

// Where the scales of eight blocks lie in 128 bytes of words.
DATA scale18<>+0(SB)/8, $0x001b001200090000
DATA scale18<>+8(SB)/8, $0x003f0036002d0024
DATA scale18<>+16(SB)/8, $0
DATA scale18<>+24(SB)/8, $0
DATA scale18<>+32(SB)/8, $0
DATA scale18<>+40(SB)/8, $0
DATA scale18<>+48(SB)/8, $0
DATA scale18<>+56(SB)/8, $0
GLOBL scale18<>(SB), RODATA|NOPTR, $64

// acc = the products of two Q4_0 blocks, plus 8 times the sum of x.
#define TWOQ4_0(at, x, z, acc) \
	VBROADCASTI32X4 (at+2)(DX), z      \
	VBROADCASTI32X4 (at+20)(DX), K1, z \
	VPSRLVD         Z17, z, z          \
	VPANDD          Z16, z, z          \
	VPXORD          acc, acc, acc      \
	VPDPBUSD        (x)(R12), z, acc

// func linear8Q4_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·linear8Q4_0VNNI(SB), 0, $8448-56
	START
	MOVQ         sum+40(FP), CX
	VMOVDQU64    even<>(SB), Z14
	VMOVDQU64    odd<>(SB), Z13
	VPBROADCASTD low<>(SB), Z16
	VMOVDQU64    shift0404<>(SB), Z17
	VMOVDQU64    scale18<>(SB), Z18
	MOVL         $0xff00, R10
	KMOVW        R10, K1

row:
	ROW

group:
	TWOQ4_0(0, 0, Z4, Z0)
	TWOQ4_0(36, 64, Z5, Z1)
	TWOQ4_0(72, 128, Z6, Z2)
	TWOQ4_0(108, 192, Z7, Z3)
	REDUCE
	VMOVDQA64 Z18, Z8
	VMOVDQU64 (DX), Z1
	VPERMI2W  64(DX), Z1, Z8
	TERM(3)
	NEXT(8, 18, 5)
