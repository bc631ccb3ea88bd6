package llmw

import (
	"bytes"
	"errors"
	"slices"
	"testing"

	"straw/quant"
)

func toy(t *testing.T) []byte {
	var b bytes.Buffer
	small := DefaultToy
	small.Vocab, small.Hidden = 8, 8
	if err := small.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestToyRoundTrip(t *testing.T) {
	file := toy(t)
	f, err := Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if names := slices.Collect(f.TensorNames()); len(names) != 3+9*2 {
		t.Errorf("%d tensors: %v", len(names), names)
	}
	typ, dims, ok := f.TensorInfo("blk.1.ffn_down.weight")
	if !ok || typ != quant.F32 || !slices.Equal(dims, []int64{8, 32}) {
		t.Errorf("ffn_down: %v %v %v, want F32 with rows of 8", typ, dims, ok)
	}
	for key, want := range map[string]any{"llama.block_count": int64(2), "llama.rope.freq_base": 1e4, "general.name": "toy", "no": nil} {
		if got, _ := f.Get(key); got != want {
			t.Errorf("%s = %v, want %v", key, got, want)
		}
	}
	p := make([]byte, 8)
	if err := f.ReadTensorAt("output_norm.weight", p, 4); err != nil || !bytes.Equal(p, []byte{0, 0, 128, 63, 0, 0, 128, 63}) {
		t.Errorf("output_norm at 4: % x, %v; want two ones", p, err)
	}
	for _, off := range []int64{-1, 125, 1 << 40} {
		if err := f.ReadTensorAt("output_norm.weight", p, off); err == nil {
			t.Errorf("reading beyond the tensor at %d: no error", off)
		}
	}
	again := toy(t)
	if !bytes.Equal(file, again) {
		t.Error("two toys differ")
	}
}

func TestDamagedDirectory(t *testing.T) {
	file := toy(t)
	open := func(b []byte) error {
		_, err := Open(bytes.NewReader(b), int64(len(b)))
		return err
	}
	for n := 0; n < 1600; n += 7 { // the directory is longer than that
		if err := open(file[:n]); !errors.Is(err, ErrFormat) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
	for i := 0; i < 1600; i += 3 {
		b := slices.Clone(file)
		b[i] ^= 0xff
		if err := open(b); err != nil && !errors.Is(err, ErrFormat) {
			t.Fatalf("byte %d inverted: %v", i, err)
		}
	}
}
