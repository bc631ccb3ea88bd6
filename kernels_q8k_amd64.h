// Tables and macros of the kernels for eight rows of 256-element blocks.
//
//	AX x.Q   BX x.D   CX x.Sums   DX blocks left   SI row 0   DI row 4   R8 bytes of a row   R9 three times R8
//	R10 the row at hand   R11 what to prefetch   R13 32 times its number
//	Y15 the eight accumulators   Y14, Y13, Y12, Y11, Y10 per kernel

// Row g of 8: word g of a lane, everywhere.
DATA group<>+0(SB)/8, $0x0100010001000100
DATA group<>+8(SB)/8, $0x0100010001000100
DATA group<>+16(SB)/8, $0x0100010001000100
DATA group<>+24(SB)/8, $0x0100010001000100
DATA group<>+32(SB)/8, $0x0302030203020302
DATA group<>+40(SB)/8, $0x0302030203020302
DATA group<>+48(SB)/8, $0x0302030203020302
DATA group<>+56(SB)/8, $0x0302030203020302
DATA group<>+64(SB)/8, $0x0504050405040504
DATA group<>+72(SB)/8, $0x0504050405040504
DATA group<>+80(SB)/8, $0x0504050405040504
DATA group<>+88(SB)/8, $0x0504050405040504
DATA group<>+96(SB)/8, $0x0706070607060706
DATA group<>+104(SB)/8, $0x0706070607060706
DATA group<>+112(SB)/8, $0x0706070607060706
DATA group<>+120(SB)/8, $0x0706070607060706
DATA group<>+128(SB)/8, $0x0908090809080908
DATA group<>+136(SB)/8, $0x0908090809080908
DATA group<>+144(SB)/8, $0x0908090809080908
DATA group<>+152(SB)/8, $0x0908090809080908
DATA group<>+160(SB)/8, $0x0b0a0b0a0b0a0b0a
DATA group<>+168(SB)/8, $0x0b0a0b0a0b0a0b0a
DATA group<>+176(SB)/8, $0x0b0a0b0a0b0a0b0a
DATA group<>+184(SB)/8, $0x0b0a0b0a0b0a0b0a
DATA group<>+192(SB)/8, $0x0d0c0d0c0d0c0d0c
DATA group<>+200(SB)/8, $0x0d0c0d0c0d0c0d0c
DATA group<>+208(SB)/8, $0x0d0c0d0c0d0c0d0c
DATA group<>+216(SB)/8, $0x0d0c0d0c0d0c0d0c
DATA group<>+224(SB)/8, $0x0f0e0f0e0f0e0f0e
DATA group<>+232(SB)/8, $0x0f0e0f0e0f0e0f0e
DATA group<>+240(SB)/8, $0x0f0e0f0e0f0e0f0e
DATA group<>+248(SB)/8, $0x0f0e0f0e0f0e0f0e
GLOBL group<>(SB), RODATA|NOPTR, $256

// Row j of 4: word 2j of a lane in the lower half, word 2j+1 in the upper.
DATA pair<>+0(SB)/8, $0x0100010001000100
DATA pair<>+8(SB)/8, $0x0100010001000100
DATA pair<>+16(SB)/8, $0x0302030203020302
DATA pair<>+24(SB)/8, $0x0302030203020302
DATA pair<>+32(SB)/8, $0x0504050405040504
DATA pair<>+40(SB)/8, $0x0504050405040504
DATA pair<>+48(SB)/8, $0x0706070607060706
DATA pair<>+56(SB)/8, $0x0706070607060706
DATA pair<>+64(SB)/8, $0x0908090809080908
DATA pair<>+72(SB)/8, $0x0908090809080908
DATA pair<>+80(SB)/8, $0x0b0a0b0a0b0a0b0a
DATA pair<>+88(SB)/8, $0x0b0a0b0a0b0a0b0a
DATA pair<>+96(SB)/8, $0x0d0c0d0c0d0c0d0c
DATA pair<>+104(SB)/8, $0x0d0c0d0c0d0c0d0c
DATA pair<>+112(SB)/8, $0x0f0e0f0e0f0e0f0e
DATA pair<>+120(SB)/8, $0x0f0e0f0e0f0e0f0e
GLOBL pair<>(SB), RODATA|NOPTR, $128

// Per byte: 6 bits, the two above 4, 2 bits; numbers.
DATA low6<>+0(SB)/8, $0x3f3f3f3f3f3f3f3f
DATA low6<>+8(SB)/8, $0x3f3f3f3f3f3f3f3f
GLOBL low6<>(SB), RODATA|NOPTR, $16

DATA high2<>+0(SB)/8, $0x3030303030303030
DATA high2<>+8(SB)/8, $0x3030303030303030
GLOBL high2<>(SB), RODATA|NOPTR, $16

DATA high2y<>+0(SB)/8, $0x3030303030303030
DATA high2y<>+8(SB)/8, $0x3030303030303030
DATA high2y<>+16(SB)/8, $0x3030303030303030
DATA high2y<>+24(SB)/8, $0x3030303030303030
GLOBL high2y<>(SB), RODATA|NOPTR, $32

