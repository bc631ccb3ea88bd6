package httprange

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// accept checks that an answer is the part that was asked for, of the file that was opened.
func (o *object) accept(r *response, want contentRange) (contentRange, error) {
	switch r.status {
	case 206:
	case 200:
		return o.acceptWhole(r)
	default: // 416 of an empty file
		return contentRange{total: 0}, nil
	}
	if coding := r.header("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return want, fmt.Errorf("%w: it is compressed (%q), so that positions in it are not those of the file", ErrRange, coding)
	}
	text := r.header("Content-Range")
	if text == "" {
		return want, fmt.Errorf("%w: %s", ErrRange, noContentRange)
	}
	got, ok := parseContentRange(text)
	switch {
	case !ok || got.first != want.first:
		return want, fmt.Errorf("%w: bytes %d-%d were asked for and Content-Range is %q", ErrRange, want.first, want.last, text)
	case got.total < 0 && want.total < 0:
		return want, fmt.Errorf("%w: it does not tell the size of the file (Content-Range is %q)", ErrRange, text)
	case got.total >= 0 && want.total >= 0 && got.total != want.total:
		return want, fmt.Errorf("%w (it had %d bytes and now has %d)", ErrChanged, want.total, got.total)
	}
	return got, o.compare(r)
}

// acceptWhole is for an answer with a whole file: good if that is empty, else its body must not be read.
func (o *object) acceptWhole(r *response) (contentRange, error) {
	var none contentRange
	if o.seen {
		if err := o.compare(r); err != nil {
			return none, err
		}
	}
	if strings.HasPrefix(strings.ToLower(r.header("Content-Type")), "text/html") {
		advice := "use the address of the download itself"
		if strings.Contains(o.url.Path, "/blob/") {
			advice += `, most often with "/resolve/" or "/raw/" in place of "/blob/"`
		}
		return none, fmt.Errorf("%w: it is a web page, not a file; %s", ErrRange, advice)
	}
	length := r.header("Content-Length")
	if length == "0" && o.size <= 0 {
		return none, nil
	}
	size := ""
	if n, err := strconv.ParseUint(length, 10, 63); err == nil {
		size = fmt.Sprintf(", here %d bytes", n)
	}
	return none, fmt.Errorf("%w%s; download the file and open it from the disk", ErrNoRange, size)
}

// compare holds an answer against the first one, by what both have of ETag, else of Last-Modified.
func (o *object) compare(r *response) error {
	etag, date := r.header("ETag"), r.header("Last-Modified")
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.seen {
		o.seen, o.etag, o.date = true, etag, date
		o.mod, _ = time.Parse("Mon, 02 Jan 2006 15:04:05 GMT", date)
		return nil
	}
	if etag != "" && o.etag != "" {
		if etag != o.etag {
			return ErrChanged
		}
		return nil
	}
	if date != "" && o.date != "" && date != o.date {
		return ErrChanged
	}
	return nil
}
