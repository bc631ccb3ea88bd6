package doctor

import (
	"slices"
	"strings"

	"straw/gguf"
)

// Rule is one kind of finding.
type Rule struct {
	ID       string
	Severity gguf.Severity // the most that a finding of it has
	Title    string
	Help     string // why it matters and what to do
}

// Rules are all rules that findings about a file have, gguf's own among them, by their ids.
func Rules() []Rule {
	all := slices.Concat(ours, headers)
	slices.SortFunc(all, func(a, b Rule) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// severityOf is the severity of a rule of the doctor's own.
func severityOf(id string) gguf.Severity {
	for i := range ours {
		if ours[i].ID == id {
			return ours[i].Severity
		}
	}
	panic("doctor: no rule " + id)
}

const (
	note    = gguf.SeverityNote
	warning = gguf.SeverityWarning
	broken  = gguf.SeverityError
)

// ours are the rules of this package.
var ours = []Rule{
	{"removed-type", warning, "Weights in a type that ggml has removed", "No program of today runs them. Take a file of the type's successor: the row orders of Q4_0_4_4 and its like are made from Q4_0 when a model is loaded."},
	{"deprecated-key", note, "A key under its old name", "Programs that know only today's name leave the value out of account. Give the key its new name."},
	{"quantization-version", warning, "Blocks in the form of an older ggml", "general.quantization_version is 2 today. Blocks of an older version are read as other numbers: quantize the original model again."},
	{"split-leftover", note, "The keys of a set of shards in a file that is whole", "They do no harm in most programs. Take the split.* keys away."},
	{"vocab-size", warning, "The stated size of the vocabulary is not that of the weights", "Programs that go by the key make logits of the wrong length. Correct the key."},
	{"output-rows", warning, "Output and embedding differ in rows", "One of the two was resized without the other. Convert the model again."},

	{"tokenizer-refused", warning, "The tokenizer cannot be built", "The file can be looked into, but text cannot be split into tokens. Correct the key that is named, or convert the model again."},
	{"pre-missing", warning, "No pre-tokenizer is named", "A byte-level BPE vocabulary does not say how text is cut before it is merged; tokenizer.ggml.pre does. Without it text gets other tokens than in training, and answers are worse without an error. Set the key, or convert the model again."},
	{"pre-default", warning, "The pre-tokenizer is \"default\"", "The converter did not know the model. Text gets other tokens than in training, often a tenth more. Set tokenizer.ggml.pre to the name of the model's family, or convert it again."},
	{"token-id-type", warning, "A special token id names an ordinary token", "Either the id is wrong, or the token's type, which should be control. An ordinary token may be shown in answers, and its text in a prompt may be taken for it."},
	{"token-duplicate", warning, "Two tokens with the same text", "Only one of them is ever found, and programs differ in which. Convert the model again."},
	{"byte-token-odd", warning, "A byte token that names no byte", "Byte tokens are written <0x00> to <0xFF>. Straw takes others as plain text; programs have crashed on them. Convert the model again."},
	{"byte-token-type", warning, "A byte token of another type", "It is shown as <0xHH> and not as the byte. Set its type to 6."},
	{"byte-tokens-missing", warning, "Not every byte has a token", "What is in no token is written as bytes; a missing one becomes the unknown token. Convert the model again."},
	{"no-end", warning, "No token ends generation", "Every answer runs on to its limit. Set tokenizer.ggml.eos_token_id."},
	{"end-ignored", warning, "A token that is to end generation does not", "In vocabularies with <|return|> and <|call|> the token <|end|> ends a part of an answer only. Name the token that ends the whole."},
	{"turn-end", warning, "The template ends answers with a token that does not end generation", "The model writes that token, and generation goes on: it speaks for the user. Set tokenizer.ggml.eot_token_id to the token."},
	{"bos-doubled", note, "BOS from the template and from the tokenizer", "Programs that do not take one away feed the model two, which makes answers worse. Straw takes one away. Elsewhere set add_bos_token to false or take it out of the template."},

	{"template-marker", note, "The chat template writes a marker that is no token", "The model gets it letter by letter. Some models were trained so; for others the template is the wrong one."},
	{"template-marker-type", warning, "A marker of the chat template is an ordinary token", "In a prompt its text is not taken for the token, so the model does not see where turns begin and end. Set the token's type to control."},
	{"template-missing", warning, "No chat template for a model made for conversations", "Programs guess one, often wrongly. Take the template from the original model's tokenizer_config.json."},
	{"template-many", note, "More chat templates than are examined", "Of a file's templates the first four are tried out."},
	{"template-syntax", warning, "The chat template cannot be parsed", "The message has line and column. Correct the template, or give prompts as they are."},
	{"template-fails", warning, "The chat template fails on a plain question", "Chat is not possible with it. Correct the template, or give prompts as they are."},
	{"template-parts", warning, "The chat template does not take strings", "Contents must be lists of parts. Programs that send strings get an error or an empty prompt."},
	{"template-turns", warning, "The chat template fails on a second question", "A conversation ends after one answer, or the model forgets a part of it. Correct the template."},
	{"template-system", warning, "The chat template refuses system messages", "Put the instructions at the beginning of the first question."},
	{"template-system-ignored", warning, "The chat template leaves system messages out", "Instructions have no effect, and nothing says so. Put them at the beginning of the first question."},
	{"template-empty-system", warning, "The chat template fails on an empty system message", "Send no system message where there are no instructions."},
	{"template-tools", warning, "The chat template fails on tools", "Send no tools, or correct the template."},
	{"template-tools-ignored", note, "The chat template leaves tools out", "The model does not know what it may call. Take the template from the original model."},
	{"template-tool-calls", warning, "The chat template fails on the result of a tool", "The model can call a tool but never learns what came of it. Correct the template."},
	{"template-long", warning, "A very long chat template", "Templates have a few thousand bytes. Read it before you use it: what it writes the model will follow."},
	{"template-dunder", warning, "A chat template that reaches for Python's internals", "Names such as __class__ and __globals__ are how a template breaks out of an evaluator that is no sandbox. Straw's has nothing to break out to. Do not use the file with other programs before you have read the template."},
	{"template-blob", warning, "Encoded data in a chat template", "Templates have no use for it. Read it before you use it."},
	{"template-url", note, "An address in a chat template", "A template cannot open it, but the model may be told to. See that it is the publisher's."},
	{"template-invisible", warning, "Invisible characters in a chat template", "What a person reads is not what the model gets. Read it with the characters made visible."},
}
