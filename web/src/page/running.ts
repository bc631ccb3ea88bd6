// One run at a time: loads the model when it is first needed, keeps the session for the next run, tells what comes.

import { batch, computed, effect, signal } from "@preact/signals";
import type { Failure, GenerateOptions, Last, Piece, Progress, Session } from "../straw";
import { rate, seconds, whole } from "../format";
import { t } from "../strings";
import type { Remote } from "./chat/remote";
import { answers } from "./chat/remote";
import { loadOptionsOf, settings } from "./chat/settings";
import type { TokenView } from "./chat/tree";
import { examine } from "./examining";
import { announcement, asFailure, model } from "./state";

export interface Call {
  /** By which its result is told from others. */
  id?: string;
  name: string;
  /** Text of a JSON object, perhaps only its beginning. */
  arguments: string;
}

/** What the model wrote so far: its answer, what it thought before, the tools it calls, and its tokens if they were asked for. */
export interface Said {
  text: string;
  thought: string;
  calls: readonly Call[];
  tokens: readonly TokenView[];
}

export type RunState = "idle" | "loading" | "running" | "done" | "stopped" | "failed";

const nothing: Said = { text: "", thought: "", calls: [], tokens: [] };

export const runState = signal<RunState>("idle");
export const busy = computed(() => runState.value === "loading" || runState.value === "running");
export const runProgress = signal<{ what: string; progress?: Progress } | undefined>();
export const said = signal<Said>(nothing);
export const speed = signal("");
export const backend = signal("");
export const runFailure = signal<Failure | undefined>();
/** Of the last run that told. */
export const last = signal<Last | undefined>();
/** Tokens that fit, and how many the last run left there. */
export const room = signal<{ used: number; size: number } | undefined>();

let session: Session | undefined;
let loadedWith = "";
let current: AbortController | undefined;

// Another file: the session of the one before is of no use.
effect(() => {
  void model.value;
  current?.abort();
  current = undefined;
  unload();
  batch(() => {
    runState.value = "idle";
    runProgress.value = undefined;
    runFailure.value = undefined;
    said.value = nothing;
    speed.value = backend.value = "";
    last.value = undefined;
  });
});

function unload(): void {
  session?.close();
  session = undefined;
  room.value = undefined;
}

/** The session for what is set, loaded if there is none. */
export async function ready(signal: AbortSignal): Promise<Session> {
  const m = model.value;
  if (!m) throw new DOMException("closed", "AbortError");
  const how = loadOptionsOf(settings.value);
  if (session && loadedWith === JSON.stringify(how)) return session;
  unload();
  void examine(); // the program is there now
  const opened = await m.load({
    ...how,
    signal,
    onProgress: (progress) => {
      if (!signal.aborted) runProgress.value = { what: progress.phase === "load" ? t.run.loading : t.run.fetching, progress };
    },
  });
  if (signal.aborted) {
    opened.close();
    throw new DOMException("stopped", "AbortError");
  }
  session = opened;
  loadedWith = JSON.stringify(how);
  batch(() => {
    backend.value = t.run.computes(opened.backend);
    room.value = { used: 0, size: opened.contextSize };
  });
  return opened;
}

const drawEvery = 40; // ms between two looks at the text; a person reads no faster

function begin(): AbortController {
  batch(() => {
    runState.value = "loading";
    runProgress.value = { what: t.run.fetching };
    runFailure.value = undefined;
    said.value = nothing;
    speed.value = "";
    last.value = undefined;
  });
  return (current = new AbortController());
}

/** Keeps a failure that is no stop. A program that ended answers nothing more: the next run starts another. */
function fail(failure: Failure): void {
  unload();
  runFailure.value = failure;
}

/** Does a job with the session that is no generation; what it gives is the job's own. */
export async function compute(what: string, job: (session: Session, signal: AbortSignal) => Promise<void>): Promise<void> {
  if (!model.value || current) return;
  const mine = begin();
  const still = () => current === mine;
  let state: RunState = "done";
  try {
    const loaded = await ready(mine.signal);
    runState.value = "running";
    runProgress.value = { what };
    await job(loaded, mine.signal);
  } catch (e) {
    const failure = asFailure(e);
    state = failure.kind === "aborted" ? "stopped" : "failed";
    if (state === "failed" && still()) fail(failure);
  }
  if (!still()) return;
  current = undefined;
  runState.value = state;
  runProgress.value = undefined;
  announcement.value = state === "done" ? t.run.computed : state === "stopped" ? t.run.stopped : t.run.failed;
}

