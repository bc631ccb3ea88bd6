// A text as its tokens in colours that take turns. One of them is chosen, by pointer or by keys; a screen of them is in the document at a time.

import type { JSX } from "preact";
import type { Tokens } from "../../straw";
import { whole } from "../../format";
import { t } from "../../strings";
import { screen } from "./encoding";
import { PieceText, inWords } from "./piece";

interface Props {
  tokens: Tokens;
  /** The number of the first one here. */
  start: number;
  /** The number of the chosen one. */
  at: number;
  /** `fix` keeps the choice when the pointer moves on; the chosen one is let go by a second click. */
  choose: (at: number, fix: boolean) => void;
  label: string;
}

const special = new Set<string | undefined>(["control", "user-defined", "unknown"]);
export const isSpecial = (tokens: Tokens, i: number): boolean => special.has(tokens.types?.[i]);

export function Strip({ tokens, start, at, choose, label }: Props): JSX.Element {
  const total = tokens.total ?? tokens.ids.length;
  const move = (e: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, PageDown: at + screen, PageUp: at - screen, Home: 0, End: total - 1 }[e.key];
    if (to === undefined) return;
    e.preventDefault();
    choose(Math.max(0, Math.min(total - 1, to)), true);
  };
  const i = at - start;
  const piece = tokens.pieces[i];
  return (
    <div
      class="token-strip"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={Math.max(1, total)}
      aria-valuenow={at + 1}
      aria-valuetext={piece === undefined ? "" : t.tokens.spoken(inWords(piece), tokens.ids[i] ?? 0, isSpecial(tokens, i))}
      onKeyDown={move}
    >
      {tokens.pieces.map((p, n) => (
        <span
          key={n}
          data-at={start + n}
          data-id={tokens.ids[n]}
          class={`piece c${(start + n) % 5}${isSpecial(tokens, n) ? " is-special" : ""}${n === i ? " is-chosen" : ""}`}
          title={`${tokens.ids[n]}`}
          onPointerMove={() => choose(start + n, false)}
          onClick={() => choose(start + n, true)}
        >
          <PieceText piece={p} breaks />
        </span>
      ))}
    </div>
  );
}

/** Turns the screens of a long text. */
export function Pager({ total, start, turn }: { total: number; start: number; turn: (start: number) => void }): JSX.Element | null {
  if (total <= screen) return null;
  const last = Math.floor((total - 1) / screen) * screen;
  const go = (label: string, to: number, off: boolean) => <button type="button" class="button is-small" aria-label={label} title={label} disabled={off} onClick={() => turn(to)}>{t.tokens.turns[label]}</button>;
  return (
    <div class="pager">
      {go(t.tokens.first, 0, start === 0)}
      {go(t.tokens.before, Math.max(0, start - screen), start === 0)}
      <span class="number quiet">{t.tokens.range(whole(start + 1), whole(Math.min(total, start + screen)), whole(total))}</span>
      {go(t.tokens.after, Math.min(last, start + screen), start >= last)}
      {go(t.tokens.last, last, start >= last)}
    </div>
  );
}
