package engine_test

import (
	"testing"

	"straw/engine"
	"straw/engine/arch"
)

// Of experts that are not in memory a token reads those it is sent to, and no others, ahead or not.
func TestExpertsReadWhenUsed(t *testing.T) {
	f := open(t, "../testdata/tiny/gpt-oss.gguf")
	m := describe(t, f)
	number := func(key string) int64 {
		v, err := f.Get(key)
		if err != nil {
			t.Fatal(err)
		}
		return v.(int64)
	}
	used, experts := number("gpt-oss.expert_used_count"), number("gpt-oss.expert_count")
	if used >= experts {
		t.Fatalf("%d of %d experts are used", used, experts)
	}
	var want int64
	for _, tensor := range m.Tensors() {
		if tensor.Use == arch.Expert {
			want += tensor.Bytes / experts * used
		}
	}
	resident := func(tensor *engine.Tensor) bool { return tensor.Use != arch.Expert }
	for depth := 1; depth <= 3; depth++ {
		s, err := m.NewPartlyResident(engine.Options{Threads: 2}, resident, 1000, depth)
		if err != nil {
			t.Fatal(err)
		}
		for id := range 3 {
			before := s.Stats().BytesRead
			eval(t, s, []int{id}, false)
			if got := s.Stats().BytesRead - before; got != want {
				t.Errorf("%d buffers: a token read %d bytes of experts, want %d", depth, got, want)
			}
		}
		s.Close()
	}
}
