// Package scripted makes models for tests that say what they are told to: real GGUF files of the llama
// architecture in which every token has one successor. Embeddings are vectors of +1 and -1 that are all but
// at right angles to each other, attention and feed-forward are zero, and the output row of a token is the
// embedding of the one before it.
package scripted

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"straw/gguf"
	"straw/quant"
)

// Model is what to make.
type Model struct {
	Template string   // the chat template
	Special  []string // control tokens, such as the template writes
	// Says tells for a special token what follows where a prompt ends with it: the pieces, one a token; after
	// the last the generation ends. A piece that is one of Special is that token, and may stand in one place only.
	Says map[string][]string
}

const (
	dim     = 64 // of an embedding
	hidden  = 32
	context = 2048
	bos     = 1
	eos     = 2
)

// Token types of the file format.
const (
	normal  = 1
	control = 3
	octet   = 6
)

// Bytes is the file. It panics where Says speaks of no special token.
func (m *Model) Bytes() []byte {
	v := m.vocabulary()
	var d gguf.Draft
	for _, kv := range []struct {
		key   string
		value any
	}{
		{"general.architecture", "llama"},
		{"general.name", "Scripted"},
		{"llama.block_count", uint32(1)},
		{"llama.context_length", uint32(context)},
		{"llama.embedding_length", uint32(dim)},
		{"llama.feed_forward_length", uint32(hidden)},
		{"llama.attention.head_count", uint32(1)},
		{"llama.attention.layer_norm_rms_epsilon", float32(1e-6)},
		{"tokenizer.ggml.model", "llama"},
		{"tokenizer.ggml.tokens", v.texts},
		{"tokenizer.ggml.scores", make([]float32, len(v.texts))},
		{"tokenizer.ggml.token_type", v.types},
		{"tokenizer.ggml.bos_token_id", uint32(bos)},
		{"tokenizer.ggml.eos_token_id", uint32(eos)},
		{"tokenizer.ggml.add_space_prefix", false},
		{"tokenizer.chat_template", m.Template},
	} {
		value, ok := gguf.ValueOf(kv.value)
		if !ok {
			panic("scripted: no value for " + kv.key)
		}
		d.Set(kv.key, value)
	}

	n := len(v.texts)
	embedding, output := signs(n), make([]float32, n*dim)
	for id, next := range v.next {
		for i := range dim {
			output[next*dim+i] += embedding[id*dim+i]
		}
	}
	ones := make([]float32, dim)
	for i := range ones {
		ones[i] = 1
	}
	add := func(name string, values []float32, dims ...uint64) {
		err := d.Add(name+".weight", dims, quant.F32, func(w io.Writer) error { return binary.Write(w, binary.LittleEndian, values) })
		if err != nil {
			panic(err)
		}
	}
	add("token_embd", embedding, dim, uint64(n))
	add("blk.0.attn_norm", ones, dim)
	for _, name := range []string{"attn_q", "attn_k", "attn_v", "attn_output"} {
		add("blk.0."+name, make([]float32, dim*dim), dim, dim)
	}
	add("blk.0.ffn_norm", ones, dim)
	add("blk.0.ffn_gate", make([]float32, dim*hidden), dim, hidden)
	add("blk.0.ffn_up", make([]float32, dim*hidden), dim, hidden)
	add("blk.0.ffn_down", make([]float32, dim*hidden), hidden, dim)
	add("output_norm", ones, dim)
	add("output", output, dim, uint64(n))
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		panic(err)
	}
	return b.Bytes()
}

type vocabulary struct {
	texts []string
	types []int32
	next  map[int]int
}

func (v *vocabulary) add(text string, typ int32) int {
	v.texts, v.types = append(v.texts, text), append(v.types, typ)
	return len(v.texts) - 1
}

func (m *Model) vocabulary() *vocabulary {
	v := &vocabulary{next: map[int]int{}}
	v.add("<unk>", 2)
	v.add("<s>", control)
	v.add("</s>", control)
	for b := range 256 {
		v.add(fmt.Sprintf("<0x%02X>", b), octet)
	}
	special := map[string]int{}
	for _, s := range m.Special {
		special[s] = v.add(s, control)
	}
	for _, start := range m.Special { // in a fixed order
		at := special[start]
		for _, piece := range m.Says[start] {
			id, ok := special[piece]
			if !ok {
				id = v.add(strings.ReplaceAll(piece, " ", "▁"), normal)
			}
			v.next[at], at = id, id
		}
		if len(m.Says[start]) > 0 {
			v.next[at] = eos
		}
	}
	for start := range m.Says {
		if _, ok := special[start]; !ok {
			panic("scripted: " + start + " is no special token")
		}
	}
	return v
}

// signs are n embeddings, the same at every call.
func signs(n int) []float32 {
	out := make([]float32, n*dim)
	x := uint64(1)
	for i := range out {
		x = x*6364136223846793005 + 1442695040888963407
		out[i] = 1
		if x>>63 == 1 {
			out[i] = -1
		}
	}
	return out
}
