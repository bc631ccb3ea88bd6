package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"straw/internal/inspect"
	"straw/internal/session"
	"straw/internal/term"
	"straw/tokenizer"
)

// tokens is an answer of tokenize.
type tokens struct {
	IDs    []int   `json:"ids"`
	Pieces []bytes `json:"pieces"`
}

// MarshalJSON writes each of the pieces once and copies it from then on: a long text has millions, of few kinds.
func (t tokens) MarshalJSON() ([]byte, error) {
	out := []byte(`{"ids":[`)
	for i, id := range t.IDs {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(id), 10)
	}
	out = append(out, `],"pieces":[`...)
	known := map[int][]byte{} // JSON by id
	for i, id := range t.IDs {
		if i > 0 {
			out = append(out, ',')
		}
		piece, ok := known[id]
		if !ok {
			var err error
			if piece, err = t.Pieces[i].MarshalJSON(); err != nil {
				return nil, err
			}
			known[id] = piece
		}
		out = append(out, piece...)
	}
	return append(out, "]}"...), nil
}

// bytes are written as a JSON string, or as {"hex": ...} where they are not UTF-8.
type bytes []byte

type hexObject struct {
	Hex string `json:"hex"`
}

func (b bytes) MarshalJSON() ([]byte, error) {
	if utf8.Valid(b) {
		return marshal(string(b))
	}
	return json.Marshal(hexObject{hex.EncodeToString(b)})
}

func (b *bytes) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*b = bytes(s)
		return nil
	}
	var o hexObject
	if err := json.Unmarshal(data, &o); err != nil {
		return errors.New(`a string or {"hex": "..."} is needed`)
	}
	raw, err := hex.DecodeString(o.Hex)
	*b = raw
	return err
}

