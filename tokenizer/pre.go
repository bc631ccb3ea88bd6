package tokenizer

import (
	"slices"
	"strings"
	"sync"
)

// pretokenizer cuts text into the words that merges do not cross, by passes:
// each cuts every part the one before it left.
type pretokenizer struct {
	passes []pass

	wholeWords    bool // a word that is a token is not merged (ignore_merges)
	wholeNewlines bool // only words of newlines are not
	addBOS        bool // presumed where the file does not say
	forceBOS      bool // whatever the file says
	noBOS         bool // no BOS id is presumed
	keepSpaces    bool // decoding does not clean up spaces
	raw           bool // words are text with blanks for spaces, not bytes in the byte alphabet
	keepBlanks    bool // raw, but spaces are spaces, and pieces are read in the byte alphabet
	noMerges      bool // the file may do without merges
}

// pass cuts s into parts, in order and nothing left out.
type pass func(s string, emit func(part string))

// matcher is a regular expression, by hand: the end of its match at s[i:]. If
// it has none, ok is false and end, above i, is where the next one may begin.
type matcher func(s string, i int) (end int, ok bool)

// isolate makes each match a part, and what is between two matches.
func isolate(match matcher) pass {
	return func(s string, emit func(string)) {
		start := 0
		for i := 0; i < len(s); {
			end, ok := match(s, i)
			if ok {
				if i > start {
					emit(s[start:i])
				}
				emit(s[i:end])
				start = end
			}
			i = end
		}
		if start < len(s) {
			emit(s[start:])
		}
	}
}

// split hands the words of text to emit, in order.
func (p *pretokenizer) split(text string, emit func(word string)) {
	for _, pass := range slices.Backward(p.passes) {
		next := emit
		emit = func(part string) { pass(part, next) }
	}
	emit(text)
}

