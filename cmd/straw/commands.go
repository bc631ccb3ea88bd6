package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"straw/internal/session"
	"straw/internal/term"
	"straw/tokenizer"
)

// chatCommand is one of the commands of a conversation. They write to standard error: standard output is the answers'.
type chatCommand struct {
	name, argument, help string
	do                   func(t *talk, ctx context.Context, argument string) error
}

// errRetry asks for the last answer again.
var errRetry = errors.New("the answer is asked for again")

func chatCommands() []chatCommand {
	return []chatCommand{
		{"help", "", "tells what can be asked for", (*talk).help},
		{"new", "", "starts again, with the same system message", (*talk).restart},
		{"system", "[TEXT]", `the system message, "" for none; without TEXT shows it`, (*talk).system},
		{"retry", "", "lets the model answer once more", (*talk).retry},
		{"undo", "", "takes the last question and its answer back", (*talk).undo},
		{"set", "[NAME [VALUE]]", "sets a flag of straw run (temp, top-k, seed, n ...), or shows it", (*talk).set},
		{"show", "[template]", "settings, use of the context; or the chat template", (*talk).show},
		{"file", "PATH", "puts the text of a file before what is said next", (*talk).file},
		{"save", "FILE", "saves the conversation, as --session does", (*talk).save},
		{"load", "FILE", "goes on with a saved conversation", (*talk).load},
		{"quit", "", "leaves, as Ctrl-D does", func(*talk, context.Context, string) error { return io.EOF }},
	}
}

// command does what a line that begins with a slash asks for.
func (t *talk) command(ctx context.Context, line string) error {
	name, argument, _ := strings.Cut(line[1:], " ")
	if name == "exit" || name == "bye" {
		name = "quit"
	}
	var names []string
	for _, c := range chatCommands() {
		if names = append(names, "/"+c.name); c.name != name {
			continue
		}
		argument = strings.TrimSpace(argument)
		switch {
		case argument == "" && c.argument != "" && c.argument[0] != '[':
			return usagef("/%s: %s is missing", name, c.argument)
		case argument != "" && c.argument == "":
			return usagef("/%s takes nothing: unexpected %q", name, argument)
		}
		return c.do(t, ctx, argument)
	}
	return usagef("there is no /%s: %s; a line that begins with / is said with //", name, strings.Join(names, ", "))
}

func (t *talk) help(context.Context, string) error {
	for _, c := range chatCommands() {
		t.a.note("  %-21s %s", "/"+c.name+" "+c.argument, c.help)
	}
	t.a.note("\n" + `  A line is said when it ends. Text of several lines is pasted, or stands between """ and """, or has a \ at the
  end of each line but the last. // at the beginning says /.
  Tab completes, up and down bring back what was typed, Ctrl-R searches in it.
  Ctrl-C stops an answer, and a second one leaves.`)
	return nil
}

func (t *talk) restart(context.Context, string) error {
	t.turns, t.files = nil, nil
	return nil
}

func (t *talk) system(_ context.Context, text string) error {
	if text == "" {
		if t.g.system == "" {
			t.a.note("there is no system message")
		} else {
			t.a.note("%s", term.SafeText(t.g.system))
		}
		return nil
	}
	before := t.g.system
	t.g.system = unquoted(text)
	if _, err := t.m.Render(context.Background(), t.g.prompt(session.Message{Role: "user", Content: "Hello"})); err != nil {
		t.g.system = before
		return err
	}
	return nil
}

// retry gives the choices another seed: with the same one the answer would be the same.
func (t *talk) retry(context.Context, string) error {
	if t.question() < 0 {
		return usagef("/retry: nothing was asked yet")
	}
	if t.g.p.Temperature == 0 {
		t.a.note("At --temp 0 the answer is always the same.")
	}
	t.g.p.Seed++
	return errRetry
}

func (t *talk) undo(context.Context, string) error {
	i := t.question()
	if i < 0 {
		return usagef("/undo: nothing was asked yet")
	}
	t.a.note("taken back: %s", term.Safe(plainly(t.turns[i].Content)))
	t.turns = t.turns[:i:i]
	return nil
}

