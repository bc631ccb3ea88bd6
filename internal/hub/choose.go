package hub

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"straw/gguf"
)

// preferred is what Choose looks for where nothing is asked for: small, and close to the original.
var preferred = []string{"Q4_K_M", "Q4_K_S", "Q4_K_L", "Q4_0", "MXFP4", "Q5_K_M", "Q8_0"}

// Choose picks a model of those a repository has, all shards of it: the file called want, or the one of that
// quantization; for "" the first of Q4_K_M and what is most like it, else the only one. Projectors, importance matrices
// and adapters are chosen by their name only.
func Choose(files []File, want string) ([]File, error) {
	if len(files) == 0 {
		return nil, fmt.Errorf("there are no GGUF files")
	}
	for _, f := range files {
		if f.Name == want || path.Base(f.Name) == want {
			return shards(files, f)
		}
	}
	f, err := choose(models(files), want)
	if err != nil {
		return nil, err
	}
	return shards(files, f)
}

// choose picks one of sets by its quantization.
func choose(sets []File, want string) (File, error) {
	if want != "" {
		switch of := ofQuantization(sets, want); len(of) {
		case 1:
			return of[0], nil
		case 0:
			return File{}, fmt.Errorf("there is no %s; there are %s", want, names(sets))
		default:
			return File{}, fmt.Errorf("there are several of %s, say which file: %s", want, names(of))
		}
	}
	if len(sets) == 1 {
		return sets[0], nil
	}
	for _, q := range preferred {
		if of := ofQuantization(sets, q); len(of) == 1 {
			return of[0], nil
		}
	}
	return File{}, fmt.Errorf("there are several models, say which after a colon: %s", names(sets))
}

// Model reports whether a file is a model by its name, not something that goes with one.
func (f File) Model() bool {
	base := strings.ToLower(path.Base(f.Name))
	for _, s := range []string{"mmproj", "imatrix", "lora", "adapter"} {
		if strings.Contains(base, s) {
			return false
		}
	}
	return true
}

// models are the files that are models, or begin one.
func models(files []File) []File {
	var of []File
	for _, f := range files {
		if _, no, _, ok := gguf.ParseShardName(f.Name); f.Model() && (!ok || no == 0) {
			of = append(of, f)
		}
	}
	return of
}

func ofQuantization(files []File, q string) []File {
	var of []File
	for _, f := range files {
		if strings.EqualFold(f.Quantization(), q) {
			of = append(of, f)
		}
	}
	return of
}

// Quantization is what the file's name says of it, else its folder's; "" if neither says anything.
func (f File) Quantization() string {
	parts := strings.FieldsFunc(strings.TrimSuffix(f.Name, ".gguf"), func(r rune) bool { return strings.ContainsRune("-./", r) })
	for i, part := range slices.Backward(parts) {
		for at := range part {
			if at > 0 && part[at-1] != '_' || !isQuantization(strings.ToUpper(part[at:])) {
				continue
			}
			q := strings.ToUpper(part[at:])
			if i > 0 && parts[i-1] == "UD" { // mixes of one publisher, beside those of the plain name
				q = "UD-" + q
			}
			return q
		}
	}
	return ""
}

// isQuantization reports whether s names a type or a mix of types: Q4_K_M, IQ2_XXS, TQ1_0, MXFP4, BF16.
func isQuantization(s string) bool {
	switch s {
	case "F32", "FP32", "F16", "FP16", "BF16", "MXFP4", "MXFP4_MOE", "NVFP4":
		return true
	}
	rest, ok := strings.CutPrefix(strings.TrimLeft(s, "IT"), "Q")
	return ok && len(s)-len(rest) <= 2 && rest != "" && rest[0] >= '1' && rest[0] <= '8' && (len(rest) == 1 || rest[1] == '_')
}

// shards is all files of the set that f is of, in order; f alone if it is whole.
func shards(files []File, f File) ([]File, error) {
	base, _, count, ok := gguf.ParseShardName(f.Name)
	if !ok {
		return []File{f}, nil
	}
	set := make([]File, 0, count)
	for i := range count {
		name := gguf.ShardName(base, i, count)
		at := slices.IndexFunc(files, func(g File) bool { return g.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("of the shards of %s, %s is missing", path.Base(base), path.Base(name))
		}
		set = append(set, files[at])
	}
	return set, nil
}

// names lists files for people.
func names(files []File) string {
	var s []string
	for _, f := range files {
		if q := f.Quantization(); q != "" && len(ofQuantization(files, q)) == 1 {
			s = append(s, q)
		} else {
			s = append(s, f.Name)
		}
	}
	const most = 20
	if len(s) > most {
		s = append(s[:most], "...")
	}
	return strings.Join(s, ", ")
}