func (a *app) tokenizeCommand() *cobra.Command {
	var asJSON, lines, noSpecial, noBOS bool
	cmd := &cobra.Command{
		Use: "tokenize FILE",
		Long: `Reads text from standard input, byte for byte, and writes a line a token: its id, a tab, its text.

With --json-lines, one JSON request a line on standard input, one answer a line on standard output:
  {"text": "...", "add_special": true, "parse_special": true}  ->  {"ids": [...], "pieces": [...]}

All kinds of vocabularies are known that llama.cpp knows: SentencePiece, BPE, WordPiece, unigram, RWKV and PLaMo 2. A pre-tokenizer
that is not known is refused by its name, with the list of those that are.`,
		Example: `  echo -n "Hello, world" | straw tokenize model.gguf
  straw tokenize --json --no-bos model.gguf < prompt.txt`,
		Args:              args(1, 1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			tok, label, err := a.vocabulary(cmd, args[0])
			if err != nil {
				return err
			}
			if lines {
				return a.jsonLines(func(line []byte) (any, error) {
					req := struct {
						Text         *bytes `json:"text"`
						AddSpecial   bool   `json:"add_special"`
						ParseSpecial bool   `json:"parse_special"`
					}{nil, !noBOS, !noSpecial}
					if err := json.Unmarshal(line, &req); err != nil {
						return nil, err
					}
					if req.Text == nil {
						return nil, errors.New(`the request has no "text"`)
					}
					return encode(tok, string(*req.Text), tokenizer.Options{AddSpecial: req.AddSpecial, ParseSpecial: req.ParseSpecial}), nil
				})
			}
			text, err := a.readText("-")
			if err != nil {
				return about(label, err)
			}
			t := encode(tok, text, tokenizer.Options{AddSpecial: !noBOS, ParseSpecial: !noSpecial})
			if asJSON {
				return a.json(t)
			}
			for i, id := range t.IDs {
				fmt.Fprintf(a.out, "%d\t%s\n", id, term.Safe(string(t.Pieces[i])))
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&asJSON, "json", false, "one JSON object: {\"ids\": [...], \"pieces\": [...]}")
	f.BoolVar(&lines, "json-lines", false, "a JSON request a line, a JSON answer a line")
	f.BoolVar(&noSpecial, "no-special", false, "special tokens in the text are only text")
	f.BoolVar(&noBOS, "no-bos", false, "add neither BOS nor EOS")
	return cmd
}

func encode(tok *tokenizer.Tokenizer, text string, o tokenizer.Options) tokens {
	t := tokens{IDs: tok.Encode(text, o)}
	if t.IDs == nil {
		t.IDs = []int{}
	}
	t.Pieces = make([]bytes, len(t.IDs))
	known := map[int]bytes{} // a long text has each many times
	for i, id := range t.IDs {
		piece, ok := known[id]
		if !ok {
			piece = tok.Piece(id, true)
			known[id] = piece
		}
		t.Pieces[i] = piece
	}
	return t
}

func (a *app) detokenizeCommand() *cobra.Command {
	var asJSON, lines, special bool
	cmd := &cobra.Command{
		Use: "detokenize FILE ID...",
		Long: `Writes the bytes of the tokens; without IDs they are read from standard input.

With --json-lines, one JSON request a line on standard input, one answer a line on standard output:
  {"ids": [...], "special": false}  ->  {"text": "..."}, or {"hex": "..."} where it is not UTF-8`,
		Example: `  straw detokenize model.gguf 9906 11 1917
  straw tokenize model.gguf < text | cut -f1 | straw detokenize model.gguf --special`,
		Args:              args(1, -1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			ids, err := parseIDs(args[1:])
			if err != nil {
				return err
			}
			if lines && len(ids) > 0 {
				return usagef("--json-lines takes its ids from standard input, not as arguments")
			}
			tok, label, err := a.vocabulary(cmd, args[0])
			if err != nil {
				return err
			}
			if lines {
				return a.jsonLines(func(line []byte) (any, error) {
					req := struct {
						IDs     []int `json:"ids"`
						Special bool  `json:"special"`
					}{nil, special}
					if err := json.Unmarshal(line, &req); err != nil {
						return nil, err
					}
					if req.IDs == nil {
						return nil, errors.New(`the request has no "ids"`)
					}
					return decode(tok, req.IDs, req.Special)
				})
			}
			if len(args) == 1 {
				text, err := a.readText("-")
				if err != nil {
					return err
				}
				if ids, err = parseIDs([]string{text}); err != nil {
					return err
				}
			}
			answer, err := decode(tok, ids, special)
			switch {
			case err != nil:
				return about(label, err)
			case asJSON:
				return a.json(answer)
			case term.IsTerminal(a.stdout):
				fmt.Fprintln(a.out, term.SafeText(string(tok.Decode(ids, special))))
			default:
				a.out.Write(tok.Decode(ids, special))
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.BoolVar(&special, "special", false, "write special tokens too")
	f.BoolVar(&asJSON, "json", false, "one JSON object: {\"text\": ...} or {\"hex\": ...}")
	f.BoolVar(&lines, "json-lines", false, "a JSON request a line, a JSON answer a line")
	return cmd
}

// decode answers {"text": ...}, or {"hex": ...} where the bytes are not UTF-8.
func decode(tok *tokenizer.Tokenizer, ids []int, special bool) (any, error) {
	for _, id := range ids {
		if id < 0 || id >= tok.Size() {
			return nil, &session.UsageError{Message: fmt.Sprintf("token id %d: the vocabulary has the ids 0 to %d", id, tok.Size()-1)}
		}
	}
	b := tok.Decode(ids, special)
	if !utf8.Valid(b) {
		return hexObject{hex.EncodeToString(b)}, nil
	}
	return struct {
		Text string `json:"text"`
	}{string(b)}, nil
}

// vocabulary is the tokenizer of FILE; the weights are not looked at.
func (a *app) vocabulary(cmd *cobra.Command, arg string) (*tokenizer.Tokenizer, string, error) {
	in, err := a.openWhole(cmd.Context(), arg, false)
	if err != nil {
		return nil, "", err
	}
	defer in.Close()
	tok, err := tokenizer.New(in.File)
	return tok, in.label, about(in.label, err)
}

// jsonLines answers each line of standard input with a line of JSON. A request that cannot be
// answered gets {"error": ...} and, at the end, exit status 1.
func (a *app) jsonLines(answer func(line []byte) (any, error)) error {
	r := bufio.NewReaderSize(a.in, 1<<20)
	failed, n := 0, 0
	for {
		line, rerr := r.ReadBytes('\n')
		if len(trim(line)) > 0 {
			n++
			v, err := answer(line)
			if err != nil {
				failed++
				f := inspect.FailureOf(err)
				f.Kind = "usage"
				v = map[string]any{"error": f}
			}
			if err := a.json(v); err != nil {
				return err
			}
			if r.Buffered() == 0 { // somebody may wait for the answer
				a.out.Flush()
			}
		}
		switch {
		case rerr == io.EOF && failed > 0:
			a.told = true
			return fmt.Errorf("%d of %d requests could not be answered: their answers say why", failed, n)
		case rerr == io.EOF:
			return nil
		case rerr != nil:
			return fmt.Errorf("standard input: %w", rerr)
		}
	}
}

func trim(b []byte) []byte {
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	return b
}
