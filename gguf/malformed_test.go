package gguf

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"straw/quant"
)

// Malformed files by stage, in the order of the header. place is a part of the error's field, text of its message.
func TestMalformed(t *testing.T) {
	f32 := func(name string, offset uint64, dims ...uint64) *encoder {
		return encode(3).info(name, dims, quant.F32, offset)
	}
	with := func(e *encoder, data int) []byte {
		e.data = make([]byte, data)
		return e.bytes()
	}
	cut := func(b []byte, n int) []byte { return b[:len(b)-n] }
	good := encode(3).kv("general.architecture", "llama").tensor("t", []uint64{8}, quant.F32, filled(32, 0)).bytes()
	u64 := func(n uint64) []byte { return encode(3).length(nil, n) }
	key := func(rest ...[]byte) []byte {
		return append([]byte("\x01\x00\x00\x00\x00\x00\x00\x00k"), bytes.Join(rest, nil)...)
	}
	code := func(n uint32) []byte { return encode(3).order.AppendUint32(nil, n) }

	for _, c := range []struct {
		name        string
		b           []byte
		kind        error
		place, text string
	}{
		{"empty", nil, ErrNotGGUF, "file", "empty"},
		{"one byte", []byte("G"), ErrNotGGUF, "magic", "1 bytes"},
		{"magic only", []byte("GGUF"), ErrTruncated, "version", "header is cut"},
		{"version 0", append([]byte("GGUF"), make([]byte, 20)...), ErrUnsupported, "version", "versions 1, 2 and 3"},
		{"version 4", encode(4).bytes(), ErrUnsupported, "version", "versions 1, 2 and 3"},
		{"version 4, big-endian", encode(4).bigEndian().bytes(), ErrUnsupported, "version", "versions 1, 2 and 3"},
		{"version 1 before 64-bit counts", append([]byte("GGUF\x01\x00\x00\x00"), good[8:]...), ErrFormat, "version", "layout of versions 2 and 3"},
		{"reversed magic, little-endian", append([]byte("FUGG"), good[4:]...), ErrNotGGUF, "magic", "reversed"},
		{"cut in the counts", good[:17], ErrTruncated, "metadata_kv_count", "header is cut"},

		{"more keys than fit", with(&encoder{version: 3, order: encode(3).order, nKV: 100}, 100), ErrTruncated, "metadata_kv_count", "cannot fit"},
		{"keys without end", with(&encoder{version: 3, order: encode(3).order, nKV: math.MaxInt64}, 100), ErrFormat, "metadata_kv_count", "cannot fit"},
		{"tensors without end", append(append([]byte("GGUF\x03\x00\x00\x00"), u64(math.MaxUint64)...), good[16:]...), ErrFormat, "tensor_count", "cannot fit"},

		{"key longer than the file", with(&encoder{version: 3, order: encode(3).order, pairs: [][]byte{u64(1000)}}, 50), ErrTruncated, "key 0 length", "runs past the end"},
		{"key of 2^64-1 bytes", with(&encoder{version: 3, order: encode(3).order, pairs: [][]byte{u64(math.MaxUint64)}}, 50), ErrFormat, "key 0 length", "runs past the end"},
		{"key too long for us", with(&encoder{version: 3, order: encode(3).order, pairs: [][]byte{u64(maxKey + 1)}}, maxKey+50), ErrUnsupported, "key 0 length", "more than"},
		{"empty key", encode(3).kv("", uint8(1)).bytes(), ErrFormat, "key 0", "empty key"},
		{"duplicate key", encode(3).kv("k", uint8(1)).kv("k", uint8(2)).bytes(), ErrFormat, "k", "twice"},
		{"value type 13", encode(3).raw(key(code(13), u64(0))...).bytes(), ErrFormat, "k type", "no such value type"},
		{"element type 13 of an empty array", encode(3).raw(key(code(9), code(13), u64(0))...).bytes(), ErrFormat, "k element type", "no such value type"},
		{"no value", encode(3).raw(key(code(uint32(Uint64)))...).bytes(), ErrTruncated, "k", "header is cut"},
		{"string past the end", cut(encode(3).kv("k", "text").bytes(), 1), ErrTruncated, "k length", "runs past the end"},
		{"string of 2^64-8 bytes", encode(3).raw(key(code(8), u64(math.MaxUint64-7))...).bytes(), ErrFormat, "k length", "runs past the end"},
		{"array past the end", cut(encode(3).kv("k", []any{uint32(1), uint32(2)}).bytes(), 1), ErrTruncated, "k count", "runs past the end"},
		{"array count that wraps", encode(3).raw(key(code(9), code(10), u64(1<<61))...).bytes(), ErrFormat, "k count", "runs past the end"},
		{"string element past the end", cut(encode(3).kv("k", []string{"a", "bcd"}).bytes(), 1), ErrTruncated, "k element 1 length", "runs past the end"},
		{"nested 5 deep", encode(3).kv("k", []any{[]any{[]any{[]any{[]any{uint8(1)}}}}}).bytes(), ErrUnsupported, "k", "nested more than 4 deep"},
		{"nested count past the end", encode(3).raw(key(code(9), code(9), u64(2), code(0), u64(9), u64(0))...).bytes(), ErrTruncated, "k count", "runs past the end"},
		{"alignment 0", encode(3).kv("general.alignment", uint32(0)).bytes(), ErrFormat, "general.alignment", "power of two"},
		{"alignment 12", encode(3).kv("general.alignment", uint32(12)).bytes(), ErrFormat, "general.alignment", "power of two"},
		{"alignment u64", encode(3).kv("general.alignment", uint64(32)).bytes(), ErrFormat, "general.alignment", "must be a u32"},

		{"name past the end", with(&encoder{version: 3, order: encode(3).order, alignment: 1, infos: [][]byte{u64(1000)}}, 50), ErrTruncated, `tensor 0 name length`, "runs past the end"},
		{"5 dimensions", with(f32("t", 0, 1, 1, 1, 1, 1), 32), ErrFormat, `tensor "t" n_dims`, "at most 4"},
		{"cut in the dims", f32("long enough a name", 0, 8, 1, 1).bytes()[:60], ErrTruncated, `tensor "long enough a name" dims`, "header is cut"},
		{"negative dimension", with(f32("t", 0, math.MaxUint64), 32), ErrFormat, `tensor "t" dims`, "above 2^63-1"},
		{"elements wrap to 0", with(f32("t", 0, 1<<32, 1<<32), 32), ErrFormat, `tensor "t" dims`, "above 2^63-1"},
		{"elements above 2^63", with(f32("t", 0, 1<<32, 1<<31), 32), ErrFormat, `tensor "t" dims`, "above 2^63-1"},
		{"bytes wrap to 0", with(f32("t", 0, 1<<62), 32), ErrFormat, `tensor "t" dims`, "bytes"},
		{"row of half a block", with(encode(3).info("t", []uint64{16, 2}, quant.Q4_0, 0), 32), ErrFormat, `tensor "t" dims`, "no multiple of 32"},
		{"scalar of a block type", with(encode(3).info("t", nil, quant.Q4_0, 0), 32), ErrFormat, `tensor "t" dims`, "no multiple of 32"},
		{"duplicate tensor", with(f32("t", 0, 8).info("t", []uint64{8}, quant.F32, 32), 64), ErrFormat, `tensor "t"`, "two tensors"},

		{"data section past the end", encode(3).kv("general.alignment", uint32(1<<20)).info("t", []uint64{8}, quant.F32, 0).bytes(), ErrTruncated, "tensor data", "would start at byte 1048576"},
		{"unaligned", with(f32("t", 4, 8), 64), ErrFormat, `tensor "t" offset`, "multiple of the alignment"},
		{"one byte missing", cut(good, 1), ErrTruncated, `tensor "t"`, "tensor data is cut"},
		{"all data missing", with(f32("a", 0, 8).info("b", []uint64{8}, quant.F32, 32).info("c", []uint64{8}, quant.F32, 64), 0), ErrTruncated, `tensor "a"`, "2 other tensors"},
		{"offset past the end", with(f32("t", 64, 8), 32), ErrTruncated, `tensor "t"`, "past the end"},
		{"offset 2^64-32", with(f32("t", math.MaxUint64-31, 8), 32), ErrFormat, `tensor "t" offset`, "no file is that large"},
		{"overlap", with(f32("a", 0, 16).info("b", []uint64{8}, quant.F32, 32), 64), ErrFormat, `tensor "b" offset`, `overlaps tensor "a"`},
		{"overlap behind a short one", with(f32("a", 0, 32).info("b", []uint64{4}, quant.F32, 0), 128), ErrFormat, `tensor "b" offset`, `overlaps tensor "a"`},
		{"unknown type inside another", with(f32("a", 0, 32).info("b", []uint64{4}, 144, 32), 128), ErrFormat, `tensor "b" offset`, `overlaps tensor "a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := openBytes(c.b)
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if !errors.Is(err, c.kind) || !strings.Contains(e.Field, c.place) || !strings.Contains(err.Error(), c.text) {
				t.Errorf("error %q of %v at %q; want %v, %q, %q", err, errors.Unwrap(e.Err), e.Field, c.kind, c.place, c.text)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b") || e.Offset < 0 || e.Offset > int64(len(c.b)) {
				t.Errorf("error %q at %d", err, e.Offset)
			}
			if f == nil {
				t.Fatal("no file")
			}
			said := false
			for _, x := range f.Findings {
				said = said || x.Severity == SeverityError && x.Message == err.Error()
			}
			if !said {
				t.Errorf("the error is not among the findings %v", f.Findings)
			}
		})
	}
}

// Wherever a file is cut, it is an error, and what came before is there.
func TestEveryCut(t *testing.T) {
	e := encode(3).kv("general.architecture", "llama").kv("a", []string{"x", "yz"}).kv("n", []any{int32(1), int32(2)})
	b := e.tensor("t", []uint64{2, 4}, quant.F32, filled(32, 0)).tensor("u", []uint64{8}, quant.F32, filled(32, 0)).bytes()
	for n := range b {
		f, err := openBytes(b[:n])
		if err == nil {
			t.Fatalf("cut at %d of %d: no error", n, len(b))
		}
		if n > 100 && len(f.Metadata) == 0 || n >= len(b)-64 && (len(f.Tensors) != 2 || len(f.Metadata) != 3) {
			t.Errorf("cut at %d: %d keys, %d tensors", n, len(f.Metadata), len(f.Tensors))
		}
	}
}

// A fault that does not hide what follows is reported, and all the rest is read.
func TestReadsOn(t *testing.T) {
	e := encode(3).kv("k", uint8(1)).kv("k", uint8(2)).kv("last", uint8(3)).info("bad", []uint64{33}, quant.Q4_0, 0).info("t", []uint64{8}, quant.F32, 0).info("t", []uint64{8}, quant.F32, 32)
	e.data = make([]byte, 64)
	f, err := openBytes(e.bytes())
	if err == nil || len(f.Metadata) != 3 || len(f.Tensors) != 3 {
		t.Fatalf("%v, %d keys, %d tensors", err, len(f.Metadata), len(f.Tensors))
	}
	var rules []string
	for _, x := range f.Findings {
		if x.Severity == SeverityError {
			rules = append(rules, x.Rule)
		}
	}
	if got := strings.Join(rules, " "); got != "key-duplicate tensor-dims tensor-duplicate" {
		t.Error(got)
	}
	if v, err := f.Get("k"); v != int64(1) || err != nil {
		t.Errorf("k is %v, %v; want the first", v, err)
	}
}

// What parsers differ about opens with a finding.
func TestFindings(t *testing.T) {
	with := func(e *encoder, data int) []byte {
		e.data = make([]byte, data)
		return e.bytes()
	}
	two := func(a, b uint64) *encoder {
		return encode(3).info("a", []uint64{8}, quant.F32, a).info("b", []uint64{8}, quant.F32, b)
	}
	arch := func() *encoder { return encode(3).kv("general.architecture", "llama") }
	tokens := []string{"a", "b", "c"}
	for _, c := range []struct {
		rule string // "" for none
		b    []byte
	}{
		{"", encode(3).kv("general.architecture", "llama").bytes()},
		{"empty", encode(3).bytes()},
		{"old-version", encode(2).bytes()},
		{"old-version", encode(1).kv("k", uint8(1)).bytes()},
		{"big-endian", encode(3).bigEndian().bytes()},
		{"magic-reversed", append([]byte("FUGG"), encode(3).bigEndian().bytes()[4:]...)},
		{"nested-array", encode(3).kv("k", []any{[]any{}}).bytes()},
		{"bool-not-0-1", encode(3).raw([]byte("\x01\x00\x00\x00\x00\x00\x00\x00k\x07\x00\x00\x00\x02")...).bytes()},
		{"key-too-long", encode(3).kv(strings.Repeat("k", 65536), uint8(1)).bytes()},
		{"key-form", encode(3).kv("Some Key", uint8(1)).bytes()},
		{"key-not-utf8", encode(3).kv("k\xff", uint8(1)).bytes()},
		{"name-not-utf8", with(encode(3).info("\xff", []uint64{8}, quant.F32, 0), 32)},
		{"tensor-scalar", with(encode(3).info("s", nil, quant.F32, 0), 4)},
		{"alignment", encode(3).kv("general.alignment", uint32(24)).bytes()},
		{"alignment", encode(3).kv("general.alignment", uint32(4)).bytes()},
		{"name-empty", with(encode(3).info("", []uint64{8}, quant.F32, 0), 32)},
		{"name-too-long", with(encode(3).info(strings.Repeat("n", 64), []uint64{8}, quant.F32, 0), 32)},
		{"unknown-type", with(encode(3).info("t", []uint64{8}, 144, 0), 32)},
		{"tensor-empty", with(encode(3).info("t", []uint64{8, 0}, quant.F32, 0).info("u", []uint64{8}, quant.F32, 0), 32)},
		{"dims-overflow", with(encode(3).info("t", []uint64{0, 1 << 62, 1 << 62}, quant.F32, 0), 0)},
		{"tensor-gap", with(two(0, 64), 96)},
		{"tensor-gap", with(two(32, 64), 96)},
		{"tensor-order", with(two(32, 0), 64)},
		{"trailing-bytes", with(two(0, 32), 100)},
		{"joined-files", append(with(two(0, 32), 64), encode(3).bytes()...)},
		{"file-type-missing", with(encode(3).info("t", []uint64{8, 1}, quant.F32, 0), 32)},
		{"file-type-type", arch().kv("general.file_type", "Q8_0").bytes()},
		{"file-type-unknown", arch().kv("general.file_type", uint32(9999)).bytes()},
		{"architecture-missing", encode(3).kv("k", uint8(1)).bytes()},
		{"block-count", arch().kv("llama.block_count", uint32(4_000_000_000)).bytes()},
		{"block-count", arch().kv("llama.block_count", "12").bytes()},
		{"tokens-missing", arch().kv("tokenizer.ggml.model", "gpt2").bytes()},
		{"merges-missing", arch().kv("tokenizer.ggml.model", "gpt2").kv("tokenizer.ggml.tokens", tokens).bytes()},
		{"vocabulary-lengths", arch().kv("tokenizer.ggml.tokens", tokens).kv("tokenizer.ggml.scores", []any{float32(1)}).bytes()},
		{"token-id-range", arch().kv("tokenizer.ggml.tokens", tokens).kv("tokenizer.ggml.eos_token_id", uint32(3)).bytes()},
		{"embedding-rows", with(arch().kv("tokenizer.ggml.tokens", tokens).info("token_embd.weight", []uint64{8, 4}, quant.F32, 0), 128)},
		{"split-tensors-count", arch().kv("split.count", uint16(1)).kv("split.tensors.count", int32(math.MaxInt32)).bytes()},
		{"shards-missing", arch().kv("split.no", uint16(0)).kv("split.count", uint16(2)).bytes()},
		{"split-number", arch().kv("split.no", uint16(5)).kv("split.count", uint16(2)).bytes()},
	} {
		f, err := OpenParts([]Part{{"model.gguf", bytes.NewReader(c.b), int64(len(c.b))}})
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		found := c.rule == "" && len(f.Findings) == 0
		for _, x := range f.Findings {
			found = found || x.Rule == c.rule
		}
		if !found {
			t.Errorf("%s: not found, only %v", c.rule, f.Findings)
		}
	}
}

// A thousand faults of one kind are not a thousand lines.
func TestFindingsAreBounded(t *testing.T) {
	e := encode(3)
	for range 1000 {
		e.kv("k", uint8(1))
	}
	f, err := openBytes(e.bytes())
	if err == nil || len(f.Findings) > perRule+5 || !strings.Contains(f.Findings[len(f.Findings)-1].Message, "979 more") {
		t.Errorf("%v, %d findings, the last %v", err, len(f.Findings), f.Findings[len(f.Findings)-1])
	}
}

// Text of the file that stands in an error does not reach a terminal as it is.
func TestErrorsAreSafeToPrint(t *testing.T) {
	nasty := "\x1b[2J\u202egnp.exe\r\n\x00\xff" + strings.Repeat("long", 100)
	for _, b := range [][]byte{
		encode(3).kv(nasty, uint8(1)).kv(nasty, uint8(1)).bytes(),
		encode(3).info(nasty, []uint64{1 << 60}, quant.F32, 0).bytes(),
		[]byte(`{"error": "` + nasty + `"}`),
		[]byte(nasty),
	} {
		_, err := openBytes(b)
		if err == nil {
			t.Fatal("no error")
		}
		for _, r := range err.Error() {
			if r < ' ' || r == 0x202e || r == 0xfffd {
				t.Errorf("%q has %q", err, r)
			}
		}
		if len(err.Error()) > 600 {
			t.Errorf("%d bytes of error", len(err.Error()))
		}
	}
}
