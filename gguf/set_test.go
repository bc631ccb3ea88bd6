package gguf

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"straw/quant"
)

// shard is shard no of count, with one tensor; the set has total tensors.
func shard(no, count, total int, tensor string) *encoder {
	e := encode(3)
	if no == 0 {
		e.kv("general.architecture", "llama")
	}
	e.kv("split.no", uint16(no)).kv("split.count", uint16(count)).kv("split.tensors.count", int32(total))
	if tensor != "" {
		e.tensor(tensor, []uint64{64}, quant.I8, filled(64, no))
	}
	return e
}

func folderOf(files map[string][]byte) fstest.MapFS {
	m := fstest.MapFS{}
	for name, b := range files {
		m[name] = &fstest.MapFile{Data: b}
	}
	return m
}

func three() map[string][]byte {
	return map[string][]byte{
		"models/m-00001-of-00003.gguf": shard(0, 3, 3, "a").bytes(),
		"models/m-00002-of-00003.gguf": shard(1, 3, 3, "b").bytes(),
		"models/m-00003-of-00003.gguf": shard(2, 3, 3, "c").bytes(),
		"models/other.gguf":            encode(3).bytes(),
	}
}

func TestShardNames(t *testing.T) {
	for _, c := range []struct {
		name, base string
		no, count  int
	}{
		{"m-00001-of-00003.gguf", "m", 0, 3},
		{"m-00003-of-00003.gguf", "m", 2, 3},
		{"a-00001-of-00001-00002-of-65535.gguf", "a-00001-of-00001", 1, 65535},
		{"m-00000-of-00003.gguf", "", 0, 0},
		{"m-00004-of-00003.gguf", "", 0, 0},
		{"m-0001-of-0003.gguf", "", 0, 0},
		{"m-00001-of-00003.bin", "", 0, 0},
		{"m-+0001-of-00003.gguf", "", 0, 0},
		{".gguf", "", 0, 0},
	} {
		base, no, count, ok := ParseShardName(c.name)
		if base != c.base || no != c.no || count != c.count || ok != (c.count > 0) {
			t.Errorf("%s: %q, %d of %d, %v", c.name, base, no, count, ok)
		}
		if ok && ShardName(base, no, count) != c.name {
			t.Errorf("%s becomes %s", c.name, ShardName(base, no, count))
		}
	}
}

func checkThree(t *testing.T, f *File, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(f.TensorNames()); !slices.Equal(got, []string{"a", "b", "c"}) || len(f.Shards) != 3 {
		t.Fatalf("tensors %v in %d shards", got, len(f.Shards))
	}
	if arch, _ := f.Get("general.architecture"); arch != "llama" {
		t.Errorf("the metadata is not that of the first shard: %v", f.Metadata)
	}
	for i, name := range []string{"a", "b", "c"} {
		got := make([]byte, 64)
		if err := f.ReadTensorAt(name, got, 0); err != nil || !bytes.Equal(got, filled(64, i)) || f.Tensors[i].Shard != i {
			t.Errorf("tensor %s of shard %d: %v", name, f.Tensors[i].Shard, err)
		}
	}
}

func TestOpenFSFromAnyShard(t *testing.T) {
	for no := range 3 {
		f, err := OpenFS(folderOf(three()), "models/"+ShardName("m", no, 3))
		checkThree(t, f, err)
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	f, err := OpenFS(folderOf(three()), "models/other.gguf")
	if err != nil || len(f.Shards) != 1 {
		t.Errorf("a file beside the set: %v", err)
	}
	if f, err := OpenFS(folderOf(three()), "models/none.gguf"); f != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such file: %v", err)
	}
	if f, err := OpenFS(folderOf(three()), "models"); f != nil || err == nil || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
}

func partsOf(files map[string][]byte, names ...string) []Part {
	var parts []Part
	for _, name := range names {
		b := files["models/"+name]
		parts = append(parts, Part{name, bytes.NewReader(b), int64(len(b))})
	}
	return parts
}

func TestOpenPartsInAnyOrder(t *testing.T) {
	names := []string{"m-00001-of-00003.gguf", "m-00002-of-00003.gguf", "m-00003-of-00003.gguf"}
	for _, order := range [][3]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}} {
		f, err := OpenParts(partsOf(three(), names[order[0]], names[order[1]], names[order[2]]))
		checkThree(t, f, err)
	}
	// names that say nothing: the keys do
	files := three()
	var parts []Part
	for _, name := range []string{names[1], names[2], names[0]} {
		b := files["models/"+name]
		parts = append(parts, Part{fmt.Sprint("download", len(parts)), bytes.NewReader(b), int64(len(b))})
	}
	f, err := OpenParts(parts)
	checkThree(t, f, err)
	if _, err := OpenParts(nil); err == nil {
		t.Error("no parts at all")
	}
}

func TestFirstShardWithoutTensors(t *testing.T) {
	f, err := OpenFS(folderOf(map[string][]byte{
		"m-00001-of-00002.gguf": shard(0, 2, 1, "").bytes(),
		"m-00002-of-00002.gguf": shard(1, 2, 1, "b").bytes(),
	}), "m-00002-of-00002.gguf")
	if err != nil || len(f.Tensors) != 1 || f.Tensors[0].Shard != 1 || f.DataOffset != -1 || f.Shards[1].DataOffset < 0 {
		t.Errorf("%v, %+v", err, f)
	}
}

