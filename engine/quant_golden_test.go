package engine_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"straw/engine"
)

// Rounding activations to int8 costs accuracy: of each type, in a model of it, no more than 1.1 times what it costs
// llama.cpp, as root mean square distance of the logits to those of exact arithmetic.
func TestGoldenQuantized(t *testing.T) {
	files, err := filepath.Glob("../../shared/golden/tiny_quant/*.gguf")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".gguf"), func(t *testing.T) {
			var g struct {
				golden
				Ref struct {
					Logits [][]float32
					RMS    float64 `json:"rms_diff_to_exact"`
				} `json:"ref_quant"`
			}
			readJSON(t, strings.TrimSuffix(path, ".gguf")+".json", &g)
			s := session(t, describe(t, open(t, path)), engine.Options{Threads: 2})
			rows := eval(t, s, g.Tokens, true)
			sum, n := 0.0, 0
			for i, p := range g.Positions {
				for j, want := range g.Logits[i] {
					d := float64(rows[p][j]) - float64(want)
					sum += d * d
					n++
				}
			}
			rms := math.Sqrt(sum / float64(n))
			t.Logf("distance %.4f, of llama.cpp %.4f, ratio %.3f", rms, g.Ref.RMS, rms/g.Ref.RMS)
			if rms > 1.1*g.Ref.RMS && rms > 1e-4 {
				t.Errorf("distance to exact arithmetic is %.4f, %.2f times that of llama.cpp", rms, rms/g.Ref.RMS)
			}
		})
	}
}
