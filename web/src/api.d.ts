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
  phase: "open" | "load" | "prompt" | "read" | "save";
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
  /** With `count`, only that many tokens from number `start` on; `total` says how many there are. Both switches are on by default. */
  tokenize(text: string, options?: { addSpecial?: boolean; parseSpecial?: boolean; start?: number; count?: number; signal?: AbortSignal }): Promise<Tokens>;
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
      /** A template to use in place of the file's. What is wrong with it is a StrawError with `line` and `column`. */
      template?: string;
      signal?: AbortSignal;
    },
  ): Promise<string>;
  /** How token number `at` of a text came to be: the word it is in, and what merged there. Fetches the program that runs models. */
  trace(text: string, at: number, options?: { addSpecial?: boolean; parseSpecial?: boolean; signal?: AbortSignal }): Promise<Traced>;
  /** What is wrong with the tokenizer and the chat template, which are tried out: the findings of `straw check` beside those of `info`. */
  examine(options?: { signal?: AbortSignal }): Promise<Finding[]>;
  /** What a tensor's numbers are like: of all of them, or of about `sample`, spread evenly. Fetches the program that runs models, as all that follows. */
  stats(name: string, options?: { sample?: number; bins?: number; onProgress?: (p: Progress) => void; signal?: AbortSignal }): Promise<Stats>;
  /**
   * How far other numbers are from a tensor's, at all places or at about `sample`, spread evenly: what they would be as another type, such as "Q4_K", or
   * those of the tensor of the same name in another model.
   */
  measure(name: string, against: { type: string } | { model: Source | Model }, options?: { sample?: number; onProgress?: (p: Progress) => void; signal?: AbortSignal }): Promise<Measured>;
  /** SHA-256 sums of each file, of each tensor and of all tensors' bytes. Reads everything. */
  hash(options?: { onProgress?: (p: Progress) => void; signal?: AbortSignal }): Promise<Sums>;
  /** In what another model differs from this one. With `values: false` tensors are compared by name, shape and type only, and nothing is read. */
  compare(other: Source | Model, options?: { values?: boolean; onProgress?: (p: Progress) => void; signal?: AbortSignal }): Promise<Differences>;
  /**
   * A new file with other metadata and the same tensors. A key keeps its type unless `{ type, value }` names one ("u32", "str", "f32[]"); a new key gets one that fits.
   * Shards become one file. Nothing is written before save().
   */
  edit(changes: { set?: Record<string, Value | { type: string; value: Value }>; unset?: readonly string[] }): Draft;
  /** The model as shards of so many bytes (header included) or tensors at most. */
  split(limits: { maxSize?: number; maxTensors?: number }): Draft;
  /** A copy as one file: edit() without changes. Merges shards. */
  save(target: SaveTarget, options?: SaveOptions): Promise<PlannedFile[]>;
  /** What a session would take, from the file's directory alone; needs the program that runs models, as examine() does. */
  forecast(options?: { memoryBudget?: number; contextSize?: number; kvType?: "f32" | "f16" | "q8_0"; signal?: AbortSignal }): Promise<Forecast>;
  /** Fetches the program that runs models, opens the file there and makes it ready to generate. */
  load(options?: LoadOptions): Promise<Session>;
  /** load(), and goes on where a session of the same model was that was saved with the same kvType. */
  restore(bytes: Uint8Array<ArrayBuffer> | ArrayBuffer | Blob, options?: LoadOptions): Promise<Session>;
  close(): void;
}

/** Files that could be written. The model must stay open until they are. */
export interface Draft {
  /** Their names and sizes. */
  plan(options?: { signal?: AbortSignal }): Promise<PlannedFile[]>;
  /**
   * Writes them a piece at a time, never through memory. A file that fails or is stopped leaves what its handle's file was before; a stream is aborted.
   * One handle or stream takes one file; a folder, or a function that is asked for each file's target, takes any number.
   */
  save(target: SaveTarget, options?: SaveOptions): Promise<PlannedFile[]>;
}

export type SaveTarget =
  | FileSystemFileHandle
  | WritableStream<Uint8Array>
  | FileSystemDirectoryHandle
  | ((file: PlannedFile) => FileSystemFileHandle | WritableStream<Uint8Array> | Promise<FileSystemFileHandle | WritableStream<Uint8Array>>);

export interface SaveOptions {
  /** Bytes of all files together. */
  onProgress?: (p: Progress) => void;
  /** Writes only the header, over that of the target, which is a handle of the open file. For drafts whose plan says `inPlace`. A save that fails leaves the file as it was. */
  inPlace?: boolean;
  signal?: AbortSignal;
}

export interface PlannedFile {
  name: string;
  bytes: number;
  /** Of `bytes`, those before the tensor data. */
  header: number;
  tensors: number;
  /** Whether the header fits where the open file has its own: then only that has to be written. */
  inPlace: boolean;
}

export interface Stats {
  elements: number;
  /** How many of them were read. */
  sampled: number;
  /** Of the finite numbers; NaN where there are none. */
  min: number;
  max: number;
  mean: number;
  /** Of the population. */
  std: number;
  zeros: number;
  nan: number;
  inf: number;
  /** Bin i counts the numbers from low + i * width on. */
  histogram: { low: number; width: number; counts: number[] };
}

export interface Sum {
  name: Text;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
}

export interface Sums {
  files: Sum[];
  tensors: Sum[];
  /** Of all tensors' bytes in the order of the directory: the same whatever the metadata and the shards. */
  all: string;
  /** Version 5, of the same bytes, in llama.cpp's namespace. */
  uuid: string;
}

/** "added" is what only the other model has, "removed" what only this one has. */
export type Change = "changed" | "added" | "removed";

