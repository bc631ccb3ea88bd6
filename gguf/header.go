package gguf

import (
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"strconv"
)

// Bounds of ours. Where ggml has the same bound it is named.
const (
	maxString   = 1 << 30   // bytes of a string (ggml)
	maxElements = 1 << 30   // elements of an array (ggml)
	maxKey      = 1 << 20   // bytes of a key or of a tensor's name
	maxCount    = 1 << 20   // keys, tensors
	maxRetained = 256 << 20 // bytes of keys and names
	maxDepth    = 4         // arrays in arrays
	maxDims     = 4         // of a tensor (ggml, GGML_MAX_DIMS)

	keepBytes   = 64 << 10 // values up to this size stay in memory, ...
	keepBytesOf = 16 << 20 // ... up to this size together
)

// parser reads a header into a File. A fault that leaves the way clear is reported and reading goes on, so that as much
// as possible can be shown; a fault after which nothing can be trusted is returned as an error and ends it.
type parser struct {
	window
	name string
	src  *source
	f    *File
	findings

	first    *Error // the first fault
	nKV      uint64
	nTensors uint64
	retained int64 // bytes of keys and names
	kept     int64 // bytes of values kept in memory
	badCount bool  // a count is impossible
	badAlign bool  // general.alignment is wrong, so offsets cannot be judged
	complete bool  // the whole header was read
}

func newParser(r io.ReaderAt, size int64, name string) *parser {
	return &parser{
		window: newWindow(r, max(size, 0)),
		name:   name,
		src:    &source{r: r, size: max(size, 0), order: binary.LittleEndian, wide: true},
		f:      &File{Size: max(size, 0), Alignment: 32, DataOffset: -1, keys: map[string]int{}, names: map[string]int{}},
	}
}

// report notes a fault of the header.
func (p *parser) report(rule string, e *Error) { p.reportAbout(rule, e.Field, e) }

// reportAbout notes a fault of a key or tensor.
func (p *parser) reportAbout(rule, subject string, e *Error) {
	if p.first == nil {
		p.first = e
	}
	p.add(rule, SeverityError, subject, e.Error())
}

// fatal is a fault after which the header cannot be read on.
type fatal struct {
	rule string
	err  *Error
}

func stop(rule string, off int64, field, value string, err error) *fatal {
	return &fatal{rule, &Error{off, field, value, err}}
}

// parse reads the header in the file's order.
func (p *parser) parse() {
	f := p.magic()
	if f == nil {
		f = p.counts()
	}
	if f == nil {
		f = p.metadata()
	}
	if f == nil && !p.badCount { // with a wrong count, what follows the keys is no directory
		f = p.tensors()
		p.complete = f == nil
	}
	if f != nil {
		p.report(f.rule, f.err)
	}
}

// finish puts together what was read, and judges it.
func (p *parser) finish() *File {
	f := p.f
	shard := Shard{Name: p.name, Size: f.Size, DataOffset: -1, NTensors: len(f.Tensors), src: p.src}
	if p.complete {
		p.layout()
		shard.DataOffset = f.DataOffset
		p.lint()
	}
	f.Shards = []Shard{shard}
	f.Findings = p.all()
	return f
}

// fixed makes sure that the next n bytes, at most windowTail, are there, and returns them without moving on.
func (p *parser) fixed(n int, field string) ([]byte, *fatal) {
	if left := p.left(); int64(n) > left {
		return nil, p.cut(field, "", int64(n), left)
	}
	b, err := p.need(n)
	if err != nil {
		return nil, p.readError(field, err)
	}
	return b, nil
}

// cut is the fault of a header that ends inside a field.
func (p *parser) cut(field, value string, need, left int64) *fatal {
	return stop("header-cut", p.offset(), field, value, problemf(ErrTruncated,
		"the header is cut: %d bytes are needed here and the file, of %d bytes, has %d left; download it again", need, p.size, left))
}

func (p *parser) readError(field string, err error) *fatal {
	return stop("unreadable", p.offset(), field, "", err)
}

// length reads a length or count: 64 bits, in version 1 32.
func (p *parser) length(field string) (uint64, *fatal) {
	n := p.lengthBytes()
	b, f := p.fixed(n, field)
	if f != nil {
		return 0, f
	}
	p.pos += n
	return p.src.length(b), nil
}

func (p *parser) lengthBytes() int {
	if p.src.wide {
		return 8
	}
	return 4
}

func (p *parser) uint32(field string) (uint32, *fatal) {
	b, f := p.fixed(4, field)
	if f != nil {
		return 0, f
	}
	p.pos += 4
	return p.src.order.Uint32(b), nil
}

// text reads a key or a name.
func (p *parser) text(field string) (string, *fatal) {
	at := p.offset()
	n, f := p.length(field + " length")
	if f != nil {
		return "", f
	}
	value := strconv.FormatUint(n, 10)
	if left := uint64(p.left()); n > left {
		return "", p.tooLong(at, field+" length", value, n > maxString)
	}
	if n > maxKey {
		return "", stop("too-long", at, field+" length", value, problemf(ErrUnsupported, "more than %d bytes", maxKey))
	}
	if p.retained += int64(n); p.retained > maxRetained {
		return "", stop("too-long", at, field+" length", value, problemf(ErrUnsupported, "keys and names of more than %d MiB", maxRetained>>20))
	}
	s, err := p.window.text(int(n))
	if err != nil {
		return "", p.readError(field, err)
	}
	return s, nil
}

