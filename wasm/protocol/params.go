package protocol

// Source is where a model comes from: files whose File or Blob objects cross beside the message, in the same order, or an absolute URL.
type Source struct {
	Files []string `json:"files,omitempty"`
	URL   string   `json:"url,omitempty"`
}

func (s *Source) UnmarshalJSON(text []byte) error { return decode(text, s) }

func (s *Source) check() error {
	if (len(s.Files) > 0) == (s.URL != "") {
		return &Error{Field: "source", Message: "source must have either files or a url"}
	}
	return nil
}

// Open opens the one model of this worker and answers with [Opened].
type Open struct {
	Source Source `json:"source"`
}

func (p *Open) check() error { return p.Source.check() }

// Info asks for what [Open] answered again.
type Info struct{}

// Value asks for a metadata value; of an array for Count elements from Start on.
type Value struct {
	Key   string `json:"key"`
	Start int64  `json:"start,omitempty"`
	Count *int64 `json:"count,omitempty"`
}

func (p *Value) check() error { return notNegative("start", &p.Start, "count", p.Count) }

// Tensor asks for the values of a tensor, dequantized. Without Row and Count all of them; from row Row on (a row is dims[0] values) one row, or Count values.
type Tensor struct {
	Name  string `json:"name"`
	Row   *int64 `json:"row,omitempty"`
	Count *int64 `json:"count,omitempty"`
}

func (p *Tensor) check() error { return notNegative("row", p.Row, "count", p.Count) }

// Tokenize turns text into ids; both switches are on when absent. Where Count is there, the answer has Count tokens from Start on, and how many there are.
type Tokenize struct {
	Text         string `json:"text"`
	AddSpecial   *bool  `json:"addSpecial,omitempty"`
	ParseSpecial *bool  `json:"parseSpecial,omitempty"`
	Start        int64  `json:"start,omitempty"`
	Count        *int64 `json:"count,omitempty"`
}

func (p *Tokenize) check() error { return notNegative("start", &p.Start, "count", p.Count) }

// Trace asks how token number At of Text came to be.
type Trace struct {
	Text         string `json:"text"`
	AddSpecial   *bool  `json:"addSpecial,omitempty"`
	ParseSpecial *bool  `json:"parseSpecial,omitempty"`
	At           int64  `json:"at"`
}

func (p *Trace) check() error { return notNegative("at", &p.At, "", nil) }

// Detokenize turns ids into text, with the texts of special tokens if Special is set.
type Detokenize struct {
	IDs     []int `json:"ids"`
	Special bool  `json:"special,omitempty"`
}

// Load makes the open model ready to run. Zero values leave the choice to the program.
type Load struct {
	Threads      int    `json:"threads,omitempty"`
	MemoryBudget int64  `json:"memoryBudget,omitempty"` // bytes
	ContextSize  int    `json:"contextSize,omitempty"`  // tokens
	KVType       string `json:"kvType,omitempty"`       // f32, f16 or q8_0
	Backend      string `json:"backend,omitempty"`      // auto or scalar
}

// RenderTemplate asks for a conversation in the file's chat template. Messages and Tools are lists that the template gets as they are, Variables an object.
type RenderTemplate struct {
	Messages            JSON  `json:"messages"`
	Tools               JSON  `json:"tools,omitempty"`
	AddGenerationPrompt *bool `json:"addGenerationPrompt,omitempty"` // absent: true
	Variables           JSON  `json:"variables,omitempty"`

	Template *string `json:"template,omitempty"` // a source to use in place of the file's
}

func (p *RenderTemplate) check() error {
	return firstError(p.Messages.is('[', "messages", "a list"), p.Tools.is('[', "tools", "a list"), p.Variables.is('{', "variables", "an object"))
}

// Examine asks for the findings beside those of the header: what is wrong with the tokenizer and the chat template.
type Examine struct{}

// Logits asks for the model's numbers after the last of IDs, evaluated from an empty context.
type Logits struct {
	IDs []int `json:"ids"`
}

func notNegative(name1 string, v1 *int64, name2 string, v2 *int64) error {
	if v1 != nil && *v1 < 0 {
		return &Error{Field: name1, Message: name1 + " must not be negative"}
	}
	if v2 != nil && *v2 < 0 {
		return &Error{Field: name2, Message: name2 + " must not be negative"}
	}
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
