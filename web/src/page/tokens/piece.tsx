// How the bytes of a token are shown: what would not be seen is drawn, and bytes that are no text are hexadecimal.

import type { JSX } from "preact";
import type { Text } from "../../straw";
import { runs } from "../../format";

/** The bytes as hexadecimal digits, two and two. */
export function hexOf(piece: Text): string {
  if (typeof piece !== "string") return (piece.hex.match(/../g) ?? []).join(" ");
  return [...new TextEncoder().encode(piece)].map((b) => b.toString(16).padStart(2, "0")).join(" ");
}

export const bytesIn = (piece: Text): number => (typeof piece === "string" ? new TextEncoder().encode(piece).length : piece.hex.length / 2);

const marks: Record<string, string> = { " ": "·", "\n": "⏎", "\t": "⇥", "\u00a0": "⍽" };

/** In one line: the piece as words for who does not see it. */
export const inWords = (piece: Text): string => (typeof piece === "string" ? piece.replace(/[ \n\t\u00a0]/g, (c) => marks[c] ?? c) : `hex ${hexOf(piece)}`);

/** `breaks` keeps the line breaks of the text. */
export function PieceText({ piece, breaks = false }: { piece: Text; breaks?: boolean }): JSX.Element {
  if (typeof piece !== "string") return <span class="raw">{hexOf(piece)}</span>;
  if (piece === "") return <span class="mark">∅</span>;
  return (
    <bdi>
      {piece.split(/([ \n\t\u00a0])/).map((part, i) =>
        marks[part] ? (
          <span key={i} class="mark">{marks[part]}{breaks && part === "\n" && "\n"}</span>
        ) : (
          runs(part).map((r, j) => (r.mark ? <span key={`${i}.${j}`} class="unseen">{r.text}</span> : r.text))
        ),
      )}
    </bdi>
  );
}
