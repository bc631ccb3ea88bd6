// Text from a file. It is only ever put into text nodes, isolated from the direction of what stands around it, and characters
// that would not be seen are shown by name.

import type { JSX } from "preact";
import type { Text, Value } from "../straw";
import { runs, visible, whole } from "../format";
import { t } from "../strings";

const shortEnough = 400; // characters that get an element for each unseen one

/** One line; longer text is cut with an ellipsis. */
export function Line({ text }: { text: Text }) {
  if (typeof text !== "string") return <Hex hex={text.hex} most={shortEnough} />;
  const cut = text.length > shortEnough;
  const shown = (cut ? text.slice(0, shortEnough) : text).replace(/\r?\n/g, "⏎").replace(/\t/g, "⇥");
  return (
    <bdi>
      {runs(shown).map((r, i) => (r.mark ? <span key={i} class="unseen">{r.text}</span> : r.text))}
      {cut && "…"}
    </bdi>
  );
}

export const previewed = 12; // elements of an array on its line

/** One value on one line. */
export function One({ value }: { value: Value }): JSX.Element {
  if (Array.isArray(value)) return <span class="element">[{value.slice(0, previewed).map((v, i) => <>{i > 0 && ", "}<One value={v} /></>)}{value.length > previewed && "…"}]</span>;
  if (typeof value === "string" || typeof value === "object") return <Line text={value} />;
  return <span class="number">{String(value)}</span>;
}

const longest = 400_000; // characters laid out at once

/** Any number of lines, as they are. */
export function Block({ text, id }: { text: Text; id?: string }) {
  if (typeof text !== "string") {
    return (
      <p class="long" id={id}>
        <Hex hex={text.hex} most={4000} />
      </p>
    );
  }
  return (
    <>
      <pre class="long" id={id} tabIndex={0}>
        <bdi>{visible(text.slice(0, longest))}</bdi>
      </pre>
      {text.length > longest && <p class="quiet">{t.metadata.cut(whole(longest), whole(text.length))}</p>}
    </>
  );
}

function Hex({ hex, most }: { hex: string; most: number }) {
  return (
    <span class="hex" title={t.metadata.notText(whole(hex.length / 2))}>
      <span class="tag">hex</span> {(hex.slice(0, most).match(/../g) ?? []).join(" ")}
      {hex.length > most && "…"}
    </span>
  );
}
