package engine_test

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"straw/engine"
	"straw/gguf"
	"straw/quant"
)

// edited is a file with some of its keys and tensors changed.
type edited struct {
	*gguf.File
	values map[string]any
	dims   map[string][]int64
	types  map[string]quant.Type
}

func (e edited) Get(key string) (any, error) {
	if v, ok := e.values[key]; ok {
		return v, nil
	}
	return e.File.Get(key)
}

func (e edited) TensorInfo(name string) (quant.Type, []int64, bool) {
	t, dims, ok := e.File.TensorInfo(name)
	if d, changed := e.dims[name]; changed {
		dims, ok = d, d != nil
	}
	if typ, changed := e.types[name]; changed {
		t = typ
	}
	return t, dims, ok
}

// edit changes f as script says: four bytes a change, which name the kind of change, the key or tensor, and two numbers.
func edit(f *gguf.File, script []byte) edited {
	e := edited{f, map[string]any{}, map[string][]int64{}, map[string]quant.Type{}}
	names := slices.Collect(f.TensorNames())
	numbers := []int64{0, 1, 2, 3, 4, 5, 7, 8, 16, 31, 48, 63, 64, 100, 1 << 12, 1 << 16, 1 << 24, 1 << 31, 1 << 40, -1}
	for ; len(script) >= 4; script = script[4:] {
		which := int(script[1])
		n := numbers[int(script[2])%len(numbers)]
		key := f.Metadata[which%len(f.Metadata)].Key
		name := names[which%len(names)]
		switch script[0] % 8 {
		case 0, 1:
			e.values[key] = n
		case 2:
			e.values[key] = float64(int8(script[3])) / 8
		case 3:
			e.values[key] = slices.Repeat([]int64{n, int64(script[3] % 8)}, int(script[3]%5))
		case 4:
			delete(e.values, key)
			e.values[key] = nil
		case 5:
			e.dims[name] = nil
		case 6:
			_, dims, _ := f.TensorInfo(name)
			dims = slices.Clone(dims)
			dims[int(script[3])%len(dims)] = n
			e.dims[name] = dims
		case 7:
			e.types[name] = quant.Type(script[3] % 48)
		}
	}
	return e
}

// Whatever the keys and the directory of a file say, it is refused with an error, or it runs.
func FuzzDescribe(f *testing.F) {
	files, err := filepath.Glob("../testdata/tiny/*.gguf")
	if more, _ := filepath.Glob("../../shared/golden/tiny/*.gguf"); err == nil && len(more) > 0 {
		files = more
	}
	if len(files) == 0 {
		f.Fatal("no models in testdata/tiny")
	}
	for i := range files {
		f.Add(uint8(i), []byte{0, byte(3 * i), byte(i), 1, 6, byte(i), 4, 0})
	}
	f.Fuzz(func(t *testing.T, file uint8, script []byte) {
		path := files[int(file)%len(files)]
		g, err := gguf.OpenFS(os.DirFS(filepath.Dir(path)), filepath.Base(path))
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		m, err := engine.Describe(edit(g, script[:min(len(script), 32)]))
		var kind interface{ Kind() string }
		if err != nil {
			if !errors.As(err, &kind) {
				t.Errorf("%s, %x: error without a kind: %v", path, script, err)
			}
			return
		}
		s, err := m.NewSession(context.Background(), engine.Options{Threads: 1, Context: 64})
		if err != nil {
			return
		}
		defer s.Close()
		_, _ = s.Embed(context.Background(), []int{1, 2, 3}, m.Output.Pooling)
		_ = s.Encode(context.Background(), []int{3, 2, 1, 3})
		_, _ = s.Eval(context.Background(), []int{1, 2, 3}, true)
		_, _ = s.Eval(context.Background(), []int{int(binary.LittleEndian.Uint16(append(script, 0, 0)))}, false)
	})
}
