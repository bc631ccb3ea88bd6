//go:build !purego

#include "kernels_linear_amd64.h"

// Rows of Q4_K, Q5_K or Q6_K blocks times one Q8K column, row after row, four blocks at a time; see linearK and
// kernels_linear_amd64.h.
//
// VPDPBUSD gives sums of four products. They fit 16 bits: those of two groups of elements become the words of one register
// and are multiplied with the words of their scales. A block's sums are added up when those of four are there.
//
//	Z16 to Z19, Z24 to Z30 per kernel   Z20 to Z23 the sums of four blocks   K1 to K3 quarters 1 to 3 of a register

DATA low4<>+0(SB)/4, $0x0f0f0f0f
GLOBL low4<>(SB), RODATA|NOPTR, $4

DATA high2<>+0(SB)/4, $0x30303030
GLOBL high2<>(SB), RODATA|NOPTR, $4

// Shifts and masks of dwords that make of a block's 12 bytes of scales and minima, its dwords 1 to 3, the scales 0-3 and
// 4-7 and the minima 0-3 and 4-7, all but the low bits of each 4-7; and then those.
DATA shiftHigh<>+0(SB)/8, $0x0000000200000000
DATA shiftHigh<>+8(SB)/8, $0x0000000200000000
GLOBL shiftHigh<>(SB), RODATA|NOPTR, $16
DATA maskHigh<>+0(SB)/8, $0x303030303f3f3f3f
DATA maskHigh<>+8(SB)/8, $0x303030303f3f3f3f
GLOBL maskHigh<>(SB), RODATA|NOPTR, $16
DATA shiftLow<>+0(SB)/8, $0x0000000000000000
DATA shiftLow<>+8(SB)/8, $0x0000000400000000
GLOBL shiftLow<>(SB), RODATA|NOPTR, $16
DATA maskLow<>+0(SB)/8, $0x0f0f0f0f00000000
DATA maskLow<>+8(SB)/8, $0x0f0f0f0f00000000
GLOBL maskLow<>(SB), RODATA|NOPTR, $16

// Bytes to words: each of four scales for four words of a quarter, groups 0 and 2 in the lower half, 1 and 3 in the upper; then
// groups 4 to 7.
DATA words0<>+0(SB)/8, $0x8000800080008000
DATA words0<>+8(SB)/8, $0x8002800280028002
DATA words0<>+16(SB)/8, $0x8000800080008000
DATA words0<>+24(SB)/8, $0x8002800280028002
DATA words0<>+32(SB)/8, $0x8001800180018001
DATA words0<>+40(SB)/8, $0x8003800380038003
DATA words0<>+48(SB)/8, $0x8001800180018001
DATA words0<>+56(SB)/8, $0x8003800380038003
GLOBL words0<>(SB), RODATA|NOPTR, $64
DATA words1<>+0(SB)/8, $0x8004800480048004
DATA words1<>+8(SB)/8, $0x8006800680068006
DATA words1<>+16(SB)/8, $0x8004800480048004
DATA words1<>+24(SB)/8, $0x8006800680068006
DATA words1<>+32(SB)/8, $0x8005800580058005
DATA words1<>+40(SB)/8, $0x8007800780078007
DATA words1<>+48(SB)/8, $0x8005800580058005
DATA words1<>+56(SB)/8, $0x8007800780078007
GLOBL words1<>(SB), RODATA|NOPTR, $64

// Shifts of dwords.
DATA shift04<>+0(SB)/8, $0x0000000000000000
DATA shift04<>+8(SB)/8, $0x0000000000000000
DATA shift04<>+16(SB)/8, $0x0000000000000000
DATA shift04<>+24(SB)/8, $0x0000000000000000
DATA shift04<>+32(SB)/8, $0x0000000400000004
DATA shift04<>+40(SB)/8, $0x0000000400000004
DATA shift04<>+48(SB)/8, $0x0000000400000004
DATA shift04<>+56(SB)/8, $0x0000000400000004
GLOBL shift04<>(SB), RODATA|NOPTR, $64

// Words where d and dmin of four blocks lie in the heads of these; dwords 0 of the four quarters, for the upper half.
DATA heads<>+0(SB)/8, $0x0018001000080000
DATA heads<>+8(SB)/8, $0x0019001100090001
GLOBL heads<>(SB), RODATA|NOPTR, $16
DATA quarters<>+0(SB)/8, $0x0000000000000000
DATA quarters<>+8(SB)/8, $0x0000000000000000
DATA quarters<>+16(SB)/8, $0x0000000400000000
DATA quarters<>+24(SB)/8, $0x0000000c00000008
GLOBL quarters<>(SB), RODATA|NOPTR, $32

