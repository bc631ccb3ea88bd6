// Instructions that Go's assembler has no name for (Arm Architecture Reference Manual, C7.2), with numbers of V registers:
// d the result, n and m the operands.

// d.4S += products of the 16 int8 of n and m, four by four
#define SDOT(m, n, d) WORD $(0x4e809400 | (m)<<16 | (n)<<5 | (d))

// d.4S = n.4S * m.4S; d.4S += n.4S * m.4S; d.4S += n.4S * lane i of m
#define MUL(m, n, d) WORD $(0x4ea09c00 | (m)<<16 | (n)<<5 | (d))
#define MLA(m, n, d) WORD $(0x4ea09400 | (m)<<16 | (n)<<5 | (d))
#define MLALANE(i, m, n, d) WORD $(0x6f800000 | ((i)&1)<<21 | (m)<<16 | ((i)>>1)<<11 | (n)<<5 | (d))

// d.4S = sums of neighbours of the int16 of n
#define SADDLP(n, d) WORD $(0x4e602800 | (n)<<5 | (d))

// d.8H = the low or high 8 int8 of n; d.4S = the low or high 4 int16 of n
#define SXTLB(n, d) WORD $(0x0f08a400 | (n)<<5 | (d))
#define SXTLB2(n, d) WORD $(0x4f08a400 | (n)<<5 | (d))
#define SXTLH(n, d) WORD $(0x0f10a400 | (n)<<5 | (d))
#define SXTLH2(n, d) WORD $(0x4f10a400 | (n)<<5 | (d))

// Four float32: from int32, from the low or high four binary16; product, sum, n - m
#define SCVTF(n, d) WORD $(0x4e21d800 | (n)<<5 | (d))
#define FCVTL(n, d) WORD $(0x0e217800 | (n)<<5 | (d))
#define FCVTL2(n, d) WORD $(0x4e217800 | (n)<<5 | (d))
#define FMUL(m, n, d) WORD $(0x6e20dc00 | (m)<<16 | (n)<<5 | (d))
#define FADD(m, n, d) WORD $(0x4e20d400 | (m)<<16 | (n)<<5 | (d))
#define FSUB(m, n, d) WORD $(0x4ea0d400 | (m)<<16 | (n)<<5 | (d))

// a.4S = sums of the four int32 of a, b, c and e
#define REDUCE(a, b, c, e) \
	VADDP b.S4, a.S4, a.S4 \
	VADDP e.S4, c.S4, c.S4 \
	VADDP c.S4, a.S4, a.S4
