// The messages between straw.js and the Go programs. wasm/protocol is the same in Go; testdata/protocol/*.json holds both to it.
//
// One worker runs one program on one model. postMessage carries {json, objects?}: the message as text, and beside it what JSON
// cannot carry: Files and what is to be written towards the worker, one Float32Array towards the page. The page sends {id, method, params?}; the worker
// answers each id with exactly one {id, result} or {id, error}, after any number of {id, event, data}. {id, method: "cancel"}
// names the request to stop and has no answer of its own. Events without an id are about the worker itself.
//
// Both sides are strict: a method, member or event that is not below is an error that names it.

import type { Differences, Failure, Finding, Forecast, GenerateOptions, Info, Last, Measured, Piece, PlannedFile, Progress, Stats, Sums, Tokens, Traced, Value } from "./api";

/** What postMessage carries. */
export interface Envelope {
  json: string;
  objects?: unknown[];
}

/** Parameters and results by method. `objects`: a tensor's values come as Float32Array beside the result. */
export interface Methods {
  open: { params: { source: { files: string[] } | { url: string } }; result: { info: Info } };
  info: { params: object; result: { info: Info } };
  value: { params: { key: string; start?: number; count?: number }; result: { value: Value } };
  tensor: { params: { name: string; row?: number; count?: number }; result: { count: number } };
  tokenize: { params: { text: string; addSpecial?: boolean; parseSpecial?: boolean; start?: number; count?: number }; result: Tokens };
  detokenize: { params: { ids: readonly number[]; special?: boolean }; result: { text: string } };
  load: {
    params: { threads?: number; memoryBudget?: number; contextSize?: number; kvType?: string; backend?: string };
    result: { backend: string; reason: string; contextSize: number; vocabSize: number };
  };
  generate: { params: Omit<GenerateOptions, "signal" | "onProgress">; result: Last };
  logits: { params: { ids: readonly number[] }; result: { count: number } };
  renderTemplate: {
    params: { messages: readonly object[]; tools?: readonly object[]; addGenerationPrompt?: boolean; variables?: Record<string, unknown>; template?: string };
    result: { text: string };
  };
  trace: { params: { text: string; addSpecial?: boolean; parseSpecial?: boolean; at: number }; result: TracedReals };
  examine: { params: object; result: { findings: Finding[] } };
  forecast: { params: { memoryBudget?: number; contextSize?: number; kvType?: string }; result: Forecast };
  embed: { params: { text: string }; result: { count: number } };
  snapshot: { params: object; result: Remembered }; // to the writable stream beside it
  restore: { params: object; result: Remembered }; // of the Blob beside it
  stats: { params: { name: string; sample?: number; bins?: number }; result: Described };
  measure: { params: { name: string; type?: string; source?: Methods["open"]["params"]["source"]; sample?: number }; result: Measured };
  hash: { params: object; result: Sums };
  compare: { params: { source: Methods["open"]["params"]["source"]; values?: boolean }; result: Differences };
  plan: { params: { draft: DraftParams }; result: { files: PlannedFile[] } };
  save: { params: { draft: DraftParams; shard?: number; inPlace?: boolean }; result: { files: PlannedFile[] } };
}

/** What a new file is made of. A set of shards becomes one file, unless it is split. */
export interface DraftParams {
  set?: { key: string; type?: string; value: Value }[];
  unset?: readonly string[];
  split?: { maxSize?: number; maxTensors?: number };
}

/** What a session remembers. */
interface Remembered {
  bytes: number;
  tokens: number;
}

/** A number, or the name of one that JSON has no form for. */
type Real = number | "NaN" | "Infinity" | "-Infinity";
type Reals<T, K extends keyof T> = Omit<T, K> & { [k in K]: Real };
export type Described = Reals<Stats, "min" | "max" | "mean" | "std">;

export type TracedReals = Omit<Traced, "parts" | "merges"> & {
  parts: (Omit<Traced["parts"][number], "score"> & { score?: Real })[];
  merges: (Omit<Traced["merges"][number], "score"> & { score?: Real })[];
};

export type Method = keyof Methods;

export type Request =
  | { [M in Method]: { id: number; method: M; params?: Methods[M]["params"] } }[Method]
  | { id: number; method: "cancel" };

export type RequestEvent =
  | { id: number; event: "progress"; data: Progress }
  | { id: number; event: "piece"; data: Piece }
  | { id: number; event: "last"; data: Last };

