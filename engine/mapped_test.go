package engine_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"straw/engine"
	"straw/engine/llmw"
	"straw/internal/pages"
	"straw/quant"
)

// placed is a model in a file that is mapped.
type placed struct {
	*llmw.File
	whole   *pages.Memory
	offsets map[string]int64
	path    string
	copied  bool // there is no mapping here

	mu      sync.Mutex
	changed error
	reads   int // of whole tensors
}

func (p *placed) ReadTensorAt(name string, b []byte, off int64) error {
	if len(b) > 0 {
		p.mu.Lock()
		p.reads++
		p.mu.Unlock()
	}
	return p.File.ReadTensorAt(name, b, off)
}

func (p *placed) TensorBytes(name string) ([]byte, error) {
	off, ok := p.offsets[name]
	if !ok {
		return nil, errors.ErrUnsupported
	}
	typ, dims, _ := p.TensorInfo(name)
	n := int64(typ.BlockBytes())
	for _, d := range dims {
		n *= d
	}
	return p.whole.Bytes()[off:][:n/int64(typ.BlockElems())], nil
}

func (p *placed) Unchanged() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// place maps r's model, the tensors whose names have the prefix aside.
func place(t *testing.T, r recipe, aside string) *placed {
	t.Helper()
	b := r.bytes(t)
	p := &placed{path: filepath.Join(t.TempDir(), "model"), offsets: map[string]int64{}}
	if err := os.WriteFile(p.path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(p.path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if p.whole, err = pages.Map(file.Fd(), int64(len(b))); errors.Is(err, errors.ErrUnsupported) {
		p.copied = true
		if p.whole, err = pages.New(int64(len(b))); err == nil {
			copy(p.whole.Bytes(), b)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.whole.Free)
	if p.File, err = llmw.Open(bytes.NewReader(b), int64(len(b))); err != nil {
		t.Fatal(err)
	}
	for name := range p.TensorNames() {
		if aside != "" && strings.HasPrefix(name, aside) {
			continue
		}
		first := make([]byte, 16)
		if err := p.File.ReadTensorAt(name, first, 0); err != nil {
			continue // shorter than that
		}
		p.offsets[name] = int64(bytes.Index(b, first))
	}
	return p
}

// Mapped weights are used in place, and give the same bits.
func TestMapped(t *testing.T) {
	for _, typ := range []quant.Type{quant.F32, quant.F16, quant.Q8_0} {
		r := recipe{arch: "llama", typ: typ}
		want := bits(eval(t, session(t, describe(t, r.file(t)), engine.Options{Threads: 1, Resident: true}), someTokens, true))
		for _, o := range []engine.Options{{Threads: 1}, {Threads: 3}, {Threads: 2, Resident: true}} {
			o.Mapped = true
			whole := place(t, r, "")
			s := session(t, describe(t, whole), o)
			read := whole.reads
			if !slices.Equal(bits(eval(t, s, someTokens, true)), want) {
				t.Errorf("%s: mapped weights give other bits", typ)
			}
			if st := s.Stats(); whole.reads != read || st.MappedBytes == 0 || st.RingBytes != 0 {
				t.Errorf("%s: %d reads in a pass, %d bytes mapped, a ring of %d", typ, whole.reads-read, st.MappedBytes, st.RingBytes)
			}
			// Some tensors cannot be mapped.
			some := session(t, describe(t, place(t, r, "blk.1.")), o)
			if !slices.Equal(bits(eval(t, some, someTokens, true)), want) {
				t.Errorf("%s: partly mapped weights give other bits", typ)
			}
			if got := some.Stats().MappedBytes; got == 0 || got >= s.Stats().MappedBytes {
				t.Errorf("%s: %d of %d bytes are mapped", typ, got, s.Stats().MappedBytes)
			}
		}
	}
}

var errChanged = errors.New("it is another file now")

// A file that changes under its mapping, and one that is cut so that pages are gone, end a pass with an error, whichever
// goroutine meets it; the timeline is as it was.
func TestMappedChanges(t *testing.T) {
	for _, threads := range []int{1, 3} {
		p := place(t, recipe{arch: "llama", typ: quant.F32}, "")
		s := session(t, describe(t, p), engine.Options{Mapped: true, Threads: threads})
		eval(t, s, someTokens[:4], false)
		p.changed = errChanged
		if _, err := s.Eval(context.Background(), someTokens[4:], false); !errors.Is(err, errChanged) {
			t.Errorf("a changed file: %v", err)
		}
		if err := os.Truncate(p.path, 4096); err != nil || p.copied {
			t.Logf("a mapped file cannot be cut here: %v", err)
			continue
		}
		for range 3 {
			if _, err := s.Eval(context.Background(), someTokens[4:], false); !errors.Is(err, errChanged) {
				t.Errorf("a cut file that is known to have changed: %v", err)
			}
		}
		p.changed = nil
		if _, err := s.Eval(context.Background(), someTokens[4:], false); err == nil || !strings.Contains(err.Error(), "could not be read") {
			t.Errorf("pages that are gone: %v", err)
		}
		if s.Len() != 4 {
			t.Errorf("%d tokens after failures, want 4", s.Len())
		}
	}
}

// faultless is a source whose mapping fails.
type faultless struct{ *placed }

func (faultless) TensorBytes(string) ([]byte, error) { return nil, errChanged }

func TestMappingFails(t *testing.T) {
	src := faultless{place(t, recipe{arch: "llama"}, "")}
	_, err := describe(t, src).NewSession(context.Background(), engine.Options{Mapped: true})
	if !errors.Is(err, errChanged) || !strings.Contains(err.Error(), "tensor blk.0.") && !strings.Contains(err.Error(), "tensor token_embd") {
		t.Errorf("got %v", err)
	}
}
