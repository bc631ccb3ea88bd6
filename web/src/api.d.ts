// The public API of straw.js. This file is what dist/straw.d.ts is: it stands alone, and straw.ts is checked against it.

/** Where a model comes from: a file, the shards of one model in any order, a handle, or a URL whose server honours Range. */
export type Source = File | Blob | File[] | FileSystemFileHandle | string;

/**
 * Opens a GGUF file. Only its header is read; a dropped file is never copied and nothing is uploaded.
 * @throws StrawError - for a damaged file its `info` holds what was read before the damage.
 */
export declare function open(source: Source, options?: OpenOptions): Promise<Model>;

/** Starts the viewer's worker ahead of the first open(), which then answers sooner. Optional. */
export declare function prepare(): void;

export interface OpenOptions {
  signal?: AbortSignal;
  onProgress?: (p: Progress) => void;
}

/** How far a request is. `total` is 0 where it is not known. */
export interface Progress {
  phase: "open" | "load" | "prompt";
  done: number;
  total: number;
  unit: "bytes" | "tokens";
}

export interface Model {
  /** The object of `straw inspect --json`: arrays cut to 64 elements, findings and summary included. */
  readonly info: Info;
  /** `count` elements of an array value from `start` on (default: to its end), or the whole of any other value. */
  value(key: string, options?: { start?: number; count?: number; signal?: AbortSignal }): Promise<Value | Value[]>;
  /** Dequantized values: the whole tensor, or `count` values from row `row` on (a row is dims[0] values; default one row). */
  tensor(name: string, options?: { row?: number; count?: number; signal?: AbortSignal }): Promise<Float32Array>;
  tokenize(text: string, options?: { addSpecial?: boolean; parseSpecial?: boolean; signal?: AbortSignal }): Promise<Tokens>;
  detokenize(ids: readonly number[], options?: { special?: boolean; signal?: AbortSignal }): Promise<string>;
  /**
   * A conversation in the file's chat template, rendered as Python's jinja2 does it. Messages and tools are given to the template as they are.
   * Fetches the program that runs models when it is first asked for; so does examine().
   */
  renderTemplate(
    messages: readonly object[],
    options?: {
      tools?: readonly object[];
      /** Whether the text ends with the beginning of the answer; default true. */
      addGenerationPrompt?: boolean;
      /** More variables of the template, such as enable_thinking. */
      variables?: Record<string, unknown>;
      signal?: AbortSignal;
    },
  ): Promise<string>;
  /** What is wrong with the tokenizer and the chat template, which are tried out: the findings of `straw check` beside those of `info`. */
  examine(options?: { signal?: AbortSignal }): Promise<Finding[]>;
  /** Fetches the program that runs models, opens the file there and makes it ready to generate. */
  load(options?: LoadOptions): Promise<Session>;
  close(): void;
}

export interface Tokens {
  ids: number[];
  /** The text of each token; bytes that are not UTF-8 as hexadecimal digits. */
  pieces: (string | { hex: string })[];
  /** For each token the [start, end) of its text, in UTF-16 units. */
  spans: [number, number][];
}

export interface LoadOptions {
  /** Tokens of prompt and answer together; default min(the model's, 4096). */
  contextSize?: number;
  kvType?: "f32" | "f16" | "q8_0";
  backend?: "auto" | "scalar";
  onProgress?: (p: Progress) => void;
  signal?: AbortSignal;
}

export interface Session {
  /** What computes ("scalar: ..."), and in words why nothing faster does. */
  readonly backend: string;
  /** Tokens of prompt and answer together that fit. */
  readonly contextSize: number;
  /** The pieces of one answer, as they come. Leaving the loop or aborting stops the work. */
  generate(options: GenerateOptions): AsyncIterableIterator<Piece>;
  /** What the last generate() did, or undefined before the first. */
  readonly last: Last | undefined;
  /** [n_vocab] logits after the last of `ids`, from an empty context. */
  logits(ids: readonly number[], options?: { signal?: AbortSignal }): Promise<Float32Array>;
  close(): void;
}

export interface GenerateOptions {
  /** Exactly one of the three. */
  prompt?: string;
  messages?: readonly Message[];
  ids?: readonly number[];
  /** With messages: what the model may call, as in OpenAI's API. */
  tools?: readonly object[];
  /** With messages: more variables of the chat template, such as enable_thinking. */
  variables?: Record<string, unknown>;
  /** false wraps `prompt` in the file's chat template; default true, as it is. */
  raw?: boolean;
  /** Default: until the end of generation or of the context. */
  maxTokens?: number;
  /** 0 is greedy. */
  temperature?: number;
  topK?: number;
  topP?: number;
  minP?: number;
  /** Only the most typical tokens that make up so much together; 1 is all. */
  typical?: number;
  /** Only logits at most so many standard deviations below the largest; 0 is all. */
  topNSigma?: number;
  repeatPenalty?: number;
  /** How many tokens the penalties look back; -1 is all. */
  repeatLastN?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  /** A penalty of multiplier * base^(n - allowedLength) for what would continue a repetition of n tokens among the last lastN. */
  dry?: { multiplier: number; base?: number; allowedLength?: number; lastN?: number; breakers?: string[] };
  /** Leaves out, so often, all but the least likely of the tokens at least as likely as threshold. */
  xtc?: { probability: number; threshold?: number };
  /** Mirostat 2.0 in place of all but temperature and logitBias. */
  mirostat?: { tau?: number; eta?: number };
  /** Added to logits, by token id; false bans a token. */
  logitBias?: Record<number, number | false>;
  /** GBNF: the text matches it. */
  grammar?: string;
  /** The text is JSON that matches it; in place of a grammar. */
  jsonSchema?: object | boolean;
  seed?: number;
  stop?: string[];
  /** Pieces have the logarithm of their probability, and those of so many of the likeliest tokens. */
  logprobs?: number;
  onProgress?: (p: Progress) => void;
  signal?: AbortSignal;
}

