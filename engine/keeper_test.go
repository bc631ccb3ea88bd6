package engine_test

import (
	"errors"
	"io"
	"slices"
	"testing"

	"straw/engine"
	"straw/quant"
)

// elsewhere is a backend that holds rows of every type but one itself.
type elsewhere struct {
	engine.Backend
	not   quant.Type
	room  int64 // bytes
	taken int64
	x     []float32
}

var errNoRoom = errors.New("no room")

func (e *elsewhere) Load(x []float32, k int) {
	e.Backend.Load(x, k)
	e.x = x
}

func (e *elsewhere) Keep(t quant.Type, k int, n int64) (engine.Kept, error) {
	if t == e.not {
		return nil, nil
	}
	if e.taken += n; e.taken > e.room {
		return nil, errNoRoom
	}
	return &shelf{e, t, t.Bytes(k), make([]byte, n)}, nil
}

type shelf struct {
	*elsewhere
	typ      quant.Type
	rowBytes int
	bytes    []byte
}

func (s *shelf) Mul(dst []float32, stride, first, rows int) {
	s.Backend.Mul(dst, stride, s.typ, s.bytes[first*s.rowBytes:][:rows*s.rowBytes])
}

func (s *shelf) WriteAt(p []byte, off int64) (int, error) { return copy(s.bytes[off:], p), nil }

func (s *shelf) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, s.bytes[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// A backend may hold matrices: whole ones, the first rows of some, the embedding. The bits stay.
func TestKeeper(t *testing.T) {
	plain := recipe{arch: "llama", typ: quant.Q8_0}
	tied, fused := plain, plain
	tied.without = []string{"output.weight"}
	fused.extra, fused.without = []string{"attn_qkv.weight"}, []string{"attn_q.weight", "attn_k.weight", "attn_v.weight"}
	for name, f := range map[string]engine.WeightSource{
		"plain": plain.file(t), "tied": tied.file(t), "fused": fused.file(t), "experts": open(t, "../testdata/tiny/gpt-oss.gguf"),
	} {
		m := describe(t, f)
		want := bits(eval(t, session(t, m, engine.Options{Threads: 1, Resident: true}), someTokens, true))
		for _, o := range []engine.Options{{Resident: true}, {Budget: halfOf(t, m)}} {
			e := &elsewhere{Backend: engine.NewCPU(2), not: quant.F16, room: 1 << 30}
			o.Backend = e
			s := session(t, m, o)
			if got := bits(eval(t, s, someTokens, true)); !slices.Equal(got, want) {
				t.Errorf("%s, budget %d: other bits", name, o.Budget)
			}
			if e.taken == 0 {
				t.Errorf("%s, budget %d: the backend was given nothing", name, o.Budget)
			}
			if stats := s.Stats(); stats.ResidentBytes < e.taken {
				t.Errorf("%s: %d bytes resident, the backend alone has %d", name, stats.ResidentBytes, e.taken)
			}
			s.Close()
		}
	}
}

// halfOf is a budget in which about half of the model fits.
func halfOf(t *testing.T, m *engine.Model) int64 {
	t.Helper()
	p, err := m.Forecast(engine.Options{Budget: 1 << 40})
	if err != nil {
		t.Fatal(err)
	}
	return (p.Least + p.Ledger.Total()) / 2
}

func TestKeeperWithoutRoom(t *testing.T) {
	m := describe(t, recipe{arch: "llama", typ: quant.Q8_0}.file(t))
	e := &elsewhere{Backend: engine.NewCPU(1), room: 10_000}
	defer e.Close()
	if _, err := m.NewSession(t.Context(), engine.Options{Backend: e, Resident: true}); !errors.Is(err, errNoRoom) {
		t.Errorf("got %v, want %v", err, errNoRoom)
	}
}
