package doctor

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"straw/tokenizer"
)

const ggml = "tokenizer.ggml."

// vocabulary examines the tokenizer.* keys.
func (e *examination) vocabulary() {
	e.texts = array[string](e, ggml+"tokens")
	model := e.text(ggml + "model")
	if !e.has(ggml+"tokens") || model == "" || model == "none" || model == "no_vocab" {
		return
	}
	e.kinds = array[int64](e, ggml+"token_type")
	if model == "gpt2" {
		e.pre()
	}
	var err error
	if e.tok, err = tokenizer.New(e.f); err != nil {
		e.refused(err)
	}
	e.specials()
	e.duplicates()
	e.byteTokens(model)
	if e.tok != nil && model != "bert" && !e.has(e.f.Architecture()+".pooling_type") {
		e.ends()
	}
}

// refused says why the file's tokenizer cannot be built, unless gguf's lint has said so.
func (e *examination) refused(err error) {
	t := (*tokenizer.Error)(nil)
	if !errors.As(err, &t) {
		return
	}
	if t.Key == ggml+"merges" && !e.has(t.Key) {
		return
	}
	do := "; correct the key or convert the model again"
	if t.Kind() == "unsupported" {
		do = "; Straw shows the file but cannot split text for it"
	}
	e.add("tokenizer-refused", t.Key, strings.TrimPrefix(plain(err.Error()), t.Key+": ")+do)
}

// pre: how text is cut before the merges is not in the vocabulary; a wrong guess gives other tokens, and no error.
func (e *examination) pre() {
	const key = ggml + "pre"
	v, ok := e.f.Value(key)
	const follows = "text is cut by a rule that fits few models, gets more and other tokens than in training, and answers are worse; "
	do := "set the key to the name of the model's family, or convert it again with a newer converter"
	if name := e.family(); name != "" {
		do = "by its architecture the model's is probably " + quoted(name) + ": set the key, or convert it again with a newer converter"
	}
	switch {
	case !ok:
		e.add("pre-missing", key, "the key is missing: "+follows+do)
	case v.Len() == 0 || e.text(key) == "default":
		e.add("pre-default", key, "no pre-tokenizer is named: "+follows+do)
	}
}

// family is the pre-tokenizer of a well-known family, "" if there is more than one guess.
func (e *examination) family() string {
	switch arch := e.f.Architecture(); arch {
	case "llama":
		if n := len(e.texts); n >= 128256 && n <= 128264 { // Llama 3, and with a few tokens added
			return "llama-bpe"
		}
	case "qwen2", "qwen2moe", "qwen3", "qwen3moe":
		if !strings.Contains(strings.ToLower(e.text("general.name")), "deepseek") {
			return "qwen2"
		}
	case "gpt2":
		return "gpt-2"
	case "phi2":
		return "phi-2"
	case "starcoder", "starcoder2":
		return "starcoder"
	case "falcon", "mpt", "olmo", "bloom", "refact", "command-r":
		return arch
	}
	return ""
}

// specials: ids of tokens that are no special ones, so that their text in a prompt is taken for the token's, or they are
// shown in answers.
func (e *examination) specials() {
	for _, name := range []string{"bos", "eos", "eot", "eom"} {
		key := ggml + name + "_token_id"
		id, ok := e.integer(key)
		if !ok || id < 0 || id >= int64(len(e.texts)) || id >= int64(len(e.kinds)) {
			continue // out of range is gguf's finding
		}
		switch kind := tokenizer.TokenType(min(max(e.kinds[id], 0), 255)); kind {
		case tokenizer.Normal, tokenizer.Byte, tokenizer.Unused:
			e.add("token-id-type", key, fmt.Sprintf("token %d, %s, is of type %s: either the id is wrong or the token's type should be control; until then it may be shown in answers",
				id, quoted(e.texts[id]), kind))
		}
	}
}

// duplicates: of equal tokens only one is ever found.
func (e *examination) duplicates() {
	seen := make(map[string]int, len(e.texts))
	n, first, second := 0, 0, 0
	for id, text := range e.texts {
		if text == "" {
			continue // takes no text, so it is in nobody's way
		}
		if other, ok := seen[text]; ok {
			if n++; n == 1 {
				first, second = other, id
			}
			continue
		}
		seen[text] = id
	}
	if n > 0 {
		e.add("token-duplicate", ggml+"tokens", fmt.Sprintf("%s, the first %s with ids %d and %d: programs differ in which of the two they take; convert the model again",
			plural(n, "repeated token"), quoted(e.texts[second]), first, second))
	}
}

// byteTokens examines <0x00> to <0xFF>, by which a SentencePiece model writes what is in no other token.
func (e *examination) byteTokens(model string) {
	have, single := [256]bool{}, [256]bool{}
	nHave, untyped, odd := 0, -1, -1
	for id, text := range e.texts {
		if len(text) == 1 {
			single[text[0]] = true
		}
		isByte := id < len(e.kinds) && e.kinds[id] == int64(tokenizer.Byte)
		b, ok := byteOf(text)
		switch {
		case ok:
			if !have[b] {
				have[b] = true
				nHave++
			}
			if !isByte && id < len(e.kinds) && untyped < 0 {
				untyped = id
			}
		case (isByte || model == "llama" && strings.HasPrefix(text, "<0x") && strings.HasSuffix(text, ">") && len(text) <= 7) && odd < 0:
			odd = id
		}
	}
	const key = ggml + "tokens"
	if odd >= 0 {
		e.add("byte-token-odd", key, fmt.Sprintf("token %d, %s, is to stand for a byte but is not written <0x00> to <0xFF>: it is taken as plain text here, other programs have crashed on it; convert the model again",
			odd, quoted(e.texts[odd])))
	}
	if model != "llama" {
		return
	}
	if untyped >= 0 {
		e.add("byte-token-type", ggml+"token_type", fmt.Sprintf("token %d, %s, is not of type byte (%d): it is shown as its name, not as the byte; set the type",
			untyped, e.texts[untyped], tokenizer.Byte))
	}
	if nHave == 0 {
		return // a vocabulary without byte fallback
	}
	n, first := 0, -1
	for b := range have {
		if !have[b] && !single[b] {
			if n++; first < 0 {
				first = b
			}
		}
	}
	if n > 0 {
		e.add("byte-tokens-missing", key, fmt.Sprintf("no token for %s, the first <0x%02X>: text with characters that are in no token is lost; convert the model again", plural(n, "byte"), first))
	}
}

// byteOf is the byte of a token written <0xHH>.
func byteOf(text string) (b byte, ok bool) {
	if len(text) != 6 || text[:3] != "<0x" || text[5] != '>' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[3:5], 16, 8)
	return byte(n), err == nil
}

// ends: generation must come to an end.
func (e *examination) ends() {
	any := false
	for id := range e.tok.Size() {
		if e.tok.IsEOG(id) {
			any = true
			break
		}
	}
	if !any {
		e.add("no-end", ggml+"eos_token_id", "no token ends generation: every answer runs on to its limit; set the key to the id of the token that ends a text")
		return
	}
	for _, name := range []string{"eos", "eot"} {
		key := ggml + name + "_token_id"
		if id, ok := e.integer(key); ok && id >= 0 && id < int64(e.tok.Size()) && !e.tok.IsEOG(int(id)) {
			e.add("end-ignored", key, fmt.Sprintf("token %d, %s, does not end generation: in vocabularies like this one it ends a part of an answer only; another token should be named here", id, quoted(e.texts[id])))
		}
	}
}

// plain is a message that may hold text of the file, on one line without anything that a terminal acts on.
func plain(s string) string {
	q := strconv.Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}