export type WorkerEvent =
  | { event: "ready"; data: { program: "viewer" | "runner"; methods: string[] } }
  | { event: "failed"; data: { message: string } }
  | { event: "exited"; data: { code: number; message: string } };

export type Response =
  | { id: number; result: object }
  | { id: number; error: Failure & { info?: Info } }
  | RequestEvent
  | WorkerEvent;

/** A check throws when `v` is not what it says; `at` names the member. */
type Check = (v: unknown, at: string) => void;

function refuse(at: string, want: string): never {
  throw new TypeError(`message: ${at}: ${want}`);
}

const text: Check = (v, at) => typeof v === "string" || refuse(at, "want a string");
const number: Check = (v, at) => (typeof v === "number" && Number.isFinite(v)) || refuse(at, "want a number");
const boolean: Check = (v, at) => typeof v === "boolean" || refuse(at, "want true or false");
const object: Check = (v, at) => isObject(v) || refuse(at, "want an object");
const count: Check = (v, at) => (Number.isSafeInteger(v) && (v as number) >= 0) || refuse(at, "want a count");
const integer: Check = (v, at) => Number.isSafeInteger(v) || refuse(at, "want an integer");
const anything: Check = (v, at) => v !== undefined || refuse(at, "missing");

function isObject(v: unknown): v is Record<string, unknown> {
  return typeof v === "object" && v !== null && !Array.isArray(v);
}

function list(of: Check): Check {
  return (v, at) => {
    if (!Array.isArray(v)) refuse(at, "want a list");
    v.forEach((e, i) => of(e, `${at}[${i}]`));
  };
}

function either(...words: string[]): Check {
  return (v, at) => words.includes(v as string) || refuse(at, `${JSON.stringify(v)}: want ${words.join(", ")}`);
}

/** An object with these members and no others; a name ending in ? may be left out. */
function members(shape: Record<string, Check>): Check {
  const known = new Map(Object.entries(shape).map(([k, check]) => [k.replace("?", ""), { check, optional: k.endsWith("?") }]));
  return (v, at) => {
    if (!isObject(v)) refuse(at, "want an object");
    for (const [k, { check, optional }] of known) {
      if (Object.hasOwn(v, k)) check(v[k], at ? `${at}.${k}` : k);
      else if (!optional) refuse(at ? `${at}.${k}` : k, "missing");
    }
    for (const k of Object.keys(v)) if (!known.has(k)) refuse(at ? `${at}.${k}` : k, "unknown member");
  };
}

const offset: Check = (v, at) => (typeof v === "string" && /^\d+$/.test(v)) || count(v, at);
const bytesOrText: Check = (v, at) => (typeof v === "string" ? undefined : members({ hex: text })(v, at));
const objects = list(object);

/** A turn of a chat, in the form of OpenAI's API. */
const message = members({
  role: text, "content?": text, "reasoning_content?": text, "tool_call_id?": text, "name?": text,
  "tool_calls?": list(members({ "id?": text, "type?": text, function: members({ name: text, arguments: text }) })),
});
const last = members({
  ids: list(count), promptTokens: count, tokens: count, promptTokensPerSecond: number, tokensPerSecond: number,
  timeToFirstTokenMs: number, bytesRead: count, finishReason: either("stop", "tool_calls", "length", "context", "aborted"), "message?": message,
});

const source: Check = (v, at) => {
  if (isObject(v) && Object.hasOwn(v, "url")) members({ url: text })(v, at);
  else members({ files: list(text) })(v, at);
};

/** By token id: a number, or false to ban the token. */
const bias: Check = (v, at) => {
  if (!isObject(v)) refuse(at, "want an object");
  for (const [id, b] of Object.entries(v)) if (!/^\d+$/.test(id) || (b !== false && !Number.isFinite(b))) refuse(at, `${id}: want a token id with a number or false`);
};

const generate = members({
  "prompt?": text, "messages?": list(message), "ids?": list(count), "raw?": boolean, "tools?": objects, "variables?": object,
  "maxTokens?": integer, "temperature?": number, "topK?": integer, "topP?": number, "minP?": number, "repeatPenalty?": number,
  "repeatLastN?": integer, "seed?": integer, "stop?": list(text), "typical?": number, "topNSigma?": number,
  "presencePenalty?": number, "frequencyPenalty?": number,
  "dry?": members({ multiplier: number, "base?": number, "allowedLength?": count, "lastN?": integer, "breakers?": list(text) }),
  "xtc?": members({ probability: number, "threshold?": number }), "mirostat?": members({ "tau?": number, "eta?": number }),
  "logitBias?": bias, "grammar?": text, "jsonSchema?": (v, at) => typeof v === "boolean" || object(v, at), "logprobs?": count,
  "onFull?": text,
});

