// One run at a time: loads the model when it is first needed, keeps the session for the next run, shows what comes.

import { batch, effect, signal } from "@preact/signals";
import type { Failure, GenerateOptions, Last, Progress, Session } from "../straw";
import { rate, whole } from "../format";
import { t } from "../strings";
import { announcement, asFailure, model } from "./state";

export type RunState = "idle" | "loading" | "running" | "done" | "stopped" | "failed";

export const runState = signal<RunState>("idle");
export const runProgress = signal<{ what: string; progress?: Progress } | undefined>();
/** The prompt that was asked, apart from the answer. */
export const asked = signal<{ text: string; asMessage: boolean } | undefined>();
export const story = signal("");
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
    story.value = speed.value = backend.value = "";
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
    story.value = speed.value = "";
  });
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tokens = 0;
  let since = 0;
  const draw = () => {
    timer = undefined;
    if (!still()) return;
    batch(() => {
      story.value = text;
      if (tokens > 1) speed.value = t.run.speed(rate((1000 * (tokens - 1)) / (performance.now() - since)));
    });
  };
  try {
    if (!session) {
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
      text += piece.text;
      timer ??= setTimeout(draw, drawEvery);
    }
    if (still()) finish("done", text, session.last);
  } catch (e) {
    if (!still()) return;
    const failure = asFailure(e);
    if (failure.kind === "aborted") return finish("stopped", text, session?.last);
    // A program that ended answers nothing more: the next run starts another.
    session?.close();
    session = undefined;
    batch(() => {
      runFailure.value = failure;
      finish("failed", text, undefined);
    });
  } finally {
    clearTimeout(timer);
    if (still()) current = undefined;
  }
}

export function stop(): void {
  current?.abort();
}

function finish(state: RunState, text: string, last: Last | undefined): void {
  batch(() => {
    story.value = text;
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
