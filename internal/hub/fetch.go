package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// stall is how long a connection may bring nothing.
const stall = time.Minute

// Fetch brings a file to path, whose folder it makes. Until it is complete, on the disk, and has the published hash,
// it is called path.part; what such a file holds of an earlier try is not fetched again where the hash or a strong ETag
// can tell that it is of the same file. progress, if not nil, is told how many bytes are there, and of how many (-1 if
// unknown).
func (c *Client) Fetch(ctx context.Context, f File, path string, progress func(done, total int64)) error {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return writing(path, err)
	}
	p, err := openPart(path)
	if err != nil {
		return writing(path, err)
	}
	defer p.close()
	d := download{c: c, f: f, part: p, progress: progress}
	resumed := d.resume(ctx)
	err = d.fetch(ctx)
	if errors.Is(err, errHash) && resumed {
		if err = d.restart(); err == nil {
			err = d.fetch(ctx)
		}
	}
	switch {
	case errors.Is(err, errHash):
		p.remove()
		return failure(f.url, fmt.Errorf("%w: %s came, %s is published; it was thrown away", errHash, d.sum(), f.SHA256))
	case err != nil:
		return err
	}
	return writing(path, p.finish(path, d.done))
}

// errHash is what came whole but wrong.
var errHash = errors.New("its sha256 is not the published one")

// writing names the file in an error of the disk.
func writing(path string, err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	return &fault{fmt.Errorf("writing %s: %w", path, err)}
}

// download is one file on its way.
type download struct {
	c        *Client
	f        File
	part     *part
	progress func(done, total int64)

	done  int64 // bytes in the part, hashed
	hash  hash.Hash
	total int64 // -1 as long as it is unknown
}

// resume takes over what an earlier try left, and reports whether there was something.
func (d *download) resume(ctx context.Context) bool {
	d.hash, d.total = sha256.New(), d.f.Size
	if d.f.SHA256 == "" && d.part.etag == "" || d.f.Size >= 0 && d.part.size > d.f.Size {
		d.part.size = 0
	}
	n, err := io.Copy(d.hash, &watched{ctx, io.NewSectionReader(d.part.file, 0, d.part.size), func(n int64) { d.progress(n, d.total) }, 0})
	if d.done = n; err != nil || n != d.part.size {
		d.done = 0
		d.hash.Reset()
	}
	return d.done > 0
}

// restart forgets what is there.
func (d *download) restart() error {
	d.done = 0
	d.hash.Reset()
	return writing(d.part.path, d.part.file.Truncate(0))
}

// fetch brings what is missing and compares the hash.
func (d *download) fetch(ctx context.Context) error {
	if d.total < 0 || d.done < d.total {
		err := d.c.again(ctx, func() (bool, error) {
			before := d.done
			err := d.request(ctx)
			return d.done > before, err
		})
		if err != nil {
			return failure(d.f.url, err)
		}
	}
	if d.f.SHA256 != "" && d.sum() != d.f.SHA256 {
		return errHash
	}
	return nil
}

func (d *download) sum() string { return hex.EncodeToString(d.hash.Sum(nil)) }

// request asks for the rest once and takes what comes.
func (d *download) request(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	header := http.Header{}
	if d.done > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", d.done))
		if d.part.etag != "" {
			header.Set("If-Range", d.part.etag)
		}
	}
	r, err := get(ctx, d.f.url, d.f.auth, header)
	var status *statusError
	if errors.As(err, &status) && status.status == http.StatusRequestedRangeNotSatisfiable && d.done > 0 {
		if err := d.restart(); err != nil { // what is there is not of this file
			return err
		}
		return status
	}
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if err := d.accept(r); err != nil {
		return err
	}
	watchdog := time.AfterFunc(stall, func() { cancel(fmt.Errorf("nothing came for %s", stall)) })
	defer watchdog.Stop()
	body := &watched{ctx, r.Body, func(int64) { watchdog.Reset(stall) }, 0}
	return d.take(body)
}

// accept looks at where an answer begins and how long the file is.
func (d *download) accept(r *http.Response) error {
	length := r.ContentLength
	if r.StatusCode == http.StatusPartialContent {
		var from, to, total int64
		if n, _ := fmt.Sscanf(r.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &total); n != 3 || from != d.done {
			return &fault{fmt.Errorf("it answers with %q where byte %d was asked for", r.Header.Get("Content-Range"), d.done)}
		}
		length = total
	} else if d.done > 0 {
		if err := d.restart(); err != nil {
			return err
		}
	}
	if d.f.Size >= 0 && length >= 0 && length != d.f.Size {
		return &fault{fmt.Errorf("it has %d bytes, not the %d that were published", length, d.f.Size)}
	}
	if length >= 0 {
		d.total = length
	}
	if etag := r.Header.Get("ETag"); d.f.SHA256 == "" {
		if strings.HasPrefix(etag, "W/") {
			etag = ""
		}
		return d.part.remember(etag)
	}
	return nil
}

// take writes and hashes a body to its end.
func (d *download) take(body io.Reader) error {
	buf := make([]byte, 256<<10)
	for {
		n, err := io.ReadFull(body, buf)
		if d.done == 0 && n > 0 && !strings.HasPrefix(string(buf[:n]), "GGUF") {
			return &fault{errors.New("it is no GGUF file: it does not begin with the letters GGUF")}
		}
		if n > 0 {
			if d.total >= 0 && d.done+int64(n) > d.total {
				return &fault{fmt.Errorf("it is longer than the %d bytes it should have", d.total)}
			}
			if _, err := d.part.file.WriteAt(buf[:n], d.done); err != nil {
				return &fault{fmt.Errorf("%w after %d bytes, which are kept for the next try", writing(d.part.path, err), d.done)}
			}
			d.hash.Write(buf[:n])
			d.done += int64(n)
			d.progress(d.done, d.total)
		}
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF):
			return err
		case d.total >= 0 && d.done < d.total:
			return fmt.Errorf("the connection ended after %d of %d bytes", d.done, d.total)
		default:
			d.total = d.done
			return nil
		}
	}
}

// watched tells of what is read and ends with its context.
type watched struct {
	ctx  context.Context
	r    io.Reader
	tell func(n int64)
	n    int64
}

func (w *watched) Read(p []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	n, err := w.r.Read(p)
	w.n += int64(n)
	w.tell(w.n)
	if err != nil && w.ctx.Err() != nil {
		err = context.Cause(w.ctx)
	}
	return n, err
}

// Has reports whether the file at path is f already: its size and, where one is published, its hash.
func Has(ctx context.Context, f File, path string, progress func(done, total int64)) (bool, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil || f.Size >= 0 && info.Size() != f.Size || f.SHA256 == "" && f.Size < 0 {
		return false, err
	}
	if f.SHA256 == "" {
		return true, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, &watched{ctx, file, func(n int64) { progress(n, f.Size) }, 0}); err != nil {
		return false, err
	}
	return hex.EncodeToString(h.Sum(nil)) == f.SHA256, nil
}
