package session

import (
	"context"
	"strings"
	"time"

	"straw/chat"
	"straw/chat/reply"
	"straw/engine/grammar"
	"straw/engine/sample"
	"straw/tokenizer"
)

// Prompt is what to continue; exactly one of the three is set.
type Prompt struct {
	Text     string    // as it is: special tokens recognised, BOS where the model wants one
	Messages []Message // wrapped in the file's chat template; what the model writes is taken apart
	IDs      []int     // tokens, nothing added

	// With Messages: what the model may call, and more variables of the template (enable_thinking ...).
	Tools     []Tool
	Variables *chat.Dict
}

// Params say how to continue.
type Params struct {
	MaxTokens int      // < 0: until the end of generation or of the context
	Stop      []string // texts that end the generation; they are not part of the result
	IgnoreEOG bool     // go on past end-of-generation tokens
	Sampler   sample.Params
	Breakers  []string // what DRY finds no repetition across; nil: DefaultBreakers

	// Grammar is what the text must match; nil: anything. It ends where nothing can follow. A text that
	// matches one is the answer as it is: neither thoughts nor calls are looked for in it.
	Grammar *grammar.Grammar

	OnFull    FullPolicy  // what happens when the context is full
	Speculate Speculation // whether tokens are guessed ahead

	Logprobs    bool // pieces have the logarithm of their probability
	TopLogprobs int  // and, if Logprobs, those of so many of the likeliest tokens

	evaluated func() // is called when the prompt is in the cache; nil: nobody wants to know
}

// Piece is one token's step. Text is what became certain with it: it may be empty (half a character,
// a possible beginning of a stop text) and it may hold what earlier tokens left open. The last piece
// may have ID -1: what was only held back.
//
// The answer to messages is taken apart: Text is of the answer alone, and Events tell in order of it, of
// thoughts and of calls. A call's ID is there from its beginning. An event of the kind Drop takes a call
// back that has begun; who cannot should wait for its End.
type Piece struct {
	ID     int
	Text   string
	Events []reply.Event // nil where nothing is taken apart; valid until yield returns

	Logprob float32          // of ID by the model, before any step of sampling, if it was asked for
	Top     []sample.Logprob // the likeliest first
}

// Reasons why a generation ended.
const (
	FinishStop      = "stop"       // an end-of-generation token, a stop text, or the end of the grammar
	FinishCalls     = "tool_calls" // as FinishStop, and tools were called
	FinishLength    = "length"     // as many tokens as asked for
	FinishContext   = "context"    // the context is full
	FinishCancelled = "cancelled"  // the caller's context was done
)

// Result tells what was generated and how fast.
type Result struct {
	Text         string // the answer; what a prompt of messages got beside it:
	Reasoning    string
	Calls        []reply.Call // each with an ID
	IDs          []int        // the generated tokens, an end-of-generation token included
	PromptTokens int          // tokens of the whole prompt
	CachedTokens int          // of these, how many were still in the cache
	FinishReason string
	PromptTime   time.Duration // evaluation of the prompt
	TokenTime    time.Duration // from the first token to the last
	FirstToken   time.Duration // from the call to the first token
	Drafted      int           // tokens that were guessed
	Accepted     int           // of these, those that were chosen then
	Shifts       int           // how often the oldest was left out because the context was full
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

// Message is the answer as the next turn of the conversation.
func (r *Result) Message() Message {
	return Message{Role: "assistant", Content: r.Text, Reasoning: r.Reasoning, Calls: r.Calls}
}

// Encode turns a prompt into tokens.
func (m *Model) Encode(p Prompt) ([]int, error) {
	ids, _, err := m.encode(context.Background(), p)
	return ids, err
}

// encode is Encode with the text that the tokens are of; "" for ids.
func (m *Model) encode(ctx context.Context, p Prompt) (ids []int, text string, err error) {
	if p.IDs != nil {
		return p.IDs, "", m.checkIDs(p.IDs)
	}
	tok, err := m.Tokenizer()
	if err != nil {
		return nil, "", err
	}
	text = p.Text
	if p.Messages != nil {
		if text, err = m.Render(ctx, p); err != nil {
			return nil, "", err
		}
		// What the template wrote of BOS is not to be there twice.
		if bos, ok := tok.BOS(); ok && tok.AddBOS() {
			mark, _ := tok.Token(bos)
			text = strings.TrimPrefix(text, mark)
		}
	}
	ids = tok.Encode(text, tokenizer.Options{AddSpecial: true, ParseSpecial: true})
	if len(ids) == 0 {
		// An empty prompt of a model that adds nothing: its first token is the one it knows to begin with.
		if bos, ok := tok.BOS(); ok {
			ids = []int{bos}
		} else {
			return nil, "", &UsageError{"the prompt has no tokens and the model no token to begin with: give a prompt"}
		}
	}
	return ids, text, m.checkIDs(ids)
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
	ids, text, err := m.encode(ctx, prompt)
	if err != nil {
		return r, err
	}
	keep := 0
	if p.OnFull == FullShift {
		keep = m.beginning(ctx, prompt, ids)
	}
	if len(ids) > m.Context {
		r.PromptTokens = len(ids)
		if p.OnFull != FullShift {
			return r, m.tooLong(ids)
		}
		if prompt, ids, text, err = m.shorten(ctx, prompt, ids, text, keep); err != nil {
			return r, err
		}
		r.Shifts++
	}
	r.PromptTokens = len(ids)
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
	if p.evaluated != nil {
		p.evaluated()
	}
	out := newWriter(tok, p.Stop, yield)
	if prompt.Messages != nil && p.Grammar == nil {
		a, err := m.apart(prompt, text, ids)
		if err != nil {
			return r, err
		}
		out.takeApart(a)
	}
	logits := rows[0]
	ahead := m.stepper(p.Speculate, ids)
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
		case ahead.used() >= m.Context && p.OnFull == FullStop:
			r.FinishReason = FinishContext
		default:
			if ahead.used() >= m.Context {
				ahead.settle()
				var ok bool
				if ok, err = m.shift(ctx, keep); err != nil {
					break
				} else if !ok {
					r.FinishReason = FinishContext
					break
				}
				r.Shifts++
			}
			most := m.Context
			if p.MaxTokens >= 0 {
				most = p.MaxTokens - len(r.IDs)
			}
			logits, err = ahead.step(ctx, id, most)
		}
		if err != nil {
			break
		}
	}
	ahead.settle()
	r.Drafted, r.Accepted = ahead.drafted, ahead.accepted
	if ferr := out.flush(); err == nil {
		err = ferr
	}
	r.Text = out.text.String()
	if out.apart != nil {
		r.Reasoning, r.Calls = out.apart.message()
	}
	if len(r.Calls) > 0 && r.FinishReason == FinishStop {
		r.FinishReason = FinishCalls
	}
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
	m.cut(n)
	return n
}
