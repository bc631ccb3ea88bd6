package tokenizer_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"straw/tokenizer"
)

// fake is metadata without a file.
type fake map[string]any

func (f fake) Get(key string) (any, error) { return f[key], nil }

// with is f with one key changed, or without it where value is nil.
func (f fake) with(key string, value any) fake {
	g := fake{}
	maps.Copy(g, f)
	if g[key] = value; value == nil {
		delete(g, key)
	}
	return g
}

// readVocab reads the metadata of testdata/tok/*.vocab.json as gguf.File.Get
// would give it.
func readVocab(t testing.TB, name string) fake {
	var list []struct {
		Key, Type, Elem string
		Value           json.RawMessage
	}
	readJSON(t, filepath.Join("..", "testdata", "tok", name), &list)
	f := fake{}
	for _, kv := range list {
		switch kv.Type + kv.Elem {
		case "bool":
			f[kv.Key] = decode[bool](t, kv.Value)
		case "u32":
			f[kv.Key] = decode[int64](t, kv.Value)
		case "str":
			f[kv.Key] = decode[string](t, kv.Value)
		case "arrstr":
			f[kv.Key] = decode[[]string](t, kv.Value)
		case "arrf32":
			f[kv.Key] = decode[[]float64](t, kv.Value)
		case "arri32", "arru8":
			f[kv.Key] = decode[[]int64](t, kv.Value)
		default:
			t.Fatalf("%s: %s: type %s %s", name, kv.Key, kv.Type, kv.Elem)
		}
	}
	return f
}

