package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/andybalholm/brotli"
)

// weight is what one asset costs a visitor, in bytes.
type weight struct {
	name          string
	raw, br, gzip int
}

// A compressed form is kept only when it saves more than one part in minSaving: packed weights hardly shrink, and
// the server then sends the plain file.
const minSaving = 20

// writeAssets writes every file and its compressed forms into dir and returns the weights by name.
func writeAssets(dir, cache string, files map[string][]byte) ([]weight, error) {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	weights := make([]weight, len(names))
	errs := make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			weights[i], errs[i] = writeAsset(dir, cache, name, files[name])
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return weights, nil
}

func writeAsset(dir, cache, name string, data []byte) (weight, error) {
	w := weight{name: name, raw: len(data), br: len(data), gzip: len(data)}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return w, err
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return w, err
	}
	for _, form := range []struct {
		ext      string
		size     *int
		compress func([]byte) ([]byte, error)
	}{{".br", &w.br, brotlied}, {".gz", &w.gzip, gzipped}} {
		packed, err := cached(cache, form.ext, data, form.compress)
		if err != nil {
			return w, err
		}
		if len(packed) >= len(data)-len(data)/minSaving {
			continue
		}
		*form.size = len(packed)
		if err := os.WriteFile(path+form.ext, packed, 0o644); err != nil {
			return w, err
		}
	}
	return w, nil
}

// cached keeps compressed forms by the hash of the plain bytes. A cache that cannot be written costs time, not the build.
func cached(dir, ext string, data []byte, compress func([]byte) ([]byte, error)) ([]byte, error) {
	path := filepath.Join(dir, fmt.Sprintf("%x%s", sha256.Sum256(data), ext))
	if packed, err := os.ReadFile(path); err == nil {
		return packed, nil
	}
	packed, err := compress(data)
	if err != nil {
		return nil, err
	}
	if os.MkdirAll(dir, 0o755) == nil {
		if part, err := os.CreateTemp(dir, "part-"); err == nil {
			_, err = part.Write(packed)
			if err = errors.Join(err, part.Close()); err == nil {
				err = os.Rename(part.Name(), path)
			}
			if err != nil {
				_ = os.Remove(part.Name())
			}
		}
	}
	return packed, nil
}

func brotlied(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w := brotli.NewWriterLevel(&b, brotli.BestCompression)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

func gzipped(data []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
