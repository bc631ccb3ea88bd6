package quant

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	kernels "straw"
)

// column fills n activations of an ordinary kind, with a few large ones.
func column(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
		if r.IntN(50) == 0 {
			x[i] *= 20
		}
	}
	return x
}

// MulRows against the dot product in float64 of what the packed weights and the rounded activations stand for.
func TestMulRowsIsTheDotProduct(t *testing.T) {
	const k, columns = 512, 3
	for _, g := range goldens(t) {
		t.Run(g.Name, func(t *testing.T) {
			w := readFile(t, g.Name+".blocks")
			if g.FromSource > 0 {
				w = w[:g.Code.Bytes(g.FromSource)] // finite scales
			} else {
				w = append([]byte(nil), w...)
				for len(w) < 2*g.Code.Bytes(k) {
					w = append(w, w...)
				}
			}
			rows := len(w) / g.Code.Bytes(k)
			values := make([]float32, rows*k)
			Dequantize(g.Code, values, w[:g.Code.Bytes(rows*k)])

			r := rand.New(rand.NewPCG(1, uint64(g.Code)))
			x := column(r, columns*k)
			var a Activations
			a.Set(g.Code.Form(), x, k)
			rounded := x
			switch a.form {
			case FormQ8:
				rounded = expand(a.q8.Q, a.q8.D, 32)
			case FormQ8K:
				rounded = expand(a.q8k.Q, a.q8k.D, 256)
			}
			stride := rows + 2
			got := make([]float32, columns*stride)
			MulRows(got, stride, g.Code, w[:g.Code.Bytes(rows*k)], k, &a)
			for c := range columns {
				for row := range rows {
					var want, size float64
					for i := range k {
						p := float64(values[row*k+i]) * float64(rounded[c*k+i])
						want += p
						size += math.Abs(p)
					}
					if diff := math.Abs(float64(got[c*stride+row]) - want); !(diff <= 2e-6*size) && !math.IsNaN(want) {
						t.Errorf("row %d column %d is %v, want %v (of terms %v)", row, c, got[c*stride+row], want, size)
					}
				}
				for _, gap := range got[c*stride+rows : (c+1)*stride] {
					if gap != 0 {
						t.Errorf("column %d writes beyond its rows", c)
					}
				}
			}
		})
	}
}

// expand is what rounded activations stand for.
func expand(q []int8, d []float32, block int) []float32 {
	x := make([]float32, len(q))
	for i, v := range q {
		x[i] = d[i/block] * float32(v)
	}
	return x
}

// Any bytes and any activations, cut up in any way, give the bits of one row and one column alone.
func TestMulRowsCutUp(t *testing.T) {
	types := goldens(t)
	rapid.Check(t, func(t *rapid.T) {
		typ := types[rapid.IntRange(0, len(types)-1).Draw(t, "type")].Code
		k := typ.BlockElems() * rapid.IntRange(1, 5).Draw(t, "blocks")
		if typ.BlockElems() == 1 {
			k = rapid.IntRange(1, 70).Draw(t, "k")
		}
		rows, columns := rapid.IntRange(1, 19).Draw(t, "rows"), rapid.IntRange(1, 9).Draw(t, "columns")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		rowBytes := typ.Bytes(k)
		w := make([]byte, rows*rowBytes)
		for i := range w {
			w[i] = byte(r.Uint32())
		}
		x := column(r, columns*k)
		switch rapid.IntRange(0, 9).Draw(t, "oddity") {
		case 0:
			x[r.IntN(len(x))] = float32(math.Inf(1))
		case 1:
			x[r.IntN(len(x))] = float32(math.NaN())
		case 2:
			for i := range x {
				x[i] *= 0x1p-120
			}
		case 3:
			clear(x)
		}
		var all Activations
		all.Set(typ.Form(), x, k)
		whole := make([]float32, rows*columns)
		MulRows(whole, rows, typ, w, k, &all)

		cutRow, cutColumn := rapid.IntRange(0, rows).Draw(t, "cut row"), rapid.IntRange(0, columns).Draw(t, "cut column")
		pieces := make([]float32, rows*columns)
		var a Activations
		for _, c := range [][2]int{{0, cutColumn}, {cutColumn, columns}} {
			if c[0] == c[1] {
				continue
			}
			a.Set(typ.Form(), x[c[0]*k:c[1]*k], k)
			for _, r := range [][2]int{{0, cutRow}, {cutRow, rows}} {
				if r[0] < r[1] {
					MulRows(pieces[c[0]*rows+r[0]:], rows, typ, w[r[0]*rowBytes:r[1]*rowBytes], k, &a)
				}
			}
		}
		for i := range whole {
			if !same(whole[i], pieces[i]) {
				t.Fatalf("%v k %d: row %d of %d column %d of %d is %v whole, %v in pieces", typ, k, i%rows, rows, i/rows, columns, whole[i], pieces[i])
			}
		}
	})
}

