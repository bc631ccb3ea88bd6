package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"straw/engine"
	"straw/gguf"
	"straw/internal/demo"
	"straw/internal/scripted"
	"straw/internal/session"
)

// parallel is how many generations the servers of these tests run at once.
const parallel = 4

// server has the demo model as "demo" and scripted.Thinker.
func server(t *testing.T, o Options, p session.PoolOptions) (*Server, *httptest.Server) {
	t.Helper()
	o.Parallel, p.Parallel = max(p.Parallel, 1), max(p.Parallel, 1)
	o.Version = "straw-test"
	s := New(o)
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	var models []*Model
	b := scripted.Thinker.Bytes()
	for _, m := range []struct {
		name string
		open func() (*gguf.File, error)
	}{
		{"demo", func() (*gguf.File, error) { return gguf.Open(demo.Open()) }},
		{"thinker", func() (*gguf.File, error) { return gguf.Open(bytes.NewReader(b), int64(len(b))) }},
	} {
		f, err := m.open()
		if err != nil {
			t.Fatal(err)
		}
		loaded, err := session.Load(t.Context(), f, engine.Options{Threads: 2, Resident: true})
		if err != nil {
			t.Fatal(err)
		}
		pool := session.NewPool(loaded, p)
		t.Cleanup(func() { pool.Close() })
		models = append(models, &Model{Name: m.name, Pool: pool, Pooling: engine.PoolMean, Bytes: f.Size})
	}
	s.Start(models...)
	return s, h
}

var usual = session.PoolOptions{Parallel: parallel, Waiting: 64, CacheBytes: 16 << 20}

// post posts JSON and returns the status and the answer.
func post(t *testing.T, url, body string, header ...string) (int, map[string]any) {
	t.Helper()
	status, text := do(t, "POST", url, body, append([]string{"Content-Type", "application/json"}, header...)...)
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v: %s", body, err, text)
	}
	return status, v
}

func do(t *testing.T, method, url, body string, header ...string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			r.Host = header[i+1]
		}
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// events are those of a stream, without its end, which must be there.
func events(t *testing.T, url, body string) (list []map[string]any) {
	t.Helper()
	_, text := do(t, "POST", url, body, "Content-Type", "application/json")
	text, ok := strings.CutSuffix(text, "data: [DONE]\n\n")
	if !ok {
		t.Fatalf("no end: %s", text)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n\n"), "\n\n") {
		var v map[string]any
		if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &v); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		list = append(list, v)
	}
	return list
}

// at walks down an answer: at(v, "choices", 0, "message").
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m, _ := v.(map[string]any)
			v = m[p]
		case int:
			l, _ := v.([]any)
			if p >= len(l) {
				return nil
			}
			v = l[p]
		}
	}
	return v
}

const addTool = `"tools": [{"type": "function", "function": {"name": "add", "description": "Adds.", "parameters": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a"]}}}]`

func TestChat(t *testing.T) {
	_, h := server(t, Options{}, usual)
	url := h.URL + "/v1/chat/completions"
	_, v := post(t, url, `{"model": "thinker", "messages": [{"role": "user", "content": [{"type": "text", "text": "1 + 2?"}]}], `+addTool+`}`)
	call := map[string]any{"type": "function", "id": at(v, "choices", 0, "message", "tool_calls", 0, "id"), "function": map[string]any{"name": "add", "arguments": `{"b":2,"a":1}`}}
	if id, _ := call["id"].(string); len(id) != 9 {
		t.Errorf("the call's id is %q", id)
	}
	want := map[string]any{"role": "assistant", "content": "Let us see.", "reasoning_content": "I need to add.", "tool_calls": []any{call}}
	got := at(v, "choices", 0, "message").(map[string]any)
	got["content"] = strings.TrimSpace(got["content"].(string))
	var compact bytes.Buffer
	function := at(got, "tool_calls", 0, "function").(map[string]any)
	if err := json.Compact(&compact, []byte(function["arguments"].(string))); err != nil {
		t.Error(err)
	}
	function["arguments"] = compact.String()
	if !reflect.DeepEqual(got, want) || at(v, "choices", 0, "finish_reason") != "tool_calls" || v["object"] != "chat.completion" {
		t.Errorf("got %v", v)
	}
	if at(v, "usage", "completion_tokens") != 12. || at(v, "usage", "total_tokens").(float64) != at(v, "usage", "prompt_tokens").(float64)+12 {
		t.Errorf("usage %v", v["usage"])
	}
	_, v = post(t, url, `{"model": "thinker", "messages": [{"role": "user", "content": "1 + 2?"}, {"role": "assistant", "content": null, "tool_calls":
		[{"id": "x", "type": "function", "function": {"name": "add", "arguments": "{\"a\": 1}"}}]}, {"role": "tool", "tool_call_id": "x", "content": "3"}]}`)
	if at(v, "choices", 0, "message", "content") != "It is 3." || at(v, "choices", 0, "finish_reason") != "stop" {
		t.Errorf("got %v", v)
	}
	_, v = post(t, url, `{"model": "thinker", "messages": [{"role": "tool", "content": "3"}], "stop": " 3"}`)
	if at(v, "choices", 0, "message", "content") != "It is" {
		t.Errorf("stopped: %v", v)
	}
}

