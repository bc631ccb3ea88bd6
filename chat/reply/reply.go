// Package reply takes a model's output apart into what it says, what it thinks and which tools it
// calls, as a whole or while it is being written.
//
// Every family of models writes calls and thoughts in its own way; Families is the table of them,
// and Detect finds the family of a chat template. The text to parse must hold the special tokens
// (<|python_tag|>, [TOOL_CALLS], <|channel|> ...), for many families write with them.
//
// Nothing is lost: a byte of the output is part of the content, of the reasoning, of a call, or of the
// marks and blanks around these. What looks like a call and turns out to be none is content.
// How the output is cut into pieces changes nothing but how the events are cut.
package reply

import (
	"iter"
	"strings"
)

// Kind of an event.
type Kind uint8

const (
	Content   Kind = iota // Text is part of the answer
	Reasoning             // Text is part of the thoughts
	Begin                 // a call of the tool Name begins; ID is what the model called it, if it has said so
	Arguments             // Text is the next part of the call's arguments, a JSON object
	End                   // the call is complete; ID is what the model called it, if it did
	Drop                  // the call was none: forget it; its text follows as content
)

func (k Kind) String() string {
	return [...]string{"content", "reasoning", "begin", "arguments", "end", "drop"}[k]
}

// Event is one step of an output. Between Begin and its End or Drop come only Arguments.
type Event struct {
	Kind Kind
	Call int // number of the call, from 0; a dropped one's number is used again
	Name string
	ID   string
	Text string
}

// Call of a tool. Arguments is a valid JSON object.
type Call struct {
	ID, Name, Arguments string
}

// Message is an output taken apart.
type Message struct {
	Content, Reasoning string
	Calls              []Call
}

// Tool that the model was told of.
type Tool struct {
	Name       string
	Parameters []byte // JSON schema of the arguments, may be empty
}

// Options of parsing one output.
type Options struct {
	// Thinking: the prompt ends within a thought that it opened itself; Family.Thinking tells.
	Thinking bool
	// Tools give arguments their types where a family writes them without. Calls written as bare
	// text, with no mark, are recognized only if they name one of these.
	Tools []Tool
}

// Limits. What exceeds one is content.
const (
	maxCall  = 4 << 20 // bytes of one call as the model wrote it
	maxName  = 256     // bytes of a name with what surrounds it
	maxCalls = 1024    // calls in one output
	maxDepth = 100     // values within values in arguments
)

// Parser takes an output apart while it is being written. It serves one goroutine at a time.
type Parser struct {
	scan scanner
	next func() (struct{}, bool)
	stop func()
	done bool
}

// New returns a Parser of one output of family f. It must be closed.
func (f *Family) New(o Options) *Parser {
	p := &Parser{}
	p.scan.init(f, o)
	p.next, p.stop = iter.Pull(func(yield func(struct{}) bool) {
		p.scan.more = func() bool { return yield(struct{}{}) }
		p.scan.run()
	})
	return p
}

// Push takes the next piece, cut anywhere, and returns what can be told with it. The slice is valid
// until the next call.
func (p *Parser) Push(piece string) []Event {
	if p.done || piece == "" {
		return nil
	}
	p.scan.feed(piece)
	p.scan.events = p.scan.events[:0]
	p.next()
	return p.scan.events
}

// Close says that the output has ended, and returns the events that waited for that. More calls of
// Push or Close return none.
func (p *Parser) Close() []Event {
	if p.done {
		return nil
	}
	p.done, p.scan.ended = true, true
	p.scan.events = p.scan.events[:0]
	p.next()
	p.stop()
	return p.scan.events
}

// Message returns all that the events so far told. A call without its End is not in it.
func (p *Parser) Message() Message { return p.scan.message() }

// Parse takes a whole output apart.
func (f *Family) Parse(text string, o Options) Message {
	var s scanner
	s.init(f, o)
	s.buf, s.ended = []byte(text), true
	s.run()
	return s.message()
}

// collected is a Message being built.
type collected struct {
	content, reasoning, arguments strings.Builder
	name                          string
	calls                         []Call
}

func (c *collected) add(e Event) {
	switch e.Kind {
	case Content:
		c.content.WriteString(e.Text)
	case Reasoning:
		c.reasoning.WriteString(e.Text)
	case Begin:
		c.name = e.Name
		c.arguments.Reset()
	case Arguments:
		c.arguments.WriteString(e.Text)
	case End:
		c.calls = append(c.calls, Call{ID: e.ID, Name: c.name, Arguments: c.arguments.String()})
	}
}

func (c *collected) message() Message {
	return Message{Content: c.content.String(), Reasoning: c.reasoning.String(), Calls: c.calls}
}
