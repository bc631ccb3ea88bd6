package kernels

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// Every form in use equals the generic one, bit for bit. Without assembly these tests compare generic with generic.

// packed is the kernels of one type: the form in use and the generic one, on float32 columns.
type packed struct {
	name            string
	elems, bytes    int
	native, generic func(dst []float32, stride int, w []byte, x []float32, k int)
}

// decoded multiplies F16 rows by way of MulDecoded.
func decoded(mul func([]float32, int, []byte, int, []float32, int, func([]float32, []byte))) func([]float32, int, []byte, []float32, int) {
	return func(dst []float32, stride int, w []byte, x []float32, k int) {
		mul(dst, stride, w, 2*k, x, k, genericDecodeF16)
	}
}

func onQ8(mul func([]float32, int, []byte, *Q8)) func([]float32, int, []byte, []float32, int) {
	return func(dst []float32, stride int, w []byte, x []float32, k int) {
		var a Q8
		a.Set(x, k)
		a.Q, a.D, a.Sum = tight(a.Q), tight(a.D), tight(a.Sum)
		mul(dst, stride, w, &a)
	}
}

func onQ8K(mul func([]float32, int, []byte, *Q8K)) func([]float32, int, []byte, []float32, int) {
	return func(dst []float32, stride int, w []byte, x []float32, k int) {
		var a Q8K
		a.Set(x, k)
		a.Q, a.D, a.Sums = tight(a.Q), tight(a.D), tight(a.Sums)
		mul(dst, stride, w, &a)
	}
}

// tight is a copy of s with fences at both ends where T's size and the page allow; see fence.
var tight8 func(n int) []byte

func tight[T any](s []T) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if tight8 == nil || len(s) == 0 {
		return s
	}
	b := tight8(len(s) * size)
	t := unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(s))
	copy(t, s)
	return t
}

// shadowed is forms that this machine has better ones for, filled in by its files.
var shadowed []packed

func packedKernels() []packed {
	return append([]packed{
		{"F32", 1, 4, MulF32, genericMulF32},
		{"F16", 1, 2, MulF16, genericMulF16},
		{"BF16", 1, 2, MulBF16, genericMulBF16},
		{"decoded", 1, 2, decoded(MulDecoded), decoded(genericMulDecoded)},
		{"Q4_0", 32, 18, onQ8(MulQ4_0), onQ8(genericMulQ4_0)},
		{"Q4_1", 32, 20, onQ8(MulQ4_1), onQ8(genericMulQ4_1)},
		{"Q5_0", 32, 22, onQ8(MulQ5_0), onQ8(genericMulQ5_0)},
		{"Q5_1", 32, 24, onQ8(MulQ5_1), onQ8(genericMulQ5_1)},
		{"Q8_0", 32, 34, onQ8(MulQ8_0), onQ8(genericMulQ8_0)},
		{"IQ4_NL", 32, 18, onQ8(MulIQ4_NL), onQ8(genericMulIQ4_NL)},
		{"MXFP4", 32, 17, onQ8(MulMXFP4), onQ8(genericMulMXFP4)},
		{"NVFP4", 64, 36, onQ8(MulNVFP4), onQ8(genericMulNVFP4)},
		{"Q1_0", 128, 18, onQ8(MulQ1_0), onQ8(genericMulQ1_0)},
		{"Q2_0", 64, 18, onQ8(MulQ2_0), onQ8(genericMulQ2_0)},
		{"Q2_K", 256, 84, onQ8K(MulQ2_K), onQ8K(genericMulQ2_K)},
		{"Q3_K", 256, 110, onQ8K(MulQ3_K), onQ8K(genericMulQ3_K)},
		{"Q4_K", 256, 144, onQ8K(MulQ4_K), onQ8K(genericMulQ4_K)},
		{"Q5_K", 256, 176, onQ8K(MulQ5_K), onQ8K(genericMulQ5_K)},
		{"Q6_K", 256, 210, onQ8K(MulQ6_K), onQ8K(genericMulQ6_K)},
		{"IQ4_XS", 256, 136, onQ8K(MulIQ4_XS), onQ8K(genericMulIQ4_XS)},
		{"IQ1_S", 256, 50, onQ8K(MulIQ1_S), onQ8K(genericMulIQ1_S)},
		{"IQ1_M", 256, 56, onQ8K(MulIQ1_M), onQ8K(genericMulIQ1_M)},
		{"IQ2_XXS", 256, 66, onQ8K(MulIQ2_XXS), onQ8K(genericMulIQ2_XXS)},
		{"IQ2_XS", 256, 74, onQ8K(MulIQ2_XS), onQ8K(genericMulIQ2_XS)},
		{"IQ2_S", 256, 82, onQ8K(MulIQ2_S), onQ8K(genericMulIQ2_S)},
		{"IQ3_XXS", 256, 98, onQ8K(MulIQ3_XXS), onQ8K(genericMulIQ3_XXS)},
		{"IQ3_S", 256, 110, onQ8K(MulIQ3_S), onQ8K(genericMulIQ3_S)},
		{"TQ1_0", 256, 54, onQ8K(MulTQ1_0), onQ8K(genericMulTQ1_0)},
		{"TQ2_0", 256, 66, onQ8K(MulTQ2_0), onQ8K(genericMulTQ2_0)},
	}, shadowed...)
}

