package protocol

import (
	"math"
	"strconv"
)

// Stats asks for what a tensor's numbers are like: of all of them, or of a sample of about Sample.
type Stats struct {
	Name   string `json:"name"`
	Sample *int64 `json:"sample,omitempty"` // elements to read at most
	Bins   *int64 `json:"bins,omitempty"`   // of the histogram at most
}

func (p *Stats) check() error { return notNegative("sample", p.Sample, "bins", p.Bins) }

// Measure asks how far other numbers are from a tensor's: what it would be as another Type, or the tensor of its name in the model of Source.
type Measure struct {
	Name   string  `json:"name"`
	Type   string  `json:"type,omitempty"`
	Source *Source `json:"source,omitempty"`
	Sample *int64  `json:"sample,omitempty"` // elements to read at most
}

func (p *Measure) check() error {
	if (p.Type == "") == (p.Source == nil) {
		return &Error{Field: "type", Message: "measure needs one of type and source"}
	}
	if p.Source != nil {
		if err := p.Source.check(); err != nil {
			return err
		}
	}
	return notNegative("sample", p.Sample, "", nil)
}

// Hash asks for SHA-256 sums of the files and of each tensor.
type Hash struct{}

// Compare asks in what the open model differs from another one; without values, tensors are compared by name, shape and type only.
type Compare struct {
	Source Source `json:"source"`
	Values *bool  `json:"values,omitempty"` // absent: true
}

func (p *Compare) check() error { return p.Source.check() }

// Plan asks for the files that a [Draft] would be.
type Plan struct {
	Draft Draft `json:"draft"`
}

func (p *Plan) check() error { return p.Draft.check() }

// Save writes one of the files of a [Draft], Shard, to the file handle or writable stream that lies beside the message. InPlace writes only the header,
// over that of the handle's file, which is the open one.
type Save struct {
	Draft   Draft `json:"draft"`
	Shard   int64 `json:"shard,omitempty"`
	InPlace bool  `json:"inPlace,omitempty"`
}

func (p *Save) check() error {
	return firstError(p.Draft.check(), notNegative("shard", &p.Shard, "", nil))
}

// Draft is a new file, made of the open one. A set of shards becomes one file, unless it is Split.
type Draft struct {
	Set   []Setting `json:"set,omitempty"`
	Unset []string  `json:"unset,omitempty"`
	Split *Limits   `json:"split,omitempty"`
}

func (d *Draft) UnmarshalJSON(text []byte) error { return decode(text, d) }

func (d *Draft) check() error {
	if d.Split == nil {
		return nil
	}
	if len(d.Set) > 0 || len(d.Unset) > 0 {
		return &Error{Field: "split", Message: "a split changes no key: save the changes first"}
	}
	if err := notNegative("maxSize", &d.Split.MaxSize, "maxTensors", &d.Split.MaxTensors); err != nil {
		return err
	}
	if d.Split.MaxSize == 0 && d.Split.MaxTensors == 0 {
		return &Error{Field: "split", Message: "split needs maxSize or maxTensors"}
	}
	return nil
}

// Setting gives a key a value. Without Type the key keeps the one it has; a new key gets the type that fits the value.
type Setting struct {
	Key   string `json:"key"`
	Type  string `json:"type,omitempty"` // as u32, str or f32[]
	Value JSON   `json:"value"`
}

func (s *Setting) UnmarshalJSON(text []byte) error { return decode(text, s) }

// Limits of a shard; 0 is none.
type Limits struct {
	MaxSize    int64 `json:"maxSize,omitempty"` // bytes
	MaxTensors int64 `json:"maxTensors,omitempty"`
}

func (l *Limits) UnmarshalJSON(text []byte) error { return decode(text, l) }

// Real is a JSON number, or one of the words "NaN", "Infinity" and "-Infinity", which JavaScript's Number understands.
type Real float64

func (r Real) MarshalJSON() ([]byte, error) {
	switch v := float64(r); {
	case math.IsNaN(v):
		return []byte(`"NaN"`), nil
	case math.IsInf(v, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(v, -1):
		return []byte(`"-Infinity"`), nil
	default:
		return strconv.AppendFloat(nil, v, 'g', -1, 64), nil
	}
}

func (r *Real) UnmarshalJSON(text []byte) error {
	if n := len(text); n > 2 && text[0] == '"' {
		text = text[1 : n-1]
	}
	v, err := strconv.ParseFloat(string(text), 64)
	*r = Real(v)
	return err
}

// Described is the result of stats. Min to Std are over the finite numbers, NaN where there are none.
type Described struct {
	Elements  int64     `json:"elements"` // of the tensor
	Sampled   int64     `json:"sampled"`  // that were read
	Min       Real      `json:"min"`
	Max       Real      `json:"max"`
	Mean      Real      `json:"mean"`
	Std       Real      `json:"std"`
	Zeros     int64     `json:"zeros"`
	NaN       int64     `json:"nan"`
	Inf       int64     `json:"inf"` // of both signs
	Histogram Histogram `json:"histogram"`
}

// Histogram counts numbers in bins of one width from Low on.
type Histogram struct {
	Low    Real    `json:"low"`
	Width  Real    `json:"width"`
	Counts []int64 `json:"counts"`
}

func (h *Histogram) UnmarshalJSON(text []byte) error { return decode(text, h) }

// Sums is the result of hash.
type Sums struct {
	Files   []Sum  `json:"files"`
	Tensors []Sum  `json:"tensors"`
	All     string `json:"all"` // of all tensors' bytes, whatever the metadata
	UUID    string `json:"uuid"`
}

// Sum is the SHA-256 of a file or a tensor, in hexadecimal.
type Sum struct {
	Name   Piece  `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

func (s *Sum) UnmarshalJSON(text []byte) error { return decode(text, s) }

// Planned is the result of plan; save answers with the one file it wrote.
type Planned struct {
	Files []PlannedFile `json:"files"`
}

// PlannedFile is one of them.
type PlannedFile struct {
	Name    string `json:"name"` // without folder; a suggestion
	Bytes   int64  `json:"bytes"`
	Header  int64  `json:"header"` // of Bytes, those before the tensor data
	Tensors int    `json:"tensors"`
	InPlace bool   `json:"inPlace"` // the header fits where the open file has its own, and the tensors stay where they are
}

func (f *PlannedFile) UnmarshalJSON(text []byte) error { return decode(text, f) }
