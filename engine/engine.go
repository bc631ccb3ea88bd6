// Package engine runs a language model whose weights stay where they are: it reads them through a WeightSource, whole or
// in pieces ahead of use, and computes logits, token after token, on the CPU or on another Backend.
//
// Describe says what a file is; Model.NewSession makes a Session, one timeline with its key/value cache; Session.Eval
// appends tokens to it and returns logits; package sample chooses from them. The same file and tokens give the same bits
// whatever the number of threads, the batch size and the part of the weights that is resident.
package engine

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"straw/engine/arch"
	"straw/quant"
)

// WeightSource is a file with weights. gguf.File is one.
type WeightSource interface {
	// TensorNames are the tensors' names in the order of the file.
	TensorNames() iter.Seq[string]
	// TensorInfo is a tensor's type and its dims as in the file, the row length first.
	TensorInfo(name string) (t quant.Type, dims []int64, ok bool)
	// Get is the value of a metadata key as bool, int64 or uint64, float64, string or a slice of these; nil if absent.
	Get(key string) (any, error)
	// ReadTensorAt fills p with a tensor's bytes from off on, or fails. It may be called from several goroutines. With an
	// empty p at a tensor's end it fails if the source is known not to have the whole tensor.
	ReadTensorAt(name string, p []byte, off int64) error
}

// Model is what a file is: hyperparameters, layers and tensors. It does not change and may serve several sessions.
type Model struct {
	*arch.Model
	Findings []Finding // what is odd about the file, but does not keep it from running: arch.Model's and unused tensors

	src     WeightSource
	tensors []Tensor
}

// Tensor is a row of the model's tensor table, with what the file has for it.
type Tensor struct {
	arch.TensorReq
	Present bool
	Type    quant.Type // if Present, and so below
	Bytes   int64
}

// Finding is something to tell the user about a file.
type Finding = arch.Finding

// UnsupportedError says that a file is well formed but asks for something that cannot be run here.
type UnsupportedError = arch.UnsupportedError

// FormatError lists everything that keeps a file from being a model: metadata and tensors that are missing or do not
// fit together.
type FormatError = arch.FormatError

// Architectures is the sorted list of the values of general.architecture that can be run.
func Architectures() []string { return arch.Names() }

// Describe says what model src holds, from its metadata and tensor directory alone. The error is an *UnsupportedError
// for an unknown architecture and everything else that is known not to be known, a *FormatError that names all missing
// and misshapen tensors, or what src returned; with a *FormatError about tensors there is also a Model, to be looked at.
func Describe(src WeightSource) (*Model, error) {
	values, err := arch.Build(directory{src})
	if err != nil {
		return nil, err
	}
	m := &Model{Model: values, Findings: slices.Clone(values.Findings), src: src}
	return m, m.match()
}

// directory is the part of a source that architectures see.
type directory struct{ WeightSource }

func (d directory) Dims(tensor string) ([]int64, bool) {
	_, dims, ok := d.TensorInfo(tensor)
	return dims, ok
}

// ContextLength is the number of positions the model was trained for.
func (m *Model) ContextLength() int { return m.Context }

// VocabSize is the number of tokens, the length of a row of logits.
func (m *Model) VocabSize() int { return m.Vocab }

// Tensors is the model's tensor table in the order of a pass. It must not be changed.
func (m *Model) Tensors() []Tensor { return m.tensors }

// match looks up the tensor table in the file.
func (m *Model) match() error {
	var missing, misshapen []string
	var refused *UnsupportedError
	used := map[string]bool{}
	for _, req := range m.Model.Tensors() {
		used[req.Name] = true
		t := Tensor{TensorReq: req}
		typ, dims, ok := m.src.TensorInfo(req.Name)
		switch {
		case !ok && !req.Optional:
			missing = append(missing, req.Name)
		case ok && !fits(dims, req.Shape):
			misshapen = append(misshapen, req.Name+" is "+shape(rowMajor(dims))+", must be "+shape(req.Shape))
		case ok && (!typ.Live() || integer(typ)):
			if refused == nil {
				refused = &UnsupportedError{Field: req.Name, Reason: "weights of type " + typ.String() + " cannot be run"}
			}
		case ok && dims[0]%int64(typ.BlockElems()) != 0:
			misshapen = append(misshapen, req.Name+" has rows of "+strconv.FormatInt(dims[0], 10)+" elements, not whole blocks of "+typ.String())
		case ok:
			t.Present, t.Type = true, typ
			t.Bytes = elements(req.Shape) / int64(typ.BlockElems()) * int64(typ.BlockBytes())
		}
		m.tensors = append(m.tensors, t)
	}
	for name := range m.src.TensorNames() {
		if !used[name] && !spare(m.Spare, name) {
			m.Findings = append(m.Findings, Finding{
				Rule: "unused-tensor", Subject: name,
				Message: "architecture " + m.Name + " has no use for it; if it matters to the model, results will be wrong",
			})
		}
	}
	var problems []string
	if missing != nil {
		problems = append(problems, "missing tensors: "+strings.Join(missing, ", "))
	}
	if misshapen != nil {
		problems = append(problems, "tensors of the wrong shape: "+strings.Join(misshapen, ", "))
	}
	switch {
	case problems != nil:
		return &FormatError{Problems: problems}
	case refused != nil:
		return refused
	}
	return nil
}

// spare tells whether a tensor is known not to be needed.
func spare(prefixes []string, name string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

func integer(t quant.Type) bool {
	return t == quant.I8 || t == quant.I16 || t == quant.I32 || t == quant.I64
}

// fits compares dims of a file, the row length first, with a row-major shape. Missing dims count as 1.
func fits(dims, shape []int64) bool {
	want := rowMajor(shape)
	for i := range max(len(dims), len(want)) {
		if at(dims, i) != at(want, i) {
			return false
		}
	}
	return len(dims) > 0
}

func at(dims []int64, i int) int64 {
	if i < len(dims) {
		return dims[i]
	}
	return 1
}

// rowMajor is dims in reverse.
func rowMajor(dims []int64) []int64 {
	r := make([]int64, len(dims))
	for i, d := range dims {
		r[len(dims)-1-i] = d
	}
	return r
}

func elements(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}

func shape(dims []int64) string {
	s := make([]string, len(dims))
	for i, d := range dims {
		s[i] = strconv.FormatInt(d, 10)
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// Errors of a session.
var (
	ErrClosed  = errors.New("session is closed")
	ErrContext = errors.New("context is full")
)
