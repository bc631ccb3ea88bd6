package api

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Each wrong request has its status, and its field where one is wrong.
func TestRefusals(t *testing.T) {
	_, h := server(t, Options{}, usual)
	const hello = `"messages": [{"role": "user", "content": "Hello"}]`
	for _, tt := range []struct {
		path, body string
		status     int
		param      string
	}{
		{"chat/completions", `{}`, 400, "messages"},
		{"chat/completions", `{"messages": []}`, 400, "messages"},
		{"chat/completions", `{"messages": "x"}`, 400, "messages"},
		{"chat/completions", `{"messages": [{"role": "ghost", "content": "x"}]}`, 400, "messages[0].role"},
		{"chat/completions", `{"messages": [{"role": "user", "content": 1}]}`, 400, "messages[0].content"},
		{"chat/completions", `{"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]}`, 400, "messages[0].content[0].type"},
		{"chat/completions", `{"messages": [{"role": "user", "tool_calls": [{"function": {"name": "f"}}]}]}`, 400, "messages[0].tool_calls"},
		{"chat/completions", `{"messages": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{"}}]}]}`, 400, "messages[0].tool_calls[0].function.arguments"},
		{"chat/completions", `{` + hello + `, "tools": {}}`, 400, "tools"},
		{"chat/completions", `{` + hello + `, "tools": [{"type": "function"}]}`, 400, "tools"},
		{"chat/completions", `{` + hello + `, "tool_choice": "required"}`, 400, "tool_choice"},
		{"chat/completions", `{` + hello + `, "tool_choice": "perhaps"}`, 400, "tool_choice"},
		{"chat/completions", `{` + hello + `, "tool_choice": {"type": "function", "function": {"name": "f"}}}`, 400, "tool_choice"},
		{"chat/completions", `{` + hello + `, "tool_choice": "` + strings.Repeat("é", 10000) + `"}`, 400, "tool_choice"},
		{"chat/completions", `{` + hello + `, "functions": []}`, 400, "functions"},
		{"chat/completions", `{` + hello + `, "modalities": ["audio"]}`, 400, "modalities"},
		{"chat/completions", `{` + hello + `, "top_logprobs": 3}`, 400, "top_logprobs"},
		{"chat/completions", `{` + hello + `, "logprobs": true, "top_logprobs": 21}`, 400, "top_logprobs"},
		{"chat/completions", `{` + hello + `, "response_format": {"type": "xml"}}`, 400, "response_format.type"},
		{"chat/completions", `{` + hello + `, "response_format": {"type": "json_schema"}}`, 400, "response_format.json_schema.schema"},
		{"chat/completions", `{` + hello + `, "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "number", "multipleOf": 3}}}}`, 400, "response_format.json_schema.schema"},
		{"chat/completions", `{` + hello + `, "grammar": "root :="}`, 400, "grammar"},
		{"chat/completions", `{` + hello + `, "n": 0}`, 400, "n"},
		{"chat/completions", `{` + hello + `, "n": 1000000000}`, 400, "n"},
		{"chat/completions", `{` + hello + `, "model": "other"}`, 404, "model"},
		{"completions", `{"prompt": "x", "temperature": -1}`, 400, "temperature"},
		{"completions", `{"prompt": "x", "temperature": "hot"}`, 400, "temperature"},
		{"completions", `{"prompt": "x", "temperature": 1e999}`, 400, "temperature"},
		{"completions", `{"prompt": "x", "top_p": 2}`, 400, "top_p"},
		{"completions", `{"prompt": "x", "mirostat": 1}`, 400, "mirostat"},
		{"completions", `{"prompt": "x", "seed": 1.5}`, 400, "seed"},
		{"completions", `{"prompt": "x", "seed": "a"}`, 400, "seed"},
		{"completions", `{"prompt": "x", "max_tokens": -2}`, 400, "max_tokens"},
		{"completions", `{"prompt": "x", "max_tokens": 1.5}`, 400, "max_tokens"},
		{"completions", `{"prompt": "x", "stop": [1]}`, 400, "stop"},
		{"completions", `{"prompt": "x", "stop": ""}`, 400, "stop"},
		{"completions", `{"prompt": "x", "logit_bias": {"a": 1}}`, 400, "logit_bias"},
		{"completions", `{"prompt": "x", "logit_bias": [[1.5, 1]]}`, 400, "logit_bias"},
		{"completions", `{"prompt": "x", "logit_bias": {"1000000": 1}}`, 400, ""},
		{"completions", `{"prompt": "x", "dry_multiplier": 1, "dry_sequence_breakers": [` + strings.Repeat(`"x", `, maxBreakers) + `"x"]}`, 400, "dry_sequence_breakers"},
		{"completions", `{"prompt": "x", "echo": true}`, 400, "echo"},
		{"completions", `{"prompt": "x", "suffix": "y"}`, 400, "suffix"},
		{"completions", `{"prompt": "x", "best_of": 3}`, 400, "best_of"},
		{"completions", `{"prompt": "x", "logprobs": -1}`, 400, "logprobs"},
		{"completions", `{"prompt": {}}`, 400, "prompt"},
		{"completions", `{}`, 400, "prompt"},
		{"completions", `{"prompt": [[]]}`, 400, "prompt"},
		{"completions", `{"prompt": [99999999]}`, 400, ""},
		{"completions", `{"prompt": "` + strings.Repeat("once upon a time ", 2000) + `"}`, 400, ""},
		{"completions", `{"prompt": "x"`, 400, ""},
		{"completions", `{"prompt": "x"} {}`, 400, ""},
		{"completions", `[1]`, 400, ""},
		{"completions", ``, 400, ""},
		{"completions", strings.Repeat("[", 100000), 400, ""},
		{"completions", `{"a": ` + strings.Repeat("[", 100000), 400, ""},
		{"completions", `{"prompt": "` + strings.Repeat("x", maxBody) + `"}`, 413, ""},
		{"embeddings", `{"input": ""}`, 400, "input[0]"},
		{"embeddings", `{"input": []}`, 400, "input"},
		{"embeddings", `{"input": "x", "dimensions": 3}`, 400, "dimensions"},
		{"embeddings", `{"input": "x", "encoding_format": "int8"}`, 400, "encoding_format"},
		{"audio/speech", `{}`, 404, ""},
	} {
		what := fmt.Sprintf("%s %.120s", tt.path, tt.body)
		status, v := post(t, h.URL+"/v1/"+tt.path, tt.body)
		param, _ := at(v, "error", "param").(string)
		message, _ := at(v, "error", "message").(string)
		if status != tt.status || param != tt.param || message == "" || at(v, "error", "type") == nil || at(v, "error", "code") == nil {
			t.Errorf("%s: %d %v", what, status, v)
		}
		if strings.Contains(message, "\n") || len(message) > mostTold+3 {
			t.Errorf("%s: %q", what, message)
		}
	}
}

