//go:build !purego

#include "kernels_amd64.h"
#include "kernels_q8_amd64.h"

// MXFP4 and NVFP4, eight rows times one Q8 column.

// The E2M1 numbers, doubled, twice.
DATA fp4<>+0(SB)/8, $0x0c08060403020100
DATA fp4<>+8(SB)/8, $0xf4f8fafcfdfeff00
DATA fp4<>+16(SB)/8, $0x0c08060403020100
DATA fp4<>+24(SB)/8, $0xf4f8fafcfdfeff00
GLOBL fp4<>(SB), RODATA|NOPTR, $32

// The same plus 12.
DATA fp4plus12<>+0(SB)/8, $0x181412100f0e0d0c
DATA fp4plus12<>+8(SB)/8, $0x00040608090a0b0c
DATA fp4plus12<>+16(SB)/8, $0x181412100f0e0d0c
DATA fp4plus12<>+24(SB)/8, $0x00040608090a0b0c
GLOBL fp4plus12<>(SB), RODATA|NOPTR, $32

// Dwords: 1, 2, and the bits of 2^-128.
DATA one<>+0(SB)/8, $0x0000000100000001
DATA one<>+8(SB)/8, $0x0000000100000001
DATA one<>+16(SB)/8, $0x0000000100000001
DATA one<>+24(SB)/8, $0x0000000100000001
GLOBL one<>(SB), RODATA|NOPTR, $32

DATA two<>+0(SB)/8, $0x0000000200000002
DATA two<>+8(SB)/8, $0x0000000200000002
DATA two<>+16(SB)/8, $0x0000000200000002
DATA two<>+24(SB)/8, $0x0000000200000002
GLOBL two<>(SB), RODATA|NOPTR, $32

DATA least<>+0(SB)/8, $0x0020000000200000
DATA least<>+8(SB)/8, $0x0020000000200000
DATA least<>+16(SB)/8, $0x0020000000200000
DATA least<>+24(SB)/8, $0x0020000000200000
GLOBL least<>(SB), RODATA|NOPTR, $32

// Dwords: seven bits, which is also the NaN of E4M3; the exponents of 2^-8 and 2^-7, the latter being that number too.
DATA low7<>+0(SB)/8, $0x0000007f0000007f
DATA low7<>+8(SB)/8, $0x0000007f0000007f
DATA low7<>+16(SB)/8, $0x0000007f0000007f
DATA low7<>+24(SB)/8, $0x0000007f0000007f
GLOBL low7<>(SB), RODATA|NOPTR, $32

DATA exponent8<>+0(SB)/8, $0x3b8000003b800000
DATA exponent8<>+8(SB)/8, $0x3b8000003b800000
DATA exponent8<>+16(SB)/8, $0x3b8000003b800000
DATA exponent8<>+24(SB)/8, $0x3b8000003b800000
GLOBL exponent8<>(SB), RODATA|NOPTR, $32

DATA exponent7<>+0(SB)/8, $0x3c0000003c000000
DATA exponent7<>+8(SB)/8, $0x3c0000003c000000
DATA exponent7<>+16(SB)/8, $0x3c0000003c000000
DATA exponent7<>+24(SB)/8, $0x3c0000003c000000
GLOBL exponent7<>(SB), RODATA|NOPTR, $32

// Shifts of qwords.
DATA shift0404<>+0(SB)/8, $0x0000000000000000
DATA shift0404<>+8(SB)/8, $0x0000000000000004
DATA shift0404<>+16(SB)/8, $0x0000000000000000
DATA shift0404<>+24(SB)/8, $0x0000000000000004
GLOBL shift0404<>(SB), RODATA|NOPTR, $32

// Y<n>[r] = the byte at off in row r's block.
#define BYTES(off, x, y) \
	VPXOR     x, x, x                  \
	VPINSRB   $0, off(SI), x, x        \
	VPINSRB   $1, off(SI)(R8*1), x, x  \
	VPINSRB   $2, off(SI)(R8*2), x, x  \
	VPINSRB   $3, off(SI)(R9*1), x, x  \
	VPINSRB   $4, off(DI), x, x        \
	VPINSRB   $5, off(DI)(R8*1), x, x  \
	VPINSRB   $6, off(DI)(R8*2), x, x  \
	VPINSRB   $7, off(DI)(R9*1), x, x  \
	VPMOVZXBD x, y

// func rows8MXFP4AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8MXFP4AVX2(SB), NOSPLIT, $0-56
	START
	VMOVDQU fp4plus12<>(SB), Y12

