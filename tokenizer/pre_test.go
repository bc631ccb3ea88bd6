package tokenizer

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/dlclark/regexp2/v2"
)

// Regular expressions of the pre-tokenizers as llama.cpp applies them, one a
// pass (std::regex has no \p{Lu}: there it is \p{L}). [^\s] and the like leave
// out the non-ASCII white space as \s does in regexp2.
const (
	reGPT2    = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
	reShort   = `'[sS]|'[tT]|'[rR][eE]|'[vV][eE]|'[mM]|'[lL][lL]|'[dD]`
	reLlama3  = reShort + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	reQwen2   = reShort + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	reCased   = `[^\r\n\p{L}\p{N}]?((?=\p{L})[^a-z])*((?=\p{L})[^A-Z])+(?:` + reShort + `)?|[^\r\n\p{L}\p{N}]?((?=\p{L})[^a-z])+((?=\p{L})[^A-Z])*(?:` + reShort + `)?`
	reCasedM  = `[^\r\n\p{L}\p{N}]?((?=[\p{L}\p{M}])[^a-z])*((?=[\p{L}\p{M}])[^A-Z])+(?:` + reShort + `)?|[^\r\n\p{L}\p{N}]?((?=[\p{L}\p{M}])[^a-z])+((?=[\p{L}\p{M}])[^A-Z])*(?:` + reShort + `)?`
	reYoutu   = `[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]*[\p{L}\p{M}]+(?:` + reShort + `)?`
	reRest    = `| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	reASCII   = "[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+"
	reWords   = reASCII + `|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	reSpark   = reASCII + `|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+|[\r\n]|\s+(?!\S)|\s+`
	reKana    = `[一-龥぀-ゟ゠-ヿ]+`
	reHan     = `[一-龥ࠀ-一가-퟿-[\s]]+`
	reLines   = `[^\n]+|[\n]+`
	reUnpunct = ` ?[^(\s|.,!?…。，、।۔،)]+`
	rePunct   = "[\\p{P}\\$\\+<=>\\^~\\|"
)

