package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"straw/gguf"
	"straw/internal/edit"
	"straw/internal/term"
)

const templateKey = "tokenizer.chat_template"

type editFlags struct {
	set, unset []string
	template   string
	out        string
	inPlace    bool
	asJSON     bool
}

// writtenJSON is a file that was written, and how many of its bytes were.
type writtenJSON struct {
	shardJSON
	Written int64 `json:"bytes_written"`
}

func (a *app) editCommand() *cobra.Command {
	var o editFlags
	cmd := &cobra.Command{
		Use: "edit FILE -o OUT",
		Long: `Sets and takes away keys. The changed file is written as OUT, which appears when it is whole; - is standard
output. With --in-place FILE itself is changed: where the new header fits the old one's room, only the bytes that
differ are written; the old header lies in FILE.header-backup meanwhile, and an edit that was cut off is undone by
the next one. Else a new file takes FILE's name when it is whole.

TYPE is u8, i8, u16, i16, u32, i32, u64, i64, f32, f64, bool or str, or one of them with [] for an array,
whose VALUE is JSON. A key that is there keeps its place, a new one comes last.`,
		Example: `  straw edit model.gguf -o new.gguf --set general.name=str:'My model' --unset general.url
  straw edit model.gguf --in-place --set tokenizer.ggml.eos_token_id=u32:128009
  straw edit model.gguf -o new.gguf --chat-template template.jinja
  straw edit model.gguf -o new.gguf --set 'general.tags=str[]:["chat", "small"]'`,
		Args:              args(1, 1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			changes, err := o.changes()
			switch {
			case err != nil:
				return err
			case len(changes) == 0:
				return usagef("no change is asked for: --set, --unset or --chat-template")
			case o.inPlace == (o.out != ""):
				return usagef("either -o OUT or --in-place is needed")
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			if o.inPlace {
				return a.editInPlace(ctx, args[0], changes, o.asJSON)
			}
			return a.edit(ctx, args[0], o.out, changes, o.asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.out, "output", "o", "", "write `OUT`")
	f.StringArrayVar(&o.set, "set", nil, "give a key a value, `KEY=TYPE:VALUE`; may be repeated")
	f.StringArrayVar(&o.unset, "unset", nil, "take `KEY` away; may be repeated, done before --set")
	f.StringVar(&o.template, "chat-template", "", "make the text of `FILE` the chat template")
	f.BoolVar(&o.inPlace, "in-place", false, "change FILE itself")
	f.BoolVar(&o.asJSON, "json", false, "one JSON object: the file, its size, how many bytes were written")
	return cmd
}

// changes are what the flags ask for.
func (o *editFlags) changes() ([]edit.Change, error) {
	var list []edit.Change
	for _, key := range o.unset {
		list = append(list, edit.Change{Key: key, Unset: true})
	}
	for _, s := range o.set {
		key, rest, ok := strings.Cut(s, "=")
		typ, text, typed := strings.Cut(rest, ":")
		if !ok || !typed || key == "" {
			return nil, usagef("--set %q: KEY=TYPE:VALUE is needed, as general.name=str:Mine", s)
		}
		v, err := edit.ParseValue(typ, text)
		if err != nil {
			return nil, usagef("--set %s: %s", key, err)
		}
		list = append(list, edit.Change{Key: key, Value: v})
	}
	if o.template != "" {
		b, err := os.ReadFile(o.template)
		if err != nil {
			return nil, err
		}
		v, _ := gguf.ValueOf(string(b))
		list = append(list, edit.Change{Key: templateKey, Value: v})
	}
	return list, nil
}

// edit writes the changed file under another name.
func (a *app) edit(ctx context.Context, arg, out string, changes []edit.Change, asJSON bool) error {
	in, err := a.openWhole(ctx, arg, false)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := a.canWrite(out, arg, in.File, asJSON); err != nil {
		return err
	}
	d, err := edit.Plan(in.File, changes)
	if err != nil {
		return about(in.label, err)
	}
	return a.writeDraft(ctx, out, d, asJSON)
}

// writeDraft writes a file that was planned, drawing how far it is.
func (a *app) writeDraft(ctx context.Context, out string, d *gguf.Draft, asJSON bool) error {
	bytes, err := d.Size()
	if err != nil {
		return err
	}
	if err := a.write(out, bytes, a.drawn(ctx, out, d, bytes)); err != nil {
		return err
	}
	if out == "-" {
		return nil
	}
	return a.written(out, d, bytes, bytes, asJSON, size(bytes))
}

// written tells of a file of size bytes that was written, in words unless as JSON.
func (a *app) written(name string, d *gguf.Draft, size, written int64, asJSON bool, how string) error {
	if asJSON {
		return a.json(writtenJSON{shardJSON{name, d.NTensors(), size}, written})
	}
	a.note("%s: %s", name, how)
	return nil
}

// drawn writes d and draws how far it is.
func (a *app) drawn(ctx context.Context, name string, d *gguf.Draft, bytes int64) func(w io.Writer) error {
	return func(w io.Writer) error {
		line := term.NewProgress(a.err)
		defer line.Clear()
		begin := started()
		return edit.Write(ctx, w, d, func(done int64) {
			line.Set(fmt.Sprintf("%s: %s", name, begin.progress(done, bytes, size)))
		})
	}
}
