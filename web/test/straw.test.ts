// straw.ts against a worker that is played here: what is sent, and what becomes of each answer.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Envelope } from "../src/protocol";
import { checkRequest } from "../src/protocol";
import { StrawError, open } from "../src/straw";

type Sent = { id: number; method: string; params?: Record<string, unknown> };

class FakeWorker {
  static all: FakeWorker[] = [];
  onmessage: (e: { data: Envelope }) => void = () => {};
  onerror: unknown;
  terminated = false;
  readonly sent: Sent[] = [];
  readonly program: string;
  objects: unknown[] = [];

  constructor(_url: URL, options: { name: string }) {
    this.program = options.name;
    FakeWorker.all.push(this);
    queueMicrotask(() => this.say({ event: "ready", data: { program: this.program, methods: [] } }));
  }
  postMessage(e: Envelope): void {
    const m = checkRequest(JSON.parse(e.json)) as Sent;
    this.sent.push(m);
    if (e.objects) this.objects = e.objects;
    queueMicrotask(() => this.answer(m));
  }
  terminate(): void {
    this.terminated = true;
  }
  say(message: object, objects?: unknown[]): void {
    if (!this.terminated) this.onmessage({ data: { json: JSON.stringify(message), ...(objects && { objects }) } });
  }
  answer(m: Sent): void {
    const { id } = m;
    switch (m.method) {
      case "open":
        return this.say({ id, result: { info: { version: 3 } } });
      case "tensor":
        return this.say({ id, result: { count: 2 } }, [new Float32Array([1, 2])]);
      case "load":
        return this.say({ id, result: { backend: "scalar", reason: "why", contextSize: 8, vocabSize: 4 } });
      case "value":
        return this.say({ id, error: { kind: "format", field: "k", offset: "9007199254740993", message: "no such key" } });
      case "generate":
        this.say({ id, event: "piece", data: { id: 1, text: "a" } });
        this.say({ id, event: "piece", data: { id: 2, text: "b" } });
        if (m.params?.["maxTokens"] === 2) this.say({ id, result: last("length") });
        return;
      case "renderTemplate":
        return this.say({ id, result: { text: JSON.stringify(m.params) } });
      case "examine":
        return this.say({ id, result: { findings: [{ rule: "pre-missing", severity: "warning", subject: "s", message: "m" }] } });
      case "cancel":
        this.say({ id, event: "last", data: last("aborted") });
        return this.say({ id, error: { kind: "aborted", message: "stopped" } });
    }
  }
}

function last(finishReason: string) {
  return {
    ids: [1, 2], promptTokens: 3, tokens: 2, promptTokensPerSecond: 1, tokensPerSecond: 1, timeToFirstTokenMs: 1, bytesRead: 0, finishReason,
  };
}

(globalThis as { Worker?: unknown }).Worker = FakeWorker;

test("open sends the files and their names", async () => {
  const model = await open([new File(["x"], "b.gguf"), new File(["y"], "a.gguf")]);
  const w = FakeWorker.all.at(-1)!;
  assert.equal(w.program, "viewer");
  assert.deepEqual(w.sent[0]?.params, { source: { files: ["b.gguf", "a.gguf"] } });
  assert.equal(w.objects.length, 2);
  assert.deepEqual([...(await model.tensor("t"))], [1, 2]);
  model.close();
  assert.ok(w.terminated);
});

test("an error has kind, field and offset", async () => {
  const model = await open(new Blob(["x"]));
  await assert.rejects(model.value("k"), (e) => e instanceof StrawError && e.kind === "format" && e.field === "k" && e.offset === "9007199254740993");
});

test("an aborted signal opens nothing", async () => {
  await assert.rejects(open(new Blob(["x"]), { signal: AbortSignal.abort() }), { kind: "aborted" });
});

test("generate yields pieces, then last is set", async () => {
  const session = await (await open(new Blob(["x"]))).load();
  assert.equal(session.backend, "scalar: why");
  let text = "";
  for await (const p of session.generate({ prompt: "p", maxTokens: 2 })) text += p.text;
  assert.equal(text, "ab");
  assert.equal(session.last?.finishReason, "length");
});

test("aborting rejects, leaving the loop cancels, both set last", async () => {
  const session = await (await open(new Blob(["x"]))).load();
  const w = FakeWorker.all.at(-1)!;
  for await (const p of session.generate({ prompt: "p" })) if (p.text === "b") break;
  assert.equal(w.sent.at(-1)?.method, "cancel");
  assert.equal(session.last?.finishReason, "aborted");

  const abort = new AbortController();
  await assert.rejects(async () => {
    for await (const p of session.generate({ prompt: "p", signal: abort.signal })) if (p.text === "b") abort.abort();
  }, { kind: "aborted" });
});

test("a program that ends rejects what was asked of it", async () => {
  const session = await (await open(new Blob(["x"]))).load();
  const w = FakeWorker.all.at(-1)!;
  const pending = session.generate({ prompt: "p" });
  await pending.next();
  await pending.next();
  const third = pending.next();
  w.say({ event: "exited", data: { code: 2, message: "fatal error: out of memory" } });
  await assert.rejects(third, { kind: "memory" });
  await assert.rejects(session.logits([1]), { kind: "memory" });
});

test("templates and findings share one runner, which a session takes over", async () => {
  const before = FakeWorker.all.length;
  const model = await open(new Blob(["x"]));
  const [text, findings] = await Promise.all([
    model.renderTemplate([{ role: "user" }], { tools: [{ a: 1 }], addGenerationPrompt: false, variables: { v: null } }), model.examine(),
  ]);
  assert.equal(text, '{"messages":[{"role":"user"}],"tools":[{"a":1}],"addGenerationPrompt":false,"variables":{"v":null}}');
  assert.equal(findings[0]?.rule, "pre-missing");
  const programs = () => FakeWorker.all.slice(before).map((w) => w.program).join(" ");
  assert.equal(programs(), "viewer runner");
  const session = await model.load();
  assert.equal(programs(), "viewer runner");
  await model.examine(); // the session's own worker is not asked
  assert.equal(programs(), "viewer runner runner");
  session.close();
  model.close();
  await new Promise((r) => setTimeout(r));
  assert.ok(FakeWorker.all.slice(before).every((w) => w.terminated));
});

test("a helper that ended is started again", async () => {
  const model = await open(new Blob(["x"]));
  await model.examine();
  const w = FakeWorker.all.at(-1)!;
  w.say({ event: "exited", data: { code: 2, message: "?" } });
  assert.equal((await model.examine()).length, 1);
  assert.notEqual(FakeWorker.all.at(-1), w);
  await assert.rejects(model.examine({ signal: AbortSignal.abort() }), { kind: "aborted" });
});
