// straw.js: opens a GGUF file in a worker, looks into it and runs it. No dependency, no global; fetches its own folder and the source it is
// given, nothing else. api.d.ts says what each call does.

import type * as api from "./api";
import { Channel } from "./channel";
import { Draft, settings } from "./draft";
import { StrawError, aborted } from "./errors";
import type { Methods, RequestEvent } from "./protocol";

export type * from "./api";
export { StrawError };

/** What a worker is told to open, with the files beside it. Kept with the model: each worker of its own opens it anew, and so does a comparison. */
interface Opened {
  source: Methods["open"]["params"]["source"];
  objects: (File | Blob)[];
}

let spare: Channel | undefined;

export const prepare: typeof api.prepare = () => {
  if (!spare || spare.dead) spare = new Channel("viewer");
};

export const open: typeof api.open = async (source, options = {}) => {
  const opened = await resolve(source);
  prepare();
  const viewer = spare as Channel;
  spare = undefined;
  const info = await openIn(viewer, opened, options.signal, options.onProgress);
  return new Model(viewer, opened, info);
};

async function resolve(source: api.Source): Promise<Opened> {
  if (typeof source === "string") return { source: { url: new URL(source, globalThis.location?.href).href }, objects: [] };
  if ("getFile" in source) return resolve(await source.getFile());
  const objects = Array.isArray(source) ? [...source] : [source];
  const files = objects.map((b) => ("name" in b && typeof b.name === "string" ? b.name : "model.gguf"));
  return { source: { files }, objects };
}

/** Where a model comes from, whether it is open or not. */
async function openedOf(m: api.Source | api.Model): Promise<Opened> {
  return m instanceof Model ? m.opened : resolve(m as api.Source);
}

