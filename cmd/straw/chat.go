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
	if _, err := m.Render(ctx, session.Prompt{Messages: g.messages(session.Message{Role: "user", Content: "Hello"})}); err != nil {
		return err
	}
	lines := a.lines()
	defer lines.close()
	if lines.terminal() {
		fmt.Fprintf(a.err, "%s. /new starts again, Ctrl-C stops an answer, Ctrl-D leaves.\n", term.Safe(title(m)))
	}
	var turns []session.Message
	for {
		line, err := lines.next("> ")
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, liner.ErrPromptAborted):
			return nil
		case err != nil:
			return err
		}
		switch strings.TrimSpace(line) {
		case "":
			continue
		case "/new":
			turns = nil
			continue
		case "/quit", "/exit":
			return nil
		}
		turns = append(turns, session.Message{Role: "user", Content: line})
		answer, cancel := interruptible(ctx)
		w := a.textWriter()
		r, err := m.Generate(answer, session.Prompt{Messages: g.messages(turns...)}, g.params(), w.piece)
		cancel()
		w.end()
		if ferr := a.out.Flush(); err == nil {
			err = ferr
		}
		if tooLong := (*session.UsageError)(nil); errors.As(err, &tooLong) {
			a.note("%s; /new starts again", term.Safe(err.Error()))
			turns = turns[:len(turns)-1]
			continue
		}
		if err != nil && !cancelled(err) {
			return err
		}
		turns = append(turns, session.Message{Role: "assistant", Content: r.Text})
		a.statistics(m, &r, g, true)
		if r.FinishReason == session.FinishContext {
			a.note("The context of %d tokens is full: /new starts again; a larger one is asked for with --ctx.", m.Context)
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
