package engine_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"straw/engine"
	"straw/engine/llmw"
	"straw/quant"
)

func bits(rows [][]float32) []uint32 {
	var b []uint32
	for _, row := range rows {
		for _, x := range row {
			b = append(b, math.Float32bits(x))
		}
	}
	return b
}

// Nothing in Options but KV changes a bit, and neither does the way in which tokens are handed over.
func TestSameBits(t *testing.T) {
	for name, r := range map[string]recipe{
		"float": {arch: "qwen3", typ: quant.F16},
		"int8":  {arch: "llama", typ: quant.Q8_0},
		"fused": {arch: "llama", typ: quant.Q8_0, extra: []string{"attn_qkv.weight"}, without: []string{"attn_q.weight", "attn_k.weight", "attn_v.weight", "output.weight"}},
	} {
		m := describe(t, r.file(t))
		ids := slices.Repeat(someTokens, 4)[:70] // more than a page of the cache
		for _, kv := range []engine.KVType{engine.KVF32, engine.KVF16} {
			if testing.Short() && (kv == engine.KVF32 || name == "int8") {
				continue
			}
			want := bits(eval(t, session(t, m, engine.Options{Threads: 1, Resident: true, KV: kv}), ids, true))
			same := func(s *engine.Session, what string) {
				t.Helper()
				var got [][]float32
				for rest := ids; len(rest) > 0; rest = rest[min(23, len(rest)):] {
					got = append(got, eval(t, s, rest[:min(23, len(rest))], true)...)
				}
				if !slices.Equal(bits(got), want) {
					t.Errorf("%s, %s cache: %s gives other bits", name, kv, what)
				}
				// Again after a return to the middle, and only the last row.
				s.Truncate(30)
				last := eval(t, s, ids[30:], false)
				if !slices.Equal(bits(last), want[len(want)-vocab:]) {
					t.Errorf("%s, %s cache: %s gives other bits in the last row", name, kv, what)
				}
				s.Close()
			}
			same(session(t, m, engine.Options{Threads: 3, Resident: true, KV: kv}), "3 threads")
			same(session(t, m, engine.Options{Threads: 2, KV: kv}), "streaming")
			same(session(t, m, engine.Options{Threads: 1, KV: kv, NoPrefetch: true}), "streaming without read-ahead")
			for _, batch := range []int{1, 2, 7} {
				same(session(t, m, engine.Options{Threads: 2, Batch: batch, KV: kv}), "a small batch")
			}
			for _, chunk := range []int{300, 4096} {
				for depth := 1; depth <= 3; depth++ {
					some := func(t *engine.Tensor) bool { return len(t.Name)%3 == depth%3 }
					s, err := m.NewPartlyResident(engine.Options{Threads: 2, KV: kv, Batch: 16}, some, chunk, depth)
					if err != nil {
						t.Fatal(err)
					}
					same(s, "a small ring")
				}
			}
		}
	}
}

