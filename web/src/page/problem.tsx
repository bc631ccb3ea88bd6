// What is being opened, and what went wrong, in a person's words.

import type { JSX } from "preact";
import type { Failure, Progress } from "../straw";
import { bytes, hexOffset, visible, whole } from "../format";
import { t } from "../strings";
import { wordsFor } from "../words";
import { cancelOpening, info, opening, problem } from "./state";

export function Opening(): JSX.Element | null {
  const o = opening.value;
  if (!o) return null;
  return (
    <section class="card opening" role="status">
      <p><bdi>{visible(o.what)}</bdi></p>
      <ProgressBar progress={o.progress} label={o.what} />
      <button type="button" class="button" onClick={cancelOpening}>{t.opening.cancel}</button>
    </section>
  );
}

/** A straw that fills. Without a total it only shows that something moves. */
export function ProgressBar({ progress, label }: { progress: Progress | undefined; label: string }): JSX.Element {
  const known = progress !== undefined && progress.total > 0;
  const count = progress ? (progress.unit === "bytes" ? bytes : whole) : undefined;
  return (
    <div class="progress">
      <div
        class={`tube-bar${known ? "" : " is-unknown"}`}
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={known ? progress.total : undefined}
        aria-valuenow={known ? progress.done : undefined}
      >
        <div class="tube-fill" style={{ width: known ? `${Math.min(100, (100 * progress.done) / progress.total)}%` : "100%" }} />
      </div>
      {progress && count && (
        <span class="quiet number">{known ? `${count(progress.done)} / ${count(progress.total)}` : count(progress.done)}</span>
      )}
    </div>
  );
}

export function Problem(): JSX.Element | null {
  const p = problem.value;
  if (!p) return null;
  return (
    <section class="card problem" id="error" role="alert">
      <h2>{wordsFor(p).title}</h2>
      <FailureText failure={p} />
      {info.value && <p class="quiet">{t.problem.below}</p>}
    </section>
  );
}

export function FailureText({ failure, running = false }: { failure: Failure; running?: boolean }): JSX.Element {
  const { sentence, advice } = wordsFor(failure, running);
  return (
    <>
      <p class="what"><bdi>{sentence}</bdi></p>
      {advice && <p>{advice}</p>}
      <dl class="facts">
        <div><dt>{t.problem.kind}</dt><dd>{t.problem.kinds[failure.kind]}</dd></div>
        {failure.field && <div><dt>{t.problem.field}</dt><dd><code><bdi>{visible(failure.field)}</bdi></code></dd></div>}
        {failure.offset !== undefined && (
          <div><dt>{t.problem.offset}</dt><dd class="number">{whole(failure.offset)} <span class="quiet">({hexOffset(failure.offset)})</span></dd></div>
        )}
      </dl>
    </>
  );
}