// Words of scales: quarter q of a register has q four times and 4+q four times; then 8+q and 12+q.
DATA scales0<>+0(SB)/8, $0x0000000000000000
DATA scales0<>+8(SB)/8, $0x0004000400040004
DATA scales0<>+16(SB)/8, $0x0001000100010001
DATA scales0<>+24(SB)/8, $0x0005000500050005
DATA scales0<>+32(SB)/8, $0x0002000200020002
DATA scales0<>+40(SB)/8, $0x0006000600060006
DATA scales0<>+48(SB)/8, $0x0003000300030003
DATA scales0<>+56(SB)/8, $0x0007000700070007
GLOBL scales0<>(SB), RODATA|NOPTR, $64
DATA scales1<>+0(SB)/8, $0x0008000800080008
DATA scales1<>+8(SB)/8, $0x000c000c000c000c
DATA scales1<>+16(SB)/8, $0x0009000900090009
DATA scales1<>+24(SB)/8, $0x000d000d000d000d
DATA scales1<>+32(SB)/8, $0x000a000a000a000a
DATA scales1<>+40(SB)/8, $0x000e000e000e000e
DATA scales1<>+48(SB)/8, $0x000b000b000b000b
DATA scales1<>+56(SB)/8, $0x000f000f000f000f
GLOBL scales1<>(SB), RODATA|NOPTR, $64

// Rotations of dwords that bring the high bits of elements 0-31 and 32-63, or 64-95 and 96-127, to bits 4 and 5.
DATA high0<>+0(SB)/8, $0x0000000400000004
DATA high0<>+8(SB)/8, $0x0000000400000004
DATA high0<>+16(SB)/8, $0x0000000400000004
DATA high0<>+24(SB)/8, $0x0000000400000004
DATA high0<>+32(SB)/8, $0x0000000200000002
DATA high0<>+40(SB)/8, $0x0000000200000002
DATA high0<>+48(SB)/8, $0x0000000200000002
DATA high0<>+56(SB)/8, $0x0000000200000002
GLOBL high0<>(SB), RODATA|NOPTR, $64
DATA high1<>+0(SB)/8, $0x0000000000000000
DATA high1<>+8(SB)/8, $0x0000000000000000
DATA high1<>+16(SB)/8, $0x0000000000000000
DATA high1<>+24(SB)/8, $0x0000000000000000
DATA high1<>+32(SB)/8, $0x0000001e0000001e
DATA high1<>+40(SB)/8, $0x0000001e0000001e
DATA high1<>+48(SB)/8, $0x0000001e0000001e
DATA high1<>+56(SB)/8, $0x0000001e0000001e
GLOBL high1<>(SB), RODATA|NOPTR, $64

// Rotations of dwords that bring bits 0 and 1, 2 and 3, 4 and 5, 6 and 7 of bytes to bit 4.
DATA fifths01<>+0(SB)/8, $0x0000000400000004
DATA fifths01<>+8(SB)/8, $0x0000000400000004
DATA fifths01<>+16(SB)/8, $0x0000000400000004
DATA fifths01<>+24(SB)/8, $0x0000000400000004
DATA fifths01<>+32(SB)/8, $0x0000000300000003
DATA fifths01<>+40(SB)/8, $0x0000000300000003
DATA fifths01<>+48(SB)/8, $0x0000000300000003
DATA fifths01<>+56(SB)/8, $0x0000000300000003
GLOBL fifths01<>(SB), RODATA|NOPTR, $64

DATA fifths23<>+0(SB)/8, $0x0000000200000002
DATA fifths23<>+8(SB)/8, $0x0000000200000002
DATA fifths23<>+16(SB)/8, $0x0000000200000002
DATA fifths23<>+24(SB)/8, $0x0000000200000002
DATA fifths23<>+32(SB)/8, $0x0000000100000001
DATA fifths23<>+40(SB)/8, $0x0000000100000001
DATA fifths23<>+48(SB)/8, $0x0000000100000001
DATA fifths23<>+56(SB)/8, $0x0000000100000001
GLOBL fifths23<>(SB), RODATA|NOPTR, $64

DATA fifths45<>+0(SB)/8, $0x0000000000000000
DATA fifths45<>+8(SB)/8, $0x0000000000000000
DATA fifths45<>+16(SB)/8, $0x0000000000000000
DATA fifths45<>+24(SB)/8, $0x0000000000000000
DATA fifths45<>+32(SB)/8, $0x0000001f0000001f
DATA fifths45<>+40(SB)/8, $0x0000001f0000001f
DATA fifths45<>+48(SB)/8, $0x0000001f0000001f
DATA fifths45<>+56(SB)/8, $0x0000001f0000001f
GLOBL fifths45<>(SB), RODATA|NOPTR, $64

