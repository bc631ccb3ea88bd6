package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/pflag"

	"straw/internal/session"
	"straw/tokenizer"
)

// timelineFlags are about the tokens that a model has before it: where they are kept, what happens when there are too
// many, and whether their successors are guessed.
type timelineFlags struct {
	file              string // "": kept nowhere
	onFull, speculate string

	policy session.FullPolicy
	guess  session.Speculation
}

func (t *timelineFlags) add(f *pflag.FlagSet) {
	f.StringVar(&t.file, "session", "", "go on from the session in `FILE`, if it is there, and save it there at the end")
	f.StringVar(&t.onFull, "on-full", "stop", "when the context is full: `stop`, or shift: leave the oldest turns (with --raw\nthe oldest half) out, keep the system message and go on")
	f.StringVar(&t.speculate, "speculate", "", "guess tokens from the text so far and try several in one pass, which changes no\ntoken: `ngram` or off (default ngram where weights are streamed)")
}

func (t *timelineFlags) check() error {
	switch t.onFull {
	case "stop":
		t.policy = session.FullStop
	case "shift":
		t.policy = session.FullShift
	default:
		return usagef("--on-full %q: stop or shift", t.onFull)
	}
	switch t.speculate {
	case "":
		t.guess = session.SpeculateAuto
	case "off":
		t.guess = session.SpeculateOff
	case "ngram":
		t.guess = session.SpeculateNGram
	default:
		return usagef("--speculate %q: ngram or off", t.speculate)
	}
	if info, err := os.Stat(t.file); t.file != "" && err == nil && info.IsDir() {
		return usagef("--session %s: it is a folder; give the name of a file", t.file)
	}
	return nil
}

func (t *timelineFlags) into(p *session.Params) { p.OnFull, p.Speculate = t.policy, t.guess }

// saved is the note in a session file: a conversation, or the tokens of a text continued as it is.
type saved struct {
	System   string            `json:"system,omitempty"`
	Messages []session.Message `json:"messages,omitempty"`
	IDs      []int             `json:"ids,omitempty"`
}

// restore reads the session file, if one is asked for and there. raw: a text is to be continued.
func (t *timelineFlags) restore(m *model, raw bool) (s saved, err error) {
	if t.file == "" {
		return s, nil
	}
	s, err = t.readSession(m, t.file, raw)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	return s, err
}

// readSession reads a session file into the model.
func (*timelineFlags) readSession(m *model, file string, raw bool) (s saved, err error) {
	f, err := os.Open(file)
	if err != nil {
		return s, err
	}
	defer f.Close()
	note, err := m.Restore(bufio.NewReaderSize(f, 1<<20))
	if err == nil {
		err = json.Unmarshal(note, &s)
	}
	switch {
	case err != nil:
		return s, fmt.Errorf("%s: %w", file, err)
	case raw && len(s.Messages) > 0:
		return s, usagef("%s: it is a conversation, which --raw cannot continue", file)
	case !raw && len(s.IDs) > 0:
		return s, usagef("%s: it is a text without the chat template: only --raw can continue it", file)
	}
	return s, nil
}

// save writes the session file, if one is asked for.
func (t *timelineFlags) save(ctx context.Context, m *model, s saved) error {
	if t.file == "" {
		return nil
	}
	return t.writeSession(ctx, m, t.file, s)
}

// writeSession writes a session file.
func (*timelineFlags) writeSession(ctx context.Context, m *model, file string, s saved) error {
	note, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return writeFile(file, m.SavedBytes(len(note)), func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<20)
		return firstError(m.Save(ctx, b, note), b.Flush())
	})
}

// continued is the tokens of a text that goes on where a saved one ended.
func continued(m *model, s saved, text string) ([]int, error) {
	if len(s.IDs) == 0 {
		return m.Encode(session.Prompt{Text: text})
	}
	tok, err := m.Tokenizer()
	if err != nil {
		return nil, err
	}
	return append(s.IDs, tok.Encode(text, tokenizer.Options{ParseSpecial: true})...), nil
}
