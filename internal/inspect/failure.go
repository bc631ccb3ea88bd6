package inspect

import (
	"encoding/json"
	"errors"
	"strconv"

	"straw/gguf"
)

// Failure is an error as scripts and the page see it.
type Failure struct {
	Kind    string `json:"kind"` // "format", "truncated", "unsupported" or "io"
	Field   string `json:"field,omitempty"`
	Offset  *int64 `json:"offset,omitempty"` // byte in the file
	Message string `json:"message"`
}

// FailureOf makes a Failure of any error: the kind is that of the first error in the chain that has one, else "io".
func FailureOf(err error) Failure {
	f := Failure{Kind: "io", Message: err.Error()}
	var kind interface{ Kind() string }
	if errors.As(err, &kind) {
		f.Kind = kind.Kind()
	}
	var place *gguf.Error
	if errors.As(err, &place) {
		f.Field = place.Field
		if place.Offset >= 0 {
			f.Offset = &place.Offset
		}
	}
	return f
}

// failure writes the "error" member.
func (d *document) failure(err error) {
	d.raw(`"error":`)
	d.marshal(FailureOf(err))
}

// marshal writes a small value of ours.
func (d *document) marshal(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own types can all be written
	}
	d.buf = appendSafe(d.buf, b)
}

// appendSafe writes JSON with what does not print escaped; outside of strings JSON is ASCII.
func appendSafe(b, text []byte) []byte {
	for _, r := range string(text) {
		if r < 0x7f || strconv.IsPrint(r) {
			b = append(b, string(r)...)
		} else {
			b = appendEscape(b, r)
		}
	}
	return b
}
