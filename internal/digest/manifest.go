package digest

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strings"
)

// The kinds of a line. A sha256 line with a tensor's name is that tensor's, one without that of all tensors.
const (
	kindFile   = "file"
	kindSHA256 = "sha256"
	kindUUID   = "uuid"
)

// Line is one sum as gguf-hash writes it, which knows no "file".
type Line struct {
	Kind, Sum string
	Name      string // of the file
	Tensor    string // "" if it is about the whole
}

func (l Line) String() string {
	s := fmt.Sprintf("%-8s  %s  %s", l.Kind, l.Sum, l.Name)
	if l.Tensor != "" {
		s += ":" + l.Tensor
	}
	return s
}

// Lines are the sums in gguf-hash's form. label is the name it puts before a tensor's.
func (s *Sums) Lines(label string) []Line {
	var list []Line
	for _, f := range s.Files {
		name := label
		if len(s.Files) > 1 {
			name = path.Join(path.Dir(label), f.Name)
		}
		list = append(list, Line{kindFile, f.SHA256, name, ""})
	}
	for _, t := range s.Tensors {
		list = append(list, Line{kindSHA256, t.SHA256, label, t.Name})
	}
	return append(list, Line{kindSHA256, s.All, label, ""}, Line{kindUUID, s.UUID, label, ""})
}

// Manifest is what the sums of a model should be, by kind and place.
type Manifest map[[2]string]string

// ReadManifest reads lines of this package, of gguf-hash (those of sha256 and uuid) or of sha256sum.
func ReadManifest(r io.Reader) (Manifest, error) {
	m := Manifest{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		kind, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if len(kind) == 64 { // sha256sum writes the sum first, and * before the name of a binary file
			m[[2]string{kindFile, path.Base(strings.TrimLeft(rest, " *"))}] = kind
			continue
		}
		sum, name, ok := strings.Cut(strings.TrimLeft(rest, " "), "  ")
		if !ok || kind != kindFile && kind != kindSHA256 && kind != kindUUID {
			continue
		}
		m[place(kind, name)] = strings.ToLower(sum)
	}
	return m, lines.Err()
}

// place is the key of a line: files go by their names without folders, tensors by theirs alone.
func place(kind, name string) [2]string {
	if kind == kindFile {
		return [2]string{kind, path.Base(name)}
	}
	_, tensor, _ := strings.Cut(name, ".gguf:")
	return [2]string{kind, tensor}
}

// Verdict is what a manifest says of a line.
type Verdict uint8

// Unlisted: the manifest does not know it.
const (
	Unlisted Verdict = iota
	Same
	Different
)

// Check compares a line with the manifest.
func (m Manifest) Check(l Line) Verdict {
	key := [2]string{l.Kind, l.Tensor}
	if l.Kind == kindFile {
		key[1] = path.Base(l.Name)
	}
	switch want, ok := m[key]; {
	case !ok:
		return Unlisted
	case want == l.Sum:
		return Same
	}
	return Different
}
