package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// root is the command line with these commands.
func (a *app) root(commands []*cobra.Command) *cobra.Command {
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
	root.SetUsageFunc(usage)
	root.AddGroup(&cobra.Group{ID: "look", Title: "Look into a file:"}, &cobra.Group{ID: "text", Title: "Text and tokens:"},
		&cobra.Group{ID: "run", Title: "Run a model:"}, &cobra.Group{ID: "write", Title: "Write a file:"},
		&cobra.Group{ID: "fetch", Title: "Fetch models:"})
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "help"})
	for _, c := range commands {
		c.Flags().SortFlags = false
		c.DisableFlagsInUseLine = true
		root.AddCommand(c)
	}
	return root
}

// entry is a command in the list of all; the rest of it is made when it is needed.
type entry struct {
	group, name, short string
	make               func() *cobra.Command
}

func (a *app) entries() []entry {
	return []entry{
		{"look", "inspect", "Header, metadata, tensors and findings of a file", a.inspectCommand},
		{"look", "check", "What is wrong or odd about files; exit 1 on an error", a.checkCommand},
		{"look", "tensor", "Numbers of one tensor: values, range, mean, histogram", a.tensorCommand},
		{"look", "hash", "SHA-256 of the file, of each tensor and of all tensors", a.hashCommand},
		{"look", "diff", "In what two models differ, with each tensor's error", a.diffCommand},
		{"text", "tokenize", "Text on standard input to token ids, with the pieces", a.tokenizeCommand},
		{"text", "detokenize", "Token ids to text", a.detokenizeCommand},
		{"text", "template", "A conversation in the model's chat template", a.templateCommand},
		{"run", "run", "Generates text, or chats", a.runCommand},
		{"run", "logits", "The numbers themselves, for comparing engines", a.logitsCommand},
		{"run", "embed", "Embeddings of texts", a.embedCommand},
		{"run", "perplexity", "Perplexity of a text", a.perplexityCommand},
		{"run", "bench", "Tokens a second of prompt and generation, memory, bytes read", a.benchCommand},
		{"run", "serve", "The web page, and an API as OpenAI's, on this machine", a.serveCommand},
		{"write", "edit", "Changes metadata", a.editCommand},
		{"write", "split", "Writes a model as shards", a.splitCommand},
		{"write", "merge", "Writes a set of shards as one file", a.mergeCommand},
		{"write", "quantize", "Writes the model in another type", a.quantizeCommand},
		{"fetch", "pull", "Fetches a model from a hub, a registry or an address", a.pullCommand},
		{"fetch", "list", "What was pulled", a.listCommand},
		{"fetch", "rm", "Takes pulled models away", a.rmCommand},
		{"", "completion", "Writes a shell's completion script", a.completionCommand},
		{"", "version", "Version, revision and the kernels in use", a.versionCommand},
		{"", "man", "Writes the manual pages", a.manCommand},
	}
}

// needed are the commands for a command line: the one that it begins with, the names alone where it asks for their list,
// else all. Making their flags is half of what a short command costs.
func (a *app) needed(args []string) []*cobra.Command {
	all := a.entries()
	if len(args) == 0 || len(args) == 1 && slices.Contains([]string{"-h", "--help"}, args[0]) {
		for i, c := range all {
			name := &cobra.Command{Use: c.name, Hidden: c.name == "man", Run: func(*cobra.Command, []string) {}}
			all[i].make = func() *cobra.Command { return name }
		}
	} else if i := slices.IndexFunc(all, func(c entry) bool { return c.name == args[0] }); i >= 0 {
		all = all[i : i+1]
	}
	return made(all)
}

func made(entries []entry) []*cobra.Command {
	var list []*cobra.Command
	for _, c := range entries {
		cmd := c.make()
		cmd.GroupID, cmd.Short = c.group, c.short
		list = append(list, cmd)
	}
	return list
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

// usage writes how a command is called: for the program itself, what commands there are. Cobra's own does it by a template,
// which takes longer to read than all else that help does.
func usage(c *cobra.Command) error {
	var b strings.Builder
	use := c.UseLine()
	if c.HasAvailableSubCommands() {
		use = c.CommandPath() + " COMMAND"
	}
	b.WriteString("Usage:\n  " + use)
	if c.HasExample() {
		b.WriteString("\n\nExamples:\n" + c.Example)
	}
	if c.HasAvailableSubCommands() {
		for _, group := range append(c.Groups(), &cobra.Group{Title: "Also:"}) {
			b.WriteString("\n\n" + group.Title)
			for _, sub := range c.Commands() {
				if sub.GroupID == group.ID && sub.IsAvailableCommand() {
					fmt.Fprintf(&b, "\n  %-*s %s", sub.NamePadding(), sub.Name(), sub.Short)
				}
			}
		}
	}
	if c.HasAvailableLocalFlags() {
		b.WriteString("\n\nFlags:\n" + strings.TrimRight(c.LocalFlags().FlagUsages(), "\n"))
	}
	if c.HasAvailableSubCommands() {
		b.WriteString("\n\n'" + c.CommandPath() + " COMMAND --help' tells more about a command.")
	}
	_, err := fmt.Fprintln(c.OutOrStderr(), b.String())
	return err
}
