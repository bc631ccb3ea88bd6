package simd

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"straw/quant"
)

// shelves is a Bank with room for so many bytes, in memories of 1000.
type shelves struct {
	room   int64
	memory map[uint64]byte
	jobs   []Job
}

func (s *shelves) Keep(n int64) (uint64, bool) {
	if s.room -= n; s.room < 0 {
		return 0, false
	}
	return 3<<32 | 64, true
}

func (s *shelves) Write(at uint64, p []byte) {
	for i, b := range p {
		s.memory[at+uint64(i)] = b
	}
}

func (s *shelves) Read(at uint64, p []byte) {
	for i := range p {
		p[i] = s.memory[at+uint64(i)]
	}
}

func (s *shelves) Multiply(j *Job) { s.jobs = append(s.jobs, *j) }

func TestBanked(t *testing.T) {
	s := &shelves{room: 1000, memory: map[uint64]byte{}}
	b := NewBanked(New("simd", nil), s)
	defer b.Close()
	if kept, err := b.Keep(quant.IQ1_S, 256, 50); kept != nil || err != nil {
		t.Errorf("rows that no module multiplies: got %v, %v", kept, err)
	}
	kept, err := b.Keep(quant.Q8_0, 32, 10*34)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := kept.WriteAt([]byte("rows"), 100); n != 4 || err != nil {
		t.Errorf("writing: %d, %v", n, err)
	}
	back := make([]byte, 4)
	if n, err := kept.ReadAt(back, 100); n != 4 || err != nil || !bytes.Equal(back, []byte("rows")) {
		t.Errorf("reading: %d, %v, %q", n, err, back)
	}
	if _, err := kept.WriteAt(back, 338); err == nil {
		t.Error("four bytes were written where two have room")
	}
	if _, err := kept.ReadAt(back, 338); err == nil {
		t.Error("four bytes were read where there are two")
	}

	b.Load(make([]float32, 3*32), 32)
	kept.Mul(make([]float32, 100), 10, 4, 6)
	if len(s.jobs) != 1 {
		t.Fatalf("%d jobs", len(s.jobs))
	}
	j := s.jobs[0]
	if j.Memory != 3 || j.W != 64+4*34 || j.Rows != 6 || j.RowBytes != 34 || j.Columns != 3 || j.K != 32 || j.Stride != 10 || j.Round < 0 {
		t.Errorf("job %+v", j)
	}
	b.Load(make([]float32, 32), 32)
	kept.Mul(make([]float32, 10), 10, 0, 10)
	if s.jobs[1].Serial == j.Serial {
		t.Error("other columns have the same serial number")
	}

	_, err = b.Keep(quant.F16, 1<<10, 3<<20)
	var full *MemoryError
	if !errors.As(err, &full) || full.Kind() != "memory" || full.Have != 340 || !strings.Contains(err.Error(), "refuses 3 MiB") {
		t.Errorf("without room: %v", err)
	}
}