// Types without a form of their own have the bits of kernels.Dot on the dequantized row.
func TestMulRowsFloatFormIsDot(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, g := range goldens(t) {
		if g.Code.Form() != FormF32 {
			continue
		}
		k := (37 + g.Block - 1) / g.Block * g.Block
		w := readFile(t, g.Name+".blocks")[:g.Code.Bytes(k)]
		row, x := make([]float32, k), column(r, k)
		Dequantize(g.Code, row, w)
		var a Activations
		a.Set(FormF32, x, k)
		got := []float32{0}
		MulRows(got, 1, g.Code, w, k, &a)
		if want := kernels.Dot(row, x); !same(got[0], want) {
			t.Errorf("%s: %v, want %v", g.Name, got[0], want)
		}
	}
}

func TestMulRowsPanicsOnMisfit(t *testing.T) {
	var q8, f32 Activations
	q8.Set(FormQ8, make([]float32, 64), 64)
	f32.Set(FormF32, make([]float32, 64), 64)
	for name, call := range map[string]func(){
		"form":       func() { MulRows(make([]float32, 1), 1, Q8_0, make([]byte, 68), 64, &f32) },
		"length":     func() { MulRows(make([]float32, 1), 1, Q8_0, make([]byte, 34), 32, &q8) },
		"part row":   func() { MulRows(make([]float32, 1), 1, Q8_0, make([]byte, 67), 64, &q8) },
		"removed":    func() { MulRows(make([]float32, 1), 1, 4, make([]byte, 36), 64, &f32) },
		"part block": func() { MulRows(make([]float32, 1), 1, Q1_0, make([]byte, 9), 64, &f32) },
		"Q8 of 40":   func() { q8.Set(FormQ8, make([]float32, 40), 40) },
		"Q8K of 128": func() { q8.Set(FormQ8K, make([]float32, 128), 128) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

// One column (generation) and 32 columns (prompt) of a matrix of 256 rows of 2048.
func BenchmarkMulRows(b *testing.B) {
	const k, rows = 2048, 256
	for _, g := range goldens(b) {
		block := readFile(b, g.Name+".blocks")
		w := make([]byte, rows*g.Code.Bytes(k))
		for n := 0; n < len(w); {
			n += copy(w[n:], block[:len(block)/2])
		}
		x := column(rand.New(rand.NewPCG(1, 2)), 32*k)
		for _, columns := range []int{1, 32} {
			b.Run(g.Name+map[int]string{1: "/one", 32: "/32"}[columns], func(b *testing.B) {
				var a Activations
				a.Set(g.Code.Form(), x[:columns*k], k)
				dst := make([]float32, rows*columns)
				b.SetBytes(int64(len(w)))
				for b.Loop() {
					MulRows(dst, rows, g.Code, w, k, &a)
				}
				b.ReportMetric(float64(rows*k*columns)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GMAC/s")
			})
		}
	}
}
