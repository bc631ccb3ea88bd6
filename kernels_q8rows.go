package kernels

// Rows of blocks of 32 elements, or several times 32 under one scale, times Q8 columns, in the integer form of the package comment. In each function w holds
// packed rows of x.K elements, and for row r and column c, dst[c*stride+r] becomes their dot product. Layouts are
// described where package quant dequantizes them.

// MulQ4_0 multiplies Q4_0 rows.
func MulQ4_0(dst []float32, stride int, w []byte, x *Q8) { mulQ4_0(dst, stride, w, x) }

// MulQ4_1 multiplies Q4_1 rows; a block's term is d*q·x + m*Σx.
func MulQ4_1(dst []float32, stride int, w []byte, x *Q8) { mulQ4_1(dst, stride, w, x) }

// MulQ5_0 multiplies Q5_0 rows.
func MulQ5_0(dst []float32, stride int, w []byte, x *Q8) { mulQ5_0(dst, stride, w, x) }

// MulQ5_1 multiplies Q5_1 rows; a block's term is d*q·x + m*Σx.
func MulQ5_1(dst []float32, stride int, w []byte, x *Q8) { mulQ5_1(dst, stride, w, x) }

// MulQ8_0 multiplies Q8_0 rows.
func MulQ8_0(dst []float32, stride int, w []byte, x *Q8) { mulQ8_0(dst, stride, w, x) }

// MulIQ4_NL multiplies IQ4_NL rows.
func MulIQ4_NL(dst []float32, stride int, w []byte, x *Q8) { mulIQ4_NL(dst, stride, w, x) }

// MulMXFP4 multiplies MXFP4 rows: elements doubled, scales halved.
func MulMXFP4(dst []float32, stride int, w []byte, x *Q8) { mulMXFP4(dst, stride, w, x) }

// MulNVFP4 multiplies NVFP4 rows, elements doubled, scales halved. Each 32 elements have two scales; their term is
//
//	float32(float32(isum0)*float32(d0*dx)) + float32(float32(isum1)*float32(d1*dx))
//
// x.K must be a multiple of 64.
func MulNVFP4(dst []float32, stride int, w []byte, x *Q8) { mulNVFP4(dst, stride, w, x) }

// MulQ1_0 multiplies Q1_0 rows, elements being -1 and 1. x.K must be a multiple of 128.
func MulQ1_0(dst []float32, stride int, w []byte, x *Q8) { mulQ1_0(dst, stride, w, x) }

// MulQ2_0 multiplies Q2_0 rows. x.K must be a multiple of 64.
func MulQ2_0(dst []float32, stride int, w []byte, x *Q8) { mulQ2_0(dst, stride, w, x) }