func decode[T any](t testing.TB, b []byte) (v T) {
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func readJSON(t testing.TB, path string, v any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// goldenCase is a case of golden/tok/*.json: *_hex where a text is not UTF-8.
type goldenCase struct {
	Text, TextHex               *string
	AddSpecial, ParseSpecial    bool
	IDs                         []int
	Detok, DetokSpecial, Pieces *string
}

func (c *goldenCase) UnmarshalJSON(b []byte) error {
	var raw map[string]any
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	text := func(key string) *string {
		if s, ok := raw[key].(string); ok {
			return &s
		}
		if s, ok := raw[key+"_hex"].(string); ok {
			b, _ := hex.DecodeString(s)
			s = string(b)
			return &s
		}
		return nil
	}
	c.Text, c.Detok, c.DetokSpecial, c.Pieces = text("text"), text("detok"), text("detok_special"), text("pieces")
	c.AddSpecial, _ = raw["add_special"].(bool)
	c.ParseSpecial, _ = raw["parse_special"].(bool)
	ids, _ := raw["ids"].([]any)
	for _, id := range ids {
		c.IDs = append(c.IDs, int(id.(float64)))
	}
	return nil
}

type golden struct {
	Vocab string
	Model string
	Cases []goldenCase
}

func newTokenizer(t testing.TB, m tokenizer.Metadata) *tokenizer.Tokenizer {
	t.Helper()
	tok, err := tokenizer.New(m)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

func checkCases(t *testing.T, tok *tokenizer.Tokenizer, cases []goldenCase) {
	t.Helper()
	for _, c := range cases {
		o := tokenizer.Options{AddSpecial: c.AddSpecial, ParseSpecial: c.ParseSpecial}
		if got := tok.Encode(*c.Text, o); !slices.Equal(got, c.IDs) {
			t.Errorf("%q %+v:\n got %v\nwant %v", *c.Text, o, got, c.IDs)
			continue
		}
		if c.Detok != nil {
			if got := string(tok.Decode(c.IDs, false)); got != *c.Detok {
				t.Errorf("%v: detok %q, want %q", c.IDs, got, *c.Detok)
			}
			if got := string(tok.Decode(c.IDs, true)); got != *c.DetokSpecial {
				t.Errorf("%v: detok special %q, want %q", c.IDs, got, *c.DetokSpecial)
			}
		}
		if c.Pieces != nil {
			var pieces []byte
			d := tok.NewDecoder(true)
			var streamed strings.Builder
			for _, id := range c.IDs {
				pieces = append(pieces, tok.Piece(id, true)...)
				streamed.WriteString(d.Push(id))
			}
			streamed.WriteString(d.Flush())
			if string(pieces) != *c.Pieces {
				t.Errorf("%v: pieces %q, want %q", c.IDs, pieces, *c.Pieces)
			}
			if want := string([]rune(*c.Pieces)); streamed.String() != want {
				t.Errorf("%v: streamed %q, want %q", c.IDs, streamed.String(), want)
			}
		}
	}
}

// TestTiny compares with llama.cpp on the small vocabularies in testdata.
func TestTiny(t *testing.T) {
	for _, name := range []string{"tiny-spm", "tiny-bpe", "tiny-wpm", "tiny-ugm", "tiny-rwkv", "wpm-cased", "wpm-accents",
		"ugm-charsmap", "ugm-spaces", "rwkv-escapes", "plamo2", "whitespace", "hybriddna"} {
		t.Run(name, func(t *testing.T) {
			var g golden
			readJSON(t, filepath.Join("..", "testdata", "tok", name+".json"), &g)
			checkCases(t, newTokenizer(t, readVocab(t, g.Vocab)), g.Cases)
		})
	}
}

// TestPretokenizers compares with llama.cpp under every name of a pre-tokenizer.
func TestPretokenizers(t *testing.T) {
	var g struct {
		Vocab  string
		Texts  []string
		Groups []struct {
			Pre     []string
			AddsBOS bool `json:"adds_bos"`
			IDs     [][]int
		}
	}
	readJSON(t, filepath.Join("..", "testdata", "tok", "pre.json"), &g)
	vocab := readVocab(t, g.Vocab)
	n := 0
	for _, group := range g.Groups {
		for _, pre := range group.Pre {
			n++
			tok := newTokenizer(t, vocab.with("tokenizer.ggml.pre", pre))
			for i, text := range g.Texts {
				if got := tok.Encode(text, tokenizer.Options{}); !slices.Equal(got, group.IDs[i]) {
					t.Errorf("%s: %q:\n got %v\nwant %v", pre, text, got, group.IDs[i])
				}
			}
			if tok.AddBOS() != group.AddsBOS {
				t.Errorf("%s: AddBOS is %v", pre, tok.AddBOS())
			}
		}
	}
	if n != 89 {
		t.Errorf("%d names, want 89", n)
	}
}

func ExampleNew() {
	_, err := tokenizer.New(fake{"tokenizer.ggml.model": "gpt3"})
	fmt.Println(err)
	// Output: tokenizer.ggml.model: "gpt3" is not supported (supported: bert, gemma4, gpt2, hybriddna, llama, plamo2, rwkv, t5, whitespace)
}

// charsmapOf is a precompiled_charsmap of these units and replacements.
func charsmapOf(texts string, units ...uint32) []int64 {
	b := binary.LittleEndian.AppendUint32(nil, uint32(4*len(units)))
	for _, u := range units {
		b = binary.LittleEndian.AppendUint32(b, u)
	}
	var ints []int64
	for _, c := range append(b, texts...) {
		ints = append(ints, int64(c))
	}
	return ints
}

// TestErrors has the ways in which metadata is no tokenizer, and what is not
// an error: FORMAT.md C 42, 45, 48.
func TestErrors(t *testing.T) {
	spm, bpe := readVocab(t, "tiny-spm.vocab.json"), readVocab(t, "tiny-bpe.vocab.json")
	ugm, wpm := readVocab(t, "ugm-charsmap.vocab.json"), readVocab(t, "tiny-wpm.vocab.json")
	rwkv, plamo := readVocab(t, "tiny-rwkv.vocab.json"), readVocab(t, "plamo2.vocab.json")
	const p = "tokenizer.ggml."
	const charsmap = p + "precompiled_charsmap"
	for _, x := range []struct {
		name string
		m    fake
		want string // the beginning; "": none
		kind string
	}{
		{"no model", spm.with(p+"model", nil), p + "model: key is missing", "format"},
		{"model of another type", spm.with(p+"model", int64(3)), p + "model: want string, have int64", "format"},
		{"unknown model", spm.with(p+"model", "t6"), p + `model: "t6" is not supported (supported: bert, gemma4, gpt2, `, "unsupported"},
		{"unknown pre", bpe.with(p+"pre", "gpt-9"), p + `pre: "gpt-9" is not supported (supported: a.x-4.0, afmoe, `, "unsupported"},
		{"no pre", bpe.with(p+"pre", nil), "", ""},
		{"no tokens", spm.with(p+"tokens", nil), p + "tokens: key is missing", "format"},
		{"zero tokens", spm.with(p+"tokens", []string{}), p + "tokens: there are no tokens", "format"},
		{"tokens as numbers", spm.with(p+"tokens", []int64{1}), p + "tokens: want []string, have []int64", "format"},
		{"no merges", bpe.with(p+"merges", nil), p + "merges: key is missing: a BPE vocabulary", "format"},
		{"no merges with kimi", bpe.with(p+"merges", nil).with(p+"pre", "kimi-k2"), "", ""},
		{"merge without separator", bpe.with(p+"merges", []string{"ab", "", " ", "a", "Ġ t", "日 本"}), "", ""},
		{"no token types", spm.with(p+"token_type", nil), "", ""},
		{"token types as u64", spm.with(p+"token_type", []uint64{1, 1 << 63}), "", ""},
		{"token types as strings", spm.with(p+"token_type", []string{"a"}), p + "token_type: want an array of integers, have []string", "format"},
		{"few scores", spm.with(p+"scores", []float64{1}), "", ""},
		{"scores as integers", spm.with(p+"scores", []int64{1}), "", ""},
		{"scores as bools", spm.with(p+"scores", []bool{true}), p + "scores: want an array of floats, have []bool", "format"},
		{"BOS outside", spm.with(p+"bos_token_id", int64(1e9)), "", ""},
		{"BOS far outside", spm.with(p+"bos_token_id", uint64(1<<63)), "", ""},
		{"BOS as string", spm.with(p+"bos_token_id", "<s>"), p + "bos_token_id: want an integer, have string", "format"},
		{"add BOS as integer", spm.with(p+"add_bos_token", int64(1)), p + "add_bos_token: want bool, have int64", "format"},
		{"no charsmap", ugm.with(charsmap, nil), "", ""},
		{"charsmap as string", ugm.with(charsmap, "abcd"), charsmap + ": want an array of integers, have string", "format"},
		{"charsmap of wide integers", ugm.with(charsmap, []int64{0, 0, 0, 256}), charsmap + ": element 3 is 256, not a byte", "format"},
		{"empty charsmap", ugm.with(charsmap, []int64{}), charsmap + ": 0 bytes, want at least 4", "format"},
		{"charsmap of a length only", ugm.with(charsmap, []int64{0, 0, 0, 0}), charsmap + ": its array has 0 bytes, but there are 0 after", "format"},
		{"charsmap without array", ugm.with(charsmap, []int64{0, 0, 0, 0, 0}), "", ""},
		{"charsmap of signed bytes", ugm.with(charsmap, []int64{4, 0, 0, 0, -1, -1, -1, -1, 0}), "", ""},
		{"charsmap cut short", ugm.with(charsmap, []int64{0, 4, 0, 0, 0, 0, 0, 0}), charsmap + ": its array has 1024 bytes, but there are 4 after", "format"},
		{"charsmap of 4 GB", ugm.with(charsmap, []int64{255, 255, 255, 255, 0}), charsmap + ": its array has 4294967295 bytes", "format"},
		{"charsmap value outside", ugm.with(charsmap, charsmapOf("a", 2<<10, 0, 0, 1|1<<8|1<<10)), charsmap + ": unit 3 has a replacement at 0, which has no end in the 1 bytes", "format"},
		{"charsmap value node outside", ugm.with(charsmap, charsmapOf("\x00", 2<<10, 0, 0, 1|1<<20|1<<9|1<<8)), charsmap + ": unit 3 has its value at 262147 of 4 units", "format"},
		{"charsmap replacement without end", ugm.with(charsmap, charsmapOf("a\x00b", 2<<10, 0, 1<<31|2, 1|1<<8|1<<10)), charsmap + ": unit 3 has a replacement at 2, which has no end in the 3 bytes", "format"},
		{"charsmap that goes round", ugm.with(charsmap, charsmapOf("a\x00", 2<<10, 0, 0, 1|1<<10)), charsmap + ": unit 3 leads back to one before it", "format"},
		{"charsmap child outside", ugm.with(charsmap, charsmapOf("a\x00", 1<<30, 0)), "", ""},
		{"UGM without scores", ugm.with(p+"scores", nil), "", ""},
		{"UGM with few scores", ugm.with(p+"scores", []float64{1}), "", ""},
		{"UGM with scores that are none", ugm.with(p+"scores", slices.Repeat([]float64{math.NaN(), math.Inf(-1), math.Inf(1)}, 10)), "", ""},
		{"UGM without normal tokens", ugm.with(p+"token_type", []int64{}).with(p+"tokens", []string{"a"}), "", ""},
		{"UGM without unknown token", ugm.with(p+"tokens", []string{"a"}).with(p+"token_type", nil), "", ""},
		{"spaces as integer", ugm.with(p+"remove_extra_whitespaces", int64(1)), p + "remove_extra_whitespaces: want bool, have int64", "format"},
		{"WPM of one token", wpm.with(p+"tokens", []string{"a"}), "", ""},
		{"WPM of a part of a blank", wpm.with(p+"tokens", []string{"\xE2", "\x96\x81H", "h"}), "", ""},
		{"WPM lower case as string", wpm.with(p+"normalizer.lowercase", "yes"), p + "normalizer.lowercase: want bool, have string", "format"},
		{"RWKV of nothing", rwkv.with(p+"tokens", []string{"\\", "\\x", "\\x0", ""}), "", ""},
		{"RWKV without a token for a byte", rwkv.with(p+"tokens", []string{"He", "\\xzz"}).with(p+"unknown_token_id", nil), "", ""},
		{"PLaMo 2 without byte tokens", plamo.with(p+"tokens", []string{"a", "b"}), p + "tokens: byte token <0x00> is missing", "format"},
		{"PLaMo 2 without token types", plamo.with(p+"token_type", nil), p + "tokens: byte token <0x00> is missing", "format"},
		{"PLaMo 2 without scores", plamo.with(p+"scores", nil), "", ""},
		{"PLaMo 2 with scores that are none", plamo.with(p+"scores", slices.Repeat([]float64{math.NaN(), math.Inf(-1), math.Inf(1), 1e30, -1e30}, 20)), "", ""},
		{"PLaMo 2 with endless tokens", plamo.with(p+"tokens", []string{strings.Repeat("a", 1<<23)}), p + "tokens: the first 1 have more than 4194304 bytes", "format"},
		{"whitespace without merges", bpe.with(p+"model", "whitespace").with(p+"merges", nil), p + "merges: key is missing", "format"},
		{"DNA without its tokens", bpe.with(p+"model", "hybriddna"), "", ""},
		{"empty and equal tokens", spm.with(p+"tokens", []string{"", "a", "", "a"}), "", ""},
	} {
		t.Run(x.name, func(t *testing.T) {
			tok, err := tokenizer.New(x.m)
			if x.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				ids := tok.Encode("Hello, wörld \xff <s>", tokenizer.Options{AddSpecial: true, ParseSpecial: true})
				for _, id := range ids {
					if id < 0 || id >= tok.Size() {
						t.Errorf("id %d of %d", id, tok.Size())
					}
				}
				tok.Decode(append(ids, -1, tok.Size()), true)
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), x.want) {
				t.Fatalf("got %v, want %s", err, x.want)
			}
			var e *tokenizer.Error
			if !errors.As(err, &e) || e.Kind() != x.kind {
				t.Errorf("kind of %v: %v, want %s", err, e.Kind(), x.kind)
			}
		})
	}
}

// TestSpecials reads ids, with and without keys.
func TestSpecials(t *testing.T) {
	const p = "tokenizer.ggml."
	bpe := readVocab(t, "tiny-bpe.vocab.json")
	id := func(id int, ok bool) int {
		if !ok {
			return -1
		}
		return id
	}
	tok := newTokenizer(t, bpe)
	if bos, eos, eot := id(tok.BOS()), id(tok.EOS()), id(tok.EOT()); bos != 316 || eos != 318 || !tok.IsEOG(318) || eot >= 0 && !tok.IsEOG(eot) {
		t.Errorf("BOS %d, EOS %d, EOT %d", bos, eos, eot)
	}
	// 11, which llama.cpp presumes, is an ordinary token here.
	tok = newTokenizer(t, bpe.with(p+"bos_token_id", nil).with(p+"eos_token_id", int64(5000)))
	if bos, eos := id(tok.BOS()), id(tok.EOS()); bos != -1 || eos != -1 {
		t.Errorf("without keys: BOS %d, EOS %d", bos, eos)
	}
	tok = newTokenizer(t, readVocab(t, "tiny-spm.vocab.json").with(p+"bos_token_id", nil).with(p+"eos_token_id", nil))
	if bos, eos := id(tok.BOS()), id(tok.EOS()); bos != 1 || eos != 2 {
		t.Errorf("SPM without keys: BOS %d, EOS %d", bos, eos)
	}

	tokens := []string{"a", "<|im_end|>", "<|return|>", "<|call|>", "<|end|>", "<|channel|>", "b", "<|endoftext|>"}
	harmony := fake{p + "model": "gpt2", p + "pre": "gpt-4o", p + "tokens": tokens, p + "merges": []string{}}
	tok = newTokenizer(t, harmony)
	var eog []int
	for i := range tokens {
		if tok.IsEOG(i) {
			eog = append(eog, i)
		}
	}
	if want := []int{1, 2, 3, 7}; !slices.Equal(eog, want) {
		t.Errorf("end of generation %v, want %v", eog, want)
	}
	for i, want := range []tokenizer.TokenType{tokenizer.Normal, tokenizer.Control, tokenizer.Control, tokenizer.Control, tokenizer.UserDefined, tokenizer.UserDefined} {
		if text, typ := tok.Token(i); typ != want || text != tokens[i] {
			t.Errorf("token %d: %q %v, want %v", i, text, typ, want)
		}
	}
	if got, want := tok.Encode("<|channel|>a<|call|>", tokenizer.Options{}), []int{5, 0}; !slices.Equal(got[:2], want) {
		t.Errorf("user-defined tokens are always parsed: %v", got)
	}
}

// TestStrip has the models whose special tokens take white space along.
func TestStrip(t *testing.T) {
	const p = "tokenizer.ggml."
	spm := readVocab(t, "tiny-spm.vocab.json")
	phi := newTokenizer(t, spm.with("general.name", "Phi-3 mini"))
	got := phi.Encode("</s> \n\t a", tokenizer.Options{ParseSpecial: true})
	if want := newTokenizer(t, spm).Encode("</s>a", tokenizer.Options{ParseSpecial: true}); !slices.Equal(got, want) {
		t.Errorf("right: %v, want %v", got, want)
	}
	jina := fake{p + "model": "gpt2", p + "pre": "jina-v2-code", p + "tokens": []string{"a", "<mask>", "Ġ"}, p + "merges": []string{}, p + "token_type": []int64{1, 3, 1}}
	got = newTokenizer(t, jina).Encode("a \n <mask> a", tokenizer.Options{ParseSpecial: true})
	if want := []int{0, 1, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("left: %v, want %v", got, want)
	}
}

// TestDecoder holds back what is no whole character yet.
func TestDecoder(t *testing.T) {
	tok := newTokenizer(t, readVocab(t, "tiny-spm.vocab.json"))
	d := tok.NewDecoder(false)
	for _, x := range []struct {
		b    byte
		want string
	}{
		{0xF0, ""}, {0x9F, ""}, {0x98, ""}, {0x80, "😀"},
		{'a', "a"}, {0xC3, ""}, {'b', "\uFFFDb"}, {0xFF, "\uFFFD"}, {0x80, "\uFFFD"}, {0xE4, ""}, {0xBD, ""}, {0xE4, "\uFFFD\uFFFD"},
	} {
		if got := d.Push(int(x.b) + 3); got != x.want { // byte tokens begin at 3
			t.Errorf("byte %#x: %q, want %q", x.b, got, x.want)
		}
	}
	if got := d.Flush(); got != "\uFFFD" {
		t.Errorf("flush: %q", got)
	}
	if got := d.Push(1) + d.Flush(); got != "" {
		t.Errorf("control token: %q", got)
	}
}

// TestLong runs texts on which quadratic time would not end.
func TestLong(t *testing.T) {
	spm, bpe := readVocab(t, "tiny-spm.vocab.json"), readVocab(t, "tiny-bpe.vocab.json")
	ugm, wpm := readVocab(t, "ugm-charsmap.vocab.json"), readVocab(t, "tiny-wpm.vocab.json")
	rwkv, plamo := readVocab(t, "tiny-rwkv.vocab.json"), readVocab(t, "plamo2.vocab.json")
	const n = 100_000
	for _, text := range []string{
		strings.Repeat(" ", n), strings.Repeat("a", n), strings.Repeat("the", n/3), strings.Repeat("\n ", n/2), strings.Repeat("1", n),
		strings.Repeat("Éa", n/2), strings.Repeat("'", n), strings.Repeat("<s>", n/3), strings.Repeat("\u3000\u0301", n/2), strings.Repeat("\xE3\x81", n/2),
	} {
		for _, vocab := range []fake{spm, wpm, ugm, rwkv, plamo} {
			newTokenizer(t, vocab).Encode(text, tokenizer.Options{ParseSpecial: true})
		}
		for _, pre := range []string{"default", "gpt-2", "llama-bpe", "gpt-4o", "deepseek-llm", "deepseek-v3", "tiny_aya", "superbpe", "jais-2", "exaone-moe", "gemma4", "youtu", "chameleon"} {
			newTokenizer(t, bpe.with("tokenizer.ggml.pre", pre)).Encode(text, tokenizer.Options{})
		}
	}
}
