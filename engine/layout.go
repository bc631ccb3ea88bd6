package engine

import (
	"iter"
	"runtime"
	"slices"
	"strings"

	"straw/engine/arch"
	"straw/engine/plan"
	"straw/internal/pages"
)

// layout is where weights are: in memory, or read through rings of some size.
type layout struct {
	bytes  func(t *Tensor) int64 // the first bytes of a tensor that are in memory, whole rows
	ring   ringSize              // of what every pass reads
	pieces ringSize              // of experts
	slots  []map[int]int         // by layer and number of experts: how many of these are kept
	kept   int64                 // memory of those that are kept
	batch  int                   // columns computed at once
}

// Without a budget, what is not in memory goes through a ring of this size.
const (
	defaultChunk = 4 << 20
	defaultRing  = 4 * defaultChunk
)

// ringReaders is how many reads are at work: a disk has a queue, and between two reads of one reader it would be idle.
const ringReaders = 4

// layout is what o asks for. A budget that is too small is a *plan.BudgetError.
func (m *Model) layout(o *Options) (*layout, error) {
	readers := ringReaders
	if o.NoPrefetch {
		readers = 0
	}
	l := &layout{slots: make([]map[int]int, len(m.Layers)), batch: o.batch()}
	if o.Budget == 0 {
		l.bytes = func(t *Tensor) int64 {
			if o.Resident {
				return t.Bytes
			}
			return 0
		}
		l.ring = ringSize{defaultChunk, defaultRing, readers}
		l.pieces = l.ring
		return l, nil
	}
	r := m.request(o)
	p, err := plan.Make(r.Request)
	if err != nil {
		return nil, err
	}
	l.bytes = func(t *Tensor) int64 {
		if i, ok := r.matrix[t.Name]; ok {
			return p.Pinned[i] * r.Matrices[i].RowBytes
		}
		if p.Resident {
			return t.Bytes
		}
		return 0
	}
	l.ring = ringSize{int(p.Chunk), int(p.Ring), readers}
	l.pieces = ringSize{int(p.Chunk), int(p.Pieces), readers}
	l.batch = p.Batch
	for i, g := range r.groups {
		if p.Slots[i] > 0 && !p.Resident {
			if l.slots[g.layer] == nil {
				l.slots[g.layer] = map[int]int{}
			}
			l.slots[g.layer][g.count] = p.Slots[i]
			l.kept += int64(p.Slots[i]) * r.Experts[i].Bytes
		}
	}
	return l, nil
}

// Forecast is what the memory of a session would be for, and what it would read, from the file's directory alone. Without
// a budget it is that of a session with all weights in memory. A budget that is too small is a *plan.BudgetError.
func (m *Model) Forecast(o Options) (*plan.Plan, error) {
	return plan.Make(m.request(&o).Request)
}

// request is a model as a plan sees it.
type request struct {
	*plan.Request
	matrix map[string]int // index of a tensor's matrix
	groups []expertGroup  // of each of Request.Experts
}

// expertGroup is the experts of a layer that one router chooses from.
type expertGroup struct{ layer, count int }

func (m *Model) request(o *Options) *request {
	context := m.sessionContext(o)
	r := &request{matrix: map[string]int{}, Request: &plan.Request{
		Budget: o.Budget,
		State:  int64(max(o.Timelines, 1))*m.CacheBytes(o.KV, context) + o.Kept,
		Pass:   m.passBytes(context, max(o.Threads, 1)),
		Column: m.columnBytes(),
		Batch:  o.batch(),
		Ahead:  !o.NoPrefetch,
	}}
	if o.Program != nil {
		r.Program = o.Program()
	}
	tied := !m.Output.None && !slices.ContainsFunc(m.tensors, func(t Tensor) bool {
		return t.Present && t.Layer < 0 && t.Role == arch.OutputMatrix && t.Use == arch.Matrix
	})
	for i := range m.tensors {
		switch t := &m.tensors[i]; {
		case !t.Present:
		case t.Use == arch.Values:
			r.Values += 4 * elements(t.Shape)
		case t.Use == arch.Matrix:
			r.addMatrix(t, t.Layer >= 0 && t.Layer < m.Encoder.Layers)
		case t.Use == arch.Rows && t.Role == arch.TokenEmbd && tied: // in the last place, where it is multiplied
			defer r.addMatrix(t, false)
		case t.Use != arch.Expert:
			r.Rest += pages.Room(t.Bytes)
			r.RestRow = max(r.RestRow, rowBytes(t), min(t.Bytes, directPiece))
		}
	}
	m.addExperts(r)
	for _, a := range o.Adapters {
		for name := range a.Source.TensorNames() {
			if t, dims, ok := a.Source.TensorInfo(name); ok && len(dims) > 0 {
				r.Values += int64(t.Bytes(int(dims[0]))) * (elements(dims) / max(dims[0], 1))
			}
		}
	}
	return r
}

