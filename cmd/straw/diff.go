package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"straw/gguf"
	"straw/internal/compare"
	"straw/internal/term"
)

func (a *app) diffCommand() *cobra.Command {
	var o compare.Options
	var asJSON, exitCode bool
	cmd := &cobra.Command{
		Use: "diff A B",
		Long: `Compares keys, vocabulary, chat template and tensors of two models. Tensors of one shape are compared as numbers,
whatever their types: the root of the mean square of the differences (rms), that by the same of A's numbers
(relative), and the largest difference, the worst tensor first. How a file is divided into shards is no difference.
Exit status 0 whatever is found, unless --exit-code is given.`,
		Example: `  straw diff model-F16.gguf model-Q4_K_M.gguf
  straw diff old.gguf new.gguf --no-tensors --exit-code`,
		Args: args(2, 2, "A and B"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"gguf"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			o.Threads = physicalCores()
			r, err := a.diff(ctx, args[0], args[1], o, asJSON)
			if err == nil && exitCode && !r.Equal() {
				a.told = true
				return errFindings
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.NoTensors, "no-tensors", false, "compare names, shapes and types of tensors, and do not read them")
	f.BoolVar(&exitCode, "exit-code", false, "exit status 1 if anything differs")
	f.BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

func (a *app) diff(ctx context.Context, argA, argB string, o compare.Options, asJSON bool) (*compare.Report, error) {
	x, err := a.openWhole(ctx, argA, false)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	y, err := a.openWhole(ctx, argB, false)
	if err != nil {
		return nil, err
	}
	defer y.Close()
	line := term.NewProgress(a.err)
	begin := started()
	o.Progress = func(done, total int64) { line.Set("comparing: " + begin.progress(done, total, size)) }
	r, err := compare.Files(ctx, x.File, y.File, o)
	line.Clear()
	if err != nil {
		return nil, err
	}
	if asJSON {
		d, err := diffDocument(r)
		if err != nil {
			return nil, err
		}
		return r, a.json(d)
	}
	return r, a.diffText(r)
}

// Of long lists people see this much.
const tokensShown = 10

func (a *app) diffText(r *compare.Report) error {
	if r.Equal() {
		fmt.Fprintf(a.out, "No difference (%s compared).\n", plural(r.Same, "tensor"))
		return nil
	}
	width, color := term.Width(a.stdout), term.Color(a.stdout)
	if len(r.Keys) > 0 {
		fmt.Fprintf(a.out, "Metadata (%s)\n", plural(len(r.Keys), "difference"))
		rows := make([][]string, len(r.Keys))
		for i, k := range r.Keys {
			rows[i] = []string{k.Change.String(), k.Name, "", ""}
			for side, v := range []gguf.Value{k.A, k.B} {
				if k.Change == compare.Added && side == 0 || k.Change == compare.Removed && side == 1 {
					continue
				}
				text, err := valueText(v, false)
				if err != nil {
					return err
				}
				rows[i][2+side] = typeText(v) + " " + text
			}
			if k.Elements > 0 {
				rows[i][0] = fmt.Sprintf("%s of its elements, the first at %s", count(k.Elements), count(k.First))
			}
		}
		term.Table(a.out, width, color, []term.Column{{Title: "change", Wrap: true}, {Title: "key", Give: true, Keep: 32}, {Title: "A", Give: true}, {Title: "B", Give: true}}, rows)
		for _, k := range r.Keys {
			if k.Text != "" {
				fmt.Fprintf(a.out, "\n%s\n%s", term.Safe(k.Name), term.SafeText(k.Text))
			}
		}
		fmt.Fprintln(a.out)
	}
	if v := r.Vocabulary; v != nil {
		a.vocabularyText(v)
	}
	if len(r.Tensors) > 0 {
		fmt.Fprintf(a.out, "Tensors (%s, %s the same)\n", plural(len(r.Tensors), "difference"), count(r.Same))
		a.tensorsDiff(r.Tensors, width, color)
	}
	return nil
}

func (a *app) vocabularyText(v *compare.Vocabulary) {
	fmt.Fprintf(a.out, "Vocabulary: %s tokens, then %s; %s added, %s removed, %s moved\n", count(v.A), count(v.B), count(len(v.Added)), count(len(v.Removed)), count(len(v.Moved)))
	show := func(sign string, list []compare.Token) {
		for _, t := range list[:min(len(list), tokensShown)] {
			fmt.Fprintf(a.out, "%s %d %s\n", sign, t.ID, term.Safe(strconv.Quote(t.Text)))
		}
		if more := len(list) - tokensShown; more > 0 {
			fmt.Fprintf(a.out, "%s and %s more\n", sign, count(more))
		}
	}
	show("-", v.Removed)
	show("+", v.Added)
	for _, m := range v.Moved[:min(len(v.Moved), tokensShown)] {
		fmt.Fprintf(a.out, "%d -> %d %s\n", m.A, m.B, term.Safe(strconv.Quote(m.Text)))
	}
	fmt.Fprintln(a.out)
}

func (a *app) tensorsDiff(list []compare.Tensor, width int, color bool) {
	side := func(t *gguf.Tensor) string {
		if t == nil {
			return ""
		}
		return t.Type.String() + " " + dimsText(t.Dims)
	}
	rows := make([][]string, len(list))
	for i, t := range list {
		rows[i] = []string{t.Name, side(t.A), side(t.B), t.Change.String(), "", ""}
		if t.Error == nil {
			continue
		}
		if t.A.Type == t.B.Type {
			rows[i][2] = "same"
		} else {
			rows[i][2] = t.B.Type.String()
		}
		rows[i][3], rows[i][4], rows[i][5] = short3(t.Error.Relative), short3(t.Error.RMS), short3(t.Error.Max)
		if t.Error.NonFinite > 0 {
			rows[i][5] += fmt.Sprintf(", NaN or infinite: %s", count(t.Error.NonFinite))
		}
	}
	term.Table(a.out, width, color, []term.Column{{Title: "name", Give: true, Keep: 32}, {Title: "A"}, {Title: "B"}, {Title: "relative", Right: true}, {Title: "rms", Right: true}, {Title: "max", Right: true}}, rows)
}

// short3 writes a measured figure with three places.
func short3(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
