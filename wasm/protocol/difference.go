package protocol

// Differences is the result of compare. "Added" is what only the other model has, "removed" what only the open one has.
type Differences struct {
	Equal      bool                  `json:"equal"`
	Keys       []KeyDifference       `json:"keys"`
	Vocabulary *VocabularyDifference `json:"vocabulary,omitempty"` // absent where it is the same
	Tensors    []TensorDifference    `json:"tensors"`              // the largest relative error first, then those without
	Same       int                   `json:"same"`                 // tensors that do not differ
}

// KeyDifference is a key that differs. A and B are texts of the values, cut.
type KeyDifference struct {
	Key      Piece  `json:"key"`
	Change   string `json:"change"` // changed, added or removed
	A        *Shown `json:"a,omitempty"`
	B        *Shown `json:"b,omitempty"`
	Diff     string `json:"diff,omitempty"`     // of texts of several lines, in unified format
	Elements int    `json:"elements,omitempty"` // of arrays: how many differ
	First    int    `json:"first,omitempty"`    // and the first of them
}

func (d *KeyDifference) UnmarshalJSON(text []byte) error { return decode(text, d) }

// Shown is a value as the document has it, arrays cut.
type Shown struct {
	Type  string `json:"type"`
	Value JSON   `json:"value"`
}

func (s *Shown) UnmarshalJSON(text []byte) error { return decode(text, s) }

// VocabularyDifference is in what two lists of tokens differ; the lists are cut, their lengths are not.
type VocabularyDifference struct {
	A        int     `json:"a"` // numbers of tokens
	B        int     `json:"b"`
	NAdded   int     `json:"nAdded"`
	NRemoved int     `json:"nRemoved"`
	NMoved   int     `json:"nMoved"`
	Added    []Token `json:"added"`
	Removed  []Token `json:"removed"`
	Moved    []Token `json:"moved"`
}

func (d *VocabularyDifference) UnmarshalJSON(text []byte) error { return decode(text, d) }

// Token is an entry of a vocabulary; a moved one has its other id too.
type Token struct {
	ID   int   `json:"id"`
	To   *int  `json:"to,omitempty"`
	Text Piece `json:"text"`
}

func (t *Token) UnmarshalJSON(text []byte) error { return decode(text, t) }

// TensorDifference is a tensor that differs.
type TensorDifference struct {
	Name   Piece          `json:"name"`
	Change string         `json:"change"`
	A      *TensorSide    `json:"a,omitempty"`
	B      *TensorSide    `json:"b,omitempty"`
	Error  *MeasuredError `json:"error,omitempty"` // absent where it could not be measured, or was not asked for
}

func (d *TensorDifference) UnmarshalJSON(text []byte) error { return decode(text, d) }

// TensorSide is one of the two.
type TensorSide struct {
	Type string   `json:"type"`
	Dims []uint64 `json:"dims"` // as in the file
}

func (s *TensorSide) UnmarshalJSON(text []byte) error { return decode(text, s) }

// Measured is the result of measure.
type Measured struct {
	Elements int64         `json:"elements"` // of the tensor
	Sampled  int64         `json:"sampled"`  // that were read
	Bytes    int64         `json:"bytes"`    // that the tensor takes with the other numbers
	Error    MeasuredError `json:"error"`
}

// MeasuredError is how far the other model's numbers are from the open one's.
type MeasuredError struct {
	Relative  Real  `json:"relative"` // RMS by that of the open one's numbers
	RMS       Real  `json:"rms"`
	Max       Real  `json:"max"`
	Differing int64 `json:"differing"`
	NonFinite int64 `json:"nonFinite"` // of those, the ones left out
}

func (e *MeasuredError) UnmarshalJSON(text []byte) error { return decode(text, e) }
