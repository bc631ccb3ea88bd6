package session

import (
	"context"
	"fmt"
	"strings"
	"time"

	"straw/engine/grammar"
	"straw/engine/sample"
	"straw/tokenizer"
)

// Prompt is what to continue; exactly one of the three is set.
type Prompt struct {
	Text     string    // as it is: special tokens recognised, BOS where the model wants one
	Messages []Message // wrapped in the file's chat template
	IDs      []int     // tokens, nothing added
}

// Params say how to continue.
type Params struct {
	MaxTokens int      // < 0: until the end of generation or of the context
	Stop      []string // texts that end the generation; they are not part of the result
	IgnoreEOG bool     // go on past end-of-generation tokens
	Sampler   sample.Params
	Breakers  []string // what DRY finds no repetition across; nil: DefaultBreakers

	Grammar *grammar.Grammar // what the text must match; nil: anything. It ends where nothing can follow

	Logprobs    bool // pieces have the logarithm of their probability
	TopLogprobs int  // and, if Logprobs, those of so many of the likeliest tokens
}

// Piece is one token's step. Text is what became certain with it: it may be empty (half a character,
// a possible beginning of a stop text) and it may hold what earlier tokens left open. The last piece
// may have ID -1: text that was only held back.
type Piece struct {
	ID   int
	Text string

	Logprob float32          // of ID by the model, before any step of sampling, if it was asked for
	Top     []sample.Logprob // the likeliest first
}

// Reasons why a generation ended.
const (
	FinishStop      = "stop"      // an end-of-generation token, a stop text, or the end of the grammar
	FinishLength    = "length"    // as many tokens as asked for
	FinishContext   = "context"   // the context is full
	FinishCancelled = "cancelled" // the caller's context was done
)

// Result tells what was generated and how fast.
type Result struct {
	Text         string
	IDs          []int // the generated tokens, an end-of-generation token included
	PromptTokens int   // tokens of the whole prompt
	CachedTokens int   // of these, how many were still in the cache
	FinishReason string
	PromptTime   time.Duration // evaluation of the prompt
	TokenTime    time.Duration // from the first token to the last
	FirstToken   time.Duration // from the call to the first token
	BytesRead    int64         // weights read from the source during the call
}

// PromptRate is tokens a second of the evaluated prompt, 0 where nothing was measured.
func (r *Result) PromptRate() float64 { return rate(r.PromptTokens-r.CachedTokens, r.PromptTime) }

// Rate is tokens a second after the first one, 0 where nothing was measured.
func (r *Result) Rate() float64 { return rate(len(r.IDs)-1, r.TokenTime) }

