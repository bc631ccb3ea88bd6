package quant

import (
	"bytes"
	"errors"
	"hash/crc32"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// relative is the distance of y from x, ‖x-y‖/‖x‖, the rel_rmse of the manifest.
func relative(x, y []float32) float64 {
	var diff, norm float64
	for i, v := range x {
		d := float64(v) - float64(y[i])
		diff += d * d
		norm += float64(v) * float64(v)
	}
	return math.Sqrt(diff / norm)
}

// quantized is src through the type and back.
func quantized(t testing.TB, typ Type, src []float32) []float32 {
	t.Helper()
	blocks := make([]byte, typ.Bytes(len(src)))
	if err := Quantize(typ, blocks, src); err != nil {
		t.Fatal(err)
	}
	got := make([]float32, len(src))
	Dequantize(typ, got, blocks)
	return got
}

// The distance from the source is at most 2 % larger than the reference's; in fact it is smaller nearly everywhere.
func TestQuantizeGolden(t *testing.T) {
	source := readFloats(t, "source.f32")
	n := 0
	for _, g := range goldens(t) {
		if !g.Code.Quantizable() {
			continue
		}
		n++
		r := relative(source, quantized(t, g.Code, source))
		t.Logf("%-7s %.5f, reference %.5f (%+.1f %%)", g.Name, r, g.RelRMSE, 100*(r/g.RelRMSE-1))
		if r > 1.02*g.RelRMSE {
			t.Errorf("%s: relative distance to the source %.5f, reference has %.5f", g.Name, r, g.RelRMSE)
		}
	}
	if n != 18 {
		t.Errorf("%d types quantized, want 18", n)
	}
}

// normal is numbers of about a normal distribution of deviation 0.02, like weights: sums of 12 uniform ones.
func normal(n int, seed uint64) []float32 {
	x := make([]float32, n)
	for i := range x {
		var sum float32
		for range 12 {
			seed = seed*6364136223846793005 + 1442695040888963407
			sum += float32(seed>>40) / (1 << 24)
		}
		x[i] = 0.02 * (sum - 6)
	}
	return x
}

// What needs no search has the reference's bytes.
func TestQuantizeSameBytes(t *testing.T) {
	source := readFloats(t, "source.f32")
	for _, typ := range []Type{F32, F16, BF16, Q8_0} {
		blocks := make([]byte, typ.Bytes(len(source)))
		if err := Quantize(typ, blocks, source); err != nil {
			t.Fatal(err)
		}
		if want := readFile(t, strings.ToLower(typ.String())+".blocks"); !bytes.Equal(blocks, want[:len(blocks)]) {
			t.Errorf("%s: bytes differ from the reference's", typ)
		}
	}
}

// A value that is not finite, or too large for the type, is named.
func TestQuantizeBadValues(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for typ := range Type(len(quantizers)) {
		if !typ.Quantizable() {
			continue
		}
		for _, v := range []float32{nan, inf, 65504, -65504, 65519, 65520, math.MaxFloat32} {
			src := normal(512, 3)
			src[300] = v
			block := make([]byte, typ.Bytes(512))
			err := Quantize(typ, block, src)
			ok := v == 65504 || v == -65504
			switch typ {
			case F32:
				ok = true
			case F16:
				ok = ok || v != v || v == inf || v == 65519
			case BF16:
				ok = v != math.MaxFloat32
			}
			var bad *ValueError
			if ok && err != nil || !ok && (!errors.As(err, &bad) || bad.Index != 300 || bad.Type != typ) {
				t.Errorf("%s: %v: error %v", typ, v, err)
			}
		}
	}
	err := &ValueError{Type: Q4_0, Index: 17, Value: inf}
	if want := "element 17 is -Inf, which Q4_0 cannot hold"; err.Error() != want {
		t.Errorf("%q, want %q", err.Error(), want)
	}
}

// Zeros, numbers too small for a scale, constants, outliers and wide ranges stay what they were as far as the type goes.
func TestQuantizeEdges(t *testing.T) {
	fill := func(v float32) []float32 {
		x := make([]float32, 256)
		for i := range x {
			x[i] = v
		}
		return x
	}
	outlier, steps := normal(256, 5), make([]float32, 256)
	outlier[77] = -65504
	for i := range steps {
		steps[i] = -65504 + 1e-3*float32(i)
	}
	wide := normal(256, 7)
	for i := range wide {
		wide[i] *= float32(math.Exp2(float64(i%60 - 45)))
	}
	cases := map[string]struct {
		x     []float32
		error float64 // relative; coarse types may have more
	}{
		"zero": {fill(0), 0}, "denormal": {fill(1e-42), 1}, "tiny": {fill(1e-9), 1}, "one": {fill(1), 0.005}, "minus one": {fill(-1), 0.005},
		"large": {fill(65504), 0.005}, "outlier": {outlier, 0.005}, "steps": {steps, 0.005}, "wide": {wide, 0.2},
	}
	for name, c := range cases {
		for typ := range Type(len(quantizers)) {
			if !typ.Quantizable() {
				continue
			}
			got := quantized(t, typ, c.x)
			limit := c.error
			switch {
			case typ == TQ1_0, typ == TQ2_0:
				limit = max(limit, 0.5)
			case typ == Q2_K, typ == Q3_K, typ == MXFP4:
				limit = max(limit, 0.3)
			case typ == IQ4_NL, typ == IQ4_XS: // no level is 0
				limit = max(limit, 0.05)
			}
			for i, v := range got {
				if v-v != 0 {
					t.Fatalf("%s, %s: element %d is %v", name, typ, i, v)
				}
			}
			if r := relative(c.x, got); name == "zero" && !slices.Equal(got, c.x) || r > limit {
				t.Errorf("%s, %s: relative distance %v", name, typ, r)
			}
		}
	}
}

// Numbers that are a type's own come back, whatever blocks they were: what was trained for a type, or quantized
// before, loses nothing. Only types without a search over scales of scales promise this.
func TestQuantizeAgain(t *testing.T) {
	for _, typ := range []Type{F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, IQ4_NL, MXFP4, TQ1_0, TQ2_0} {
		once := quantized(t, typ, normal(4096, 11))
		if r := relative(once, quantized(t, typ, once)); r > 1e-3 {
			t.Errorf("%s: a second time moves by %v", typ, r)
		}
	}
}

// A block is packed by itself: blocks alone and blocks in a row have the same bytes.
func TestQuantizeBlocks(t *testing.T) {
	src := normal(1024, 13)
	for typ := range Type(len(quantizers)) {
		if !typ.Quantizable() {
			continue
		}
		whole := make([]byte, typ.Bytes(len(src)))
		if err := Quantize(typ, whole, src); err != nil {
			t.Fatal(err)
		}
		n, size := typ.BlockElems(), typ.BlockBytes()
		block := bytes.Repeat([]byte{0xff}, size)
		for i := range len(src) / n {
			if err := Quantize(typ, block, src[i*n:][:n]); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(block, whole[i*size:][:size]) {
				t.Fatalf("%s: block %d alone differs", typ, i)
			}
		}
	}
}

func TestQuantizePanics(t *testing.T) {
	for name, f := range map[string]func(){
		"no quantizer": func() { _ = Quantize(IQ2_XXS, make([]byte, 66), make([]float32, 256)) },
		"part":         func() { _ = Quantize(Q4_0, make([]byte, 18), make([]float32, 31)) },
		"short":        func() { _ = Quantize(Q4_0, make([]byte, 17), make([]float32, 32)) },
		"not live":     func() { _ = Quantize(99, nil, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
}

// The blocks are the same on every platform: sums of those of source.f32 and of normal numbers. A change of an algorithm
// changes its sum; a platform must not.
func TestQuantizePlatforms(t *testing.T) {
	want := map[Type]uint32{
		F32: 0xaf0e267e, F16: 0x8ee79ed9, Q4_0: 0x1b992542, Q4_1: 0xadff5d21, Q5_0: 0xd321ac54,
		Q5_1: 0xe1caa292, Q8_0: 0x7d987b90, Q2_K: 0x53851b13, Q3_K: 0x39041647, Q4_K: 0x7c804fef,
		Q5_K: 0xcc668629, Q6_K: 0xf1ee2d01, IQ4_NL: 0xc2f1f791, IQ4_XS: 0x1d14e73a, BF16: 0x62a65482,
		TQ1_0: 0x227a8b4b, TQ2_0: 0x0c1c18a3, MXFP4: 0x16421340,
	}
	src := append(readFloats(t, "source.f32"), normal(1<<14, 17)...)
	for typ := range Type(len(quantizers)) {
		if !typ.Quantizable() {
			continue
		}
		blocks := make([]byte, typ.Bytes(len(src)))
		if err := Quantize(typ, blocks, src); err != nil {
			t.Fatal(err)
		}
		if sum := crc32.ChecksumIEEE(blocks); sum != want[typ] {
			t.Errorf("%s: %#08x, want %#08x", typ, sum, want[typ])
		}
	}
}

// Numbers of all magnitudes, signs and patterns of bits that a type takes give finite numbers no farther away than
// nothing at all would be.
func TestQuantizeAnyNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := rapid.IntRange(-149, 15).Draw(t, "least exponent")
		high := rapid.IntRange(low, 15).Draw(t, "largest exponent")
		seed := rapid.Uint64().Draw(t, "seed")
		src := normal(512, seed)
		for i := range src {
			seed = seed*6364136223846793005 + 1442695040888963407
			src[i] = float32(math.Ldexp(1+float64(seed>>40)/(1<<25), low+int(seed>>8&0xffff)%(high-low+1)))
			if seed>>5&1 == 0 {
				src[i] = -src[i]
			}
			if seed>>3&3 == 0 {
				src[i] = 0
			}
		}
		for typ := range Type(len(quantizers)) {
			if !typ.Quantizable() {
				continue
			}
			got := make([]float32, len(src))
			blocks := make([]byte, typ.Bytes(len(src)))
			if err := Quantize(typ, blocks, src); err != nil {
				t.Fatal(err)
			}
			Dequantize(typ, got, blocks)
			for i, v := range got {
				if v-v != 0 {
					t.Fatalf("%s: element %d, %v, became %v", typ, i, src[i], v)
				}
			}
			if r := relative(src, got); r > 1.0001 {
				t.Fatalf("%s: relative distance %v", typ, r)
			}
		}
	})
}
