package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"straw/gguf"
)

// Store is a folder of fetched models.
type Store struct{ Dir string }

// Model is a file in a Store.
type Model struct {
	Name     string    `json:"name"` // as ParseName reads it
	Path     string    `json:"path"`
	Size     int64     `json:"size"` // bytes, of all shards together
	Modified time.Time `json:"modified"`
	Partial  bool      `json:"partial,omitempty"` // it is not complete: pull it again to go on
	Shards   int       `json:"shards,omitempty"`

	files []string
}

// Path is where a file of a name belongs.
func (s Store) Path(n Name, f File) string {
	return filepath.Join(s.Dir, filepath.FromSlash(n.folder()), filepath.FromSlash(f.Name))
}

// Models is what is there, in order of the names. A folder that does not exist is empty.
func (s Store) Models() ([]Model, error) {
	var all []Model
	sets := map[string]int{}
	err := filepath.WalkDir(s.Dir, func(p string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || e.IsDir() {
			return err
		}
		name, partial := strings.CutSuffix(p, ".part")
		if !strings.HasSuffix(strings.ToLower(name), ".gguf") {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(s.Dir, name)
		if err != nil {
			return err
		}
		m := Model{Name: nameOf(filepath.ToSlash(rel)), Path: name, Size: info.Size(), Modified: info.ModTime(), Partial: partial, files: []string{p}}
		if base, _, count, ok := gguf.ParseShardName(name); ok {
			key := gguf.ShardName(base, 0, count)
			if i, ok := sets[key]; ok {
				set := &all[i]
				set.Size += m.Size
				set.Shards++
				set.Partial = set.Partial || partial
				set.files = append(set.files, p)
				return nil
			}
			sets[key] = len(all)
			m.Shards = 1
		}
		all = append(all, m)
		return nil
	})
	return all, err
}

// Find is the model of a name that is there: of several files of a repository the one that the name asks for, by
// quantization or file.
func (s Store) Find(name string) (Model, error) {
	all, err := s.Models()
	if err != nil {
		return Model{}, err
	}
	for _, m := range all {
		if m.Name == name {
			return m, nil
		}
	}
	n, err := ParseName(name)
	if err != nil {
		return Model{}, err
	}
	within := filepath.Join(s.Dir, filepath.FromSlash(n.folder())) + string(filepath.Separator)
	var files []File
	byName := map[string]Model{}
	for _, m := range all {
		if rel, ok := strings.CutPrefix(m.Path, within); ok {
			f := File{Name: filepath.ToSlash(rel)}
			files = append(files, f)
			byName[f.Name] = m
		}
	}
	if n.Kind == Address {
		n.Want = n.file()
	}
	if len(files) == 0 {
		return Model{}, fmt.Errorf("%s is not here: straw pull %s", n, n)
	}
	for _, f := range files { // a set is one file here: its first shard
		if f.Name == n.Want || path.Base(f.Name) == n.Want || len(files) == 1 && n.Want == "" {
			return byName[f.Name], nil
		}
	}
	chosen, err := choose(files, n.Want)
	if err != nil {
		return Model{}, fmt.Errorf("%s: %w", n, err)
	}
	return byName[chosen.Name], nil
}

// Remove takes a model away, and the folders that this leaves empty. It gives the bytes that are free now.
func (s Store) Remove(m Model) (int64, error) {
	for _, p := range m.files {
		if err := os.Remove(p); err != nil {
			return 0, err
		}
		os.Remove(strings.TrimSuffix(p, ".part") + ".part.etag")
		for dir := filepath.Dir(p); dir != s.Dir && strings.HasPrefix(dir, s.Dir); dir = filepath.Dir(dir) {
			if os.Remove(dir) != nil {
				break
			}
		}
	}
	return m.Size, nil
}
