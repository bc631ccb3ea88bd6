// The same chat with a model on another machine: a server that speaks OpenAI's API, such as `straw serve`, llama-server or vLLM. Nothing is sent to
// it before a person agreed to that address.

import type { CallStep, GenerateOptions, Last, Piece } from "../../straw";
import { StrawError } from "../../straw";
import { signal } from "@preact/signals";
import { t } from "../../strings";
import type { Values } from "./settings";

/** Sent as a bearer token; kept nowhere. */
export const remoteKey = signal("");

export interface Remote {
  /** Up to /v1, without a slash. */
  url: string;
  host: string;
  model: string;
}

/** What is written in the settings, whether agreed to or not. */
export function writtenRemote(v: Values): Remote | undefined {
  try {
    const { href, host, protocol } = new URL((v["endpoint"] ?? "").trim());
    if (protocol !== "https:" && protocol !== "http:") return undefined;
    return { url: href.replace(/\/+$/, ""), host, model: v["endpointModel"]?.trim() ?? "" };
  } catch {
    return undefined; // empty, or half an address
  }
}

/** Where messages go in place of the open file: only where the address was agreed to. */
export function remoteOf(v: Values): Remote | undefined {
  const written = writtenRemote(v);
  return written && v["endpointAgreed"] === written.url ? written : undefined;
}

/** The answer in pieces, and at the end what the server tells of it. */
export async function* answers(to: Remote, o: GenerateOptions, signal: AbortSignal): AsyncGenerator<Piece, Last> {
  const begun = performance.now();
  const response = await fetch(`${to.url}/chat/completions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(remoteKey.value && { Authorization: `Bearer ${remoteKey.value}` }) },
    body: JSON.stringify({
      ...(to.model && { model: to.model }), messages: o.messages, tools: o.tools, stream: true, stream_options: { include_usage: true },
      max_tokens: o.maxTokens, temperature: o.temperature, top_p: o.topP, seed: o.seed, stop: o.stop, presence_penalty: o.presencePenalty, frequency_penalty: o.frequencyPenalty,
    }),
    signal,
  }).catch((e) => {
    if (signal.aborted) throw e;
    throw failed(t.remote.unreachable(to.host));
  });
  if (!response.ok || !response.body) throw failed(t.remote.refused(to.host, response.status, (await response.text()).slice(0, 300)));
  let first = 0;
  let pieces = 0;
  const last = { ids: [], promptTokens: 0, tokens: 0, promptTokensPerSecond: 0, tokensPerSecond: 0, timeToFirstTokenMs: 0, bytesRead: 0, finishReason: "stop" as Last["finishReason"] };
  for await (const event of events(response.body)) {
    if (event.error) throw failed(t.remote.refused(to.host, response.status, JSON.stringify(event.error).slice(0, 300)));
    const choice = event.choices?.[0];
    if (event.usage) {
      last.promptTokens = event.usage.prompt_tokens ?? 0;
      last.tokens = event.usage.completion_tokens ?? 0;
    }
    if (choice?.finish_reason) last.finishReason = choice.finish_reason === "length" || choice.finish_reason === "tool_calls" ? choice.finish_reason : "stop";
    const { content, reasoning_content: reasoning, tool_calls: calls } = choice?.delta ?? {};
    if (!content && !reasoning && !calls) continue;
    if (pieces++ === 0) first = performance.now();
    yield { id: -1, text: content ?? "", ...(reasoning && { reasoning }), ...(calls && { calls: calls.map(step) }) };
  }
  last.tokens ||= pieces;
  last.timeToFirstTokenMs = first && first - begun;
  last.tokensPerSecond = pieces > 1 ? (1000 * (last.tokens - 1)) / Math.max(1, performance.now() - first) : 0;
  return last;
}

const failed = (message: string) => new StrawError({ kind: "io", message });

/** An event of the stream, as far as it is looked at. */
interface Chunk {
  error?: unknown;
  usage?: { prompt_tokens?: number; completion_tokens?: number } | null;
  choices?: { finish_reason?: string | null; delta?: { content?: string | null; reasoning_content?: string | null; tool_calls?: CallDelta[] } }[];
}

interface CallDelta {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: string };
}

function step(c: CallDelta): CallStep {
  const { name, arguments: text } = c.function ?? {};
  return { index: c.index ?? 0, ...(c.id && { id: c.id }), ...(name && { name }), ...(text && { arguments: text }) };
}

/** Server-sent events: a line `data: JSON` each. */
async function* events(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Chunk> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      const lines = (rest + (value ?? "")).split(/\r?\n/);
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) {
        const data = /^data: ?(.*)$/.exec(line)?.[1];
        if (data === "[DONE]") return;
        if (data) yield JSON.parse(data) as Chunk;
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
