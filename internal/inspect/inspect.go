// Package inspect writes what a GGUF file holds as the one JSON document that the command line, the page and scripts
// read: `straw inspect --json`. Nothing in it depends on a host.
package inspect

import (
	"bytes"
	"io"
	"strconv"

	"straw/gguf"
)

const (
	// cutTo is how many elements of an array are written unless all are asked for.
	cutTo = 64
	// chunk is how many elements are decoded at a time.
	chunk = 8192
	// flushBytes is how much is held before it goes to the writer.
	flushBytes = 64 << 10
)

// Document is the JSON object of a file; arrays whole if full, else cut. The error is that of reading a value; the
// document is whole all the same and has it as its "error".
func Document(f *gguf.File, full bool) ([]byte, error) {
	var b bytes.Buffer
	err := Write(&b, f, full, nil)
	return b.Bytes(), err
}

// Write writes the JSON object of a file, followed by a newline, piece by piece: little of it is ever in memory.
// failure, if not nil, is the error the file was opened with, of which f holds what was read before it; it becomes the
// object's "error". f may be nil then. more are members of the caller's, written last. The result is the error of w or,
// if there was no failure, of reading a value.
func Write(w io.Writer, f *gguf.File, full bool, failure error, more ...Member) error {
	d := document{w: w, most: cutTo}
	if full {
		d.most = -1
	}
	d.raw("{")
	if failure != nil {
		d.failure(failure)
		if f != nil && f.Version != 0 {
			d.raw(",")
		}
	}
	if f != nil && f.Version != 0 {
		d.file(f)
		if failure == nil && d.valueErr != nil {
			d.raw(",")
			d.failure(d.valueErr)
		}
		for _, m := range more {
			d.raw(",\"" + m.Name + "\":" + m.JSON)
		}
	}
	d.raw("}\n")
	d.flush()
	if d.err != nil || failure != nil {
		return d.err
	}
	return d.valueErr
}

// Member is one of the document's that its writer knows nothing of: the name, which needs no escapes, and the JSON text.
type Member struct{ Name, JSON string }

// Value is a metadata value as the document has it; of an array count elements from start on, or all that follow if
// count is negative. Both are clipped to the array.
func Value(v gguf.Value, start, count int64) ([]byte, error) {
	var b bytes.Buffer
	d := document{w: &b, most: -1}
	if v.Type() == gguf.Array {
		n := int64(v.Len())
		start = min(max(start, 0), n)
		if count < 0 || count > n-start {
			count = n - start
		}
		d.elements(v, int(start), int(count))
	} else {
		d.value(v)
	}
	d.flush()
	return b.Bytes(), d.valueErr
}

// document is one being written.
type document struct {
	w        io.Writer
	buf      []byte
	most     int   // elements of an array; -1: all
	cut      bool  // an array was cut
	err      error // of w
	valueErr error // the first of reading values
}

func (d *document) flush() {
	if d.err == nil && len(d.buf) > 0 {
		_, d.err = d.w.Write(d.buf)
	}
	d.buf = d.buf[:0]
}

// raw writes JSON as it is, between two values: the place to pass the buffer on.
func (d *document) raw(s string) {
	if len(d.buf) >= flushBytes {
		d.flush()
	}
	d.buf = append(d.buf, s...)
}

func (d *document) count(n uint64)  { d.buf = appendCount(d.buf, n) }
func (d *document) text(s string)   { d.buf = appendText(d.buf, s) }
func (d *document) string(s string) { d.buf = appendString(d.buf, s) }

func (d *document) file(f *gguf.File) {
	endian := "little"
	if f.BigEndian {
		endian = "big"
	}
	d.raw(`"version":`)
	d.count(uint64(f.Version))
	d.raw(`,"endian":"` + endian + `","alignment":`)
	d.count(f.Alignment)
	d.raw(`,"file_size":`)
	d.count(uint64(f.Size))
	d.raw(`,"data_offset":`)
	d.place(f.DataOffset)
	d.raw(`,"summary":`)
	d.marshal(Summarize(f))
	d.raw(`,"metadata":[`)
	for i, kv := range f.Metadata {
		d.next(i)
		d.pair(kv)
	}
	d.raw(`],"tensors":[`)
	for i := range f.Tensors {
		d.next(i)
		d.tensor(f, &f.Tensors[i])
	}
	d.raw(`],"findings":[`)
	for i, x := range f.Findings {
		d.next(i)
		d.raw(`{"rule":`)
		d.string(x.Rule)
		d.raw(`,"severity":`)
		d.string(x.Severity.String())
		d.raw(`,"subject":`)
		d.text(x.Subject)
		d.raw(`,"message":`)
		d.string(x.Message)
		d.raw("}")
	}
	d.raw("]")
}

func (d *document) next(i int) {
	if i > 0 {
		d.raw(",\n")
	}
}

// place is an offset or size, null if it is not known.
func (d *document) place(n int64) {
	if n < 0 {
		d.raw("null")
		return
	}
	d.count(uint64(n))
}

func (d *document) pair(kv gguf.KV) {
	v := kv.Value
	d.raw(`{"key":`)
	d.text(kv.Key)
	d.raw(`,"type":"` + v.Type().String() + `"`)
	if v.Type() != gguf.Array {
		d.raw(`,"value":`)
		d.value(v)
		d.raw("}")
		return
	}
	d.raw(`,"elem":"` + v.Elem().String() + `","n":` + strconv.Itoa(v.Len()) + `,"value":`)
	d.cut = false
	d.value(v)
	if d.cut {
		d.raw(`,"truncated":true`)
	}
	d.raw("}")
}

func (d *document) tensor(f *gguf.File, t *gguf.Tensor) {
	d.raw(`{"name":`)
	d.text(t.Name)
	d.raw(`,"dims":[`)
	for i, n := range t.Dims {
		if i > 0 {
			d.raw(",")
		}
		d.count(n)
	}
	d.raw(`],"type":`)
	d.string(t.Type.String())
	d.raw(`,"type_code":`)
	d.count(uint64(t.Type))
	d.raw(`,"n_elements":`)
	d.count(t.Elements)
	d.raw(`,"offset":`)
	d.count(t.Offset)
	d.raw(`,"abs_offset":`)
	d.place(t.AbsOffset)
	d.raw(`,"nbytes":`)
	d.place(t.Bytes)
	if len(f.Shards) > 1 {
		d.raw(`,"shard":`)
		d.count(uint64(t.Shard))
	}
	d.raw("}")
}
