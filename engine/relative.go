package engine

import (
	"math"

	kernels "straw"
	"straw/engine/arch"
)

// farthest is the distance from which on T5's biases are the same.
const farthest = 128

// relativeBias is the hook that adds the biases by distance of an attention of layer w, which may be another layer's.
func (s *machine) relativeBias(a *arch.Attn, w *layerWeights) func(row []float32, head, pos, from int) {
	weights := w.vector(arch.RelativeBias, arch.Weight)
	if weights == nil {
		weights = s.weights.layers[a.Relative.First].vector(arch.RelativeBias, arch.Weight)
	}
	const width = 2*farthest + 1
	table := make([]float32, a.Heads*width) // [heads, distance]: by position of the key less that of the query
	for h := range a.Heads {
		for d := range width {
			table[h*width+d] = weights[bucket(d-farthest, a.Relative.Buckets, a.Ahead)*a.Heads+h]
		}
	}
	return func(row []float32, head, pos, from int) {
		biases := table[head*width:][:width]
		for j := range row {
			row[j] += biases[min(max(from+j-pos, -farthest), farthest)+farthest]
		}
	}
}

// bucket is T5's bucket of a distance: one each for the short ones, for half of the buckets; then in steps that grow with
// the logarithm. If keys behind the query are seen too, they have the second half of all buckets.
func bucket(distance, buckets int, both bool) int {
	first := 0
	if both {
		buckets /= 2
		if distance > 0 {
			first = buckets
		}
		distance = max(distance, -distance)
	} else {
		distance = max(-distance, 0)
	}
	exact := buckets / 2
	if distance < exact {
		return first + distance
	}
	// As llama.cpp computes it: the logarithm is rounded to float32, which decides where a step begins.
	steps := float32(kernels.Log(float64(float32(distance)/float32(exact)))) * float32(buckets-exact)
	far := math.Floor(float64(float32(float64(exact) + float64(steps)/kernels.Log(float64(farthest)/float64(exact)))))
	return first + min(int(far), buckets-1)
}
