package simd

import (
	"fmt"
	"io"
	"unsafe"

	"straw/engine"
	"straw/quant"
	"straw/wasm/kernels"
)

// Bank is the memories that a host has for weights beside the program's (web/src/kernels/banks.ts). Addresses hold the
// number of a memory in their upper half.
type Bank interface {
	// Keep makes room for n bytes; ok is false if there is no more memory.
	Keep(n int64) (at uint64, ok bool)
	// Write and Read copy bytes there and back.
	Write(at uint64, p []byte)
	Read(at uint64, p []byte)
	// Multiply does what a job says, with all threads.
	Multiply(j *Job)
}

// Job is a multiplication of rows in a bank with columns in the program's memory. The host reads it as words of 32 bits.
type Job struct {
	Dst      uint32 // address of the results: of row r and column c at c*Stride+r
	Stride   uint32
	X        uint32 // address of the columns
	Columns  uint32
	K        uint32
	Round    int32  // the function that rounds the columns, -1 for none
	Serial   uint32 // changes with the columns' values
	Function kernels.Function
	Memory   uint32
	W        uint32 // address of the rows
	Rows     uint32
	RowBytes uint32
}

// Banked is a Backend whose resident weights are in a bank.
type Banked struct {
	*Backend
	bank   Bank
	serial uint32
	taken  int64 // bytes in the bank
	job    *Job
}

// NewBanked is b with a bank.
func NewBanked(b *Backend, bank Bank) *Banked { return &Banked{Backend: b, bank: bank, job: new(Job)} }

func (b *Banked) Load(x []float32, k int) {
	b.Backend.Load(x, k)
	b.serial++
}

// MemoryError is a bank without room.
type MemoryError struct {
	Have, Want int64 // bytes that are held, and that were asked for on top
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("out of memory: the browser gave %d MiB for weights and refuses %d MiB more; a memory budget below that, a smaller file, or fewer open tabs would do", e.Have>>20, (e.Want+1<<20-1)>>20)
}

func (e *MemoryError) Kind() string { return "memory" }

// Keep is room in the bank for rows of the types that the modules know.
func (b *Banked) Keep(t quant.Type, k int, n int64) (engine.Kept, error) {
	f, ok := multiplication(t)
	if !ok {
		return nil, nil
	}
	at, ok := b.bank.Keep(n)
	if !ok {
		return nil, &MemoryError{b.taken, n}
	}
	b.taken += n
	return &kept{b: b, f: f, typ: t, k: k, at: at, bytes: n}, nil
}

// kept is rows in a bank.
type kept struct {
	b     *Banked
	f     kernels.Function
	typ   quant.Type
	k     int
	at    uint64
	bytes int64
}

func (m *kept) WriteAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > m.bytes {
		return 0, io.ErrShortWrite
	}
	m.b.bank.Write(m.at+uint64(off), p)
	return len(p), nil
}

func (m *kept) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > m.bytes {
		return 0, io.ErrUnexpectedEOF
	}
	m.b.bank.Read(m.at+uint64(off), p)
	return len(p), nil
}

func (m *kept) Mul(dst []float32, stride, first, rows int) {
	b := m.b
	if rows == 0 || len(b.x) == 0 {
		return
	}
	round := int32(-1)
	if form := m.typ.Form(); form != quant.FormF32 {
		round = int32(roundings[form].round)
	}
	bytes := m.typ.Bytes(m.k)
	at := m.at + uint64(first)*uint64(bytes)
	*b.job = Job{
		Dst: address(dst), Stride: uint32(stride), X: address(b.x), Columns: uint32(len(b.x) / m.k), K: uint32(m.k),
		Round: round, Serial: b.serial, Function: m.f, Memory: uint32(at >> 32), W: uint32(at), Rows: uint32(rows), RowBytes: uint32(bytes),
	}
	b.bank.Multiply(b.job)
}

// address is where s begins in the program's memory. Slices of a pass are on the heap, which does not move.
func address[T any](s []T) uint32 { return uint32(uintptr(unsafe.Pointer(unsafe.SliceData(s)))) }
