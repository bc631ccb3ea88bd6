package quantize

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"straw/gguf"
	"straw/quant"
)

// reference is a model of testdata/quantize/mixes.json.
type reference struct {
	Name, Architecture string
	Keys               map[string]uint32
	Tensors            []struct {
		Name   string
		Dims   []uint64
		From   string
		Layers []int
		To     map[string]string
	}
}

func references(t *testing.T) (models []reference) {
	t.Helper()
	b, err := os.ReadFile("../../testdata/quantize/mixes.json")
	if err == nil {
		err = json.Unmarshal(b, &models)
	}
	if err != nil {
		t.Fatal(err)
	}
	return models
}

// file is the model with weights of zero, and the type the mix gives each tensor.
func (r reference) file(t *testing.T) (f *gguf.File, want map[string]map[string]string) {
	t.Helper()
	keys := []any{"general.architecture", r.Architecture}
	for k, n := range r.Keys {
		keys = append(keys, k, n)
	}
	want = map[string]map[string]string{}
	var tensors []tensor
	for _, x := range r.Tensors {
		typ, ok := quant.ParseType(x.From)
		if !ok {
			t.Fatal(x.From)
		}
		names := []string{x.Name}
		if len(x.Layers) == 2 && x.Layers[1] < 0 {
			names = nil
			for i := x.Layers[0]; i < -x.Layers[1]; i++ {
				names = append(names, strings.Replace(x.Name, "%", strconv.Itoa(i), 1))
			}
		} else if len(x.Layers) > 0 {
			names = nil
			for _, i := range x.Layers {
				names = append(names, strings.Replace(x.Name, "%", strconv.Itoa(i), 1))
			}
		}
		for _, name := range names {
			tensors = append(tensors, tensor{name, x.Dims, typ})
			want[name] = map[string]string{}
		}
		for mix, runs := range x.To {
			at := 0
			for run := range strings.FieldsSeq(runs) {
				typ, times, _ := strings.Cut(run, "*")
				n := 1
				if times != "" {
					n, _ = strconv.Atoi(times)
				}
				for range n {
					want[names[at]][mix] = typ
					at++
				}
			}
			if at != len(names) {
				t.Fatalf("%s %s: %d types for %d tensors", x.Name, mix, at, len(names))
			}
		}
	}
	return made(t, keys, tensors), want
}

type tensor struct {
	name string
	dims []uint64
	typ  quant.Type
}

// made is a file with keys, by name and value, and tensors of zeros.
func made(t *testing.T, keys []any, tensors []tensor) *gguf.File {
	t.Helper()
	var d gguf.Draft
	for i := 0; i < len(keys); i += 2 {
		v, ok := gguf.ValueOf(keys[i+1])
		if !ok {
			t.Fatal(keys[i])
		}
		d.Set(keys[i].(string), v)
	}
	for _, x := range tensors {
		if err := d.Add(x.name, x.dims, x.typ, func(w io.Writer) error {
			n := 1
			for _, d := range x.dims {
				n *= int(d)
			}
			_, err := w.Write(make([]byte, x.typ.Bytes(n)))
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	var b strings.Builder
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Open(strings.NewReader(b.String()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestMixes(t *testing.T) {
	for _, r := range references(t) {
		f, want := r.file(t)
		for _, m := range Mixes {
			j, err := Plan(f, Options{Mix: m, Threads: 1, Requantize: true})
			if err != nil {
				t.Errorf("%s, %s: %v", r.Name, m.Name, err)
				continue
			}
			bad := 0
			for _, c := range j.Changes {
				w := want[c.Tensor.Name][m.Name]
				if w == "" {
					w = c.Tensor.Type.String()
				}
				if bad < 3 && c.To.String() != w {
					t.Errorf("%s, %s: %s is %s, the reference has %s", r.Name, m.Name, c.Tensor.Name, c.To, w)
					bad++
				}
			}
		}
	}
}

func TestParseMix(t *testing.T) {
	for in, want := range map[string]string{"q4_k_m": "Q4_K_M", "Q4_K": "Q4_K_M", "q3_k": "Q3_K_M", "Q5_K": "Q5_K_M", "bf16": "BF16", "IQ2_XXS": "", "": ""} {
		if m, ok := ParseMix(in); ok != (want != "") || m.Name != want {
			t.Errorf("%q is %q", in, m.Name)
		}
	}
	for _, m := range Mixes {
		f := made(t, []any{"general.file_type", m.FileType}, nil)
		if name, _ := f.FileType(); name != m.Name {
			t.Errorf("%s: file type %d is %s", m.Name, m.FileType, name)
		}
		if !m.Base.Quantizable() {
			t.Errorf("%s: %s has no quantizer", m.Name, m.Base)
		}
	}
}

// Types that are asked for, all the same, rows that fit nothing, and what stays as it is.
func TestPlanOptions(t *testing.T) {
	f := made(t, []any{"general.architecture", "llama", "llama.block_count", uint32(1)}, []tensor{
		{"token_embd.weight", []uint64{256, 4}, quant.F16}, {"output.weight", []uint64{256, 4}, quant.F16}, {"blk.0.ffn_down.weight", []uint64{96, 4}, quant.F16},
		{"blk.0.ffn_up.weight", []uint64{50, 4}, quant.F32}, {"blk.0.attn_v.weight", []uint64{256, 4}, quant.BF16}, {"blk.0.attn_q.bias", []uint64{256}, quant.F32},
		{"blk.0.ids.weight", []uint64{256, 2}, quant.I32}, {"blk.0.attn_k.weight", []uint64{256, 1}, quant.F16},
	})
	for _, c := range []struct {
		mix  string
		o    Options
		want string
	}{
		{"Q4_K_M", Options{}, "Q4_K Q6_K Q8_0 F16 Q6_K F32 I32 F16"},
		{"Q4_K_M", Options{Pure: true}, "Q4_K Q4_K Q5_0 F16 Q4_K F32 I32 F16"},
		{"Q4_K_M", Options{Output: quant.Q8_0, Embedding: quant.Q5_K}, "Q5_K Q8_0 Q8_0 F16 Q6_K F32 I32 F16"},
		{"Q6_K", Options{}, "Q6_K Q6_K Q8_0 F16 Q6_K F32 I32 F16"},
		{"IQ4_XS", Options{}, "IQ4_XS Q6_K IQ4_NL F16 IQ4_XS F32 I32 F16"},
		{"Q8_0", Options{}, "Q8_0 Q8_0 Q8_0 F16 Q8_0 F32 I32 F16"},
		{"F16", Options{}, "F16 F16 F16 F16 F16 F32 I32 F16"},
		{"F32", Options{Output: quant.BF16}, "F32 BF16 F32 F32 F32 F32 I32 F16"},
	} {
		c.o.Mix = mix(t, c.mix)
		j, err := Plan(f, c.o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range j.Changes {
			got = append(got, fmt.Sprint(x.To))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s %+v: %s, want %s", c.mix, c.o, s, c.want)
		}
	}
}
