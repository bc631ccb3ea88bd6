//go:build !purego

package kernels

// roundQ8AVX2 is genericRoundQ8 for blocks > 0 blocks of 32:
//
//	for b := range blocks {
//		d[b] = roundBlock(q[32*b:32*b+32], x[32*b:32*b+32])
//		sum[b] = sum of q[32*b:32*b+32]
//	}
//
//go:noescape
func roundQ8AVX2(q *int8, d *float32, sum *int32, x *float32, blocks int)

// roundQ8KAVX2 is genericRoundQ8K for blocks > 0 blocks of 256:
//
//	for b := range blocks {
//		d[b] = roundBlock(q[256*b:256*b+256], x[256*b:256*b+256])
//	}
//	for b := range 16 * blocks {
//		sums[b] = sum of q[16*b:16*b+16]
//	}
//
//go:noescape
func roundQ8KAVX2(q *int8, d *float32, sums *int16, x *float32, blocks int)

func roundQ8Native(a *Q8, x []float32) {
	if len(a.D) > 0 {
		_, _ = a.Q[32*len(a.D)-1], x[32*len(a.D)-1]
		roundQ8AVX2(&a.Q[0], &a.D[0], &a.Sum[0], &x[0], len(a.D))
	}
}

func roundQ8KNative(a *Q8K, x []float32) {
	if len(a.D) > 0 {
		_, _ = a.Q[256*len(a.D)-1], x[256*len(a.D)-1]
		roundQ8KAVX2(&a.Q[0], &a.D[0], &a.Sums[0], &x[0], len(a.D))
	}
}