DATA fifths67<>+0(SB)/8, $0x0000001e0000001e
DATA fifths67<>+8(SB)/8, $0x0000001e0000001e
DATA fifths67<>+16(SB)/8, $0x0000001e0000001e
DATA fifths67<>+24(SB)/8, $0x0000001e0000001e
DATA fifths67<>+32(SB)/8, $0x0000001d0000001d
DATA fifths67<>+40(SB)/8, $0x0000001d0000001d
DATA fifths67<>+48(SB)/8, $0x0000001d0000001d
DATA fifths67<>+56(SB)/8, $0x0000001d0000001d
GLOBL fifths67<>(SB), RODATA|NOPTR, $64

DATA fifth<>+0(SB)/4, $0x10101010
GLOBL fifth<>(SB), RODATA|NOPTR, $4

#define MASKS \
	MOVL  $0xf0, R10   \
	KMOVW R10, K1      \
	MOVL  $0xf00, R10  \
	KMOVW R10, K2      \
	MOVL  $0xf000, R10 \
	KMOVW R10, K3

// X0 = the sums of Z20 to Z23.
#define REDUCE4 \
	VPUNPCKLDQ    Z21, Z20, Z0 \
	VPUNPCKHDQ    Z21, Z20, Z1 \
	VPADDD        Z1, Z0, Z0   \ // blocks 0 1 0 1
	VPUNPCKLDQ    Z23, Z22, Z2 \
	VPUNPCKHDQ    Z23, Z22, Z3 \
	VPADDD        Z3, Z2, Z2   \ // 2 3 2 3
	VPUNPCKLQDQ   Z2, Z0, Z1   \
	VPUNPCKHQDQ   Z2, Z0, Z3   \
	VPADDD        Z3, Z1, Z0   \ // 0 1 2 3 in each quarter
	VEXTRACTI64X4 $1, Z0, Y1   \
	VPADDD        Y1, Y0, Y0   \
	VEXTRACTI128  $1, Y0, X1   \
	VPADDD        X1, X0, X0

// acc has the products of 128 elements, from the 64 bytes at at on: groups 0 and 1 of 32 in the low and the high halves of
// the first 32 bytes, 2 and 3 in those of the others.
#define Q4KHALF(at, x, scales, MULTIPLY, acc) \
	VBROADCASTI64X4 (at)(DX), Z6        \
	VBROADCASTI64X4 (at+32)(DX), Z7     \
	VPSRLVD         Z13, Z6, Z6         \
	VPSRLVD         Z13, Z7, Z7         \
	VPANDD          Z16, Z6, Z6         \
	VPANDD          Z16, Z7, Z7         \
	VPXORD          Z8, Z8, Z8          \
	VPXORD          Z9, Z9, Z9          \
	VPDPBUSD        (x)(R12), Z6, Z8    \
	VPDPBUSD        (x+64)(R12), Z7, Z9 \
	VPACKSSDW       Z9, Z8, Z8          \
	MULTIPLY        scales, Z8, acc

// acc = what adds up to isum of block i of four, whose scales wait at R10.
#define Q4KBLOCK(i, acc) \
	VBROADCASTI32X4 (16*i)(R10), Z5 \
	VPSHUFB Z25, Z5, Z10            \
	VPSHUFB Z26, Z5, Z11            \
	Q4KHALF((144*i+16), (256*i), Z10, VPMADDWD, acc) \
	Q4KHALF((144*i+80), (256*i+128), Z11, VPDPWSSD, acc)

// Bytes of the sums of 32 elements of x, as words.
#define SUMS4K 1024

// All rows of Q4_K or Q5_K; BLOCK(i, acc) makes acc what adds up to isum of block i of four, whose scales wait at R10.
#define MULTIPLYMIN(blockBytes, BLOCK)       \
	START                                       \
	MASKS                                       \
	VPBROADCASTD    low4<>(SB), Z16             \
	VBROADCASTI32X4 shiftHigh<>(SB), Z17        \
	VBROADCASTI32X4 shiftLow<>(SB), Z18         \
	VBROADCASTI32X4 maskHigh<>(SB), Z19         \
	VBROADCASTI32X4 maskLow<>(SB), Z24          \
	VMOVDQU64       words0<>(SB), Z25           \
	VMOVDQU64       words1<>(SB), Z26           \
	VMOVDQU64       heads<>(SB), X27            \
	VMOVDQU64       quarters<>(SB), Y28         \
	VPXORD          Z29, Z29, Z29               \
	VPCMPEQW        Y4, Y4, Y4                  \
	VPABSW          Y4, Y4                      \
	VMOVDQU64       shift04<>(SB), Z13          \
	ARRANGED(0, DI)                             \
	MOVQ            sums+40(FP), CX             \
	MOVQ            R11, DX                     \