func rate(n int, d time.Duration) float64 {
	if n <= 0 || d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

// Encode turns a prompt into tokens.
func (m *Model) Encode(p Prompt) ([]int, error) {
	if p.IDs != nil {
		return p.IDs, m.checkIDs(p.IDs)
	}
	tok, err := m.Tokenizer()
	if err != nil {
		return nil, err
	}
	text := p.Text
	if p.Messages != nil {
		if text, err = m.Render(p.Messages); err != nil {
			return nil, err
		}
		// What the template wrote of BOS is not to be there twice.
		if bos, ok := tok.BOS(); ok && tok.AddBOS() {
			mark, _ := tok.Token(bos)
			text = strings.TrimPrefix(text, mark)
		}
	}
	ids := tok.Encode(text, tokenizer.Options{AddSpecial: true, ParseSpecial: true})
	if len(ids) == 0 {
		// An empty prompt of a model that adds nothing: its first token is the one it knows to begin with.
		if bos, ok := tok.BOS(); ok {
			ids = []int{bos}
		} else {
			return nil, &UsageError{"the prompt has no tokens and the model no token to begin with: give a prompt"}
		}
	}
	return ids, m.checkIDs(ids)
}

// Generate continues the prompt and hands each step to yield (which may be nil). It ends at an
// end-of-generation token, a stop text, the end of the grammar, p.MaxTokens, a full context, an error of
// yield, or when ctx is done. With an error it still returns what was generated so far.
func (m *Model) Generate(ctx context.Context, prompt Prompt, p Params, yield func(Piece) error) (Result, error) {
	begin := time.Now()
	read := m.Stats().BytesRead
	var r Result
	if err := m.writes(); err != nil {
		return r, err
	}
	ids, err := m.Encode(prompt)
	if err != nil {
		return r, err
	}
	r.PromptTokens = len(ids)
	if len(ids) > m.Context {
		return r, &UsageError{fmt.Sprintf("the prompt has %d tokens, the context %d: ask for a larger context (--ctx) or shorten the prompt", len(ids), m.Context)}
	}
	tok, err := m.Tokenizer()
	if err != nil && prompt.IDs == nil {
		return r, err
	}
	choose, err := m.chooser(&p, ids)
	if err != nil {
		return r, err
	}

	kept, rest, err := m.begin(ctx, ids)
	var rows [][]float32
	if err == nil {
		r.CachedTokens = kept
		rows, err = m.eval(ctx, rest, false)
	}
	r.PromptTime = time.Since(begin)
	if err != nil {
		return m.finish(r, ctx, err)
	}
	out := newWriter(tok, p.Stop, yield)
	logits := rows[0]
	var first time.Time
	if choose.done() {
		r.FinishReason = FinishStop
	}
	for r.FinishReason == "" {
		if p.MaxTokens >= 0 && len(r.IDs) >= p.MaxTokens {
			r.FinishReason = FinishLength
			break
		}
		var id int
		if id, err = choose.next(logits); err != nil {
			break
		}
		r.IDs = append(r.IDs, id)
		now := time.Now()
		if len(r.IDs) == 1 {
			first = now
			r.FirstToken = now.Sub(begin)
		}
		r.TokenTime = now.Sub(first)
		eog := tok != nil && tok.IsEOG(id)
		if eog && !p.IgnoreEOG {
			r.FinishReason = FinishStop
			break
		}
		piece := Piece{ID: id}
		if p.Logprobs {
			var of sample.Logprob
			of, piece.Top = sample.Logprobs(logits, id, p.TopLogprobs)
			piece.Logprob = of.Logprob
		}
		stopped, werr := out.push(piece)
		if werr != nil {
			err = werr
			break
		}
		switch {
		case stopped, choose.done():
			r.FinishReason = FinishStop
		case p.MaxTokens >= 0 && len(r.IDs) >= p.MaxTokens:
			r.FinishReason = FinishLength
		case len(m.cached) >= m.Context:
			r.FinishReason = FinishContext
		default:
			if rows, err = m.eval(ctx, []int{id}, false); err == nil {
				logits = rows[0]
			}
		}
		if err != nil {
			break
		}
	}
	if ferr := out.flush(); err == nil {
		err = ferr
	}
	r.Text = out.text.String()
	r.BytesRead = m.Stats().BytesRead - read
	return m.finish(r, ctx, err)
}

// finish names the reason of a generation that an error ended.
func (m *Model) finish(r Result, ctx context.Context, err error) (Result, error) {
	if err != nil && ctx.Err() != nil {
		r.FinishReason = FinishCancelled
	}
	return r, err
}

// keep cuts the cache to the longest common beginning of what is in it and ids, at least one token
// short of ids (its logits are needed), and returns the length kept.
func (m *Model) keep(ids []int) int {
	n := 0
	for n < len(ids)-1 && n < len(m.cached) && ids[n] == m.cached[n] {
		n++
	}
	m.session.Truncate(n)
	m.cached = m.cached[:n]
	return n
}

// writer turns tokens into text that is certain: whole characters, and no beginning of a stop text.
type writer struct {
	dec   *tokenizer.Decoder
	stop  []string
	yield func(Piece) error
	held  string // decoded, but perhaps the beginning of a stop text
	text  strings.Builder
}

func newWriter(tok *tokenizer.Tokenizer, stop []string, yield func(Piece) error) *writer {
	w := &writer{yield: yield}
	if tok != nil {
		w.dec = tok.NewDecoder(false)
	}
	for _, s := range stop {
		if s != "" {
			w.stop = append(w.stop, s)
		}
	}
	return w
}

// push adds a token's piece, whose text it sets, and tells whether a stop text is complete.
func (w *writer) push(p Piece) (bool, error) {
	if w.dec == nil {
		return false, w.emit(p)
	}
	w.held += w.dec.Push(p.ID)
	if i := w.stopAt(); i >= 0 {
		p.Text = w.held[:i]
		w.held, w.dec = "", nil
		return true, w.emit(p)
	}
	n := len(w.held) - w.pending()
	p.Text = w.held[:n]
	w.held = w.held[n:]
	return false, w.emit(p)
}

// flush gives out what was held back; a character that never became whole is replaced as the decoder says.
func (w *writer) flush() error {
	if w.dec != nil {
		w.held += w.dec.Flush()
		if i := w.stopAt(); i >= 0 {
			w.held = w.held[:i]
		}
	}
	if w.held == "" {
		return nil
	}
	p := Piece{ID: -1, Text: w.held}
	w.held = ""
	return w.emit(p)
}

func (w *writer) emit(p Piece) error {
	w.text.WriteString(p.Text)
	if w.yield == nil {
		return nil
	}
	return w.yield(p)
}

// stopAt is where the first stop text in held begins, -1 if none is there.
func (w *writer) stopAt() int {
	at := -1
	for _, s := range w.stop {
		if i := strings.Index(w.held, s); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

// pending is the length of the longest end of held that begins a stop text.
func (w *writer) pending() int {
	longest := 0
	for _, s := range w.stop {
		for n := min(len(s)-1, len(w.held)); n > longest; n-- {
			if strings.HasSuffix(w.held, s[:n]) {
				longest = n
				break
			}
		}
	}
	return longest
}
