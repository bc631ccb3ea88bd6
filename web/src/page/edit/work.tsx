// A save under way: how far it is, how it is stopped, how it ended.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Failure, Progress } from "../../straw";
import { t } from "../../strings";
import { FailureText, ProgressBar } from "../problem";
import { announcement, asFailure } from "../state";

export interface Work {
  busy: boolean;
  /** Runs `save`, whose answer is what to tell at the end; undefined where the person thought better of it. */
  run: (save: (o: { signal: AbortSignal; onProgress: (p: Progress) => void }) => Promise<string | undefined>) => Promise<void>;
  shown: JSX.Element;
}

export function useWork(id: string): Work {
  const [stop, setStop] = useState<AbortController>();
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<Failure>();
  const [told, setTold] = useState("");
  const run: Work["run"] = async (save) => {
    const mine = new AbortController();
    setStop(mine);
    setProgress(undefined);
    setFailure(undefined);
    setTold("");
    try {
      const end = await save({ signal: mine.signal, onProgress: setProgress });
      if (end) {
        setTold(end);
        announcement.value = end;
      }
    } catch (e) {
      setFailure(asFailure(e));
    }
    setStop(undefined);
  };
  const shown = (
    <div id={id} class="work" data-state={stop ? "saving" : failure ? "failed" : told ? "done" : "idle"}>
      {stop && (
        <div class="reading">
          <p class="quiet">{t.edit.saving}</p>
          <ProgressBar progress={progress} label={t.edit.saving} />
          <button type="button" class="button" onClick={() => stop.abort()}>{t.tensor.stop}</button>
        </div>
      )}
      {failure && (
        <div class="problem inline" role="alert">
          <FailureText failure={failure} />
          <p>{t.edit.asItWas}</p>
        </div>
      )}
      {told && <p class="verdict"><bdi>{told}</bdi></p>}
    </div>
  );
  return { busy: stop !== undefined, run, shown };
}