// fill writes random bytes to w. Kinds of filling: 0 any bytes, 1 all ones (largest elements and scales, NaN), 2 all
// zero, 3 halves of the sign bit pattern 0x80, 4 subnormal and small binary16 at every even offset.
func fill(r *rand.Rand, w []byte, kind int) {
	for i := range w {
		switch kind {
		case 1:
			w[i] = 0xff
		case 2:
			w[i] = 0
		case 3:
			w[i] = 0x80
		default:
			w[i] = byte(r.Uint32())
		}
	}
	if kind == 4 {
		for i := 0; i+2 <= len(w); i += 2 {
			binary.LittleEndian.PutUint16(w[i:], uint16(r.Uint32())&0x83ff)
		}
	}
}

func TestNativeEqualsGeneric(t *testing.T) {
	for _, p := range packedKernels() {
		t.Run(p.name+"/"+Name(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(11, uint64(p.bytes)))
			for _, c := range []struct{ blocks, rows, columns int }{
				{0, 3, 2}, {1, 1, 1}, {1, 8, 1}, {2, 7, 3}, {3, 9, 2}, {1, 16, 5}, {4, 23, 4}, {7, 8, 9}, {9, 8, 1}, {16, 12, 1}, {23, 13, 1}, {128, 9, 1}, {129, 8, 1}, {28, 9, 1}, {64, 9, 1}, {65, 8, 1}, {3, 16, 4}, {2, 37, 11}, {9, 19, 7}, {45, 16, 3}, {12, 43, 1}, {28, 35, 1}, {256, 17, 1}, {257, 8, 1},
			} {
				for kind := range 6 {
					k := c.blocks * p.elems
					if p.elems == 1 {
						k = c.blocks * []int{1, 16, 17, 32, 48, 5}[kind]
					}
					w := fenced(t, c.rows*k/p.elems*p.bytes, kind%2 == 0)
					fill(r, w, kind)
					head := kind%2 == 1
					tight8 = func(n int) []byte { return fenced(t, n, head) }
					x := tight(normal(r, c.columns*k))
					if kind == 5 && len(x) > 0 {
						x[r.IntN(len(x))] = float32(math.NaN())
						x[0] = float32(math.Inf(-1))
					}
					const guard = 12345
					stride := c.rows + 3
					got, want := tight(make([]float32, c.columns*stride)), make([]float32, c.columns*stride)
					for i := range want {
						got[i], want[i] = guard, guard
					}
					p.native(got, stride, w, x, k)
					p.generic(want, stride, w, x, k)
					for i := range want {
						if !sameBits(got[i], want[i]) {
							t.Fatalf("%+v k %d kind %d: row %d column %d is %v, want %v", c, k, kind, i%stride, i/stride, got[i], want[i])
						}
						if beyond := i%stride >= c.rows || k == 0; beyond && got[i] != guard {
							t.Fatalf("%+v kind %d: wrote to row %d", c, kind, i%stride)
						}
					}
				}
			}
		})
	}
}

