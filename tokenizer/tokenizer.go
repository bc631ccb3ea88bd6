// Package tokenizer turns text into the token ids of a model and back, from
// the tokenizer.* metadata of its GGUF file.
//
// Models, one a file: "llama" (SentencePiece with scores: SPM), "gpt2"
// (byte-level BPE) and its kin "gemma4" (over text), "whitespace" and
// "hybriddna"; "bert" (WordPiece: WPM), "t5" (SentencePiece unigram: UGM),
// "rwkv" and "plamo2". What ids a text has is defined by llama.cpp, which
// models are run with: where it differs from the tokenizer a model was trained
// with, llama.cpp is followed.
//
// The way of a text: special tokens are cut out of it (partition.go) and the
// model gets what is left. SPM and BPE merge characters or bytes (merge.go),
// BPE within the words of a pre-tokenizer (pre.go names them all); WPM and RWKV
// take the longest token at each place (trie.go); UGM and PLaMo 2 find the
// tokens whose scores add up to the best.
package tokenizer

import (
	"maps"
	"slices"
)

// Metadata gives the decoded value of a GGUF key as gguf.File.Get does:
// bool, int64, uint64, float64, string, []bool, []int64, []uint64, []float64
// or []string; nil, nil where the key is absent. Arrays are kept, not copied.
type Metadata interface {
	Get(key string) (any, error)
}

// Tokenizer is the vocabulary of one model and the rules of its use. It does
// not change after New and may be used from any number of goroutines.
type Tokenizer struct {
	v     *vocab
	model model
}

// model is one kind of tokenizer.
type model interface {
	// encode appends to e.ids those of text that has no special tokens. first
	// tells whether it begins the input or follows a special token.
	encode(e *encoder, text string, first bool)

	// piece is the bytes that a token stands for.
	piece(id int) string
}

// models has every value of tokenizer.ggml.model.
var models = map[string]func(Metadata) (*Tokenizer, error){
	"llama": func(m Metadata) (*Tokenizer, error) {
		v, err := loadVocab(m, rules{bos: 1, eos: 2, unk: 0, sep: -1, addBOS: true, spacePrefix: true})
		if err != nil {
			return nil, err
		}
		return &Tokenizer{v, newSPM(v)}, nil
	},
	"gpt2":       loadGPT2,
	"gemma4":     func(m Metadata) (*Tokenizer, error) { return loadBPE(m, "gemma4", -1) },
	"whitespace": loadWhitespace,
	"hybriddna":  loadHybridDNA,
	"bert":       loadWPM,
	"t5":         loadUGM,
	"rwkv":       loadRWKV,
	"plamo2":     loadPLaMo2,
}

func loadGPT2(m Metadata) (*Tokenizer, error) {
	name, _, err := get[string](m, prefix+"pre")
	if err != nil {
		return nil, err
	}
	// 11 is Falcon's <|endoftext|>, for which this model was first made.
	return loadBPE(m, name, 11)
}

// loadBPE builds a BPE tokenizer; special is the BOS and EOS id that is
// presumed, if it is no ordinary token.
func loadBPE(m Metadata, preName string, special int) (*Tokenizer, error) {
	if preName == "" {
		preName = "default"
	}
	pre := pretokenizers()[preName]
	if pre == nil {
		return nil, &Error{prefix + "pre", &unsupportedError{preName, slices.Sorted(maps.Keys(pretokenizers()))}}
	}
	loadClasses()
	r := rules{bos: special, eos: special, unk: -1, sep: -1, unsure: true, addBOS: pre.addBOS, cleanSpaces: !pre.keepSpaces}
	if pre.noBOS {
		r.bos = -1
	}
	v, err := loadVocab(m, r)
	if err != nil {
		return nil, err
	}
	v.addBOS = v.addBOS || pre.forceBOS
	t, err := newBPE(v, m, pre)
	if err != nil {
		return nil, err
	}
	return &Tokenizer{v, t}, nil
}

// New builds the tokenizer that the metadata describes. Its errors are *Error,
// which name the key.
//
// A missing tokenizer.ggml.pre is "default". A missing token type is normal, a
// missing score 0. BOS, EOS and the other special ids may be missing; one
// outside the vocabulary counts as missing. Missing merges are an error.
func New(m Metadata) (*Tokenizer, error) {
	const key = prefix + "model"
	name, ok, err := get[string](m, key)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &Error{key, errMissing}
	}
	load := models[name]
	if load == nil {
		return nil, &Error{key, &unsupportedError{name, slices.Sorted(maps.Keys(models))}}
	}
	return load(m)
}

// Options of Encode.
type Options struct {
	AddSpecial   bool // BOS and EOS (in a WPM model CLS and SEP), where the model adds them
	ParseSpecial bool // the text of a control token is that token
}

// Encode is the ids of text. Bytes that are not UTF-8 get byte tokens in an SPM
// or RWKV model, are left out in a WPM model and U+FFFD in the others. The time
// is proportional to the length, and logarithmic in that of the longest word.
func (t *Tokenizer) Encode(text string, o Options) []int {
	e := newEncoder(len(text))
	t.encode(e, text, o)
	return e.ids
}

func (t *Tokenizer) encode(e *encoder, text string, o Options) {
	v := t.v
	if o.AddSpecial && v.addBOS && v.ids.bos >= 0 {
		e.ids = append(e.ids, v.ids.bos)
	}
	first := true
	for _, part := range v.parser.split(text, o.ParseSpecial) {
		if part.id >= 0 {
			e.ids = append(e.ids, part.id)
		} else {
			t.model.encode(e, part.text, first)
		}
		first = part.id >= 0
	}
	if o.AddSpecial && v.addEOS && v.ids.eos >= 0 {
		e.ids = append(e.ids, v.ids.eos)
	}
	if o.AddSpecial && v.addSEP && v.ids.sep >= 0 {
		e.ids = append(e.ids, v.ids.sep)
	}
}

// Size is the number of tokens: ids run from 0 to Size() - 1.
func (t *Tokenizer) Size() int { return len(t.v.texts) }

// Token is the text of a token as the file has it, and its type; "", Undefined
// for an id outside the vocabulary.
func (t *Tokenizer) Token(id int) (text string, typ TokenType) {
	if id < 0 || id >= t.Size() {
		return "", Undefined
	}
	return t.v.texts[id], t.v.attrs[id].tokenType()
}

// BOS is the token that begins a text; ok is false if there is none.
func (t *Tokenizer) BOS() (id int, ok bool) { return t.v.ids.bos, t.v.ids.bos >= 0 }

// EOS is the token that ends a text.
func (t *Tokenizer) EOS() (id int, ok bool) { return t.v.ids.eos, t.v.ids.eos >= 0 }

// EOT is the token that ends a turn of a chat.
func (t *Tokenizer) EOT() (id int, ok bool) { return t.v.ids.eot, t.v.ids.eot >= 0 }

// IsEOG tells whether a token ends generation: EOS, EOT, or one of the others
// that models use.
func (t *Tokenizer) IsEOG(id int) bool { return t.v.eog[id] }

// AddBOS tells whether Encode with AddSpecial begins with BOS.
func (t *Tokenizer) AddBOS() bool { return t.v.addBOS && t.v.ids.bos >= 0 }
