//go:build e2e

package e2e

import (
	"testing"
)

// TestModuleSaves: a session is saved as bytes and goes on in another one, and a full context ends an answer or moves on.
func TestModuleSaves(t *testing.T) {
	p := demoModel(t)
	got := eval[string](p, `(async () => {
		const how = { maxTokens: 12, temperature: 0 };
		const ids = async (session, options) => { for await (const _ of session.generate({ ...how, ...options })); return session.last.ids; };
		const first = await model.load({ contextSize: 128 });
		const begun = await ids(first, { prompt: "Once upon a time" });
		let saved = 0;
		const bytes = await first.save({ onProgress: (p) => (saved = p.done) });
		const want = await ids(first, { ids: begun });
		first.close();
		const second = await model.restore(bytes, { contextSize: 128 });
		const same = await second.save();
		const goesOn = await ids(second, { ids: begun });
		second.close();
		return [bytes.length > 1000, saved === bytes.length, same.join() === bytes.join(), goesOn.join() === want.join()].join();
	})()`)
	if got != "true,true,true,true" {
		t.Errorf("saved, told, restored, goes on: %s", got)
	}
	got = eval[string](p, `(async () => {
		const session = await model.load({ contextSize: 32 });
		const bytes = await session.save();
		const ends = [];
		for (const onFull of ["stop", "shift"]) {
			for await (const _ of session.generate({ prompt: "Once upon a time", maxTokens: 40, temperature: 0, onFull }));
			ends.push(session.last.finishReason);
		}
		session.close();
		bytes[40] ^= 1;
		const damaged = await failure(model.restore(bytes, { contextSize: 32 }));
		const cut = await failure(model.restore(bytes.slice(0, 8), { contextSize: 32 }));
		return [...ends, damaged.kind, cut.kind].join();
	})()`)
	if want := "context,length,format,truncated"; got != want {
		t.Errorf("full twice, then restored from what is damaged: %s, want %s", got, want)
	}
}

// TestModuleAborts: what a signal stops before it began is not begun, and what reads for long stops in the middle, after which the next call is answered.
func TestModuleAborts(t *testing.T) {
	p := demoModel(t)
	got := eval[map[string]string](p, `(async () => {
		const session = await model.load({ contextSize: 64 });
		const saved = await session.save();
		const signal = AbortSignal.abort();
		const calls = {
			value: model.value("general.name", { signal }), tensor: model.tensor("output_norm.weight", { signal }), tokenize: model.tokenize("a", { signal }),
			detokenize: model.detokenize([1], { signal }), renderTemplate: model.renderTemplate([], { signal }), examine: model.examine({ signal }),
			forecast: model.forecast({ signal }), stats: model.stats("output_norm.weight", { signal }), hash: model.hash({ signal }),
			measure: model.measure("output_norm.weight", { type: "Q8_0" }, { signal }), compare: model.compare(model, { signal }), plan: model.edit({}).plan({ signal }),
			split: model.split({ maxTensors: 9 }).plan({ signal }), save: model.save(new WritableStream(), { signal }), load: model.load({ signal }),
			restore: model.restore(saved, { signal }), embed: session.embed("a", { signal }), logits: session.logits([1], { signal }), session: session.save({ signal }),
			generate: session.generate({ prompt: "a", signal }).next(),
		};
		const kinds = {};
		for (const [name, call] of Object.entries(calls)) kinds[name] = (await failure(call)).kind;
		session.close();
		return kinds;
	})()`)
	for name, kind := range got {
		if kind != "aborted" {
			t.Errorf("%s that was aborted before: %s", name, kind)
		}
	}
	if len(got) != 20 {
		t.Errorf("%d calls", len(got))
	}

	// Eight gigabytes of nothing.
	p.pick(write(t, "far.gguf", []entry{{"general.architecture", "llama"}}, []weight{{"hole", []uint64{4096, 1 << 19}}, {"end", []uint64{64, 2}}}))
	got = eval[map[string]string](p, `(async () => {
		const far = await straw.open(document.querySelector("#file").files[0]);
		const calls = {
			hash: (o) => far.hash(o), stats: (o) => far.stats("hole", o), measure: (o) => far.measure("hole", { type: "Q8_0" }, o), compare: (o) => far.compare(far, o),
			save: (o) => far.save(new WritableStream(), o),
		};
		const kinds = {};
		for (const [name, call] of Object.entries(calls)) {
			const stop = new AbortController();
			kinds[name] = (await failure(call({ signal: stop.signal, onProgress: (p) => p.done > 0 && stop.abort() }))).kind;
		}
		kinds.after = String((await far.stats("end")).elements);
		far.close();
		return kinds;
	})()`)
	for _, name := range []string{"hash", "stats", "measure", "compare", "save"} {
		if got[name] != "aborted" {
			t.Errorf("%s that was aborted in the middle: %s", name, got[name])
		}
	}
	if got["after"] != "128" {
		t.Errorf("afterwards: %v", got)
	}
}
