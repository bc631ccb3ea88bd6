package tokenizer

import "strings"

// specials are the ids with a role; -1: none. Named as their keys.
type specials struct {
	bos, eos, eot, eom     int
	unk, sep               int
	fimPad, fimRep, fimSep int // end of a completed file: they end generation
	fimPre, fimSuf, fimMid int
}

// loadSpecials reads the ids. One outside the vocabulary counts as absent, as
// llama.cpp has it.
func loadSpecials(m Metadata, r rules, n int) (specials, error) {
	s := specials{r.bos, r.eos, -1, -1, r.unk, r.sep, -1, -1, -1, -1, -1, -1}
	for _, x := range []struct {
		key string
		id  *int
	}{
		{"bos_token_id", &s.bos}, {"eos_token_id", &s.eos}, {"eot_token_id", &s.eot},
		{"eom_token_id", &s.eom}, {"unknown_token_id", &s.unk}, {"seperator_token_id", &s.sep},
		{"fim_pad_token_id", &s.fimPad}, {"fim_rep_token_id", &s.fimRep}, {"fim_sep_token_id", &s.fimSep},
		{"fim_pre_token_id", &s.fimPre}, {"fim_suf_token_id", &s.fimSuf}, {"fim_mid_token_id", &s.fimMid},
		{"prefix_token_id", &s.fimPre}, {"suffix_token_id", &s.fimSuf}, {"middle_token_id", &s.fimMid},
	} {
		id, ok, err := getID(m, prefix+x.key)
		if err != nil {
			return s, err
		}
		if ok && id >= 0 && id < int64(n) {
			*x.id = int(id)
		}
	}
	return s, nil
}

// role says what a token of one of these texts is when no key names another (of
// several the first listed).
type role struct {
	id    func(*specials) *int
	texts []string
}

var roles = []role{
	{func(s *specials) *int { return &s.eot }, []string{"<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>",
		"<|end_of_text|>", "<EOT>", "_<EOT>", "[EOT]", "<｜end▁of▁sentence｜>", "<end_of_utterance>"}},
	{func(s *specials) *int { return &s.eom }, []string{"<|eom_id|>"}},
	{func(s *specials) *int { return &s.fimPre }, []string{"<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>",
		"<PRE>", "▁<PRE>", "<|code_prefix|>", "<|prefix|>"}},
	{func(s *specials) *int { return &s.fimSuf }, []string{"<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>",
		"<SUF>", "▁<SUF>", "<|code_suffix|>", "<|suffix|>"}},
	{func(s *specials) *int { return &s.fimMid }, []string{"<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>",
		"<MID>", "▁<MID>", "<|code_middle|>", "<|middle|>"}},
	{func(s *specials) *int { return &s.fimPad }, []string{"<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"}},
	{func(s *specials) *int { return &s.fimRep }, []string{"<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"}},
	{func(s *specials) *int { return &s.fimSep }, []string{"<|file_sep|>"}},
}

// enders end generation in every model that has them.
var enders = []string{"<|eot_id|>", "<|im_end|>", "<|end|>", "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "<end_of_turn>",
	"<|endoftext|>", "</s>", "<|eom_id|>", "<EOT>", "_<EOT>", "[EOT]", "[EOS]", "<|end_of_text|>", "<end_of_utterance>",
	"<eos>", "<turn|>", "<|tool_response>", "<｜end▁of▁sentence｜>", "[e~["}

// shown are control tokens by type that belong to the text (gpt-oss).
var shown = []string{"<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"}

// recognize finds special tokens by their text, gives them the attributes that
// llama.cpp gives them whatever the file says, and collects the tokens that end
// generation.
func (v *vocab) recognize() {
	named := v.named()
	control := func(id int) { v.attrs[id] |= attrControl }
	for _, r := range roles {
		id := r.id(&v.ids)
		for _, text := range r.texts {
			if found, ok := named[text]; ok && *id < 0 {
				*id = found
				control(found)
			}
		}
	}
	v.eog = map[int]bool{}
	for _, text := range enders {
		if id, ok := named[text]; ok {
			v.eog[id] = true
			control(id)
		}
	}
	for _, text := range shown {
		if id, ok := named[text]; ok {
			v.attrs[id] = attrUserDefined
		}
	}
	for _, id := range []int{v.ids.fimPad, v.ids.fimRep, v.ids.fimSep, v.ids.eos, v.ids.eot, v.ids.eom} {
		if id >= 0 {
			v.eog[id] = true
		}
	}
	has := func(text string) bool { id, ok := named[text]; return ok && v.eog[id] }
	drop := func(text string, a attr) {
		if has(text) {
			delete(v.eog, named[text])
			v.attrs[named[text]] = a
		}
	}
	// Where these exist, <|end|> ends a part of an answer, not the answer.
	if has("<|return|>") && (has("<|call|>") || has("<|calls|>")) || has("<|flush|>") && (has("<|call|>") || has("<|calls|>")) {
		drop("<|end|>", attrUserDefined)
	}
	if has("<|tool_response>") {
		drop("</s>", attrNormal)
	}
}

// named has the ids of the tokens whose text is in the tables above, or in
// stripRules; of equal texts the last.
func (v *vocab) named() map[string]int {
	named := map[string]int{}
	for _, list := range [][]string{enders, shown} {
		for _, text := range list {
			named[text] = -1
		}
	}
	for _, r := range roles {
		for _, text := range r.texts {
			named[text] = -1
		}
	}
	for id, text := range v.texts {
		switch text[0] {
		case '<', '[', '_', "▁"[0]:
			if _, ok := named[text]; ok {
				named[text] = id
			}
		}
	}
	for text, id := range named {
		if id < 0 {
			delete(named, text)
		}
	}
	return named
}

// setStrips gives special tokens the white space around them that the model's
// own tokenizer takes away; GGUF files do not say, so the model's name does.
func (v *vocab) setStrips(m Metadata) error {
	pre, _, err := get[string](m, prefix+"pre")
	if err != nil {
		return err
	}
	// Of general.* nothing but a string is of use here, and nothing is a fault.
	name, _, _ := get[string](m, "general.name")
	arch, _, _ := get[string](m, "general.architecture")
	name = strings.ToLower(name)
	switch {
	case containsAny(pre, "jina-v2-de", "jina-v2-es", "jina-v2-code"), containsAny(arch, "nomic-bert-moe", "jina-bert-v3"):
		v.strip("<mask>", attrLStrip)
	case containsAny(name, "phi-3", "phi3"):
		for id, text := range v.texts {
			switch text {
			case "<unk>", "<s>", "<|endoftext|>":
			default:
				if v.attrs[id]&attrSpecial != 0 || text == "</s>" {
					v.attrs[id] |= attrRStrip
				}
			}
		}
	case containsAny(name, "modern-bert"):
		v.strip("[MASK]", attrLStrip)
	}
	return nil
}

func (v *vocab) strip(text string, side attr) {
	for id := range v.texts {
		if v.texts[id] == text {
			v.attrs[id] |= side
		}
	}
}

func containsAny(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}
