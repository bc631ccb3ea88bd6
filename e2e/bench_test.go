//go:build e2e

package e2e

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// TestModuleWorksOnFiles: straw.js describes, hashes, edits, splits, merges and compares, and what fails leaves the file as it was.
func TestModuleWorksOnFiles(t *testing.T) {
	p := demoModel(t)
	if got := eval[string](p, `(async () => {
		const v = await model.tensor("output_norm.weight"), s = await model.stats("output_norm.weight", { bins: 8 });
		return [s.sampled === v.length, s.min === Math.min(...v), s.max === Math.max(...v), s.histogram.counts.reduce((a, b) => a + b) === v.length].join();
	})()`); got != "true,true,true,true" {
		t.Errorf("stats: read, smallest, largest, counted: %s", got)
	}
	want := fmt.Sprintf("%x", sha256.Sum256(demoBytes(t)))
	if got := eval[string](p, `model.hash().then((h) => h.files[0].sha256)`); got != want {
		t.Errorf("sum %s, want %s", got, want)
	}

	// Edited into a stream, and into a file of the browser's own file system.
	got := eval[string](p, `(async () => {
		const root = await navigator.storage.getDirectory();
		const handle = await root.getFileHandle("edited.gguf", { create: true });
		const seen = [];
		const draft = model.edit({ set: { "general.name": "Renamed", "mine.n": { type: "u8", value: 7 } }, unset: ["general.license"] });
		const [planned] = await draft.plan();
		await draft.save(handle, { onProgress: (p) => seen.push(p.phase + p.total) });
		const file = await handle.getFile();
		const pieces = [];
		await draft.save(new WritableStream({ write(p) { pieces.push(p); } }));
		const same = (await new Blob(pieces).arrayBuffer()).byteLength === file.size;
		const edited = await straw.open(handle);
		const d = await model.compare(edited);
		edited.close();
		return [planned.bytes === file.size, same, seen.at(-1) === "save" + file.size, edited.info.summary.name, d.tensors.length, d.keys.map((k) => k.key + " " + k.change).sort().join(" ")].join();
	})()`)
	if want := "true,true,true,Renamed,0,general.license removed general.name changed mine.n added"; got != want {
		t.Errorf("edited: %s, want %s", got, want)
	}

	// Split into a folder, opened again as a set, merged.
	got = eval[string](p, `(async () => {
		const root = await navigator.storage.getDirectory();
		const files = await model.split({ maxTensors: 16 }).save(root);
		const shards = await Promise.all(files.map(async (f) => (await root.getFileHandle(f.name)).getFile()));
		const set = await straw.open(shards.reverse());
		const pieces = [];
		await set.save(new WritableStream({ write(p) { pieces.push(p); } }));
		set.close();
		const merged = await straw.open(new Blob(pieces));
		const [a, b] = [await model.hash(), await merged.hash()];
		merged.close();
		return [files.length, set.info.summary.n_shards, a.all === b.all].join();
	})()`)
	if got != "3,3,true" {
		t.Errorf("split and merged: %s", got)
	}

	// A save that fails or is stopped leaves what was there.
	got = eval[string](p, `(async () => {
		const root = await navigator.storage.getDirectory();
		const handle = await root.getFileHandle("kept.gguf", { create: true });
		const w = await handle.createWritable();
		await w.write("as it was");
		await w.close();
		const stop = new AbortController();
		const stopped = await failure(model.save(handle, { signal: stop.signal, onProgress: () => stop.abort() }));
		const broken = await failure(model.save(new WritableStream({ write() { throw new Error("the disk is full"); } })));
		const unknown = await failure(model.edit({ unset: ["nothing"] }).plan());
		return [stopped.kind, await (await handle.getFile()).text(), broken.kind, broken.message.includes("disk is full"), unknown.kind].join();
	})()`)
	if want := "aborted,as it was,io,true,format"; got != want {
		t.Errorf("failed saves: %s, want %s", got, want)
	}
}
