package gguf

import (
	"bytes"
	"errors"
	"os"
	"testing"
)

// FuzzOpen opens anything, then looks at everything: no panic, no hang, no memory beyond what the file's bytes explain.
func FuzzOpen(f *testing.F) {
	for _, name := range glob(f, corpora(f)[0]) {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := OpenParts([]Part{{"m.gguf", bytes.NewReader(b), int64(len(b))}})
		if file == nil {
			t.Fatal("no file")
		}
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Kind() == "io" || e.Offset > int64(len(b))) {
			t.Fatalf("error %v", err)
		}
		if len(file.Metadata)*13 > len(b) || len(file.Tensors)*20 > len(b) || len(file.Findings) > 2000 {
			t.Fatalf("%d keys, %d tensors, %d findings in %d bytes", len(file.Metadata), len(file.Tensors), len(file.Findings), len(b))
		}
		file.Kind()
		file.FileType()
		file.Parameters()
		file.BitsPerWeight()
		for _, kv := range file.Metadata {
			if _, err := kv.Value.Decode(); err != nil {
				t.Fatalf("%q: %v", kv.Key, err)
			}
			if _, err := file.Get(kv.Key); err != nil {
				t.Fatalf("%q: %v", kv.Key, err)
			}
			if v := kv.Value; v.Type() == Array && v.Len() > 1 {
				if _, err := v.Slice(v.Len()/2, 1); err != nil {
					t.Fatalf("%q: %v", kv.Key, err)
				}
			}
		}
		for i := range file.Tensors {
			tensor := &file.Tensors[i]
			tensor.Shape()
			n := min(max(tensor.Bytes, 0), 4096)
			if rerr := file.ReadRawAt(tensor.Name, make([]byte, n), 0); rerr != nil && err == nil && tensor.Bytes >= 0 {
				t.Fatalf("%q: %v", tensor.Name, rerr)
			}
		}
	})
}
