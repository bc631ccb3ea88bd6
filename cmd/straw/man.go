package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Long:    "Writes the manual pages, straw.1 and one for each command, into a folder, which is made.",
		Example: "  straw man /usr/local/share/man/man1",
		Hidden:  true, // for who packs releases
		Args:    args(1, 1, "DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			root := a.root(made(a.entries()))
			for _, c := range append([]*cobra.Command{root}, root.Commands()...) {
				if c.Hidden {
					continue
				}
				page := manPage(c)
				if err := os.WriteFile(filepath.Join(args[0], manName(c)+".1"), []byte(page), 0o666); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// manName is a page's name, as of git's: straw-inspect.
func manName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is a command's help in the macros of man(7).
func manPage(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" \"straw %s\"\n", strings.ToUpper(manName(c)), version)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(manName(c)), roff(c.Short))
	use := c.UseLine()
	if c.HasAvailableSubCommands() {
		use = c.CommandPath() + " COMMAND"
	}
	fmt.Fprintf(&b, ".SH SYNOPSIS\n%s\n", roff(use))
	text := c.Long
	if text == "" {
		text = c.Short + "."
	}
	b.WriteString(".SH DESCRIPTION\n")
	manText(&b, text)
	if c.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range c.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.BR %s (1)\n%s\n", roff(manName(sub)), roff(sub.Short))
			}
		}
	}
	if c.HasAvailableLocalFlags() {
		b.WriteString(".SH OPTIONS\n")
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { manFlag(&b, f) })
	}
	if c.HasExample() {
		b.WriteString(".SH EXAMPLES\n")
		manText(&b, c.Example)
	}
	b.WriteString(".SH EXIT STATUS\n0 done, 1 the input is bad, 2 wrong usage.\n")
	if c.HasParent() {
		fmt.Fprintf(&b, ".SH SEE ALSO\n.BR %s (1)\n", roff(manName(c.Parent())))
	}
	return b.String()
}

// manText writes paragraphs; lines that begin with spaces stay as they are.
func manText(b *strings.Builder, text string) {
	asIs := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		switch indented := strings.HasPrefix(line, " "); {
		case line == "":
			b.WriteString(".PP\n")
			continue
		case indented && !asIs:
			asIs = true
			b.WriteString(".PP\n.nf\n")
		case !indented && asIs:
			asIs = false
			b.WriteString(".fi\n")
		}
		b.WriteString(roff(line) + "\n")
	}
	if asIs {
		b.WriteString(".fi\n")
	}
}

func manFlag(b *strings.Builder, f *pflag.Flag) {
	if f.Hidden {
		return
	}
	name, usage := pflag.UnquoteUsage(f)
	flag := "--" + f.Name
	if f.Shorthand != "" {
		flag = "-" + f.Shorthand + ", " + flag
	}
	if name != "" {
		flag += " " + name
	}
	switch f.DefValue {
	case "", "0", "false", "[]", "0s":
	default:
		usage += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(flag), roff(usage))
}

// roff escapes a line of text.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
