package main

import (
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
		Use:   "check FILE",
		Short: "What is wrong or odd about a file; exit 1 on an error",
		Long: `Lists what is wrong (error), what programs disagree about or will not do (warning) and what is worth
knowing (note), each with the id of its rule. Of a file whose header is whole the tokenizer and the chat
template are tried out too. Exit status 1 if there is an error.`,
		Example:           "  straw check model.gguf\n  straw check --sarif model.gguf > straw.sarif",
		Args:              args(1, 1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if asJSON && asSARIF {
				return usagef("--json and --sarif exclude each other")
			}
			in, err := a.open(cmd.Context(), args[0], false)
			if in.File == nil {
				return err
			}
			defer in.Close()
			found := in.Findings
			if err == nil {
				var more []gguf.Finding
				more, err = doctor.Examine(cmd.Context(), in.File)
				found, err = slices.Concat(found, more), about(in.label, err)
			}
			switch {
			case asJSON:
				a.told = true
				if jerr := a.json(checkDocument(found, err)); jerr != nil {
					return jerr
				}
			case asSARIF:
				if jerr := a.json(sarif(args[0], found)); jerr != nil {
					return jerr
				}
			default:
				a.findings(found)
			}
			if err == nil && hasErrors(found) {
				return errFindings
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "one JSON object: {\"findings\": [...]}")
	f.BoolVar(&asSARIF, "sarif", false, "SARIF 2.1.0, for code scanning")
	return cmd
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
