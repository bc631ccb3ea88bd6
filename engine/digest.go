package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
)

// sampledTensors and sampleBytes are how much of the weights a digest is of.
const (
	sampledTensors = 16
	sampleBytes    = 64
)

// digest is a SHA-256 that tells models apart: of the tensors' names, types and shapes in the order of the file, the
// whole header if the source can write it (every key then counts), the first bytes of 16 matrices spread over the
// model, and the adapters with their scales. Two models that differ in none of these are taken for the same.
func (m *machine) digest() (sum [sha256.Size]byte, err error) {
	h := sha256.New()
	src := m.model.src
	for name := range src.TensorNames() {
		t, dims, _ := src.TensorInfo(name)
		fmt.Fprintf(h, "%q %s %d\n", name, t, dims)
	}
	if f, ok := src.(interface{ WriteHeader(w io.Writer) error }); ok {
		if err := f.WriteHeader(h); err != nil {
			return sum, fmt.Errorf("reading the model's header again: %w", err)
		}
	}
	if err := m.model.sample(h); err != nil {
		return sum, err
	}
	m.weights.digestAdapters(h, m.model)
	h.Sum(sum[:0])
	return sum, nil
}

// sample feeds the first bytes of some matrices to h.
func (m *Model) sample(h hash.Hash) error {
	var list []*Tensor
	for i := range m.tensors {
		if t := &m.tensors[i]; t.Present && len(t.Shape) > 1 {
			list = append(list, t)
		}
	}
	var b [sampleBytes]byte
	for i := range min(sampledTensors, len(list)) {
		t := list[i*len(list)/min(sampledTensors, len(list))]
		p := b[:min(sampleBytes, t.Bytes)]
		if err := m.src.ReadTensorAt(t.Name, p, 0); err != nil {
			return fmt.Errorf("reading tensor %s: %w", t.Name, err)
		}
		h.Write(p)
	}
	return nil
}

// digestAdapters feeds what changes the matrices to h.
func (w *weights) digestAdapters(h hash.Hash, m *Model) {
	for i := range m.tensors {
		t := &m.tensors[i]
		mat := w.of(t).matrices[t.Role]
		if mat == nil {
			continue
		}
		for _, l := range mat.low {
			fmt.Fprintf(h, "%q %d %v\n", t.Name, l.rank, l.scale)
			h.Write(l.a.data)
			binary.Write(h, binary.LittleEndian, l.b) // a hash takes everything
		}
	}
}
