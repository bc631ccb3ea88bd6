// straw serve with OpenAI's own client for JavaScript. STRAW, DEMO and THINKER name the program and two models.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import OpenAI from "openai";

const { STRAW, DEMO, THINKER } = process.env;
let server, client;

before(async () => {
  server = spawn(STRAW, ["serve", `demo=${DEMO}`, `thinker=${THINKER}`, "--addr", "127.0.0.1:0", "--api-key", "hush", "--quiet"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = await once(createInterface(server.stdout), "line");
  client = new OpenAI({ baseURL: `${url}v1`, apiKey: "hush", maxRetries: 0 });
});

after(async () => {
  server.kill("SIGTERM");
  const [code] = await once(server, "exit");
  assert.equal(code, 0);
});

const add = {
  type: "function",
  function: { name: "add", description: "Adds.", parameters: { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } } } },
};
const ask = (model, content, more = {}) => ({ model, seed: 1, messages: [{ role: "user", content }], ...more });

test("models", async () => {
  const ids = [];
  for await (const model of client.models.list()) ids.push(model.id);
  assert.deepEqual(ids, ["demo", "thinker"]);
});

test("a chat, whole and as a stream", async () => {
  const request = ask("demo", "Tell a story about a dog", { max_completion_tokens: 20 });
  const whole = await client.chat.completions.create(request);
  assert.equal(whole.choices[0].finish_reason, "length");
  assert.equal(whole.usage.completion_tokens, 20);
  let text = "";
  let usage;
  for await (const chunk of await client.chat.completions.create({ ...request, stream: true, stream_options: { include_usage: true } })) {
    text += chunk.choices[0]?.delta.content ?? "";
    usage = chunk.usage ?? usage;
  }
  assert.equal(text, whole.choices[0].message.content);
  assert.equal(usage.completion_tokens, 20);
});

test("a tool, by the client's own runner", async () => {
  const called = [];
  const run = client.chat.completions.runTools(
    ask("thinker", "1 + 2?", {
      stream: true,
      tools: [{ type: "function", function: { ...add.function, parse: JSON.parse, function: (args) => (called.push(args), String(args.a + args.b)) } }],
    }),
  );
  assert.equal(await run.finalContent(), "It is 3.");
  assert.deepEqual(called, [{ b: 2, a: 1 }]);
});

test("a tool that must be called", async () => {
  const kind = { type: "object", properties: { kind: { enum: ["cat", "dog"] } }, required: ["kind"], additionalProperties: false };
  const answer = await client.chat.completions.create(
    ask("demo", "A pet", { tools: [{ type: "function", function: { name: "pet", parameters: kind } }], tool_choice: "required", max_tokens: 100 }),
  );
  const [call] = answer.choices[0].message.tool_calls;
  assert.equal(call.function.name, "pet");
  assert.match(JSON.parse(call.function.arguments).kind, /^(cat|dog)$/);
});

test("a JSON schema", async () => {
  const schema = { type: "object", properties: { good: { type: "boolean" } }, required: ["good"], additionalProperties: false };
  const answer = await client.chat.completions.parse(
    ask("demo", "A dog", { response_format: { type: "json_schema", json_schema: { name: "dog", strict: true, schema } } }),
  );
  assert.equal(typeof JSON.parse(answer.choices[0].message.content).good, "boolean");
});

test("completions and embeddings", async () => {
  const text = await client.completions.create({ model: "demo", prompt: [1, 2, 3], max_tokens: 4, logprobs: 1 });
  assert.equal(text.choices[0].logprobs.tokens.length, 4);
  // The client asks for base64 and gives numbers.
  const { data } = await client.embeddings.create({ model: "demo", input: ["a dog", "a dog"] });
  assert.equal(data[0].embedding.length, 256);
  assert.deepEqual(data[0].embedding, data[1].embedding);
});

test("errors", async () => {
  await assert.rejects(client.chat.completions.create(ask("gpt", "x")), (e) => e instanceof OpenAI.NotFoundError && e.code === "model_not_found");
  await assert.rejects(client.chat.completions.create(ask("demo", "x", { top_p: 3 })), (e) => e instanceof OpenAI.BadRequestError && e.param === "top_p");
  await assert.rejects(client.withOptions({ apiKey: "x" }).models.list(), (e) => e instanceof OpenAI.AuthenticationError);
});

test("abort", async () => {
  const stream = await client.chat.completions.create(ask("demo", "A long story", { stream: true, ignore_eos: true }));
  let chunks = 0;
  for await (const _ of stream) {
    if (++chunks === 3) stream.controller.abort();
  }
  assert.ok(chunks < 100, `${chunks} chunks came`); // some were here already
});
