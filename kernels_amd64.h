#include "textflag.h"

// What the kernels of eight rows share: SI is row 0, DI row 4, R8 the bytes of a row, R9 three times R8.

DATA low4<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA low4<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA low4<>+16(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA low4<>+24(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL low4<>(SB), RODATA|NOPTR, $32

// Shifts of dwords: none in the lower half of a register, 4 in the upper.
DATA shift04<>+0(SB)/8, $0
DATA shift04<>+8(SB)/8, $0
DATA shift04<>+16(SB)/8, $0x0000000400000004
DATA shift04<>+24(SB)/8, $0x0000000400000004
GLOBL shift04<>(SB), RODATA|NOPTR, $32

DATA sixteens<>+0(SB)/8, $0x1010101010101010
DATA sixteens<>+8(SB)/8, $0x1010101010101010
DATA sixteens<>+16(SB)/8, $0x1010101010101010
DATA sixteens<>+24(SB)/8, $0x1010101010101010
GLOBL sixteens<>(SB), RODATA|NOPTR, $32

// The levels of IQ4_NL, twice.
DATA iq4<>+0(SB)/8, $0xf6eaddcfbfad9881
DATA iq4<>+8(SB)/8, $0x7159453526190d01
DATA iq4<>+16(SB)/8, $0xf6eaddcfbfad9881
DATA iq4<>+24(SB)/8, $0x7159453526190d01
GLOBL iq4<>(SB), RODATA|NOPTR, $32

// Y0[r] = sum of the eight int32 of Y<r>.
#define REDUCE \
	VPHADDD    Y1, Y0, Y0        \
	VPHADDD    Y3, Y2, Y2        \
	VPHADDD    Y5, Y4, Y4        \
	VPHADDD    Y7, Y6, Y6        \
	VPHADDD    Y2, Y0, Y0        \ // rows 0-3 of either half
	VPHADDD    Y6, Y4, Y4        \ // rows 4-7
	VPERM2I128 $0x31, Y4, Y0, Y1 \
	VPERM2I128 $0x20, Y4, Y0, Y0 \
	VPADDD     Y1, Y0, Y0

// Y<n>[r] = the binary16 at off in row r's block.
#define HALVES(off, x, y) \
	VPXOR     x, x, x                  \
	VPINSRW   $0, off(SI), x, x        \
	VPINSRW   $1, off(SI)(R8*1), x, x  \
	VPINSRW   $2, off(SI)(R8*2), x, x  \
	VPINSRW   $3, off(SI)(R9*1), x, x  \
	VPINSRW   $4, off(DI), x, x        \
	VPINSRW   $5, off(DI)(R8*1), x, x  \
	VPINSRW   $6, off(DI)(R8*2), x, x  \
	VPINSRW   $7, off(DI)(R9*1), x, x  \
	VCVTPH2PS x, y
