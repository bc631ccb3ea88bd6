package protocol

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// A Response is a message of the worker: exactly one of Result, Error and Event is set. ID is 0 for events of the whole worker.
type Response struct {
	ID     int64           `json:"id,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Failure        `json:"error,omitempty"`
	Event  string          `json:"event,omitempty"`
	Data   any             `json:"data,omitempty"` // of an event: a pointer to its type
}

// Failure is an error as the page gets it: a StrawError.
type Failure struct {
	Kind    string          `json:"kind"` // format, truncated, unsupported, io, memory or aborted
	Field   string          `json:"field,omitempty"`
	Offset  *Offset         `json:"offset,omitempty"`
	Message string          `json:"message"`
	Line    int             `json:"line,omitempty"`   // in the template, from 1
	Column  int             `json:"column,omitempty"` // in characters, from 1
	Info    json.RawMessage `json:"info,omitempty"`   // what was read before the damage
}

func (f *Failure) UnmarshalJSON(text []byte) error { return decode(text, f) }

// Offset is a byte offset: a JSON number, or a decimal string where a double cannot hold it.
type Offset int64

const maxExact = 1 << 53

func (o Offset) MarshalJSON() ([]byte, error) {
	digits := strconv.FormatInt(int64(o), 10)
	if o > maxExact || o < -maxExact {
		return []byte(`"` + digits + `"`), nil
	}
	return []byte(digits), nil
}

func (o *Offset) UnmarshalJSON(text []byte) error {
	if n := len(text); n > 2 && text[0] == '"' {
		text = text[1 : n-1]
	}
	v, err := strconv.ParseInt(string(text), 10, 64)
	*o = Offset(v)
	return err
}

// Opened is the result of open and info: the document of `straw inspect --json` with its summary.
type Opened struct {
	Info json.RawMessage `json:"info"`
}

// ValueResult is the result of value, written as in the document.
type ValueResult struct {
	Value json.RawMessage `json:"value"`
}

// Values is the result of tensor and logits; a Float32Array of Count values lies beside the message.
type Values struct {
	Count int `json:"count"`
}

// Tokens is the result of tokenize. Spans are offsets into the text in UTF-16 units, and tile it.
type Tokens struct {
	IDs    []int    `json:"ids"`
	Pieces []Piece  `json:"pieces"`
	Spans  [][2]int `json:"spans"`

	// If only some were asked for: how many there are, and what the tokenizer treats these as.
	Total *int     `json:"total,omitempty"`
	Types []string `json:"types,omitempty"` // as tokenizer.TokenType writes them
}

// Traced is the result of trace: a word of the text, and how its tokens came to be. Parts and Merges are as in tokenizer.Word.
type Traced struct {
	How    string        `json:"how"`
	Text   Piece         `json:"text"`
	First  int           `json:"first"`
	IDs    []int         `json:"ids"`
	Pieces []Piece       `json:"pieces"`
	Parts  []TracedPart  `json:"parts"`
	Merges []TracedMerge `json:"merges"`
}

// TracedPart is a piece of a word. ID is -1 where it is no token.
type TracedPart struct {
	Text  Piece `json:"text"`
	ID    int   `json:"id"`
	Score *Real `json:"score,omitempty"`
}

func (p *TracedPart) UnmarshalJSON(text []byte) error { return decode(text, p) }

// TracedMerge joins part At, as they stand then, and the next.
type TracedMerge struct {
	At    int   `json:"at"`
	ID    int   `json:"id"`
	Rank  *int  `json:"rank,omitempty"`
	Score *Real `json:"score,omitempty"`
}

func (m *TracedMerge) UnmarshalJSON(text []byte) error { return decode(text, m) }

// Text is the result of detokenize and renderTemplate.
type Text struct {
	Text string `json:"text"`
}

// Findings is the result of examine, written as in the document.
type Findings struct {
	Findings []Finding `json:"findings"`
}

// Finding is one of them.
type Finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Subject  Piece  `json:"subject"`
	Message  string `json:"message"`
}

func (f *Finding) UnmarshalJSON(text []byte) error { return decode(text, f) }

// Loaded is the result of load: what computes, and why nothing better does.
type Loaded struct {
	Backend     string `json:"backend"`
	Reason      string `json:"reason"`
	ContextSize int    `json:"contextSize"`
	VocabSize   int    `json:"vocabSize"`
}

// The events, by name. Ready, failed and exited concern the whole worker; the last two are worker.ts speaking for a program that cannot.
var newData = map[string]func() any{
	"progress": func() any { return new(Progress) },
	"piece":    func() any { return new(Generated) },
	"last":     func() any { return new(Last) },
	"ready":    func() any { return new(Ready) },
	"failed":   func() any { return new(Failed) },
	"exited":   func() any { return new(Exited) },
}

// Progress tells how far a long request is. Total is 0 while it is not known.
type Progress struct {
	Phase string `json:"phase"` // open, load, prompt, read or save
	Done  int64  `json:"done"`
	Total int64  `json:"total"`
	Unit  string `json:"unit"` // bytes or tokens
}

// Generated is one token of generate. Text is empty while a character is incomplete; what is held back to the end comes with ID -1.
type Generated struct {
	ID        int        `json:"id"`
	Text      string     `json:"text"`                // of the answer
	Reasoning string     `json:"reasoning,omitempty"` // of the thoughts
	Calls     []CallStep `json:"calls,omitempty"`
	Logprob   *float32   `json:"logprob,omitempty"` // if they were asked for; -9999 for -Inf
	Top       []Logprob  `json:"top,omitempty"`
}

// Logprob is a token with the logarithm of its probability.
type Logprob struct {
	ID      int     `json:"id"`
	Piece   Piece   `json:"piece"`
	Logprob float32 `json:"logprob"`
}

func (l *Logprob) UnmarshalJSON(text []byte) error { return decode(text, l) }

// Last tells how a generation went: the result of generate, or an event before its error when it was stopped.
type Last struct {
	IDs                   []int    `json:"ids"`
	PromptTokens          int      `json:"promptTokens"`
	Tokens                int      `json:"tokens"`
	PromptTokensPerSecond float64  `json:"promptTokensPerSecond"`
	TokensPerSecond       float64  `json:"tokensPerSecond"`
	TimeToFirstTokenMs    float64  `json:"timeToFirstTokenMs"`
	BytesRead             int64    `json:"bytesRead"`
	FinishReason          string   `json:"finishReason"`      // stop, tool_calls, length, context or aborted
	Message               *Message `json:"message,omitempty"` // of messages: the answer as the next of them
}

// Ready tells that the program listens.
type Ready struct {
	Program string   `json:"program"` // viewer or runner
	Methods []string `json:"methods"`
}

// Failed tells that the program could not be started.
type Failed struct {
	Message string `json:"message"`
}

// Exited tells that the program ended, with the last it wrote to standard error.
type Exited struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// DecodeResponse reads a message of a worker; it is what web/src/protocol.ts does, for tests.
func DecodeResponse(text []byte) (Response, error) {
	var m struct {
		ID     int64           `json:"id,omitempty"`
		Result json.RawMessage `json:"result,omitempty"`
		Error  *Failure        `json:"error,omitempty"`
		Event  string          `json:"event,omitempty"`
		Data   json.RawMessage `json:"data,omitempty"`
	}
	if err := decode(text, &m); err != nil {
		return Response{}, err
	}
	r := Response{ID: m.ID, Result: m.Result, Error: m.Error, Event: m.Event}
	given := 0
	for _, has := range []bool{m.Result != nil, m.Error != nil, m.Event != ""} {
		if has {
			given++
		}
	}
	if given != 1 || (m.Data != nil) != (m.Event != "") {
		return r, &Error{Field: "result", Message: "a response is one of result, error, or event with data"}
	}
	if m.ID < 0 || m.ID == 0 && m.Event == "" {
		return r, &Error{Field: "id", Message: "id must be a positive integer"}
	}
	if m.Error != nil && !validKind(m.Error.Kind) {
		return r, &Error{Field: "kind", Message: fmt.Sprintf("unknown kind %q", m.Error.Kind)}
	}
	if m.Event != "" {
		make, ok := newData[m.Event]
		if !ok {
			return r, &Error{Field: "event", Message: fmt.Sprintf("unknown event %q", m.Event)}
		}
		r.Data = make()
		if err := decode(m.Data, r.Data); err != nil {
			return r, err
		}
	}
	return r, nil
}

func validKind(kind string) bool {
	switch kind {
	case "format", "truncated", "unsupported", "io", "memory", "aborted":
		return true
	}
	return false
}
