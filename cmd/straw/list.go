package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"straw/internal/hub"
	"straw/internal/term"
)

func dirFlag(f *pflag.FlagSet, dir *string) {
	f.StringVar(dir, "dir", "", "`FOLDER` of the models (default $STRAW_MODELS, else straw/models in the user's cache folder)")
}

// modelStore is where pull keeps models.
func modelStore(dir string) (hub.Store, error) {
	if dir == "" {
		dir = os.Getenv("STRAW_MODELS")
	}
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return hub.Store{}, fmt.Errorf("there is no cache folder: name one with --dir or STRAW_MODELS (%w)", err)
		}
		dir = filepath.Join(cache, "straw", "models")
	}
	return hub.Store{Dir: filepath.Clean(dir)}, nil
}

// pulled turns the name of a pulled model into its path; other arguments stay as they are.
func pulled(arg string) (string, error) {
	if !strings.HasPrefix(arg, "hf:") && !strings.HasPrefix(arg, "ollama:") {
		return arg, nil
	}
	store, err := modelStore("")
	if err != nil {
		return "", err
	}
	m, err := store.Find(arg)
	if err == nil && m.Partial {
		err = fmt.Errorf("%s is not complete: straw pull %s", arg, arg)
	}
	return m.Path, err
}

func (a *app) listCommand() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Long:    "Lists the models that pull has fetched. Their names may stand for FILE in every command.",
		Example: "  straw list\n  straw list --json",
		Args:    args(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			store, err := modelStore(dir)
			if err != nil {
				return err
			}
			models, err := store.Models()
			if err != nil {
				return err
			}
			if asJSON {
				return a.json(append([]hub.Model{}, models...))
			}
			if len(models) == 0 {
				a.note("no models are in %s: straw pull NAME fetches one", term.Safe(store.Dir))
				return nil
			}
			a.listModels(models)
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "a JSON array")
	dirFlag(f, &dir)
	return cmd
}

func (a *app) listModels(models []hub.Model) {
	rows := make([][]string, 0, len(models))
	for _, m := range models {
		state := ""
		if m.Partial {
			state = "not complete"
		}
		rows = append(rows, []string{m.Name, size(m.Size), m.Modified.Format(time.DateOnly), state})
	}
	term.Table(a.out, term.Width(a.stdout), term.Color(a.stdout), []term.Column{{Title: "name", Give: true}, {Title: "size", Right: true}, {Title: "fetched"}, {}}, rows)
}

func (a *app) rmCommand() *cobra.Command {
	var dir string
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "rm NAME...",
		Long:    "Takes models away that pull has fetched, by the names that list gives. Nothing outside of the folder of the models is touched.",
		Example: "  straw rm hf:Qwen/Qwen2.5-0.5B-Instruct-GGUF:Q4_K_M",
		Args:    args(1, -1, "NAME"),
		RunE: func(_ *cobra.Command, names []string) error {
			store, err := modelStore(dir)
			if err != nil {
				return err
			}
			models := make([]hub.Model, len(names))
			for i, name := range names { // all are there, or none goes
				if models[i], err = store.Find(name); err != nil {
					return err
				}
			}
			for _, m := range models {
				n, err := store.Remove(m)
				if err != nil {
					return err
				}
				if !asJSON {
					a.note("%s is gone, %s are free", term.Safe(m.Name), size(n))
				}
			}
			if asJSON {
				return a.json(models)
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "a JSON array of what is gone, as list has it")
	dirFlag(f, &dir)
	return cmd
}
