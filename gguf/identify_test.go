package gguf

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestWhatIsNoGGUF(t *testing.T) {
	good := string(encode(3).kv("general.architecture", "llama").bytes())
	for _, c := range []struct{ name, b, want string }{
		{"lfs pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 4661211808\n", "Git LFS pointer"},
		{"html", "<!DOCTYPE html>\n<html><head><title>404</title>", "HTML page"},
		{"html without doctype", "\r\n  <HTML>", "HTML page"},
		{"xml", `<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>`, "XML"},
		{"json error", `{"error":"Repository not found"}`, "Repository not found"},
		{"safetensors index", `{"metadata": {"total_size": 1}, "weight_map": {}}`, "index of a safetensors"},
		{"plain text", "Entry not found", "Entry not found"},
		{"safetensors", "\x40\x00\x00\x00\x00\x00\x00\x00" + `{"__metadata__":{"format":"pt"},"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, "safetensors"},
		{"zip", "PK\x03\x04\x14\x00\x00\x00", "ZIP"},
		{"pytorch", "PK\x03\x04\x00\x00\x08\x08archive/data.pkl", "PyTorch"},
		{"pickle", "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.", "pickle"},
		{"ggml", "lmgg\x00\x7d\x00\x00", "GGML"},
		{"ggjt", "tjgg\x03\x00\x00\x00", "GGJT"},
		{"ggla", "algg\x01\x00\x00\x00", "GGLA"},
		{"gzip", "\x1f\x8b\x08\x00", "gzip"},
		{"zstd", "\x28\xb5\x2f\xfd\x00", "zstd"},
		{"toy format", "LLMW\x01\x00\x00\x00", ".llmw"},
		{"small letters", "gguf" + good[4:], "small letters"},
		{"byte-order mark", "\xef\xbb\xbf" + good, "byte-order mark"},
		{"something before it", "HTTP/1.1 200 OK\r\n\r\n" + good, "byte 19"},
		{"zeros", strings.Repeat("\x00", 10_000), "all zero"},
		{"noise", "\x01\x02\x03\x04\x05\x06\x07\x08", "no magic"},
		{"two bytes of it", "GG", "cut off"},
	} {
		f, err := Open(bytes.NewReader([]byte(c.b)), int64(len(c.b)))
		if !errors.Is(err, ErrNotGGUF) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if f == nil || f.Version != 0 {
			t.Errorf("%s: file %+v", c.name, f)
		}
	}
}
