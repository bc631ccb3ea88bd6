package hub

import (
	"errors"
	"io/fs"
	"os"

	"straw/internal/durable"
)

// part is a file that is not complete yet.
type part struct {
	path string
	file *os.File
	size int64  // bytes that were there when it was opened
	etag string // of what those bytes are of; "" if unknown
}

// errBusy is reported where two fetch the same file.
var errBusy = errors.New("another program is fetching it")

func openPart(path string) (*part, error) {
	p := &part{path: path + ".part"}
	f, err := openAlone(p.path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	etag, err := os.ReadFile(p.etagPath())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		f.Close()
		return nil, err
	}
	p.file, p.size, p.etag = f, info.Size(), string(etag)
	return p, nil
}

func (p *part) etagPath() string { return p.path + ".etag" }

// remember keeps the ETag of what is being fetched.
func (p *part) remember(etag string) error {
	if etag == p.etag {
		return nil
	}
	p.etag = etag
	return writing(p.etagPath(), os.WriteFile(p.etagPath(), []byte(etag), 0o666))
}

// finish gives the file, which is complete with size bytes, its name.
func (p *part) finish(path string, size int64) error {
	if err := p.file.Truncate(size); err != nil { // an earlier try may have left more
		return err
	}
	if err := p.file.Sync(); err != nil {
		return err
	}
	if err := p.close(); err != nil {
		return err
	}
	if err := durable.Rename(p.path, path); err != nil {
		return err
	}
	if err := os.Remove(p.etagPath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// remove takes away what is of no use.
func (p *part) remove() {
	p.close()
	os.Remove(p.path)
	os.Remove(p.etagPath())
}

func (p *part) close() error {
	if p.file == nil {
		return nil
	}
	f := p.file
	p.file = nil
	return f.Close()
}
