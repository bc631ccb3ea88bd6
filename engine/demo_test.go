package engine_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	kernels "straw"
	"straw/engine"
	"straw/tokenizer"
)

// demoGolden is testdata/demo/golden.json, of the demo model and llama.cpp v0.5.0.
type demoGolden struct {
	Prompts []struct {
		ID     string
		Tokens []int
		Greedy map[string][]int
	}
	Last map[string]any `json:"last_logits"`
}

// demoFiles are the demo model's files by type: F16 in testdata, the others in ../shared where it is.
func demoFiles() map[string]string {
	files := map[string]string{"F16": "../testdata/demo/sip-tales-3m-F16.gguf"}
	for _, typ := range []string{"F32", "Q8_0", "Q4_K_M"} {
		path := "../../shared/demo/sip-tales-3m-" + typ + ".gguf"
		if _, err := os.Stat(path); err == nil {
			files[typ] = path
		}
	}
	return files
}

// Greedy tokens of float files are the reference's, at any number of threads, resident or streamed.
func TestDemoGreedy(t *testing.T) {
	var g demoGolden
	readJSON(t, "../testdata/demo/golden.json", &g)
	for typ, path := range demoFiles() {
		if typ != "F16" && typ != "F32" {
			continue
		}
		m := describe(t, open(t, path))
		for n := 1; n <= 4; n++ {
			s := session(t, m, engine.Options{Threads: n, Resident: n%2 == 0})
			for i, p := range g.Prompts {
				// All prompts with two threads, one prompt with each other number: TestSameBits has the rest.
				if n != 2 && i != n || testing.Short() && i != n {
					continue
				}
				s.Truncate(0)
				ids := p.Tokens
				for i, want := range p.Greedy[typ] {
					if testing.Short() && i == 12 {
						break
					}
					row := eval(t, s, ids, false)[0]
					if got := argmax(row); got != want {
						t.Errorf("%s, %d threads, %s: token %d is %d, want %d", typ, n, p.ID, i, got, want)
						break
					}
					ids = []int{want}
				}
			}
		}
	}
}

// Logits of one prompt, against PyTorch on the F32 weights, or the reference on the same file where that quantizes
// activations too.
func TestDemoLogits(t *testing.T) {
	var g demoGolden
	readJSON(t, "../testdata/demo/golden.json", &g)
	numbers := func(key string) []float32 {
		list, _ := g.Last[key].([]any)
		v := make([]float32, len(list))
		for i, x := range list {
			v[i] = float32(x.(float64))
		}
		return v
	}
	var tokens []int
	for _, x := range numbers("tokens") {
		tokens = append(tokens, int(x))
	}
	// The F16 file is the F32 file rounded, and the reference rounds activations to F16 as well.
	for typ, bound := range map[string]float64{"F32": 1e-4, "F16": 0.02, "Q8_0": 0.3, "Q4_K_M": 0.5} {
		path, ok := demoFiles()[typ]
		if !ok {
			continue
		}
		s := session(t, describe(t, open(t, path)), engine.Options{Threads: 2})
		d := worst(eval(t, s, tokens, false)[0], numbers(typ))
		t.Logf("%s: logits differ by %.2g", typ, d)
		if d > bound {
			t.Errorf("%s: logits differ by %.3g, more than %g", typ, d, bound)
		}
	}
}

// Perplexity of the held-out text, as the model card counts it: pieces of 511 tokens, BOS before each, every token
// scored.
func TestDemoPerplexity(t *testing.T) {
	text, err := os.ReadFile("../../shared/demo/heldout.txt")
	if err != nil || testing.Short() || kernels.Name() == "generic" {
		t.Log("needs ../shared/demo/heldout.txt, and kernels that are not slow")
		return
	}
	for typ, want := range map[string]float64{"F16": 1.3365, "Q8_0": 1.3360, "Q4_K_M": 1.3384} {
		path, ok := demoFiles()[typ]
		if !ok {
			continue
		}
		f := open(t, path)
		tok, err := tokenizer.New(f)
		if err != nil {
			t.Fatal(err)
		}
		ids := tok.Encode(string(text), tokenizer.Options{ParseSpecial: true})
		bos, _ := tok.BOS()
		s := session(t, describe(t, f), engine.Options{Threads: 2, Resident: true})
		sum, n := 0.0, 0
		for ; len(ids) > 0; ids = ids[min(511, len(ids)):] {
			piece := append([]int{bos}, ids[:min(511, len(ids))]...)
			s.Truncate(0)
			rows := eval(t, s, piece, true)
			for i, id := range piece[1:] {
				sum -= logProbability(rows[i], id)
				n++
			}
		}
		got := math.Exp(sum / float64(n))
		t.Logf("%s: perplexity %.4f, the card says %.4f", filepath.Base(path), got, want)
		if math.Abs(got/want-1) > 0.002 {
			t.Errorf("%s: perplexity %.4f, want %.4f", typ, got, want)
		}
	}
}

func logProbability(row []float32, id int) float64 {
	top, sum := float64(row[argmax(row)]), 0.0
	for _, x := range row {
		sum += math.Exp(float64(x) - top)
	}
	return float64(row[id]) - top - math.Log(sum)
}

func BenchmarkDemo(b *testing.B) {
	for _, typ := range []string{"F16", "Q8_0", "Q4_K_M"} {
		path, ok := demoFiles()[typ]
		if !ok {
			continue
		}
		m := describe(b, open(b, path))
		prompt := make([]int, 128)
		for i := range prompt {
			prompt[i] = i * 7 % 1000
		}
		for _, c := range []struct {
			name string
			o    engine.Options
		}{
			{"resident", engine.Options{Threads: 1, Resident: true, KV: engine.KVF16}},
			{"resident2", engine.Options{Threads: 2, Resident: true, KV: engine.KVF16}},
			{"streamed", engine.Options{Threads: 1, KV: engine.KVF16}},
		} {
			s := session(b, m, c.o)
			b.Run(typ+"/"+c.name+"/prompt128", func(b *testing.B) {
				for b.Loop() {
					s.Truncate(0)
					eval(b, s, prompt, false)
				}
				b.ReportMetric(128*float64(b.N)/b.Elapsed().Seconds(), "tok/s")
			})
			b.Run(typ+"/"+c.name+"/generate", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					s.Truncate(128)
					eval(b, s, prompt[:1], false)
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "tok/s")
			})
		}
	}
}
