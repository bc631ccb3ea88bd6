//go:build !purego

#include "kernels_amd64.h"
#include "kernels_q8k_amd64.h"

// Eight rows of 256-element blocks times one Q8K column; see rows8K for what they share. For each row of a block a
// register of eight int32 adds up its integer sum, another its sum of minima; both wait on the stack until all eight rows
// are there, are then reduced so that lanes are rows, and join the float sums.

// y = unsigned bytes times the 32 of x at off, times scales, added to Y0; clobbers y and t. scales of a lane's words are
// in s, the row of group or pair to use at table.
#define ADDGROUP(off, y, s, table, t) \
	VPMADDUBSW off(AX), y, y \
	VPSHUFB    table, s, t   \
	VPMADDWD   t, y, y       \
	VPADDD     y, Y0, Y0

// Unpacks the 12 bytes at 4 of Q4_K and Q5_K: Y5 = the eight scales as words in both lanes, msum (256(SP)) = the minima
// times the sums. X12 = low6, X11 = high2, X10 = shift0400, X13 = low4.
#define SCALEMIN \
	VMOVDQU    4(R10), X1       \ // a b c -
	VPAND      X12, X1, X2      \ // scales 0-3, minima 0-3
	VPSRLD     $2, X1, X3       \
	VPAND      X11, X3, X3      \ // high bits of scales 4-7, of minima 4-7
	VPSHUFD    $0xaa, X1, X1    \ // c c c c
	VPSRLVD    X10, X1, X1      \
	VPAND      X13, X1, X1      \ // their low bits
	VPOR       X3, X1, X1       \
	VPUNPCKLDQ X1, X2, X1       \ // scales 0-7, minima 0-7
	VPMOVZXBW  X1, Y1           \
	VPERMQ     $0x44, Y1, Y5    \
	VPERMQ     $0xfa, Y1, Y1    \
	VPUNPCKLWD Y1, Y1, Y1       \ // each minimum twice
	VPMADDWD   (CX), Y1, Y1     \
	VMOVDQU    Y1, 256(SP)(R13*1)

#define Q4KPAIR(j) \
	VMOVDQU (16+32*j)(R10), Y1 \
	VPAND   Y13, Y1, Y2        \
	VPSRLW  $4, Y1, Y1         \
	VPAND   Y13, Y1, Y1        \
	ADDGROUP((64*j), Y2, Y5, group<>+(64*j)(SB), Y3) \
	ADDGROUP((64*j+32), Y1, Y5, group<>+(64*j+32)(SB), Y4)

// func rows8Q4_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8Q4_KAVX2(SB), 0, $512-56
	START
	VMOVDQU low4<>(SB), Y13
	VMOVDQU low6<>(SB), X12
	VMOVDQU high2<>(SB), X11
	VMOVDQU shift0400<>(SB), X10

loop:
	FIRSTROW

row:
	SCALEMIN
	VPXOR Y0, Y0, Y0
	Q4KPAIR(0)
	Q4KPAIR(1)
	Q4KPAIR(2)
	Q4KPAIR(3)
	VMOVDQU Y0, 0(SP)(R13*1)
	NEXTROW(144)
	JNE row
	TERM(0)
	SUBMIN(2)
	VADDPS Y9, Y15, Y15
	NEXTBLOCK(144)
	JNZ loop
	STORE

// Bit g of each byte of qh, Y7, becomes 16 of y, by a shift of words.
#define FIFTH(shift, count, y) \
	shift count, Y7, Y3  \
	VPAND Y14, Y3, Y3    \
	VPOR  Y3, y, y

#define Q5KPAIR(j, shift0, count0, shift1, count1) \
	VMOVDQU (48+32*j)(R10), Y1 \
	VPAND   Y13, Y1, Y2        \
	VPSRLW  $4, Y1, Y1         \
	VPAND   Y13, Y1, Y1        \
	FIFTH(shift0, count0, Y2)  \
	FIFTH(shift1, count1, Y1)  \
	ADDGROUP((64*j), Y2, Y5, group<>+(64*j)(SB), Y3) \
	ADDGROUP((64*j+32), Y1, Y5, group<>+(64*j+32)(SB), Y4)

// func rows8Q5_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8Q5_KAVX2(SB), 0, $512-56
	START
	VMOVDQU sixteens<>(SB), Y14
	VMOVDQU low4<>(SB), Y13
	VMOVDQU low6<>(SB), X12
	VMOVDQU high2<>(SB), X11
	VMOVDQU shift0400<>(SB), X10

loop:
	FIRSTROW

row:
	SCALEMIN
	VMOVDQU 16(R10), Y7
	VPXOR Y0, Y0, Y0
	Q5KPAIR(0, VPSLLW, $4, VPSLLW, $3)
	Q5KPAIR(1, VPSLLW, $2, VPSLLW, $1)
	Q5KPAIR(2, VPSLLW, $0, VPSRLW, $1)
	Q5KPAIR(3, VPSRLW, $2, VPSRLW, $3)
	VMOVDQU Y0, 0(SP)(R13*1)
	NEXTROW(176)
	JNE row
	TERM(0)
	SUBMIN(2)
	VADDPS Y9, Y15, Y15
	NEXTBLOCK(176)
	JNZ loop
	STORE

