package demo

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"testing"
)

// The embedded file is the published one: docs/demo-model.md states its size and hash.
func TestModelIsThePublishedFile(t *testing.T) {
	r, size := Open()
	if size != 3_660_384 {
		t.Errorf("size %d, want 3660384", size)
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(r, 0, size)); err != nil {
		t.Fatal(err)
	}
	const want = "72252f57802f4bbe0e1da4e67ba0751deb4dfa1e48df1113923a49c41f6d2281"
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("sha256 %s, want %s", got, want)
	}
}
