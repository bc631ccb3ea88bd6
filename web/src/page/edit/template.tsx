// The chat template in an editor of its own: a text of many lines, with their numbers.

import type { JSX } from "preact";
import type { Info } from "../../straw";
import { whole } from "../../format";
import { t } from "../../strings";
import { valueOf } from "../facts";
import { Numbered } from "../numbered";
import { change, edits, keep } from "./edits";

/** The key of the file's chat template. */
export const key = "tokenizer.chat_template";

export function TemplateEditor({ info }: { info: Info }): JSX.Element {
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
      <Numbered id="template-text" text={text} set={set} labelledBy="template-title" />
    </section>
  );
}
