package kernels

// Rows of 32-element blocks times Q8 columns, in the integer form of the package comment. In each function w holds
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
