package gguf

import (
	"fmt"
	"strconv"
	"strings"

	"straw/quant"
)

// lint remarks on metadata that will trouble those who run the model. It looks at the header only; every rule comes
// from files that people had trouble with.
func (p *parser) lint() {
	l := linter{p.f, &p.findings}
	l.split()
	if n, ok := l.integer("split.no"); ok && n > 0 {
		return // a later shard has no keys of the model
	}
	l.fileType()
	if l.f.Kind() != "model" && l.f.Kind() != "vocabulary" {
		return
	}
	l.architecture()
	l.vocabulary()
	l.specialTokens()
	l.unsupportedTypes()
}

type linter struct {
	f *File
	*findings
}

// integer is a key's value, if it is a single integer.
func (l linter) integer(key string) (int64, bool) {
	v, ok := l.f.Value(key)
	if !ok || v.typ == Bool {
		return 0, false
	}
	return v.Int()
}

// length is the number of elements of a key's array, -1 if there is none.
func (l linter) length(key string) int {
	v, ok := l.f.Value(key)
	if !ok || v.typ != Array {
		return -1
	}
	return v.Len()
}

func (l linter) fileType() {
	const key = "general.file_type"
	v, ok := l.f.Value(key)
	_, isInt := v.Uint()
	switch {
	case !ok:
		if guess, _ := l.f.FileType(); guess != "" {
			l.add("file-type-missing", SeverityNote, key, "the file does not say; going by its tensors it is "+guess)
		}
	case !isInt || v.typ == Bool:
		l.add("file-type-type", SeverityWarning, key, fmt.Sprintf("an unsigned integer is wanted, it is of type %s", v.typ))
	case fileTypes[v.bits&^guessedFileType] == "":
		l.add("file-type-unknown", SeverityNote, key, fmt.Sprintf("%d is no file type that llama.cpp has", v.bits))
	}
}

// split looks at the keys of a file that is no shard of a set; sets are checked where they are put together.
func (l linter) split() {
	count, ok := l.integer("split.count")
	if !ok || count > 1 {
		return
	}
	if n, ok := l.integer("split.tensors.count"); ok && n != int64(len(l.f.Tensors)) {
		l.add("split-tensors-count", SeverityWarning, "split.tensors.count", fmt.Sprintf("it says %d, the file has %d tensors", n, len(l.f.Tensors)))
	}
}

func (l linter) architecture() {
	v, ok := l.f.Value("general.architecture")
	if !ok && len(l.f.Metadata)+len(l.f.Tensors) == 0 {
		l.add("empty", SeverityNote, "", "the file has neither metadata nor tensors")
		return
	}
	arch := l.f.Architecture()
	switch {
	case !ok:
		l.add("architecture-missing", SeverityWarning, "general.architecture", "the key is missing: no program knows how to run the model")
		return
	case arch == "":
		l.add("architecture-missing", SeverityWarning, "general.architecture", fmt.Sprintf("a name is wanted, it is of type %s or empty", v.typ))
		return
	}
	l.blockCount(arch + ".block_count")
}

func (l linter) blockCount(key string) {
	const most = 512 // LLAMA_MAX_LAYERS of llama.cpp
	v, ok := l.f.Value(key)
	if !ok || v.typ == Array {
		return
	}
	n, isInt := v.Uint()
	switch has := l.blocks(); {
	case !isInt || v.typ == Bool:
		l.add("block-count", SeverityWarning, key, fmt.Sprintf("a count is wanted, it is of type %s or negative", v.typ))
	case n > most:
		l.add("block-count", SeverityWarning, key, fmt.Sprintf("%d layers: llama.cpp takes %d at most", n, most))
	case has > n:
		l.add("block-count", SeverityWarning, key, fmt.Sprintf("it says %d, the tensors are of %d blocks", n, has))
	}
}

// blocks is one more than the highest N of the tensors' blk.N names.
func (l linter) blocks() uint64 {
	most := uint64(0)
	for i := range l.f.Tensors {
		rest, ok := strings.CutPrefix(l.f.Tensors[i].Name, "blk.")
		if !ok {
			continue
		}
		number, _, _ := strings.Cut(rest, ".")
		if n, err := strconv.ParseUint(number, 10, 16); err == nil {
			most = max(most, n+1)
		}
	}
	return most
}

// vocabulary compares what is there once for each token.
func (l linter) vocabulary() {
	const key = "tokenizer.ggml.tokens"
	tokens := l.length(key)
	model := l.f.text("tokenizer.ggml.model")
	if tokens < 0 {
		if model != "" && model != "none" && model != "no_vocab" {
			l.add("tokens-missing", SeverityWarning, key, "the tokenizer "+quote(model)+" has no tokens")
		}
		return
	}
	for _, k := range []string{"tokenizer.ggml.scores", "tokenizer.ggml.token_type"} {
		if n := l.length(k); n >= 0 && n != tokens {
			l.add("vocabulary-lengths", SeverityWarning, k, fmt.Sprintf("%d elements, but there are %d tokens", n, tokens))
		}
	}
	if model == "gpt2" && l.length("tokenizer.ggml.merges") < 0 {
		l.add("merges-missing", SeverityWarning, "tokenizer.ggml.merges", "a byte-level BPE tokenizer without merges: the model can be looked into, text cannot be split into tokens; convert it again with a newer converter")
	}
	if t, ok := l.f.Lookup("token_embd.weight"); ok && len(t.Dims) == 2 {
		switch rows := t.Dims[1]; {
		case rows > uint64(tokens):
			l.add("embedding-rows", SeverityNote, t.Name, fmt.Sprintf("%d rows for %d tokens: the rest is padding", rows, tokens))
		case rows < uint64(tokens):
			l.add("embedding-rows", SeverityWarning, t.Name, fmt.Sprintf("%d rows for %d tokens: some tokens have no embedding", rows, tokens))
		}
	}
}

// specialTokens: ids that are no token of the vocabulary.
func (l linter) specialTokens() {
	tokens := l.length("tokenizer.ggml.tokens")
	if tokens < 0 {
		return
	}
	for _, kv := range l.f.Metadata {
		name, ok := strings.CutPrefix(kv.Key, "tokenizer.ggml.")
		if !ok || !strings.HasSuffix(name, "_token_id") {
			continue
		}
		if id, ok := kv.Value.Int(); kv.Value.typ != Array && (!ok || id < 0 || id >= int64(tokens)) {
			value := fmt.Sprint(id)
			if !ok {
				value = "a value of type " + kv.Value.typ.String()
			}
			if ok && (id == -1 || id == 1<<32-1) {
				continue // the usual way to say that there is none
			}
			l.add("token-id-range", SeverityWarning, kv.Key, fmt.Sprintf("%s is no token: there are %d", value, tokens))
		}
	}
}

// unsupportedTypes: weights in types that no model is run in.
func (l linter) unsupportedTypes() {
	for i := range l.f.Tensors {
		if t := &l.f.Tensors[i]; t.Type == quant.Q8_1 || t.Type == quant.Q8_K {
			l.add("activation-type", SeverityNote, t.Name, fmt.Sprintf("%s is a type of activations, not of weights", t.Type))
		}
	}
}
