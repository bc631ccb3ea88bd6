package engine

import (
	"context"
	"fmt"
	"time"

	"straw/engine/arch"
	"straw/internal/pages"
	"straw/quant"
)

// matrix is packed rows of one tensor, or a range of its rows.
type matrix struct {
	name     string
	typ      quant.Type
	k        int // elements of a row
	rows     int
	rowBytes int
	first    int       // of the tensor's rows: the matrix's row 0
	scale    float32   // of all products, 1 if the file has none
	data     []byte    // all rows if resident, else nil
	chunk    int       // of the stream's order: where the matrix begins, if it is streamed
	direct   bool      // neither resident nor streamed: rows are read when they are asked for
	low      []lowRank // of the adapters that change the matrix, in their order
}

// part is some of m's rows. m must not be streamed.
func (m *matrix) part(first, rows int) *matrix {
	p := *m
	p.first, p.rows = m.first+first, rows
	if m.data != nil {
		p.data = m.data[first*m.rowBytes:][:rows*m.rowBytes]
	}
	p.low = nil
	for i := range m.low {
		p.low = append(p.low, m.low[i].part(first, rows, m.rows))
	}
	return &p
}

// linear is a matrix with what is added to its products; without a matrix it stands for a layer that the file has not.
type linear struct {
	*matrix
	bias []float32 // [rows], or nil
}

func (l linear) present() bool { return l.matrix != nil }

// vectorKey names a tensor of a layer that is kept as values.
type vectorKey struct {
	role arch.Role
	part arch.Part
}

// layerWeights is what a layer, or the model itself, has by role.
type layerWeights struct {
	matrices map[arch.Role]*matrix
	heads    map[arch.Role][]*matrix // of matrices with a head's or expert's rows after the other's, if they are multiplied whole
	values   map[vectorKey][]float32
	global   *layerWeights // the model's own
}

// vector is a tensor's values, nil if the file has none.
func (w *layerWeights) vector(r arch.Role, p arch.Part) []float32 { return w.values[vectorKey{r, p}] }

// linear is the matrix of a role with its scale and bias.
func (w *layerWeights) linear(r arch.Role) linear {
	return linear{w.matrices[r], w.vector(r, arch.Bias)}
}

// norm is the weights of a norm and its bias, nil where there are none.
func (w *layerWeights) norm(n arch.Norm) norm {
	if n.Role == "" {
		return norm{Norm: n}
	}
	if n.Global {
		w = w.global
	}
	return norm{n, w.vector(n.Role, n.Part()), w.vector(n.Role, arch.Bias)}
}

// weights is a model's weights: the vectors and some of the matrices in memory, the other matrices streamed through a
// small ring in the order of a pass, and the experts that are not in memory read when they are used. What is resident is
// decided once, by the plan; it never changes a result.
type weights struct {
	src    WeightSource
	layers []layerWeights
	global layerWeights
	output linear    // may be token_embd
	stream *stream   // nil if nothing is streamed
	row    []byte    // one packed row of a table
	low    []float32 // a row of an adapter's
	direct []byte    // rows of a direct matrix
	ahead  *ahead    // of direct matrices; nil if reads are not to be ahead
	piece  int       // bytes of direct at most, unless a row is longer

	memory   *pages.Memory // of the matrices in memory
	resident int64         // bytes in memory, vectors included
	read     int64         // bytes read outside the stream
	waiting  time.Duration // for reads outside the stream
}

// plan says which tensors are kept in memory.
type plan func(t *Tensor) bool

func keepAll(*Tensor) bool  { return true }
func keepNone(*Tensor) bool { return false }

// loadWeights reads what is resident and sets up the stream of the rest.
func loadWeights(ctx context.Context, m *Model, keep plan, ring ringSize, o *Options) (*weights, error) {
	w := &weights{src: m.src, layers: make([]layerWeights, len(m.Layers)), piece: ring.chunk}
	w.global = newLayerWeights(nil)
	for i := range w.layers {
		w.layers[i] = newLayerWeights(&w.global)
	}
	if err := w.load(ctx, m, keep, ring, o); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *weights) load(ctx context.Context, m *Model, keep plan, ring ringSize, o *Options) error {
	changes, err := w.loadAdapters(ctx, m, o.Adapters)
	if err != nil {
		return err
	}
	l := loader{ctx: ctx, src: m.src, progress: o.Progress, data: map[string][]byte{}}
	for i := range m.tensors {
		switch t := &m.tensors[i]; {
		case !t.Present:
		case t.Use == arch.Values:
			l.total += t.Bytes
		case keep(t):
			l.want(t)
		}
	}
	err = l.load()
	w.memory = l.memory // freed by close, whatever happens from here on
	if err != nil {
		return err
	}
	var order []*matrix // those to stream
	once := 0           // how many of these are the encoder's
	for i := range m.tensors {
		t := &m.tensors[i]
		if !t.Present {
			continue
		}
		of := w.of(t)
		if t.Use == arch.Values {
			v, err := l.values(t)
			if err != nil {
				return err
			}
			of.values[vectorKey{t.Role, t.Part}] = v
			w.resident += 4 * int64(len(v))
			continue
		}
		k := int(t.Shape[len(t.Shape)-1])
		mat := &matrix{name: t.Name, typ: t.Type, k: k, rows: int(elements(t.Shape) / int64(k)), rowBytes: t.Type.Bytes(k), scale: 1, low: changes[t.Name], data: l.data[t.Name]}
		of.matrices[t.Role] = mat
		parts := []*matrix{mat}
		if t.Use == arch.Matrix && len(t.Shape) == 3 {
			parts = nil
			for h := range int(t.Shape[0]) {
				parts = append(parts, mat.part(h*int(t.Shape[1]), int(t.Shape[1])))
			}
			of.heads[t.Role] = parts
		}
		switch {
		case mat.data != nil:
		case t.Use == arch.Matrix:
			order = append(order, parts...)
			if t.Layer >= 0 && t.Layer < m.Encoder.Layers {
				once = len(order)
			}
		default:
			mat.direct = true
		}
	}
	w.resident += int64(len(l.memory.Bytes()))
	w.read = l.read
	w.output = w.global.linear(arch.OutputMatrix)
	if !w.output.present() && !m.Output.None { // tied: the embedding's rows, streamed on their own if they are
		tied := *w.global.matrices[arch.TokenEmbd]
		tied.low = nil // an adapter of the embedding is the lookup's alone, as in training
		w.output.matrix = &tied
		if tied.data == nil {
			tied.direct = false
			order = append(order, w.output.matrix)
		}
	}
	w.scales(m)
	if ring.depth > 1 {
		w.ahead = &ahead{src: m.src, buffers: make([][]byte, ring.depth)}
	}
	if order != nil {
		w.stream = newStream(m.src, order, once, w.output.matrix, ring)
	}
	return nil
}

