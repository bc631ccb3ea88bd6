//go:build !purego

#include "textflag.h"
#include "kernels_ahead_amd64.h"

// Rows of halves times one column with AVX-512: the sixteen lanes of the float form are one register, and rows follow each
// other without a call between, so that memory is read as it lies.

#define F16(at, t) \
	VCVTPH2PS at, t

#define BF16(at, t) \
	VPMOVZXWD at, t   \
	VPSLLD    $16, t, t

// Lanes += w*x of the sixteen elements at byte off of w.
#define SIXTEEN(WIDEN, off, t) \
	WIDEN(off(SI), t)            \
	VMULPS (2*off)(DI), t, t     \
	VADDPS t, Z0, Z0

#define ROWS(WIDEN) \
	MOVQ   dst+0(FP), DX   \
	MOVQ   w+8(FP), SI     \
	MOVQ   k+24(FP), R8    \
	MOVQ   rows+32(FP), R9 \
row:                           \
	MOVQ   x+16(FP), DI    \
	VPXORD Z0, Z0, Z0      \
	MOVQ   R8, CX          \
	SUBQ   $64, CX         \
	JLT    rest            \
four:                          \
	PAGEAHEAD(SI, R10)     \
	SIXTEEN(WIDEN, 0, Z1)  \
	SIXTEEN(WIDEN, 32, Z2) \
	SIXTEEN(WIDEN, 64, Z3) \
	SIXTEEN(WIDEN, 96, Z4) \
	ADDQ   $128, SI        \
	ADDQ   $256, DI        \
	SUBQ   $64, CX         \
	JGE    four            \
rest:                          \
	ADDQ   $64, CX         \
	JZ     ended           \
one:                           \
	SIXTEEN(WIDEN, 0, Z1)  \
	ADDQ   $32, SI         \
	ADDQ   $64, DI         \
	SUBQ   $16, CX         \
	JNZ    one             \
ended:                         \
	VEXTRACTF64X4 $1, Z0, Y1 \
	VADDPS        Y1, Y0, Y0 \ // lane j + lane j+8
	VEXTRACTF128  $1, Y0, X1 \
	VADDPS        X1, X0, X0 \ // + j+4
	VMOVHLPS      X0, X0, X1 \
	VADDPS        X1, X0, X0 \ // + j+2
	VMOVSHDUP     X0, X1     \
	VADDSS        X1, X0, X0 \ // + j+1
	VMOVSS        X0, (DX)   \
	ADDQ   $4, DX          \
	DECQ   R9              \
	JNZ    row             \
	VZEROUPPER             \
	RET

// func rowsF16AVX512(dst *float32, w *byte, x *float32, k, rows int)
TEXT ·rowsF16AVX512(SB), NOSPLIT, $0-40
	ROWS(F16)

// func rowsBF16AVX512(dst *float32, w *byte, x *float32, k, rows int)
TEXT ·rowsBF16AVX512(SB), NOSPLIT, $0-40
	ROWS(BF16)
