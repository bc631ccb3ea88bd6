package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// Generate continues a prompt: text, a chat, or ids. Absent numbers are the command line's defaults.
type Generate struct {
	Prompt    *string   `json:"prompt,omitempty"`
	Messages  []Message `json:"messages,omitempty"`
	IDs       []int     `json:"ids,omitempty"`
	Tools     JSON      `json:"tools,omitempty"`     // with messages: what may be called, a list in the form of OpenAI's API
	Variables JSON      `json:"variables,omitempty"` // with messages: more variables of the chat template, an object
	Raw       *bool     `json:"raw,omitempty"`       // absent or true: the prompt is not wrapped in the chat template

	MaxTokens        *int      `json:"maxTokens,omitempty"` // negative: until the end of generation or of the context
	Temperature      *float32  `json:"temperature,omitempty"`
	TopK             *int      `json:"topK,omitempty"`
	TopP             *float32  `json:"topP,omitempty"`
	MinP             *float32  `json:"minP,omitempty"`
	Typical          *float32  `json:"typical,omitempty"`
	TopNSigma        *float32  `json:"topNSigma,omitempty"`
	RepeatPenalty    *float32  `json:"repeatPenalty,omitempty"`
	RepeatLastN      *int      `json:"repeatLastN,omitempty"`
	PresencePenalty  *float32  `json:"presencePenalty,omitempty"`
	FrequencyPenalty *float32  `json:"frequencyPenalty,omitempty"`
	DRY              *DRY      `json:"dry,omitempty"`
	XTC              *XTC      `json:"xtc,omitempty"`
	Mirostat         *Mirostat `json:"mirostat,omitempty"`
	LogitBias        LogitBias `json:"logitBias,omitempty"`
	Grammar          *string   `json:"grammar,omitempty"`    // GBNF
	JSONSchema       JSON      `json:"jsonSchema,omitempty"` // in place of a grammar
	Seed             *uint64   `json:"seed,omitempty"`
	Stop             []string  `json:"stop,omitempty"`
	OnFull           string    `json:"onFull,omitempty"`   // when the context is full: "stop", or "shift", which leaves out the oldest
	Logprobs         *int      `json:"logprobs,omitempty"` // how many of the likeliest tokens each piece tells of; absent: pieces have no probabilities
}

// DRY is the penalty of what would continue a repetition.
type DRY struct {
	Multiplier    float32  `json:"multiplier"`
	Base          *float32 `json:"base,omitempty"`
	AllowedLength *int     `json:"allowedLength,omitempty"`
	LastN         *int     `json:"lastN,omitempty"`
	Breakers      []string `json:"breakers,omitempty"`
}

func (d *DRY) UnmarshalJSON(text []byte) error { return decode(text, d) }

// XTC leaves out the likeliest tokens now and then.
type XTC struct {
	Probability float32  `json:"probability"`
	Threshold   *float32 `json:"threshold,omitempty"`
}

func (x *XTC) UnmarshalJSON(text []byte) error { return decode(text, x) }

// Mirostat is Mirostat 2.0, in place of all but temperature and bias.
type Mirostat struct {
	Tau *float32 `json:"tau,omitempty"`
	Eta *float32 `json:"eta,omitempty"`
}

func (m *Mirostat) UnmarshalJSON(text []byte) error { return decode(text, m) }

// LogitBias is what is added to the logits of tokens, by id: numbers, and false for -Inf.
type LogitBias map[int]float32

func (l *LogitBias) UnmarshalJSON(text []byte) error {
	var members map[int]json.RawMessage
	err := json.Unmarshal(text, &members)
	*l = LogitBias{}
	for id, raw := range members {
		bias := float32(math.Inf(-1))
		if !bytes.Equal(raw, []byte("false")) {
			if string(raw) == "null" || json.Unmarshal(raw, &bias) != nil {
				err = fmt.Errorf("the bias of token %d is no number", id)
			}
		}
		(*l)[id] = bias
	}
	if err != nil {
		return &Error{Field: "logitBias", Message: "logitBias must be an object of token ids with a number or false each"}
	}
	return nil
}

func (l LogitBias) MarshalJSON() ([]byte, error) {
	members := map[int]any{}
	for id, bias := range l {
		if members[id] = bias; bias < -math.MaxFloat32 {
			members[id] = false
		}
	}
	return json.Marshal(members)
}

// JSON is a value that is passed on as it is.
type JSON []byte

func (j *JSON) UnmarshalJSON(text []byte) (err error) {
	*j, err = json.Marshal(json.RawMessage(text)) // as it is written again
	return err
}

// is checks that a value that is there begins as a list or an object does.
func (j JSON) is(begin byte, name, want string) error {
	if len(j) > 0 && j[0] != begin {
		return &Error{Field: name, Message: name + " must be " + want}
	}
	return nil
}

func (j JSON) MarshalJSON() ([]byte, error) { return j, nil }

func (p *Generate) check() error {
	given := 0
	for _, has := range []bool{p.Prompt != nil, p.Messages != nil, p.IDs != nil} {
		if has {
			given++
		}
	}
	switch {
	case given != 1:
		return &Error{Field: "prompt", Message: "generate needs one of prompt, messages and ids"}
	case p.Tools != nil && p.Messages == nil:
		return &Error{Field: "tools", Message: "tools go with messages"}
	case p.Variables != nil && p.Messages == nil:
		return &Error{Field: "variables", Message: "variables go with messages"}
	case p.Grammar != nil && p.JSONSchema != nil:
		return &Error{Field: "jsonSchema", Message: "jsonSchema and grammar exclude each other"}
	case p.Logprobs != nil && *p.Logprobs < 0:
		return &Error{Field: "logprobs", Message: "logprobs must not be negative"}
	}
	return firstError(p.Tools.is('[', "tools", "a list"), p.Variables.is('{', "variables", "an object"))
}