const limits = members({ "maxSize?": count, "maxTensors?": count });
const draftMembers = members({ "set?": list(members({ key: text, "type?": text, value: anything })), "unset?": list(text), "split?": limits });
const draft: Check = (v, at) => {
  draftMembers(v, at);
  const { set, unset, split } = v as DraftParams;
  if (!split) return;
  if (set?.length || unset?.length) refuse(`${at}.split`, "changes no key");
  if (!split.maxSize && !split.maxTensors) refuse(`${at}.split`, "want maxSize or maxTensors");
};

const params: Record<Method | "cancel", Check> = {
  open: members({ source }),
  info: members({}),
  value: members({ key: text, "start?": count, "count?": count }),
  tensor: members({ name: text, "row?": count, "count?": count }),
  tokenize: members({ text, "addSpecial?": boolean, "parseSpecial?": boolean, "start?": count, "count?": count }),
  detokenize: members({ ids: list(count), "special?": boolean }),
  load: members({ "threads?": count, "memoryBudget?": count, "contextSize?": count, "kvType?": text, "backend?": text }),
  generate: (v, at) => {
    generate(v, at);
    const given = ["prompt", "messages", "ids"].filter((k) => Object.hasOwn(v as object, k));
    if (given.length !== 1) refuse(at, `want exactly one of prompt, messages and ids, got ${given.join(", ") || "none"}`);
    for (const k of ["tools", "variables"]) if (Object.hasOwn(v as object, k) && given[0] !== "messages") refuse(`${at}.${k}`, "goes with messages");
    if (["grammar", "jsonSchema"].every((k) => Object.hasOwn(v as object, k))) refuse(at, "want one of grammar and jsonSchema");
  },
  logits: members({ ids: list(count) }),
  renderTemplate: members({ messages: objects, "tools?": objects, "addGenerationPrompt?": boolean, "variables?": object, "template?": text }),
  trace: members({ text, "addSpecial?": boolean, "parseSpecial?": boolean, at: count }),
  examine: members({}),
  forecast: members({ "memoryBudget?": count, "contextSize?": count, "kvType?": text }),
  embed: members({ text }),
  snapshot: members({}),
  restore: members({}),
  stats: members({ name: text, "sample?": count, "bins?": count }),
  measure: (v, at) => {
    members({ name: text, "type?": text, "source?": source, "sample?": count })(v, at);
    if (Object.hasOwn(v as object, "type") === Object.hasOwn(v as object, "source")) refuse(at, "want one of type and source");
  },
  hash: members({}),
  compare: members({ source, "values?": boolean }),
  plan: members({ draft }),
  save: members({ draft, "shard?": count, "inPlace?": boolean }),
  cancel: (_, at) => refuse(at, "cancel has none"),
};

const real: Check = (v, at) => ["NaN", "Infinity", "-Infinity"].includes(v as string) || number(v, at);
/** A token's id; -1 for what is no token, such as a piece that only hands out the text held back to the end. */
const token: Check = (v, at) => v === -1 || count(v, at);
const change = either("changed", "added", "removed");
const tokens = list(members({ id: count, "to?": count, text: bytesOrText }));
const shown = members({ type: text, value: anything });
const side = members({ type: text, dims: list(count) });
const measuredError = members({ relative: real, rms: real, max: real, differing: count, nonFinite: count });
const sums = list(members({ name: bytesOrText, bytes: count, sha256: text }));
const planned = members({ files: list(members({ name: text, bytes: count, header: count, tensors: count, inPlace: boolean })) });

const remembered = members({ bytes: count, tokens: count });