// What is wrong with a set is said by name, and what is there is shown.
func TestWrongSets(t *testing.T) {
	const a, b, c = "models/m-00001-of-00003.gguf", "models/m-00002-of-00003.gguf", "models/m-00003-of-00003.gguf"
	uuid := func(no int, tensor, id string) []byte {
		return shard(no, 3, 3, tensor).kv("general.uuid", id).bytes()
	}
	for _, x := range []struct {
		name   string
		change func(m map[string][]byte)
		kind   error
		text   string
	}{
		{"one missing", func(m map[string][]byte) { delete(m, b) }, ErrMissingShard, `1 of 3 are missing: "m-00002-of-00003.gguf"`},
		{"two missing", func(m map[string][]byte) { delete(m, b); delete(m, a) }, ErrMissingShard, `2 of 3 are missing: "m-00001-of-00003.gguf", "m-00002-of-00003.gguf"`},
		{"tensor in two", func(m map[string][]byte) { m[b] = shard(1, 3, 3, "a").bytes() }, ErrFormat, `it is in "m-00001-of-00003.gguf" and in "m-00002-of-00003.gguf"`},
		{"tensor missing", func(m map[string][]byte) { m[b] = shard(1, 3, 3, "").bytes() }, ErrFormat, "have 2 tensors"},
		{"other count", func(m map[string][]byte) { m[b] = shard(1, 4, 3, "b").bytes() }, ErrFormat, "split.count is 4"},
		{"renamed", func(m map[string][]byte) { m[b], m[c] = m[c], m[b] }, ErrFormat, "was it renamed"},
		{"no shard", func(m map[string][]byte) { m[b] = encode(3).bytes() }, ErrFormat, "it is no shard"},
		{"other model", func(m map[string][]byte) { m[a], m[b] = uuid(0, "a", "1"), uuid(1, "b", "2") }, ErrFormat, "general.uuid"},
		{"other set", func(m map[string][]byte) { m[b] = shard(1, 3, 5, "b").bytes() }, ErrFormat, "split.tensors.count is 5"},
		{"damaged", func(m map[string][]byte) { m[b] = m[b][:len(m[b])-1] }, ErrTruncated, `shard "m-00002-of-00003.gguf": tensor "b"`},
		{"not downloaded", func(m map[string][]byte) { m[b] = []byte("version https://git-lfs.github.com/spec/v1\n") }, ErrNotGGUF, `shard "m-00002-of-00003.gguf"`},
		{"empty", func(m map[string][]byte) { m[b] = nil }, ErrNotGGUF, "empty"},
	} {
		files := three()
		x.change(files)
		f, err := OpenFS(folderOf(files), c)
		if !errors.Is(err, x.kind) || !strings.Contains(err.Error(), x.text) {
			t.Errorf("%s: %v", x.name, err)
		}
		if f == nil || len(f.Tensors) == 0 {
			t.Errorf("%s: nothing is shown", x.name)
		}
	}
	// given by hand, shards can be there twice or be of two models
	files := three()
	files["models/n-00002-of-00003.gguf"] = files[b]
	for _, names := range [][]string{
		{"m-00001-of-00003.gguf", "m-00002-of-00003.gguf", "m-00002-of-00003.gguf", "m-00003-of-00003.gguf"},
		{"m-00001-of-00003.gguf", "n-00002-of-00003.gguf", "m-00003-of-00003.gguf"},
		{"m-00001-of-00003.gguf", "other.gguf"},
		{"other.gguf", "other.gguf"},
	} {
		if f, err := OpenParts(partsOf(files, names...)); err == nil || f == nil {
			t.Errorf("%v: %v", names, err)
		}
	}
}

// unlisted is a file system that cannot list, like one over HTTP; it counts what is opened.
type unlisted struct {
	fs.FS
	opened int
}

func (u *unlisted) Open(name string) (fs.File, error) {
	u.opened++
	f, err := u.FS.Open(name)
	if err != nil {
		return nil, err
	}
	r, ok := f.(io.ReaderAt)
	if !ok {
		return nil, fs.ErrPermission
	}
	return struct {
		fs.File
		io.ReaderAt
	}{f, r}, nil
}

// A shard that is there and cannot be opened is not a missing one.
func TestUnreadableShard(t *testing.T) {
	_, err := OpenFS(forbidden{folderOf(three())}, "models/m-00001-of-00003.gguf")
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "m-00002-of-00003.gguf") {
		t.Errorf("%v", err)
	}
}

type forbidden struct{ fs.FS }

func (f forbidden) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, "2-of-00003.gguf") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.FS.Open(name)
}

func TestMissingShardsAreCheap(t *testing.T) {
	files := map[string][]byte{"m-00001-of-65535.gguf": shard(0, 65535, 1, "a").bytes()}
	u := &unlisted{FS: folderOf(files)}
	for _, fsys := range []fs.FS{folderOf(files), u} {
		_, err := OpenFS(fsys, "m-00001-of-65535.gguf")
		if !errors.Is(err, ErrMissingShard) || !strings.Contains(err.Error(), "and 65529 more") {
			t.Errorf("%v", err)
		}
	}
	if u.opened > 20 {
		t.Errorf("%d files were tried", u.opened)
	}
	f, err := OpenFS(&unlisted{FS: folderOf(three())}, "models/m-00002-of-00003.gguf")
	checkThree(t, f, err)
}
