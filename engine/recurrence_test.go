package engine

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The recurrences against sums over all earlier tokens, in float64 and without a state.

const (
	testTokens = 9
	testKey    = 7
	testValue  = 5
)

// numbers is n random vectors of size elements each.
func numbers(r *rand.Rand, n, size int, low, high float32) [][]float32 {
	v := make([][]float32, n)
	for i := range v {
		v[i] = make([]float32, size)
		for j := range v[i] {
			v[i][j] = low + (high-low)*r.Float32()
		}
	}
	return v
}

// sameResult compares y with want, within the error of float32.
func sameResult(t *testing.T, name string, token int, y []float32, want []float64) {
	t.Helper()
	for i, w := range want {
		if d := math.Abs(float64(y[i]) - w); !(d < 1e-5*(1+math.Abs(w))) {
			t.Errorf("%s: token %d, element %d is %g, want %g", name, token, i, y[i], w)
		}
	}
}

func dot64(a []float32, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * b[i]
	}
	return sum
}

func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, decays := range []int{1, testKey} {
		x, b, c := numbers(r, testTokens, testValue, -1, 1), numbers(r, testTokens, testKey, -1, 1), numbers(r, testTokens, testKey, -1, 1)
		a, dt := numbers(r, 1, decays, -3, -0.1)[0], numbers(r, 1, testTokens, 0.1, 2)[0]
		state, y := make([]float32, testValue*testKey), make([]float32, testValue)
		for now := range testTokens {
			scan(y, state, x[now], b[now], c[now], a, dt[now])
			want := make([]float64, testValue)
			for s := range now + 1 {
				passed := 0.0
				for u := s + 1; u <= now; u++ {
					passed += float64(dt[u])
				}
				weight := 0.0
				for j := range testKey {
					weight += float64(c[now][j]) * float64(b[s][j]) * math.Exp(passed*float64(a[j%decays]))
				}
				for i := range want {
					want[i] += weight * float64(x[s][i]) * float64(dt[s])
				}
			}
			sameResult(t, "scan", now, y, want)
		}
	}
}

func TestFadingAttention(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	q, k := numbers(r, testTokens, testKey, -1, 1), numbers(r, testTokens, testKey, -1, 1)
	v, bonus := numbers(r, testTokens, testValue, -1, 1), numbers(r, 1, testKey, -1, 1)[0]
	for _, decays := range []int{1, testKey} {
		g := numbers(r, testTokens, decays, 0.3, 1)
		state, y := make([]float32, testKey*testValue), make([]float32, testValue)
		wkvState, wkv := make([]float32, testKey*testValue), make([]float32, testValue)
		for now := range testTokens {
			linearAttention(y, state, q[now], k[now], v[now], g[now])
			want, wantWKV := make([]float64, testValue), make([]float64, testValue)
			for s := range now + 1 {
				weight, weightWKV := 0.0, 0.0
				for i := range testKey {
					part, partWKV := float64(q[now][i])*float64(k[s][i]), float64(q[now][i])*float64(k[s][i])
					for u := s + 1; u <= now; u++ {
						part *= float64(g[u][i%decays])
						if u < now { // RWKV's result comes before the token's own decay
							partWKV *= float64(g[u][i%decays])
						}
					}
					if s == now {
						partWKV *= float64(bonus[i])
					}
					weight, weightWKV = weight+part, weightWKV+partWKV
				}
				for i := range want {
					want[i] += weight * float64(v[s][i])
					wantWKV[i] += weightWKV * float64(v[s][i])
				}
			}
			sameResult(t, "linearAttention", now, y, want)
			if decays == testKey {
				wkv6(wkv, wkvState, q[now], k[now], v[now], g[now], bonus)
				sameResult(t, "wkv6", now, wkv, wantWKV)
			}
		}
	}
}

// The state of these two is multiplied by a matrix for each token: here the query walks back through the matrices.
func TestMatrixRecurrences(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	q, k := numbers(r, testTokens, testKey, -1, 1), numbers(r, testTokens, testKey, -1, 1)
	v := numbers(r, testTokens, testValue, -1, 1)
	a, b := numbers(r, testTokens, testKey, -0.5, 0.5), numbers(r, testTokens, testKey, -0.5, 0.5)
	rate := numbers(r, 1, testTokens, 0, 1)[0]
	for i := range k {
		unitLength(k[i], 1e-6)
	}
	for _, decays := range []int{1, testKey} {
		g := numbers(r, testTokens, decays, 0.3, 1)
		state, y := make([]float32, testKey*testValue), make([]float32, testValue)
		wkvState, wkv := make([]float32, testKey*testValue), make([]float32, testValue)
		for now := range testTokens {
			deltaRule(y, state, q[now], k[now], v[now], g[now], rate[now])
			z, zWKV := make([]float64, testKey), make([]float64, testKey)
			for i := range z {
				z[i], zWKV[i] = float64(q[now][i]), float64(q[now][i])
			}
			want, wantWKV := make([]float64, testValue), make([]float64, testValue)
			for s := now; s >= 0; s-- {
				along, alongWKV := dot64(k[s], z), dot64(k[s], zWKV)
				for i := range want {
					want[i] += float64(rate[s]) * float64(v[s][i]) * along
					wantWKV[i] += float64(v[s][i]) * alongWKV
				}
				back := dot64(b[s], zWKV)
				for i := range z {
					z[i] = float64(g[s][i%decays]) * (z[i] - float64(rate[s])*float64(k[s][i])*along)
					zWKV[i] = float64(g[s][i%decays])*zWKV[i] + float64(a[s][i])*back
				}
			}
			sameResult(t, "deltaRule", now, y, want)
			if decays == testKey {
				wkv7(wkv, wkvState, q[now], k[now], v[now], g[now], a[now], b[now])
				sameResult(t, "wkv7", now, wkv, wantWKV)
			}
		}
	}
}

func TestConvolution(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	const channels, stride, at = 6, 10, 3
	for _, kernel := range []int{1, 2, 4, 12} {
		for _, batch := range []int{1, 2, 5, testTokens} {
			weights, bias := numbers(r, channels, kernel, -1, 1), numbers(r, 1, channels, -1, 1)[0]
			in := numbers(r, 1, testTokens*stride, -1, 1)[0]
			flat := []float32{}
			for _, w := range weights {
				flat = append(flat, w...)
			}
			half := len(flat) / 2
			past := region{n: (kernel - 1) * channels}
			c := newConvolution(kernel, bias, past, flat[:half], flat[half:])
			line := newTimeline(nil, []int{past.n})
			y := make([]float32, channels)
			for lo := 0; lo < testTokens; lo += batch {
				n := min(batch, testTokens-lo)
				part := in[lo*stride : (lo+n)*stride]
				p := &pass{lanes: []lane{{timeline: &line, to: n}}}
				for i := range n {
					c.column(p, y, part[at:], stride, i)
					want := make([]float64, channels)
					for ch := range want {
						want[ch] = float64(bias[ch])
						for j := range kernel {
							if s := lo + i - kernel + 1 + j; s >= 0 {
								want[ch] += float64(weights[ch][j]) * float64(in[s*stride+at+ch])
							}
						}
					}
					sameResult(t, "convolution", lo+i, y, want)
				}
				c.advance(p, part[at:], stride)
			}
		}
	}
}