const results: Record<Method, Check> = {
  open: members({ info: object }),
  info: members({ info: object }),
  value: members({ value: anything }),
  tensor: members({ count }),
  tokenize: members({ ids: list(count), pieces: list(bytesOrText), spans: list(list(count)), "total?": count, "types?": list(either("undefined", "normal", "unknown", "control", "user-defined", "unused", "byte")) }),
  detokenize: members({ text }),
  load: members({ backend: text, reason: text, contextSize: count, vocabSize: count }),
  generate: last,
  logits: members({ count }),
  renderTemplate: members({ text }),
  trace: members({
    how: either("special", "whole", "merged", "best", "longest"), text: bytesOrText, first: count, ids: list(count), pieces: list(bytesOrText),
    parts: list(members({ text: bytesOrText, id: token, "score?": real })),
    merges: list(members({ at: count, id: token, "rank?": count, "score?": real })),
  }),
  forecast: members({ contextSize: count, resident: boolean, streamed: count, weights: count, memory: list(members({ name: text, bytes: count })) }),
  embed: members({ count }),
  snapshot: remembered,
  restore: remembered,
  examine: members({
    findings: list(members({ rule: text, severity: either("error", "warning", "note"), subject: bytesOrText, message: text })),
  }),
  stats: members({
    elements: count, sampled: count, min: real, max: real, mean: real, std: real, zeros: count, nan: count, inf: count,
    histogram: members({ low: real, width: real, counts: list(count) }),
  }),
  hash: members({ files: sums, tensors: sums, all: text, uuid: text }),
  measure: members({ elements: count, sampled: count, bytes: count, error: measuredError }),
  compare: members({
    equal: boolean, same: count,
    keys: list(members({ key: bytesOrText, change, "a?": shown, "b?": shown, "diff?": text, "elements?": count, "first?": count })),
    "vocabulary?": members({ a: count, b: count, nAdded: count, nRemoved: count, nMoved: count, added: tokens, removed: tokens, moved: tokens }),
    tensors: list(members({ name: bytesOrText, change, "a?": side, "b?": side, "error?": measuredError })),
  }),
  plan: planned,
  save: planned,
};

const failure = members({
  kind: either("format", "truncated", "unsupported", "io", "memory", "aborted"),
  "field?": text, "offset?": offset, message: text, "line?": count, "column?": count, "info?": object,
});

const requestEvents: Record<RequestEvent["event"], Check> = {
  progress: members({ phase: either("open", "load", "prompt", "read", "save"), done: count, total: count, unit: either("bytes", "tokens") }),
  piece: members({
    id: token, text, "reasoning?": text,
    "calls?": list(members({ index: count, "id?": text, "name?": text, "arguments?": text, "dropped?": boolean })),
    "logprob?": number, "top?": list(members({ id: count, piece: bytesOrText, logprob: number })),
  }),
  last,
};

const workerEvents: Record<WorkerEvent["event"], Check> = {
  ready: members({ program: either("viewer", "runner"), methods: list(text) }),
  failed: members({ message: text }),
  exited: members({ code: integer, message: text }),
};

const id: Check = (v, at) => (Number.isSafeInteger(v) && (v as number) > 0) || refuse(at, "want a positive integer");

/** @throws TypeError naming the member that is not in the protocol. */
export function checkRequest(m: unknown): Request {
  members({ id, method: text, "params?": object })(m, "");
  const { method, params: given } = m as { method: string; params?: unknown };
  if (!Object.hasOwn(params, method)) refuse("method", `${JSON.stringify(method)} is unknown`);
  if (given !== undefined || method !== "cancel") params[method as Method](given ?? {}, "params");
  return m as Request;
}

/** @throws TypeError naming the member that is not in the protocol. */
export function checkResponse(m: unknown): Response {
  members({ "id?": id, "result?": object, "error?": failure, "event?": text, "data?": object })(m, "");
  const r = m as Record<string, unknown>;
  const kinds = ["result", "error", "event"].filter((k) => Object.hasOwn(r, k));
  if (kinds.length !== 1) refuse("message", `want exactly one of result, error and event, got ${kinds.join(", ") || "none"}`);
  if (kinds[0] !== "event") {
    id(r["id"], "id");
    if (Object.hasOwn(r, "data")) refuse("data", "only events have data");
    return m as Response;
  }
  const event = r["event"] as string;
  const table: Record<string, Check> = Object.hasOwn(r, "id") ? requestEvents : workerEvents;
  if (!Object.hasOwn(table, event)) refuse("event", `${JSON.stringify(event)} is unknown`);
  table[event]?.(r["data"], "data");
  return m as Response;
}

/** Which method a result answers is known only to who asked. */
export function checkResult<M extends Method>(method: M, result: object): Methods[M]["result"] {
  results[method](result, "result");
  return result as Methods[M]["result"];
}
