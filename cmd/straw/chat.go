package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/peterh/liner"

	"straw/internal/session"
	"straw/internal/term"
)

// converse holds a conversation until the person leaves. Ctrl-C stops an answer, at the prompt it
// ends the conversation, as Ctrl-D does. The cache keeps what was said: only the new turn is evaluated.
func (a *app) converse(ctx context.Context, m *model, g *generateFlags) error {
	// A template that cannot be rendered is told of before the first question.
	if _, err := m.Render(ctx, g.prompt(session.Message{Role: "user", Content: "Hello"})); err != nil {
		return err
	}
	before, err := g.restore(m, false)
	if err != nil {
		return err
	}
	turns, err := a.talk(ctx, m, g, before.Messages)
	return firstError(err, g.save(context.WithoutCancel(ctx), m, saved{Messages: turns}))
}

// talk is converse from the turns on that were there before. It returns all of them.
func (a *app) talk(ctx context.Context, m *model, g *generateFlags, turns []session.Message) ([]session.Message, error) {
	lines := a.lines()
	defer lines.close()
	if lines.terminal() {
		fmt.Fprintf(a.err, "%s. /new starts again, Ctrl-C stops an answer, Ctrl-D leaves.\n", term.Safe(title(m)))
	}
	for {
		said, err := a.turn(lines, turns)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, liner.ErrPromptAborted):
			return turns, nil
		case err != nil:
			return turns, err
		case said == nil:
			turns = nil
			continue
		}
		asked := append(turns[:len(turns):len(turns)], said...)
		answer, cancel := interruptible(ctx)
		w := a.answerWriter()
		r, err := m.Generate(answer, g.prompt(asked...), g.params(), w.piece)
		cancel()
		w.end()
		if ferr := a.out.Flush(); err == nil {
			err = ferr
		}
		if tooLong := (*session.UsageError)(nil); errors.As(err, &tooLong) {
			a.note("%s; /new starts again", term.Safe(err.Error()))
			continue
		}
		if err != nil && !cancelled(err) {
			return turns, err
		}
		turns = append(asked, r.Message())
		a.statistics(m, &r, g, true)
		if r.FinishReason == session.FinishContext {
			a.note("The context of %d tokens is full: /new starts again; a larger one is asked for with --ctx.", m.Context)
		}
	}
}

// turn asks for what comes next in a conversation: what the person says, or, after calls of tools, what each of them
// returned. It is nil where the person starts again, and io.EOF where they leave.
func (a *app) turn(lines *lines, turns []session.Message) (said []session.Message, err error) {
	if n := len(turns); n > 0 && len(turns[n-1].Calls) > 0 {
		for _, c := range turns[n-1].Calls {
			line, err := lines.next(term.Safe(c.Name) + " returned> ")
			if err != nil {
				return nil, err
			}
			if strings.TrimSpace(line) == "/new" {
				return nil, nil
			}
			said = append(said, session.Message{Role: "tool", Name: c.Name, CallID: c.ID, Content: line})
		}
		return said, nil
	}
	for {
		line, err := lines.next("> ")
		if err != nil {
			return nil, err
		}
		switch strings.TrimSpace(line) {
		case "":
		case "/new":
			return nil, nil
		case "/quit", "/exit":
			return nil, io.EOF
		default:
			return []session.Message{{Role: "user", Content: line}}, nil
		}
	}
}

// title is the model's name, else the file's.
func title(m *model) string {
	if v, err := m.Get("general.name"); err == nil {
		if s, ok := v.(string); ok && s != "" {
			return s
		}
	}
	return m.label
}

// lines are what a person says: typed with editing and history, or read from a stream.
type lines struct {
	edit   *liner.State
	stream *bufio.Reader
}

func (a *app) lines() *lines {
	if term.IsTerminal(a.in) && term.IsTerminal(a.stdout) && liner.TerminalSupported() {
		s := liner.NewLiner()
		s.SetCtrlCAborts(true)
		s.SetMultiLineMode(true)
		return &lines{edit: s}
	}
	return &lines{stream: bufio.NewReader(a.in)}
}

func (l *lines) terminal() bool { return l.edit != nil }

func (l *lines) next(prompt string) (string, error) {
	if l.edit != nil {
		s, err := l.edit.Prompt(prompt)
		if err == nil && strings.TrimSpace(s) != "" {
			l.edit.AppendHistory(s)
		}
		return s, err
	}
	s, err := l.stream.ReadString('\n')
	if err == io.EOF && s != "" {
		err = nil
	}
	return strings.TrimRight(s, "\r\n"), err
}

func (l *lines) close() {
	if l.edit != nil {
		l.edit.Close()
	}
}
