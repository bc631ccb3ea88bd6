package pageserver

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"io/fs"
	"sync"
	"time"
)

// tags are the files' ETags, each computed when it is first needed, and again when the file became another.
type tags struct {
	mu    sync.Mutex
	known map[string]tag
}

type tag struct {
	size     int64
	modified time.Time
	value    string
}

// of is the ETag of a file: the hash of its content, which is read once and wound back.
func (t *tags) of(name string, info fs.FileInfo, content io.ReadSeeker) (string, error) {
	t.mu.Lock()
	old, ok := t.known[name]
	t.mu.Unlock()
	if ok && old.size == info.Size() && old.modified.Equal(info.ModTime()) {
		return old.value, nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, content); err != nil {
		return "", err
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	value := `"` + base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:18]) + `"`
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.known == nil {
		t.known = map[string]tag{}
	}
	t.known[name] = tag{info.Size(), info.ModTime(), value}
	return value, nil
}
