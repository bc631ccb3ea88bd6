package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"straw/gguf"
	"straw/internal/demo"
	"straw/quant"
)

// pairs are keys and plain values, as gguf.ValueOf takes them; a nil value takes a key away.
type pairs map[string]any

const chatML = "{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{% endfor %}" +
	"{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

// chatMLTools is chatML with tools and their results.
const chatMLTools = "{% if tools %}{{ tools | tojson }}{% endif %}" +
	"{% for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content }}" +
	"{% for c in m.tool_calls %}{{ c.function.name }}{{ c.function.arguments | tojson }}{% endfor %}{{ '<|im_end|>\\n' }}{% endfor %}"

// bpe is a byte-level BPE model that nothing is wrong with.
func bpe() pairs {
	return pairs{
		"general.architecture":         "llama",
		"general.name":                 "Small",
		"general.file_type":            uint32(0),
		"llama.vocab_size":             uint32(6),
		"tokenizer.ggml.model":         "gpt2",
		"tokenizer.ggml.pre":           "gpt-2",
		"tokenizer.ggml.tokens":        []string{"a", "b", "ab", "<|im_start|>", "<|im_end|>", "<s>"},
		"tokenizer.ggml.token_type":    []int32{1, 1, 1, 3, 3, 3},
		"tokenizer.ggml.merges":        []string{"a b"},
		"tokenizer.ggml.eos_token_id":  uint32(4),
		"tokenizer.ggml.bos_token_id":  uint32(5),
		"tokenizer.ggml.add_bos_token": true,
		"tokenizer.chat_template":      chatML,
	}
}

// spm is a SentencePiece model that nothing is wrong with.
func spm() pairs {
	texts, types := []string{"<unk>", "<s>", "</s>"}, []int32{2, 3, 3}
	for b := range 256 {
		texts, types = append(texts, fmt.Sprintf("<0x%02X>", b)), append(types, 6)
	}
	texts, types = append(texts, "▁a"), append(types, 1)
	return pairs{
		"general.architecture":        "llama",
		"general.file_type":           uint32(0),
		"tokenizer.ggml.model":        "llama",
		"tokenizer.ggml.tokens":       texts,
		"tokenizer.ggml.token_type":   types,
		"tokenizer.ggml.scores":       make([]float32, len(texts)),
		"tokenizer.ggml.bos_token_id": uint32(1),
		"tokenizer.ggml.eos_token_id": uint32(2),
	}
}

func (p pairs) with(changes pairs) pairs {
	for k, v := range changes {
		if v == nil {
			delete(p, k)
		} else {
			p[k] = v
		}
	}
	return p
}

