// Package digest computes SHA-256 sums of a GGUF file: of each of its files, of each tensor's bytes, and of all tensors'
// bytes in the order of the directory, as llama.cpp's gguf-hash does, so that the same weights have the same sum
// whatever the metadata, the padding and the shards. All come out of one reading where the tensors lie in that order.
package digest

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strconv"
	"sync"

	"straw/gguf"
)

// Options says what to leave out. The sums of the files are always made.
type Options struct {
	NoTensors bool                    // no sum of each tensor; that of all is made all the same
	Progress  func(done, total int64) // bytes read; may be nil
}

// Sum is the sum of a file or of a tensor, in hexadecimal.
type Sum struct {
	Name   string // file name without folder, "" if it has none; or tensor name
	Bytes  int64
	SHA256 string
}

// Sums of a model.
type Sums struct {
	Files   []Sum  // one, or one for each shard
	Tensors []Sum  // in the order of the directory
	All     string // of all tensors' bytes in that order
	UUID    string // version 5, of the same bytes, in llama.cpp's namespace
}

// piece is how much is read at a time.
const piece = 1 << 20

// Of reads all of f, whose header must be whole.
func Of(ctx context.Context, f *gguf.File, o Options) (*Sums, error) {
	h := &hasher{ctx: ctx, f: f, o: o, all: sha256.New(), uuid: sha1.New(), inOrder: inOrder(f), buf: make([]byte, piece)}
	h.uuid.Write(namespace[:])
	h.total = f.Size
	if !h.inOrder {
		for i := range f.Tensors {
			h.total += max(f.Tensors[i].Bytes, 0)
		}
	}
	for i := range f.Tensors {
		if f.Tensors[i].Bytes < 0 { // gives the error that says why
			return nil, f.ReadRawAt(f.Tensors[i].Name, nil, 0)
		}
	}
	for i := range f.Shards {
		if err := h.file(i); err != nil {
			return nil, err
		}
	}
	if !h.inOrder {
		for i := range f.Tensors {
			if err := h.tensor(&f.Tensors[i]); err != nil {
				return nil, err
			}
		}
	}
	h.s.All, h.s.UUID = hexed(h.all), uuid5(h.uuid)
	return &h.s, nil
}

// inOrder tells whether one pass over the files meets the tensors in the order of the directory, each whole and none
// within another.
func inOrder(f *gguf.File) bool {
	shard, end := 0, int64(0)
	for i := range f.Tensors {
		t := &f.Tensors[i]
		if t.Shard > shard {
			shard, end = t.Shard, 0
		}
		if t.Shard < shard || t.AbsOffset < end {
			return false
		}
		if end = t.AbsOffset + t.Bytes; end > f.Shards[shard].Size {
			return false
		}
	}
	return true
}

type hasher struct {
	ctx     context.Context
	f       *gguf.File
	o       Options
	s       Sums
	all     hash.Hash
	uuid    hash.Hash
	inOrder bool
	next    int // the first tensor that is not summed yet
	one     hash.Hash
	buf     []byte
	done    int64
	total   int64
}

func (h *hasher) advance(n int) error {
	if h.done += int64(n); h.o.Progress != nil {
		h.o.Progress(h.done, h.total)
	}
	return h.ctx.Err()
}

// file sums one file, and its tensors on the way if they are in order.
func (h *hasher) file(i int) error {
	shard := &h.f.Shards[i]
	whole := sha256.New()
	for off := int64(0); off < shard.Size; {
		p := h.buf[:min(int64(len(h.buf)), shard.Size-off)]
		if n, err := shard.ReadAt(p, off); n < len(p) {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return &gguf.Error{Offset: off, Field: "file " + strconv.Quote(shard.Name), Err: err}
		}
		var wg sync.WaitGroup
		wg.Go(func() { whole.Write(p) })
		if h.inOrder {
			h.within(i, off, p, &wg)
		}
		wg.Wait()
		off += int64(len(p))
		if err := h.advance(len(p)); err != nil {
			return err
		}
	}
	h.s.Files = append(h.s.Files, Sum{shard.Name, shard.Size, hexed(whole)})
	return nil
}

// span is what a piece holds of a tensor; last if that is its end.
type span struct {
	t    *gguf.Tensor
	p    []byte
	last bool
}

// within adds what p, the bytes of a shard from off on, holds of tensors; sums of different kinds are made at once.
func (h *hasher) within(shard int, off int64, p []byte, wg *sync.WaitGroup) {
	end := off + int64(len(p))
	var spans []span
	for h.next < len(h.f.Tensors) {
		t := &h.f.Tensors[h.next]
		if t.Shard != shard || t.AbsOffset > end {
			break
		}
		from, to := max(t.AbsOffset, off), min(t.AbsOffset+t.Bytes, end)
		last := to == t.AbsOffset+t.Bytes
		spans = append(spans, span{t, p[from-off : to-off], last})
		if !last {
			break
		}
		h.next++
	}
	wg.Go(func() {
		for _, s := range spans {
			h.part(s)
		}
	})
	for _, sum := range []hash.Hash{h.all, h.uuid} {
		wg.Go(func() {
			for _, s := range spans {
				sum.Write(s.p)
			}
		})
	}
}

// part adds bytes to the sum of the tensor whose turn it is.
func (h *hasher) part(s span) {
	if h.o.NoTensors {
		return
	}
	if h.one == nil {
		h.one = sha256.New()
	}
	h.one.Write(s.p)
	if s.last {
		h.s.Tensors = append(h.s.Tensors, Sum{s.t.Name, s.t.Bytes, hexed(h.one)})
		h.one = nil
	}
}

// tensor sums one tensor by reading it, where the order of the data is not that of the directory.
func (h *hasher) tensor(t *gguf.Tensor) error {
	for off := int64(0); ; {
		p := h.buf[:min(int64(len(h.buf)), t.Bytes-off)]
		if err := h.f.ReadRawAt(t.Name, p, off); err != nil {
			return err
		}
		h.all.Write(p)
		h.uuid.Write(p)
		off += int64(len(p))
		h.part(span{t, p, off == t.Bytes})
		if err := h.advance(len(p)); err != nil || off == t.Bytes {
			return err
		}
	}
}

func hexed(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)) }

// namespace is uuid5(URL, "en.wikipedia.org/wiki/Llama.cpp"), under which gguf-hash makes its ids.
var namespace = [16]byte{0xef, 0x00, 0x12, 0x06, 0xda, 0xdc, 0x5f, 0x6d, 0xa1, 0x5f, 0x33, 0x59, 0xe5, 0x77, 0xd4, 0xe5}

// uuid5 is the UUID of RFC 9562, section 5.5, of what h has summed.
func uuid5(h hash.Hash) string {
	b := h.Sum(nil)[:16]
	b[6] = b[6]&0x0f | 0x50
	b[8] = b[8]&0x3f | 0x80
	s := hex.EncodeToString(b)
	return s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:]
}
