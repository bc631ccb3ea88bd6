package main

import (
	"strings"

	"straw/gguf"
	"straw/internal/compare"
	"straw/internal/inspect"
)

type keyDiff struct {
	Key      bytes      `json:"key"`
	Change   string     `json:"change"`
	A        *valueJSON `json:"a,omitempty"`
	B        *valueJSON `json:"b,omitempty"`
	Diff     string     `json:"diff,omitempty"`
	Elements int        `json:"n_elements,omitempty"`
	First    *int       `json:"first,omitempty"`
}

// valueJSON is a value as inspect --json has it, arrays cut.
type valueJSON struct {
	Type  string   `json:"type"`
	Elem  string   `json:"elem,omitempty"`
	N     *int     `json:"n,omitempty"`
	Value rawValue `json:"value"`
}

type rawValue []byte

func (r rawValue) MarshalJSON() ([]byte, error) { return r, nil }

const arrayElements = 64

func valueDocument(v gguf.Value) (*valueJSON, error) {
	d := &valueJSON{Type: v.Type().String()}
	if v.Type() == gguf.Array {
		n := v.Len()
		d.Elem, d.N = v.Elem().String(), &n
	}
	b, err := inspect.Value(v, 0, arrayElements)
	d.Value = b
	return d, err
}

type tokenJSON struct {
	ID   int   `json:"id"`
	Text bytes `json:"text"`
}

type movedJSON struct {
	A    int   `json:"a"`
	B    int   `json:"b"`
	Text bytes `json:"text"`
}

type vocabularyDiff struct {
	A       int         `json:"a"`
	B       int         `json:"b"`
	Added   []tokenJSON `json:"added"`
	Removed []tokenJSON `json:"removed"`
	Moved   []movedJSON `json:"moved"`
}

type tensorSide struct {
	Type string   `json:"type"`
	Dims []uint64 `json:"dims"`
}

type tensorDiff struct {
	Name   bytes       `json:"name"`
	Change string      `json:"change"`
	A      *tensorSide `json:"a,omitempty"`
	B      *tensorSide `json:"b,omitempty"`
	Error  *errorJSON  `json:"error,omitempty"`
}

type errorJSON struct {
	Relative  real  `json:"relative"`
	RMS       real  `json:"rms"`
	Max       real  `json:"max"`
	Differing int64 `json:"n_differing"`
	NonFinite int64 `json:"n_nonfinite"`
}

type diffJSON struct {
	Equal      bool            `json:"equal"`
	Metadata   []keyDiff       `json:"metadata"`
	Vocabulary *vocabularyDiff `json:"vocabulary"`
	Tensors    []tensorDiff    `json:"tensors"`
	Same       int             `json:"n_tensors_same"`
}

func diffDocument(r *compare.Report) (*diffJSON, error) {
	d := &diffJSON{Equal: r.Equal(), Metadata: []keyDiff{}, Tensors: []tensorDiff{}, Same: r.Same}
	for _, k := range r.Keys {
		x := keyDiff{Key: bytes(k.Name), Change: k.Change.String(), Diff: strings.ToValidUTF8(k.Text, "\ufffd"), Elements: k.Elements}
		if k.Elements > 0 {
			x.First = &k.First
		}
		var err error
		if k.Change != compare.Added {
			if x.A, err = valueDocument(k.A); err != nil {
				return nil, err
			}
		}
		if k.Change != compare.Removed {
			if x.B, err = valueDocument(k.B); err != nil {
				return nil, err
			}
		}
		d.Metadata = append(d.Metadata, x)
	}
	if v := r.Vocabulary; v != nil {
		list := func(from []compare.Token) []tokenJSON {
			to := make([]tokenJSON, len(from))
			for i, t := range from {
				to[i] = tokenJSON{t.ID, bytes(t.Text)}
			}
			return to
		}
		d.Vocabulary = &vocabularyDiff{v.A, v.B, list(v.Added), list(v.Removed), make([]movedJSON, len(v.Moved))}
		for i, m := range v.Moved {
			d.Vocabulary.Moved[i] = movedJSON{m.A, m.B, bytes(m.Text)}
		}
	}
	side := func(t *gguf.Tensor) *tensorSide {
		if t == nil {
			return nil
		}
		return &tensorSide{t.Type.String(), append([]uint64{}, t.Dims...)}
	}
	for _, t := range r.Tensors {
		x := tensorDiff{bytes(t.Name), t.Change.String(), side(t.A), side(t.B), nil}
		if e := t.Error; e != nil {
			x.Error = &errorJSON{real(e.Relative), real(e.RMS), real(e.Max), e.Differing, e.NonFinite}
		}
		d.Tensors = append(d.Tensors, x)
	}
	return d, nil
}
