// A text of many lines in an editor that shows their numbers, and the line that something is wrong with.

import type { JSX } from "preact";
import { useRef } from "preact/hooks";

interface Props {
  id: string;
  text: string;
  set: (text: string) => void;
  labelledBy: string;
  /** The number of a line to mark, from 1. */
  marked?: number | undefined;
}

export function Numbered({ id, text, set, labelledBy, marked }: Props): JSX.Element {
  const gutter = useRef<HTMLPreElement>(null);
  const lines = text.split("\n").length;
  const numbers = (from: number, to: number) => Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => `${from + i > 1 ? "\n" : ""}${from + i}`).join("");
  const at = marked !== undefined && marked <= lines ? marked : 0;
  return (
    <div class="numbered">
      <pre ref={gutter} class="gutter number" aria-hidden="true" style={{ width: `${String(lines).length + 3}ch` }}>
        {numbers(1, at - 1)}
        {at > 1 && "\n"}
        {at > 0 && <mark data-line={at}>{at}</mark>}
        {numbers(at + 1, lines)}
      </pre>
      <textarea
        id={id}
        class="mono"
        aria-labelledby={labelledBy}
        aria-invalid={at > 0}
        rows={Math.min(20, Math.max(4, lines))}
        wrap="off"
        spellcheck={false}
        value={text}
        onInput={(e) => set(e.currentTarget.value)}
        onScroll={(e) => gutter.current && (gutter.current.scrollTop = e.currentTarget.scrollTop)}
      />
    </div>
  );
}

/** Puts the caret of the editor `id` at a line and column, from 1, in characters, and brings it on screen. */
export function caretTo(id: string, line: number, column: number): void {
  const box = document.querySelector<HTMLTextAreaElement>(`#${id}`);
  if (!box) return;
  const before = box.value.split("\n").slice(0, line - 1);
  const here = box.value.split("\n")[line - 1] ?? "";
  const at = before.reduce((n, l) => n + l.length + 1, 0) + [...here].slice(0, column - 1).join("").length;
  box.focus();
  box.setSelectionRange(at, Math.min(at + 1, box.value.length));
  box.scrollTop = Math.max(0, (line - 4) * (box.scrollHeight / Math.max(1, box.value.split("\n").length)));
}
