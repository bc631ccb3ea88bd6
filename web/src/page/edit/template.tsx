// The chat template in an editor of its own: a text of many lines, with their numbers.

import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import type { Info } from "../../straw";
import { whole } from "../../format";
import { t } from "../../strings";
import { valueOf } from "../facts";
import { change, edits, keep } from "./edits";

const key = "tokenizer.chat_template";

export function TemplateEditor({ info }: { info: Info }): JSX.Element {
  const gutter = useRef<HTMLPreElement>(null);
  const there = valueOf(info, key);
  const given = typeof there === "string" ? there : "";
  const becomes = edits.value.get(key);
  const text = becomes ? becomes.text : edits.value.has(key) ? "" : given;
  const set = (now: string) => {
    if (now === given) keep(key);
    else change(key, now === "" ? undefined : { type: "str", text: now });
  };
  const lines = text.split("\n").length;
  return (
    <section class="card" aria-labelledby="template-title">
      <div class="bar">
        <h2 id="template-title">{t.edit.template}</h2>
        <span class="count number">{t.edit.lines(whole(lines), whole(text.length))}</span>
        {edits.value.has(key) && <button id="template-undo" type="button" class="button is-small" onClick={() => keep(key)}>{t.edit.undo}</button>}
      </div>
      <p class="quiet lead">{given ? t.edit.templateLead : t.edit.templateNone}</p>
      <div class="numbered">
        <pre ref={gutter} class="gutter number" aria-hidden="true" style={{ width: `${String(lines).length + 3}ch` }}>{Array.from({ length: lines }, (_, i) => i + 1).join("\n")}</pre>
        <textarea
          id="template-text"
          class="mono"
          aria-labelledby="template-title"
          rows={Math.min(20, Math.max(4, lines))}
          wrap="off"
          spellcheck={false}
          value={text}
          onInput={(e) => set(e.currentTarget.value)}
          onScroll={(e) => gutter.current && (gutter.current.scrollTop = e.currentTarget.scrollTop)}
        />
      </div>
    </section>
  );
}
