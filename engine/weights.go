package engine

import (
	"context"
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
	first    int     // of the tensor's rows: the matrix's row 0
	scale    float32 // of all products, 1 if the file has none
	layer    int     // where what reading it costs is counted
	data     []byte  // the first rows, those in memory: all, some or none
	kept     Kept    // these rows in the memory of the backend instead: of the tensor, whose row first is the matrix's row 0
	keptRows int
	chunk    int       // of the stream's: where the rest begins, if it is streamed
	step     int       // rows of a chunk
	direct   bool      // the rest is not streamed but read when it is asked for
	low      []lowRank // of the adapters that change the matrix, in their order
}

// inMemory is how many rows, from the first on, are in memory.
func (m *matrix) inMemory() int {
	if m.kept != nil {
		return m.keptRows
	}
	return len(m.data) / m.rowBytes
}

// whole tells whether all rows are in memory.
func (m *matrix) whole() bool { return m.inMemory() == m.rows }

// part is some of m's rows, of which all are in memory or none.
func (m *matrix) part(first, rows int) *matrix {
	p := *m
	p.first, p.rows = m.first+first, rows
	switch {
	case !m.whole():
	case m.kept != nil:
		p.keptRows = rows
	default:
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
	all      *weights
	global   *layerWeights // the model's own
	slots    map[int]int   // by number of experts: how many of these are kept in memory
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

// weights is a model's weights: the vectors and some rows of the matrices in memory, the other rows streamed through a
// small ring in the order of a pass, and the experts that are not in memory read when they are used. What is in memory is
// decided once, by the layout; it never changes a result.
type weights struct {
	src     WeightSource
	layers  []layerWeights
	global  layerWeights
	output  linear        // may be token_embd
	stream  *stream       // nil if nothing is streamed
	experts *expertReader // nil if all experts are in memory, or there are none
	row     []byte        // one packed row of a table
	low     []float32     // a row of an adapter's
	direct  []byte        // rows of a direct matrix
	tally   tally         // of all reads but the loader's

	memory   *pages.Memory // of the matrices in memory
	mapped   mapping
	resident int64         // bytes in memory, vectors included
	read     int64         // bytes read by the loader
	waiting  time.Duration // for reads of rows and direct matrices
}

// loadWeights reads what is resident and sets up the readers of the rest.
func loadWeights(ctx context.Context, m *Model, at *layout, o *Options) (*weights, error) {
	w := &weights{src: m.src, layers: make([]layerWeights, len(m.Layers)), tally: make(tally, len(m.Layers)+1)}
	w.global = newLayerWeights(w, nil, nil)
	for i := range w.layers {
		w.layers[i] = newLayerWeights(w, &w.global, at.slots[i])
	}
	if err := w.load(ctx, m, at, o); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *weights) load(ctx context.Context, m *Model, at *layout, o *Options) error {
	changes, err := w.loadAdapters(ctx, m, o.Adapters)
	if err != nil {
		return err
	}
	l := loader{ctx: ctx, src: m.src, progress: o.Progress, data: map[string][]byte{}, kept: map[string]wanted{}}
	l.keeper, _ = o.Backend.(Keeper)
	for i := range m.tensors {
		switch t := &m.tensors[i]; {
		case !t.Present:
		case t.Use == arch.Values:
			l.total += t.Bytes
		default:
			if o.Mapped {
				if err := w.mapped.place(l.data, m.src, t); err != nil {
					return err
				}
			}
			if err := l.want(t, at.bytes(t)); err != nil {
				return err
			}
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
		mat := &matrix{name: t.Name, typ: t.Type, k: k, rows: int(elements(t.Shape) / int64(k)), rowBytes: t.Type.Bytes(k), layer: w.layer(t), scale: 1, low: changes[t.Name], data: l.data[t.Name]}
		if kept, ok := l.kept[t.Name]; ok {
			mat.kept, mat.keptRows = kept.to, int(kept.bytes)/mat.rowBytes
		}
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
		case mat.whole():
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
	for _, k := range l.kept {
		w.resident += k.bytes
	}
	w.read = l.read
	w.output = w.global.linear(arch.OutputMatrix)
	if !w.output.present() && !m.Output.None { // tied: the embedding's rows, streamed on their own if they are
		tied := *w.global.matrices[arch.TokenEmbd]
		tied.low = nil // an adapter of the embedding is the lookup's alone, as in training
		w.output.matrix = &tied
		if !tied.whole() {
			tied.direct = false
			order = append(order, w.output.matrix)
		}
	}
	w.scales(m)
	if err := w.readExperts(m, at); err != nil {
		return err
	}
	if order != nil {
		w.stream, err = newStream(m.src, w.tally, order, once, w.output.matrix, at.ring)
	}
	return err
}

// readExperts sets up the reader of experts, if some are not in memory.
func (w *weights) readExperts(m *Model, at *layout) error {
	largest, all := 0, int64(0)
	for i := range m.tensors {
		t := &m.tensors[i]
		if mat := w.of(t).matrices[t.Role]; t.Present && t.Use == arch.Expert && !mat.whole() {
			largest = max(largest, mat.rowBytes, min(at.pieces.chunk, mat.rows*mat.rowBytes))
			all += int64(aligned(int(min(t.Bytes, 1<<30)))) // of a larger one a ring is a part anyway
		}
	}
	if largest == 0 {
		return nil
	}
	size := at.pieces
	size.bytes = int(min(int64(size.bytes), 2*all)) // each piece begins at a page
	var err error
	if w.experts, err = newExpertReader(m.src, w.tally, size, largest); err == nil {
		w.experts.kept, err = pages.New(at.kept)
	}
	return err
}

func newLayerWeights(w *weights, global *layerWeights, slots map[int]int) layerWeights {
	return layerWeights{map[arch.Role]*matrix{}, map[arch.Role][]*matrix{}, map[vectorKey][]float32{}, w, global, slots}
}

// layer is where reads of a tensor are counted.
func (w *weights) layer(t *Tensor) int {
	if t.Layer < 0 {
		return len(w.layers)
	}
	return t.Layer
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

// rows is some rows of m from lo on, which the backend has not: packed rows lo to hi, valid until the next call. Those in memory come at once; those
// of the stream must be asked for in the order of a pass, or the reader starts again there.
func (w *weights) rows(ctx context.Context, m *matrix, lo int) (packed []byte, hi int, err error) {
	switch have := m.inMemory(); {
	case lo < have:
		return m.data[lo*m.rowBytes:], have, nil
	case !m.direct:
		return w.stream.rows(ctx, m, lo)
	case w.experts != nil && w.experts.expects(m, lo):
		return w.experts.rows(ctx)
	}
	return w.readRows(ctx, m, lo)
}

const directPiece = 1 << 20 // bytes of a direct matrix that are read at once, unless a row is longer

// readRows reads some rows of a direct matrix.
func (w *weights) readRows(ctx context.Context, m *matrix, lo int) (packed []byte, hi int, err error) {
	begun := time.Now()
	defer func() { w.waiting += time.Since(begun) }()
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	c := chunk{m: m, lo: lo, hi: min(m.rows, lo+max(1, directPiece/m.rowBytes))}
	if len(w.direct) < c.bytes() {
		w.direct = make([]byte, c.bytes())
	}
	return w.direct[:c.bytes()], c.hi, c.read(w.src, w.tally, w.direct[:c.bytes()])
}

// lookup decodes row id of a table into dst [k].
func (w *weights) lookup(dst []float32, m *matrix, id int) error {
	if len(w.row) < m.rowBytes {
		w.row = make([]byte, m.rowBytes)
	}
	row := w.row[:m.rowBytes]
	switch inMemory := id < m.inMemory(); {
	case inMemory && m.kept != nil:
		if _, err := m.kept.ReadAt(row, int64(m.first+id)*int64(m.rowBytes)); err != nil {
			return err
		}
	case inMemory:
		row = m.data[id*m.rowBytes:][:m.rowBytes]
	default:
		begun := time.Now()
		c := chunk{m: m, lo: id, hi: id + 1}
		if err := c.read(w.src, w.tally, row); err != nil {
			return err
		}
		w.waiting += time.Since(begun)
	}
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
	d := w.waiting
	if w.stream != nil {
		d += w.stream.waited
	}
	if w.experts != nil {
		d += w.experts.waited
	}
	return d
}

func (w *weights) bytesRead() int64 { return w.read + w.tally.total() }

// ringBytes is the memory of all readers' buffers.
func (w *weights) ringBytes() int64 {
	n := int64(0)
	if w.stream != nil {
		n += w.stream.bytes()
	}
	if w.experts != nil {
		n += w.experts.bytes()
	}
	return n
}

// close ends all reads. Nothing may be asked for any more.
func (w *weights) close() {
	if w.stream != nil {
		w.stream.close()
	}
	if w.experts != nil {
		w.experts.close()
	}
	w.memory.Free()
}
