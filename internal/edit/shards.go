package edit

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"straw/gguf"
)

// The keys by which llama.cpp knows the shards of a set, u16, u16 and i32.
const (
	KeyNo      = "split.no"
	KeyCount   = "split.count"
	KeyTensors = "split.tensors.count"
)

func unsetSplit(d *gguf.Draft) {
	for _, key := range []string{KeyNo, KeyCount, KeyTensors} {
		d.Unset(key)
	}
}

// Limits of a shard. One of MaxSize and MaxTensors is above 0.
type Limits struct {
	MaxSize     int64 // bytes of a file, header and padding included
	MaxTensors  int
	HeaderFirst bool // no tensors in the first shard
}

// LimitError is a model that cannot be split so.
type LimitError struct{ message string }

func (e *LimitError) Error() string { return e.message }

// Kind is "unsupported".
func (e *LimitError) Kind() string { return "unsupported" }

func limitf(format string, args ...any) error { return &LimitError{fmt.Sprintf(format, args...)} }

// maxShards is what the names' five digits and split.count's 16 bits hold.
const maxShards = math.MaxUint16

// Split is f as shards: the tensors in their order, the keys in the first of them. f must stay open until they are written.
func Split(f *gguf.File, l Limits) ([]*gguf.Draft, error) {
	if len(f.Tensors) == 0 {
		return nil, limitf("the file has no tensors: there is nothing to split")
	}
	cuts, err := l.cuts(f)
	if err != nil {
		return nil, err
	}
	if len(cuts) > maxShards {
		return nil, limitf("%d shards; a set has %d at most", len(cuts), maxShards)
	}
	shards := make([]*gguf.Draft, len(cuts))
	for i, c := range cuts {
		shards[i] = shard(f, i, len(cuts))
		if err := copyTensors(shards[i], f, f.Tensors[c.from:c.to]); err != nil {
			return nil, err
		}
	}
	return shards, nil
}

// shard is shard no of count without its tensors; the order of the keys is gguf-split's.
func shard(f *gguf.File, no, count int) *gguf.Draft {
	d := new(gguf.Draft)
	if no == 0 {
		d = gguf.NewDraft(f)
	}
	unsetSplit(d)
	set(d, KeyNo, uint16(no))
	set(d, KeyTensors, int32(len(f.Tensors)))
	set(d, KeyCount, uint16(count))
	return d
}

func set(d *gguf.Draft, key string, v any) {
	value, _ := gguf.ValueOf(v)
	d.Set(key, value)
}

// cut is a run of tensors.
type cut struct{ from, to int }

// cuts divides the tensors so that no shard is above the limits, each as full as it gets.
func (l Limits) cuts(f *gguf.File) ([]cut, error) {
	var cuts []cut
	from := 0
	if l.HeaderFirst {
		cuts = append(cuts, cut{0, 0})
	}
	for from < len(f.Tensors) {
		size, err := newSizer(f, len(cuts) == 0)
		if err != nil {
			return nil, err
		}
		to := from
		for ; to < len(f.Tensors); to++ {
			t := &f.Tensors[to]
			if t.Bytes < 0 {
				return nil, f.ReadTensorAt(t.Name, nil, 0) // which says why
			}
			size.add(t)
			if l.MaxTensors > 0 && to-from == l.MaxTensors || l.MaxSize > 0 && size.bytes() > l.MaxSize {
				break
			}
		}
		if to == from {
			t := &f.Tensors[from]
			what := "tensor " + strconv.Quote(t.Name)
			if len(cuts) == 0 {
				what = "the keys and " + what
			}
			return nil, limitf("%s take %d bytes, and a shard may have %d: allow more", what, size.bytes(), l.MaxSize)
		}
		cuts = append(cuts, cut{from, to})
		from = to
	}
	return cuts, nil
}

// sizer is the size of a shard as tensors are added.
type sizer struct {
	align  int64
	header int64 // bytes without padding
	data   int64
}

func newSizer(f *gguf.File, first bool) (*sizer, error) {
	no := 1
	if first {
		no = 0
	}
	d := shard(f, no, 1)
	header, err := d.Size()
	if err != nil {
		return nil, err
	}
	s := &sizer{align: 32, header: header}
	if first {
		s.align = int64(f.Alignment)
	}
	return s, nil
}

func (s *sizer) add(t *gguf.Tensor) {
	s.header += int64(8 + len(t.Name) + 4 + 8*len(t.Dims) + 4 + 8)
	s.data += s.padded(t.Bytes)
}

func (s *sizer) padded(n int64) int64 { return (n + s.align - 1) / s.align * s.align }

func (s *sizer) bytes() int64 { return s.padded(s.header) + s.data }

// Merge is a set of shards as one file.
func Merge(f *gguf.File) (*gguf.Draft, error) {
	if len(f.Shards) < 2 {
		return nil, &Error{KeyCount, errors.New("the file is no shard of a set: there is nothing to merge")}
	}
	d := Whole(f)
	return d, copyTensors(d, f, f.Tensors)
}