loop:
	PAIRS(1, SMALLLEVELS)
	OFFSET(3)
	OFFSET(2)                        // 12 in all
	BYTES(0, X8, Y8)
	VPMINUD      two<>(SB), Y8, Y9   // the two subnormal scales: 2^-128 << e
	VMOVDQU      least<>(SB), Y1
	VPSLLVD      Y9, Y1, Y9
	VPSUBD       one<>(SB), Y8, Y8
	VPSLLD       $23, Y8, Y8
	VPMAXSD      Y9, Y8, Y8          // the others: exponent e-1
	VBROADCASTSS (BX), Y9
	VMULPS       Y9, Y8, Y8
	VCVTDQ2PS    Y0, Y0
	VMULPS       Y8, Y0, Y0
	VADDPS       Y0, Y15, Y15
	NEXT(17)
	JNZ    loop
	STORE

// The low lane is 16 elements with one scale, the upper lane the next 16.
#define ROWNVFP4(at, y) \
	VBROADCASTI128 4 at, y    \
	VPERMQ  $0x50, y, y       \
	VPSRLVQ Y10, y, y         \
	VPAND   Y13, y, y         \
	VPSHUFB y, Y11, y         \
	SIGNED(y, y)

// y = isum * float32(d*dx), the scale being byte n of Y12. Its exponent and mantissa are put where a float32's are; as
// subnormal numbers are slow, those of E4M3 come from a difference of normal ones, which is the smaller of both for them.
#define PART(n, y) \
	VPSLLD    $(24-8*n), Y12, Y8  \
	VPSRLD    $24, Y8, Y8         \
	VPCMPEQD  low7<>(SB), Y8, Y2  \
	VPAND     low7<>(SB), Y8, Y8  \
	VPANDN    Y8, Y2, Y8          \ // the NaN is 0
	VPSLLD    $20, Y8, Y8         \
	VPADDD    exponent8<>(SB), Y8, Y2 \
	VPADDD    exponent7<>(SB), Y8, Y8 \
	VSUBPS    exponent7<>(SB), Y8, Y8 \
	VMINPS    Y2, Y8, Y8          \
	VMULPS    Y9, Y8, Y8          \
	VCVTDQ2PS y, y                \
	VMULPS    Y8, y, y

// 32 elements with the scales in bytes n and n+1
#define PARTS(n) \
	VMOVDQU (AX), Y9             \
	ROWNVFP4((SI), Y0)           \
	ROWNVFP4((SI)(R8*1), Y1)     \
	ROWNVFP4((SI)(R8*2), Y2)     \
	ROWNVFP4((SI)(R9*1), Y3)     \
	ROWNVFP4((DI), Y4)           \
	ROWNVFP4((DI)(R8*1), Y5)     \
	ROWNVFP4((DI)(R8*2), Y6)     \
	ROWNVFP4((DI)(R9*1), Y7)     \
	VPHADDD    Y1, Y0, Y0        \
	VPHADDD    Y3, Y2, Y2        \
	VPHADDD    Y5, Y4, Y4        \
	VPHADDD    Y7, Y6, Y6        \
	VPHADDD    Y2, Y0, Y0        \
	VPHADDD    Y6, Y4, Y4        \
	VPERM2I128 $0x31, Y4, Y0, Y1 \
	VPERM2I128 $0x20, Y4, Y0, Y0 \
	VBROADCASTSS (BX), Y9        \
	PART(n, Y0)                  \
	PART((n+1), Y1)              \
	VADDPS Y1, Y0, Y0            \
	VADDPS Y0, Y15, Y15          \
	ADDQ   $32, AX               \
	ADDQ   $4, BX                \
	ADDQ   $16, SI               \
	ADDQ   $16, DI

// func rows8NVFP4AVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sum *int32, blocks int)
TEXT ·rows8NVFP4AVX2(SB), NOSPLIT, $0-56
	START
	VMOVDQU fp4<>(SB), Y11
	VMOVDQU shift0404<>(SB), Y10

loop:
	VMOVD       (SI), X12
	VPINSRD     $1, (SI)(R8*1), X12, X12
	VPINSRD     $2, (SI)(R8*2), X12, X12
	VPINSRD     $3, (SI)(R9*1), X12, X12
	VMOVD       (DI), X8
	VPINSRD     $1, (DI)(R8*1), X8, X8
	VPINSRD     $2, (DI)(R8*2), X8, X8
	VPINSRD     $3, (DI)(R9*1), X8, X8
	VINSERTI128 $1, X8, Y12, Y12
	PARTS(0)
	PARTS(2)
	PREFETCHT0  (R11)
	PREFETCHT0  64(R11)
	PREFETCHT0  128(R11)
	PREFETCHT0  192(R11)
	PREFETCHT0  256(R11)
	ADDQ        $288, R11
	ADDQ        $4, SI
	ADDQ        $4, DI
	DECQ        DX
	JNZ         loop
	STORE
