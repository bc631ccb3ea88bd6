// Package browser opens what a page can name, files that a person dropped and addresses, and writes to what it is given: handles and streams.
package browser

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"syscall/js"

	"straw/gguf"
	"straw/internal/blobfs"
	"straw/internal/httprange"
	"straw/wasm/protocol"
)

// Open opens a source as package look asks for it. Cancelling ctx ends the opening; once that is done, the model is read as long as the worker lives.
func Open(ctx context.Context, s protocol.Source, objects []any, progress func(done, total int64)) (*gguf.File, error) {
	life, end := context.WithCancelCause(context.Background())
	stop := context.AfterFunc(ctx, func() { end(ctx.Err()) })
	defer stop()
	if s.URL != "" {
		return openURL(life, s.URL, progress)
	}
	return openFiles(life, s.Files, objects)
}

func openFiles(life context.Context, names []string, objects []any) (*gguf.File, error) {
	blobs := make([]js.Value, len(objects))
	for i, o := range objects {
		blobs[i] = o.(js.Value)
	}
	fsys, err := blobfs.FromJS(life, blobs, names)
	if err != nil {
		return nil, err
	}
	var parts []gguf.Part
	for _, name := range fsys.Names() {
		file, err := fsys.Open(name)
		if err != nil {
			return nil, err
		}
		info, err := file.Stat()
		if err != nil {
			return nil, err
		}
		parts = append(parts, gguf.Part{Name: name, R: file.(io.ReaderAt), Size: info.Size()})
	}
	return gguf.OpenParts(parts)
}

// Read reads a Blob from its beginning on.
func Read(ctx context.Context, object any) (io.Reader, error) {
	fsys, err := blobfs.FromJS(ctx, []js.Value{object.(js.Value)}, []string{"session"})
	if err != nil {
		return nil, err
	}
	file, err := fsys.Open("session")
	return bufio.NewReaderSize(file, readPiece), err
}

// readPiece is how many bytes of a Blob are asked for at a time.
const readPiece = 1 << 20

func openURL(life context.Context, address string, progress func(done, total int64)) (*gguf.File, error) {
	fsys, err := httprange.New(life, address, httprange.Options{})
	if err != nil {
		return nil, err
	}
	c := &counted{FS: fsys, progress: progress}
	f, err := gguf.OpenFS(c, fsys.Name())
	c.progress = nil
	return f, err
}

// counted is a file system that tells how many bytes were read, as long as anyone wants to know. Go has one thread here.
type counted struct {
	fs.FS
	progress func(done, total int64)
	done     int64
}

func (c *counted) Open(name string) (fs.File, error) {
	f, err := c.FS.Open(name)
	if err != nil {
		return nil, err
	}
	return &countedFile{File: f, r: f.(io.ReaderAt), c: c}, nil
}

type countedFile struct {
	fs.File
	r io.ReaderAt
	c *counted
}

func (f *countedFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.r.ReadAt(p, off)
	if f.c.done += int64(n); f.c.progress != nil {
		f.c.progress(f.c.done, 0)
	}
	return n, err
}