arrange:                                     \
	VPMADDWD (CX), Y4, Y0                       \
	VPMOVDW  Y0, (DI)                           \
	ADDQ     $32, CX                            \
	ADDQ     $16, DI                            \
	DECQ     DX                                 \
	JNZ      arrange                            \
	ARRANGED(0, CX)                             \
	ARRANGED(SUMS4K, DI)                        \
row:                                         \
	ROW                                         \
group:                                       \
	PAGEAHEAD(DX, R10)                          \
	VMOVDQU64       (DX), X12                   \ // the heads of four blocks: d and dmin, 12 bytes of scales and minima
	VBROADCASTI32X4 blockBytes(DX), K1, Z12     \
	VBROADCASTI32X4 (2*blockBytes)(DX), K2, Z12 \
	VBROADCASTI32X4 (3*blockBytes)(DX), K3, Z12 \
	VPSHUFD         $0xa5, Z12, Z1              \
	VPSRLVD         Z17, Z1, Z1                 \
	VPANDD          Z19, Z1, Z1                 \
	VPSHUFD         $0xff, Z12, Z2              \
	VPSRLVD         Z18, Z2, Z2                 \
	VPTERNLOGD      $0xf8, Z24, Z2, Z1          \ // Z1 | Z2&Z24: scales 0-7 and minima 0-7 of each
	VMOVDQU64       Z1, (DI)                    \
	MOVQ            R13, R10                    \
	SHLQ            $4, R10                     \
	VPUNPCKHBW      Z29, Z1, Z1                 \
	VPMADDWD        (CX)(R10*1), Z1, Z4         \
	MOVQ            DI, R10                     \
	BLOCK(0, Z20)                               \
	BLOCK(1, Z21)                               \
	BLOCK(2, Z22)                               \
	BLOCK(3, Z23)                               \
	VPSHUFD         $0xb1, Z4, Z1               \
	VPADDD          Z1, Z4, Z4                  \
	VPSHUFD         $0x4e, Z4, Z1               \
	VPADDD          Z1, Z4, Z4                  \
	REDUCE4                                     \
	VPERMD          Z4, Z28, K1, Z0             \ // four isum, four msum
	VPERMW          Z12, Z27, Z1                \
	VCVTPH2PS       X1, Y1                      \
	VBROADCASTF128  (BX)(R13*4), Y2             \
	VMULPS          Y2, Y1, Y1                  \
	VCVTDQ2PS       Y0, Y0                      \
	VMULPS          Y1, Y0, Y0                  \
	VEXTRACTF128    $1, Y0, X1                  \
	VSUBPS.Z        X1, X0, K4, X0              \
	ADD4                                        \
	NEXT(4, blockBytes, 8, ONE, rows)

// func linearQ4_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks, rows int)
TEXT ·linearQ4_KVNNI(SB), 0, $1216-64
	MULTIPLYMIN(144, Q4KBLOCK)

// As Q4KHALF, with fifth bits from Z14, which has those of all groups in the bits of 32 bytes, twice.
#define Q5KHALF(at, x, rotations0, rotations1, scales, MULTIPLY, acc) \
	VBROADCASTI64X4 (at)(DX), Z6         \
	VBROADCASTI64X4 (at+32)(DX), Z7      \
	VPSRLVD         Z13, Z6, Z6          \
	VPSRLVD         Z13, Z7, Z7          \
	VPANDD          Z16, Z6, Z6          \
	VPANDD          Z16, Z7, Z7          \
	VPROLVD         rotations0, Z14, Z8  \
	VPROLVD         rotations1, Z14, Z9  \
	VPTERNLOGD      $0xf8, Z30, Z8, Z6   \ // Z6 | Z8&Z30
	VPTERNLOGD      $0xf8, Z30, Z9, Z7   \
	VPXORD          Z8, Z8, Z8           \
	VPXORD          Z9, Z9, Z9           \
	VPDPBUSD        (x)(R12), Z6, Z8     \
	VPDPBUSD        (x+64)(R12), Z7, Z9  \
	VPACKSSDW       Z9, Z8, Z8           \
	MULTIPLY        scales, Z8, acc