// tooLong is the fault of a length or count that runs past the end of the file. An absurd one is damage; another is
// just as likely that of a file that was cut.
func (p *parser) tooLong(at int64, field, value string, absurd bool) *fatal {
	if absurd {
		return stop("length-absurd", at, field, value, problemf(ErrFormat, "runs past the end of the file, which has %d bytes left; the file is damaged", p.left()))
	}
	return stop("header-cut", at, field, value, problemf(ErrTruncated, "runs past the end of the file, which has %d bytes left; the header is cut or damaged: download it again", p.left()))
}

// magic reads the magic and the version, which together tell the byte order.
func (p *parser) magic() *fatal {
	if p.size == 0 {
		return stop("not-gguf", 0, "file", "", problemf(ErrNotGGUF, "the file is empty: the download did not start or the disk was full; get it again"))
	}
	n := int(min(p.size, sniffBytes))
	if err := p.refill(); err != nil {
		return p.readError("magic", err)
	}
	head := p.buf[:n]
	if what := identify(head, p.size); what != "" {
		return stop("not-gguf", 0, "magic", magicText(head), problemf(ErrNotGGUF, "%s", what))
	}
	reversed := string(head[:4]) == "FUGG"
	p.pos = 4
	b, f := p.fixed(4, "version")
	if f != nil {
		return f
	}
	p.pos += 4
	version := binary.LittleEndian.Uint32(b)
	if swapped := bits.ReverseBytes32(version); version&0xffff == 0 && swapped >= 1 && swapped <= 3 {
		version = swapped
		p.src.order = binary.BigEndian
		p.f.BigEndian = true
	}
	switch {
	case reversed && !p.f.BigEndian:
		return stop("magic-reversed", 0, "magic", "FUGG", problemf(ErrNotGGUF,
			"the magic is reversed but the version is little-endian: some program has written the file wrongly"))
	case version < 1 || version > 3:
		return stop("version", 4, "version", strconv.FormatUint(uint64(version), 10),
			problemf(ErrUnsupported, "unsupported version; versions 1, 2 and 3 can be read"))
	}
	p.f.Version = version
	p.src.wide = version > 1
	if reversed {
		p.add("magic-reversed", SeverityWarning, "magic", "the magic is FUGG, GGUF reversed: few programs read such a big-endian file")
	}
	if p.f.BigEndian {
		p.add("big-endian", SeverityWarning, "version", "a big-endian file: it can be looked into; llama.cpp runs it on big-endian machines only")
	}
	switch version {
	case 1:
		p.add("old-version", SeverityWarning, "version", "version 1, with 32-bit counts and lengths, of August 2023: llama.cpp no longer reads it; convert the model again")
	case 2:
		p.add("old-version", SeverityNote, "version", "version 2; version 3 has the same layout")
	}
	return nil
}

// counts reads how many tensors and keys there are, and compares both with what the file can hold. Keys are read even
// if the number of tensors is impossible.
func (p *parser) counts() *fatal {
	at := p.offset()
	var f *fatal
	if p.nTensors, f = p.length("tensor_count"); f != nil {
		return f
	}
	atKV := p.offset()
	if p.nKV, f = p.length("metadata_kv_count"); f != nil {
		return f
	}
	if !p.src.wide && p.nKV == 0 && p.left() > 0 {
		return stop("version", 4, "version", "1", problemf(ErrFormat,
			"the counts have 64 bits, which is the layout of versions 2 and 3: the version is wrong"))
	}
	l := uint64(p.lengthBytes())
	left := uint64(p.left())
	minKV, minTensor := l+4+1, l+4+4+8
	p.checkCount("metadata_kv_count", atKV, p.nKV, minKV, left)
	p.checkCount("tensor_count", at, p.nTensors, minTensor, left)
	if p.nKV > maxCount && p.nKV <= left/minKV {
		return stop("too-many", atKV, "metadata_kv_count", strconv.FormatUint(p.nKV, 10), problemf(ErrUnsupported, "more than %d keys", maxCount))
	}
	if p.nTensors > maxCount && p.nTensors <= left/minTensor {
		return stop("too-many", at, "tensor_count", strconv.FormatUint(p.nTensors, 10), problemf(ErrUnsupported, "more than %d tensors", maxCount))
	}
	return nil
}

func (p *parser) checkCount(field string, at int64, n, each, left uint64) {
	if n <= left/each {
		return
	}
	p.badCount = true
	kind, what := ErrTruncated, "the header is cut or damaged: download it again"
	if n > maxCount {
		kind, what = ErrFormat, "the header is damaged"
	}
	p.report("count-too-large", &Error{at, field, strconv.FormatUint(n, 10),
		problemf(kind, "at %d bytes or more each they cannot fit in the %d bytes left; %s", each, left, what)})
}

// place is the name of the i-th key or tensor before its own name is known.
func place(what string, i uint64) string { return fmt.Sprintf("%s %d", what, i) }
