// Runs one js/wasm test program in Node:
//
//	GOOS=js GOARCH=wasm go test -exec "node $PWD/wasm/testexec.mjs" ./gguf
//
// Go ships a wrapper for this. Ours differs in what a large environment does: the arguments and the environment of a js/wasm program
// share 8 KiB of its memory, so the stock wrapper dies on a machine with many variables. Here a test sees the few that Go's own packages read.
// It can also run the modules of straw/wasm/kernels on its memory, which is globalThis.goMemory: Node 20 wants to be asked for relaxed SIMD.

import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import v8 from "node:v8";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const [program, ...args] = process.argv.slice(2);
if (!program) {
	console.error("usage: node testexec.mjs program.wasm [argument...]");
	process.exit(2);
}

v8.setFlagsFromString("--experimental-wasm-relaxed-simd");

const goroot = process.env.GOROOT || execFileSync("go", ["env", "GOROOT"], { encoding: "utf8" }).trim();
const kept = ["HOME", "TZ", "GODEBUG", "GOTRACEBACK", "GOMAXPROCS", "GOCOVERDIR", "GOMEMLIMIT"];

Object.assign(globalThis, { require, fs, path });
globalThis.crypto ??= crypto.webcrypto;
require(path.join(goroot, "lib", "wasm", "wasm_exec.js"));

const go = new globalThis.Go();
go.argv = [program, ...args];
go.env = { TMPDIR: os.tmpdir() };
for (const name of kept) {
	if (name in process.env) go.env[name] = process.env[name];
}
go.exit = process.exit;

const { instance } = await WebAssembly.instantiate(fs.readFileSync(program), go.importObject);
globalThis.goMemory = instance.exports.mem;
process.on("exit", (code) => {
	// Node leaves when no event can come any more: a deadlock. Waking Go up makes it print every goroutine.
	if (code === 0 && !go.exited) {
		go._pendingEvent = { id: 0 };
		go._resume();
	}
});
await go.run(instance);
