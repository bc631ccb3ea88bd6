package reply

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// upstream holds the templates of real models, where the folder lies beside the repository.
const upstream = "../../../shared/templates_upstream"

// detected names the family of each template, by the beginning of its name; the longest one counts.
var detected = map[string]string{
	"Apertus": "apertus", "Apriel": "apriel", "Bielik": "hermes", "ByteDance": "seed-oss", "Cohere2MoE": "command-r7b",
	"CohereForAI-c4ai-command-r-plus": "command-r", "CohereForAI-c4ai-command-r7b": "command-r7b", "GLM": "glm",
	"GigaChat": "gigachat", "HuggingFaceTB-SmolLM3": "generic", "Kimi-K2": "kimi-k2", "Kimi-K3": "kimi-k3", "LFM2": "lfm2",
	"MiMo": "hermes", "MiniMax-M1": "tool-calls", "MiniMax-M2": "minimax-m2", "MiniMax-M3": "minimax-m3", "Mistral": "mistral",
	"NVIDIA-Nemotron-3": "qwen3-coder", "NVIDIA-Nemotron-Nano-v2": "nemotron", "NousResearch": "hermes", "Qwen": "hermes",
	"Qwen3": "qwen3-coder", "Reka": "hermes", "Spark": "glm", "StepFun": "qwen3-coder", "deepseek-ai-DeepSeek-R1": "deepseek",
	"deepseek-ai-DeepSeek-V3.1": "deepseek", "deepseek-ai-DeepSeek-V3.2": "deepseek-dsml", "deepseek-ai-DeepSeek-V4": "deepseek-dsml",
	"fireworks": "firefunction", "google-gemma-2": "gemma", "google-gemma-4": "gemma4", "ibm-granite": "granite",
	"inclusionai-ling": "glm", "llama-cpp-deepseek": "deepseek", "llama-cpp-rwkv": "generic",
	"meetkai-functionary-medium-v3.1": "functionary-v3.1", "meetkai-functionary-medium-v3.2": "functionary-v3.2",
	"meta-llama": "llama-3", "microsoft-Phi-3.5": "generic", "mistralai": "mistral", "moonshotai": "kimi-k2", "muse": "muse",
	"openai": "gpt-oss", "openbmb": "minicpm", "poolside": "glm", "tencent": "hunyuan-3", "unsloth-Apriel": "apriel",
	"unsloth-mistral": "mistral", "upstage": "solar",
}

func TestDetect(t *testing.T) {
	for template, want := range map[string]string{
		"{{ messages[0].content }}":                       "generic",
		"[|system|]{{ x }}[|endofturn|][|assistant|]":     "exaone",
		"<functions>{{ f }}</functions> <function_calls>": "olmo",
		"<|tool|>{{ tools }}<|/tool|>":                    "phi-4",
		"<|header_start|>assistant<|header_end|>":         "llama-4",
		"<|action_start|><|plugin|>":                      "internlm",
	} {
		if got := Detect(template).Name; got != want {
			t.Errorf("%s: %s, want %s", template, got, want)
		}
	}
	files, _ := filepath.Glob(filepath.Join(upstream, "*.jinja"))
	if len(files) == 0 {
		t.Logf("%s is not here", upstream)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		best, want := "", ""
		for prefix, family := range detected {
			if strings.HasPrefix(filepath.Base(name), prefix) && len(prefix) > len(best) {
				best, want = prefix, family
			}
		}
		if got := Detect(string(src)).Name; got != want {
			t.Errorf("%s: %s, want %s", filepath.Base(name), got, want)
		}
	}
}

// TestRendered reads back the calls that the templates of real models write: what a model was taught.
func TestRendered(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(upstream, "cases.json"))
	if os.IsNotExist(err) {
		t.Logf("%s is not here", upstream)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Name, File, Expected string
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var want any
	if err := json.Unmarshal([]byte(`{"city": "Paris", "days": 2, "x": [1, 2.5, true, null]}`), &want); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range all {
		_, turn, ok := cutLast(c.Expected, "What is 2+2?")
		if !ok || !strings.HasSuffix(c.Name, "/tools") || !strings.Contains(turn, "get_weather") {
			continue
		}
		n++
		t.Run(c.Name, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(upstream, c.File))
			if err != nil {
				t.Fatal(err)
			}
			f := Detect(string(src))
			if strings.HasPrefix(c.Name, "meta-llama") { // a bare call begins the answer
				turn = turn[strings.Index(turn, `{"name"`):]
			}
			m, err := check(f, Options{Tools: weather}, turn, strings.SplitAfter(turn, ">"))
			if err != nil {
				t.Fatal(err)
			}
			var got any
			if len(m.Calls) == 0 || m.Calls[0].Name != "get_weather" {
				t.Fatalf("%s: %q: %+v", f.Name, turn, m)
			}
			if err := json.Unmarshal([]byte(m.Calls[0].Arguments), &got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q: %s, %v", f.Name, turn, m.Calls[0].Arguments, err)
			}
		})
	}
	t.Logf("%d templates write calls", n)
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

func TestUses(t *testing.T) {
	for _, x := range []struct {
		family, token string
		want          bool
	}{
		{"gpt-oss", "<|channel|>", true},
		{"gpt-oss", "<|constrain|>", true},
		{"gpt-oss", "<|endoftext|>", false},
		{"mistral", "[ARGS]", true},
		{"mistral", "[INST]", false},
		{"deepseek", "<｜tool▁sep｜>", true},
		{"kimi-k3", "<|sep|>", true}, // a part of several marks
		{"hermes", "<tool_call>", true},
		{"hermes", "<|im_start|>", false},
		{"hermes", "", false},
	} {
		if got := Lookup(x.family).Uses(x.token); got != x.want {
			t.Errorf("%s uses %q: %v, want %v", x.family, x.token, got, x.want)
		}
	}
}
