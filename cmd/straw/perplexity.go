package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"straw/internal/session"
	"straw/internal/term"
)

func (a *app) perplexityCommand() *cobra.Command {
	var asJSON bool
	var score string
	var e engineFlags
	cmd := &cobra.Command{
		Use: "perplexity FILE TEXT",
		Long: `How surprised the model is by a text file (- is standard input): the exponential of the mean negative
log likelihood of a token. The text is cut into pieces of --ctx less one tokens, each with BOS before it
where the model adds one.`,
		Example: `  straw perplexity model.gguf wiki.test.raw
  straw perplexity model.gguf book.txt --ctx 2048 --score all --json`,
		Args:              args(2, 2, "FILE and TEXT"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if score != "all" && score != "half" {
				return usagef("--score %q: all (every token of a piece) or half (the second half of each)", score)
			}
			text, err := a.readText(args[1])
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			m, err := a.load(ctx, args[0], &e)
			if err != nil {
				return err
			}
			defer m.close()
			line, begin := term.NewProgress(a.err), started()
			defer line.Clear()
			p, err := m.MeasurePerplexity(ctx, text, score == "half", func(done, of int, p session.Perplexity) {
				n := int64(p.Tokens)
				line.Set(fmt.Sprintf("perplexity %.4f: %s", p.Value, begin.progress(min(int64(done)*int64(p.PieceLen), n), n, tokensText)))
			})
			line.Clear()
			if err != nil {
				return about(m.label, err)
			}
			if asJSON {
				return a.json(struct {
					Perplexity float64 `json:"perplexity"`
					Error      float64 `json:"standard_error"`
					NLL        float64 `json:"mean_nll"`
					Tokens     int     `json:"tokens"`
					Scored     int     `json:"scored"`
					Pieces     int     `json:"pieces"`
					Context    int     `json:"ctx"`
					Score      string  `json:"score"`
				}{p.Value, p.Error, p.NLL, p.Tokens, p.Scored, p.Pieces, m.Context, score})
			}
			fmt.Fprintf(a.out, "perplexity %.4f ± %.4f\n", p.Value, p.Error)
			a.note("%s of %s tokens scored, in %s pieces of up to %s", count(p.Scored), count(p.Tokens), count(p.Pieces), count(p.PieceLen))
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&score, "score", "half", "`WHICH` tokens of a piece count: all, or half (the second half)")
	f.BoolVar(&asJSON, "json", false, "one JSON object")
	e.add(f, "f16")
	ctx := f.Lookup("ctx")
	ctx.DefValue, ctx.Usage = "512", "context of `N` tokens"
	e.ctx = 512
	return cmd
}

// tokensText writes a number of tokens.
func tokensText(n int64) string { return count(n) + " tokens" }

// readText reads a file, or standard input for "-".
func (a *app) readText(name string) (string, error) {
	if name == "-" {
		b, err := io.ReadAll(a.in)
		if err != nil {
			return "", fmt.Errorf("standard input: %w", err)
		}
		return string(b), nil
	}
	b, err := os.ReadFile(name)
	return string(b), err
}
