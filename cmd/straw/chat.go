package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/peterh/liner"

	"straw/internal/session"
	"straw/internal/term"
)

// talk is a conversation at a terminal or on a stream. The cache keeps what was said: only a new turn is evaluated.
type talk struct {
	a     *app
	m     *model
	g     *generateFlags
	lines *lines

	turns   []session.Message
	files   []string // what /file adds to what is said next
	stopped bool     // Ctrl-C has just ended an answer or a line: the next one leaves
}

// converse holds a conversation until the person leaves.
func (a *app) converse(ctx context.Context, m *model, g *generateFlags) error {
	// A template that cannot be rendered is told of before the first question.
	if _, err := m.Render(ctx, g.prompt(session.Message{Role: "user", Content: "Hello"})); err != nil {
		return err
	}
	before, err := g.restore(m, false)
	if err != nil {
		return err
	}
	if !g.flags.Changed("system") {
		g.system = before.System
	}
	t := &talk{a: a, m: m, g: g, turns: before.Messages, lines: a.lines(!g.noHistory)}
	defer t.lines.close()
	t.lines.complete(t.completions)
	err = t.hold(ctx)
	return firstError(err, g.save(context.WithoutCancel(ctx), m, t.saved()))
}

// saved is the conversation as a session file has it.
func (t *talk) saved() saved { return saved{System: t.g.system, Messages: t.turns} }

// hold asks and answers in turns.
func (t *talk) hold(ctx context.Context) error {
	if t.lines.terminal() {
		t.a.note("%s. /help tells what can be asked for, Ctrl-C stops an answer, Ctrl-D leaves.", term.Safe(title(t.m)))
	}
	for {
		asked, err := t.turn(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = t.answer(ctx, asked)
		}
		if err != nil {
			return err
		}
	}
}

// turn is what the model is to answer next: the conversation, and at its end what the person says or, after calls of
// tools, what each of them returned. It is io.EOF where they leave.
func (t *talk) turn(ctx context.Context) ([]session.Message, error) {
	var said []session.Message
	for {
		calls, prompt := t.turns[max(len(t.turns)-1, 0):], "> "
		returned := len(calls) > 0 && len(calls[0].Calls) > 0
		if returned {
			prompt = term.Safe(calls[0].Calls[len(said)].Name) + " returned> "
		}
		text, command, err := t.lines.entry(prompt)
		if errors.Is(err, liner.ErrPromptAborted) {
			if t.stopped {
				return nil, io.EOF
			}
			t.stopped = true
			t.a.note("Ctrl-C once more leaves, as Ctrl-D does.")
			continue
		}
		if err != nil {
			return nil, err
		}
		t.stopped = false
		switch {
		case command:
			err := t.command(ctx, text)
			said = nil
			switch {
			case errors.Is(err, errRetry):
				return t.turns[: t.question()+1 : t.question()+1], nil
			case err == nil:
			case errors.Is(err, io.EOF), !t.lines.terminal():
				return nil, err
			default:
				t.a.note("%s", term.Safe(err.Error()))
			}
		case returned:
			c := calls[0].Calls[len(said)]
			said = append(said, session.Message{Role: "tool", Name: c.Name, CallID: c.ID, Content: text})
			if len(said) == len(calls[0].Calls) {
				return append(t.turns[:len(t.turns):len(t.turns)], said...), nil
			}
		case strings.TrimSpace(text) != "":
			text = strings.Join(append(t.files, text), "\n\n")
			return append(t.turns[:len(t.turns):len(t.turns)], session.Message{Role: "user", Content: text}), nil
		}
	}
}

// question is the index of the last turn of the person, -1 if there is none.
func (t *talk) question() int {
	i := len(t.turns) - 1
	for i >= 0 && t.turns[i].Role != "user" {
		i--
	}
	return i
}

// answer lets the model answer a conversation, which is the one at hand from then on.
func (t *talk) answer(ctx context.Context, asked []session.Message) error {
	a := t.a
	answer, end := t.interruptible(ctx)
	w := a.answerWriter()
	r, err := t.m.Generate(answer, t.g.prompt(asked...), t.g.params(), w.piece)
	leave := end()
	w.end()
	if ferr := a.out.Flush(); err == nil {
		err = ferr
	}
	if tooLong := (*session.UsageError)(nil); errors.As(err, &tooLong) {
		a.note("%s; /undo takes a turn back, /new starts again", term.Safe(err.Error()))
		return nil
	}
	if err != nil && !cancelled(err) {
		return err
	}
	t.files, t.stopped = nil, err != nil
	if len(r.IDs) > 0 || err == nil {
		t.turns = append(asked, r.Message())
		a.statistics(t.m, &r, t.g, true)
	} else {
		a.note("stopped before the first word: what was asked is not kept")
	}
	if r.FinishReason == session.FinishContext {
		a.note("The context of %d tokens is full: /new starts again; a larger one is asked for with --ctx.", t.m.Context)
	}
	if leave {
		return context.Canceled
	}
	return nil
}

// interruptible is a context that Ctrl-C ends. A second one, or SIGTERM, gives the terminal back at once and leaves as soon
// as the answer has ended; a third one ends the program. end tells whether to leave.
func (t *talk) interruptible(parent context.Context) (ctx context.Context, end func() (leave bool)) {
	ctx, cancel := context.WithCancel(parent)
	signals, done := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var leave atomic.Bool
	go func() {
		for again := false; ; again = true {
			select {
			case s := <-signals:
				cancel()
				if again || s != os.Interrupt {
					leave.Store(true)
					signal.Stop(signals)
					t.lines.close()
					return
				}
			case <-done:
				return
			}
		}
	}()
	return ctx, func() bool {
		signal.Stop(signals)
		close(done)
		cancel()
		return leave.Load()
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

// plainly is what was said last, cut to be told of on a line.
func plainly(text string) string {
	return fmt.Sprintf("%q", term.Cut(strings.Join(strings.Fields(text), " "), 60))
}