// Eight times 32 elements with two scales each: Y5 and Y6 get scales 0-7 and 8-15, words in both lanes, from the 16 words
// of Y10.
#define SPREAD \
	VPERMQ $0x44, Y10, Y5 \
	VPERMQ $0xee, Y10, Y6

// Y0 = -(Σ scale_g * Σx over group g) << shift: what the offset of unsigned elements adds to the products, taken off.
#define OFFSET(shift) \
	VPMADDWD (CX), Y10, Y1  \
	VPSLLD   $shift, Y1, Y1 \
	VPXOR    Y0, Y0, Y0     \
	VPSUBD   Y1, Y0, Y0

// Half h of a Q6_K block: 64 bytes of low bits, 32 of high ones.
#define Q6KHALF(h, s) \
	VMOVDQU (64*h)(R10), Y1     \
	VMOVDQU (64*h+32)(R10), Y2  \
	VMOVDQU (128+32*h)(R10), Y7 \
	VPAND   Y13, Y1, Y3         \
	VPSLLW  $4, Y7, Y8          \
	VPAND   Y12, Y8, Y8         \
	VPOR    Y8, Y3, Y3          \
	ADDGROUP((128*h), Y3, s, pair<>+0(SB), Y9)       \
	VPAND   Y13, Y2, Y3         \
	VPSLLW  $2, Y7, Y8          \
	VPAND   Y12, Y8, Y8         \
	VPOR    Y8, Y3, Y3          \
	ADDGROUP((128*h+32), Y3, s, pair<>+32(SB), Y9)   \
	VPSRLW  $4, Y1, Y3          \
	VPAND   Y13, Y3, Y3         \
	VPAND   Y12, Y7, Y8         \
	VPOR    Y8, Y3, Y3          \
	ADDGROUP((128*h+64), Y3, s, pair<>+64(SB), Y9)   \
	VPSRLW  $4, Y2, Y3          \
	VPAND   Y13, Y3, Y3         \
	VPSRLW  $2, Y7, Y8          \
	VPAND   Y12, Y8, Y8         \
	VPOR    Y8, Y3, Y3          \
	ADDGROUP((128*h+96), Y3, s, pair<>+96(SB), Y9)

// func rows8Q6_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8Q6_KAVX2(SB), 0, $512-56
	START
	VMOVDQU low4<>(SB), Y13
	VMOVDQU high2y<>(SB), Y12

loop:
	FIRSTROW

row:
	VPMOVSXBW 192(R10), Y10
	OFFSET(5)
	SPREAD
	Q6KHALF(0, Y5)
	Q6KHALF(1, Y6)
	VMOVDQU Y0, 0(SP)(R13*1)
	PREFETCHT0 128(R11)
	NEXTROW(210)
	JNE row
	TERM(208)
	VADDPS Y9, Y15, Y15
	NEXTBLOCK(210)
	JNZ loop
	STORE

#define Q2KQUARTER(off, s, shift, table) \
	VPSRLW $shift, Y1, Y2 \
	VPAND  Y12, Y2, Y2    \
	ADDGROUP(off, Y2, s, table, Y3)

#define Q2KHALF(h, s) \
	VMOVDQU (16+32*h)(R10), Y1 \
	Q2KQUARTER((128*h), s, 0, pair<>+0(SB))      \
	Q2KQUARTER((128*h+32), s, 2, pair<>+32(SB))  \
	Q2KQUARTER((128*h+64), s, 4, pair<>+64(SB))  \
	Q2KQUARTER((128*h+96), s, 6, pair<>+96(SB))

// func rows8Q2_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8Q2_KAVX2(SB), 0, $512-56
	START
	VMOVDQU low4<>(SB), Y13
	VMOVDQU low2<>(SB), Y12

loop:
	FIRSTROW

row:
	VMOVDQU   (R10), X1
	VPAND     X13, X1, X2
	VPSRLW    $4, X1, X1
	VPAND     X13, X1, X1
	VPMOVZXBW X2, Y10
	VPMOVZXBW X1, Y1
	VPMADDWD  (CX), Y1, Y1
	VMOVDQU   Y1, 256(SP)(R13*1)
	SPREAD
	VPXOR Y0, Y0, Y0
	Q2KHALF(0, Y5)
	Q2KHALF(1, Y6)
	VMOVDQU Y0, 0(SP)(R13*1)
	NEXTROW(84)
	JNE row
	TERM(80)
	SUBMIN(82)
	VADDPS Y9, Y15, Y15
	NEXTBLOCK(84)
	JNZ loop
	STORE