// A stream says what the whole answer says; a call comes when it is complete, and one that is none never comes.
func TestChatStream(t *testing.T) {
	_, h := server(t, Options{}, usual)
	url := h.URL + "/v1/chat/completions"
	list := events(t, url, `{"model": "thinker", "messages": [{"role": "user", "content": "1 + 2?"}], "stream": true, "stream_options": {"include_usage": true}, `+addTool+`}`)
	var content, reasoning, calls string
	var finish any
	for i, e := range list[:len(list)-1] {
		d := at(e, "choices", 0, "delta")
		if usage, ok := e["usage"]; !ok || usage != nil {
			t.Errorf("event %d has the usage %v", i, usage)
		}
		if role := at(d, "role"); (role == "assistant") != (i == 0) {
			t.Errorf("event %d has the role %v", i, role)
		}
		for _, p := range []struct {
			to   *string
			name string
		}{{&content, "content"}, {&reasoning, "reasoning_content"}} {
			if s, ok := at(d, p.name).(string); ok {
				*p.to += s
			}
		}
		if c := at(d, "tool_calls", 0); c != nil {
			calls += fmt.Sprint(at(c, "index"), at(c, "function", "name"), len(at(c, "id").(string)), len(at(c, "function", "arguments").(string)) > 10)
		}
		if f := at(e, "choices", 0, "finish_reason"); f != nil {
			finish = f
		}
	}
	if strings.TrimSpace(content) != "Let us see." || reasoning != "I need to add." || calls != "0add9 true" || finish != "tool_calls" {
		t.Errorf("got %q, %q, %q, %v", content, reasoning, calls, finish)
	}
	last := list[len(list)-1]
	if len(last["choices"].([]any)) != 0 || at(last, "usage", "completion_tokens") != 12. {
		t.Errorf("the last event: %v", last)
	}
	content, calls = "", ""
	for _, e := range events(t, url, `{"model": "thinker", "messages": [{"role": "user", "content": "?"}], "chat_template_kwargs": {"broken": true}, "stream": true, `+addTool+`}`) {
		if _, ok := e["usage"]; ok {
			t.Errorf("usage that was not asked for: %v", e)
		}
		if s, ok := at(e, "choices", 0, "delta", "content").(string); ok {
			content += s
		}
		if at(e, "choices", 0, "delta", "tool_calls") != nil {
			t.Errorf("a call that is none: %v", e)
		}
	}
	if !strings.Contains(content, "oops") {
		t.Errorf("the text of it: %q", content)
	}
}

// Several answers are those of seeds one after the other, also as one stream; their prompt counts once.
func TestSeveralAnswers(t *testing.T) {
	_, h := server(t, Options{}, usual)
	url := h.URL + "/v1/chat/completions"
	ask := func(more string) string {
		return `{"model": "demo", "messages": [{"role": "user", "content": "Tell a story about a dog and a cat who went into the wood one day to look for a ball."}], "max_tokens": 8, "temperature": 1.5` + more + `}`
	}
	_, all := post(t, url, ask(`, "seed": 5, "n": 3`))
	texts := map[float64]string{}
	for _, e := range events(t, url, ask(`, "seed": 5, "n": 3, "stream": true`)) {
		if text, ok := at(e, "choices", 0, "delta", "content").(string); ok {
			texts[at(e, "choices", 0, "index").(float64)] += text
		}
	}
	for i := range 3 {
		_, one := post(t, url, ask(fmt.Sprintf(`, "seed": %d`, 5+i)))
		if want := at(one, "choices", 0, "message", "content"); at(all, "choices", i, "message", "content") != want || texts[float64(i)] != want {
			t.Errorf("answer %d: %v; streamed %q; alone %v", i, at(all, "choices", i), texts[float64(i)], want)
		}
		if at(all, "usage", "prompt_tokens") != at(one, "usage", "prompt_tokens") || at(all, "usage", "completion_tokens") != 24. {
			t.Errorf("usage %v; of one %v", all["usage"], one["usage"])
		}
	}
	if at(all, "usage", "prompt_tokens_details", "cached_tokens") != 0. {
		t.Errorf("a new prompt was there: %v", all["usage"])
	}
}

