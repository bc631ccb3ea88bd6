package engine

import (
	"context"
	"fmt"
	"time"

	"straw/engine/arch"
	"straw/quant"
)

// matrix is packed rows of one tensor, or a range of its rows.
type matrix struct {
	name     string
	typ      quant.Type
	k        int // elements of a row
	rows     int
	rowBytes int
	first    int     // of the tensor's rows: the matrix's row 0
	scale    float32 // of all products, 1 if the file has none
	data     []byte  // all rows if resident, else nil
	chunk    int     // of the stream's order: where the matrix begins, if not resident
}

// layerWeights is what a layer has by role; nil where the file has nothing.
type layerWeights struct {
	matrix [arch.NRoles]*matrix
	weight [arch.NRoles][]float32 // of norms
	bias   [arch.NRoles][]float32
}

// weights is a model's weights: the vectors and some of the matrices in memory, the other matrices streamed through a
// small ring in the order of a pass. What is resident is decided once, by the plan; it never changes a result.
type weights struct {
	src     WeightSource
	layers  []layerWeights
	norm    []float32 // output_norm [embd]
	bias    []float32 // output bias [vocab], or nil
	factors []float32 // rope_freqs, or nil
	embed   *matrix   // token_embd, read by the row if not resident
	output  *matrix   // may be embed
	stream  *stream   // nil if all is resident
	row     []byte    // one packed row of embed

	resident int64 // bytes in memory, vectors included
	read     int64 // bytes read outside the stream
}

// plan says which tensors are kept in memory.
type plan func(t *Tensor) bool

func keepAll(*Tensor) bool  { return true }
func keepNone(*Tensor) bool { return false }

// loadWeights reads what is resident and sets up the stream of the rest.
func loadWeights(ctx context.Context, m *Model, keep plan, ring ringSize, progress func(done, total int64)) (*weights, error) {
	w := &weights{src: m.src, layers: make([]layerWeights, len(m.Layers))}
	l := loader{ctx: ctx, weights: w, progress: progress}
	for i := range m.tensors {
		if t := &m.tensors[i]; t.Present && (len(t.Shape) == 1 || keep(t)) {
			l.total += t.Bytes
		}
	}
	var order []*matrix // those to stream
	for i := range m.tensors {
		t := &m.tensors[i]
		if !t.Present {
			continue
		}
		if len(t.Shape) == 1 {
			v, err := l.vector(t)
			if err != nil {
				return nil, err
			}
			w.put(t, v)
			continue
		}
		mat := &matrix{name: t.Name, typ: t.Type, k: int(t.Shape[1]), rows: int(t.Shape[0]), rowBytes: t.Type.Bytes(int(t.Shape[1])), scale: 1}
		if keep(t) {
			data, err := l.bytes(t)
			if err != nil {
				return nil, err
			}
			mat.data = data
		}
		parts := w.place(t, mat, m)
		if mat.data == nil && t.Role != arch.TokenEmbd {
			order = append(order, parts...)
		}
	}
	if w.output == nil { // tied: the embedding's rows, streamed on their own if they are
		tied := *w.embed
		w.output = &tied
		if tied.data == nil {
			order = append(order, w.output)
		}
	}
	if err := w.scales(&l, m); err != nil {
		return nil, err
	}
	w.row = make([]byte, w.embed.rowBytes)
	if order != nil {
		w.stream = newStream(m.src, order, w.output, ring)
	}
	return w, nil
}

// put files a vector under its role.
func (w *weights) put(t *Tensor, v []float32) {
	switch {
	case t.Part == arch.Scale: // see scales
	case t.Role == arch.RopeFreqs:
		w.factors = v
	case t.Role == arch.OutputNorm:
		w.norm = v
	case t.Role == arch.Output:
		w.bias = v
	case t.Part == arch.Bias:
		w.layers[t.Layer].bias[t.Role] = v
	default:
		w.layers[t.Layer].weight[t.Role] = v
	}
}

// place files a matrix under its role, attn_qkv as its three parts, and returns the parts.
func (w *weights) place(t *Tensor, mat *matrix, m *Model) []*matrix {
	switch t.Role {
	case arch.TokenEmbd:
		w.embed = mat
	case arch.Output:
		w.output = mat
	case arch.AttnQKV:
		a := m.Layers[t.Layer].Mixer.(*arch.Attn)
		l := &w.layers[t.Layer]
		var parts []*matrix
		first := 0
		for _, p := range []struct {
			role arch.Role
			rows int
		}{{arch.AttnQ, a.Heads * a.KeyDim}, {arch.AttnK, a.KVHeads * a.KeyDim}, {arch.AttnV, a.KVHeads * a.ValueDim}} {
			part := *mat
			part.first, part.rows = first, p.rows
			if mat.data != nil {
				part.data = mat.data[first*mat.rowBytes:][:p.rows*mat.rowBytes]
			}
			l.matrix[p.role] = &part
			parts = append(parts, &part)
			first += p.rows
		}
		return parts
	default:
		w.layers[t.Layer].matrix[t.Role] = mat
	}
	return []*matrix{mat}
}