func rowBytes(t *Tensor) int64 { return int64(t.Type.Bytes(int(t.Shape[len(t.Shape)-1]))) }

func (r *request) addMatrix(t *Tensor, once bool) {
	if _, ok := r.matrix[t.Name]; ok {
		return
	}
	r.matrix[t.Name] = len(r.Matrices)
	size := rowBytes(t)
	r.Matrices = append(r.Matrices, plan.Matrix{Rows: t.Bytes / size, RowBytes: size, Layer: t.Layer, Whole: len(t.Shape) == 3, Once: once})
}

// addExperts adds the experts of each layer, whose tensors hold all of them or one.
func (m *Model) addExperts(r *request) {
	type key struct {
		expertGroup
		role string
	}
	parts := map[key]plan.Experts{} // of a network: its largest matrix of each role
	for i := range m.tensors {
		t := &m.tensors[i]
		if !t.Present || t.Use != arch.Expert {
			continue
		}
		k := key{expertGroup{layer: t.Layer}, string(t.Role)}
		size := t.Bytes
		if x := m.moe(t.Layer); len(t.Shape) == 3 {
			k.count = int(t.Shape[0])
			size /= t.Shape[0]
		} else if x != nil {
			k.count = x.Experts
			k.role = k.role[:strings.LastIndexByte(k.role, '.')]
		}
		p := parts[k]
		parts[k] = plan.Experts{Bytes: max(p.Bytes, pages.Room(size)), RowBytes: max(p.RowBytes, rowBytes(t))}
		if !slices.Contains(r.groups, k.expertGroup) {
			r.groups = append(r.groups, k.expertGroup)
		}
	}
	for _, g := range r.groups {
		x := plan.Experts{Count: g.count}
		for k, p := range parts {
			if k.expertGroup == g {
				x.Bytes += p.Bytes
				x.RowBytes = max(x.RowBytes, p.RowBytes)
			}
		}
		r.Experts = append(r.Experts, x)
	}
}

// moe is a layer's experts, nil if it has none.
func (m *Model) moe(layer int) *arch.MoE {
	for op := range m.ops(layer) {
		if x, ok := op.(*arch.MoE); ok {
			return x
		}
	}
	return nil
}

// ops are the ops of a layer.
func (m *Model) ops(layer int) iter.Seq[arch.Op] {
	return func(yield func(arch.Op) bool) {
		for _, st := range m.Layers[layer].Steps {
			for _, b := range st.Branches {
				if !yield(b.Op) {
					return
				}
			}
		}
	}
}

// passBytes is about what a pass takes beside its columns: logits, with what a sampler makes of them, and for attention
// the scores of a query over all positions and the angles of rotations.
func (m *Model) passBytes(context, threads int) int64 {
	queries, angles := 0, 0
	for i := range m.Layers {
		for op := range m.ops(i) {
			switch a := op.(type) {
			case *arch.Attn:
				queries, angles = max(queries, a.Heads/max(a.KVHeads, 1)), max(angles, a.Rope.Dim)
			case *arch.MLA:
				queries, angles = max(queries, a.Heads), max(angles, a.RopeDim)
			case *arch.Cross:
				queries = max(queries, a.Heads/max(a.KVHeads, 1))
			}
		}
	}
	return 4 * (5*int64(m.Vocab) + int64(context)*int64(2*angles+threads*queries))
}

// columnBytes is about what the activations of a column take: the products of the layer that makes most of them, what is
// made of these, and the residual stream.
func (m *Model) columnBytes() int64 {
	products := make([]int64, len(m.Layers)+1)
	for i := range m.tensors {
		t := &m.tensors[i]
		if !t.Present || t.Layer < 0 || len(t.Shape) < 2 || t.Use != arch.Matrix && t.Use != arch.Expert {
			continue
		}
		rows := t.Bytes / rowBytes(t)
		if t.Use == arch.Expert {
			rows = 0
			if x := m.moe(t.Layer); x != nil && (len(t.Shape) == 3 || strings.HasSuffix(string(t.Role), ".0")) {
				rows = t.Shape[len(t.Shape)-2] * int64(x.Used+2)
			}
		}
		products[t.Layer] += rows
	}
	return 4 * (8*int64(m.Embd) + 3*slices.Max(products))
}

// sessionContext is the positions of a session.
func (m *Model) sessionContext(o *Options) int {
	if o.Context > 0 {
		return o.Context
	}
	return min(m.Context, defaultContext)
}

// batch is how many columns a session computes at once, at most.
func (o *Options) batch() int {
	switch {
	case o.Batch > 0:
		return o.Batch
	case runtime.GOOS == "js":
		return 32
	}
	return 256
}