#define Q5KBLOCK(i, acc) \
	VBROADCASTI32X4 (16*i)(R10), Z5 \
	VBROADCASTI64X4 (176*i+16)(DX), Z14 \
	VPSHUFB Z25, Z5, Z10            \
	VPSHUFB Z26, Z5, Z11            \
	Q5KHALF((176*i+48), (256*i), fifths01<>(SB), fifths23<>(SB), Z10, VPMADDWD, acc) \
	Q5KHALF((176*i+112), (256*i+128), fifths45<>(SB), fifths67<>(SB), Z11, VPDPWSSD, acc)

// func linearQ5_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks, rows int)
TEXT ·linearQ5_KVNNI(SB), 0, $1216-64
	VPBROADCASTD fifth<>(SB), Z30
	MULTIPLYMIN(176, Q5KBLOCK)

// Half h of a Q6_K block at at: 64 bytes of low bits, 32 of high ones at high. acc has its products, plus 32 times those of
// the scales with the sums of x.
#define Q6KHALF(at, high, x, scales, MULTIPLY, acc) \
	VMOVDQU64       (at)(DX), Z6         \
	VBROADCASTI64X4 (high)(DX), Z7       \
	VPROLVD         Z18, Z7, Z8          \
	VPROLVD         Z19, Z7, Z9          \
	VPANDD          Z16, Z6, Z7          \
	VPSRLW          $4, Z6, Z6           \
	VPANDD          Z16, Z6, Z6          \
	VPTERNLOGD      $0xf8, Z17, Z8, Z7   \ // Z7 | Z8&Z17
	VPTERNLOGD      $0xf8, Z17, Z9, Z6   \
	VPXORD          Z8, Z8, Z8           \
	VPXORD          Z9, Z9, Z9           \
	VPDPBUSD        (x)(R12), Z7, Z8     \
	VPDPBUSD        (x+64)(R12), Z6, Z9  \
	VPACKSSDW       Z9, Z8, Z8           \
	MULTIPLY        scales, Z8, acc

// acc = what adds up to isum of block i of four.
#define Q6KBLOCK(i, acc) \
	VBROADCASTI128 (210*i+192)(DX), Y5 \
	VPMOVSXBW      Y5, Z5              \ // the scales twice
	VPERMW         Z5, Z24, Z10        \
	VPERMW         Z5, Z25, Z11        \
	Q6KHALF((210*i), (210*i+128), (256*i), Z10, VPMADDWD, acc) \
	Q6KHALF((210*i+64), (210*i+160), (256*i+128), Z11, VPDPWSSD, acc) \
	VPDPWSSD       (64*i)(R10), Z5, acc

// Bytes of twice -16 times each sum of x.
#define SUMS6K 4096

// func linearQ6_KVNNI(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks, rows int)
TEXT ·linearQ6_KVNNI(SB), 0, $4192-64
	START
	VPBROADCASTD low4<>(SB), Z16
	VPBROADCASTD high2<>(SB), Z17
	VMOVDQU64    high0<>(SB), Z18
	VMOVDQU64    high1<>(SB), Z19
	VMOVDQU64    scales0<>(SB), Z24
	VMOVDQU64    scales1<>(SB), Z25
	VPXOR        Y4, Y4, Y4
	ARRANGED(0, DI)
	MOVQ         sums+40(FP), CX
	MOVQ         R11, DX

arrange:
	VMOVDQU (CX), Y0
	VPSLLW  $4, Y0, Y0
	VPSUBW  Y0, Y4, Y0
	VMOVDQU Y0, (DI)
	VMOVDQU Y0, 32(DI)
	ADDQ    $32, CX
	ADDQ    $64, DI
	DECQ    DX
	JNZ     arrange
	ARRANGED(0, CX)

row:
	ROW

group:
	PAGEAHEAD(DX, R10)
	MOVQ         R13, R10
	SHLQ         $6, R10
	ADDQ         CX, R10
	Q6KBLOCK(0, Z20)
	Q6KBLOCK(1, Z21)
	Q6KBLOCK(2, Z22)
	Q6KBLOCK(3, Z23)
	REDUCE4
	VPXOR        X1, X1, X1
	VPINSRW      $0, 208(DX), X1, X1
	VPINSRW      $1, (210+208)(DX), X1, X1
	VPINSRW      $2, (420+208)(DX), X1, X1
	VPINSRW      $3, (630+208)(DX), X1, X1
	VCVTPH2PS    X1, X1
	VMULPS       (BX)(R13*4), X1, X1
	VCVTDQ2PS    X0, X0
	VMULPS.Z     X1, X0, K4, X0
	ADD4
	NEXT(4, 210, 8, ONE, rows)
