// What the page knows, and the few things that change it. One file is open at a time.

import { batch, effect, signal } from "@preact/signals";
import type { Failure, Info, Model, OpenOptions, Progress, Source } from "../straw";
import { StrawError, open, prepare } from "../straw";
import { t } from "../strings";
import { hubName, list, listing } from "./hub";
import type { Companion, Given } from "./several";
import { choose } from "./several";

export type Phase = "empty" | "opening" | "open" | "failed";

export const phase = signal<Phase>("empty");
export const info = signal<Info | undefined>();
export const model = signal<Model | undefined>();
/** What went wrong when opening; what went wrong when running is the run panel's. */
export const problem = signal<Failure | undefined>();
export const opening = signal<{ what: string; progress?: Progress } | undefined>();
/** A web address waiting for a person's yes: from a `?url=` link. */
export const linked = signal("");
export const isDemo = signal(false);
/** Of the open files, where the browser gave them: through these a file can be written, and opened again. */
export const openedHandles = signal<readonly FileSystemFileHandle[]>([]);
/** What was given with the file that is open, and is no part of it. */
export const companions = signal<readonly Companion[]>([]);
/** Read by assistive technology, not shown. */
export const announcement = signal("");

let current: AbortController | undefined;

effect(() => {
  document.body.dataset["state"] = phase.value;
});

type Fetcher = (o: Required<OpenOptions>) => Promise<Source> | Source;

/** Closes what is open and opens `source` instead. The last one asked for wins. */
async function start(what: string, source: Fetcher, demo = false): Promise<void> {
  closeModel();
  const mine = (current = new AbortController());
  batch(() => {
    phase.value = "opening";
    problem.value = undefined;
    info.value = undefined;
    opening.value = { what };
    isDemo.value = demo;
    openedHandles.value = [];
    companions.value = [];
  });
  const options = {
    signal: mine.signal,
    onProgress: (progress: Progress) => {
      if (current === mine) opening.value = { what, progress };
    },
  };
  try {
    const opened = await open(await source(options), options);
    if (current !== mine) return opened.close();
    batch(() => {
      model.value = opened;
      info.value = opened.info;
      problem.value = opened.info.error;
      phase.value = "open";
      opening.value = undefined;
    });
  } catch (e) {
    if (current !== mine) return;
    const failed = asFailure(e);
    batch(() => {
      opening.value = undefined;
      if (failed.kind === "aborted") {
        phase.value = "empty";
        return;
      }
      problem.value = failed;
      // A file that is something else has no header to show.
      info.value = e instanceof StrawError && e.info?.metadata ? e.info : undefined;
      phase.value = "failed";
    });
  }
}

export function openFiles(files: Iterable<File>): void {
  openGiven([...files].map((file) => ({ file })));
}

/** Opens the files of handles. */
export function openHandles(handles: readonly FileSystemFileHandle[]): void {
  const first = handles[0];
  if (!first) return;
  remember("");
  void start(t.opening.file(first.name), async (o) => taken(await Promise.all(handles.map(async (handle) => ({ file: await handle.getFile(), handle }))), o));
}

/** Opens one model: a file, its shards in any order, or the model among several files. */
export function openGiven(given: readonly Given[]): void {
  const first = given[0];
  if (!first) return;
  remember("");
  void start(t.opening.file(first.file.name), (o) => taken(given, o));
}

async function taken(given: readonly Given[], o: OpenOptions): Promise<Source> {
  const { main, others } = await choose(given, o);
  if (!o.signal?.aborted) {
    batch(() => {
      openedHandles.value = main.flatMap((g) => g.handle ?? []);
      companions.value = others;
    });
  }
  const [file, ...more] = main.map((g) => g.file);
  return more.length > 0 ? [file as File, ...more] : (file as File);
}

export function openAddress(address: string): void {
  linked.value = "";
  const repo = hubName(address);
  if (repo) return void askHub(repo);
  let url: URL;
  try {
    url = new URL(address.trim(), location.href);
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(url.protocol);
  } catch {
    closeModel();
    batch(() => {
      info.value = undefined;
      problem.value = { kind: "io", field: "address", message: t.problem.badAddress };
      phase.value = "failed";
    });
    return;
  }
  remember(url.href);
  void start(t.opening.file(url.pathname.split("/").pop() || url.host), () => url.href);
}

/** Shows what a repository of the Hub has, to choose from. */
async function askHub(repo: string): Promise<void> {
  closeModel();
  const mine = (current = new AbortController());
  batch(() => {
    phase.value = "opening";
    problem.value = undefined;
    info.value = undefined;
    opening.value = { what: t.hub.asking(repo) };
  });
  try {
    const found = await list(repo, mine.signal);
    if (current === mine) listing.value = found;
  } catch (e) {
    if (current === mine) problem.value = asFailure(e);
  }
  if (current !== mine) return;
  batch(() => {
    opening.value = undefined;
    phase.value = problem.value ? "failed" : "empty";
  });
}

export function openDemo(): void {
  remember("");
  void start(t.opening.demo, fetchDemo, true);
}

/** The demo model is small: it is fetched whole, and from then on a file like any other. */
async function fetchDemo({ signal, onProgress }: Required<OpenOptions>): Promise<File> {
  const response = await fetch(new URL("./demo.gguf", import.meta.url), { signal });
  if (!response.ok || !response.body) throw new StrawError({ kind: "io", message: t.problem.demoMissing(response.status) });
  const total = response.headers.has("Content-Encoding") ? 0 : Number(response.headers.get("Content-Length") ?? 0);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let done = 0;
  const reader = response.body.getReader();
  for (let r = await reader.read(); !r.done; r = await reader.read()) {
    parts.push(r.value);
    done += r.value.length;
    onProgress({ phase: "open", done, total, unit: "bytes" });
  }
  return new File(parts, "demo.gguf");
}

export function cancelOpening(): void {
  close();
}

/** Back to the start. */
export function close(): void {
  closeModel();
  prepare();
  remember("");
  batch(() => {
    phase.value = "empty";
    info.value = undefined;
    problem.value = undefined;
    opening.value = undefined;
  });
}

function closeModel(): void {
  listing.value = undefined;
  current?.abort();
  current = undefined;
  model.value?.close();
  model.value = undefined;
}

/** Puts the open address into the page's own, so that the link can be passed on; "" takes it out. */
function remember(url: string): void {
  const here = new URL(location.href);
  if (url) here.searchParams.set("url", url);
  else here.searchParams.delete("url");
  if (here.href !== location.href) history.replaceState(null, "", here);
}

/** A link names a file: it is put into the box, and fetched only when the person says so. */
export function askForLinked(): void {
  linked.value = new URL(location.href).searchParams.get("url") ?? "";
}

export function asFailure(e: unknown): Failure {
  if (e instanceof StrawError) return e;
  if (e instanceof DOMException && e.name === "AbortError") return { kind: "aborted", message: t.problem.title.aborted };
  return { kind: "io", message: e instanceof Error ? e.message : String(e) };
}