var expressions = map[string][]string{
	"default":   {rePunct + "]+", reGPT2, `\p{N}+`, `[0-9][0-9][0-9]`},
	"gpt-2":     {reGPT2},
	"starcoder": {`\p{N}`, reGPT2},
	"falcon":    {rePunct + "`]+", reGPT2, `[0-9][0-9][0-9]`},
	"chameleon": {`<sentinel:[0-9]+>`, `(IMGIMG)((A|B|C|D|E|F|G|H|I){1,4})Z`, `([\t\n]|    |  )`, `\p{N}`, "[\\p{P}!-/:-@\\[-`{-~]", reGPT2},

	"llama-bpe":  {reLlama3},
	"qwen2":      {reQwen2},
	"minicpm5":   {`\p{N}{1,3}`, strings.Replace(reLlama3, "{1,3}", "+", 1)},
	"laguna":     {reLines, reQwen2},
	"ufakzeka":   {strings.TrimPrefix(reQwen2, reShort+"|")},
	"qwen35":     {reShort + `|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`},
	"seed-coder": {reShort + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+`},
	"bailingmoe": {`'(?:[sSdDmMtT]|[lL][lL]|[vV][eE]|[rR][eE])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]|\s+(?!\S)|\s+`},
	"exaone-moe": {reShort + `|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+`},
	"jais-2": {reShort + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|` +
		`\s{512}(?!\S)|\s{256}(?!\S)|\s{128}(?!\S)|\s{64}(?!\S)|\s{32}(?!\S)|\s{16}(?!\S)|\s{8}(?!\S)|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1}`},

	"tekken":                  {strings.ReplaceAll(reCased, "(?:"+reShort+")?", "") + `|\p{N}` + reRest},
	"gpt-4o":                  {reCased + `|\p{N}{1,3}` + reRest},
	"granite-embed-multi-97m": {reCasedM + `|\p{N}{1,3}` + reRest},
	"youtu":                   {`[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏-[\s]]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+`, reYoutu + `|\p{N}` + reRest},

	"deepseek-v3":    {`\p{N}{1,3}`, reKana, reWords},
	"spark2_5":       {`\p{N}{1,3}`, reKana, reSpark, `\p{N}`},
	"deepseek-llm":   {`[\r\n]`, `\s?[` + classOf(casedLetters) + `]+`, `\s?[!-/:-~！-／：-～‘-‟　-。-[\s]]+`, `\s+\z`, reHan, `\p{N}+`},
	"deepseek-coder": {`[\r\n]`, `\s?\p{L}+`, `\s?\p{P}+`, reHan, `\p{N}`},

	"bloom":    {reUnpunct},
	"viking":   {reUnpunct, `\p{N}`},
	"superbpe": {`\p{N}+`, `(?=([0-9]{3})+(?![0-9]))`},
	"gemma4":   {reLines},
}

// classOf writes pairs of first and last characters as a character class.
func classOf(pairs string) string {
	var b strings.Builder
	for i, r := range []rune(pairs) {
		if b.WriteRune(r); i%2 == 0 {
			b.WriteByte('-')
		}
	}
	return b.String()
}

// splitBy cuts s at the matches of an expression.
func splitBy(t *testing.T, re *regexp2.Regexp, s string) (parts []string) {
	runes := []rune(s)
	start := 0
	for m, err := re.FindStringMatch(s); m != nil; m, err = re.FindNextMatch(m) {
		if err != nil {
			t.Fatal(err)
		}
		if m.RuneIndex > start {
			parts = append(parts, string(runes[start:m.RuneIndex]))
		}
		if m.RuneLength > 0 {
			parts = append(parts, string(runes[m.RuneIndex:m.RuneIndex+m.RuneLength]))
		}
		start = m.RuneIndex + m.RuneLength
	}
	if start < len(runes) {
		parts = append(parts, string(runes[start:]))
	}
	return parts
}

// alphabetOf has characters of every class, those that expressions name, and
// such as look like them.
var letters = strings.Split("a b s t d m re ve ll A S T RE LL Z é É ß 中 の ア 가 ㄱ ㄅ א ก 0 1 9 ² ١ Ⅷ \u0301 \u0E31 \u20DD "+
	"! ' ' ' . , - _ ( | < = ^ ` / ~ $ + € × ！ 。 、 … “ ۔ ‘ \u0000 \u001C \u200B \u00AD \uE000 😀 \uFFFD 𐐀 \U0002EBF1 IMGIMGAZ <sentinel:12>", " ")
var blanks = []string{" ", " ", " ", "  ", "    ", "\t", "\n", "\n", "\r\n", "\r", "\u00A0", "\u3000", "\u2028", "\u0085", "\v"}

func randomText(rng *rand.Rand) string {
	var b strings.Builder
	for range rng.IntN(24) {
		list := letters
		if rng.IntN(3) == 0 {
			list = blanks
		}
		for s := list[rng.IntN(len(list))]; ; {
			b.WriteString(s)
			if rng.IntN(4) > 0 {
				break
			}
		}
	}
	return b.String()
}

// TestScanners compares the scanners with the regular expressions they stand
// for, on random text.
func TestScanners(t *testing.T) {
	loadClasses()
	for name, list := range expressions {
		t.Run(name, func(t *testing.T) {
			var compiled []*regexp2.Regexp
			for _, e := range list {
				compiled = append(compiled, regexp2.MustCompile(e))
			}
			rng := rand.New(rand.NewPCG(1, 2))
			for range 1000 {
				text := randomText(rng)
				if text == "" || strings.ContainsRune(text, 0x2EBF1) && strings.Contains(strings.Join(list, ""), `\p{`) {
					continue // a letter since Unicode 15.1, which regexp2 does not know
				}
				want := []string{text}
				for _, re := range compiled {
					var next []string
					for _, part := range want {
						next = append(next, splitBy(t, re, part)...)
					}
					want = next
				}
				var got []string
				pretokenizers()[name].split(text, func(word string) { got = append(got, word) })
				if !slices.Equal(got, want) {
					t.Fatalf("%q:\n got %q\nwant %q", text, got, want)
				}
			}
		})
	}
}

// TestSplitIsWhole checks that nothing is lost or empty under any name.
func TestSplitIsWhole(t *testing.T) {
	loadClasses()
	rng := rand.New(rand.NewPCG(3, 4))
	for name, pre := range pretokenizers() {
		for range 200 {
			text := randomText(rng)
			var words []string
			pre.split(text, func(word string) { words = append(words, word) })
			if strings.Join(words, "") != text || text != "" && slices.Contains(words, "") {
				t.Errorf("%s: %q: %q", name, text, words)
			}
		}
	}
}

// TestClasses holds the table to Unicode 15.1: llama.cpp's flags hash to this,
// and a Go with newer tables must not change what ids a text has.
func TestClasses(t *testing.T) {
	loadClasses()
	h := fnv.New64a()
	for _, c := range classes {
		h.Write([]byte{byte(c)})
	}
	if got := h.Sum64(); got != 0xe15bb0ca5df24af5 {
		t.Errorf("classes hash to %#x", got)
	}
}