/** Generates, here or on another machine, and answers with how it ended; `said` and `last` tell what came. */
export async function run(options: GenerateOptions, remote?: Remote): Promise<RunState> {
  if (!model.value || current) return "failed";
  const mine = begin();
  const signal = mine.signal;
  const still = () => current === mine;
  const so = { text: "", thought: "", calls: [] as Call[], tokens: [] as TokenView[] };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tokens = 0;
  let since = 0;
  const draw = () => {
    timer = undefined;
    if (!still()) return;
    batch(() => {
      said.value = copyOf(so);
      if (tokens > 1) speed.value = t.run.speed(rate((1000 * (tokens - 1)) / (performance.now() - since)));
    });
  };
  const finish = (state: RunState, ended?: Last): RunState => {
    if (!still()) return "stopped";
    batch(() => {
      said.value = copyOf(so);
      runState.value = state;
      runProgress.value = undefined;
      last.value = ended;
      if (ended) {
        speed.value = speedOf(ended);
        if (room.value && !remote) room.value = { ...room.value, used: Math.min(room.value.size, ended.promptTokens + ended.tokens) };
      } else if (state !== "failed") speed.value = "";
    });
    announcement.value = state === "done" ? t.run.ended(whole(ended?.tokens ?? 0)) : state === "stopped" ? t.run.stopped : t.run.failed;
    return state;
  };
  try {
    const loaded = remote ? undefined : await ready(signal);
    runState.value = "running";
    runProgress.value = { what: remote ? t.remote.waiting(remote.host) : t.run.reading };
    announcement.value = t.run.started;
    let ended: Last | undefined;
    const onProgress = (progress: Progress) => {
      if (still()) runProgress.value = { what: t.run.reading, progress };
    };
    const pieces = loaded ? loaded.generate({ ...options, signal, onProgress }) : answers(remote as Remote, options, signal);
    for (;;) {
      const { value: piece, done } = await pieces.next();
      if (done) {
        ended = loaded ? loaded.last : piece;
        break;
      }
      if (!still()) return "stopped";
      if (tokens++ === 0) {
        since = performance.now();
        runProgress.value = undefined;
      }
      take(so, piece);
      timer ??= setTimeout(draw, drawEvery);
    }
    return finish("done", ended);
  } catch (e) {
    const failure = asFailure(e);
    if (failure.kind === "aborted") return finish("stopped", remote ? undefined : session?.last);
    if (!still()) return "failed";
    if (remote) runFailure.value = failure;
    else fail(failure);
    return finish("failed");
  } finally {
    clearTimeout(timer);
    if (still()) current = undefined;
  }
}

export function stop(): void {
  current?.abort();
}

type Growing = { text: string; thought: string; calls: Call[]; tokens: TokenView[] };

function take(so: Growing, piece: Piece): void {
  so.text += piece.text;
  so.thought += piece.reasoning ?? "";
  for (const step of piece.calls ?? []) {
    const call = (so.calls[step.index] ??= { name: "", arguments: "" });
    if (step.id) call.id = step.id;
    call.name += step.name ?? "";
    call.arguments += step.arguments ?? "";
    if (step.dropped) so.calls.length = step.index;
  }
  if (piece.logprob === undefined) return;
  const top = (piece.top ?? []).map((o) => ({ text: typeof o.piece === "string" ? o.piece : `⟨${o.piece.hex}⟩`, logprob: o.logprob }));
  const own = piece.top?.findIndex((o) => o.id === piece.id) ?? -1;
  so.tokens.push({ text: top[own]?.text ?? (piece.text + (piece.reasoning ?? "") || "…"), logprob: piece.logprob, top });
}

function copyOf(so: Growing): Said {
  return { text: so.text, thought: so.thought, calls: so.calls.map((c) => ({ ...c })), tokens: [...so.tokens] };
}

/** Speed, length and end of a run, on one line. */
function speedOf(ended: Last): string {
  return [t.run.speed(rate(ended.tokensPerSecond)), t.run.tokens(whole(ended.tokens)), t.run.finish[ended.finishReason]].join(" · ");
}

/** The same, and how the prompt went. */
export function accountOf(ended: Last): string {
  const parts = [speedOf(ended)];
  if (ended.promptTokensPerSecond > 0) parts.push(t.run.readAt(whole(ended.promptTokens), rate(ended.promptTokensPerSecond)));
  if (ended.timeToFirstTokenMs > 0) parts.push(t.run.firstAfter(seconds(ended.timeToFirstTokenMs)));
  return parts.join(" · ");
}
