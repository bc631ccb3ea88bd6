package tokenizer

import (
	"fmt"
	"strconv"
)

// TokenType is a token's entry in tokenizer.ggml.token_type.
type TokenType uint8

const (
	Undefined TokenType = iota
	Normal
	Unknown
	Control
	UserDefined
	Unused
	Byte
)

func (t TokenType) String() string {
	names := [...]string{"undefined", "normal", "unknown", "control", "user-defined", "unused", "byte"}
	if int(t) < len(names) {
		return names[t]
	}
	return strconv.Itoa(int(t))
}

// attr is what a token is treated as: its types (a token known by its text to
// end generation becomes control beside what the file says) and what is
// stripped around it in the text.
type attr uint16

const (
	attrNormal attr = 1 << iota
	attrUnknown
	attrControl
	attrUserDefined
	attrUnused
	attrByte
	attrLStrip // white space before it belongs to it
	attrRStrip // white space after it

	attrHidden  = attrControl | attrUnknown // left out of text unless asked for
	attrSpecial = attrHidden | attrUserDefined
)

// attrOf gives undefined tokens no attribute.
var attrOf = map[TokenType]attr{
	Normal: attrNormal, Unknown: attrUnknown, Control: attrControl,
	UserDefined: attrUserDefined, Unused: attrUnused, Byte: attrByte,
}

// tokenType is the type of a token with these attributes.
func (a attr) tokenType() TokenType {
	for _, t := range []TokenType{UserDefined, Control, Unknown, Byte, Unused, Normal} {
		if a&attrOf[t] != 0 {
			return t
		}
	}
	return Undefined
}

// vocab is the tokens and the rules around them, of any model.
type vocab struct {
	texts  []string  // as in the file
	attrs  []attr    // as long as texts
	scores []float32 // as long as texts, or nil

	ids specials     // BOS and the like, -1: none
	eog map[int]bool // tokens that end generation

	addBOS, addEOS bool
	addSEP         bool // in place of EOS
	spacePrefix    bool // text at the beginning gets a space before it
	cleanSpaces    bool // Decode removes spaces before punctuation

	parser *partitioner
}

// rules is what a kind of model presumes where the file says nothing.
type rules struct {
	bos, eos       int  // -1: none
	unk, sep       int  // -1: none
	unsure         bool // bos and eos do not hold for ordinary tokens
	addBOS, addEOS bool
	spacePrefix    bool
	cleanSpaces    bool
}

// presumed is an id of rules, or -1 if it does not hold for this vocabulary.
func (v *vocab) presumed(id int, unsure bool) int {
	if id >= len(v.attrs) || unsure && id >= 0 && v.attrs[id] == attrNormal {
		return -1
	}
	return id
}

// loadVocab reads everything but the model's own keys. The special tokens are
// recognised as llama.cpp does it: by key, else by text.
func loadVocab(m Metadata, r rules) (*vocab, error) {
	v := &vocab{cleanSpaces: r.cleanSpaces}
	var err error
	if v.texts, err = loadTexts(m); err != nil {
		return nil, err
	}
	if v.attrs, err = loadAttrs(m, len(v.texts)); err != nil {
		return nil, err
	}
	if v.scores, err = loadScores(m, len(v.texts)); err != nil {
		return nil, err
	}
	r.bos, r.eos = v.presumed(r.bos, r.unsure), v.presumed(r.eos, r.unsure)
	r.unk, r.sep = v.presumed(r.unk, false), v.presumed(r.sep, false)
	if v.ids, err = loadSpecials(m, r, len(v.texts)); err != nil {
		return nil, err
	}
	for _, flag := range []struct {
		key     string
		value   *bool
		presume bool
	}{
		{prefix + "add_bos_token", &v.addBOS, r.addBOS},
		{prefix + "add_eos_token", &v.addEOS, r.addEOS},
		{prefix + "add_space_prefix", &v.spacePrefix, r.spacePrefix},
	} {
		if *flag.value, err = getFlag(m, flag.key, flag.presume); err != nil {
			return nil, err
		}
	}
	v.recognize()
	v.parser = newPartitioner(v)
	return v, v.setStrips(m)
}

// loadTexts reads the tokens. An empty one is named by its id, so that it
// matches no text.
func loadTexts(m Metadata) ([]string, error) {
	const key = prefix + "tokens"
	texts, ok, err := get[[]string](m, key)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, &Error{key, errMissing}
	case len(texts) == 0:
		return nil, &Error{key, fmt.Errorf("there are no tokens")}
	}
	copied := false
	for i, text := range texts {
		if text == "" {
			if !copied { // the array is the file's
				texts, copied = append([]string(nil), texts...), true
			}
			texts[i] = "[EMPTY_" + strconv.Itoa(i) + "]"
		}
	}
	return texts, nil
}

// loadAttrs reads token_type; tokens it does not reach are normal.
func loadAttrs(m Metadata, n int) ([]attr, error) {
	types, err := getInts(m, prefix+"token_type")
	if err != nil {
		return nil, err
	}
	attrs := make([]attr, n)
	for i := range attrs {
		attrs[i] = attrNormal
		if i < len(types) {
			attrs[i] = 0
			if t := types[i]; t > 0 && t <= int64(Byte) {
				attrs[i] = attrOf[TokenType(t)]
			}
		}
	}
	return attrs, nil
}

// loadScores reads scores; tokens it does not reach have 0.
func loadScores(m Metadata, n int) ([]float32, error) {
	scores, err := getFloats(m, prefix+"scores")
	if err != nil || scores == nil {
		return nil, err
	}
	all := make([]float32, n)
	for i, s := range scores[:min(n, len(scores))] {
		all[i] = float32(s)
	}
	return all, nil
}

// byteOf is the byte of a byte token, written <0xHH>.
func byteOf(text string) (b byte, ok bool) {
	if len(text) != 6 || text[:3] != "<0x" || text[5] != '>' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[3:5], 16, 8)
	return byte(n), err == nil
}

// byteText is the text of a byte token.
func byteText(b byte) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{'<', '0', 'x', digits[b>>4], digits[b&15], '>'})
}
