package session

import (
	"fmt"
	"slices"
	"strings"

	"straw/engine/grammar"
	"straw/engine/sample"
	"straw/tokenizer"
)

// DefaultBreakers are the texts that DRY finds no repetition across, as llama.cpp has them.
var DefaultBreakers = []string{"\n", ":", "\"", "*"}

// chooser takes the steps of one generation: it chooses tokens as the parameters say.
type chooser struct {
	sampler *sample.Sampler
	matcher *grammar.Matcher // nil: any text will do
}

// chooser makes one for a text that begins with the tokens of a prompt, which no grammar is about.
func (m *Model) chooser(p *Params, prompt []int) (*chooser, error) {
	how := p.Sampler
	if err := how.Check(); err != nil {
		return nil, err
	}
	for _, b := range how.Bias {
		if n := m.Arch.VocabSize(); b.ID >= n {
			return nil, &UsageError{fmt.Sprintf("the logit of token %d cannot be changed: the model's vocabulary has the ids 0 to %d", b.ID, n-1)}
		}
	}
	if how.DRY.Multiplier != 0 && how.DRY.Breakers == nil {
		tok, err := m.Tokenizer()
		if err != nil {
			return nil, err
		}
		texts := p.Breakers
		if texts == nil {
			texts = DefaultBreakers
		}
		how.DRY.Breakers = m.texts.breakers(tok, texts)
	}
	c := &chooser{sampler: sample.New(how)}
	for _, id := range prompt {
		c.sampler.Accept(id)
	}
	if p.Grammar != nil {
		if _, err := m.Tokenizer(); err != nil {
			return nil, err
		}
		var err error
		if c.matcher, err = p.Grammar.Matcher(m.texts.vocabulary()); err != nil {
			return nil, err
		}
		c.sampler.Constrain(c.matcher)
	}
	return c, nil
}

// next chooses a token and makes it part of the text.
func (c *chooser) next(logits []float32) (int, error) {
	id := c.sampler.Sample(logits)
	if id < 0 {
		return 0, c.matcher.Err()
	}
	c.sampler.Accept(id)
	return id, nil
}

// done tells whether the grammar allows nothing more.
func (c *chooser) done() bool { return c.matcher != nil && c.matcher.Done() }

// breakers finds the tokens that hold a text of the list or its beginning, with the tokens of the rest of it. Those of
// the list asked for last are kept.
func (t *texts) breakers(tok *tokenizer.Tokenizer, texts []string) sample.Breakers {
	t.breaking.Lock()
	defer t.breaking.Unlock()
	if t.broken != nil && slices.Equal(t.brokenBy, texts) {
		return t.broken
	}
	const longestText, longestTail = 40, 20 // bytes, tokens
	b := sample.Breakers{}
	for _, text := range texts {
		text = text[:min(len(text), longestText)]
		if text == "" {
			continue
		}
		for id := range tok.Size() {
			piece := string(tok.Piece(id, true))
			if strings.Contains(piece, text) {
				b[id] = append(b[id], nil)
				continue
			}
			for n := min(len(piece), len(text)-1); n > 0; n-- {
				if !strings.HasSuffix(piece, text[:n]) {
					continue
				}
				tail := tok.Encode(text[n:], tokenizer.Options{})
				tail = tail[:min(len(tail), longestTail)]
				if !slices.ContainsFunc(b[id], func(t []int) bool { return slices.Equal(t, tail) }) {
					b[id] = append(b[id], tail)
				}
			}
		}
	}
	t.broken, t.brokenBy = b, slices.Clone(texts)
	return b
}
