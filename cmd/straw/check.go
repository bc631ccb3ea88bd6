package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"straw/gguf"
	"straw/internal/doctor"
	"straw/internal/inspect"
	"straw/internal/term"
)

func (a *app) checkCommand() *cobra.Command {
	var asJSON, asSARIF bool
	cmd := &cobra.Command{
		Use: "check FILE...",
		Long: `Lists what is wrong (error), what programs disagree about or will not do (warning) and what is worth
knowing (note), each with the id of its rule. Of a file whose header is whole the tokenizer and the chat
template are tried out too. Exit status 1 if there is an error.

Of a folder all *.gguf files in it and below are checked; a set of shards is checked once. With several files
--json writes a line for each, and --sarif one log of all.`,
		Example: `  straw check model.gguf
  straw check --json models/ > findings.jsonl
  straw check --sarif *.gguf > straw.sarif`,
		Args:              args(1, -1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && asSARIF {
				return usagef("--json and --sarif exclude each other")
			}
			files, err := modelFiles(args)
			if err != nil {
				return err
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			c := checker{app: a, asJSON: asJSON, asSARIF: asSARIF, several: len(files) > 1 || files[0] != args[0]}
			return c.run(ctx, files)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "one JSON object: {\"findings\": [...]}; of several files one a line, with \"file\"")
	f.BoolVar(&asSARIF, "sarif", false, "SARIF 2.1.0, for code scanning")
	return cmd
}

// checker checks files one after the other.
type checker struct {
	*app
	asJSON, asSARIF bool
	several         bool

	results []checkedFile // for SARIF, which is one document
}

// checkedFile is what was found in a file.
type checkedFile struct {
	arg      string
	findings []gguf.Finding
	err      error // the file could not be opened, or is damaged
}

// run reports each file as soon as it is checked. Of one file the error is returned; of several each is told at once, and
// the last is returned so that the status is 1.
func (c *checker) run(ctx context.Context, files []string) error {
	var failed error
	for _, arg := range files {
		r := c.examine(ctx, arg)
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := c.report(r); err != nil {
			return err
		}
		switch {
		case r.err != nil && c.several:
			c.out.Flush()
			c.note("straw: %s", term.Safe(r.err.Error()))
			failed = errFindings
		case r.err != nil:
			failed = r.err
		case hasErrors(r.findings):
			failed = errFindings
		}
	}
	if c.asSARIF && len(c.results) > 0 {
		if err := c.json(sarif(c.results)); err != nil {
			return err
		}
	}
	return failed
}

func (c *checker) examine(ctx context.Context, arg string) checkedFile {
	r := checkedFile{arg: arg}
	in, err := c.open(ctx, arg, false)
	if r.err = err; in.File == nil {
		return r
	}
	defer in.Close()
	r.findings = in.Findings
	if err == nil {
		var more []gguf.Finding
		more, err = doctor.Examine(ctx, in.File)
		r.findings, r.err = slices.Concat(r.findings, more), about(in.label, err)
	}
	return r
}

func (c *checker) report(r checkedFile) error {
	opened := r.err == nil || len(r.findings) > 0
	switch {
	case c.asJSON && (c.several || opened):
		c.told = true
		d := checkDocument(r.findings, r.err)
		if c.several {
			d.File = r.arg
		}
		return c.json(d)
	case c.asSARIF:
		if opened || c.several {
			c.results = append(c.results, r)
		}
	case c.several:
		fmt.Fprintf(c.out, "%s\n", term.Safe(r.arg))
		if opened {
			c.app.findings(r.findings)
		}
		fmt.Fprintln(c.out)
	case opened:
		c.app.findings(r.findings)
	}
	return nil
}

func hasErrors(list []gguf.Finding) bool {
	for _, f := range list {
		if f.Severity == gguf.SeverityError {
			return true
		}
	}
	return false
}

// findings writes the list for people.
func (a *app) findings(list []gguf.Finding) {
	if len(list) == 0 {
		fmt.Fprintln(a.out, "No findings.")
		return
	}
	rows := make([][]string, len(list))
	for i, f := range list {
		rows[i] = []string{f.Severity.String(), f.Rule, f.Subject, f.Message}
	}
	term.Table(a.out, term.Width(a.stdout), term.Color(a.stdout),
		[]term.Column{{Title: "severity"}, {Title: "rule"}, {Title: "subject", Give: true}, {Title: "message", Wrap: true}}, rows)
}

type finding struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Subject  bytes  `json:"subject"`
	Message  string `json:"message"`
}

type checked struct {
	File     string           `json:"file,omitempty"`
	Findings []finding        `json:"findings"`
	Error    *inspect.Failure `json:"error,omitempty"`
}

func checkDocument(list []gguf.Finding, err error) checked {
	d := checked{Findings: make([]finding, len(list))}
	for i, f := range list {
		d.Findings[i] = finding{f.Rule, f.Severity.String(), bytes(f.Subject), f.Message}
	}
	if err != nil {
		f := inspect.FailureOf(err)
		d.Error = &f
	}
	return d
}
