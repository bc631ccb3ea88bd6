package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"straw/internal/edit"
)

func (a *app) mergeCommand() *cobra.Command {
	var out string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "merge SHARD... -o OUT",
		Long: `Writes the set that SHARD, any one of it, belongs to as the one file OUT, without the keys of the split: what was
split comes out as it was. OUT appears when it is whole; - is standard output. All shards may be named, so that
a pattern of the shell can be given.`,
		Example: `  straw merge model-00001-of-00004.gguf -o model.gguf
  straw merge model-*-of-00004.gguf -o model.gguf`,
		Args: args(1, -1, "SHARD"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if out == "" {
				return usagef("-o OUT is needed: the file to write")
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return a.merge(ctx, args, out, asJSON)
		},
	}
	cmd.Flags().StringVarP(&out, "output", "o", "", "write `OUT`")
	cmd.Flags().BoolVar(&asJSON, "json", false, "one JSON object: the file, its size, how many bytes were written")
	return cmd
}

func (a *app) merge(ctx context.Context, args []string, out string, asJSON bool) error {
	in, err := a.openWhole(ctx, args[0], false)
	if err != nil {
		return err
	}
	defer in.Close()
	for _, other := range args[1:] {
		if !isPart(other, args[0], in.File) {
			return &fileError{other, errors.New("it is no shard of the set of " + in.label)}
		}
	}
	if err := a.canWrite(out, args[0], in.File, asJSON); err != nil {
		return err
	}
	d, err := edit.Merge(in.File)
	if err != nil {
		return about(in.label, err)
	}
	return a.writeDraft(ctx, out, d, asJSON)
}
