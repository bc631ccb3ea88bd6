package quant

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// goldenDir holds what the reference decodes blocks of every type to; manifest.json says how it was made.
const goldenDir = "../testdata/dequant"

type golden struct {
	Name         string
	Code         Type
	Block, Bytes int
	FromSource   int `json:"from_source"`
	Random       int
	RelRMSE      float64 `json:"rel_rmse"` // distance of the values from source.f32
}

// goldens is the types of the manifest.
func goldens(t testing.TB) []golden {
	var manifest struct{ Types []golden }
	if err := json.Unmarshal(readFile(t, "manifest.json"), &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Types
}

func readFile(t testing.TB, name string) []byte {
	data, err := os.ReadFile(filepath.Join(goldenDir, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func readFloats(t testing.TB, name string) []float32 {
	data := readFile(t, name)
	f := make([]float32, len(data)/4)
	for i := range f {
		f[i] = math.Float32frombits(le.Uint32(data[4*i:]))
	}
	return f
}

// same is equality of bits, any NaN being equal to any other.
func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func TestDequantizeGolden(t *testing.T) {
	tested := map[string]bool{}
	for _, g := range goldens(t) {
		t.Run(g.Name, func(t *testing.T) {
			if got := strings.ToLower(g.Code.String()); got != g.Name || g.Code.BlockElems() != g.Block || g.Code.BlockBytes() != g.Bytes {
				t.Fatalf("type %d is %s %d/%d, want %s %d/%d", g.Code, got, g.Code.BlockElems(), g.Code.BlockBytes(), g.Name, g.Block, g.Bytes)
			}
			src, want := readFile(t, g.Name+".blocks"), readFloats(t, g.Name+".f32")
			if len(want) != g.FromSource+g.Random {
				t.Fatalf("%d values, manifest says %d", len(want), g.FromSource+g.Random)
			}
			got := make([]float32, len(want))
			Dequantize(g.Code, got, src)
			for i := range want {
				if !same(got[i], want[i]) {
					t.Fatalf("element %d of %d is %v, want %v", i, len(want), got[i], want[i])
				}
			}
			// Any one block alone gives the same numbers.
			block := make([]float32, g.Block)
			for b := 0; b < len(want)/g.Block; b += 3 {
				Dequantize(g.Code, block, src[b*g.Bytes:(b+1)*g.Bytes])
				if !slices.EqualFunc(block, want[b*g.Block:(b+1)*g.Block], same) {
					t.Fatalf("block %d alone differs", b)
				}
			}
		})
		tested[g.Name+".blocks"], tested[g.Name+".f32"] = true, true
	}
	entries, err := os.ReadDir(goldenDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); !tested[name] && name != "manifest.json" && name != "source.f32" {
			t.Errorf("%s: not tested", name)
		}
	}
	if len(tested) != 2*35 {
		t.Errorf("%d files tested, want 35 pairs", len(tested))
	}
}

// Blocks that were made from a known source decode to something as far from it as the manifest notes.
func TestDequantizeNearSource(t *testing.T) {
	source := readFloats(t, "source.f32")
	for _, g := range goldens(t) {
		if g.FromSource == 0 {
			continue
		}
		got := make([]float32, g.FromSource)
		Dequantize(g.Code, got, readFile(t, g.Name+".blocks")[:g.Code.Bytes(g.FromSource)])
		var diff, norm float64
		for i, v := range got {
			d := float64(v) - float64(source[i])
			diff += d * d
			norm += float64(source[i]) * float64(source[i])
		}
		if r := math.Sqrt(diff / norm); math.Abs(r-g.RelRMSE) > 0.01*g.RelRMSE {
			t.Errorf("%s: relative distance to the source %.5f, manifest says %.5f", g.Name, r, g.RelRMSE)
		}
	}
}

func TestDequantizePanicsOnLengths(t *testing.T) {
	for name, call := range map[string]func(){
		"type":         func() { Dequantize(4, make([]float32, 32), make([]byte, 18)) },
		"far type":     func() { Dequantize(1<<32-1, nil, nil) },
		"part block":   func() { Dequantize(Q4_0, make([]float32, 31), make([]byte, 18)) },
		"short bytes":  func() { Dequantize(Q4_0, make([]float32, 32), make([]byte, 17)) },
		"excess bytes": func() { Dequantize(Q6_K, make([]float32, 256), make([]byte, 211)) },
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

func BenchmarkDequantize(b *testing.B) {
	for _, g := range goldens(b) {
		b.Run(g.Name, func(b *testing.B) {
			src := readFile(b, g.Name+".blocks")
			dst := make([]float32, len(src)/g.Bytes*g.Block)
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				Dequantize(g.Code, dst, src)
			}
		})
	}
}
