package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"straw/internal/session"
)

func (a *app) logitsCommand() *cobra.Command {
	var list, raw string
	var asJSON, all bool
	var e engineFlags
	cmd := &cobra.Command{
		Use: "logits FILE --tokens \"1 2 3\"",
		Long: `Feeds the tokens to the model and writes the logits after the last one, or after every one (--all):
a line of numbers a position, each the shortest decimal that is the same float32. Of a model that makes
embeddings it is these, pooled or one a token as the model has them and not scaled; of one with encoder and
decoder, the logits of the decoder's first step.`,
		Example: `  straw logits model.gguf --tokens "1 2 3" --json
  straw logits model.gguf --tokens "$(straw tokenize model.gguf < text | cut -f1)" --all --raw logits.f32`,
		Args:              args(1, 1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := parseIDs([]string{list})
			if err != nil {
				return err
			}
			if len(ids) == 0 {
				return usagef("no tokens: give their ids with --tokens \"1 2 3\"")
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			if e.ctx == 0 && len(ids) > session.DefaultContext {
				e.ctx = len(ids)
			}
			m, err := a.load(ctx, args[0], &e)
			if err != nil {
				return err
			}
			defer m.close()
			o := &m.Arch.Output
			var rows [][]float32
			if o.None {
				rows, err = m.Embed(ctx, ids, o.Pooling)
			} else {
				rows, err = m.Logits(ctx, ids, all)
			}
			if err != nil {
				return about(m.label, err)
			}
			if raw != "" {
				if err := a.writeRaw(raw, rows); err != nil || !asJSON {
					return err
				}
			}
			if asJSON && o.None {
				return writeEmbeddingJSON(a.out, rows, embeddingName(o.Pooling, false), 0)
			}
			if asJSON {
				return writeLogitsJSON(a.out, rows, all)
			}
			return writeLogitsText(a.out, rows)
		},
	}
	f := cmd.Flags()
	f.StringVar(&list, "tokens", "", "token `IDS`, separated by blanks or commas")
	f.BoolVar(&all, "all", false, "logits of every position, not the last alone")
	f.BoolVar(&asJSON, "json", false, "one JSON object")
	f.StringVar(&raw, "raw", "", "write little-endian float32 to the file `OUT` (- is standard output)")
	e.add(f, "f32")
	return cmd
}

// parseIDs reads token ids separated by blanks, commas or brackets' worth of JSON.
func parseIDs(args []string) ([]int, error) {
	var ids []int
	for _, arg := range args {
		for _, word := range strings.FieldsFunc(arg, func(r rune) bool { return strings.ContainsRune(" \t\r\n,[]", r) }) {
			id, err := strconv.Atoi(word)
			if err != nil {
				return nil, usagef("token id %q is no number: give ids as in \"1 2 3\"", word)
			}
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (a *app) writeRaw(name string, rows [][]float32) error {
	if name == "-" {
		return writeFloats(a.out, rows)
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	err = writeFloats(w, rows)
	if ferr := w.Flush(); err == nil {
		err = ferr
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

func writeFloats(w io.Writer, rows [][]float32) error {
	var b []byte
	for _, row := range rows {
		b = b[:0]
		for _, v := range row {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// writeLogitsText writes a line a position.
func writeLogitsText(w io.Writer, rows [][]float32) error {
	var b []byte
	for _, row := range rows {
		b = b[:0]
		for i, v := range row {
			if i > 0 {
				b = append(b, ' ')
			}
			b = strconv.AppendFloat(b, float64(v), 'g', -1, 32)
		}
		if _, err := w.Write(append(b, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// writeLogitsJSON writes {"n_vocab": N, "logits": [...]}, a list a position with all.
func writeLogitsJSON(w io.Writer, rows [][]float32, all bool) error {
	b := []byte(`{"n_vocab": `)
	b = strconv.AppendInt(b, int64(len(rows[0])), 10)
	b = append(b, `, "logits": `...)
	if all {
		b = append(b, '[')
	}
	for i, row := range rows {
		if i > 0 {
			b = append(b, ",\n"...)
		}
		b = appendFloats(b, row)
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	if all {
		b = append(b, ']')
	}
	_, err := w.Write(append(b, "}\n"...))
	return err
}