// hmask, Y7, gives bit 2 of the elements by a shift of words.
#define Q3KQUARTER(off, s, shift, hshift, hcount, table) \
	VPSRLW $shift, Y1, Y2   \
	VPAND  Y12, Y2, Y2      \
	hshift hcount, Y7, Y3   \
	VPAND  Y11, Y3, Y3      \
	VPOR   Y3, Y2, Y2       \
	ADDGROUP(off, Y2, s, table, Y3)

// func rows8Q3_KAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8Q3_KAVX2(SB), 0, $512-56
	START
	VMOVDQU low4<>(SB), Y13
	VMOVDQU low2<>(SB), Y12
	VMOVDQU fours<>(SB), Y11

loop:
	FIRSTROW

row:
	VMOVQ        96(R10), X1             // low bits of the scales: groups 0-7 in the low halves, 8-15 in the high
	VPSRLW       $4, X1, X2
	VPUNPCKLQDQ  X2, X1, X1
	VPAND        X13, X1, X1
	VPBROADCASTD 104(R10), X2            // high bits
	VPSRLVD      shift0246<>(SB), X2, X2
	VPAND        X12, X2, X2
	VPSLLW       $4, X2, X2
	VPOR         X2, X1, X1
	VPSUBB       thirtytwos<>(SB), X1, X1
	VPMOVSXBW    X1, Y10
	OFFSET(2)
	SPREAD
	VMOVDQU (R10), Y7
	VMOVDQU 32(R10), Y1
	Q3KQUARTER(0, Y5, 0, VPSLLW, $2, pair<>+0(SB))
	Q3KQUARTER(32, Y5, 2, VPSLLW, $1, pair<>+32(SB))
	Q3KQUARTER(64, Y5, 4, VPSLLW, $0, pair<>+64(SB))
	Q3KQUARTER(96, Y5, 6, VPSRLW, $1, pair<>+96(SB))
	VMOVDQU 64(R10), Y1
	Q3KQUARTER(128, Y6, 0, VPSRLW, $2, pair<>+0(SB))
	Q3KQUARTER(160, Y6, 2, VPSRLW, $3, pair<>+32(SB))
	Q3KQUARTER(192, Y6, 4, VPSRLW, $4, pair<>+64(SB))
	Q3KQUARTER(224, Y6, 6, VPSRLW, $5, pair<>+96(SB))
	VMOVDQU Y0, 0(SP)(R13*1)
	NEXTROW(110)
	JNE row
	TERM(108)
	VADDPS Y9, Y15, Y15
	NEXTBLOCK(110)
	JNZ loop
	STORE

// Group g of an IQ4_XS block: 16 bytes of indices of levels, which are signed.
#define IQ4XSGROUP(g) \
	VBROADCASTI128 (8+16*g)(R10), Y1 \
	VPSRLVD    Y12, Y1, Y1          \
	VPAND      Y13, Y1, Y1          \
	VPSHUFB    Y1, Y11, Y1          \
	VMOVDQU    (32*g)(AX), Y2       \
	VPSIGNB    Y1, Y2, Y2           \ // x with the level's sign
	VPABSB     Y1, Y1               \
	VPMADDUBSW Y2, Y1, Y1           \
	VPSHUFB    group<>+(32*g)(SB), Y5, Y3 \
	VPMADDWD   Y3, Y1, Y1           \
	VPADDD     Y1, Y0, Y0

// func rows8IQ4_XSAVX2(dst *float32, w *byte, rowBytes int, q *int8, d *float32, sums *int16, blocks int)
TEXT ·rows8IQ4_XSAVX2(SB), 0, $512-56
	START
	VMOVDQU low4<>(SB), Y13
	VMOVDQU shift04<>(SB), Y12
	VMOVDQU iq4<>(SB), Y11

loop:
	FIRSTROW

row:
	VPBROADCASTW 2(R10), Y1                 // high bits of the scales
	VPSRLVD      shift0to14<>(SB), Y1, Y1
	VPSLLD       $30, Y1, Y1
	VPSRLD       $26, Y1, Y1
	VPXOR        X2, X2, X2
	VPINSRD      $0, 4(R10), X2, X2         // low bits
	VPMOVZXBW    X2, X2
	VPSLLW       $4, X2, X3
	VPOR         X3, X2, X2
	VPAND        X13, X2, X2
	VPMOVZXBD    X2, Y2
	VPOR         Y2, Y1, Y1
	VPSUBD       thirtytwosd<>(SB), Y1, Y1
	VPACKSSDW    Y1, Y1, Y1
	VPERMQ       $0x88, Y1, Y5              // as words, in both lanes
	VPXOR        Y0, Y0, Y0
	IQ4XSGROUP(0)
	IQ4XSGROUP(1)
	IQ4XSGROUP(2)
	IQ4XSGROUP(3)
	IQ4XSGROUP(4)
	IQ4XSGROUP(5)
	IQ4XSGROUP(6)
	IQ4XSGROUP(7)
	VMOVDQU Y0, 0(SP)(R13*1)
	NEXTROW(136)
	JNE row
	TERM(0)
	VADDPS Y9, Y15, Y15
	NEXTBLOCK(136)
	JNZ loop
	STORE
