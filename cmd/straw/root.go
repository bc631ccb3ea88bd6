package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// root is the whole command line. Where the first argument is the name of a command, the others are left out: making
// their flags is half of what a short command costs.
func (a *app) root(first string) *cobra.Command {
	root := &cobra.Command{
		Use:   "straw",
		Short: "Looks into GGUF files and runs the models in them",
		Long: `Straw looks into GGUF files and runs the models in them, with the weights left where they are.

FILE is a path, any shard of a split model, the name of a pulled model (hf:OWNER/REPO), or an http(s)://
URL whose server honours Range (only the bytes needed are fetched). Where FILE may be left out, the small
demo model that is built in is used.
Results go to standard output and nothing else does. Exit status: 0 done, 1 the input is bad, 2 wrong usage.`,
		Example: `  straw inspect model.gguf
  straw run -p "Tell me a story about a brave mouse."
  straw serve`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,

		SuggestionsMinimumDistance: 2,
		PersistentPreRun: func(cmd *cobra.Command, args []string) {
			a.started = true
			if f := cmd.Flags().Lookup("json"); f != nil {
				a.asJSON = f.Value.String() == "true"
			}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cmd.Help()
			}
			a.started = false
			return unknown(cmd, args[0])
		},
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetContext(context.Background())
	cobra.EnableCommandSorting = false
	root.SetUsageTemplate(usageTemplate)
	root.AddGroup(&cobra.Group{ID: "look", Title: "Look into a file:"}, &cobra.Group{ID: "text", Title: "Text and tokens:"},
		&cobra.Group{ID: "run", Title: "Run a model:"}, &cobra.Group{ID: "write", Title: "Write a file:"},
		&cobra.Group{ID: "fetch", Title: "Fetch models:"})
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "help"})
	for _, c := range a.commands(first) {
		c.Flags().SortFlags = false
		c.DisableFlagsInUseLine = true
		root.AddCommand(c)
	}
	return root
}

// commands makes the command of that name, or all where there is none.
func (a *app) commands(name string) []*cobra.Command {
	type entry struct {
		group, name string
		make        func() *cobra.Command
	}
	all := []entry{
		{"look", "inspect", a.inspectCommand},
		{"look", "check", a.checkCommand},
		{"look", "tensor", a.tensorCommand},
		{"look", "hash", a.hashCommand},
		{"look", "diff", a.diffCommand},
		{"text", "tokenize", a.tokenizeCommand},
		{"text", "detokenize", a.detokenizeCommand},
		{"text", "template", a.templateCommand},
		{"run", "run", a.runCommand},
		{"run", "logits", a.logitsCommand},
		{"run", "embed", a.embedCommand},
		{"run", "perplexity", a.perplexityCommand},
		{"run", "bench", a.benchCommand},
		{"run", "serve", a.serveCommand},
		{"write", "edit", a.editCommand},
		{"write", "split", a.splitCommand},
		{"write", "merge", a.mergeCommand},
		{"write", "quantize", a.quantizeCommand},
		{"fetch", "pull", a.pullCommand},
		{"fetch", "list", a.listCommand},
		{"fetch", "rm", a.rmCommand},
		{"", "completion", a.completionCommand},
		{"", "version", a.versionCommand},
		{"", "man", a.manCommand},
	}
	if i := slices.IndexFunc(all, func(c entry) bool { return c.name == name }); i >= 0 {
		all = all[i : i+1]
	}
	var made []*cobra.Command
	for _, c := range all {
		cmd := c.make()
		cmd.GroupID = c.group
		made = append(made, cmd)
	}
	return made
}

// unknown is the error for a command that is none.
func unknown(cmd *cobra.Command, name string) error {
	if strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://") {
		return fmt.Errorf("unknown command %q: to look into it, straw inspect URL", name)
	}
	if _, err := os.Stat(name); err == nil {
		return fmt.Errorf("unknown command %q: to look into the file, straw inspect %s", name, name)
	}
	if s := cmd.SuggestionsFor(name); len(s) > 0 {
		return fmt.Errorf("unknown command %q: perhaps %s", name, strings.Join(s, " or "))
	}
	return fmt.Errorf("unknown command %q", name)
}

// args checks the number of arguments; most 0 or more beyond least, -1 for any number.
func args(least, most int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, got []string) error {
		switch {
		case len(got) < least && least == 1:
			return fmt.Errorf("%s is missing: straw %s", want, cmd.Use)
		case len(got) < least:
			return fmt.Errorf("%d arguments (%s) are needed, %d given: straw %s", least, want, len(got), cmd.Use)
		case most >= 0 && len(got) > most:
			return fmt.Errorf("unexpected argument %q: straw %s", got[most], cmd.Use)
		}
		return nil
	}
}

// ggufFiles completes FILE.
func ggufFiles(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return []string{"gguf"}, cobra.ShellCompDirectiveFilterFileExt
	}
	return nil, cobra.ShellCompDirectiveDefault
}

const usageTemplate = `Usage:
  {{if .Runnable}}{{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}{{end}}{{if .HasExample}}

Examples:
{{.Example}}{{end}}{{if .HasAvailableSubCommands}}{{$cmds := .Commands}}{{range $group := .Groups}}

{{.Title}}{{range $cmds}}{{if (and (eq .GroupID $group.ID) .IsAvailableCommand)}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}

Also:{{range $cmds}}{{if (and (eq .GroupID "") .IsAvailableCommand)}}
  {{rpad .Name .NamePadding }} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableSubCommands}}

'{{.CommandPath}} COMMAND --help' tells more about a command.{{end}}
`
