package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"straw/gguf"
	"straw/internal/edit"
	"straw/internal/term"
)

func (a *app) splitCommand() *cobra.Command {
	var l edit.Limits
	var out, maxSize string
	var dryRun, asJSON bool
	cmd := &cobra.Command{
		Use: "split FILE -o PREFIX",
		Long: `Writes PREFIX-00001-of-0000N.gguf and so on, with the names and keys of llama.cpp: the metadata is in the first
shard, the tensors in their order. No shard is larger than --max-size, header included, and none has more
tensors than --max-tensors. The shards appear together, when all of them are whole.`,
		Example: `  straw split model.gguf -o parts/model --max-size 2G
  straw split model.gguf -o model --max-tensors 128 --dry-run`,
		Args:              args(1, 1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("max-size") {
				var err error
				if l.MaxSize, err = parseSize(maxSize); err != nil || l.MaxSize == 0 {
					return usagef("--max-size %q: a size as 512M or 2G is needed", maxSize)
				}
			}
			switch {
			case cmd.Flags().Changed("max-tensors") && l.MaxTensors < 1:
				return usagef("--max-tensors %d: a number from 1 on is needed", l.MaxTensors)
			case l.MaxSize == 0 && l.MaxTensors == 0:
				return usagef("--max-size or --max-tensors is needed")
			case out == "" || out == "-":
				return usagef("-o PREFIX is needed: the shards' names before -00001-of-0000N.gguf")
			}
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return a.split(ctx, args[0], strings.TrimSuffix(out, ".gguf"), l, dryRun, asJSON)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&out, "output", "o", "", "`PREFIX` of the shards' names")
	f.StringVar(&maxSize, "max-size", "", "a shard has `SIZE` bytes at most, with K, M or G for 2^10, 2^20 or 2^30")
	f.IntVar(&l.MaxTensors, "max-tensors", 0, "a shard has `N` tensors at most")
	f.BoolVar(&l.HeaderFirst, "no-tensor-first-split", false, "no tensors in the first shard")
	f.BoolVar(&dryRun, "dry-run", false, "write nothing; list the shards")
	f.BoolVar(&asJSON, "json", false, "one JSON object: the shards and their sizes")
	return cmd
}

func (a *app) split(ctx context.Context, arg, prefix string, l edit.Limits, dryRun, asJSON bool) error {
	in, err := a.openWhole(ctx, arg, false)
	if err != nil {
		return err
	}
	defer in.Close()
	drafts, err := edit.Split(in.File, l)
	if err != nil {
		return about(in.label, err)
	}
	shards := make([]shardJSON, len(drafts))
	for i, d := range drafts {
		shards[i].Name = gguf.ShardName(prefix, i, len(drafts))
		if shards[i].Bytes, err = d.Size(); err != nil {
			return about(in.label, err)
		}
		shards[i].Tensors = d.NTensors()
		if !dryRun && isPart(shards[i].Name, arg, in.File) {
			return usagef("%s is the input: give the shards another prefix", shards[i].Name)
		}
	}
	if !dryRun {
		if err := a.writeShards(ctx, shards, drafts); err != nil {
			return err
		}
	}
	if asJSON {
		return a.json(struct {
			Shards []shardJSON `json:"shards"`
		}{shards})
	}
	rows := make([][]string, len(shards))
	for i, s := range shards {
		rows[i] = []string{s.Name, count(s.Tensors), size(s.Bytes)}
	}
	term.Table(a.out, term.Width(a.stdout), term.Color(a.stdout), []term.Column{{Title: "shard", Give: true}, {Title: "tensors", Right: true}, {Title: "size", Right: true}}, rows)
	return nil
}

type shardJSON struct {
	Name    string `json:"name"`
	Tensors int    `json:"n_tensors"`
	Bytes   int64  `json:"size"`
}

// writeShards writes all shards, and gives them their names when the last one is whole.
func (a *app) writeShards(ctx context.Context, shards []shardJSON, drafts []*gguf.Draft) (err error) {
	var ready []staged
	defer func() {
		for _, s := range ready {
			s.discard()
		}
	}()
	for i, d := range drafts {
		name := shards[i].Name
		s, err := stage(name, shards[i].Bytes, a.drawn(ctx, filepath.Base(name), d, shards[i].Bytes))
		if err != nil {
			return err
		}
		ready = append(ready, s)
	}
	for len(ready) > 0 {
		if err := ready[0].commit(); err != nil {
			return err
		}
		ready = ready[1:]
	}
	return nil
}
