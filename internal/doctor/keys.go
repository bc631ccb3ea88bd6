package doctor

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"straw/gguf"
)

// successors are the types that were removed from ggml, by code, and what to take in their place.
var successors = map[uint32]string{
	4: "Q4_0", 5: "Q4_0", 31: "Q4_0", 32: "Q4_0", 33: "Q4_0", 36: "IQ4_NL", 37: "IQ4_NL", 38: "IQ4_NL",
}

// types: weights in types that were once ggml's.
func (e *examination) types() {
	count := map[uint32]int{}
	names := map[uint32]string{}
	for i := range e.f.Tensors {
		t := &e.f.Tensors[i]
		if code := uint32(t.Type); successors[code] != "" {
			count[code]++
			names[code] = t.Type.String()
		}
	}
	for _, code := range slices.Sorted(maps.Keys(count)) {
		why := "convert the model again"
		if code > 5 {
			why = "programs put its rows into the order that suits the processor when they load it"
		}
		e.add("removed-type", "general.file_type", fmt.Sprintf("%s of type %s: take a file of type %s instead; %s",
			plural(count[code], "tensor"), names[code], successors[code], why))
	}
}

// renamed are keys that have another name today; a name that begins with a dot follows the architecture's.
var renamed = []struct{ old, new, how string }{
	{".rope.scale_linear", ".rope.scaling.factor", ", with .rope.scaling.type \"linear\""},
	{"tokenizer.ggml.prefix_token_id", "tokenizer.ggml.fim_pre_token_id", ""},
	{"tokenizer.ggml.suffix_token_id", "tokenizer.ggml.fim_suf_token_id", ""},
	{"tokenizer.ggml.middle_token_id", "tokenizer.ggml.fim_mid_token_id", ""},
	{"general.source.huggingface.repository", "general.source.repo_url", ""},
}

// keys: names that are no longer in use, and what tools leave behind.
func (e *examination) keys() {
	arch := e.f.Architecture()
	for _, r := range renamed {
		old, now := r.old, r.new
		if strings.HasPrefix(old, ".") {
			old, now = arch+old, arch+now
		}
		switch {
		case !e.has(old):
		case e.has(now):
			e.add("deprecated-key", old, "today's name of the key is "+quoted(now)+", which the file has too: take the old one away")
		default:
			e.add("deprecated-key", old, "today's name of the key is "+quoted(now)+r.how+"; programs that do not know the old one leave it out of account")
		}
	}
	if n, ok := e.integer("general.quantization_version"); ok && n < 2 {
		e.add("quantization-version", "general.quantization_version",
			"blocks of version "+strconv.FormatInt(n, 10)+" have another form than today's version 2: quantize the original again")
	}
	if n, ok := e.integer("split.count"); ok && n == 1 && len(e.f.Shards) <= 1 {
		e.add("split-leftover", "split.count", "a set of one shard: the split.* keys have no use; programs that go by the file's name may look for more shards, so take the keys away")
	}
	e.sizes(arch)
}

// sizes compares the numbers of tokens that a file states beside the tokens themselves.
func (e *examination) sizes(arch string) {
	key := arch + ".vocab_size"
	tokens := int64(-1)
	if v, ok := e.f.Value("tokenizer.ggml.tokens"); ok && v.Type() == gguf.Array {
		tokens = int64(v.Len())
	}
	rows := e.rows("token_embd.weight")
	if n, ok := e.integer(key); ok {
		switch {
		case rows >= 0 && n != rows:
			e.add("vocab-size", key, fmt.Sprintf("it says %d, token_embd.weight has %d rows: programs that size the logits by the key fail; correct the key", n, rows))
		case tokens >= 0 && n < tokens:
			e.add("vocab-size", key, fmt.Sprintf("it says %d, there are %d tokens: correct the key", n, tokens))
		}
	}
	if out := e.rows("output.weight"); out >= 0 && rows >= 0 && out != rows && !strings.HasPrefix(arch, "eagle") {
		e.add("output-rows", "output.weight", fmt.Sprintf("%d rows, but token_embd.weight has %d: one of the two was resized alone; convert the model again", out, rows))
	}
}

// rows is the number of rows of a matrix, -1 if there is none of that name.
func (e *examination) rows(name string) int64 {
	t, ok := e.f.Lookup(name)
	if !ok || len(t.Dims) != 2 {
		return -1
	}
	return int64(t.Dims[1])
}
