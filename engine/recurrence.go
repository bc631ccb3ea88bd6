package engine

import (
	"math"

	kernels "straw"
)

// One step of each recurrence, for one head and one token. A head's state is a matrix that every token changes; what a
// token gets out of it is the state times a vector. All of them are tested against sums over all earlier tokens.

// scan is the state space model of Mamba (Gu and Dao 2023, eq. 2) with the discretization exp(dt*a) and dt*b: for the
// state S [len(x), len(b)]
//
//	S = exp(dt*a) S + (dt x) bᵀ
//	y = S c
//
// where a is one number, or one for each column of S.
func scan(y, state, x, b, c, a []float32, dt float32) {
	n := len(b)
	c = c[:n]
	decay := float32(0)
	if len(a) == 1 {
		decay = kernels.Exp(dt * a[0])
	}
	for i, xi := range x {
		row := state[i*n:][:n]
		step := xi * dt
		if len(a) == 1 {
			for j, s := range row {
				row[j] = float32(s*decay) + float32(b[j]*step)
			}
		} else {
			for j, s := range row {
				row[j] = float32(s*kernels.Exp(dt*a[j])) + float32(b[j]*step)
			}
		}
		y[i] = kernels.Dot(row, c)
	}
}

// linearAttention is attention without softmax whose past fades: for the state S [len(k), len(v)]
//
//	S = diag(decay) S + k vᵀ
//	y = Sᵀ q
//
// where decay is one number for each row, or for all (Yang et al. 2023; Qin et al. 2024).
func linearAttention(y, state, q, k, v, decay []float32) {
	n := len(v)
	clear(y[:n])
	for i, ki := range k {
		d := decay[min(i, len(decay)-1)]
		row := state[i*n:][:n]
		for j, s := range row {
			row[j] = float32(s*d) + float32(ki*v[j])
		}
		kernels.Axpy(y[:n], q[i], row)
	}
}

// wkv6 is the recurrence of RWKV 6 (Peng et al. 2024, section 4.2.2): for the state S [len(k), len(v)]
//
//	y = Sᵀ r + (r · (bonus ∘ k)) v
//	S = diag(decay) S + k vᵀ
func wkv6(y, state, r, k, v, decay, bonus []float32) {
	n := len(v)
	clear(y[:n])
	own := float32(0)
	for i, ki := range k {
		row := state[i*n:][:n]
		kernels.Axpy(y[:n], r[i], row)
		own += float32(r[i] * float32(bonus[i]*ki))
		d := decay[i]
		for j, s := range row {
			row[j] = float32(s*d) + float32(ki*v[j])
		}
	}
	kernels.Axpy(y[:n], own, v)
}

// wkv7 is the recurrence of RWKV 7 (Peng et al. 2025, section 4.1): for the state S [len(v), len(k)]
//
//	S = S diag(decay) + (S a) bᵀ + v kᵀ
//	y = S r
func wkv7(y, state, r, k, v, decay, a, b []float32) {
	n := len(k)
	for i, vi := range v {
		row := state[i*n:][:n]
		sa := kernels.Dot(row, a)
		for j, s := range row {
			row[j] = float32(s*decay[j]) + float32(vi*k[j]) + float32(sa*b[j])
		}
		y[i] = kernels.Dot(row, r)
	}
}

// deltaRule is the gated delta rule (Yang et al. 2024, eq. 10): for the state S [len(v), len(k)]
//
//	S = S diag(decay)
//	S = S + rate (v - S k) kᵀ
//	y = S q
//
// where decay is one number, or one for each column of S (Kimi Delta Attention).
func deltaRule(y, state, q, k, v, decay []float32, rate float32) {
	n := len(k)
	for i, vi := range v {
		row := state[i*n:][:n]
		if len(decay) == 1 {
			multiply(row, decay[0])
		} else {
			for j, d := range decay {
				row[j] *= d
			}
		}
		kernels.Axpy(row, (vi-kernels.Dot(row, k))*rate, k)
		y[i] = kernels.Dot(row, q)
	}
}

// unitLength divides x by its length, √(|x|² + eps).
func unitLength(x []float32, eps float32) {
	multiply(x, 1/float32(math.Sqrt(float64(kernels.Dot(x, x)+eps))))
}