// Weights lie in a file at any address, so no kernel may ask for an alignment.
func TestNativeUnaligned(t *testing.T) {
	for _, p := range packedKernels() {
		r := rand.New(rand.NewPCG(12, 0))
		k, rows := 2*max(p.elems, 16), 10
		n := rows * k / p.elems * p.bytes
		x, buffer := normal(r, k+4), make([]byte, n+64)
		want, got := make([]float32, rows), make([]float32, rows)
		for off := range 33 {
			w := buffer[off : off+n]
			fill(r, w, 0)
			x := x[off%4 : off%4+k]
			p.generic(want, rows, w, x, k)
			p.native(got, rows, w, x, k)
			for i := range want {
				if !sameBits(got[i], want[i]) {
					t.Fatalf("%s at offset %d: row %d is %v, want %v", p.name, off, i, got[i], want[i])
				}
			}
		}
	}
}

func TestNativeVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 0))
	tight8 = func(n int) []byte { return fenced(t, n, n%3 == 0) }
	for n := range 100 {
		a, b := tight(normal(r, n)), tight(normal(r, n))
		if got, want := Dot(a, b), genericDot(a, b); got != want {
			t.Errorf("Dot of %d: %v, want %v", n, got, want)
		}
		got, want := tight(a), append([]float32(nil), a...)
		Axpy(got, 0.37, b)
		genericAxpy(want, 0.37, b)
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("Axpy of %d: element %d is %v, want %v", n, i, got[i], want[i])
			}
		}
		for name, f := range map[string][2]func(dst, x []float32){
			"Add":          {add, genericAdd},
			"Scale":        {func(dst, x []float32) { scale(dst, x, -1.7) }, func(dst, x []float32) { genericScale(dst, x, -1.7) }},
			"scaleBy":      {func(dst, x []float32) { scaleBy(dst, x, 0.3, b) }, func(dst, x []float32) { genericScaleBy(dst, x, 0.3, b) }},
			"shift":        {func(dst, x []float32) { shift(dst, x, 0.3) }, func(dst, x []float32) { genericShift(dst, x, 0.3) }},
			"RotateHalves": {func(dst, x []float32) { RotateHalves(dst, x[:n/2], b[n-n/2:]) }, func(dst, x []float32) { genericRotateHalves(dst[:n/2*2], x[:n/2], b[n-n/2:]) }},
			"RotatePairs":  {func(dst, x []float32) { RotatePairs(dst, x[:n/2], b[n-n/2:]) }, func(dst, x []float32) { genericRotatePairs(dst[:n/2*2], x[:n/2], b[n-n/2:]) }},
		} {
			got, want := tight(b), append([]float32(nil), b...)
			f[0](got, a)
			f[1](want, a)
			if !slices.Equal(got, want) {
				t.Errorf("%s of %d: %v, want %v", name, n, got, want)
			}
		}
	}
	for n := range 50 {
		src := tight(normal(r, n))
		for i := range src {
			src[i] = math.Float32frombits(math.Float32bits(src[i])&0x807fffff | uint32(100+r.IntN(60))<<23) // around binary16's range
			if r.IntN(8) == 0 {
				src[i] = math.Float32frombits(r.Uint32())
			}
		}
		got, want := fenced(t, 2*n, n%2 == 0), make([]byte, 2*n)
		EncodeF16(got, src)
		genericEncodeF16(want, src)
		if !bytes.Equal(got, want) {
			t.Errorf("EncodeF16 of %v: %x, want %x", src, got, want)
		}
	}
	src := fenced(t, 1<<17, false)
	for i := range 1 << 16 {
		binary.LittleEndian.PutUint16(src[2*i:], uint16(i))
	}
	for name, decode := range map[string][2]func([]float32, []byte){
		"DecodeF16": {DecodeF16, genericDecodeF16}, "DecodeBF16": {DecodeBF16, genericDecodeBF16}, "DecodeF32": {DecodeF32, genericDecodeF32},
	} {
		size := 2
		if name == "DecodeF32" {
			size = 4
		}
		for _, n := range []int{0, 1, 7, 8, 9, 1<<17/size - 3, 1 << 17 / size} {
			got, want := tight(make([]float32, n)), make([]float32, n)
			decode[0](got, src[len(src)-n*size:])
			decode[1](want, src[len(src)-n*size:])
			for i := range want {
				if math.Float32bits(got[i]) != math.Float32bits(want[i]) {
					t.Fatalf("%s of %d: element %d is %x, want %x", name, n, i, math.Float32bits(got[i]), math.Float32bits(want[i]))
				}
			}
		}
	}
}