/** One turn of a chat, in the form of OpenAI's API. */
export interface Message {
  /** "system", "user", "assistant", "tool" or what else the template knows. */
  role: string;
  content?: string;
  /** Of the assistant: what it thought first. */
  reasoning_content?: string;
  /** Of the assistant. `arguments` is the text of a JSON object. */
  tool_calls?: { id?: string; type?: string; function: { name: string; arguments: string } }[];
  /** Of a tool: the call that this is the result of. */
  tool_call_id?: string;
  name?: string;
}

/** What a piece tells of a call: its beginning has id and name, what follows parts of the arguments. */
export interface CallStep {
  index: number;
  id?: string;
  name?: string;
  arguments?: string;
  /** The call was none: its text follows as part of the answer, and the next call has its index. */
  dropped?: boolean;
}

/** The answer to messages is taken apart: `text` is what the model says, `reasoning` what it thinks, `calls` the tools it calls. */
export interface Piece {
  /** -1 for text that was held back to the end: it is of the tokens before it. */
  id: number;
  /** May be empty while a character is incomplete. */
  text: string;
  reasoning?: string;
  calls?: CallStep[];
  /** With `logprobs`: of the token by the model, before any step of sampling; -9999 for none. */
  logprob?: number;
  /** With `logprobs`: the likeliest tokens, the likeliest first. */
  top?: { id: number; piece: string | { hex: string }; logprob: number }[];
}

export interface Last {
  ids: number[];
  promptTokens: number;
  tokens: number;
  promptTokensPerSecond: number;
  tokensPerSecond: number;
  timeToFirstTokenMs: number;
  bytesRead: number;
  finishReason: "stop" | "tool_calls" | "length" | "context" | "aborted";
  /** Of messages: the answer as the next of them. */
  message?: Message;
}

/** An integer; above 2^53 its decimal digits. */
export type Count = number | string;
/** A metadata value: 64-bit integers as decimal strings, NaN and the infinities by name, a string that is not UTF-8 as {hex}. */
export type Value = string | number | boolean | { hex: string } | Value[];
/** Text from a file. */
export type Text = string | { hex: string };

export interface Info {
  version: number;
  endian: "little" | "big";
  alignment: Count;
  file_size: Count;
  data_offset: Count | null;
  metadata: Entry[];
  tensors: Tensor[];
  findings: Finding[];
  summary: Summary;
  error?: Failure;
}

export interface Entry {
  key: Text;
  type: string;
  /** Of arrays: their elements' type, number, and whether `value` holds only the first of them. */
  elem?: string;
  n?: Count;
  truncated?: boolean;
  value: Value;
}

export interface Tensor {
  name: Text;
  /** As in the file: the first is the fastest. */
  dims: Count[];
  type: string;
  type_code: number;
  n_elements: Count;
  offset: Count;
  abs_offset: Count;
  nbytes: Count | null;
}

export interface Finding {
  rule: string;
  severity: "error" | "warning" | "note";
  subject: Text;
  message: Text;
}

/** What a person wants to know first. What the file does not say is left out. */
export interface Summary {
  name?: string;
  architecture?: string;
  /** "model", "vocabulary", "adapter", ... */
  kind: string;
  file_type?: string;
  /** The file does not say it; it is the type of most of its tensors. */
  file_type_guessed?: boolean;
  size_label?: string;
  parameters: Count;
  bits_per_weight?: number;
  context_length?: Count;
  embedding_length?: Count;
  block_count?: Count;
  vocab_size?: Count;
  tokenizer?: string;
  chat_template?: boolean;
  license?: string;
  /** Bytes of all shards. */
  size: Count;
  tensor_bytes: Count;
  types?: { type: string; n_tensors: number; n_elements: Count; nbytes: Count }[];
  n_tensors: number;
  n_keys: number;
  n_shards: number;
  shards?: { name: string; size: Count; n_tensors: number }[];
}

export interface Failure {
  kind: "format" | "truncated" | "unsupported" | "io" | "memory" | "aborted";
  field?: string;
  /** Byte in the file; a decimal string above 2^53. */
  offset?: Count;
  message: string;
}

export declare class StrawError extends Error implements Failure {
  constructor(failure: Failure & { info?: Info });
  readonly kind: Failure["kind"];
  readonly field?: string;
  readonly offset?: Count;
  /** Of a damaged file: everything before the damage. */
  readonly info?: Info;
}
