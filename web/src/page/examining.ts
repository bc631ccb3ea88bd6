// What the doctor finds when it tries out the file's tokenizer and chat template. Its program is the one that runs models, so it is
// fetched when somebody asks, or runs the model anyway.

import { batch, effect, signal } from "@preact/signals";
import type { Failure, Finding } from "../straw";
import { t } from "../strings";
import { announcement, asFailure, model } from "./state";

export type ExamineState = "idle" | "running" | "done" | "failed";

export const examineState = signal<ExamineState>("idle");
export const examined = signal<readonly Finding[]>([]);
export const examineFailure = signal<Failure | undefined>();

// Another file: nothing is known of it.
effect(() => {
  void model.value;
  batch(() => {
    examineState.value = "idle";
    examined.value = [];
    examineFailure.value = undefined;
  });
});

/** Examines the open file, once. */
export async function examine(): Promise<void> {
  const m = model.value;
  if (!m || examineState.value === "running" || examineState.value === "done") return;
  examineState.value = "running";
  examineFailure.value = undefined;
  try {
    const found = await m.examine();
    if (model.value !== m) return;
    batch(() => {
      examined.value = found;
      examineState.value = "done";
    });
    announcement.value = t.findings.announced(found.length);
  } catch (e) {
    if (model.value !== m) return;
    const failure = asFailure(e);
    batch(() => {
      // Stopped with a run: it can be asked for again.
      examineState.value = failure.kind === "aborted" ? "idle" : "failed";
      if (failure.kind !== "aborted") examineFailure.value = failure;
    });
  }
}
