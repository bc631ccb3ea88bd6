package kernels

import "sync"

// Two products by one multiplication of int64, for the generic form: weights w0 + w1·2^21 times activations x1 + x0·2^21
// have w0·x0 + w1·x1 in the middle, and up to 32 elements' sums of int8 products, below 2^20, keep out of each other's way.
// Activations are paired once for all rows, so it pays from some columns on.

// pairShift is where the second number of a pair is.
const pairShift = 21

// pairColumns is the number of columns from which on columns are paired.
const pairColumns = 4

// pairBuffers holds paired activations between calls, *[]int64.
var pairBuffers = sync.Pool{New: func() any { return new([]int64) }}

// pairedColumns is columns of activations in pairs, nil if there are too few; done gives their memory back.
func pairedColumns(q []int8, columns int) (pairs []int64, done func()) {
	if columns < pairColumns {
		return nil, func() {}
	}
	buffer := pairBuffers.Get().(*[]int64)
	*buffer = resize(*buffer, len(q)/2)
	pairActivations(*buffer, q)
	return *buffer, func() { pairBuffers.Put(buffer) }
}

// pairActivations writes q, twice as long, to dst in pairs, the first of two numbers above the second.
func pairActivations(dst []int64, q []int8) {
	for i := range dst {
		dst[i] = int64(q[2*i+1]) + int64(q[2*i])<<pairShift
	}
}

// pairWeights writes q, twice as long, to dst in pairs, the second of two numbers above the first.
func pairWeights(dst []int64, q []int8) {
	for i := range dst {
		dst[i] = int64(q[2*i]) + int64(q[2*i+1])<<pairShift
	}
}

// dotPairs is the integer sum of the products of eight pairs.
func dotPairs(w, x *[8]int64) int32 { return pairSum(sumPairs(w, x)) }

// sumPairs is the sum of eight products of pairs, the elements' sum still in the middle.
func sumPairs(w, x *[8]int64) int64 {
	return w[0]*x[0] + w[1]*x[1] + w[2]*x[2] + w[3]*x[3] + w[4]*x[4] + w[5]*x[5] + w[6]*x[6] + w[7]*x[7]
}

// pairSum is the middle of a sum of products of pairs.
func pairSum(s int64) int32 {
	low := s << (64 - pairShift) >> (64 - pairShift)
	return int32((s - low) >> pairShift << (64 - pairShift) >> (64 - pairShift))
}
