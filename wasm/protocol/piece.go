package protocol

import (
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"
)

// Piece is the bytes of one token: a JSON string, or {"hex": "..."} when they are not UTF-8.
type Piece []byte

type hexText struct {
	Hex string `json:"hex"`
}

func (p Piece) MarshalJSON() ([]byte, error) {
	if utf8.Valid(p) {
		return json.Marshal(string(p))
	}
	return json.Marshal(hexText{hex.EncodeToString(p)})
}

func (p *Piece) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err == nil {
		*p = Piece(s)
		return nil
	}
	var h hexText
	if err := decode(text, &h); err != nil {
		return err
	}
	b, err := hex.DecodeString(h.Hex)
	*p = b
	return err
}