// settable is the names of the flags that may change between two answers.
func settable() []string {
	names := []string{"predict", "stop", "ignore-eog", "on-full", "speculate"}
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(samplingFlags).add(f)
	f.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

func (t *talk) set(_ context.Context, argument string) error {
	name, value, given := strings.Cut(strings.TrimLeft(argument, "-"), " ")
	if !given {
		name, value, given = strings.Cut(name, "=")
	}
	if name == "n" {
		name = "predict"
	}
	names := settable()
	if name != "" && !slices.Contains(names, name) {
		return usagef("/set: there is no --%s to set: %s", name, strings.Join(names, ", "))
	}
	if !given {
		for _, n := range names {
			if f := t.g.flags.Lookup(n); name == n || name == "" {
				t.a.note("  %-20s %s", f.Name, term.Safe(f.Value.String()))
			}
		}
		return nil
	}
	return t.change(t.g.flags.Lookup(name), unquoted(strings.TrimSpace(value)))
}

// change sets a flag; after an error it is as it was.
func (t *talk) change(f *pflag.Flag, value string) error {
	before, changed, grammar := f.Value.String(), f.Changed, t.g.grammar
	undo := func() { f.Value.Set(before) }
	var err error
	if list, ok := f.Value.(pflag.SliceValue); ok {
		old := list.GetSlice()
		undo = func() { list.Replace(old) }
		var items []string
		if value != "" {
			items = []string{value}
		}
		err = list.Replace(items)
		f.Changed = true
	} else {
		err = t.g.flags.Set(f.Name, value)
	}
	if err == nil {
		err = t.g.check(t.g.flags)
	}
	if err == nil && (f.Name == "grammar" || f.Name == "json-schema") {
		t.g.grammar = nil
		err = t.g.samplingFlags.read(t.a)
	}
	if err != nil {
		undo()
		f.Changed, t.g.grammar = changed, grammar
		return firstError(t.g.check(t.g.flags), usagef("/set: %s", err))
	}
	return nil
}

func (t *talk) show(_ context.Context, what string) error {
	template, err := t.m.ChatTemplate()
	if err != nil {
		return err
	}
	switch what {
	case "template":
		t.a.note("%s", term.SafeText(template))
		return nil
	case "":
	default:
		return usagef("/show %s: template, or nothing for the settings", what)
	}
	row := func(name, text string) { t.a.note("  %-10s %s", name, term.Safe(text)) }
	row("model", fmt.Sprintf("%s, %s, %s", title(t.m), t.m.Arch.Name, size(t.m.Size)))
	row("context", fmt.Sprintf("%s of %s tokens", count(t.m.Used()), count(t.m.Context)))
	row("turns", strconv.Itoa(len(t.turns)))
	row("template", count(len(template))+" bytes; /show template prints it")
	if t.g.system != "" {
		row("system", t.g.system)
	}
	for _, tool := range t.g.tools {
		row("tool", tool.Name)
	}
	if len(t.files) > 0 {
		row("files", plural(len(t.files), "file")+" before what is said next")
	}
	var settings []string
	for _, name := range settable() {
		if f := t.g.flags.Lookup(name); f.Changed || slices.Contains([]string{"temp", "top-k", "top-p", "min-p"}, name) {
			settings = append(settings, name+" "+f.Value.String())
		}
	}
	if !t.g.flags.Changed("seed") {
		settings = append(settings, fmt.Sprintf("seed %d", t.g.p.Seed))
	}
	row("settings", strings.Join(settings, " · "))
	return nil
}

func (t *talk) file(_ context.Context, path string) error {
	path = expanded(path)
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !utf8.Valid(b) {
		return usagef("/file %s: it is no text in UTF-8", path)
	}
	tok, err := t.m.Tokenizer()
	if err != nil {
		return err
	}
	text := filepath.Base(path) + ":\n```\n" + strings.TrimSuffix(string(b), "\n") + "\n```"
	n := 0
	for _, s := range append(slices.Clone(t.files), text) {
		n += len(tok.Encode(s, tokenizer.Options{}))
	}
	if n >= t.m.Context {
		return usagef("/file %s: with it what is said next has %s tokens, the context %s: ask for a larger one (--ctx)", path, count(n), count(t.m.Context))
	}
	t.files = append(t.files, text)
	t.a.note("%s: %s tokens go before what is said next", term.Safe(path), count(n))
	return nil
}

func (t *talk) save(ctx context.Context, path string) error {
	path = expanded(path)
	if err := t.g.writeSession(ctx, t.m, path, t.saved()); err != nil {
		return err
	}
	t.a.note("saved: %s", plural(len(t.turns), "turn"))
	return nil
}

func (t *talk) load(_ context.Context, path string) error {
	path = expanded(path)
	if _, err := os.Stat(path); err != nil {
		return err
	}
	s, err := t.g.readSession(t.m, path, false)
	if err != nil {
		return err
	}
	t.g.system, t.turns, t.files = s.System, s.Messages, nil
	t.a.note("loaded: %s", plural(len(t.turns), "turn"))
	if i := t.question(); i >= 0 {
		t.a.note("the last question: %s", term.Safe(plainly(t.turns[i].Content)))
	}
	return nil
}

// completions are the lines that a line may become.
func (t *talk) completions(line string) (list []string) {
	add := func(s string) {
		if strings.HasPrefix(s, line) {
			list = append(list, s)
		}
	}
	name, argument, is := strings.Cut(line, " ")
	switch {
	case !strings.HasPrefix(line, "/"):
	case !is:
		for _, c := range chatCommands() {
			if c.argument == "" {
				add("/" + c.name)
			} else {
				add("/" + c.name + " ")
			}
		}
	case name == "/set":
		for _, n := range settable() {
			add("/set " + n + " ")
		}
	case name == "/show":
		add("/show template")
	case name == "/file", name == "/save", name == "/load":
		found, _ := filepath.Glob(expanded(argument) + "*")
		for _, f := range found {
			if info, err := os.Stat(f); err == nil && info.IsDir() {
				f += string(filepath.Separator)
			}
			list = append(list, name+" "+f)
		}
	}
	return list
}

// unquoted takes the quotes off a text that has them.
func unquoted(s string) string {
	if u, err := strconv.Unquote(s); err == nil && s[0] == '"' {
		return u
	}
	return s
}

// expanded is a path as a shell would take it: without quotes, ~ the home folder.
func expanded(path string) string {
	path = unquoted(path)
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return path
}
