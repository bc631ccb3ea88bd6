package gguf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"straw/quant"
)

// counter counts reads.
type counter struct {
	r     io.ReaderAt
	reads int
	bytes int64
}

func (c *counter) ReadAt(p []byte, off int64) (int, error) {
	c.reads++
	n, err := c.r.ReadAt(p, off)
	c.bytes += int64(n)
	return n, err
}

// vocabulary is a file with the header of a model of n tokens and as many merges.
func vocabulary(n int) []byte {
	words, merges := make([]string, n), make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("Ġtoken%d", i)
		merges[i] = fmt.Sprintf("Ġtok en%d", i)
	}
	types := make([]any, n)
	for i := range types {
		types[i] = int32(1)
	}
	e := encode(3).kv("general.architecture", "llama").kv("tokenizer.ggml.tokens", words).kv("tokenizer.ggml.token_type", types).kv("tokenizer.ggml.merges", merges)
	for i := range 300 {
		e.tensor(fmt.Sprintf("blk.%d.weight", i), []uint64{8}, quant.F32, filled(32, i))
	}
	return e.bytes()
}

// A lazy reader is tested for how little it reads.
func TestReads(t *testing.T) {
	for _, n := range []int{0, 1000, 20_000, 152_000} {
		b := append(vocabulary(n), make([]byte, 8<<20)...) // bytes after the data: never read
		r := &counter{r: bytes.NewReader(b)}
		f, err := Open(r, int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		header := f.DataOffset
		if most := int((header+windowBytes-1)/windowBytes) + 1; r.reads > most || r.bytes > header+windowBytes {
			t.Errorf("%d tokens: %d reads, %d bytes for a header of %d", n, r.reads, r.bytes, header)
		}
		if n == 0 {
			continue
		}
		r.reads = 0
		if _, err := f.Get("tokenizer.ggml.tokens"); err != nil || r.reads > 1 {
			t.Errorf("%d tokens: %d reads to get them, %v", n, r.reads, err)
		}
		r.reads, r.bytes = 0, 0
		v, _ := f.Value("tokenizer.ggml.tokens")
		got, err := v.Slice(n/2, 1)
		if err != nil || got.([]string)[0] != fmt.Sprintf("Ġtoken%d", n/2) || r.reads > 1 || r.bytes > 2*markStep*32 {
			t.Errorf("one token of %d: %v, %v, %d reads, %d bytes", n, got, err, r.reads, r.bytes)
		}
	}
}

// What is large and passed over is not read.
func TestLargeValuesAreNotRead(t *testing.T) {
	big := strings.Repeat("x", 6<<20)
	numbers := make([]any, 400_000)
	for i := range numbers {
		numbers[i] = uint64(i)
	}
	b := encode(3).kv("text", big).kv("numbers", numbers).kv("end", uint8(1)).bytes()
	r := &counter{r: bytes.NewReader(b)}
	f, err := Open(r, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if r.bytes > 3<<20 {
		t.Errorf("%d bytes read in %d reads", r.bytes, r.reads)
	}
	if s, err := f.Get("text"); s != big {
		t.Errorf("the long text differs: %v", err)
	}
}

// troubled is a reader as the interface allows it: short reads, interruptions, the end told together with bytes.
type troubled struct {
	b   []byte
	rng *rand.Rand
}

func (r *troubled) ReadAt(p []byte, off int64) (int, error) {
	if off >= int64(len(r.b)) {
		return 0, io.EOF
	}
	switch r.rng.IntN(8) {
	case 0:
		return 0, syscall.EINTR
	case 1:
		return 0, nil
	}
	n := copy(p[:1+r.rng.IntN(len(p))], r.b[off:])
	switch {
	case off+int64(n) == int64(len(r.b)):
		return n, io.EOF
	case n < len(p) && r.rng.IntN(2) == 0:
		return n, syscall.EINTR
	case n < len(p) && r.rng.IntN(2) == 0:
		return n, io.ErrUnexpectedEOF
	}
	return n, nil
}

func TestShortAndInterruptedReads(t *testing.T) {
	b := vocabulary(30_000)
	want, err := openBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(20) {
		r := &troubled{b, rand.New(rand.NewPCG(seed, 1))}
		f, err := Open(r, int64(len(b)))
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(f.Tensors) != len(want.Tensors) || f.DataOffset != want.DataOffset {
			t.Fatalf("seed %d: %d tensors at %d", seed, len(f.Tensors), f.DataOffset)
		}
		words, err := f.Get("tokenizer.ggml.tokens")
		if err != nil || words.([]string)[29_999] != "Ġtoken29999" {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got := make([]byte, 32)
		if err := f.ReadTensorAt("blk.7.weight", got, 0); err != nil || !bytes.Equal(got, filled(32, 7)) {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}

type failing struct {
	io.ReaderAt
	from int64 // reads that reach beyond it fail
	err  error
}

func (r failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > r.from {
		return 0, r.err
	}
	return r.ReaderAt.ReadAt(p, off)
}

func TestReadErrors(t *testing.T) {
	b := vocabulary(100_000)
	broken := errors.New("the disk is on fire")
	f, err := Open(failing{bytes.NewReader(b), 2 << 20, broken}, int64(len(b)))
	var e *Error
	if !errors.Is(err, broken) || !errors.As(err, &e) || e.Kind() != "io" {
		t.Errorf("%v", err)
	}
	if len(f.Metadata) != 1 {
		t.Errorf("%d keys were read before the error", len(f.Metadata))
	}
	for name, r := range map[string]io.ReaderAt{
		"no progress": failing{bytes.NewReader(b), 0, nil},
		"interrupted": failing{bytes.NewReader(b), 0, syscall.EINTR},
	} {
		if _, err := Open(r, int64(len(b))); !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// shrinking is a file that becomes shorter after it was opened.
type shrinking struct{ b []byte }

func (s *shrinking) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(s.b).ReadAt(p, off)
}

func TestFileThatShrinks(t *testing.T) {
	b := vocabulary(50_000)
	s := &shrinking{b}
	f, err := Open(s, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	s.b = b[:len(b)/2]
	for what, err := range map[string]error{
		"tensor": f.ReadTensorAt("blk.299.weight", make([]byte, 32), 0),
		"array":  second(f.Get("tokenizer.ggml.merges")),
		"open":   second(Open(s, int64(len(b)))),
	} {
		if !errors.Is(err, ErrTruncated) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// A file that changes under us gives an error, not a crash.
func TestFileThatChanges(t *testing.T) {
	b := vocabulary(10_000)
	f, err := openBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := f.Value("tokenizer.ggml.tokens")
	for i := range b[v.Offset() : v.Offset()+100_000] {
		b[v.Offset()+int64(i)] = 0xff
	}
	if _, err := f.Get("tokenizer.ggml.tokens"); !errors.Is(err, ErrTruncated) {
		t.Errorf("%v", err)
	}
}