// Streamed weights are read once a pass, and nothing else is; the rows of the embedding that are used aside.
func TestStreamReadsOnce(t *testing.T) {
	f := recipe{arch: "llama"}.file(t)
	m := describe(t, f)
	var matrices int64
	for _, tensor := range m.Tensors() {
		if len(tensor.Shape) == 2 && tensor.Name != "token_embd.weight" {
			matrices += tensor.Bytes
		}
	}
	s := session(t, m, engine.Options{NoPrefetch: true})
	start := s.Stats().BytesRead
	eval(t, s, someTokens, false)
	if got, want := s.Stats().BytesRead-start, matrices+int64(len(someTokens))*embd*4; got != want {
		t.Errorf("a pass read %d bytes, want %d", got, want)
	}
	resident := session(t, m, engine.Options{Resident: true})
	start = resident.Stats().BytesRead
	eval(t, resident, someTokens, false)
	if got := resident.Stats().BytesRead; got != start || start < matrices {
		t.Errorf("resident weights: %d bytes read at the start, %d after a pass", start, got)
	}
	// With a small ring the reader is never far ahead.
	s, err := m.NewPartlyResident(engine.Options{}, func(*engine.Tensor) bool { return false }, 4096, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	before := s.Stats()
	for range 5 {
		eval(t, s, someTokens[:1], false)
	}
	after := s.Stats()
	if got, most := after.BytesRead-before.BytesRead, 5*(matrices+embd*4)+after.RingBytes; got > most {
		t.Errorf("5 passes read %d bytes, at most %d are right", got, most)
	}
	if after.RingBytes != 3*4096 {
		t.Errorf("ring has %d bytes", after.RingBytes)
	}
}

// faulty is a source that fails when told to.
type faulty struct {
	*llmw.File
	fail  atomic.Bool
	reads atomic.Int64
	slow  time.Duration
}

var errDisk = errors.New("disk is on fire")

func (f *faulty) ReadTensorAt(name string, p []byte, off int64) error {
	f.reads.Add(1)
	time.Sleep(f.slow)
	if f.fail.Load() {
		return errDisk
	}
	return f.File.ReadTensorAt(name, p, off)
}

// A failed read ends the call, names the tensor and leaves the session as it was.
func TestReadErrors(t *testing.T) {
	for _, o := range []engine.Options{{}, {NoPrefetch: true}} {
		f := &faulty{File: recipe{arch: "llama"}.file(t)}
		m := describe(t, f)
		good := bits(eval(t, session(t, m, o), someTokens, false))
		s, err := m.NewPartlyResident(o, func(*engine.Tensor) bool { return false }, 4096, 2)
		if err != nil {
			t.Fatal(err)
		}
		eval(t, s, someTokens[:5], false)
		f.fail.Store(true)
		for range 3 {
			_, err = s.Eval(context.Background(), someTokens[5:], false)
			if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), "weight") {
				t.Errorf("error is %v", err)
			}
		}
		if s.Len() != 5 {
			t.Errorf("%d tokens after a failure, want 5", s.Len())
		}
		f.fail.Store(false)
		var rows [][]float32
		for range 4 { // what was read ahead while the disk failed may fail once more
			if rows, err = s.Eval(context.Background(), someTokens[5:], false); err == nil {
				break
			}
		}
		if err != nil || !slices.Equal(bits(rows), good) {
			t.Errorf("after the failure: %v, or other logits", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		f.fail.Store(true)
		if _, err := m.NewSession(context.Background(), engine.Options{Resident: true}); !errors.Is(err, errDisk) {
			t.Errorf("loading: %v", err)
		}
	}
}

// shrinking is a file that loses its end.
type shrinking struct {
	*bytes.Reader
	size atomic.Int64
}

func (s *shrinking) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.Reader.ReadAt(p, off)
	if left := s.size.Load() - off; int64(n) > left {
		return int(max(0, left)), io.EOF
	}
	return n, err
}