/** Opens in a worker that is used for nothing else: an abort or a failure ends it. */
async function openIn(channel: Channel, { source, objects }: Opened, signal?: AbortSignal, onProgress?: (p: api.Progress) => void) {
  const stop = () => channel.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    if (signal?.aborted) throw aborted();
    const { result } = await channel.call("open", { source }, { objects, onEvent: progressTo(onProgress) });
    return result.info;
  } catch (e) {
    channel.close();
    throw signal?.aborted ? aborted() : e;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

function progressTo(onProgress: ((p: api.Progress) => void) | undefined): (e: RequestEvent) => void {
  return (e) => {
    if (e.event === "progress") onProgress?.(e.data);
  };
}

class Model implements api.Model {
  readonly info: api.Info;
  readonly #viewer: Channel;
  readonly #opened: Opened;
  #runner: Promise<Channel> | undefined; // open in it, not loaded: for what the viewer's program has no code for

  constructor(viewer: Channel, opened: Opened, info: api.Info) {
    this.#viewer = viewer;
    this.#opened = opened;
    this.info = info;
  }

  async value(key: string, { signal, ...range }: { start?: number; count?: number; signal?: AbortSignal } = {}) {
    return (await this.#viewer.call("value", { key, ...range }, { signal })).result.value;
  }

  async tensor(name: string, { signal, ...range }: { row?: number; count?: number; signal?: AbortSignal } = {}) {
    return floats(await this.#viewer.call("tensor", { name, ...range }, { signal }));
  }

  async tokenize(text: string, { signal, ...how }: Parameters<api.Model["tokenize"]>[1] = {}) {
    return (await this.#viewer.call("tokenize", { text, ...how }, { signal })).result;
  }

  async detokenize(ids: readonly number[], { signal, ...how }: { special?: boolean; signal?: AbortSignal } = {}) {
    return (await this.#viewer.call("detokenize", { ids, ...how }, { signal })).result.text;
  }

  async renderTemplate(messages: readonly object[], { signal, ...how }: Parameters<api.Model["renderTemplate"]>[1] = {}) {
    return (await (await this.#helper(signal)).call("renderTemplate", { messages, ...how }, { signal })).result.text;
  }

  async trace(text: string, at: number, { signal, ...how }: Parameters<api.Model["trace"]>[2] = {}): Promise<api.Traced> {
    const { result } = await (await this.#helper(signal)).call("trace", { text, at, ...how }, { signal });
    const numbers = <T extends { score?: unknown }>(list: T[]) => list.map((x) => ("score" in x ? { ...x, score: Number(x.score) } : x)) as (T & { score?: number })[];
    return { ...result, parts: numbers(result.parts), merges: numbers(result.merges) };
  }

  async forecast({ signal, ...how }: Parameters<api.Model["forecast"]>[0] = {}) {
    return (await (await this.#helper(signal)).call("forecast", how, { signal })).result;
  }

  async examine({ signal }: { signal?: AbortSignal } = {}) {
    return (await (await this.#helper(signal)).call("examine", {}, { signal })).result.findings;
  }

  async stats(name: string, { signal, onProgress, ...how }: Parameters<api.Model["stats"]>[1] = {}): Promise<api.Stats> {
    const { result } = await (await this.#helper(signal)).call("stats", { name, ...how }, { signal, onEvent: progressTo(onProgress) });
    return { ...result, min: Number(result.min), max: Number(result.max), mean: Number(result.mean), std: Number(result.std) };
  }

  async measure(name: string, against: { type: string } | { model: api.Source | api.Model }, { signal, onProgress, ...how }: Parameters<api.Model["measure"]>[2] = {}): Promise<api.Measured> {
    const { objects, ...what } = "type" in against ? { ...against, objects: [] } : await openedOf(against.model);
    const { result } = await (await this.#helper(signal)).call("measure", { name, ...what, ...how }, { signal, objects, onEvent: progressTo(onProgress) });
    result.error.relative = Number(result.error.relative);
    return result;
  }

  async hash({ signal, onProgress }: Parameters<api.Model["hash"]>[0] = {}) {
    return (await (await this.#helper(signal)).call("hash", {}, { signal, onEvent: progressTo(onProgress) })).result;
  }

  async compare(other: api.Source | api.Model, { signal, onProgress, ...how }: Parameters<api.Model["compare"]>[1] = {}): Promise<api.Differences> {
    const { source, objects } = await openedOf(other);
    const { result } = await (await this.#helper(signal)).call("compare", { source, ...how }, { signal, objects, onEvent: progressTo(onProgress) });
    for (const { error } of result.tensors) if (error) error.relative = Number(error.relative);
    return result;
  }

  get opened(): Opened {
    return this.#opened;
  }

  edit(changes: Parameters<api.Model["edit"]>[0]) {
    return new Draft(settings(changes), this.#opened.objects, (signal) => this.#helper(signal));
  }

  split(limits: Parameters<api.Model["split"]>[0]) {
    return new Draft({ split: limits }, this.#opened.objects, (signal) => this.#helper(signal));
  }

  save(target: api.SaveTarget, options?: api.SaveOptions) {
    return this.edit({}).save(target, options);
  }

  /** The runner that is open and not loaded; started when it is first asked for, and shared, so that no signal ends it. */
  async #helper(signal?: AbortSignal): Promise<Channel> {
    if (signal?.aborted) throw aborted();
    const starting = (this.#runner ??= this.#open());
    try {
      const runner = await starting;
      if (!runner.dead) return runner;
    } catch (e) {
      if (this.#runner === starting) this.#runner = undefined;
      throw e;
    }
    if (this.#runner === starting) this.#runner = undefined;
    return this.#helper(signal);
  }

  /** The helper, if there is one, for a session: it ends with it. */
  async #take(): Promise<Channel | undefined> {
    const starting = this.#runner;
    this.#runner = undefined;
    const runner = await starting?.catch(() => undefined);
    return runner?.dead ? undefined : runner;
  }

  async #open(signal?: AbortSignal, onProgress?: (p: api.Progress) => void): Promise<Channel> {
    const runner = new Channel("runner");
    await openIn(runner, this.#opened, signal, onProgress);
    return runner;
  }

  async load({ signal, onProgress, ...how }: api.LoadOptions = {}) {
    if (signal?.aborted) throw aborted();
    const taken = await this.#take();
    const runner = taken ?? (await this.#open(signal, onProgress));
    try {
      const { result } = await runner.call("load", how, { signal, onEvent: progressTo(onProgress) });
      return new Session(runner, result);
    } catch (e) {
      runner.close();
      throw e;
    }
  }

  async restore(bytes: Parameters<api.Model["restore"]>[0], options: api.LoadOptions = {}) {
    const session = await this.load(options);
    try {
      await session.restore(bytes instanceof Blob ? bytes : new Blob([bytes]), options.signal);
    } catch (e) {
      session.close();
      throw e;
    }
    return session;
  }

  close() {
    this.#viewer.close();
    this.#runner?.then((r) => r.close(), () => {});
  }
}

class Session implements api.Session {
  readonly backend: string;
  readonly contextSize: number;
  readonly #runner: Channel;
  #last: api.Last | undefined;

  constructor(runner: Channel, loaded: Methods["load"]["result"]) {
    this.#runner = runner;
    this.contextSize = loaded.contextSize;
    this.backend = loaded.reason ? `${loaded.backend}: ${loaded.reason}` : loaded.backend;
  }

  get last() {
    return this.#last;
  }

  async *generate({ signal, onProgress, ...how }: api.GenerateOptions): AsyncIterableIterator<api.Piece> {
    const stop = new AbortController();
    const pieces: api.Piece[] = [];
    let wake = () => {};
    let ended = false;
    const work = this.#runner
      .call("generate", how, {
        signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
        onEvent: (e) => {
          if (e.event === "piece") pieces.push(e.data);
          else if (e.event === "last") this.#last = e.data;
          else onProgress?.(e.data);
          wake();
        },
      })
      .then(({ result }) => {
        this.#last = result;
      })
      .finally(() => {
        ended = true;
        wake();
      });
    work.catch(() => {}); // awaited below, or the loop was left and nobody asks
    try {
      for (;;) {
        for (let p = pieces.shift(); p; p = pieces.shift()) yield p;
        if (ended) break;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      await work;
    } finally {
      if (!ended) {
        stop.abort();
        await work.catch(() => {});
      }
    }
  }

  async embed(text: string, { signal }: { signal?: AbortSignal } = {}) {
    return floats(await this.#runner.call("embed", { text }, { signal }));
  }

  async logits(ids: readonly number[], { signal }: { signal?: AbortSignal } = {}) {
    return floats(await this.#runner.call("logits", { ids }, { signal }));
  }

  async save({ signal, onProgress }: Parameters<api.Session["save"]>[0] = {}) {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    const to = new WritableStream<Uint8Array<ArrayBuffer>>({ write: (p) => void pieces.push(p) });
    await this.#runner.call("snapshot", {}, { signal, objects: [to], transfer: [to], onEvent: progressTo(onProgress) });
    return new Uint8Array(await new Blob(pieces).arrayBuffer());
  }

  /** Makes it the session that was saved. */
  async restore(saved: Blob, signal?: AbortSignal) {
    await this.#runner.call("restore", {}, { signal, objects: [saved] });
  }

  close() {
    this.#runner.close();
  }
}

function floats({ result, objects }: { result: { count: number }; objects: unknown[] }): Float32Array {
  const values = objects[0];
  if (!(values instanceof Float32Array) || values.length !== result.count) {
    throw new TypeError(`message: objects: want one Float32Array of ${result.count} values`);
  }
  return values;
}