export interface Differences {
  equal: boolean;
  keys: KeyDifference[];
  /** Absent where it is the same. The lists are cut, their lengths `n...` are not. */
  vocabulary?: { a: number; b: number; nAdded: number; nRemoved: number; nMoved: number; added: Token[]; removed: Token[]; moved: Token[] };
  /** The largest relative error first, then those without one. */
  tensors: TensorDifference[];
  /** Tensors that do not differ. */
  same: number;
}

export interface KeyDifference {
  key: Text;
  change: Change;
  /** Values as in `info`, arrays cut. */
  a?: { type: string; value: Value };
  b?: { type: string; value: Value };
  /** Of texts of several lines, in unified format. */
  diff?: string;
  /** Of arrays: how many elements differ, and the first of them (0 where it is left out). */
  elements?: number;
  first?: number;
}

export interface Token {
  id: number;
  /** Of a moved token: its id in the other model. */
  to?: number;
  text: Text;
}

export interface TensorDifference {
  name: Text;
  change: Change;
  a?: { type: string; dims: number[] };
  b?: { type: string; dims: number[] };
  /** Absent where it could not be measured. */
  error?: MeasuredError;
}

export interface MeasuredError {
  /** `rms` by that of this model's numbers. */
  relative: number;
  rms: number;
  max: number;
  /** Numbers that are not the same, and those of them that were left out as they are not finite. */
  differing: number;
  nonFinite: number;
}

export interface Measured {
  elements: number;
  /** How many of them were read. */
  sampled: number;
  /** What the tensor takes with the other numbers. */
  bytes: number;
  error: MeasuredError;
}

export interface Tokens {
  ids: number[];
  /** The text of each token; bytes that are not UTF-8 as hexadecimal digits. */
  pieces: (string | { hex: string })[];
  /** For each token the [start, end) of its text, in UTF-16 units. */
  spans: [number, number][];
  /** If only some were asked for: how many there are, and what the tokenizer treats these as. */
  total?: number;
  types?: ("undefined" | "normal" | "unknown" | "control" | "user-defined" | "unused" | "byte")[];
}

/** A word of a text: what is encoded on its own. */
export interface Traced {
  /** "special": a special token; "whole": looked up as it stands; "merged": neighbours merged, the best first; "best": cut so that scores add up to the most; "longest": the longest token at each place. */
  how: "special" | "whole" | "merged" | "best" | "longest";
  /** As the tokenizer gets it: normalized, in some models with ▁ for spaces. */
  text: Text;
  /** The number of its first token among those of the text. */
  first: number;
  ids: number[];
  pieces: Text[];
  /** What merging began with, characters or bytes; else what the word was cut into. Empty for words of more than 1000 parts, and for one that no tokens cover. `id` -1: no token. */
  parts: { text: Text; id: number; score?: number }[];
  /** In their order. Each makes one part of the one at place `at`, as they stand then, and the next; `rank` is the line of the file's merges, from 0; `score` that of the token that is made. */
  merges: { at: number; id: number; rank?: number; score?: number }[];
}

export interface LoadOptions {
  /** Tokens of prompt and answer together; default min(the model's, 4096). */
  contextSize?: number;
  /** Bytes that weights may take; more are read from the source for every token. */
  memoryBudget?: number;
  kvType?: "f32" | "f16" | "q8_0";
  /** Threads that compute; default as many as the machine has. More than one needs a cross-origin isolated page. */
  threads?: number;
  /** What may compute at most; "simd128" is "simd" without the relaxed instructions. Default "auto": the fastest that there is. */
  backend?: "auto" | "simd-threads" | "simd" | "simd128" | "scalar";
  onProgress?: (p: Progress) => void;
  signal?: AbortSignal;
}

export interface Forecast {
  /** Tokens. */
  contextSize: number;
  /** All weights are in memory. */
  resident: boolean;
  /** Bytes of weights that are read from the source for every token. */
  streamed: number;
  /** Bytes of all weights. */
  weights: number;
  /** What memory is for: "weights", "keys and values", "activations", ... */
  memory: { name: string; bytes: number }[];
}

export interface Session {
  /** What computes ("simd-threads: ..."), and in words why nothing faster does. */
  readonly backend: string;
  /** Tokens of prompt and answer together that fit. */
  readonly contextSize: number;
  /** The pieces of one answer, as they come. Leaving the loop or aborting stops the work. */
  generate(options: GenerateOptions): AsyncIterableIterator<Piece>;
  /** What the last generate() did, or undefined before the first. */
  readonly last: Last | undefined;
  /** The text as a vector of length 1, pooled as the file says, or by the mean of its tokens. Forgets what was generated. */
  embed(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array>;
  /** [n_vocab] logits after the last of `ids`, from an empty context. */
  logits(ids: readonly number[], options?: { signal?: AbortSignal }): Promise<Float32Array>;
  /** What the session remembers, as a session file of the command line: its tokens with their keys and values. For Model.restore(). */
  save(options?: { onProgress?: (p: Progress) => void; signal?: AbortSignal }): Promise<Uint8Array<ArrayBuffer>>;
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
  /** When the context is full: "stop" (default) ends the answer and refuses a longer prompt, "shift" leaves out the oldest, but not the beginning. */
  onFull?: "stop" | "shift";
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
  /** Of a chat template: where it is at fault, from 1, in characters. */
  line?: number;
  column?: number;
}

export declare class StrawError extends Error implements Failure {
  constructor(failure: Failure & { info?: Info });
  readonly kind: Failure["kind"];
  readonly field?: string;
  readonly offset?: Count;
  readonly line?: number;
  readonly column?: number;
  /** Of a damaged file: everything before the damage. */
  readonly info?: Info;
}