func TestFileShrinks(t *testing.T) {
	b := recipe{arch: "llama"}.bytes(t)
	r := &shrinking{Reader: bytes.NewReader(b)}
	r.size.Store(int64(len(b)))
	f, err := llmw.Open(r, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	s := session(t, describe(t, f), engine.Options{})
	eval(t, s, someTokens[:3], false)
	r.size.Store(20000)
	for range 3 {
		_, err = s.Eval(context.Background(), someTokens, false)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("file shrank: %v", err)
	}
}

// Cancelling ends a call between layers and leaves the session as it was.
func TestCancel(t *testing.T) {
	f := &faulty{File: recipe{arch: "llama"}.file(t)}
	m := describe(t, f)
	s := session(t, m, engine.Options{NoPrefetch: true})
	first := eval(t, s, someTokens[:4], false)
	f.slow = time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	begun := f.reads.Load()
	go func() {
		for f.reads.Load() < begun+8 {
			runtime.Gosched()
		}
		cancel()
	}()
	if _, err := s.Eval(ctx, someTokens, false); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if s.Len() != 4 {
		t.Errorf("%d tokens after cancelling, want 4", s.Len())
	}
	s.Truncate(3)
	if again := eval(t, s, someTokens[3:4], false); !slices.Equal(bits(again), bits(first)) {
		t.Error("other logits after cancelling")
	}
	if _, err := s.Eval(ctx, someTokens, false); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before: %v", err)
	}
	if _, err := m.NewSession(ctx, engine.Options{Resident: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while loading: %v", err)
	}
}

func TestMisuse(t *testing.T) {
	m := describe(t, recipe{arch: "llama"}.file(t))
	s := session(t, m, engine.Options{Context: 6})
	ctx := context.Background()
	if s.Context() != 6 {
		t.Errorf("context of %d", s.Context())
	}
	for _, ids := range [][]int{{-1}, {vocab}, {1, 2, 1 << 30}} {
		if _, err := s.Eval(ctx, ids, false); err == nil {
			t.Errorf("tokens %v: no error", ids)
		}
	}
	if _, err := s.Eval(ctx, someTokens[:7], false); !errors.Is(err, engine.ErrContext) {
		t.Errorf("7 tokens in a context of 6: %v", err)
	}
	eval(t, s, someTokens[:6], false)
	if _, err := s.Eval(ctx, someTokens[:1], false); !errors.Is(err, engine.ErrContext) {
		t.Errorf("a full context: %v", err)
	}
	if rows, err := s.Eval(ctx, nil, true); rows != nil || err != nil {
		t.Errorf("no tokens: %v, %v", rows, err)
	}
	s.Close()
	s.Close()
	if _, err := s.Eval(ctx, someTokens[:1], false); !errors.Is(err, engine.ErrClosed) {
		t.Errorf("closed session: %v", err)
	}
	var unsupported *engine.UnsupportedError
	if _, err := m.NewSession(ctx, engine.Options{KV: quant.Q4_0}); !errors.As(err, &unsupported) {
		t.Errorf("cache of Q4_0: %v", err)
	}
	if _, err := m.NewSession(ctx, engine.Options{KV: engine.KVQ8_0}); !errors.As(err, &unsupported) {
		t.Errorf("cache of Q8_0 with heads of 16: %v", err)
	}
}

// A token costs its logits and nothing more.
func TestAllocations(t *testing.T) {
	for _, o := range []engine.Options{{Threads: 2, Resident: true}, {Threads: 1}} {
		s := session(t, describe(t, recipe{arch: "llama", typ: quant.F16}.file(t)), o)
		eval(t, s, someTokens, false)
		ctx := context.Background()
		n := testing.AllocsPerRun(50, func() {
			s.Truncate(20)
			if _, err := s.Eval(ctx, someTokens[:1], false); err != nil {
				t.Fatal(err)
			}
		})
		if n > 3 && !raceDetector {
			t.Errorf("%+v: %v allocations a token, want 2", o, n)
		}
	}
}

// plain is a backend of one goroutine that multiplies row by row.
type plain struct {
	acts   quant.Activations
	x      []float32
	k      int
	closed bool
}

func (*plain) Name() string { return "plain" }
func (*plain) Workers() int { return 1 }
func (p *plain) Close()     { p.closed = true }

func (*plain) Each(n int, f func(worker, i int)) {
	for i := n - 1; i >= 0; i-- {
		f(0, i)
	}
}

func (p *plain) Load(x []float32, k int) { p.x, p.k = x, k }

func (p *plain) Mul(dst []float32, stride int, t quant.Type, w []byte) {
	p.acts.Set(t.Form(), p.x, p.k)
	for size, r := t.Bytes(p.k), 0; r*size < len(w); r++ {
		quant.MulRows(dst[r:], stride, t, w[r*size:(r+1)*size], p.k, &p.acts)
	}
}

func TestOtherBackend(t *testing.T) {
	m := describe(t, recipe{arch: "qwen3", typ: quant.Q8_0}.file(t))
	want := bits(eval(t, session(t, m, engine.Options{Threads: 2}), someTokens, true))
	var loaded, total int64
	b := &plain{}
	s := session(t, m, engine.Options{Backend: b, Resident: true, Progress: func(done, of int64) {
		if done < loaded || done > of {
			t.Errorf("progress went from %d to %d of %d", loaded, done, of)
		}
		loaded, total = done, of
	}})
	if loaded != total || loaded != s.Stats().BytesRead {
		t.Errorf("progress ended at %d of %d, %d bytes read", loaded, total, s.Stats().BytesRead)
	}
	if !slices.Equal(bits(eval(t, s, someTokens, true)), want) {
		t.Error("another backend gives other bits")
	}
	s.Close()
	if s.Backend() != "plain" || !b.closed {
		t.Errorf("backend %s, closed %v", s.Backend(), b.closed)
	}
}
