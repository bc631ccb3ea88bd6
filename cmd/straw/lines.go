package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/peterh/liner"

	"straw/internal/term"
)

// lines are what a person says: typed with editing, history and completion, or read from a stream.
type lines struct {
	edit    *liner.State
	hangUp  func() // ends the input of edit, nil where nothing can
	stream  *bufio.Reader
	history *history // nil: none is kept
	a       *app
	closed  sync.Once
}

// lines begins to read; keep: what is typed is kept between runs.
func (a *app) lines(keep bool) *lines {
	l := &lines{a: a}
	if !term.IsTerminal(a.in) || !term.IsTerminal(a.stdout) || !liner.TerminalSupported() {
		l.stream = bufio.NewReader(a.in)
		return l
	}
	l.edit, l.hangUp = editor()
	l.edit.SetCtrlCAborts(true)
	l.edit.SetMultiLineMode(true)
	l.edit.SetTabCompletionStyle(liner.TabPrints)
	if runtime.GOOS != "windows" {
		io.WriteString(os.Stdout, pasteOn)
	}
	if !keep {
		return l
	}
	var err error
	if l.history, err = openHistory(); err != nil {
		a.note("What is typed is not kept for the next time: %s", term.Safe(err.Error()))
		return l
	}
	for _, line := range l.history.lines {
		l.edit.AppendHistory(line)
	}
	return l
}

// editor is a line editor that gets what is pasted whole. It takes os.Stdin as it finds it, so it finds a pipe there, into
// which the terminal's input comes through a paster; of Windows' console it reads keys, and each pasted line is one.
// hangUp closes the pipe.
func editor() (edit *liner.State, hangUp func()) {
	if runtime.GOOS == "windows" {
		return liner.NewLiner(), nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return liner.NewLiner(), nil
	}
	terminal := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = terminal }()
	go func() {
		defer w.Close()
		var p paster
		b := make([]byte, 4096)
		for {
			n, err := terminal.Read(b)
			if _, werr := w.Write(p.feed(b[:n])); err != nil || werr != nil {
				return
			}
		}
	}()
	return liner.NewLiner(), func() { w.Close() }
}

func (l *lines) terminal() bool { return l.edit != nil }

// complete makes the Tab key offer what list returns for a line.
func (l *lines) complete(list func(line string) []string) {
	if l.edit != nil {
		l.edit.SetCompleter(list)
	}
}

const quotes = `"""`

// entry is the next thing that is said, or the line of a command, which begins with a slash: a line; lines of which all but
// the last end with a backslash; or what is between two """. Two slashes stand for one that is said.
func (l *lines) entry(prompt string) (text string, command bool, err error) {
	line, err := l.next(prompt)
	if err != nil {
		return "", false, err
	}
	typed := line
	trimmed := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(trimmed, quotes):
		text, err = l.quoted(trimmed[len(quotes):])
		typed = quotes + text + quotes
	case strings.HasPrefix(trimmed, "/") && !strings.HasPrefix(trimmed, "//") && !strings.Contains(trimmed, "\n"):
		text, command = trimmed, true
	default:
		if text, err = l.continued(line); strings.HasPrefix(text, "//") {
			text = text[1:]
		}
		typed = strings.ReplaceAll(text, "\n", "\\\n")
		if strings.Contains(line, "\n") || strings.HasPrefix(line, "//") {
			typed = line
		}
	}
	if err == nil {
		l.remember(typed)
	}
	return text, command, err
}

// quoted is what follows the """ that a line begins with, up to the next at the end of a line.
func (l *lines) quoted(text string) (string, error) {
	for {
		if rest, ok := strings.CutSuffix(strings.TrimRight(text, " \t\n"), quotes); ok {
			return strings.Trim(rest, "\n"), nil
		}
		line, err := l.next(". ")
		if err == io.EOF && !l.terminal() {
			return "", usagef(`the text that begins with """ has no end: a line that ends with """ is needed`)
		}
		if err != nil {
			return "", err
		}
		text += "\n" + line
	}
}

// continued is a line and those that follow it after a backslash.
func (l *lines) continued(text string) (string, error) {
	for slashes := 1; ; {
		slashes = len(text) - len(strings.TrimRight(text, `\`))
		if slashes%2 == 0 {
			return text, nil
		}
		line, err := l.next(". ")
		if err == io.EOF && !l.terminal() {
			return text[:len(text)-1], nil
		}
		if err != nil {
			return "", err
		}
		text = text[:len(text)-1] + "\n" + line
	}
}

// next is the next line.
func (l *lines) next(prompt string) (string, error) {
	if l.edit != nil {
		terminated := l.terminable()
		s, err := l.edit.Prompt(prompt)
		if terminated() {
			return "", context.Canceled
		}
		return strings.TrimRight(unmarked.Replace(s), "\n"), err
	}
	s, err := l.stream.ReadString('\n')
	if err == io.EOF && s != "" {
		err = nil
	}
	return strings.TrimRight(s, "\r\n"), err
}

// terminable lets SIGTERM end a line that is typed, so that the terminal is given back and the conversation saved.
func (l *lines) terminable() (terminated func() bool) {
	signals, done := make(chan os.Signal, 1), make(chan struct{})
	var got atomic.Bool
	if l.hangUp != nil {
		signal.Notify(signals, syscall.SIGTERM)
	}
	go func() {
		select {
		case <-signals:
			got.Store(true)
			l.hangUp()
		case <-done:
		}
	}()
	return func() bool {
		signal.Stop(signals)
		close(done)
		return got.Load()
	}
}

// remember adds what was said to the history, in which it is one line.
func (l *lines) remember(text string) {
	if l.edit == nil || strings.TrimSpace(text) == "" {
		return
	}
	line := marked.Replace(text)
	l.edit.AppendHistory(line)
	if l.history == nil {
		return
	}
	if err := l.history.add(line); err != nil {
		l.a.note("What is typed is no longer kept for the next time: %s", term.Safe(err.Error()))
		l.history = nil
	}
}

// close gives the terminal back.
func (l *lines) close() {
	l.closed.Do(func() {
		if l.edit == nil {
			return
		}
		if runtime.GOOS != "windows" {
			io.WriteString(os.Stdout, pasteOff)
		}
		if err := l.edit.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
			l.a.note("%s", term.Safe(err.Error()))
		}
	})
}