DATA low2<>+0(SB)/8, $0x0303030303030303
DATA low2<>+8(SB)/8, $0x0303030303030303
DATA low2<>+16(SB)/8, $0x0303030303030303
DATA low2<>+24(SB)/8, $0x0303030303030303
GLOBL low2<>(SB), RODATA|NOPTR, $32

DATA fours<>+0(SB)/8, $0x0404040404040404
DATA fours<>+8(SB)/8, $0x0404040404040404
DATA fours<>+16(SB)/8, $0x0404040404040404
DATA fours<>+24(SB)/8, $0x0404040404040404
GLOBL fours<>(SB), RODATA|NOPTR, $32

DATA thirtytwos<>+0(SB)/8, $0x2020202020202020
DATA thirtytwos<>+8(SB)/8, $0x2020202020202020
GLOBL thirtytwos<>(SB), RODATA|NOPTR, $16

DATA thirtytwosd<>+0(SB)/8, $0x0000002000000020
DATA thirtytwosd<>+8(SB)/8, $0x0000002000000020
DATA thirtytwosd<>+16(SB)/8, $0x0000002000000020
DATA thirtytwosd<>+24(SB)/8, $0x0000002000000020
GLOBL thirtytwosd<>(SB), RODATA|NOPTR, $32

// Shifts of dwords.
DATA shift0400<>+0(SB)/8, $0x0000000400000000
DATA shift0400<>+8(SB)/8, $0x0000000000000000
GLOBL shift0400<>(SB), RODATA|NOPTR, $16

DATA shift0246<>+0(SB)/8, $0x0000000200000000
DATA shift0246<>+8(SB)/8, $0x0000000600000004
GLOBL shift0246<>(SB), RODATA|NOPTR, $16

DATA shift0to14<>+0(SB)/8, $0x0000000200000000
DATA shift0to14<>+8(SB)/8, $0x0000000600000004
DATA shift0to14<>+16(SB)/8, $0x0000000a00000008
DATA shift0to14<>+24(SB)/8, $0x0000000e0000000c
GLOBL shift0to14<>(SB), RODATA|NOPTR, $32

#define START \
	MOVQ    w+8(FP), SI         \
	MOVQ    rowBytes+16(FP), R8 \
	MOVQ    q+24(FP), AX        \
	MOVQ    d+32(FP), BX        \
	MOVQ    sums+40(FP), CX     \
	MOVQ    blocks+48(FP), DX   \
	LEAQ    (R8)(R8*2), R9      \
	LEAQ    (SI)(R8*4), DI      \
	LEAQ    (SI)(R8*8), R11     \
	VPXOR   Y15, Y15, Y15

#define FIRSTROW \
	MOVQ SI, R10  \
	XORQ R13, R13

// The next row, and the same place eight rows on into the cache: 64 to 256 bytes of it.
#define NEXTROW(blockBytes) \
	PREFETCHT0 (R11)        \
	PREFETCHT0 64(R11)      \
	PREFETCHT0 (blockBytes-1)(R11) \
	ADDQ       $blockBytes, R11 \
	ADDQ       R8, R10      \
	ADDQ       $32, R13     \
	CMPQ       R13, $256

#define NEXTBLOCK(blockBytes) \
	ADDQ $256, AX        \
	ADDQ $4, BX          \
	ADDQ $32, CX         \
	ADDQ $blockBytes, SI \
	ADDQ $blockBytes, DI \
	DECQ DX

#define STORE \
	MOVQ    dst+0(FP), R10 \
	VMOVUPS Y15, (R10)     \
	VZEROUPPER             \
	RET

// Y0 = the sums that wait at off, reduced: lane r is row r.
#define SUMS(off) \
	VMOVDQU (off+0)(SP), Y0   \
	VMOVDQU (off+32)(SP), Y1  \
	VMOVDQU (off+64)(SP), Y2  \
	VMOVDQU (off+96)(SP), Y3  \
	VMOVDQU (off+128)(SP), Y4 \
	VMOVDQU (off+160)(SP), Y5 \
	VMOVDQU (off+192)(SP), Y6 \
	VMOVDQU (off+224)(SP), Y7 \
	REDUCE

// Y9 = float32(float32(isum) * float32(d*dx)), d at off
#define TERM(off) \
	SUMS(0)                \
	HALVES(off, X8, Y8)    \
	VBROADCASTSS (BX), Y9  \
	VMULPS    Y9, Y8, Y8   \
	VCVTDQ2PS Y0, Y0       \
	VMULPS    Y8, Y0, Y9

// Y9 -= float32(float32(msum) * float32(dmin*dx)), dmin at off
#define SUBMIN(off) \
	SUMS(256)              \
	HALVES(off, X8, Y8)    \
	VBROADCASTSS (BX), Y1  \
	VMULPS    Y1, Y8, Y8   \
	VCVTDQ2PS Y0, Y0       \
	VMULPS    Y8, Y0, Y0   \
	VSUBPS    Y0, Y9, Y9
