package gguf

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// layout places the tensors in the file and checks that they lie in it, aligned and apart.
func (p *parser) layout() {
	f := p.f
	end := p.offset() // of the header
	if len(f.Tensors) == 0 {
		p.checkTrailing(end)
		return
	}
	start, ok := padded(uint64(end), f.Alignment)
	if p.badAlign || !ok {
		return
	}
	f.DataOffset = int64(start)
	if int64(start) > p.size {
		p.report("data-cut", &Error{end, "tensor data", "", problemf(ErrTruncated,
			"it would start at byte %d, with an alignment of %d, but the file has only %d bytes; download it again", start, f.Alignment, p.size)})
	}
	for i := range f.Tensors {
		t := &f.Tensors[i]
		if sum, carry := bits.Add64(start, t.Offset, 0); carry == 0 && sum <= math.MaxInt64 {
			t.AbsOffset = int64(sum)
		}
		if t.Offset%f.Alignment != 0 {
			p.reportAbout("tensor-misaligned", t.Name, &Error{t.at, tensorField(t.Name, "offset"), strconv.FormatUint(t.Offset, 10),
				problemf(ErrFormat, "not a multiple of the alignment, %d", f.Alignment)})
		}
	}
	if int64(start) <= p.size {
		p.checkExtents(uint64(p.size) - start)
	}
	p.checkNeighbours()
}

// padded is n rounded up to a multiple of alignment.
func padded(n, alignment uint64) (uint64, bool) {
	rest := n % alignment
	if rest == 0 {
		return n, true
	}
	n, carry := bits.Add64(n, alignment-rest, 0)
	return n, carry == 0 && n <= math.MaxInt64
}

// checkExtents compares every tensor with the avail bytes of tensor data. A file that was cut loses many tensors at
// once: that is one fault.
func (p *parser) checkExtents(avail uint64) {
	var lost []*Tensor
	needed := uint64(0)
	room, _ := padded(avail, p.f.Alignment)
	for i := range p.f.Tensors {
		t := &p.f.Tensors[i]
		size := uint64(max(t.Bytes, 0))
		if size == 0 && t.Offset <= room || t.Offset <= avail && size <= avail-t.Offset {
			continue
		}
		end, carry := bits.Add64(t.Offset, size, 0)
		if t.AbsOffset < 0 || carry != 0 || end > math.MaxInt64-uint64(p.f.DataOffset) {
			p.reportAbout("tensor-outside", t.Name, &Error{t.at, tensorField(t.Name, "offset"), strconv.FormatUint(t.Offset, 10),
				problemf(ErrFormat, "no file is that large; the header is damaged")})
			continue
		}
		lost = append(lost, t)
		needed = max(needed, end)
	}
	if len(lost) == 0 {
		return
	}
	t := lost[0]
	text := fmt.Sprintf("its data, bytes %d to %d, is past the end of the file", t.AbsOffset, t.AbsOffset+max(t.Bytes, 0))
	if len(lost) == 2 {
		text += ", as is that of one other tensor"
	} else if len(lost) > 2 {
		text += fmt.Sprintf(", as is that of %d other tensors", len(lost)-1)
	}
	text += fmt.Sprintf("; the file has %d bytes and %d are needed: the tensor data is cut, download it again", p.size, uint64(p.f.DataOffset)+needed)
	p.reportAbout("data-cut", t.Name, &Error{t.at, tensorField(t.Name, ""), "", problemf(ErrTruncated, "%s", text)})
}

// checkNeighbours goes through the tensors in the order of their data: overlap is a fault; gaps, another order than the
// directory's, and bytes after the last tensor are remarked on.
func (p *parser) checkNeighbours() {
	byOffset := make([]*Tensor, len(p.f.Tensors))
	for i := range byOffset {
		byOffset[i] = &p.f.Tensors[i]
	}
	if !slices.IsSortedFunc(byOffset, func(a, b *Tensor) int { return cmp.Compare(a.Offset, b.Offset) }) {
		p.add("tensor-order", SeverityWarning, "", "the tensors' data is not in the order of the directory: llama.cpp refuses that")
	}
	slices.SortStableFunc(byOffset, func(a, b *Tensor) int {
		return cmp.Or(cmp.Compare(a.Offset, b.Offset), cmp.Compare(min(a.Bytes, 1), min(b.Bytes, 1))) // empty ones first
	})
	var last *Tensor // that with the farthest end so far
	end, known := uint64(0), true
	for _, t := range byOffset {
		if last != nil && t.Offset < end && t.Bytes != 0 {
			p.reportAbout("tensor-overlap", t.Name, &Error{t.at, tensorField(t.Name, "offset"), strconv.FormatUint(t.Offset, 10),
				problemf(ErrFormat, "it overlaps tensor %s, which ends at %d", quote(last.Name), end)})
		} else if next, ok := padded(end, p.f.Alignment); ok && known && t.Offset > next {
			p.add("tensor-gap", SeverityWarning, t.Name, fmt.Sprintf("%d bytes before it belong to no tensor: llama.cpp refuses that", t.Offset-next))
		}
		if t.Bytes < 0 {
			last, end, known = t, t.Offset, false
			continue
		}
		stop, carry := bits.Add64(t.Offset, uint64(t.Bytes), 0)
		if carry != 0 {
			return // reported as outside the file
		}
		if stop >= end {
			last, end, known = t, stop, true
		}
	}
	if abs, carry := bits.Add64(uint64(p.f.DataOffset), end, 0); known && carry == 0 && abs < uint64(p.size) {
		p.checkTrailing(int64(abs))
	}
}

// checkTrailing remarks on bytes after everything that ends at end, padding aside.
func (p *parser) checkTrailing(end int64) {
	next, ok := padded(uint64(end), p.f.Alignment)
	if !ok || int64(next) >= p.size {
		return
	}
	extra := p.size - int64(next)
	var magic [4]byte
	if extra >= 24 && readFull(p.r, magic[:], int64(next)) == nil && string(magic[:]) == "GGUF" {
		p.add("joined-files", SeverityWarning, "", fmt.Sprintf("another GGUF file of %d bytes follows at byte %d: shards joined with cat; only the first is seen, keep them apart or merge them with a tool", extra, next))
		return
	}
	p.add("trailing-bytes", SeverityNote, "", fmt.Sprintf("%d bytes follow after the end, at byte %d", extra, next))
}
