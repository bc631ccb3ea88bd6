package compare

import (
	"context"

	"straw/gguf"
)

const tokensKey = "tokenizer.ggml.tokens"

// Vocabulary is in what two lists of tokens differ.
type Vocabulary struct {
	A, B    int     // numbers of tokens
	Added   []Token // by their ids in B
	Removed []Token // by their ids in A
	Moved   []Moved // tokens that have another id
}

// Token is one entry of a vocabulary.
type Token struct {
	ID   int
	Text string // bytes as in the file
}

// Moved is a token with its two ids.
type Moved struct {
	A, B int
	Text string
}

// vocabulary is nil where the tokens are the same.
func vocabulary(ctx context.Context, a, b *gguf.File) (*Vocabulary, error) {
	x, err := tokens(ctx, a)
	if err != nil {
		return nil, err
	}
	y, err := tokens(ctx, b)
	if err != nil {
		return nil, err
	}
	v := Vocabulary{A: len(x), B: len(y)}
	ids := make(map[string]int, len(x))
	for id, text := range x {
		if _, twice := ids[text]; !twice {
			ids[text] = id
		}
	}
	seen := make(map[string]bool, len(y))
	for id, text := range y {
		was, ok := ids[text]
		switch {
		case id < len(x) && x[id] == text: // also the second of two with one text
		case !ok:
			v.Added = append(v.Added, Token{id, text})
		default:
			v.Moved = append(v.Moved, Moved{was, id, text})
		}
		seen[text] = true
	}
	for id, text := range x {
		if !seen[text] {
			v.Removed = append(v.Removed, Token{id, text})
		}
	}
	if len(v.Added)+len(v.Removed)+len(v.Moved) == 0 && v.A == v.B {
		return nil, nil
	}
	return &v, nil
}

// tokens are those of a file; none if it has none, or no list of texts.
func tokens(ctx context.Context, f *gguf.File) ([]string, error) {
	v, ok := f.Value(tokensKey)
	if !ok || v.Type() != gguf.Array || v.Elem() != gguf.String {
		return nil, ctx.Err()
	}
	list, err := v.Slice(0, v.Len())
	if err != nil {
		return nil, err
	}
	return list.([]string), ctx.Err()
}
