package peers

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

const key = "hush"

func client(t *testing.T) openai.Client {
	p := start(t, "demo="+os.Getenv("DEMO"), "--api-key", key)
	t.Cleanup(func() { p.end(t) })
	return openai.NewClient(option.WithBaseURL(p.url+"v1/"), option.WithAPIKey(key), option.WithMaxRetries(0))
}

var add = openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "add", Description: openai.String("Adds two numbers."),
	Parameters: shared.FunctionParameters{"type": "object", "properties": map[string]any{"a": map[string]any{"type": "integer"}, "b": map[string]any{"type": "integer"}}}})

func ask(model, text string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{Model: model, Seed: openai.Int(1), Messages: []openai.ChatCompletionMessageParamUnion{
		openai.DeveloperMessage("You are kind."), openai.UserMessage(text)}}
}

func TestOpenAI(t *testing.T) {
	c := client(t)
	ctx := t.Context()
	t.Run("models", func(t *testing.T) {
		page, err := c.Models.List(ctx)
		if err != nil || len(page.Data) != 2 || page.Data[0].ID != "thinker" || page.Data[1].ID != "demo" {
			t.Fatalf("%v, %v", page, err)
		}
		if m, err := c.Models.Get(ctx, "demo"); err != nil || m.OwnedBy != "straw" {
			t.Errorf("%v, %v", m, err)
		}
	})
	t.Run("a tool is called and told of", func(t *testing.T) {
		q := ask("thinker", "1 + 2?")
		q.Tools = []openai.ChatCompletionToolUnionParam{add}
		r, err := c.Chat.Completions.New(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		m := r.Choices[0].Message
		var sum struct{ A, B int }
		if len(m.ToolCalls) != 1 || m.ToolCalls[0].Function.Name != "add" || json.Unmarshal([]byte(m.ToolCalls[0].Function.Arguments), &sum) != nil || sum.A+sum.B != 3 {
			t.Fatalf("got %s", r.RawJSON())
		}
		if r.Choices[0].FinishReason != "tool_calls" || r.Usage.TotalTokens != r.Usage.PromptTokens+r.Usage.CompletionTokens || strings.TrimSpace(m.Content) != "Let us see." {
			t.Errorf("got %s", r.RawJSON())
		}
		q.Messages = append(q.Messages, m.ToParam(), openai.ToolMessage("3", m.ToolCalls[0].ID))
		if r, err = c.Chat.Completions.New(ctx, q); err != nil || r.Choices[0].Message.Content != "It is 3." {
			t.Errorf("then: %v, %v", r, err)
		}
	})
	t.Run("a stream", func(t *testing.T) {
		q := ask("thinker", "1 + 2?")
		q.Tools = []openai.ChatCompletionToolUnionParam{add}
		q.StreamOptions.IncludeUsage = openai.Bool(true)
		s := c.Chat.Completions.NewStreaming(ctx, q)
		var all openai.ChatCompletionAccumulator
		calls := 0
		for s.Next() {
			if !all.AddChunk(s.Current()) {
				t.Fatalf("a chunk that does not fit: %s", s.Current().RawJSON())
			}
			if _, ok := all.JustFinishedToolCall(); ok {
				calls++
			}
		}
		if s.Err() != nil || calls != 1 || all.Choices[0].FinishReason != "tool_calls" || all.Usage.CompletionTokens == 0 || strings.TrimSpace(all.Choices[0].Message.Content) != "Let us see." {
			t.Errorf("%v, %d calls, %s", s.Err(), calls, all.RawJSON())
		}
	})
	t.Run("a JSON schema, several answers, logprobs", func(t *testing.T) {
		q := ask("demo", "A dog")
		q.N, q.MaxCompletionTokens = openai.Int(3), openai.Int(200)
		q.Logprobs, q.TopLogprobs = openai.Bool(true), openai.Int(3)
		q.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: "dog", Strict: openai.Bool(true),
			Schema: map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"enum": []string{"Rex", "Max"}}}, "required": []string{"name"}, "additionalProperties": false}}}
		r, err := c.Chat.Completions.New(ctx, q)
		if err != nil || len(r.Choices) != 3 {
			t.Fatalf("%v, %v", r, err)
		}
		for _, choice := range r.Choices {
			var dog struct{ Name string }
			if err := json.Unmarshal([]byte(choice.Message.Content), &dog); err != nil || dog.Name != "Rex" && dog.Name != "Max" {
				t.Errorf("%q: %v", choice.Message.Content, err)
			}
			if l := choice.Logprobs.Content; len(l) == 0 || len(l[0].TopLogprobs) != 3 || l[0].Logprob > 0 {
				t.Errorf("logprobs %v", l)
			}
		}
	})
	t.Run("completions", func(t *testing.T) {
		r, err := c.Completions.New(ctx, openai.CompletionNewParams{Model: "demo", Prompt: openai.CompletionNewParamsPromptUnion{OfArrayOfStrings: []string{"Once", "There"}},
			MaxTokens: openai.Int(5), Seed: openai.Int(2), Stop: openai.CompletionNewParamsStopUnion{OfStringArray: []string{"zzz"}}})
		if err != nil || len(r.Choices) != 2 || r.Choices[1].Index != 1 || r.Choices[1].Text == "" {
			t.Errorf("%v, %v", r, err)
		}
	})
	t.Run("embeddings", func(t *testing.T) {
		r, err := c.Embeddings.New(ctx, openai.EmbeddingNewParams{Model: "demo", Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{"a dog", "a cat"}}})
		if err != nil || len(r.Data) != 2 || len(r.Data[1].Embedding) != 256 || r.Usage.PromptTokens == 0 {
			t.Errorf("%v, %v", r, err)
		}
	})
	t.Run("errors", func(t *testing.T) {
		for _, tt := range []struct {
			name   string
			q      openai.ChatCompletionNewParams
			o      []option.RequestOption
			status int
			param  string
		}{
			{"no such model", ask("gpt", "x"), nil, 404, "model"},
			{"a wrong key", ask("demo", "x"), []option.RequestOption{option.WithAPIKey("x")}, 401, ""},
			{"too hot", func() openai.ChatCompletionNewParams {
				q := ask("demo", "x")
				q.Temperature = param.NewOpt(-1.0)
				return q
			}(), nil, 400, "temperature"},
		} {
			_, err := c.Chat.Completions.New(ctx, tt.q, tt.o...)
			var e *openai.Error
			if !errors.As(err, &e) || e.StatusCode != tt.status || e.Param != tt.param || e.Message == "" || e.Code == "" {
				t.Errorf("%s: %v", tt.name, err)
			}
		}
	})
	t.Run("who leaves is left", func(t *testing.T) {
		ctx, leave := context.WithCancel(ctx)
		s := c.Completions.NewStreaming(ctx, openai.CompletionNewParams{Model: "demo", Prompt: openai.CompletionNewParamsPromptUnion{OfString: openai.String("Once")}}, option.WithJSONSet("ignore_eos", true))
		if !s.Next() {
			t.Fatal(s.Err())
		}
		leave()
		for s.Next() {
		}
		if !errors.Is(s.Err(), context.Canceled) {
			t.Errorf("got %v", s.Err())
		}
	})
}