func newLayerWeights(global *layerWeights) layerWeights {
	return layerWeights{map[arch.Role]*matrix{}, map[arch.Role][]*matrix{}, map[vectorKey][]float32{}, global}
}

// of is where a tensor belongs.
func (w *weights) of(t *Tensor) *layerWeights {
	if t.Layer < 0 {
		return &w.global
	}
	return &w.layers[t.Layer]
}

// scales gives the matrices the scales that the file has for them. Those of experts are their own, one each.
func (w *weights) scales(m *Model) {
	for i := range m.tensors {
		t := &m.tensors[i]
		if !t.Present || t.Part != arch.Scale || t.Shape[0] != 1 {
			continue
		}
		mat := w.of(t).matrices[t.Role]
		if t.Role == arch.OutputMatrix {
			mat = w.output.matrix
		}
		if mat != nil {
			mat.scale = w.of(t).vector(t.Role, arch.Scale)[0]
		}
	}
}

// rows is some rows of m from lo on: packed rows lo to hi, valid until the next call. Resident matrices come whole; those
// of the stream must be asked for in the order of a pass, or the reader starts again there.
func (w *weights) rows(ctx context.Context, m *matrix, lo int) (packed []byte, hi int, err error) {
	switch {
	case m.data != nil:
		return m.data[lo*m.rowBytes:], m.rows, nil
	case m.direct:
		return w.readRows(ctx, m, lo)
	}
	return w.stream.rows(ctx, m, lo)
}

// readRows reads some rows of a direct matrix, or takes those that were read ahead.
func (w *weights) readRows(ctx context.Context, m *matrix, lo int) (packed []byte, hi int, err error) {
	begun := time.Now()
	defer func() { w.waiting += time.Since(begun) }()
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	if w.ahead != nil {
		packed, hi, ok, err := w.ahead.take(ctx, m, lo)
		if ok && err == nil {
			w.read += int64(len(packed))
		}
		if ok {
			return packed, hi, err
		}
	}
	c := chunk{m, lo, min(m.rows, lo+max(1, w.piece/m.rowBytes))}
	size := (c.hi - c.lo) * m.rowBytes
	if len(w.direct) < size {
		w.direct = make([]byte, size)
	}
	if err := c.read(w.src, w.direct); err != nil {
		return nil, 0, err
	}
	w.read += int64(size)
	return w.direct[:size], c.hi, nil
}

// announce says that a pass is about to need these matrices, in this order; it ends with done.
func (w *weights) announce(matrices []*matrix) {
	if w.ahead != nil {
		w.ahead.begin(matrices, w.piece)
	}
}

func (w *weights) done() {
	if w.ahead != nil {
		w.ahead.end()
	}
}

// lookup decodes row id of a table into dst [k].
func (w *weights) lookup(dst []float32, m *matrix, id int) error {
	off := int64(id) * int64(m.rowBytes)
	if m.data != nil {
		quant.Dequantize(m.typ, dst, m.data[off:off+int64(m.rowBytes)])
		w.adaptRow(dst, m, id)
		return nil
	}
	if len(w.row) < m.rowBytes {
		w.row = make([]byte, m.rowBytes)
	}
	row := w.row[:m.rowBytes]
	if err := w.src.ReadTensorAt(m.name, row, off); err != nil {
		return fmt.Errorf("reading row %d of %s: %w", id, m.name, err)
	}
	w.read += int64(len(row))
	quant.Dequantize(m.typ, dst, row)
	w.adaptRow(dst, m, id)
	return nil
}

// adaptRow adds to dst, row id of a table, what the adapters have for it.
func (w *weights) adaptRow(dst []float32, m *matrix, id int) {
	for i := range m.low {
		l := &m.low[i]
		if len(w.low) < l.rank {
			w.low = make([]float32, l.rank)
		}
		x := w.low[:l.rank]
		quant.Dequantize(l.a.typ, x, l.a.data[id*l.a.rowBytes:][:l.a.rowBytes])
		l.add(dst, x)
	}
}

// begin says that a pass starts, and whether it will come to the output matrix.
func (w *weights) begin(output bool) {
	if w.stream != nil {
		w.stream.begin(output)
	}
}

// waited is the time spent waiting for reads so far.
func (w *weights) waited() time.Duration {
	if w.stream == nil {
		return w.waiting
	}
	return w.waiting + w.stream.waited
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
	w.memory.Free()
}
