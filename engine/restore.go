package engine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
)

// SnapshotError says what is wrong with a session file.
type SnapshotError struct {
	Field  string // in the words of docs/session-file.md
	Offset int64  // byte in the file at which the field stands
	Err    error
}

func (e *SnapshotError) Error() string {
	return fmt.Sprintf("session file: %s (byte %d): %v", e.Field, e.Offset, e.Err)
}

func (e *SnapshotError) Unwrap() error { return e.Err }

// Kind is "truncated", "format", or "io" where the file could not be read.
func (e *SnapshotError) Kind() string {
	switch {
	case errors.Is(e.Err, io.ErrUnexpectedEOF):
		return "truncated"
	case errors.As(e.Err, new(readError)):
		return "io"
	}
	return "format"
}

// readError is an error of the reader.
type readError struct{ error }

func (e readError) Unwrap() error { return e.error }

// Restore makes the timeline the one that Save has written to r, of the same model with the same kind of cache, and
// returns the note. The error for a file that is damaged or not of this model is a *SnapshotError; the timeline is then
// as it was. Memory is taken as the file fills it, never on a number's word.
func (s *Session) Restore(r io.Reader) (note []byte, err error) {
	if err := s.savable(); err != nil {
		return nil, err
	}
	in := &snapshotReader{r: r, sum: crc32.New(castagnoli())}
	n, size, err := s.readHead(in)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	if err := in.copy(&text, "note", int64(size)); err != nil {
		return nil, err
	}
	t := newTimeline(s.shapes, s.sizes)
	if t.ids, err = s.readIDs(in, n); err != nil {
		return nil, err
	}
	for i := range t.caches {
		c := &t.caches[i]
		for done := 0; done < n; done += kvPage {
			c.grow(done, min(n, done+kvPage))
			one := kvCache{kvShape: c.kvShape, pages: c.pages[done/kvPage:]}
			one.each(min(n-done, kvPage), func(p []byte) { in.bytes("keys and values", p) }, func(x []float32) { in.floats("keys and values", x) })
			if in.err != nil {
				return nil, in.err
			}
		}
	}
	for _, state := range t.states {
		in.floats("states", state)
	}
	want := in.sum.Sum32()
	at := in.off
	got := in.uint32("checksum")
	if in.err == nil && got != want {
		in.fail("checksum", at, fmt.Errorf("%08x, and what is before it has %08x: the file is damaged", got, want))
	}
	if in.err == nil {
		if _, err := io.ReadFull(r, make([]byte, 1)); err == nil {
			in.fail("end", in.off, errors.New("there is more after it"))
		}
	}
	if in.err != nil {
		return nil, in.err
	}
	t.n, t.history.state = n, n
	s.timeline = t
	s.timeline.history.states = t.states
	return text.Bytes(), nil
}

// readHead checks the head, and returns the tokens and the bytes of the note that it tells of.
func (s *Session) readHead(in *snapshotReader) (n, note int, err error) {
	head := make([]byte, snapshotHead)
	magic := head[:len(snapshotMagic)]
	in.bytes("magic", magic)
	if in.err == nil && string(magic) != snapshotMagic {
		in.fail("magic", 0, fmt.Errorf("%q in place of %q: this is not a session file", magic, snapshotMagic))
	}
	in.bytes("head", head[len(magic):])
	if in.err != nil {
		return 0, 0, in.err
	}
	in.sum.Reset()
	field := func(i int) int64 { return int64(binary.LittleEndian.Uint32(head[8+4*i:])) }
	if v := field(0); v != snapshotVersion {
		return 0, 0, in.fail("version", 8, fmt.Errorf("%d is not known here, only %d is", v, snapshotVersion))
	}
	if got, want := binary.LittleEndian.Uint32(head[snapshotHead-4:]), crc32.Checksum(head[:snapshotHead-4], castagnoli()); got != want {
		return 0, 0, in.fail("checksum of the head", snapshotHead-4, fmt.Errorf("%08x, and the head has %08x: the file is damaged", got, want))
	}
	sum, err := s.digest()
	if err != nil {
		return 0, 0, err
	}
	context, tokens := field(2), field(3)
	switch {
	case !bytes.Equal(head[36:68], sum[:]):
		in.fail("model", 36, errors.New("the session is of another model, or of other adapters"))
	case KVType(field(1)) != s.kv:
		in.fail("kv type", 12, fmt.Errorf("the session keeps keys and values as %s, this one as %s", KVType(field(1)), s.kv))
	case context > 1<<30 || s.longContext(int(context)) != s.longContext(s.context):
		in.fail("context", 16, fmt.Errorf("the session is of a context of %d, for which the model turns keys in another way than for %d", context, s.context))
	case tokens > int64(s.context):
		in.fail("tokens", 20, fmt.Errorf("%d do not fit a context of %d", tokens, s.context))
	case field(4) > MaxNote:
		in.fail("note", 24, fmt.Errorf("%d bytes are more than the %d that there may be", field(4), MaxNote))
	case field(5) != int64(len(s.caches)) || field(6) != int64(len(s.states)):
		in.fail("caches", 28, fmt.Errorf("%d caches and %d states, the model has %d and %d", field(5), field(6), len(s.caches), len(s.states)))
	}
	return int(tokens), int(field(4)), in.err
}

// readIDs reads n tokens.
func (s *Session) readIDs(in *snapshotReader, n int) ([]int, error) {
	var ids []int
	for range n {
		at := in.off
		id := in.uint32("token")
		if in.err == nil && int64(id) >= int64(s.model.Vocab) {
			in.fail("token", at, fmt.Errorf("%d is not one of the model's %d", id, s.model.Vocab))
		}
		if in.err != nil {
			return nil, in.err
		}
		ids = append(ids, int(id))
	}
	return ids, nil
}

// snapshotReader reads a file field by field, until an error.
type snapshotReader struct {
	r   io.Reader
	sum hash.Hash32
	off int64
	buf []byte
	err error // a *SnapshotError
}

func (in *snapshotReader) fail(field string, off int64, err error) error {
	if in.err == nil {
		in.err = &SnapshotError{field, off, err}
	}
	return in.err
}

// failRead is fail for an error of the reader after n bytes of a field that begins at off.
func (in *snapshotReader) failRead(field string, off int64, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return in.fail(field, off, fmt.Errorf("the file ends after %d bytes: %w", in.off, io.ErrUnexpectedEOF))
	}
	return in.fail(field, off, readError{err})
}

// bytes fills p.
func (in *snapshotReader) bytes(field string, p []byte) {
	if in.err != nil {
		return
	}
	at := in.off
	n, err := io.ReadFull(in.r, p)
	in.off += int64(n)
	in.sum.Write(p[:n])
	if err != nil && len(p) > 0 {
		in.failRead(field, at, err)
	}
}

// copy reads n bytes into dst, which grows with them.
func (in *snapshotReader) copy(dst *bytes.Buffer, field string, n int64) error {
	at := in.off
	got, err := io.CopyN(io.MultiWriter(dst, in.sum), in.r, n)
	in.off += got
	if err != nil {
		return in.failRead(field, at, err)
	}
	return nil
}

// floats fills x with binary32 numbers.
func (in *snapshotReader) floats(field string, x []float32) {
	if len(in.buf) < 4*len(x) {
		in.buf = make([]byte, 4*len(x))
	}
	p := in.buf[:4*len(x)]
	in.bytes(field, p)
	binary.Decode(p, binary.LittleEndian, x) // never short
}

func (in *snapshotReader) uint32(field string) uint32 {
	var b [4]byte
	in.bytes(field, b[:])
	return binary.LittleEndian.Uint32(b[:])
}
