//go:build e2e

package e2e

import (
	"slices"
	"strings"
	"testing"
	"time"

	"straw/engine"
	"straw/gguf"
	"straw/internal/demo"
	"straw/internal/session"
)

// embedPage is somebody else's page that uses straw.js.
const embedPage = `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title><link rel="icon" href="data:,"></head><body>
<input type="file" id="file">
<script type="module">
	import * as straw from "/straw.js";
	window.straw = straw;
	// failure is how a promise was rejected, in plain values.
	window.failure = (promise) => promise.then(
		(v) => ({ kind: "none", message: String(v), field: "" }),
		(e) => ({ kind: e.kind ?? e.name, message: e.message, field: e.field ?? "", isStraw: e instanceof straw.StrawError, keys: e.info?.metadata?.length ?? -1 }),
	);
	document.body.dataset.state = "ready";
</script></body></html>`

type failure struct {
	Kind, Message, Field string
	IsStraw              bool
	Keys                 int // of the metadata that was read before the damage, -1 for none
}

func embed(t *testing.T) *tab {
	t.Helper()
	p := open(t, "/test/embed.html")
	p.state("ready")
	return p
}

// demoModel opens the demo in the page as the global model.
func demoModel(t *testing.T) *tab {
	t.Helper()
	p := embed(t)
	eval[bool](p, `(async () => { window.model = await straw.open(await (await fetch("/demo.gguf")).blob()); return true; })()`)
	return p
}

func TestModuleLooks(t *testing.T) {
	p := demoModel(t)
	globals := eval[[]string](p, `Object.keys(window).filter(k => /straw|Go$/i.test(k))`)
	if !slices.Equal(globals, []string{"straw"}) { // which is the test page's own
		t.Errorf("straw.js leaves globals: %v", globals)
	}
	if a := eval[string](p, `model.info.summary.architecture`); a != "llama" {
		t.Errorf("architecture %q", a)
	}
	if n := eval[int](p, `model.value("tokenizer.ggml.tokens").then(v => v.length)`); n != 1024 {
		t.Errorf("%d tokens", n)
	}
	if n := eval[int](p, `model.value("tokenizer.ggml.tokens", { start: 1000, count: 10 }).then(v => v.length)`); n != 10 {
		t.Errorf("%d tokens in a slice of 10", n)
	}
	type numbers struct {
		Is     bool
		Length int
		Finite bool
	}
	if n := eval[numbers](p, `model.tensor("token_embd.weight", { row: 5 }).then(v => ({ Is: v instanceof Float32Array, Length: v.length, Finite: v.every(Number.isFinite) }))`); n != (numbers{true, 256, true}) {
		t.Errorf("row of a tensor: %+v", n)
	}
	type tokens struct {
		IDs   []int    `json:"ids"`
		Spans [][2]int `json:"spans"`
	}
	k := eval[tokens](p, `model.tokenize("Once upon a 😀", { addSpecial: false })`)
	if len(k.IDs) < 4 || len(k.Spans) != len(k.IDs) || k.Spans[len(k.Spans)-1][1] != 14 {
		t.Errorf("tokens %+v", k)
	}
	if s := eval[string](p, `model.tokenize("Once upon a 😀", { addSpecial: false }).then(t => model.detokenize(t.ids))`); s != "Once upon a 😀" {
		t.Errorf("detokenized %q", s)
	}
	if f := eval[failure](p, `failure(model.value("no.such.key"))`); !f.IsStraw || f.Field != "key" {
		t.Errorf("failure %+v", f)
	}
	if f := eval[failure](p, `failure(model.tensor("token_embd.weight", { row: 1e9 }))`); !f.IsStraw || f.Field != "row" {
		t.Errorf("failure %+v", f)
	}
}

