package session

import (
	"context"
	"fmt"
	"math"

	"straw/tokenizer"
)

// Perplexity is how surprised a model is by a text: exp of the mean negative log likelihood of the
// scored tokens.
type Perplexity struct {
	Value    float64 // exp(NLL)
	Error    float64 // standard error of Value
	NLL      float64 // mean, nats a token
	Tokens   int     // of the whole text
	Scored   int     // of these, how many counted
	Pieces   int
	PieceLen int // tokens of the text in a whole piece
}

// MeasurePerplexity cuts the text's tokens into non-overlapping pieces of the context less one, puts
// BOS before each where the model adds one, and scores each token from what is before it in its
// piece. half: only the second half of each piece counts, so that every scored token has some
// context (llama-perplexity's rule); else all that have a token before them. progress, which may be
// nil, is called after each piece.
func (m *Model) MeasurePerplexity(ctx context.Context, text string, half bool, progress func(done, of int, soFar Perplexity)) (Perplexity, error) {
	var r Perplexity
	if err := m.writes(); err != nil {
		return r, err
	}
	if m.Arch.Encoder.Layers > 0 {
		return r, &UnsupportedError{"model " + m.Arch.Name + " answers a text, it does not continue it: perplexity has no meaning"}
	}
	tok, err := m.Tokenizer()
	if err != nil {
		return r, err
	}
	if m.Context < 2 {
		return r, &UsageError{"a context of one token leaves nothing to predict: ask for a larger one (--ctx)"}
	}
	ids := tok.Encode(text, tokenizer.Options{ParseSpecial: true})
	r.Tokens, r.PieceLen = len(ids), m.Context-1
	if err := m.checkIDs(ids); err != nil {
		return r, err
	}
	var before []int
	if bos, ok := tok.BOS(); ok && tok.AddBOS() {
		before = []int{bos}
	}
	var sum, squares float64
	total := (len(ids) + r.PieceLen - 1) / r.PieceLen
	for len(ids) > 0 {
		n := min(len(ids), r.PieceLen)
		piece := append(append([]int{}, before...), ids[:n]...)
		ids = ids[n:]
		rows, err := m.Logits(ctx, piece, true)
		if err != nil {
			return r, err
		}
		from := 1
		if half {
			from = len(piece)/2 + 1
		}
		for i := from; i < len(piece); i++ {
			x := nll(rows[i-1], piece[i])
			sum += x
			squares += x * x
			r.Scored++
		}
		r.Pieces++
		r.summarize(sum, squares)
		if progress != nil {
			progress(r.Pieces, total, r)
		}
	}
	if r.Scored == 0 {
		return r, &UsageError{fmt.Sprintf("the text has %d tokens: none is left to score after the first of its piece, give a longer text", r.Tokens)}
	}
	return r, nil
}

// summarize: Error is the value times the standard error of the mean NLL (the delta method).
func (r *Perplexity) summarize(sum, squares float64) {
	if r.Scored == 0 {
		return
	}
	n := float64(r.Scored)
	r.NLL = sum / n
	r.Value = math.Exp(r.NLL)
	r.Error = 0
	if v := squares/n - r.NLL*r.NLL; r.Scored > 1 && v > 0 {
		r.Error = r.Value * math.Sqrt(v/(n-1))
	}
}

// nll is -log softmax(row)[id], in float64.
func nll(row []float32, id int) float64 {
	top := math.Inf(-1)
	for _, v := range row {
		top = max(top, float64(v))
	}
	sum := 0.0
	for _, v := range row {
		sum += math.Exp(float64(v) - top)
	}
	return top + math.Log(sum) - float64(row[id])
}
