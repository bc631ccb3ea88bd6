package main

import (
	"github.com/spf13/cobra"

	"straw/internal/inspect"
)

func (a *app) inspectCommand() *cobra.Command {
	var asJSON, full bool
	cmd := &cobra.Command{
		Use: "inspect FILE",
		Long: `Reads the header only and shows what it says, and how much memory the model takes to run, by context and type of
the cache: all in memory, or, as the least --ram-budget, streamed. Of a damaged file it shows what could be read, then the
error (exit status 1). Arrays are cut to their first elements unless --full is given.`,
		Example: `  straw inspect model.gguf
  straw inspect model-00001-of-00003.gguf --json --full
  straw inspect https://example.org/model.gguf`,
		Args:              args(1, 1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := a.open(cmd.Context(), args[0], false)
			if in.File == nil {
				return err
			}
			defer in.Close()
			if !asJSON {
				if in.Version == 0 { // no GGUF file: the error says what it is
					return err
				}
				if terr := a.describe(&in, err == nil, full); err == nil {
					err = about(in.label, terr)
				}
				return err
			}
			a.told = true
			var more []inspect.Member
			if err == nil && len(in.Tensors) > 0 && purpose(&in) == "" {
				member, merr := forecastMember(in.File)
				if merr != nil {
					return merr
				}
				more = append(more, member)
			}
			if werr := inspect.Write(a.out, in.File, full, err, more...); err == nil {
				err = about(in.label, werr)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "one JSON object, the figures exact")
	f.BoolVar(&full, "full", false, "arrays and texts whole")
	return cmd
}
