// What the functions share that unpack sixteen rows to a tile: SI is the block at hand of row 0, DI its tile, DX the
// blocks left.

DATA rows<>+0(SB)/8, $0x0000000100000000
DATA rows<>+8(SB)/8, $0x0000000300000002
DATA rows<>+16(SB)/8, $0x0000000500000004
DATA rows<>+24(SB)/8, $0x0000000700000006
DATA rows<>+32(SB)/8, $0x0000000900000008
DATA rows<>+40(SB)/8, $0x0000000b0000000a
DATA rows<>+48(SB)/8, $0x0000000d0000000c
DATA rows<>+56(SB)/8, $0x0000000f0000000e
GLOBL rows<>(SB), RODATA|NOPTR, $64

// Z15 = offset of each row
#define UNPACKSTART \
	MOVQ         tile+0(FP), DI     \
	MOVQ         w+8(FP), SI        \
	MOVQ         rowBytes+16(FP), AX \
	MOVQ         blocks+24(FP), DX  \
	VPBROADCASTD AX, Z15            \
	VPMULLD      rows<>(SB), Z15, Z15

// z = the four bytes at off of each row
#define GATHER(off, z) \
	KXNORW     K1, K1, K1               \
	VPGATHERDD off(SI)(Z15*1), K1, z