// pretokenizers has every name of tokenizer.ggml.pre. What they do is
// llama.cpp's rendering of each model's regular expressions (the comment at a
// scanner), which is coarser than the original where std::regex lacks a
// category: \p{Lu}, \p{Ll} and the like are \p{L} there.
var pretokenizers = sync.OnceValue(func() map[string]*pretokenizer {
	all := map[string]*pretokenizer{}
	for _, x := range []struct {
		names string
		pre   pretokenizer
	}{
		{"default", pretokenizer{passes: []pass{falconPunct(""), gpt2, numbers, threeDigits}}},
		{"gpt-2 phi-2 jina-es jina-de gigachat jina-v2-es jina-v2-de a.x-4.0 mellum modern-bert mpt olmo jais exaone4 jina-v1-en jina-v2-code roberta-bpe",
			pretokenizer{passes: []pass{gpt2}}},
		{"trillion granite-docling", pretokenizer{passes: []pass{gpt2}, keepSpaces: true}},
		{"starcoder refact codeshell exaone minerva-7b mellum2", pretokenizer{passes: []pass{digit, gpt2}}},
		{"command-r smollm", pretokenizer{passes: []pass{digit, gpt2}, keepSpaces: true}},
		{"falcon", pretokenizer{passes: []pass{falconPunct("`"), gpt2, threeDigits}}},
		{"chameleon", pretokenizer{passes: []pass{sentinel, imageToken, indent, digit, chameleonPunct, gpt2}, addBOS: true, keepSpaces: true}},

		{"llama3 llama-v3 llama-bpe falcon3 falcon-h1 pixtral midm-2.0 lfm2 jina-v5-nano",
			pretokenizer{passes: []pass{words{contractions: true, digits: 3, tail: "\r\n"}.pass()}, wholeWords: true, addBOS: true}},
		{"dbrx smaug-bpe", pretokenizer{passes: []pass{words{contractions: true, digits: 3, tail: "\r\n"}.pass()}}},
		{"chatglm-bpe glm4", pretokenizer{passes: []pass{words{contractions: true, digits: 3, tail: "\r\n"}.pass()}, noBOS: true}},
		{"minicpm5", pretokenizer{passes: []pass{digits3, words{contractions: true, tail: "\r\n"}.pass()}, wholeWords: true}},
		{"jais-2", pretokenizer{passes: []pass{words{contractions: true, digits: 3, tail: "\r\n", cascade: true}.pass()}}},
		{"stablelm2 megrez", pretokenizer{passes: []pass{words{contractions: true, digits: 1, tail: "\r\n"}.pass()}}},
		{"qwen2 deepseek-r1-qwen kormo f2llmv2 hunyuan solar-open grok-2 bailingmoe bailingmoe2 llada-moe",
			pretokenizer{passes: []pass{words{contractions: true, digits: 1, tail: "\r\n"}.pass()}, keepSpaces: true}},
		{"qwen35", pretokenizer{passes: []pass{words{contractions: true, marks: true, digits: 1, tail: "\r\n"}.pass()}, keepSpaces: true}},
		{"laguna", pretokenizer{passes: []pass{lines, words{contractions: true, digits: 1, tail: "\r\n"}.pass()}, keepSpaces: true}},
		{"ufakzeka", pretokenizer{passes: []pass{words{digits: 1, tail: "\r\n"}.pass()}, keepSpaces: true}},
		{"seed-coder", pretokenizer{passes: []pass{words{contractions: true, digits: 1}.pass()}, keepSpaces: true}},
		{"exaone-moe", pretokenizer{passes: []pass{words{contractions: true, phrases: true, digits: 1, tail: "\r\n/", oneTail: true}.pass()}}},

		{"tekken", pretokenizer{passes: []pass{cased{upperLower: true, digits: 1, tail: "\r\n/"}.pass()}, wholeWords: true, addBOS: true, keepSpaces: true}},
		{"gpt-4o llama4 kanana2 talkie minimax-m2",
			pretokenizer{passes: []pass{cased{upperLower: true, contractions: true, digits: 3, tail: "\r\n/"}.pass()}, keepSpaces: true}},
		{"granite-embed-multi-97m", pretokenizer{
			passes:     []pass{cased{upperLower: true, marks: true, contractions: true, digits: 3, tail: "\r\n/"}.pass()},
			wholeWords: true, keepSpaces: true}},
		{"tiny_aya cohere2moe", pretokenizer{
			passes:     []pass{digitsFromRight, cased{marks: true, contractions: true, digits: 3, tail: "\r\n/"}.pass()},
			keepSpaces: true}},
		{"youtu", pretokenizer{
			passes:     []pass{youtuScripts, cased{marks: true, contractions: true, digits: 1, tail: "\r\n/"}.pass()},
			wholeWords: true, keepSpaces: true}},
		{"kimi-k2", pretokenizer{passes: []pass{kimi}, keepSpaces: true, noMerges: true}},

		{"deepseek-v3 hunyuan-dense joyai-llm hy_v4", pretokenizer{passes: []pass{digits3, kanaHan, asciiWords(true)}, keepSpaces: true}},
		{"spark2_5", pretokenizer{passes: []pass{digits3, kanaHan, asciiWords(false), digit}, keepSpaces: true}},
		{"afmoe", pretokenizer{passes: []pass{digitsFromRight, asianScripts, asciiWords(true)}, keepSpaces: true}},
		{"deepseek-llm", pretokenizer{passes: []pass{lineEnds, latinWords, deepseekPunct, trailingSpace, hanHangul, numbers}, keepSpaces: true}},
		{"deepseek-coder", pretokenizer{passes: []pass{lineEnds, spacedLetters, spacedPunct, hanHangul, digit}, keepSpaces: true}},

		{"bloom gpt3-finnish", pretokenizer{passes: []pass{unpunctuated}}},
		{"poro-chat", pretokenizer{passes: []pass{unpunctuated}, keepSpaces: true}},
		{"viking", pretokenizer{passes: []pass{unpunctuated, digit}, keepSpaces: true}},
		{"superbpe", pretokenizer{passes: []pass{numbers, thousands}, keepSpaces: true}},

		{"gemma4 granite-embed-multi-311m", pretokenizer{passes: []pass{lines}, raw: true, wholeNewlines: true, forceBOS: true}},
		{"whitespace", pretokenizer{passes: []pass{isolate(unspaced)}, raw: true, keepBlanks: true}},
		{"sarvam-moe", pretokenizer{passes: []pass{lines}, raw: true, keepSpaces: true}},
	} {
		for name := range strings.FieldsSeq(x.names) {
			all[name] = &x.pre
		}
	}
	return all
})
