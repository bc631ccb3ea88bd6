// One run at a time: loads the model when it is first needed, keeps the session for the next run, shows what comes.

import { batch, effect, signal } from "@preact/signals";
import type { Failure, GenerateOptions, Last, Piece, Progress, Session } from "../straw";
import { rate, whole } from "../format";
import { t } from "../strings";
import { examine } from "./examining";
import { announcement, asFailure, model } from "./state";

export interface Call {
  name: string;
  /** Text of a JSON object, perhaps only its beginning. */
  arguments: string;
}

export type RunState = "idle" | "loading" | "running" | "done" | "stopped" | "failed";

export const runState = signal<RunState>("idle");
export const runProgress = signal<{ what: string; progress?: Progress } | undefined>();
/** The prompt that was asked, apart from the answer. */
export const asked = signal<{ text: string; asMessage: boolean } | undefined>();
export const story = signal("");
/** What the model thought before it answered, and the tools it calls. */
export const thought = signal("");
export const calls = signal<readonly Call[]>([]);
export const speed = signal("");
export const backend = signal("");
export const runFailure = signal<Failure | undefined>();

let session: Session | undefined;
let current: AbortController | undefined;

// Another file: the session of the one before is of no use.
effect(() => {
  void model.value;
  current?.abort();
  current = undefined;
  session?.close();
  session = undefined;
  batch(() => {
    runState.value = "idle";
    runProgress.value = undefined;
    runFailure.value = undefined;
    asked.value = undefined;
    story.value = thought.value = speed.value = backend.value = "";
    calls.value = [];
  });
});

const drawEvery = 40; // ms between two looks at the text; a person reads no faster

export async function run(prompt: string, options: GenerateOptions): Promise<void> {
  const m = model.value;
  if (!m || current) return;
  const mine = (current = new AbortController());
  const signal = mine.signal;
  const still = () => current === mine;
  batch(() => {
    runState.value = "loading";
    runProgress.value = { what: t.run.fetching };
    runFailure.value = undefined;
    asked.value = { text: prompt, asMessage: options.messages !== undefined };
    story.value = thought.value = speed.value = "";
    calls.value = [];
  });
  const said = { text: "", thought: "", calls: [] as Call[] };
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tokens = 0;
  let since = 0;
  const draw = () => {
    timer = undefined;
    if (!still()) return;
    batch(() => {
      show(said);
      if (tokens > 1) speed.value = t.run.speed(rate((1000 * (tokens - 1)) / (performance.now() - since)));
    });
  };
  try {
    if (!session) {
      void examine(); // the program is there now
      const loaded = await m.load({
        signal,
        onProgress: (progress) => {
          if (still()) runProgress.value = { what: progress.phase === "load" ? t.run.loading : t.run.fetching, progress };
        },
      });
      if (!still()) return loaded.close();
      session = loaded;
      backend.value = t.run.computes(session.backend);
    }
    runState.value = "running";
    runProgress.value = { what: t.run.reading };
    announcement.value = t.run.started;
    const onProgress = (progress: Progress) => {
      if (still()) runProgress.value = { what: t.run.reading, progress };
    };
    for await (const piece of session.generate({ ...options, signal, onProgress })) {
      if (!still()) return;
      if (tokens++ === 0) {
        since = performance.now();
        runProgress.value = undefined;
      }
      take(said, piece);
      timer ??= setTimeout(draw, drawEvery);
    }
    if (still()) finish("done", said, session.last);
  } catch (e) {
    if (!still()) return;
    const failure = asFailure(e);
    if (failure.kind === "aborted") return finish("stopped", said, session?.last);
    // A program that ended answers nothing more: the next run starts another.
    session?.close();
    session = undefined;
    batch(() => {
      runFailure.value = failure;
      finish("failed", said, undefined);
    });
  } finally {
    clearTimeout(timer);
    if (still()) current = undefined;
  }
}

export function stop(): void {
  current?.abort();
}

interface Said {
  text: string;
  thought: string;
  calls: Call[];
}

function take(said: Said, piece: Piece): void {
  said.text += piece.text;
  said.thought += piece.reasoning ?? "";
  for (const step of piece.calls ?? []) {
    const call = (said.calls[step.index] ??= { name: "", arguments: "" });
    call.name += step.name ?? "";
    call.arguments += step.arguments ?? "";
    if (step.dropped) said.calls.length = step.index;
  }
}

function show(said: Said): void {
  story.value = said.text;
  thought.value = said.thought;
  calls.value = said.calls.map((c) => ({ ...c }));
}

function finish(state: RunState, said: Said, last: Last | undefined): void {
  batch(() => {
    show(said);
    runState.value = state;
    runProgress.value = undefined;
    if (last) speed.value = account(last);
    else if (state !== "failed") speed.value = "";
  });
  announcement.value = state === "done" ? t.run.ended(whole(last?.tokens ?? 0)) : state === "stopped" ? t.run.stopped : t.run.failed;
}

function account(last: Last): string {
  return [t.run.speed(rate(last.tokensPerSecond)), t.run.tokens(whole(last.tokens)), t.run.finish[last.finishReason]].join(" · ");
}
