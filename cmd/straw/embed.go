package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"straw/engine"
	"straw/internal/session"
)

// poolings are the values of --pooling.
var poolings = map[string]engine.Pooling{
	"none": engine.PoolNone, "mean": engine.PoolMean, "cls": engine.PoolCLS, "last": engine.PoolLast,
}

func (a *app) embedCommand() *cobra.Command {
	var pooling string
	var asJSON, raw bool
	var e engineFlags
	cmd := &cobra.Command{
		Use: "embed FILE [TEXT...]",
		Long: `Writes the embedding of each TEXT, or of each line of standard input: a line of numbers a text, scaled
to a Euclidean length of 1. Models that do not pool have a line for each token. Rankers and classifiers
have scores instead, as they are.

With --json a line is {"n_embd": N, "tokens": N, "embedding": [...]}, or "embeddings", one for each token,
or "scores". Any model has embeddings; those that were made for them say how they pool.`,
		Example: `  straw embed bge-small.gguf "a brave mouse" "a timid lion"
  straw embed nomic-embed.gguf --json < texts.txt > vectors.jsonl
  straw embed llama.gguf --pooling mean "any model will do"`,
		Args:              args(1, -1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, ok := poolings[pooling]; !ok && pooling != "" {
				return usagef("--pooling %q: none, mean, cls or last", pooling)
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			m, err := a.load(ctx, args[0], &e)
			if err != nil {
				return err
			}
			defer m.close()
			w := embedWriter{w: a.out, m: m, json: asJSON, raw: raw, pooling: m.Arch.Output.Pooling}
			if pooling != "" {
				w.pooling = poolings[pooling]
			}
			n := 0
			err = texts(args[1:], a.in, func(text string) error {
				n++
				ids, err := m.Encode(session.Prompt{Text: text})
				if err != nil {
					return err
				}
				rows, err := m.Embed(ctx, ids, w.pooling)
				if err != nil {
					return err
				}
				return w.write(rows, len(ids))
			})
			if err != nil && n > 1 {
				err = fmt.Errorf("text %d: %w", n, err)
			}
			return about(m.label, err)
		},
	}
	f := cmd.Flags()
	f.StringVar(&pooling, "pooling", "", "`HOW` token rows become one: none, mean, cls (the first) or last\n(default what the file says)")
	f.BoolVar(&raw, "no-normalize", false, "the embeddings as the model makes them")
	f.BoolVar(&asJSON, "json", false, "one JSON object a text")
	e.add(f, "f32")
	return cmd
}

// texts calls each with the arguments, or with the lines of in if there are none.
func texts(args []string, in io.Reader, each func(text string) error) error {
	for _, text := range args {
		if err := each(text); err != nil {
			return err
		}
	}
	if len(args) > 0 {
		return nil
	}
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			if err := each(strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// embedWriter writes embeddings.
type embedWriter struct {
	w       io.Writer
	m       *model
	json    bool
	raw     bool
	pooling engine.Pooling
}

// write writes the rows of one text.
func (w *embedWriter) write(rows [][]float32, tokens int) error {
	o := &w.m.Arch.Output
	if !w.raw && !o.Scores {
		for _, row := range rows {
			session.Normalize(row)
		}
	}
	if w.json {
		return writeEmbeddingJSON(w.w, rows, embeddingName(w.pooling, o.Scores), tokens)
	}
	return writeLogitsText(w.w, rows)
}

// embeddingName is the key of a result in JSON.
func embeddingName(p engine.Pooling, scores bool) string {
	switch {
	case scores:
		return "scores"
	case p == engine.PoolNone:
		return "embeddings"
	}
	return "embedding"
}

// writeEmbeddingJSON writes {"n_embd": N, "tokens": N, NAME: [...]}, the only row, or a list of rows if NAME is
// "embeddings"; tokens are left out if there are 0.
func writeEmbeddingJSON(w io.Writer, rows [][]float32, name string, tokens int) error {
	b := strconv.AppendInt([]byte(`{"n_embd": `), int64(len(rows[0])), 10)
	if tokens > 0 {
		b = strconv.AppendInt(append(b, `, "tokens": `...), int64(tokens), 10)
	}
	b = append(append(append(b, `, "`...), name...), `": `...)
	list := name == "embeddings"
	if list {
		b = append(b, '[')
	}
	for i, row := range rows {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = appendFloats(b, row)
	}
	if list {
		b = append(b, ']')
	}
	_, err := w.Write(append(b, "}\n"...))
	return err
}
