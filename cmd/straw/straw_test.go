package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"straw/gguf"
	"straw/internal/demo"
	"straw/internal/hub/hubtest"
	"straw/internal/scripted"
	"straw/quant"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"straw": main})
}

// TestScripts runs testdata/script: each command the good and the bad way. DEMO is the demo model as
// a file, TINY the folder of testdata/tiny,
// THINKER a model that thinks, calls a tool and tells of its result; HF_ENDPOINT is a hub with the repository ann/tiny, CDN
// where its files are.
func TestScripts(t *testing.T) {
	file := filepath.Join(t.TempDir(), demo.Name)
	r, size := demo.Open()
	b := make([]byte, size)
	if _, err := r.ReadAt(b, 0); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, b, 0o666); err != nil {
		t.Fatal(err)
	}
	tiny, err := filepath.Abs("../../testdata/tiny")
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := filepath.Abs("../../testdata/corpus")
	if err != nil {
		t.Fatal(err)
	}
	thinker := filepath.Join(t.TempDir(), "thinker.gguf")
	if err := os.WriteFile(thinker, thinkingModel.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	site := hubtest.New(t, map[string][]byte{"tiny-Q4_K_M.gguf": hubtest.Model(1<<16, 0), "tiny-Q8_0.gguf": b, "tiny.gguf": hubtest.Model(1<<16, 1)})
	site.Token = "hush"
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HF_ENDPOINT", site.URL)
			env.Setenv("HF_TOKEN", site.Token)
			env.Setenv("CDN", site.CDN.URL)
			env.Setenv("STRAW_MODELS", filepath.Join(env.WorkDir, "store"))
			env.Setenv("DEMO", file)
			env.Setenv("CORPUS", corpus)
			env.Setenv("TINY", tiny)
			env.Setenv("THINKER", thinker)
			env.Setenv("NO_COLOR", "1")
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "adapter": adapter, "head": head, "hostile": hostile, "serves": serves,
		},
	})
}

var thinkingModel = scripted.Model{
	Template: "{% for t in tools or [] %}<tool_call>{{ t.function.name }}{% endfor %}{% for m in messages %}<|{{ m.role }}|>{{ m.content }}" +
		"{% for c in m.tool_calls or [] %}{{ c.id }}{{ c.function.arguments | tojson }}{% endfor %}{% endfor %}" +
		"{% if enable_thinking is defined and not enable_thinking %}<|answer|>{% elif messages[-1].role == 'tool' %}<|answer|>{% else %}<|assistant|>{% endif %}",
	Special: []string{"<|assistant|>", "<|answer|>"},
	Says: map[string][]string{
		"<|assistant|>": {"<think>", "I need", " to add.", "</think>", "\n\n", "Let us", " see.", "\n<tool_call>", `{"name": "add", "arguments": {"b": 2,`, ` "a": 1}}`, "</tool_call>"},
		"<|answer|>":    {"It is", " 3."},
	},
}

// exits N PROGRAM ARGS... runs a program that must end with status N.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS PROGRAM ARGS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// head N IN OUT copies the first N bytes of a file.
func head(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: head N IN OUT")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	b, err := os.ReadFile(ts.MkAbs(args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), b[:n], 0o666))
}

// serves ARGS... runs straw serve, asks for the page, and ends it as a person would; it must end with status 0.
func serves(ts *testscript.TestScript, neg bool, args []string) {
	cmd := exec.Command("straw", append([]string{"serve"}, args...)...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Path, cmd.Err = exec.LookPath("straw")
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	url, err := bufio.NewReader(out).ReadString('\n')
	ts.Check(err)
	page, err := http.Get(strings.TrimSpace(url))
	ts.Check(err)
	body, err := io.ReadAll(page.Body)
	ts.Check(err)
	page.Body.Close()
	if h := page.Header.Get("Cross-Origin-Embedder-Policy"); h != "require-corp" || !strings.Contains(string(body), "<!doctype html>") {
		ts.Fatalf("status %s, header %q, %q", page.Status, h, body)
	}
	ts.Check(cmd.Process.Signal(os.Interrupt))
	ts.Check(cmd.Wait())
}

// hostile OUT writes a file whose texts would act on a terminal.
func hostile(ts *testscript.TestScript, neg bool, args []string) {
	b := []byte("GGUF\x03\x00\x00\x00")
	text := func(s string) {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(s)))
		b = append(b, s...)
	}
	b = binary.LittleEndian.AppendUint64(b, 0) // tensors
	b = binary.LittleEndian.AppendUint64(b, 3) // keys
	for _, kv := range [][2]string{{"general.architecture", "evil\x1b[2J"}, {"general.name", "a\u202eb\nsecond line"}, {"\x1b]0;title\x07", "\xff\x9b31m"}} {
		text(kv[0])
		b = binary.LittleEndian.AppendUint32(b, 8)
		text(kv[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o666))
}

// adapter OUT writes a LoRA adapter of rank 1 for the demo model's first query matrix.
func adapter(ts *testscript.TestScript, neg bool, args []string) {
	var d gguf.Draft
	for _, kv := range []struct {
		key   string
		value any
	}{{"general.type", "adapter"}, {"general.architecture", "llama"}, {"adapter.type", "lora"}, {"adapter.lora.alpha", float32(2)}} {
		v, ok := gguf.ValueOf(kv.value)
		if !ok {
			ts.Fatalf("no value for %s", kv.key)
		}
		d.Set(kv.key, v)
	}
	ones := func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("\x00\x00\x80\x3f", 256))
		return err
	}
	ts.Check(d.Add("blk.0.attn_q.weight.lora_a", []uint64{256, 1}, quant.F32, ones))
	ts.Check(d.Add("blk.0.attn_q.weight.lora_b", []uint64{1, 256}, quant.F32, ones))
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	_, err = d.WriteTo(f)
	ts.Check(err)
	ts.Check(f.Close())
}