// A format holds the answer; so does a tool that must be called.
func TestFormats(t *testing.T) {
	_, h := server(t, Options{}, usual)
	url := h.URL + "/v1/chat/completions"
	const chat = `{"model": "demo", "messages": [{"role": "user", "content": "A dog."}], "seed": 1, "max_tokens": 300, `
	const format = `"response_format": {"type": "json_schema", "json_schema": {"name": "dog", "schema": {"type": "object", "properties": {"name": {"enum": ["Rex", "Max"]}, "age": {"type": "integer", "maximum": 99, "minimum": 0}}, "required": ["name", "age"], "additionalProperties": false}}}}`
	_, v := post(t, url, chat+format)
	var dog struct {
		Name string
		Age  int
	}
	text, _ := at(v, "choices", 0, "message", "content").(string)
	if err := json.Unmarshal([]byte(text), &dog); err != nil || dog.Name != "Rex" && dog.Name != "Max" || at(v, "choices", 0, "finish_reason") != "stop" {
		t.Errorf("got %v: %v", v, err)
	}
	_, v = post(t, url, `{"messages": [{"role": "user", "content": "A dog."}], "seed": 1, "max_tokens": 60, "grammar": "root ::= \"yes\" | \"no\""}`)
	if text := at(v, "choices", 0, "message", "content"); text != "yes" && text != "no" {
		t.Errorf("got %v", v)
	}
	tool := `"tools": [{"type": "function", "function": {"name": "pet", "parameters": {"type": "object", "properties": {"kind": {"enum": ["cat", "dog"]}}, "required": ["kind"], "additionalProperties": false}}}], "tool_choice": `
	for _, choice := range []string{`"required"}`, `{"type": "function", "function": {"name": "pet"}}}`} {
		_, v = post(t, url, chat+tool+choice)
		arguments, _ := at(v, "choices", 0, "message", "tool_calls", 0, "function", "arguments").(string)
		if !strings.Contains(arguments, `"cat"`) && !strings.Contains(arguments, `"dog"`) || at(v, "choices", 0, "finish_reason") != "tool_calls" || at(v, "choices", 0, "message", "content") != nil {
			t.Errorf("forced: %v", v)
		}
		list := events(t, url, chat+`"stream": true, `+tool+choice)
		if at(list[1], "choices", 0, "delta", "tool_calls", 0, "function", "arguments") != arguments || len(list) != 3 {
			t.Errorf("forced, as a stream: %v", list)
		}
	}
}

func TestCompletions(t *testing.T) {
	_, h := server(t, Options{}, usual)
	url := h.URL + "/v1/completions"
	_, v := post(t, url, `{"prompt": ["Once upon", [1, 2, 3]], "n": 2, "max_tokens": 6, "seed": 7, "logprobs": 2, "temperature": 1.5}`)
	for i := range 4 {
		c := at(v, "choices", i)
		l := at(c, "logprobs").(map[string]any)
		var tokens strings.Builder
		for _, s := range l["tokens"].([]any) {
			tokens.WriteString(s.(string))
		}
		if at(c, "index") != float64(i) || len(l["token_logprobs"].([]any)) != 6 || len(at(l, "top_logprobs", 0).(map[string]any)) != 2 || tokens.String() != at(c, "text") {
			t.Errorf("choice %d: %v", i, c)
		}
	}
	if at(v, "choices", 0, "text") == at(v, "choices", 1, "text") {
		t.Errorf("two answers are one: %v", v)
	}
	_, alone := post(t, url, `{"prompt": "Once upon", "max_tokens": 6, "seed": 7, "temperature": 1.5, "max_completion_tokens": 6, "top_k": -1, "logit_bias": {"5": -100}}`)
	if at(alone, "usage", "completion_tokens") != 6. {
		t.Errorf("got %v", alone)
	}
	var text strings.Builder
	list := events(t, url, `{"prompt": "Once upon", "max_tokens": 6, "seed": 7, "temperature": 1.5, "stream": true}`)
	for _, e := range list {
		text.WriteString(at(e, "choices", 0, "text").(string))
	}
	if text.String() != at(v, "choices", 0, "text") || at(list[len(list)-1], "choices", 0, "finish_reason") != "length" {
		t.Errorf("a stream: %q, not %q", text.String(), at(v, "choices", 0, "text"))
	}
}

// A request has the same answer alone and beside others.
func TestSameAloneAndBeside(t *testing.T) {
	_, h := server(t, Options{}, usual)
	request := func(i int) string {
		return fmt.Sprintf(`{"model": "demo", "messages": [{"role": "user", "content": "Tell a story about %d dogs"}], "max_tokens": %d, "seed": %d, "logprobs": true}`, i%3, 10+i, i)
	}
	const n = 12
	want := make([]any, n)
	for i := range want {
		_, v := post(t, h.URL+"/v1/chat/completions", request(i))
		want[i] = v["choices"]
	}
	_, other := server(t, Options{}, usual)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			_, v := post(t, other.URL+"/v1/chat/completions", request(i))
			if !reflect.DeepEqual(v["choices"], want[i]) {
				t.Errorf("request %d: %v, alone %v", i, v["choices"], want[i])
			}
		})
	}
	all.Wait()
}

