// llama.cpp, as package node-llama-cpp has it built, measured on demand: one measurement a line of standard input, as
// straw bench --json-lines does it.
//
//   node peer.mjs MODEL THREADS CONTEXT
//   {"pp": 128, "tg": 32}  ->  {"pp_tps", "tg_tps", "pp_cpu_tps", "tg_cpu_tps", "peak_rss"}
//
// The first line of output is {"version", "base_rss"}: the memory that Node has before the model is loaded. Batches go
// straight to the binding's decode, one call a batch: nothing is sampled and no text is made.
import fs from "node:fs";
import readline from "node:readline";
import { getLlama } from "node-llama-cpp";

const [file, threadsText, contextText] = process.argv.slice(2);
const threads = Number(threadsText), size = Number(contextText);

const status = (field) => 1024 * Number(new RegExp(`^${field}:\\s*(\\d+) kB`, "m").exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0);
const say = (value) => process.stdout.write(JSON.stringify(value) + "\n");

const llama = await getLlama({ gpu: false, build: "never", skipDownload: true, maxThreads: 0, logLevel: "error" });
const base = status("VmRSS");
const model = await llama.loadModel({ modelPath: file, gpuLayers: 0 });
const context = await model.createContext({ contextSize: size, batchSize: size, threads: { ideal: threads, min: threads }, sequences: 1 });
const raw = context._ctx; // the binding
raw.setThreads(threads);
const version = JSON.parse(fs.readFileSync(new URL("node_modules/node-llama-cpp/package.json", import.meta.url), "utf8")).version;
say({ version: `llama.cpp ${llama.llamaCppRelease.release} (node-llama-cpp ${version})`, base_rss: base });

// The same wandering ids as straw's.
const vocabulary = [...model.iterateAllTokens()].length;
const ids = Uint32Array.from({ length: size }, (_, i) => Number((BigInt(i) * 2654435761n + 1n) % BigInt(vocabulary)));

async function decode(tokens, at) {
  raw.initBatch(tokens.length);
  raw.addToBatch(0, at, tokens, Uint32Array.of(tokens.length - 1)); // logits of the last
  await raw.decodeBatch();
}

// Tokens a second of the clock, and of processor time and thread, while work runs.
async function rate(tokens, work) {
  if (tokens === 0) return [0, 0];
  await raw.disposeSequence(0);
  const clock = performance.now(), used = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(used);
  return [(tokens * 1e3) / (performance.now() - clock), (tokens * threads * 1e6) / (user + system)];
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { pp = 0, tg = 0 } = JSON.parse(line);
  const [pp_tps, pp_cpu_tps] = await rate(pp, () => decode(ids.subarray(0, pp), 0));
  const [tg_tps, tg_cpu_tps] = await rate(tg, async () => {
    for (let i = 0; i < tg; i++) await decode(ids.subarray(i, i + 1), i);
  });
  say({ pp_tps, tg_tps, pp_cpu_tps, tg_cpu_tps, peak_rss: status("VmHWM") });
}
process.exit(0);
