package main

import (
	"fmt"
	"io"
	"strings"

	"straw/chat/reply"
	"straw/internal/session"
	"straw/internal/term"
)

// answerWriter shows what a model writes as it comes. The answer and the calls of tools go to standard output.
// Thoughts go there too where it is a terminal, dimmed; else to standard error, under a label, so that a file or
// a pipe gets the answer alone.
type answerWriter struct {
	a        *app
	terminal bool
	dim      bool
	open     bool // the last line on standard output has no end yet
	thinking bool // the last written was a thought
	call     strings.Builder
}

func (a *app) answerWriter() *answerWriter {
	return &answerWriter{a: a, terminal: term.IsTerminal(a.stdout), dim: term.Color(a.stdout)}
}

func (w *answerWriter) piece(p session.Piece) error {
	if p.Events == nil {
		return w.say(p.Text)
	}
	for _, e := range p.Events {
		var err error
		switch e.Kind {
		case reply.Content:
			err = w.say(e.Text)
		case reply.Reasoning:
			err = w.think(e.Text)
		case reply.Begin:
			w.call.Reset()
			w.call.WriteString(e.Name + " ")
		case reply.Arguments:
			w.call.WriteString(e.Text)
		case reply.End:
			w.end()
			err = w.say("[calls " + w.call.String() + "]\n")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// say writes a part of the answer.
func (w *answerWriter) say(s string) error {
	if s == "" {
		return nil
	}
	w.endThought()
	if w.terminal {
		s = term.SafeText(s)
	}
	return w.write(s)
}

// think writes a part of a thought.
func (w *answerWriter) think(s string) error {
	if s == "" {
		return nil
	}
	label := ""
	if !w.thinking && !w.dim {
		label = "Thinking: "
	}
	w.thinking = true
	switch {
	case !w.terminal && term.IsTerminal(w.a.err):
		_, err := io.WriteString(w.a.err, label+term.SafeText(s))
		return err
	case !w.terminal:
		_, err := io.WriteString(w.a.err, label+s)
		return err
	case w.dim:
		return w.write("\x1b[2m" + term.SafeText(s) + "\x1b[0m")
	}
	return w.write(label + term.SafeText(s))
}

// endThought puts an empty line between a thought and what follows.
func (w *answerWriter) endThought() {
	if !w.thinking {
		return
	}
	w.thinking = false
	if w.terminal {
		io.WriteString(w.a.out, "\n\n")
		w.open = false
	} else {
		io.WriteString(w.a.err, "\n")
	}
}

func (w *answerWriter) write(s string) error {
	w.open = s[len(s)-1] != '\n'
	_, err := io.WriteString(w.a.out, s)
	if err == nil {
		err = w.a.out.Flush()
	}
	if err != nil {
		return fmt.Errorf("writing the text: %w", err)
	}
	return nil
}

// end finishes the last line.
func (w *answerWriter) end() {
	if w.thinking && !w.terminal {
		w.endThought()
	}
	if w.open {
		io.WriteString(w.a.out, "\n")
		w.open = false
	}
	w.thinking = false
}