// scales reads the .scale tensors and cuts the fused biases.
func (w *weights) scales(l *loader, m *Model) error {
	for i := range m.tensors {
		t := &m.tensors[i]
		if !t.Present || t.Part != arch.Scale {
			continue
		}
		v, err := l.vector(t)
		if err != nil {
			return err
		}
		targets := []*matrix{w.output}
		if t.Layer >= 0 {
			of := &w.layers[t.Layer].matrix
			targets = []*matrix{of[t.Role]}
			if t.Role == arch.AttnQKV {
				targets = []*matrix{of[arch.AttnQ], of[arch.AttnK], of[arch.AttnV]}
			}
		}
		for _, mat := range targets {
			mat.scale = v[0]
		}
	}
	for i := range w.layers {
		l := &w.layers[i]
		if fused := l.bias[arch.AttnQKV]; fused != nil {
			a := m.Layers[i].Mixer.(*arch.Attn)
			q, k := a.Heads*a.KeyDim, a.KVHeads*a.KeyDim
			l.bias[arch.AttnQ], l.bias[arch.AttnK], l.bias[arch.AttnV] = fused[:q], fused[q:q+k], fused[q+k:]
		}
	}
	return nil
}

// rows is some rows of m from lo on: packed rows lo to hi, valid until the next call. Resident matrices come whole; the
// others must be asked for in the order of a pass, or the reader starts again there.
func (w *weights) rows(ctx context.Context, m *matrix, lo int) (packed []byte, hi int, err error) {
	if m.data != nil {
		return m.data[lo*m.rowBytes:], m.rows, nil
	}
	return w.stream.rows(ctx, m, lo)
}

// embedding decodes the embedding of token id into dst [embd].
func (w *weights) embedding(dst []float32, id int) error {
	m := w.embed
	off := int64(id) * int64(m.rowBytes)
	if m.data != nil {
		quant.Dequantize(m.typ, dst, m.data[off:off+int64(m.rowBytes)])
		return nil
	}
	if err := w.src.ReadTensorAt(m.name, w.row, off); err != nil {
		return fmt.Errorf("reading row %d of %s: %w", id, m.name, err)
	}
	w.read += int64(len(w.row))
	quant.Dequantize(m.typ, dst, w.row)
	return nil
}

// begin says that a pass starts, and whether it will come to the output matrix.
func (w *weights) begin(output bool) {
	if w.stream != nil {
		w.stream.begin(output)
	}
}

// waited is the time spent waiting for the stream so far.
func (w *weights) waited() time.Duration {
	if w.stream == nil {
		return 0
	}
	return w.stream.waited
}

func (w *weights) bytesRead() int64 {
	if w.stream == nil {
		return w.read
	}
	return w.read + w.stream.bytesRead()
}

func (w *weights) close() {
	if w.stream != nil {
		w.stream.close()
	}
}

// loader reads tensors into memory.
type loader struct {
	ctx         context.Context
	weights     *weights
	progress    func(done, total int64)
	done, total int64
}

const loadPiece = 8 << 20 // bytes read between two looks at the context

// bytes is all of a tensor's bytes.
func (l *loader) bytes(t *Tensor) ([]byte, error) {
	if int64(int(t.Bytes)) != t.Bytes {
		return nil, &UnsupportedError{Field: t.Name, Reason: "tensor is too large for the memory of this platform"}
	}
	var data []byte
	// The buffer is made only when the first piece could be read, so that a file that is too short costs nothing.
	for off := int64(0); off < t.Bytes; off += loadPiece {
		if err := l.ctx.Err(); err != nil {
			return nil, err
		}
		n := min(loadPiece, t.Bytes-off)
		if off == 0 {
			last := make([]byte, 1)
			if err := l.weights.src.ReadTensorAt(t.Name, last, t.Bytes-1); err != nil {
				return nil, fmt.Errorf("reading tensor %s: %w", t.Name, err)
			}
			data = make([]byte, t.Bytes)
		}
		if err := l.weights.src.ReadTensorAt(t.Name, data[off:off+n], off); err != nil {
			return nil, fmt.Errorf("reading tensor %s: %w", t.Name, err)
		}
		l.done += n
		l.weights.read += n
		if l.progress != nil {
			l.progress(l.done, l.total)
		}
	}
	l.weights.resident += t.Bytes
	return data, nil
}

// vector is a tensor's values.
func (l *loader) vector(t *Tensor) ([]float32, error) {
	b, err := l.bytes(t)
	if err != nil {
		return nil, err
	}
	v := make([]float32, t.Shape[0])
	quant.Dequantize(t.Type, v, b)
	l.weights.resident += int64(len(v))*4 - t.Bytes
	return v, nil
}
