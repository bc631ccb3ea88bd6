package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	kernels "straw"
)

// Set by the linker (Makefile).
var (
	version  = "0.1.0"
	revision = ""
)

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Example: "  straw version\n  straw version --json",
		Args:    args(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return a.json(map[string]string{"version": version, "revision": vcsRevision(), "kernels": kernels.Name(),
					"go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH})
			}
			fmt.Fprintf(a.out, "straw %s (%s), kernels %s, %s %s/%s\n", version, vcsRevision(), kernels.Name(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

// vcsRevision is the linker's, else what the Go tool noted.
func vcsRevision() string {
	if revision != "" {
		return revision
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return "unknown revision"
}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Example:   "  source <(straw completion bash)\n  straw completion fish > ~/.config/fish/completions/straw.fish",
		Args:      args(1, 1, "the shell's name"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return cmd.Root().GenBashCompletionV2(a.out, true)
			case "zsh":
				return cmd.Root().GenZshCompletion(a.out)
			case "fish":
				return cmd.Root().GenFishCompletion(a.out, true)
			case "powershell":
				return cmd.Root().GenPowerShellCompletionWithDesc(a.out)
			}
			return usagef("unknown shell %q: bash, zsh, fish or powershell", args[0])
		},
	}
}