// open writes a file with these keys and a matrix for each of rows, and opens it.
func (p pairs) open(t testing.TB, rows map[string]uint64) *gguf.File {
	t.Helper()
	var d gguf.Draft
	keys := make([]string, 0, len(p))
	for k := range p {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		v, ok := gguf.ValueOf(p[k])
		if !ok {
			t.Fatalf("%s: no value of %T", k, p[k])
		}
		d.Set(k, v)
	}
	for name, n := range rows {
		err := d.Add(name, []uint64{2, n}, quant.F32, func(w io.Writer) error {
			_, err := w.Write(make([]byte, 8*n))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	if _, err := d.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func examine(t testing.TB, f *gguf.File) []gguf.Finding {
	t.Helper()
	found, err := Examine(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func rulesOf(list []gguf.Finding) string {
	var ids []string
	for _, f := range list {
		ids = append(ids, f.Rule)
	}
	return strings.Join(ids, " ")
}

// spmToken changes one token of spm.
func spmToken(id int, text string, kind int32) pairs {
	p := spm()
	p["tokenizer.ggml.tokens"].([]string)[id] = text
	p["tokenizer.ggml.token_type"].([]int32)[id] = kind
	return p
}

func template(src string) pairs { return bpe().with(pairs{"tokenizer.chat_template": src}) }

func TestFindings(t *testing.T) {
	rows := func(n uint64) map[string]uint64 { return map[string]uint64{"token_embd.weight": n} }
	for _, x := range []struct {
		name  string
		keys  pairs
		rows  map[string]uint64
		want  string // ids, in order
		parts string // what the last message holds, parted by |
	}{
		{"good bpe", bpe(), rows(6), "", ""},
		{"good spm", spm(), rows(260), "", ""},
		{"good, with tools", template(chatMLTools), nil, "", ""},
		{"padding rows are in vocab_size", bpe().with(pairs{"llama.vocab_size": uint32(8)}), rows(8), "", ""},

		{"pre missing", bpe().with(pairs{"tokenizer.ggml.pre": nil}), nil, "pre-missing", "set the key to the name"},
		{"pre missing, known family", bpe().with(pairs{"tokenizer.ggml.pre": nil, "general.architecture": "qwen2"}), nil, "pre-missing", `"qwen2"`},
		{"pre default", bpe().with(pairs{"tokenizer.ggml.pre": "default"}), nil, "pre-default", "no pre-tokenizer is named"},
		{"pre unknown", bpe().with(pairs{"tokenizer.ggml.pre": "un\x1bknown"}), nil, "tokenizer-refused", `\x1b`},
		{"merges missing is gguf's", bpe().with(pairs{"tokenizer.ggml.merges": nil}), nil, "", ""},
		{"tokens are no texts", bpe().with(pairs{"tokenizer.ggml.tokens": []int32{1, 2}, "llama.vocab_size": nil, "tokenizer.ggml.eos_token_id": uint32(1)}), nil, "tokenizer-refused", ""},
		{"no tokens at all", bpe().with(pairs{"tokenizer.ggml.tokens": []string{}}), nil, "tokenizer-refused", "there are no tokens"},
		{"token_type is no array", bpe().with(pairs{"tokenizer.ggml.token_type": "x"}), nil, "tokenizer-refused", ""},
		{"tokenizer unknown", bpe().with(pairs{"tokenizer.ggml.model": "abacus"}), nil, "tokenizer-refused", "abacus"},
		{"special id of an ordinary token", bpe().with(pairs{"tokenizer.ggml.eos_token_id": uint32(1)}), nil, "token-id-type", `token 1, "b", is of type normal`},
		{"special id out of range is gguf's", bpe().with(pairs{"tokenizer.ggml.eos_token_id": uint32(99)}), nil, "", ""},
		{"token twice", bpe().with(pairs{"tokenizer.ggml.tokens": []string{"a", "b", "ab", "b", "<|im_end|>", "<s>"}}), nil, "token-duplicate template-marker", ``},
		{"token twice, no template", bpe().with(pairs{"tokenizer.chat_template": nil, "tokenizer.ggml.tokens": []string{"a", "b", "ab", "b", "<|im_end|>", "<s>"}}), nil, "token-duplicate", `"b" with ids 1 and 3`},
		{"byte token -1", spmToken(3+0x41, "<0x-1>", 6), nil, "byte-token-odd byte-tokens-missing", "1 byte, the first <0x41>"},
		{"byte token ZZ as text", spmToken(259, "<0xZZ>", 1), nil, "byte-token-odd", `"<0xZZ>"`},
		{"byte token of type normal", spmToken(3+10, "<0x0A>", 1), nil, "byte-token-type", "token 13, <0x0A>"},
		{"byte itself as a token", spmToken(3+0x41, "A", 1), nil, "", ""},
		{"nothing ends", bpe().with(pairs{"tokenizer.ggml.tokens": []string{"a", "b", "ab", "<x>", "<y>", "<s>"}, "tokenizer.ggml.eos_token_id": nil,
			"tokenizer.chat_template": nil}), nil, "no-end", "runs on to its limit"},
		{"end of a part", bpe().with(pairs{"tokenizer.ggml.tokens": []string{"a", "b", "<|return|>", "<|call|>", "<|end|>", "<s>"},
			"tokenizer.chat_template": nil}), nil, "end-ignored", `"<|end|>"`},
		{"turn ends with another token", template(strings.ReplaceAll(chatML, "<|im_end|>", "<s>")), nil, "turn-end", `"<s>"|its id, 5`},
		{"bos twice", template("{{ bos_token }}" + chatML), nil, "bos-doubled", `"<s>"`},
		{"bos of the template alone", template("{{ bos_token }}" + chatML).with(pairs{"tokenizer.ggml.add_bos_token": false}), nil, "", ""},

		{"marker is no token", template(strings.ReplaceAll(chatML, "im_start", "begin")), nil, "template-marker", `"<|begin|>"`},
		{"marker of type normal", bpe().with(pairs{"tokenizer.ggml.token_type": []int32{1, 1, 1, 1, 1, 3}}), nil, "token-id-type template-marker-type", `"<|im_start|>"|token 3|control (3)`},
		{"a template of its own name", bpe().with(pairs{"tokenizer.chat_template.rag": "{{ documents[0] }}"}), nil, "", ""},
		{"a broken one of its own name", bpe().with(pairs{"tokenizer.chat_template.rag": "{{"}), nil, "template-syntax", ""},

		{"vocab_size and rows", bpe().with(pairs{"llama.vocab_size": uint32(5)}), rows(6), "vocab-size", "5|6 rows"},
		{"vocab_size and tokens", bpe().with(pairs{"llama.vocab_size": uint32(5)}), nil, "vocab-size", "6 tokens"},
		{"output rows", bpe(), map[string]uint64{"token_embd.weight": 6, "output.weight": 7}, "output-rows", "7|6"},
		{"rope.scale_linear", bpe().with(pairs{"llama.rope.scale_linear": float32(2)}), nil, "deprecated-key", "llama.rope.scaling.factor"},
		{"prefix_token_id beside its successor", bpe().with(pairs{"tokenizer.ggml.prefix_token_id": uint32(3), "tokenizer.ggml.fim_pre_token_id": uint32(3)}), nil, "deprecated-key", "which the file has too"},
		{"quantization version 1", bpe().with(pairs{"general.quantization_version": uint32(1)}), nil, "quantization-version", "version 1"},
		{"one shard", bpe().with(pairs{"split.count": uint16(1)}), nil, "split-leftover", ""},
		{"merged", bpe().with(pairs{"split.count": uint16(0)}), nil, "", ""},
		{"a later shard", pairs{"split.no": uint16(1), "split.count": uint16(1)}, nil, "split-leftover", ""},

		{"instruct without a template", bpe().with(pairs{"tokenizer.chat_template": nil, "general.finetune": "Instruct"}), nil, "template-missing", "general.finetune"},
		{"gemma it without a template", bpe().with(pairs{"tokenizer.chat_template": nil, "general.name": "Gemma 2B It"}), nil, "template-missing", ""},
		{"empty template", template(" \n").with(pairs{"general.name": "x-chat"}), nil, "template-missing", ""},
		{"base without a template", bpe().with(pairs{"tokenizer.chat_template": nil}), nil, "", ""},
		{"syntax", template("a\n  {{ b"), nil, "template-syntax", "line 2, column"},
		{"fails on everything", template("{{ raise_exception('go \x1b away') }}"), nil, "template-fails", `go \x1b away`},
		{"question lost", template("nothing"), nil, "template-fails", "the question is not in what it renders"},
		{"parts only", template(strings.ReplaceAll(chatML, "m.content", "m.content[0]['text']")), nil, "template-parts", "in parts"},
		{"no second question", template("{% if messages|length > 2 %}{{ raise_exception('one only') }}{% endif %}" + chatML), nil, "template-turns", `"one only"`},
		{"forgets", template("{{ messages[-1].content }}"), nil, "template-turns template-system-ignored", ""},
		{"system refused", template("{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}" + chatML), nil, "template-system", `"System role not supported"`},
		{"system left out", template("{% for m in messages if m.role != 'system' %}{{ m.content }}{% endfor %}"), nil, "template-system-ignored", ""},
		{"empty system", template("{% for m in messages %}{{ m.content }}{% if not m.content %}{{ 1 // 0 }}{% endif %}{% endfor %}"), nil, "template-empty-system", ""},
		{"tools refused", template("{% if tools %}{{ raise_exception('no tools') }}{% endif %}" + chatML), nil, "template-tools", `"no tools"`},
		{"tools left out", template("{% if tools and builtin %}{{ tools }}{% endif %}" + chatML), nil, "template-tools-ignored", "speaks of tools"},
		{"tool tokens, no tools", bpe().with(pairs{"tokenizer.ggml.tokens": []string{"a", "b", "ab", "<tool_call>", "<|im_end|>", "<s>"}}), nil, "template-marker template-tools-ignored", "<tool_call>"},
		{"results left out", template("{{ tools }}{% for m in messages if m.role != 'tool' %}{{ m.content }}{% endfor %}"), nil, "template-tool-calls", "leaves the result"},
		{"arguments as text", template("{{ tools }}{% for m in messages %}{{ m.content }}{% for c in m.tool_calls %}{{ c.function.arguments + '' }}{% endfor %}{% endfor %}"), nil, "", ""},
		{"tools have a template", template(chatML + "{# tools #}").with(pairs{"tokenizer.chat_template.tool_use": chatMLTools}), nil, "", ""},
		{"reaches out", template("{{ ''.__class__.__mro__ }}" + chatML), nil, "template-dunder template-fails", ""},
		{"reaches out, hidden", template(`{{ ''['\x5f\x5fClass\x5f\x5f'] }}` + chatML), nil, "template-dunder", ""},
		{"blob", template("{# " + strings.Repeat("QUJD0123", 40) + " #}" + chatML), nil, "template-blob", "from byte 3"},
		{"a ruler is no blob", template("{# " + strings.Repeat("=", 400) + " #}" + chatML), nil, "", ""},
		{"address", template("{# see https://example.org/x?y) #}" + chatML), nil, "template-url", `"https://example.org/x?y"`},
		{"invisible", template("{# \u202e #}" + chatML), nil, "template-invisible", "U+202E|byte 3"},
		{"long", template("{# " + strings.Repeat("a ", 60_000) + "#}" + chatML), nil, "template-long", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			f := x.keys.open(t, x.rows)
			found := examine(t, f)
			if got := rulesOf(found); got != x.want {
				t.Fatalf("rules %q, want %q\n%v", got, x.want, found)
			}
			for part := range strings.SplitSeq(x.parts, "|") {
				if len(found) > 0 && !strings.Contains(found[len(found)-1].Message, part) {
					t.Errorf("no %q in %q", part, found[len(found)-1].Message)
				}
			}
		})
	}
}

func TestDemoIsWell(t *testing.T) {
	f, err := gguf.Open(demo.Open())
	if err != nil {
		t.Fatal(err)
	}
	if found := examine(t, f); len(found) > 0 {
		t.Errorf("%v", found)
	}
}

// TestHostile: templates made to take for ever end, and so do those of a caller who gave up.
func TestHostile(t *testing.T) {
	const endless = "{% for a in range(100000) %}{% for b in range(100000) %}{{ '' }}{% endfor %}{% endfor %}"
	found := examine(t, template(endless+chatML).open(t, nil))
	if got := rulesOf(found); got != "template-fails" {
		t.Errorf("rules %q\n%v", got, found)
	}
	for _, role := range []string{"system", "tool", "assistant"} {
		slow := "{{ tools }}{% for m in messages if m.role == '" + role + "' %}" + endless + "{% endfor %}" + chatML
		examine(t, template(slow).open(t, nil))
	}
	many := bpe()
	for i := range 1000 {
		many[fmt.Sprintf("tokenizer.chat_template.t%03d", i)] = endless
	}
	if found := examine(t, many.open(t, nil)); len(found) > 2*mostTemplates {
		t.Errorf("%d findings", len(found))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if found, err := Examine(ctx, many.open(t, nil)); !errors.Is(err, context.Canceled) || rulesOf(found) != "template-many" {
		t.Errorf("%v, %v", found, err)
	}
}

// TestRules: every rule has a text, no id is there twice, and the rules that the corpus meets are in the table.
func TestRules(t *testing.T) {
	table := map[string]Rule{}
	for _, r := range Rules() {
		if _, twice := table[r.ID]; twice || r.ID == "" || r.Title == "" || !strings.HasSuffix(r.Help, ".") {
			t.Errorf("rule %+v", r)
		}
		table[r.ID] = r
	}
	seen := map[string]bool{}
	err := filepath.WalkDir("../../testdata/corpus", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".gguf") {
			return err
		}
		f, openErr := gguf.OpenFS(os.DirFS(filepath.Dir(path)), filepath.Base(path))
		if f == nil {
			t.Errorf("%s: %v", path, openErr)
			return nil
		}
		defer f.Close()
		found := f.Findings
		if openErr == nil {
			found = slices.Concat(found, examine(t, f))
		}
		for _, x := range found {
			r, ok := table[x.Rule]
			switch {
			case !ok:
				t.Errorf("%s: rule %q is not in the table", path, x.Rule)
			case x.Severity > r.Severity:
				t.Errorf("%s: %s is %s, in the table %s", path, x.Rule, x.Severity, r.Severity)
			}
			seen[x.Rule] = true
		}
		return nil
	})
	if err != nil || len(seen) < 20 {
		t.Errorf("%d rules seen, %v", len(seen), err)
	}
}

// TestUpstream: the templates that models come with, where ../shared is there, raise no suspicion and take a plain question.
func TestUpstream(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/templates_upstream/*.jinja")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range examine(t, template(string(src)).open(t, nil)) {
			if strings.Contains(f.Message, "'functions' is undefined") {
				continue // firefunction wants a variable of its own
			}
			switch f.Rule {
			case "template-syntax", "template-fails", "template-dunder", "template-blob", "template-invisible", "template-long":
				t.Errorf("%s: %s: %s", filepath.Base(file), f.Rule, f.Message)
			}
		}
	}
}

// TestHeaderRules: the rules that gguf's source names are those of the table.
func TestHeaderRules(t *testing.T) {
	files, err := filepath.Glob("../../gguf/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var source strings.Builder
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(file, "_test.go") {
			source.Write(b)
		}
	}
	named := map[string]bool{}
	for _, before := range []string{`add("`, `stop("`, `report("`, `reportAbout("`, `Finding{"`} {
		parts := strings.Split(source.String(), before)
		for _, p := range parts[1:] {
			id, _, _ := strings.Cut(p, `"`)
			named[id] = true
		}
	}
	for _, r := range headers {
		if !named[r.ID] {
			t.Errorf("gguf has no rule %s", r.ID)
		}
		delete(named, r.ID)
	}
	for id := range named {
		t.Errorf("the table has no rule %s", id)
	}
}
