//go:build !purego

#include "textflag.h"
#include "kernels_tile_amd64.h"

// Tiles of unpacked blocks; see kernels_blocks_amd64.s for their layout.

DATA flip<>+0(SB)/4, $0x80808080
GLOBL flip<>(SB), RODATA|NOPTR, $4

#define BYTES(e, z) \
	VPXORD    Z14, z, z      \ // signed + 128
	VMOVDQU32 z, (64*e)(DI)

#define BYTES32(i) \
	TURN32((32*i)) \
	BYTES((11*i), Z0)   \ // a run is 704 bytes
	BYTES((11*i+1), Z1) \
	BYTES((11*i+2), Z2) \
	BYTES((11*i+3), Z3) \
	BYTES((11*i+4), Z4) \
	BYTES((11*i+5), Z5) \
	BYTES((11*i+6), Z6) \
	BYTES((11*i+7), Z7)

// The two scales of run i: one by one, then both
#define SCALES(i, z) \
	VPSLLD    $16, z, Z16         \
	VPSRAD    $16, Z16, Z16       \
	VPSRAD    $16, z, Z17         \
	VMOVDQU32 Z16, (704*i+512)(DI) \
	VMOVDQU32 Z17, (704*i+576)(DI) \
	VMOVDQU32 z, (704*i+640)(DI)

// func tileBlocks256(tile, w *byte, rowBytes, blocks, ahead int)
TEXT ·tileBlocks256(SB), NOSPLIT, $0-40
	UNPACKSTART
	VPBROADCASTD flip<>(SB), Z14

loop:
	LAST(308)
	VMOVUPS Z0, 5632(DI)
	TURN32(256)
	SCALES(0, Z0)
	SCALES(1, Z1)
	SCALES(2, Z2)
	SCALES(3, Z3)
	SCALES(4, Z4)
	SCALES(5, Z5)
	SCALES(6, Z6)
	SCALES(7, Z7)
	BYTES32(0)
	BYTES32(1)
	BYTES32(2)
	BYTES32(3)
	BYTES32(4)
	BYTES32(5)
	BYTES32(6)
	BYTES32(7)
	NEXTBLOCK(328, 5696)
	JNZ loop
	VZEROUPPER
	RET