func TestNativeRounding(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 0))
	tight8 = func(n int) []byte { return fenced(t, n, n%3 == 0) }
	for n := range 40 {
		x := tight(normal(r, 256*n))
		for b := 0; b < len(x); b += 32 {
			scale := []float32{1, 1e-30, 1e30, 0x1p-118, 0x1p-120, 0, 0x1p-149}[r.IntN(7)]
			if n%2 == 0 {
				scale = 0.37
			}
			for i := range 32 {
				x[b+i] *= scale
			}
			switch r.IntN(12) {
			case 0:
				x[b+r.IntN(32)] = float32(math.NaN())
			case 1:
				x[b+r.IntN(32)] = float32(math.Inf(-1))
			case 2: // ties
				for i := range 32 {
					x[b+i] = float32(i) - 15.5
				}
				x[b] = 127
			}
		}
		var a, want Q8
		var ak, wantk Q8K
		a.Q, a.D, a.Sum = tight(make([]int8, len(x))), tight(make([]float32, len(x)/32)), tight(make([]int32, len(x)/32))
		ak.Q, ak.D, ak.Sums = tight(make([]int8, len(x))), tight(make([]float32, len(x)/256)), tight(make([]int16, len(x)/16))
		want.Q, want.D, want.Sum = make([]int8, len(x)), make([]float32, len(x)/32), make([]int32, len(x)/32)
		wantk.Q, wantk.D, wantk.Sums = make([]int8, len(x)), make([]float32, len(x)/256), make([]int16, len(x)/16)
		roundQ8(&a, x)
		genericRoundQ8(&want, x)
		roundQ8K(&ak, x)
		genericRoundQ8K(&wantk, x)
		if !slices.Equal(a.Q, want.Q) || !slices.EqualFunc(a.D, want.D, sameBits) || !slices.Equal(a.Sum, want.Sum) {
			t.Fatalf("Q8 of %d blocks differs", len(x)/32)
		}
		if !slices.Equal(ak.Q, wantk.Q) || !slices.EqualFunc(ak.D, wantk.D, sameBits) || !slices.Equal(ak.Sums, wantk.Sums) {
			t.Fatalf("Q8K of %d blocks differs", len(x)/256)
		}
	}
}

// shadowedFunctions is forms of functions that this machine has better ones for, filled in by its files.
var shadowedFunctions []struct {
	name             string
	softmax          func(x []float32)
	siluMul, geluMul func(dst, gate, up []float32)
}

func TestNativeFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 0))
	tight8 = func(n int) []byte { return fenced(t, n, n%3 == 0) }
	odd := []float32{0, float32(math.Copysign(0, -1)), 88.72283, 88.7229, -88.72283, -103.97, -103.98, 0x1p-149, 3e38, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN())}
	for n := range 120 {
		gate, up := tight(normal(r, n)), tight(normal(r, n))
		for i := range gate {
			gate[i] *= float32(math.Exp(r.NormFloat64() * 3))
			if n%4 == 3 && r.IntN(20) == 0 {
				gate[i] = odd[r.IntN(len(odd))]
			}
		}
		equal := func(name string, got, want []float32) {
			t.Helper()
			for i := range want {
				if !sameBits(got[i], want[i]) {
					t.Fatalf("%s of %d, %v: %v, want %v", name, n, gate[i], got[i], want[i])
				}
			}
		}
		got, want := tight(make([]float32, n)), make([]float32, n)
		SiLUMul(got, gate, up)
		genericSiLUMul(want, gate, up)
		equal("SiLUMul", got, want)
		GELUMul(got, gate, up)
		genericGELUMul(want, gate, up)
		equal("GELUMul", got, want)
		copy(got, gate)
		copy(want, gate)
		Softmax(got)
		genericSoftmax(want)
		equal("Softmax", got, want)
		for _, f := range shadowedFunctions {
			copy(got, gate)
			f.softmax(got)
			equal("Softmax by "+f.name, got, want)
			f.siluMul(got, gate, up)
			genericSiLUMul(want, gate, up)
			equal("SiLUMul by "+f.name, got, want)
			f.geluMul(got, gate, up)
			genericGELUMul(want, gate, up)
			equal("GELUMul by "+f.name, got, want)
		}
		equal("Sum", []float32{Sum(gate)}, []float32{genericSum(gate)})
	}
}

func BenchmarkSoftmax(b *testing.B) {
	x := make([]float32, 512)
	for b.Loop() {
		Softmax(x)
	}
}

func BenchmarkSiLUMul(b *testing.B) {
	x, y := normal(rand.New(rand.NewPCG(1, 2)), 8192), make([]float32, 8192)
	for b.Loop() {
		SiLUMul(y, x, x)
	}
}

func BenchmarkRows(b *testing.B) {
	const k, rows = 2048, 256
	for _, p := range packedKernels() {
		r := rand.New(rand.NewPCG(14, 0))
		w := make([]byte, rows*k/p.elems*p.bytes)
		fill(r, w, 0)
		x := normal(r, k)
		dst := make([]float32, rows)
		for _, f := range []struct {
			name string
			mul  func([]float32, int, []byte, []float32, int)
		}{{Name(), p.native}, {"plain", p.generic}} {
			b.Run(fmt.Sprintf("%s/%s", p.name, f.name), func(b *testing.B) {
				tight8 = nil
				b.SetBytes(int64(len(w)))
				for b.Loop() {
					f.mul(dst, rows, w, x, k)
				}
			})
		}
	}
}

// Any weights and any activations: the form in use and the generic one give the same bits.
func FuzzNativeEqualsGeneric(f *testing.F) {
	for i := range packedKernels() {
		f.Add(uint8(i), uint8(2), uint8(9), []byte{0x80, 0xff, 0x00, 0x3c, 0x01}, []byte{0, 0, 0x80, 0x3f, 1, 0, 0, 0, 0, 0, 0xc0, 0x7f})
	}
	f.Fuzz(func(t *testing.T, kernel, blocks, rows uint8, weights, columns []byte) {
		if len(weights) == 0 || len(columns) < 4 {
			return
		}
		all := packedKernels()
		p := all[int(kernel)%len(all)]
		k, n := int(blocks%4)*p.elems, int(rows%18)
		if p.elems == 1 {
			k = int(blocks % 50)
		}
		w, x := make([]byte, n*k/p.elems*p.bytes), make([]float32, 2*k)
		for i := range w {
			w[i] = weights[i%len(weights)] + byte(i/len(weights))
		}
		for i := range x {
			x[i] = math.Float32frombits(binary.LittleEndian.Uint32(columns[i%(len(columns)-3):]))
		}
		tight8 = nil
		got, want := make([]float32, 2*n), make([]float32, 2*n)
		p.native(got, n, w, x, k)
		p.generic(want, n, w, x, k)
		for i := range want {
			if !sameBits(got[i], want[i]) {
				t.Fatalf("%s k %d: row %d of %d column %d is %v, want %v", p.name, k, i%n, n, i/n, got[i], want[i])
			}
		}
	})
}