func TestEmbeddings(t *testing.T) {
	_, h := server(t, Options{}, usual)
	_, v := post(t, h.URL+"/v1/embeddings", `{"input": ["a dog", "a cat", "a dog"], "model": "demo"}`)
	_, one := post(t, h.URL+"/v1/embeddings", `{"input": "a dog", "encoding_format": "base64"}`)
	sum := 0.0
	for _, x := range at(v, "data", 0, "embedding").([]any) {
		sum += x.(float64) * x.(float64)
	}
	if !reflect.DeepEqual(at(v, "data", 0, "embedding"), at(v, "data", 2, "embedding")) || reflect.DeepEqual(at(v, "data", 0, "embedding"), at(v, "data", 1, "embedding")) || sum < 0.9999 || sum > 1.0001 {
		t.Errorf("got %v", v)
	}
	if s, _ := at(one, "data", 0, "embedding").(string); len(s) != (256*4+2)/3*4 {
		t.Errorf("base64 of %d letters", len(s))
	}
}

// What others have written and answered is in no log.
func TestLog(t *testing.T) {
	var log safeBuffer
	s, h := server(t, Options{Log: slog.New(slog.NewJSONHandler(&log, nil))}, usual)
	post(t, h.URL+"/v1/completions", `{"prompt": "my secret", "max_tokens": 3}`)
	post(t, h.URL+"/v1/chat/completions", `{"messages": [{"role": "secret"}]}`)
	post(t, h.URL+"/v1/completions", `{"model": "secret"}`)
	do(t, "GET", h.URL+"/v1/models/secret", "")
	text := log.String()
	if strings.Contains(text, "secret") || strings.Count(text, "\n") != 4 || !strings.Contains(text, `"tokens":3`) || !strings.Contains(text, `"error":"invalid_value messages[0].role"`) {
		t.Errorf("got %s", text)
	}
	_, page := do(t, "GET", h.URL+"/metrics", "")
	for _, line := range []string{"straw_ready 1", `straw_requests_total{path="/v1/completions",code="200"} 1`, `straw_generated_tokens_total{model="demo"} 3`, "straw_first_token_seconds_count 1", `straw_first_token_seconds_bucket{le="+Inf"} 1`} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("no %s in %s", line, page)
		}
	}
	s.Drain()
	if status, text := do(t, "GET", h.URL+"/health", ""); status != 503 || !strings.Contains(text, "draining") {
		t.Errorf("got %d %s", status, text)
	}
}

type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// Who goes away is not generated for; who comes when too many wait is told when to come back.
func TestBusyAndGone(t *testing.T) {
	s, h := server(t, Options{}, session.PoolOptions{Parallel: 1, Waiting: 1, CacheBytes: 1 << 20})
	const long = `{"prompt": "Once", "max_tokens": 400, "ignore_eos": true, "stream": true}`
	start := func() (*http.Response, context.CancelFunc) {
		ctx, leave := context.WithCancel(t.Context())
		r, _ := http.NewRequestWithContext(ctx, "POST", h.URL+"/v1/completions", strings.NewReader(long))
		r.Header.Set("Content-Type", "application/json")
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return answer, leave
	}
	pool := s.models[0].Pool
	answer, leave := start() // its headers come with its first token
	waiting, away := context.WithCancel(t.Context())
	go func() {
		r, _ := http.NewRequestWithContext(waiting, "POST", h.URL+"/v1/completions", strings.NewReader(long))
		r.Header.Set("Content-Type", "application/json")
		if answer, err := http.DefaultClient.Do(r); err == nil {
			answer.Body.Close()
		}
	}()
	until(func() bool { return pool.Stats().Waiting == 1 || pool.Stats().Active == 0 })
	r, _ := http.NewRequestWithContext(t.Context(), "POST", h.URL+"/v1/completions", strings.NewReader(long))
	r.Header.Set("Content-Type", "application/json")
	if busy, err := http.DefaultClient.Do(r); err != nil || busy.StatusCode != 429 || busy.Header.Get("Retry-After") == "" {
		t.Errorf("a third: %v, %v", busy, err)
	}
	away()
	until(func() bool { return pool.Stats().Waiting == 0 })
	leave()
	answer.Body.Close()
	until(func() bool { return pool.Stats().Active == 0 })
}

func until(f func() bool) {
	for !f() {
		time.Sleep(time.Millisecond)
	}
}
