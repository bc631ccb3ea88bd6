package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"straw/gguf"
)

// modelFiles are the files that arguments name: those of a folder are the *.gguf files in it and below. Of several shards
// of a set the first stands for all.
func modelFiles(args []string) ([]string, error) {
	var files []string
	seen := make(map[string]bool)
	add := func(path string) {
		set := path
		if base, _, n, ok := gguf.ParseShardName(filepath.Base(path)); ok && !strings.Contains(path, "://") {
			set = filepath.Join(filepath.Dir(path), gguf.ShardName(base, 0, n))
		}
		if !seen[set] {
			seen[set] = true
			files = append(files, path)
		}
	}
	for _, arg := range args {
		info, err := os.Stat(arg)
		if err != nil || !info.IsDir() { // what is wrong with it shows when it is opened
			add(arg)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(arg, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() && strings.EqualFold(filepath.Ext(path), ".gguf") {
				add(path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, usagef("%s: no *.gguf file is in this folder", arg)
		}
	}
	return files, nil
}
