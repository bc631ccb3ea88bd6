package api

import (
	"strings"
	"testing"
)

// FuzzRequest reads a body as each of the requests that have one. What is wrong with it is the client's to hear.
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{"messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}], "n": 2, "stop": ["a"], "seed": -1, ` + addTool + `, "tool_choice": "required"}`,
		`{"messages": [{"role": "assistant", "content": null, "tool_calls": [{"id": "x", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]}], "tool_choice": {"type": "function", "function": {"name": "f"}}}`,
		`{"messages": [{"role": "user", "content": "Hi"}], "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "object", "properties": {"a": {"enum": ["x", 1]}}}}}}`,
		`{"messages": [{"role": "user", "content": "Hi"}], "response_format": {"type": "json_object"}, "logprobs": true, "top_logprobs": 3, "chat_template_kwargs": {"a": [1]}}`,
		`{"prompt": ["Once", [1, 2]], "logit_bias": {"1": -100}, "logprobs": 2, "max_tokens": 5, "mirostat": 2, "grammar": "root ::= \"a\""}`,
		`{"prompt": [1, 2], "logit_bias": [[1, false], [2, 0.5]], "stream": true, "stream_options": {"include_usage": true}, "dry_sequence_breakers": ["x"]}`,
		`{"input": ["a", "b"], "encoding_format": "base64", "dimensions": 3}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		for name, read := range map[string]func() error{
			"chat": func() error {
				var q chatRequest
				err := decode(body, &q)
				if err == nil {
					_, _, _, err = q.read()
				}
				return err
			},
			"completion": func() error {
				var q textRequest
				err := decode(body, &q)
				if err == nil {
					_, err = q.read()
				}
				if err == nil {
					_, err = prompts("prompt", q.Prompt)
				}
				return err
			},
			"embedding": func() error {
				var q embeddingRequest
				err := decode(body, &q)
				if err == nil {
					_, err = prompts("input", q.Input)
				}
				return err
			},
		} {
			err := read()
			if err == nil {
				continue
			}
			if e := errorOf(err, ""); e.Status != 400 || e.Message == "" || strings.Contains(e.Message, "\n") {
				t.Errorf("%s: %d %q", name, e.Status, e.Message)
			}
		}
	})
}
