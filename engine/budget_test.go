package engine_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"straw/engine"
	"straw/engine/arch"
	"straw/engine/plan"
	"straw/gguf"
)

// mixed are small models of each kind: dense, with experts in one tensor and of two sizes, with recurrent layers between
// those of attention, with latent attention, and an encoder with its decoder.
var mixed = []string{"llama", "llama-tied", "gpt-oss", "grovemoe", "bailingmoe3", "qwen35", "deepseek2", "t5"}

func tiny(t *testing.T, name string) (m *engine.Model, ids []int, begin func(s *engine.Session) *engine.Session) {
	t.Helper()
	path := "../testdata/tiny/" + name
	m = describe(t, open(t, path+".gguf"))
	var g golden
	readJSON(t, path+".json", &g)
	return m, g.Tokens, func(s *engine.Session) *engine.Session {
		if m.Encoder.Layers > 0 {
			if err := s.Encode(context.Background(), g.Tokens); err != nil {
				t.Fatal(err)
			}
		}
		return s
	}
}

// However many rows and experts are in memory, whatever the chunks, the readers and the threads: the same bits.
func TestSameBitsInAnyLayout(t *testing.T) {
	for _, name := range mixed {
		m, ids, begin := tiny(t, name)
		want := bits(eval(t, begin(session(t, m, engine.Options{Threads: 1, Resident: true})), ids, true))
		for i, part := range []float64{0, 0.2, 0.5, 0.8, 1} {
			for threads := 1; threads <= 4; threads++ {
				chunk := []int{1, 700, 5000, 1 << 16}[(i+threads)%4]
				at := engine.Layout{Part: part, Chunk: chunk, Ring: chunk * (1 + threads), Readers: (i + threads) % 4, Slots: i}
				s, err := m.NewLaidOut(engine.Options{Threads: threads, Batch: 3 + i}, at)
				if err != nil {
					t.Fatal(err)
				}
				if got := bits(eval(t, begin(s), ids, true)); !slices.Equal(got, want) {
					t.Errorf("%s, %d threads, %+v: other bits", name, threads, at)
				}
				if !m.Whole && m.Encoder.Layers == 0 { // what is kept by now, and read ahead, is right too
					s.Truncate(len(ids) / 2)
					got := bits(eval(t, s, ids[len(ids)/2:], true))
					if !slices.Equal(got, want[len(want)-len(got):]) {
						t.Errorf("%s, %d threads, %+v: other bits the second time", name, threads, at)
					}
				}
				s.Close()
			}
		}
	}
}

// What a plan counts for activations is at least what a session takes.
func TestColumnsAreCounted(t *testing.T) {
	for _, path := range goldenFiles(t) {
		m, err := engine.Describe(open(t, path))
		if err != nil {
			continue
		}
		s := session(t, m, engine.Options{Threads: 1})
		if got, planned := s.ColumnBytes(), m.PlannedColumnBytes(); got > planned {
			t.Errorf("%s: a column takes %d bytes, planned are %d", path, got, planned)
		}
		s.Close()
	}
}

// A budget is refused below the least that a plan needs, with what it is needed for, and kept above.
func TestBudget(t *testing.T) {
	m, ids, _ := tiny(t, "llama")
	o := engine.Options{Threads: 1, Context: 64, Program: func() int64 { return 1 << 20 }}
	all, err := m.Forecast(o)
	if err != nil || !all.Resident {
		t.Fatalf("without a budget: %+v, %v", all, err)
	}
	want := bits(eval(t, session(t, m, engine.Options{Threads: 1, Context: 64, Resident: true}), ids, true))
	for _, o.Budget = range []int64{1, all.Least - 1} {
		_, err := m.NewSession(context.Background(), o)
		var refused *plan.BudgetError
		if !errors.As(err, &refused) || refused.Least != all.Least || refused.Ledger.Total() < o.Budget || refused.Kind() != "usage" {
			t.Errorf("budget of %d, %d are needed: %v", o.Budget, all.Least, err)
		}
		if _, err := m.Forecast(o); !errors.As(err, &refused) {
			t.Errorf("forecast of %d: %v", o.Budget, err)
		}
	}
	for _, o.Budget = range []int64{all.Least, all.Ledger.Total(), 1 << 40} {
		s, err := m.NewSession(context.Background(), o)
		if err != nil {
			t.Errorf("budget of %d: %v", o.Budget, err)
			continue
		}
		if !slices.Equal(bits(eval(t, s, ids, true)), want) {
			t.Errorf("budget of %d: other bits", o.Budget)
		}
		if n := s.Stats(); n.ResidentBytes+n.RingBytes+n.KVBytes > o.Budget {
			t.Errorf("budget of %d: %+v", o.Budget, n)
		}
		s.Close()
	}
}

