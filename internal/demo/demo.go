// Package demo carries the model that is built into the program: Sip Tales 3M, Q8_0, 3.7 MB. It was
// made from nothing for this project and is under its licence; docs/demo-model.md is its card.
package demo

import (
	_ "embed" // for the model below
	"io"
	"strings"
)

// Name is the file's name, as it would be on disk.
const Name = "sip-tales-3m-Q8_0.gguf"

// A string lies in the program's read-only pages: it costs memory only where it is read.
//
//go:embed sip-tales-3m-Q8_0.gguf
var model string

// Open returns the file and its size in bytes. It is safe for concurrent reads.
func Open() (r io.ReaderAt, size int64) {
	return strings.NewReader(model), int64(len(model))
}
