// Code in an answer: coloured by a few rules that hold for most languages, with a button that copies it as it is.

import type { JSX } from "preact";
import { visible } from "../../format";
import { t } from "../../strings";
import { CopyButton } from "../copy";

const words = new Set(
  ("abstract and as async await bool boolean break case catch char class const continue def default defer del do double elif else end enum except export extends false False final finally fn for " +
    "float from func function go if impl implements import in int interface is lambda let local long loop match mod mut namespace new nil None not null or package pass private protected pub public raise range return select " +
    "self static string struct super switch then this throw trait true True try type typedef typeof undefined union unless until use using var virtual void where while with yield " +
    "SELECT FROM WHERE INSERT UPDATE DELETE JOIN ON GROUP BY ORDER CREATE TABLE INTO VALUES LIMIT AND OR NOT NULL").split(" "),
);

const hashComments = /^(py|python|sh|bash|shell|zsh|rb|ruby|r|yaml|yml|toml|perl|make|makefile|dockerfile|conf|ini|elixir|julia)$/i;
const dashComments = /^(sql|lua|haskell|hs|ada|elm)$/i;

function grammarOf(language: string): RegExp {
  const line = hashComments.test(language) ? "#.*" : dashComments.test(language) ? "--.*" : "//.*";
  const strings = '"(?:\\\\.|[^"\\\\\\n])*"|\'(?:\\\\.|[^\'\\\\\\n])*\'|`(?:\\\\.|[^`\\\\])*`';
  return new RegExp(`(?<note>${line}|/\\*[^]*?\\*/)|(?<text>${strings})|(?<number>\\b\\d[\\w.]*)|(?<word>[A-Za-z_]\\w*)`, "g");
}

/** The code in pieces, those of a kind marked. */
export function coloured(code: string, language: string): { text: string; kind?: string }[] {
  const out: { text: string; kind?: string }[] = [];
  let from = 0;
  for (const m of code.matchAll(grammarOf(language))) {
    const kind = Object.entries(m.groups ?? {}).find(([, v]) => v !== undefined)?.[0];
    if (!kind || (kind === "word" && !words.has(m[0]))) continue;
    if (m.index > from) out.push({ text: code.slice(from, m.index) });
    out.push({ text: m[0], kind });
    from = m.index + m[0].length;
  }
  if (from < code.length) out.push({ text: code.slice(from) });
  return out;
}

const longest = 20_000; // characters that are coloured

export function Code({ code, language }: { code: string; language: string }): JSX.Element {
  const plain = code.length > longest || /^(|text|txt|plain|plaintext|console|output)$/i.test(language);
  return (
    <figure class="code">
      <figcaption>
        <span>{visible(language) || t.chat.code}</span>
        <CopyButton label={t.chat.copyCode} text={async () => code} />
      </figcaption>
      <pre tabIndex={0}>
        <code>{plain ? visible(code) : coloured(code, language).map((p, i) => (p.kind ? <span key={i} class={`c-${p.kind}`}>{visible(p.text)}</span> : visible(p.text)))}</code>
      </pre>
    </figure>
  );
}
