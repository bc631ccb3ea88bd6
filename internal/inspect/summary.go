package inspect

import (
	"strconv"
	"strings"

	"straw/gguf"
)

// Summary is what a person wants to know of a file first. What the file does not say is left out.
type Summary struct {
	Name            string  `json:"name,omitempty"`
	Architecture    string  `json:"architecture,omitempty"`
	Kind            string  `json:"kind"` // see gguf.File.Kind
	FileType        string  `json:"file_type,omitempty"`
	FileTypeGuessed bool    `json:"file_type_guessed,omitempty"` // from the tensors, as the file does not say
	SizeLabel       string  `json:"size_label,omitempty"`
	Parameters      Count   `json:"parameters"`
	BitsPerWeight   float64 `json:"bits_per_weight,omitempty"`
	ContextLength   *Count  `json:"context_length,omitempty"`
	EmbeddingLength *Count  `json:"embedding_length,omitempty"`
	BlockCount      *Count  `json:"block_count,omitempty"`
	VocabSize       *Count  `json:"vocab_size,omitempty"`
	Tokenizer       string  `json:"tokenizer,omitempty"`
	ChatTemplate    bool    `json:"chat_template,omitempty"`
	License         string  `json:"license,omitempty"`
	Size            Count   `json:"size"`         // bytes of all shards
	TensorBytes     Count   `json:"tensor_bytes"` // of the tensors whose size is known
	Types           []Type  `json:"types,omitempty"`
	NTensors        int     `json:"n_tensors"`
	NKeys           int     `json:"n_keys"`
	NShards         int     `json:"n_shards"`
	Shards          []Shard `json:"shards,omitempty"` // of a set
}

// Type is how much of a file is of one tensor type.
type Type struct {
	Name     string `json:"type"`
	NTensors int    `json:"n_tensors"`
	Elements Count  `json:"n_elements"`
	Bytes    Count  `json:"nbytes"`
}

// Shard is one file of a set.
type Shard struct {
	Name     string `json:"name"`
	Size     Count  `json:"size"`
	NTensors int    `json:"n_tensors"`
}

// Count is a number that is written as a decimal string above 2^53.
type Count uint64

func (c Count) MarshalJSON() ([]byte, error) { return appendCount(nil, uint64(c)), nil }

func (c Count) String() string { return strconv.FormatUint(uint64(c), 10) }

// Summarize reads a summary off a file. Text that is not UTF-8 has U+FFFD for what is not.
func Summarize(f *gguf.File) Summary {
	s := Summary{
		Name:          text(f, "general.name"),
		Architecture:  text(f, "general.architecture"),
		Kind:          strings.ToValidUTF8(f.Kind(), "\ufffd"),
		SizeLabel:     text(f, "general.size_label"),
		Parameters:    Count(f.Parameters()),
		BitsPerWeight: f.BitsPerWeight(),
		Tokenizer:     text(f, "tokenizer.ggml.model"),
		ChatTemplate:  text(f, "tokenizer.chat_template") != "",
		License:       text(f, "general.license"),
		Size:          Count(f.Size),
		NTensors:      len(f.Tensors),
		NKeys:         len(f.Metadata),
		NShards:       len(f.Shards),
	}
	if s.Name == "" {
		s.Name = text(f, "general.basename")
	}
	if pre := text(f, "tokenizer.ggml.pre"); pre != "" {
		s.Tokenizer += " (" + pre + ")"
	}
	s.FileType, s.FileTypeGuessed = f.FileType()
	s.FileType = strings.ToValidUTF8(s.FileType, "\ufffd")
	if s.FileType == "" {
		s.FileTypeGuessed = false
	}
	arch := f.Architecture() + "."
	s.ContextLength = count(f, arch+"context_length")
	s.EmbeddingLength = count(f, arch+"embedding_length")
	s.BlockCount = count(f, arch+"block_count")
	if v, ok := f.Value("tokenizer.ggml.tokens"); ok && v.Type() == gguf.Array {
		n := Count(v.Len())
		s.VocabSize = &n
	} else {
		s.VocabSize = count(f, arch+"vocab_size")
	}
	s.types(f)
	if len(f.Shards) > 1 {
		for _, sh := range f.Shards {
			s.Shards = append(s.Shards, Shard{strings.ToValidUTF8(sh.Name, "\ufffd"), Count(sh.Size), sh.NTensors})
		}
	}
	return s
}

// types counts the tensors by type, in the order in which the types first appear.
func (s *Summary) types(f *gguf.File) {
	at := make(map[string]int)
	for i := range f.Tensors {
		t := &f.Tensors[i]
		name := t.Type.String()
		j, ok := at[name]
		if !ok {
			j = len(s.Types)
			at[name] = j
			s.Types = append(s.Types, Type{Name: name})
		}
		x := &s.Types[j]
		x.NTensors++
		x.Elements += Count(t.Elements)
		x.Bytes += Count(max(t.Bytes, 0))
		s.TensorBytes += Count(max(t.Bytes, 0))
	}
}

func text(f *gguf.File, key string) string {
	v, ok := f.Value(key)
	if !ok || v.Type() != gguf.String {
		return ""
	}
	s, err := v.Text()
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(s, "\ufffd")
}

// count is an integer, nil if the key is missing or something else.
func count(f *gguf.File, key string) *Count {
	v, ok := f.Value(key)
	if !ok || v.Type() == gguf.Bool {
		return nil
	}
	n, ok := v.Uint()
	if !ok {
		return nil
	}
	c := Count(n)
	return &c
}
