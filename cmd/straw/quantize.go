package main

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"straw/internal/quantize"
	"straw/internal/term"
	"straw/quant"
)

func (a *app) quantizeCommand() *cobra.Command {
	var asJSON, dryRun bool
	var o quantize.Options
	var output, embedding string
	cmd := &cobra.Command{
		Use: "quantize IN OUT TYPE",
		Long: `Writes the model IN as the file OUT, its matrices in the types of the mix TYPE, tensor by tensor: memory for
a few pieces of one is enough. OUT appears when it is complete; - is standard output. A set of shards becomes
one file.

TYPE is one of
  ` + mixNames() + `
The mixes give each tensor the type that llama-quantize gives it, and sizes are the same.`,
		Example: `  straw quantize model-F16.gguf model-Q4_K_M.gguf Q4_K_M
  straw quantize model-F16.gguf - Q8_0 --dry-run`,
		Args:              args(3, 3, "IN, OUT and TYPE"),
		ValidArgsFunction: completeQuantize,
		RunE: func(cmd *cobra.Command, args []string) error {
			var ok bool
			if o.Mix, ok = quantize.ParseMix(args[2]); !ok {
				return usagef("TYPE %q: one of %s", args[2], strings.ReplaceAll(mixNames(), "\n", ""))
			}
			for _, x := range []struct {
				flag, name string
				to         *quant.Type
			}{{"--output-type", output, &o.Output}, {"--embedding-type", embedding, &o.Embedding}} {
				if x.name == "" {
					continue
				}
				if *x.to, ok = quant.ParseType(strings.ToUpper(x.name)); !ok || !x.to.Quantizable() || *x.to == quant.F32 {
					return usagef("%s %q: a type as Q6_K, Q8_0 or F16", x.flag, x.name)
				}
			}
			if o.Threads < 0 {
				return usagef("--threads %d: a positive number is needed", o.Threads)
			}
			if o.Threads == 0 {
				o.Threads = physicalCores()
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return a.quantize(ctx, args[0], args[1], o, dryRun, asJSON)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&dryRun, "dry-run", false, "write nothing; list what becomes of each tensor")
	f.BoolVar(&o.Requantize, "allow-requantize", false, "take a file that is quantized already; the losses add up")
	f.BoolVar(&o.Pure, "pure", false, "all matrices in the same type")
	f.StringVar(&output, "output-type", "", "`TYPE` of the output matrix")
	f.StringVar(&embedding, "embedding-type", "", "`TYPE` of the token embedding")
	f.IntVar(&o.Threads, "threads", 0, "`N` threads compute (default physical cores)")
	f.BoolVar(&asJSON, "json", false, "one JSON object at the end: sizes, and each tensor's types")
	return cmd
}

// mixNames are the names of the mixes in lines.
func mixNames() string {
	var b strings.Builder
	for i, m := range quantize.Mixes {
		switch {
		case i > 0 && i%9 == 0:
			b.WriteString(",\n  ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(m.Name)
	}
	return b.String()
}

func completeQuantize(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	switch len(args) {
	case 0, 1:
		return []string{"gguf"}, cobra.ShellCompDirectiveFilterFileExt
	case 2:
		var names []string
		for _, m := range quantize.Mixes {
			names = append(names, m.Name)
		}
		return names, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func (a *app) quantize(ctx context.Context, in, out string, o quantize.Options, dryRun, asJSON bool) error {
	f, err := a.openWhole(ctx, in, false)
	if err != nil {
		return err
	}
	defer f.Close()
	if !dryRun {
		if err := a.canWrite(out, in, f.File, asJSON); err != nil {
			return err
		}
	}
	line, begin := term.NewProgress(a.err), started()
	defer line.Clear()
	o.Progress = func(done, total int64) { line.Set(o.Mix.Name + ": " + begin.progress(done, total, size)) }
	job, err := quantize.Plan(f.File, o)
	if err != nil {
		return about(f.label, err)
	}
	bytes, err := job.Size()
	if err != nil {
		return about(f.label, err)
	}
	if !dryRun {
		err = a.write(out, bytes, func(w io.Writer) error { return job.Write(ctx, w) })
	}
	line.Clear()
	if err != nil {
		return err
	}
	if asJSON {
		return a.quantizedJSON(f, job, o.Mix, bytes)
	}
	if dryRun {
		a.quantizedTable(job)
	}
	a.quantizedNote(f, job, bytes)
	return nil
}

// quantizedNote says what the conversion did to the size, and where rows did not fit.
func (a *app) quantizedNote(f input, job *quantize.Job, bytes int64) {
	fallbacks := 0
	var tensors int64
	for _, c := range job.Changes {
		tensors += c.Bytes
		if c.To != c.Wanted {
			fallbacks++
		}
	}
	bits := float64(tensors) * 8 / float64(max(f.Parameters(), 1))
	a.note("%s -> %s, %.2f bits a weight instead of %.2f", size(f.Size), size(bytes), bits, f.BitsPerWeight())
	if fallbacks > 0 {
		a.note("%s in a type of smaller blocks, which their rows fit: --dry-run lists them", plural(fallbacks, "tensor"))
	}
}

func (a *app) quantizedTable(job *quantize.Job) {
	columns := []term.Column{{Title: "tensor", Give: true}, {Title: "dims"}, {Title: "from"}, {Title: "to"}, {Title: "size", Right: true}, {Title: "note"}}
	var rows [][]string
	for _, c := range job.Changes {
		note := ""
		if c.To != c.Wanted {
			note = "rows do not fit " + c.Wanted.String()
		}
		rows = append(rows, []string{c.Tensor.Name, dimsText(c.Tensor.Dims), c.Tensor.Type.String(), c.To.String(), size(c.Bytes), note})
	}
	term.Table(a.out, term.Width(a.stdout), term.Color(a.stdout), columns, rows)
}

func (a *app) quantizedJSON(f input, job *quantize.Job, mix quantize.Mix, bytes int64) error {
	type change struct {
		Name   string `json:"name"`
		From   string `json:"from"`
		To     string `json:"to"`
		Wanted string `json:"wanted,omitempty"`
		Bytes  int64  `json:"nbytes"`
	}
	var changes []change
	for _, c := range job.Changes {
		x := change{Name: c.Tensor.Name, From: c.Tensor.Type.String(), To: c.To.String(), Bytes: c.Bytes}
		if c.To != c.Wanted {
			x.Wanted = c.Wanted.String()
		}
		changes = append(changes, x)
	}
	return a.json(struct {
		Type    string   `json:"type"`
		InSize  int64    `json:"in_size"`
		OutSize int64    `json:"out_size"`
		Tensors []change `json:"tensors"`
	}{mix.Name, f.Size, bytes, changes})
}
