package engine_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"straw/engine"
	"straw/quant"
)

func save(t *testing.T, s *engine.Session, note string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.Save(context.Background(), &b, []byte(note)); err != nil {
		t.Fatal(err)
	}
	if want := s.SnapshotBytes(len(note)); int64(b.Len()) != want {
		t.Errorf("%d bytes were written, %d were foretold", b.Len(), want)
	}
	return b.Bytes()
}

// A restored session goes on with the bits of the one that was saved, and can be cut as that one could.
func TestSnapshot(t *testing.T) {
	forEachGenerating(t, func(t *testing.T, m *engine.Model, ids []int, _ func(*engine.Session)) {
		for _, kv := range []engine.KVType{engine.KVF32, engine.KVF16} {
			a := session(t, m, engine.Options{Threads: 1, KV: kv})
			var unsupported *engine.UnsupportedError
			if m.Encoder.Layers > 0 {
				if err := a.Save(context.Background(), io.Discard, nil); !errors.As(err, &unsupported) {
					t.Errorf("a model with an encoder: %v", err)
				}
				return
			}
			eval(t, a, ids[:9], false)
			a.Truncate(7)
			file := save(t, a, "a note")
			want := eval(t, a, ids[7:], true)
			b := session(t, m, engine.Options{Threads: 2, KV: kv, Resident: true})
			eval(t, b, ids[3:6], false) // is forgotten
			note, err := b.Restore(iotest.OneByteReader(bytes.NewReader(file)))
			if err != nil || string(note) != "a note" || b.Len() != 7 {
				t.Fatalf("note %q, %d tokens, %v", note, b.Len(), err)
			}
			if again := save(t, b, "a note"); !bytes.Equal(again, file) {
				t.Error("saved again it is another file")
			}
			sameRows(t, "restored", eval(t, b, ids[7:], true), want)
			b.Truncate(5)
			sameRows(t, "restored and cut", eval(t, b, ids[5:], true)[2:], want)
		}
	})
}

// Pages and their rest, and Q8_0.
func TestSnapshotOfPages(t *testing.T) {
	m := describe(t, recipe{arch: "llama", typ: quant.Q8_0}.file(t))
	var long []int
	for len(long) < 130 {
		long = append(long, someTokens...)
	}
	for _, n := range []int{0, 1, 64, 65, 130} {
		a := session(t, m, engine.Options{Threads: 1, KV: engine.KVF16})
		eval(t, a, long[:n], false)
		b := sibling(t, a, false)
		if _, err := b.Restore(bytes.NewReader(save(t, a, ""))); err != nil {
			t.Fatal(err)
		}
		sameRows(t, "restored", eval(t, b, someTokens[:3], true), eval(t, a, someTokens[:3], true))
	}
}

// Every damaged file is refused with the field and the byte, and the session stays as it was.
func TestRestoreRefuses(t *testing.T) {
	m := describe(t, recipe{arch: "llama"}.file(t))
	s := session(t, m, engine.Options{Context: 50, KV: engine.KVF16})
	eval(t, s, someTokens[:6], false)
	file := save(t, s, "note")
	refused := func(what string, s *engine.Session, r io.Reader, field, kind string) {
		t.Helper()
		before := s.Len()
		_, err := s.Restore(r)
		var e *engine.SnapshotError
		if !errors.As(err, &e) {
			t.Errorf("%s: error %v", what, err)
			return
		}
		if e.Field != field || e.Kind() != kind || s.Len() != before || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: field %q, kind %s: %v", what, e.Field, e.Kind(), err)
		}
	}
	change := func(at int, b byte) []byte {
		c := bytes.Clone(file)
		c[at] ^= b
		return c
	}
	read := bytes.NewReader
	for n := range file {
		_, err := s.Restore(read(file[:n]))
		var e *engine.SnapshotError
		if !errors.As(err, &e) || e.Kind() != "truncated" {
			t.Fatalf("the first %d bytes: %v", n, err)
		}
	}
	for at := range file {
		if _, err := s.Restore(read(change(at, 0x10))); err == nil {
			t.Fatalf("byte %d is another: no error", at)
		}
	}
	refused("no session file", s, strings.NewReader("GGUF\x03 and what is in such files, of which there is a lot, more than a head"), "magic", "format")
	refused("a later version", s, read(change(8, 2)), "version", "format")
	refused("a damaged head", s, read(change(20, 1)), "checksum of the head", "format")
	refused("a damaged key", s, read(change(len(file)-9, 1)), "checksum", "format")
	refused("something after the end", s, read(append(bytes.Clone(file), 0)), "end", "format")
	refused("a reader's error", s, io.MultiReader(read(file[:100]), iotest.ErrReader(errDisk)), "keys and values", "io")
	refused("another model", session(t, describe(t, recipe{arch: "llama", typ: quant.F16}.file(t)), engine.Options{KV: engine.KVF16}), read(file), "model", "format")
	refused("another cache", session(t, m, engine.Options{}), read(file), "kv type", "format")
	refused("a smaller context", session(t, m, engine.Options{Context: 5, KV: engine.KVF16}), read(file), "tokens", "format")
	if _, err := s.Restore(read(file)); err != nil {
		t.Errorf("the file as it is: %v", err)
	}
}

// Whatever is in a file, it is refused, or the session can go on.
func FuzzRestore(f *testing.F) {
	m := describe(f, recipe{arch: "llama"}.file(f))
	s, err := m.NewSession(context.Background(), engine.Options{Threads: 1, Context: 40})
	if err != nil {
		f.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Eval(context.Background(), someTokens[:3], false); err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Save(context.Background(), &b, []byte("note")); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:80])
	f.Add([]byte("strawses"))
	f.Fuzz(func(t *testing.T, file []byte) {
		file = bytes.Clone(file)
		if len(file) >= 76 { // checksums that are right let the rest be looked at
			copy(file[36:68], b.Bytes()[36:68])
			binary.LittleEndian.PutUint32(file[68:], engine.SnapshotSum(file[:68]))
			binary.LittleEndian.PutUint32(file[len(file)-4:], engine.SnapshotSum(file[72:len(file)-4]))
		}
		if _, err := s.Restore(bytes.NewReader(file)); err != nil {
			var e *engine.SnapshotError
			if !errors.As(err, &e) {
				t.Errorf("error %v", err)
			}
			return
		}
		if s.Len() < s.Context() {
			if _, err := s.Eval(context.Background(), someTokens[:1], false); err != nil {
				t.Error(err)
			}
		}
	})
}
