package session

import (
	"sync"

	"straw/engine"
	"straw/engine/grammar"
	"straw/engine/sample"
	"straw/tokenizer"
)

// texts is what a file says of texts: its vocabulary, its template, and what is made of them. All timelines of a file
// share it; each part is made at its first use.
type texts struct {
	src        engine.WeightSource
	tokenizer  func() (*tokenizer.Tokenizer, error)
	vocabulary func() *grammar.Vocabulary // of the tokenizer, which must be there
	template   func() (*Template, error)

	breaking sync.Mutex      // of what follows
	broken   sample.Breakers // of the texts brokenBy
	brokenBy []string
}

func newTexts(src engine.WeightSource) *texts {
	t := &texts{src: src}
	t.tokenizer = sync.OnceValues(func() (*tokenizer.Tokenizer, error) { return tokenizer.New(src) })
	t.template = sync.OnceValues(func() (*Template, error) { return OpenTemplate(src) })
	t.vocabulary = sync.OnceValue(func() *grammar.Vocabulary {
		tok, err := t.tokenizer()
		if err != nil {
			panic(err) // of a file whose tokens were told to a grammar
		}
		return grammar.NewVocabulary(tok)
	})
	return t
}