// Who may ask.
func TestGuards(t *testing.T) {
	_, open := server(t, Options{Hosts: []string{"box.lan"}}, usual)
	_, locked := server(t, Options{Key: "hush"}, usual)
	const kind, mime, hello = "Content-Type", "application/json", `{"prompt": "x", "max_tokens": 1}`
	own := func(h *httptest.Server) string { return h.URL }
	for _, tt := range []struct {
		name   string
		to     *httptest.Server
		method string
		path   string
		header []string
		status int
	}{
		{"plain", open, "POST", "/v1/completions", []string{kind, mime}, 200},
		{"with a charset", open, "POST", "/v1/completions", []string{kind, mime + "; charset=utf-8"}, 200},
		{"text/plain, as a page of another site can", open, "POST", "/v1/completions", []string{kind, "text/plain"}, 415},
		{"no type", open, "POST", "/v1/completions", nil, 415},
		{"a form", open, "POST", "/tokenize", []string{kind, "application/x-www-form-urlencoded"}, 415},
		{"a foreign host", open, "POST", "/v1/completions", []string{kind, mime, "Host", "evil.example"}, 421},
		{"a foreign host, the page", open, "GET", "/", []string{"Host", "evil.example:80"}, 421},
		{"a name it was given", open, "POST", "/v1/completions", []string{kind, mime, "Host", "box.lan:81"}, 200},
		{"its own page", open, "POST", "/v1/completions", []string{kind, mime, "Origin", own(open)}, 200},
		{"another site's page", open, "POST", "/v1/completions", []string{kind, mime, "Origin", "http://evil.example"}, 403},
		{"a file's page", open, "POST", "/v1/completions", []string{kind, mime, "Origin", "null"}, 403},
		{"another port's page", open, "GET", "/v1/models", []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"a picture of another site", open, "GET", "/metrics", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors"}, 403},
		{"a link of another site", open, "GET", "/health", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate"}, 200},
		{"a preflight", open, "OPTIONS", "/v1/completions", []string{"Origin", "http://evil.example"}, 403},
		{"OPTIONS of its own page", open, "OPTIONS", "/v1/completions", []string{"Origin", own(open)}, 405},
		{"GET of what is posted", open, "GET", "/v1/completions", nil, 405},
		{"POST of what is got", open, "POST", "/health", nil, 405},
		{"DELETE of a model", open, "DELETE", "/v1/models/demo", nil, 405},
		{"HEAD of what is got", open, "HEAD", "/v1/models", nil, 200},
		{"no model's name", open, "GET", "/v1/models/", nil, 404},
		{"no such model", open, "GET", "/v1/models/gpt", nil, 404},
		{"no such path", open, "GET", "/v1/files", nil, 404},
		{"a way out", open, "GET", "/v1/models/../../etc/passwd", nil, 404},
		{"no key", locked, "POST", "/v1/completions", []string{kind, mime}, 401},
		{"a wrong key", locked, "GET", "/v1/models", []string{"Authorization", "Bearer hus"}, 401},
		{"no key for metrics", locked, "GET", "/metrics", nil, 401},
		{"no key for health", locked, "GET", "/health", nil, 200},
		{"the key", locked, "POST", "/v1/completions", []string{kind, mime, "Authorization", "Bearer hush"}, 200},
		{"the key, as RFC 9110 spells the scheme", locked, "GET", "/v1/models", []string{"Authorization", "bearer hush"}, 200},
		{"the key, any host", locked, "POST", "/v1/completions", []string{kind, mime, "X-Api-Key", "hush", "Host", "straw.example"}, 200},
	} {
		body := ""
		if tt.method == "POST" {
			body = hello
			if tt.path == "/tokenize" {
				body = `{"content": "x"}`
			}
		}
		if status, text := do(t, tt.method, tt.to.URL+tt.path, body, tt.header...); status != tt.status {
			t.Errorf("%s: %d %s", tt.name, status, text)
		}
	}
}

// A method that a path does not have is told which it has; HEAD has no body.
func TestMethods(t *testing.T) {
	_, h := server(t, Options{}, usual)
	for path, allow := range map[string]string{"/v1/chat/completions": "POST", "/tokenize": "POST", "/v1/models": "GET, HEAD", "/v1/models/demo": "GET, HEAD", "/metrics": "GET, HEAD"} {
		r, err := http.NewRequestWithContext(t.Context(), "PUT", h.URL+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if got := answer.Header.Get("Allow"); got != allow || answer.StatusCode != 405 {
			t.Errorf("%s: %s, Allow: %s", path, answer.Status, got)
		}
	}
	if status, text := do(t, "HEAD", h.URL+"/v1/models/demo", ""); status != 200 || text != "" {
		t.Errorf("HEAD: %d %q", status, text)
	}
}

// A server without models says that it is loading.
func TestLoading(t *testing.T) {
	h := httptest.NewServer(New(Options{}))
	defer h.Close()
	for _, path := range []string{"/health", "/v1/models", "/props"} {
		if status, text := do(t, "GET", h.URL+path, ""); status != 503 || !strings.Contains(text, "loading") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if status, _ := post(t, h.URL+"/v1/completions", `{"prompt": "x"}`); status != 503 {
		t.Errorf("got %d", status)
	}
	if status, text := do(t, "GET", h.URL+"/metrics", ""); status != 200 || !strings.Contains(text, "straw_ready 0\n") {
		t.Errorf("got %d %s", status, text)
	}
}

// llama-server's helpers.
func TestHelpers(t *testing.T) {
	_, h := server(t, Options{}, usual)
	_, v := post(t, h.URL+"/tokenize", `{"content": "a dog 🐕", "with_pieces": true}`)
	var ids []string
	for _, token := range v["tokens"].([]any) {
		ids = append(ids, fmt.Sprint(at(token, "id")))
	}
	if _, ok := at(v, "tokens", len(ids)-1, "piece").([]any); !ok {
		t.Errorf("a piece that is no text: %v", v)
	}
	if _, v = post(t, h.URL+"/detokenize", `{"tokens": [`+strings.Join(ids, ",")+`]}`); v["content"] != "a dog 🐕" {
		t.Errorf("got %v", v)
	}
	if status, v := post(t, h.URL+"/detokenize", `{"tokens": [-1]}`); status != 400 || at(v, "error", "param") != "tokens" {
		t.Errorf("got %v", v)
	}
	if _, v = post(t, h.URL+"/apply-template", `{"model": "thinker", "messages": [{"role": "user", "content": "Hi"}]}`); v["prompt"] != "<|user|>Hi<|assistant|>" {
		t.Errorf("got %v", v)
	}
	if status, text := do(t, "GET", h.URL+"/props?model=thinker", ""); status != 200 || !strings.Contains(text, `"n_ctx":2048`) || !strings.Contains(text, `"total_slots":4`) {
		t.Errorf("got %d %s", status, text)
	}
	if status, text := do(t, "GET", h.URL+"/slots", ""); status != 200 || strings.Count(text, `"is_processing":false`) != 4 {
		t.Errorf("got %d %s", status, text)
	}
	if status, text := do(t, "GET", h.URL+"/v1/models/thinker", ""); status != 200 || !strings.Contains(text, `"id":"thinker"`) {
		t.Errorf("got %d %s", status, text)
	}
}