func TestModuleRuns(t *testing.T) {
	const prompt, n = "Once upon a time", 24
	f, err := gguf.Open(demo.Open())
	if err != nil {
		t.Fatal(err)
	}
	native, err := session.Load(t.Context(), f, engine.Options{Context: 128, Resident: true, KV: engine.KVF16})
	if err != nil {
		t.Fatal(err)
	}
	defer native.Close()
	want, err := native.Generate(t.Context(), session.Prompt{Text: prompt}, session.Params{MaxTokens: n}, nil)
	if err != nil {
		t.Fatal(err)
	}

	p := demoModel(t)
	type outcome struct {
		IDs     []int
		Text    string
		Last    struct{ FinishReason string }
		Reports int
		Backend string
	}
	got := eval[outcome](p, `(async () => {
		let Reports = 0;
		window.session = await model.load({ contextSize: 128, kvType: "f16", onProgress: () => Reports++ });
		const IDs = [];
		let Text = "";
		for await (const piece of session.generate({ prompt: "Once upon a time", maxTokens: 24, temperature: 0 })) {
			if (piece.id >= 0) IDs.push(piece.id);
			Text += piece.text;
		}
		return { IDs, Text, Last: session.last, Reports, Backend: session.backend };
	})()`)
	if !slices.Equal(got.IDs, want.IDs) || got.Text != want.Text {
		t.Errorf("the tab says %v %q,\nnatively it is %v %q", got.IDs, got.Text, want.IDs, want.Text)
	}
	if got.Last.FinishReason != want.FinishReason || got.Reports == 0 || !strings.Contains(got.Backend, "one thread: the page is not cross-origin isolated") {
		t.Errorf("finished by %q, %d reports of progress, backend %q", got.Last.FinishReason, got.Reports, got.Backend)
	}

	logits := eval[[]float32](p, `session.logits([1021, 5, 6]).then(l => [...l])`)
	rows, err := native.Logits(t.Context(), []int{1021, 5, 6}, false)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(logits, rows[0]) {
		t.Error("logits in the tab are not the native ones")
	}

	if f := eval[failure](p, `failure((async () => { for await (const _ of session.generate({ prompt: "a", grammar: "root ::= x" })); })())`); f.Kind != "unsupported" || f.Field != "grammar" {
		t.Errorf("an option of a later version: %+v", f)
	}
	if f := eval[failure](p, `failure(model.load({ backend: "webgpu" }))`); f.Kind != "unsupported" || f.Field != "backend" {
		t.Errorf("a backend of a later version: %+v", f)
	}

	if ids := eval[[]int](p, `(async () => {
		const small = await model.load({ contextSize: 128, kvType: "f16", memoryBudget: 1 << 20 });
		for await (const _ of small.generate({ prompt: "Once upon a time", maxTokens: 4, temperature: 0 }));
		small.close();
		return small.last.ids;
	})()`); !slices.Equal(ids, want.IDs[:4]) {
		t.Errorf("with weights read for every token: %v, want %v", ids, want.IDs[:4])
	}

	// Abort stops the work and leaves the session usable.
	type stopped struct {
		Failure failure
		Ms      float64
		Last    string
		After   int
	}
	s := eval[stopped](p, `(async () => {
		const stop = new AbortController();
		let at = 0, n = 0;
		const Failure = await failure((async () => {
			for await (const _ of session.generate({ prompt: "Once", maxTokens: 100000, temperature: 0, signal: stop.signal }))
				if (++n === 3) { at = performance.now(); stop.abort(); }
		})());
		const Ms = performance.now() - at;
		const Last = session.last.finishReason;
		let After = 0;
		for await (const _ of session.generate({ ids: [1021], maxTokens: 2, temperature: 0 })) After++;
		return { Failure, Ms, Last, After };
	})()`)
	if s.Failure.Kind != "aborted" || s.Last != "aborted" || s.After < 1 {
		t.Errorf("aborted: %+v", s)
	}
	t.Logf("generate stopped %.0f ms after abort", s.Ms)
	if f := eval[failure](p, `(() => { session.close(); return failure(session.logits([1])); })()`); f.Kind != "aborted" {
		t.Errorf("after close: %+v", f)
	}
}

func TestModuleRefusesDamage(t *testing.T) {
	p := embed(t)
	text := demoBytes(t)
	for name, c := range map[string]struct {
		text  []byte
		kind  string
		keys  bool
		words string
	}{
		"cut":  {text[:len(text)/2], "truncated", true, ""},
		"html": {[]byte("<!doctype html><title>x</title>" + strings.Repeat(" ", 99)), "format", false, "HTML"},
	} {
		p.pick(save(t, name+".gguf", c.text))
		f := eval[failure](p, `failure(straw.open(document.querySelector("#file").files[0]))`)
		if f.Kind != c.kind || !f.IsStraw || (f.Keys > 5) != c.keys || !strings.Contains(f.Message, c.words) {
			t.Errorf("%s: %+v", name, f)
		}
	}
	f := eval[failure](p, `(() => { const stop = new AbortController(); stop.abort(); return failure(straw.open(new Blob([]), { signal: stop.signal })); })()`)
	if f.Kind != "aborted" {
		t.Errorf("aborted before it began: %+v", f)
	}
}

// TestModuleReadsFar reads the end of a file that no memory would hold.
func TestModuleReadsFar(t *testing.T) {
	p := embed(t)
	p.pick(write(t, "far.gguf", []entry{{"general.architecture", "llama"}}, []weight{{"near", []uint64{32}}, {"hole", []uint64{4096, 1 << 19}}, {"end", []uint64{64, 2}}}))
	begin := time.Now()
	n := eval[int](p, `(async () => {
		const model = await straw.open(document.querySelector("#file").files[0]);
		const end = await model.tensor("end"), row = await model.tensor("hole", { row: (1 << 19) - 1 });
		return end.length + row.length;
	})()`)
	if n != 128+4096 {
		t.Errorf("%d values", n)
	}
	t.Logf("8.6 GB opened and read at both ends in %v", time.Since(begin).Round(time.Millisecond))
}
