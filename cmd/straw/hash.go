package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"straw/internal/digest"
	"straw/internal/term"
)

func (a *app) hashCommand() *cobra.Command {
	var o digest.Options
	var asJSON bool
	var manifest string
	cmd := &cobra.Command{
		Use: "hash FILE",
		Long: `Writes the SHA-256 of the file (as sha256sum and a hub have it; one for each shard of a set), of each tensor's
bytes, and of all tensors in the order of the file. The lines are those of llama.cpp's gguf-hash, and either
program's may be checked by the other: the sum of the tensors stays the same when metadata is edited and
when the file is split or merged.`,
		Example: `  straw hash model.gguf
  straw hash model.gguf > sums.txt
  straw hash model.gguf --check sums.txt`,
		Args:              args(1, 1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := interruptible(cmd.Context())
			defer stop()
			return a.hash(ctx, args[0], manifest, o, asJSON)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&o.NoTensors, "no-tensors", false, "leave out the sum of each tensor")
	f.StringVar(&manifest, "check", "", "compare with the sums in `FILE`, as this command, gguf-hash or sha256sum writes\nthem; exit 1 where one differs")
	f.BoolVar(&asJSON, "json", false, "one JSON object")
	return cmd
}

func (a *app) hash(ctx context.Context, arg, manifest string, o digest.Options, asJSON bool) error {
	in, err := a.openWhole(ctx, arg, false)
	if err != nil {
		return err
	}
	defer in.Close()
	var want digest.Manifest
	if manifest != "" {
		if want, err = a.manifest(manifest); err != nil {
			return err
		}
	}
	line := term.NewProgress(a.err)
	begin := started()
	o.Progress = func(done, total int64) { line.Set(in.label + ": " + begin.progress(done, total, size)) }
	s, err := digest.Of(ctx, in.File, o)
	line.Clear()
	switch {
	case err != nil:
		return about(in.label, err)
	case want != nil:
		return a.compareSums(in.label, s, want, asJSON)
	case asJSON:
		return a.json(hashDocument(in.label, s))
	}
	for _, l := range s.Lines(filepath.ToSlash(in.label)) {
		fmt.Fprintln(a.out, term.Safe(l.String()))
	}
	return nil
}

// manifest reads a file of sums, - for standard input.
func (a *app) manifest(name string) (digest.Manifest, error) {
	var r io.Reader = a.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		r = f
	}
	m, err := digest.ReadManifest(r)
	if err == nil && len(m) == 0 {
		err = errors.New("no line as \"sha256  SUM  NAME\" is in it")
	}
	return m, about(name, err)
}

// compareSums says what the manifest knows otherwise.
func (a *app) compareSums(label string, s *digest.Sums, want digest.Manifest, asJSON bool) error {
	same, different := 0, []string{}
	for _, l := range s.Lines(label) {
		switch want.Check(l) {
		case digest.Same:
			same++
		case digest.Different:
			name := l.Kind
			if l.Tensor != "" {
				name = l.Tensor
			}
			different = append(different, name)
		}
	}
	switch {
	case same+len(different) == 0:
		return &fileError{label, errors.New("the list of sums says nothing of this file")}
	case asJSON:
		a.told = true
		if err := a.json(struct {
			Same      int      `json:"same"`
			Different []string `json:"different"`
		}{same, different}); err != nil {
			return err
		}
	default:
		for _, name := range different {
			fmt.Fprintf(a.out, "different: %s\n", term.Safe(name))
		}
		if len(different) == 0 {
			fmt.Fprintf(a.out, "%s agree\n", plural(same, "sum"))
		}
	}
	if len(different) > 0 {
		return &fileError{label, fmt.Errorf("%s of %s differ from the list: the file is damaged or another", count(len(different)), plural(same+len(different), "sum"))}
	}
	return nil
}

func hashDocument(label string, s *digest.Sums) any {
	type sum struct {
		Name   bytes  `json:"name"`
		Bytes  int64  `json:"nbytes"`
		SHA256 string `json:"sha256"`
	}
	list := func(from []digest.Sum) []sum {
		to := make([]sum, len(from))
		for i, s := range from {
			to[i] = sum{bytes(s.Name), s.Bytes, s.SHA256}
		}
		return to
	}
	return struct {
		File    string `json:"file"`
		Files   []sum  `json:"files"`
		Tensors []sum  `json:"tensors"`
		All     string `json:"tensors_sha256"`
		UUID    string `json:"uuid"`
	}{label, list(s.Files), list(s.Tensors), s.All, s.UUID}
}
