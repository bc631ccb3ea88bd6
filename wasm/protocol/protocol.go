// Package protocol is what the page and the Go programs in its workers say to each other: the Go side of web/src/protocol.ts. Both are tested
// by the same files, testdata/protocol/*.json.
//
// A message is JSON text. What JSON cannot carry, File and Blob objects towards the worker and the values of a tensor towards the page, crosses beside it.
//
//	page -> worker   {"id": 1, "method": "open", "params": {...}}
//	                 {"id": 1, "method": "cancel"}               stops request 1, which then answers with the error "aborted"
//	worker -> page   {"id": 1, "result": {...}}                  one result or one error a request
//	                 {"id": 1, "error": {"kind": ..., "message": ...}}
//	                 {"id": 1, "event": "piece", "data": {...}}  any number before that
//	                 {"event": "ready", "data": {...}}           what concerns the whole worker
//
// Both sides are strict: an unknown method, member or event is an error, so that an option is never silently without effect.
package protocol

import (
	"encoding/json"
	"fmt"
)

// Cancel is the method that stops the request whose id it carries. It has no parameters and no answer.
const Cancel = "cancel"

// A Request asks for one thing. Params is a pointer to the parameter type of its method, and nil for [Cancel].
type Request struct {
	ID     int64
	Method string
	Params any
}

// newParams makes the parameters of each method.
var newParams = map[string]func() any{
	"open":       func() any { return new(Open) },
	"info":       func() any { return new(Info) },
	"value":      func() any { return new(Value) },
	"tensor":     func() any { return new(Tensor) },
	"tokenize":   func() any { return new(Tokenize) },
	"detokenize": func() any { return new(Detokenize) },
	"load":       func() any { return new(Load) },
	"generate":   func() any { return new(Generate) },
	"logits":     func() any { return new(Logits) },

	"renderTemplate": func() any { return new(RenderTemplate) },
	"examine":        func() any { return new(Examine) },
	"trace":          func() any { return new(Trace) },
	"forecast":       func() any { return new(Forecast) },
	"embed":          func() any { return new(Embed) },
	"snapshot":       func() any { return new(Snapshot) },
	"restore":        func() any { return new(Restore) },

	"stats":   func() any { return new(Stats) },
	"measure": func() any { return new(Measure) },
	"hash":    func() any { return new(Hash) },
	"compare": func() any { return new(Compare) },
	"plan":    func() any { return new(Plan) },
	"save":    func() any { return new(Save) },
}

type requestText struct {
	ID     int64           `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params,omitempty"`
}

// DecodeRequest reads a message of the page. When the text is at fault the request still has its id, if one could be read, so that the error finds its way back.
func DecodeRequest(text []byte) (Request, error) {
	var m requestText
	err := decode(text, &m)
	r := Request{ID: m.ID, Method: m.Method}
	if err != nil {
		return r, err
	}
	if m.ID <= 0 {
		return r, &Error{Field: "id", Message: "id must be a positive integer"}
	}
	if m.Method == Cancel {
		if m.Params != nil {
			return r, unknown("params")
		}
		return r, nil
	}
	make, ok := newParams[m.Method]
	if !ok {
		return r, &Error{Field: "method", Message: fmt.Sprintf("unknown method %q", m.Method)}
	}
	if m.Params == nil {
		m.Params = json.RawMessage("{}")
	}
	params := make()
	if err := decode(m.Params, params); err != nil {
		return r, err
	}
	if c, ok := params.(interface{ check() error }); ok {
		if err := c.check(); err != nil {
			return r, err
		}
	}
	r.Params = params
	return r, nil
}

// MarshalJSON writes the request as [DecodeRequest] reads it.
func (r Request) MarshalJSON() ([]byte, error) {
	m := requestText{ID: r.ID, Method: r.Method}
	if r.Params != nil {
		params, err := json.Marshal(r.Params)
		if err != nil {
			return nil, err
		}
		if string(params) != "{}" {
			m.Params = params
		}
	}
	return json.Marshal(m)
}

// Error is a message that does not follow the protocol: a fault of the caller, or of the page.
type Error struct {
	Field   string // the member at fault, as a caller of straw.js knows it
	Message string
}

func (e *Error) Error() string { return e.Message }

// Kind is the error's kind for the page.
func (e *Error) Kind() string { return "unsupported" }

func unknown(name string) error {
	return &Error{Field: name, Message: fmt.Sprintf("%q is not supported", name)}
}
