package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"straw/internal/hub"
	"straw/internal/term"
)

type pullOptions struct {
	dir, registry string
	list, json    bool
}

func (a *app) pullCommand() *cobra.Command {
	var o pullOptions
	cmd := &cobra.Command{
		Use: "pull NAME",
		Long: `Fetches a model and writes its path. NAME is one of

  hf:OWNER/REPO[@REVISION][:QUANTIZATION or FILE]   a repository of the Hugging Face Hub; Q4_K_M is taken where
                                                    nothing is asked for, or what is most like it
  ollama:[OWNER/]NAME[:TAG]                         a model of a registry that speaks Ollama's protocol
  https://...                                       a file

A model in shards comes with all of them. A fetch that was cut off goes on where it ended; a file has its final name
only when it is complete and has the SHA-256 that its publisher gives. The access token for gated models is taken from
HF_TOKEN, or from where the Hub's own program keeps it, and is shown to the Hub alone; HF_ENDPOINT names another Hub.
Afterwards NAME may stand for FILE: straw run hf:OWNER/REPO.`,
		Example: `  straw pull hf:Qwen/Qwen2.5-0.5B-Instruct-GGUF
  straw pull hf:unsloth/gemma-3-1b-it-GGUF:Q8_0
  straw pull --list hf:unsloth/gemma-3-1b-it-GGUF`,
		Args: args(1, 1, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return a.pull(ctx, args[0], o)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.list, "list", false, "write what there is to fetch, and fetch nothing")
	f.BoolVar(&o.json, "json", false, "one JSON object")
	f.StringVar(&o.registry, "registry", "", "`ADDRESS` of the registry for ollama: names")
	dirFlag(f, &o.dir)
	return cmd
}

func (a *app) pull(ctx context.Context, arg string, o pullOptions) error {
	name, err := hub.ParseName(arg)
	if err != nil {
		return &usageError{err.Error()}
	}
	store, err := modelStore(o.dir)
	if err != nil {
		return err
	}
	c := &hub.Client{Hub: os.Getenv("HF_ENDPOINT"), Registry: o.registry, Token: accessToken()}
	files, err := c.List(ctx, name)
	if err != nil {
		return err
	}
	if o.list {
		return a.listFiles(files, o.json)
	}
	chosen, err := hub.Choose(files, name.Want)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var paths []string
	for i, f := range chosen {
		path := store.Path(name, f)
		if err := a.fetch(ctx, c, f, path, shardOf(i, len(chosen))); err != nil {
			return err
		}
		paths = append(paths, path)
	}
	if o.json {
		return a.json(map[string]any{"name": name.String(), "path": paths[0], "files": paths})
	}
	fmt.Fprintln(a.out, paths[0])
	return nil
}

func shardOf(i, n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d of %d)", i+1, n)
}

// fetch brings one file, unless it is here.
func (a *app) fetch(ctx context.Context, c *hub.Client, f hub.File, path, which string) error {
	line := term.NewProgress(a.err)
	defer line.Clear()
	here, err := hub.Has(ctx, f, path, func(done, total int64) { line.Set("checking " + f.Name + which + ": " + share(done, total, size)) })
	if err != nil {
		return err
	}
	if here {
		line.Clear()
		a.note("%s%s is here already", term.Safe(f.Name), which)
		return nil
	}
	begin, first := started(), int64(-1)
	err = c.Fetch(ctx, f, path, func(done, total int64) {
		if first < 0 {
			first = done // the rate is that of the network, not of what was here
		}
		if total < 0 {
			line.Set(f.Name + which + ": " + size(done))
			return
		}
		line.Set(f.Name + which + ": " + strings.TrimSuffix(share(done, total, size)+", "+begin.rest(done-first, total-first, size), ", "))
	})
	if err != nil {
		return err
	}
	line.Clear()
	if f.SHA256 == "" {
		a.note("%s%s: no hash is published, so it was not verified", term.Safe(f.Name), which)
	}
	return nil
}

// listFiles writes what a publisher has.
func (a *app) listFiles(files []hub.File, asJSON bool) error {
	if asJSON {
		list := make([]map[string]any, 0, len(files))
		for _, f := range files {
			list = append(list, map[string]any{"name": f.Name, "size": f.Size, "sha256": f.SHA256, "quantization": f.Quantization(), "model": f.Model()})
		}
		return a.json(list)
	}
	rows := make([][]string, 0, len(files))
	for _, f := range files {
		amount := ""
		if f.Size >= 0 {
			amount = size(f.Size)
		}
		rows = append(rows, []string{f.Quantization(), amount, f.Name})
	}
	term.Table(a.out, term.Width(a.stdout), term.Color(a.stdout), []term.Column{{Title: "type"}, {Title: "size", Right: true}, {Title: "file", Give: true}}, rows)
	return nil
}

// accessToken is the Hub's token: from the environment, else from where its own program keeps it.
func accessToken() string {
	for _, name := range []string{"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"} {
		if t := strings.TrimSpace(os.Getenv(name)); t != "" {
			return t
		}
	}
	place := os.Getenv("HF_TOKEN_PATH")
	if place == "" {
		home := os.Getenv("HF_HOME")
		if home == "" {
			user, err := os.UserHomeDir()
			if err != nil {
				return ""
			}
			home = filepath.Join(user, ".cache", "huggingface")
		}
		place = filepath.Join(home, "token")
	}
	token, err := os.ReadFile(place)
	if err != nil {
		return "" // most people have none
	}
	return strings.TrimSpace(string(token))
}
