package kernels

// Rows of 256-element blocks times Q8K columns, in the integer form of the package comment. In each function w holds
// packed rows of x.K elements, and for row r and column c, dst[c*stride+r] becomes their dot product. Layouts are
// described where package quant dequantizes them.
//
// A block's sub-block scales s_j are integers, with their offset taken off (Q3_K, IQ4_XS: 32), and so are its elements
// q (Q3_K: less 4, Q6_K: less 32). Then isum = Σ_j s_j * (Σ_i q_i x_i over sub-block j), msum = Σ_j min_j * (Σ_i x_i
// over sub-block j), and the block's term is
//
//	float32(float32(isum)*float32(d*dx))                                             Q3_K, Q6_K, IQ and TQ types
//	float32(float32(isum)*float32(d*dx)) - float32(float32(msum)*float32(dmin*dx))   Q2_K, Q4_K, Q5_K
//
// The largest |isum| is that of Q6_K, 128*32*127*256 < 2^28, so int32 holds it whatever the bytes are.

// MulQ2_K multiplies Q2_K rows.
func MulQ2_K(dst []float32, stride int, w []byte, x *Q8K) { mulQ2_K(dst, stride, w, x) }

// MulQ3_K multiplies Q3_K rows.
func MulQ3_K(dst []float32, stride int, w []byte, x *Q8K) { mulQ3_K(dst, stride, w, x) }

// MulQ4_K multiplies Q4_K rows.
func MulQ4_K(dst []float32, stride int, w []byte, x *Q8K) { mulQ4_K(dst, stride, w, x) }

// MulQ5_K multiplies Q5_K rows.
func MulQ5_K(dst []float32, stride int, w []byte, x *Q8K) { mulQ5_K(dst, stride, w, x) }

// MulQ6_K multiplies Q6_K rows.
func MulQ6_K(dst []float32, stride int, w []byte, x *Q8K) { mulQ6_K(dst, stride, w, x) }

// MulIQ4_XS multiplies IQ4_XS rows.
func MulIQ4_XS(dst []float32, stride int, w []byte, x *Q8K) { mulIQ4_XS(dst, stride, w, x) }

// MulIQ1_S multiplies IQ1_S rows.
func MulIQ1_S(dst []float32, stride int, w []byte, x *Q8K) { mulIQ1_S(dst, stride, w, x) }

// MulIQ1_M multiplies IQ1_M rows.
func MulIQ1_M(dst []float32, stride int, w []byte, x *Q8K) { mulIQ1_M(dst, stride, w, x) }

// MulIQ2_XXS multiplies IQ2_XXS rows.
func MulIQ2_XXS(dst []float32, stride int, w []byte, x *Q8K) { mulIQ2_XXS(dst, stride, w, x) }

// MulIQ2_XS multiplies IQ2_XS rows.
func MulIQ2_XS(dst []float32, stride int, w []byte, x *Q8K) { mulIQ2_XS(dst, stride, w, x) }

// MulIQ2_S multiplies IQ2_S rows.
func MulIQ2_S(dst []float32, stride int, w []byte, x *Q8K) { mulIQ2_S(dst, stride, w, x) }

// MulIQ3_XXS multiplies IQ3_XXS rows.
func MulIQ3_XXS(dst []float32, stride int, w []byte, x *Q8K) { mulIQ3_XXS(dst, stride, w, x) }

// MulIQ3_S multiplies IQ3_S rows.
func MulIQ3_S(dst []float32, stride int, w []byte, x *Q8K) { mulIQ3_S(dst, stride, w, x) }

// MulTQ1_0 multiplies TQ1_0 rows.
func MulTQ1_0(dst []float32, stride int, w []byte, x *Q8K) { mulTQ1_0(dst, stride, w, x) }

// MulTQ2_0 multiplies TQ2_0 rows.
func MulTQ2_0(dst []float32, stride int, w []byte, x *Q8K) { mulTQ2_0(dst, stride, w, x) }
