package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"straw/chat"
	"straw/internal/session"
	"straw/internal/term"
)

func (a *app) templateCommand() *cobra.Command {
	var jsonLines, bare bool
	var messages, tools, date string
	var vars []string
	cmd := &cobra.Command{
		Use: "template FILE",
		Long: `Renders the file's chat template on messages and prints the text that the model would continue, and
nothing else. The template is rendered as Python's jinja2 does it with the settings of transformers.

With --json-lines no FILE is needed: one JSON request a line on standard input, one answer a line on
standard output; the context has all variables of the template:
  {"template": "...", "context": {"messages": [...], ...}}  ->  {"text": "..."}, or {"error": {"message", "line", "column"}}`,
		Example: `  echo '[{"role": "user", "content": "Hello"}]' | straw template model.gguf --messages -
  straw template model.gguf --messages chat.json --tools tools.json --var enable_thinking=false
  straw template --json-lines < requests.jsonl`,
		Args:              args(0, 1, "FILE"),
		ValidArgsFunction: ggufFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			options, err := datedOptions(date)
			switch {
			case err != nil:
				return err
			case jsonLines && len(args) > 0:
				return usagef("--json-lines takes its templates from standard input, not from a file")
			case jsonLines:
				return a.jsonLines(func(line []byte) (any, error) { return renderRequest(cmd, line, options) })
			case len(args) == 0:
				return usagef("FILE is missing: straw template FILE --messages FILE")
			case messages == "":
				return usagef("no messages: --messages FILE, - for standard input")
			case messages == "-" && tools == "-":
				return usagef("--messages and --tools cannot both be read from standard input")
			}
			c, err := a.conversation(messages, tools, vars)
			if err != nil {
				return err
			}
			c.AddGenerationPrompt = !bare
			in, err := a.openWhole(cmd.Context(), args[0], false)
			if err != nil {
				return err
			}
			defer in.Close()
			t, err := session.OpenTemplate(in.File)
			if err != nil {
				return about(in.label, err)
			}
			text, err := t.Render(cmd.Context(), *c, options)
			if err != nil {
				return about(in.label, err)
			}
			if term.IsTerminal(a.stdout) {
				text = term.SafeText(text)
			}
			a.out.WriteString(text)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&messages, "messages", "", "a JSON array of messages in `FILE`; - is standard input")
	f.StringVar(&tools, "tools", "", "a JSON array of tools in `FILE`")
	f.BoolVar(&bare, "no-generation-prompt", false, "without the beginning of the model's answer")
	f.StringArrayVar(&vars, "var", nil, "a variable of the template, `NAME=JSON`; may be given more than once")
	f.StringVar(&date, "date", "", "the day that the template is told, `YYYY-MM-DD` (default: SOURCE_DATE_EPOCH, or today)")
	f.BoolVar(&jsonLines, "json-lines", false, "a JSON request a line, a JSON answer a line")
	return cmd
}

// datedOptions makes strftime_now tell a day, so that one conversation gives one text on every day. SOURCE_DATE_EPOCH (seconds
// since 1970, UTC) is what reproducible builds set: https://reproducible-builds.org/specs/source-date-epoch/.
func datedOptions(day string) (chat.Options, error) {
	epoch := os.Getenv("SOURCE_DATE_EPOCH")
	var now time.Time
	switch {
	case day != "":
		var err error
		if now, err = time.Parse(time.DateOnly, day); err != nil {
			return chat.Options{}, usagef("--date %q: a day as 2026-11-30 is needed", day)
		}
	case epoch != "":
		seconds, err := strconv.ParseInt(epoch, 10, 64)
		if err != nil {
			return chat.Options{}, fmt.Errorf("SOURCE_DATE_EPOCH %q: seconds since 1970 are needed", epoch)
		}
		now = time.Unix(seconds, 0).UTC()
	default:
		return chat.Options{}, nil
	}
	return chat.Options{Now: func() time.Time { return now }}, nil
}

// conversation reads what the flags name.
func (a *app) conversation(messages, tools string, vars []string) (*chat.Conversation, error) {
	c := &chat.Conversation{}
	array := func(name string) (chat.Value, error) {
		text, err := a.readText(name)
		if err != nil {
			return nil, err
		}
		v, err := chat.DecodeJSON([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if _, ok := v.(*chat.List); !ok {
			return nil, fmt.Errorf("%s: a JSON array is needed", name)
		}
		return v, nil
	}
	var err error
	if c.Messages, err = array(messages); err != nil {
		return nil, err
	}
	if tools != "" {
		if c.Tools, err = array(tools); err != nil {
			return nil, err
		}
	}
	if c.Extra, err = templateVariables(vars); err != nil {
		return nil, err
	}
	return c, nil
}

type (
	rendered struct {
		Text string `json:"text"`
	}
	templateFault struct {
		Error fault `json:"error"`
	}
	fault struct {
		Message string `json:"message"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
	}
)

// renderRequest answers a line of --json-lines. A fault of the template is an answer too.
func renderRequest(cmd *cobra.Command, line []byte, options chat.Options) (any, error) {
	var req struct {
		Template *string         `json:"template"`
		Context  json.RawMessage `json:"context"`
	}
	if err := json.Unmarshal(line, &req); err != nil {
		return nil, err
	}
	if req.Template == nil {
		return nil, errors.New(`the request has no "template"`)
	}
	vars := chat.NewDict()
	if req.Context != nil {
		v, err := chat.DecodeJSON(req.Context)
		if err != nil {
			return nil, err
		}
		d, ok := v.(*chat.Dict)
		if !ok {
			return nil, errors.New(`"context" is no JSON object`)
		}
		vars = d
	}
	text := ""
	t, err := chat.Parse(*req.Template)
	if err == nil {
		text, err = t.Render(cmd.Context(), vars, options)
	}
	if at := (*chat.Error)(nil); errors.As(err, &at) {
		return templateFault{fault{at.Message, at.Line, at.Column}}, nil
	}
	return rendered{text}, err
}
