//go:build !purego

#include "kernels_linear_amd64.h"

// Pairs of rows of Q8_0 blocks times one Q8 column, eight blocks at a time; see linearPairs and kernels_linear_amd64.h.
//
//	Z14, Z13 where REDUCE finds its halves   Z16, Z18, Z19 constants   Y21, Y22 128 times x's sums, x's scales

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

// acc = the products of two blocks, plus 128 times the sum of x, from byte at of p on and x's byte x on.
#define TWOBLOCKS(p, at, x, y, z, acc) \
	VMOVDQU       (at+2)(p), y         \
	VINSERTI64X4  $1, (at+36)(p), z, z \
	VPXORD        Z16, z, z            \
	VPXORD        acc, acc, acc        \
	VPDPBUSD      (x)(R12), z, acc

// Y0 = the terms of eight blocks from p on: float32(float32(isum) * float32(d*dx)).
#define EIGHTBLOCKS(p) \
	TWOBLOCKS(p, 0, 0, Y4, Z4, Z0)     \
	TWOBLOCKS(p, 68, 64, Y5, Z5, Z1)   \
	TWOBLOCKS(p, 136, 128, Y6, Z6, Z2) \
	TWOBLOCKS(p, 204, 192, Y7, Z7, Z3) \
	REDUCE                             \
	VMOVDQA64   Z18, Z8                \
	VMOVDQU64   (p), Z1                \
	VPERMI2W    64(p), Z1, Z8          \
	VMOVDQA64   Z19, Z9                \
	VMOVDQU64   128(p), Z2             \
	VPERMI2W    192(p), Z2, Z9         \
	VPUNPCKLQDQ X9, X8, X8             \
	VPSUBD      Y21, Y0, Y0            \
	VCVTPH2PS   X8, Y8                 \
	VMULPS      Y22, Y8, Y8            \
	VCVTDQ2PS   Y0, Y0                 \
	VMULPS.Z    Y8, Y0, K4, Y0

// func linearQ8_0VNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks, pairs, apart int)
TEXT ·linearQ8_0VNNI(SB), NOSPLIT, $0-72
	START
	PAIRS
	MOVQ         sum+40(FP), CX
	VMOVDQU64    even<>(SB), Z14
	VMOVDQU64    odd<>(SB), Z13
	VPBROADCASTD top<>(SB), Z16
	VMOVDQU64    scale34a<>(SB), Z18
	VMOVDQU64    scale34b<>(SB), Z19

row:
	ROW

group:
	LEAQ      (DX)(R9*1), DI
	PAGEAHEAD(DX, R10)
	PAGEAHEAD(DI, R10)
	VMOVDQU32 (CX)(R13*4), Y21
	VPSLLD    $7, Y21, Y21
	VMOVUPS   (BX)(R13*4), Y22
	EIGHTBLOCKS(DX)
	VMOVAPS   Y0, Y20
	EIGHTBLOCKS(DI)
	ADDPAIRS8
	NEXT(8, 34, 5, TWO, pairs)