// A budget for several timelines counts the keys and values of each, and holds when all are full.
func TestBudgetOfTimelines(t *testing.T) {
	m, ids, _ := tiny(t, "llama")
	o := engine.Options{Threads: 1, Context: 64}
	one, err := m.Forecast(o)
	if err != nil {
		t.Fatal(err)
	}
	o.Timelines = 3
	three, err := m.Forecast(o)
	if err != nil || three.Ledger.Total()-one.Ledger.Total() != 2*m.CacheBytes(o.KV, 64) || three.Least-one.Least != 2*m.CacheBytes(o.KV, 64) {
		t.Fatalf("one timeline: %+v, three: %+v, %v", one, three, err)
	}
	o.Kept = 1 << 20
	if kept, err := m.Forecast(o); err != nil || kept.Ledger.Total()-three.Ledger.Total() != o.Kept || kept.Least-three.Least != o.Kept {
		t.Errorf("with a mebibyte kept: %+v, without: %+v, %v", kept, three, err)
	}
	o.Budget, o.Kept = three.Least, 0
	first, err := m.NewSession(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	total := int64(0)
	for i := range 3 {
		s := first
		if i > 0 {
			if s, err = first.Sibling(); err != nil {
				t.Fatal(err)
			}
			defer s.Close()
		}
		for s.Len() < 64 {
			eval(t, s, ids[:min(len(ids), 64-s.Len())], false)
		}
		total += s.Stats().KVBytes
	}
	if n := first.Stats(); total+n.ResidentBytes+n.RingBytes > o.Budget {
		t.Errorf("three full timelines have %d bytes of keys and values, with %+v, the budget is %d", total, n, o.Budget)
	}
}

// Experts that are kept are not read again, what is read is counted by layer, and the readers alone can be measured.
func TestExpertsAreKept(t *testing.T) {
	m, ids, _ := tiny(t, "gpt-oss")
	at := engine.Layout{Keep: func(t *engine.Tensor) bool { return !strings.Contains(t.Name, "exps") }, Chunk: 1000, Ring: 8000, Readers: 2}
	reads := func(slots int) (read int64, n engine.ExpertStats) {
		at.Slots = slots
		s, err := m.NewLaidOut(engine.Options{Threads: 2}, at)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for _, id := range append(ids, ids...) {
			eval(t, s, []int{id}, false)
		}
		stats := s.Stats()
		layers := int64(0)
		for _, l := range stats.Layers {
			layers += l.Bytes
			if (l.Read > 0) != (l.Bytes > 0) {
				t.Errorf("%d bytes were read in %v", l.Bytes, l.Read)
			}
		}
		speed, err := s.ReadSpeed(context.Background(), 1e9)
		if err != nil || (speed > 0) != (slots < 8) && slots == 0 {
			t.Errorf("%d slots: readers bring %g bytes a second, %v", slots, speed, err)
		}
		return layers, stats.Experts
	}
	last, none := reads(0)
	if none.Hits != 0 || none.Misses == 0 || none.KeptBytes != 0 {
		t.Errorf("nothing kept: %+v", none)
	}
	for _, slots := range []int{1, 2, 100} {
		read, n := reads(slots)
		if read >= last || n.Hits+n.Misses != none.Misses || n.Hits == 0 || n.KeptBytes == 0 {
			t.Errorf("%d experts kept: %d bytes read, %d with fewer; %+v", slots, read, last, n)
		}
		last = read
	}
}

// failing is a file of which the reads of one tensor fail, as a disk or a file cut short would.
type failing struct {
	*gguf.File
	name string
	err  atomic.Pointer[error]
}

func (f *failing) ReadTensorAt(name string, p []byte, off int64) error {
	if err := f.err.Load(); err != nil && name == f.name && len(p) > 0 {
		return *err
	}
	return f.File.ReadTensorAt(name, p, off)
}

// Wherever a read fails, the error names the tensor and the bytes, the timeline is as it was, and once the disk is well the
// session goes on with the same bits, at the first try.
func TestFaults(t *testing.T) {
	for _, name := range []string{"llama", "gpt-oss"} {
		m, ids, _ := tiny(t, name)
		want := bits(eval(t, session(t, m, engine.Options{Threads: 1, Resident: true}), ids, false))
		for _, tensor := range m.Tensors() {
			if tensor.Use == arch.Values || !tensor.Present {
				continue
			}
			f := &failing{File: open(t, "../testdata/tiny/"+name+".gguf"), name: tensor.Name}
			for _, readers := range []int{0, 3} {
				s, err := describe(t, f).NewLaidOut(engine.Options{Threads: 2}, engine.Layout{Chunk: 2000, Ring: 10000, Readers: readers, Slots: 2})
				if err != nil {
					t.Fatal(err)
				}
				eval(t, s, ids[:3], false)
				cut := io.ErrUnexpectedEOF
				f.err.Store(&cut)
				for range 2 {
					_, err := s.Eval(context.Background(), ids[3:], false)
					if !errors.Is(err, io.ErrUnexpectedEOF) || !strings.Contains(err.Error(), "reading bytes ") || !strings.Contains(err.Error(), tensor.Name) || s.Len() != 3 {
						t.Errorf("%d readers: %s cannot be read: %v, %d tokens", readers, tensor.Name, err, s.Len())
					}
				}
				f.err.Store(nil)
				if got := bits(eval(t, s, ids[3:], false)); !slices.Equal(got, want) {
					t.Errorf("%d readers: after %s could not be read: other bits", readers, tensor.Name)
				}
				s.Close()
			}
		}
	}
}
