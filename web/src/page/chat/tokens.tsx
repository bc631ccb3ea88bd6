// An answer as its tokens, the doubtful ones marked; the one that is pointed at, or reached by the arrow keys, tells what else it might have been.
// A pointer chooses by moving, not by being entered: text that moves under a resting mouse must not take the choice from the keys.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { percent, visible } from "../../format";
import { t } from "../../strings";
import type { TokenView } from "./tree";

const clear = (text: string): string => visible(text).replace(/\n/g, "⏎\n");

/** From 0, as good as certain, to 4, unlikely. */
const doubt = (logprob: number): number => [0.9, 0.6, 0.3, 0.1].filter((p) => Math.exp(logprob) < p).length;

export function TokenList({ tokens }: { tokens: readonly TokenView[] }): JSX.Element {
  const at = useSignal(0);
  const chosen = tokens[at.value];
  const move = (e: KeyboardEvent) => {
    const last = tokens.length - 1;
    const to = { ArrowRight: at.value + 1, ArrowLeft: at.value - 1, Home: 0, End: last }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    at.value = Math.max(0, Math.min(last, to));
  };
  return (
    <div class="token-view">
      <div class="token-text" role="slider" tabIndex={0} aria-label={t.chat.tokens} aria-valuemin={1} aria-valuemax={tokens.length} aria-valuenow={at.value + 1} aria-valuetext={chosen ? words(chosen) : ""} onKeyDown={move}>
        {tokens.map((x, i) => (
          <span key={i} class={`token d${doubt(x.logprob)}${i === at.value ? " is-chosen" : ""}`} onPointerMove={() => (at.value = i)} onClick={() => (at.value = i)}>
            {clear(x.text)}
          </span>
        ))}
      </div>
      {chosen && (
        <ol class="alternatives">
          {(chosen.top.length ? chosen.top : [chosen]).map((o, i) => (
            <li key={i} class={o.text === chosen.text ? "is-chosen" : ""}>
              <code><bdi>{clear(o.text).replaceAll("\n", "")}</bdi></code>
              <span class="bar-box"><span class="bar-fill" style={{ width: `${100 * Math.exp(o.logprob)}%` }} /></span>
              <span class="number">{percent(Math.exp(o.logprob))}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

const words = (x: TokenView): string => `${clear(x.text)}, ${percent(Math.exp(x.logprob))}`;
