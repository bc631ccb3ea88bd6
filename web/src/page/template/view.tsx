// The template workbench: the file's chat template, a conversation, and what one makes of the other, at once.

import type { JSX } from "preact";
import type { Info } from "../../straw";
import { plain, whole } from "../../format";
import { t } from "../../strings";
import { change, edits, keep } from "../edit/edits";
import { key as usual } from "../edit/template";
import { examined } from "../examining";
import { valueOf } from "../facts";
import { Examination, FindingRow } from "../findings";
import { Numbered } from "../numbered";
import { model } from "../state";
import { show } from "../views";
import { generation, readJSON, source, sourceKey, tools, variables } from "./conversation";
import { Messages } from "./messages";
import { Rendered, useRendering } from "./rendered";

export function TemplateView({ info }: { info: Info }): JSX.Element {
  if (!model.value) return <p class="none">{t.tokens.damaged}</p>;
  return <Workbench info={info} />;
}

function Workbench({ info }: { info: Info }): JSX.Element {
  const keys = info.metadata.flatMap((e) => (typeof e.key === "string" && e.key.startsWith(usual) && typeof e.value === "string" ? e.key : []));
  const key = sourceKey.value || (keys.includes(usual) ? usual : (keys[0] ?? usual));
  const changed = edits.value.get(key);
  const there = changed?.text ?? valueOf(info, key);
  const given = typeof there === "string" ? there : "";
  const text = source.value ?? given;
  const r = useRendering(text);
  const lines = text.split("\n").length;
  const use = () => {
    if (text === valueOf(info, key)) keep(key);
    else change(key, { type: "str", text });
    source.value = undefined;
    show("edit");
  };
  return (
    <div class="template-view" id="template">
      <div class="tables">
        <section class="card" aria-labelledby="conversation-title">
          <h2 id="conversation-title">{t.template.conversation}</h2>
          <Messages />
          <Switches source={text} />
        </section>
        <section class="card" aria-labelledby="workbench-title">
          <div class="bar">
            <h2 id="workbench-title">{t.template.source}</h2>
            <span class="count number">{t.edit.lines(whole(lines), whole(text.length))}</span>
            {keys.length > 1 && (
              <select id="template-key" aria-label={t.template.which} value={key} onChange={(e) => { sourceKey.value = e.currentTarget.value; source.value = undefined; }}>
                {keys.map((k) => <option key={k} value={k}>{k}</option>)}
              </select>
            )}
          </div>
          {given === "" && <p class="quiet">{t.template.none}</p>}
          <Numbered id="workbench-template" text={text} set={(now) => (source.value = now === given ? undefined : now)} labelledBy="workbench-title" marked={r.failure?.line} />
          <div class="actions">
            <button id="template-use" type="button" class="button" disabled={source.value === undefined} onClick={use}>{t.template.use}</button>
            <button id="template-back" type="button" class="button" disabled={source.value === undefined} onClick={() => (source.value = undefined)}>{t.template.back}</button>
          </div>
          <p class="quiet">{t.template.useNote}</p>
        </section>
      </div>
      <div class="tables">
        <Rendered of={r} context={Number(info.summary.context_length ?? 0)} />
        <TemplateFindings info={info} />
      </div>
    </div>
  );
}

/** What goes with the messages. */
function Switches({ source: text }: { source: string }): JSX.Element {
  const thinks = /\benable_thinking\b/.test(text);
  const thinking = thinks ? thoughts() : undefined;
  return (
    <div class="switches">
      <label class="check"><input id="generation" type="checkbox" checked={generation} onChange={(e) => (generation.value = e.currentTarget.checked)} />{t.template.generation}</label>
      {thinks && (
        <label class="check">
          <input id="thinking" type="checkbox" checked={thinking ?? true} onChange={(e) => setThoughts(e.currentTarget.checked)} />
          {t.template.thinking}
        </label>
      )}
      <Json id="template-tools" label={t.template.tools} text={tools} want="list" />
      <Json id="template-variables" label={t.template.variables} text={variables} want="object" />
    </div>
  );
}

function variablesNow(): Record<string, unknown> {
  try {
    return readJSON<Record<string, unknown>>(variables.value, "object") ?? {};
  } catch {
    return {};
  }
}

const thoughts = (): boolean | undefined => {
  const v = variablesNow()["enable_thinking"];
  return v === undefined ? undefined : Boolean(v);
};

const setThoughts = (on: boolean) => (variables.value = JSON.stringify({ ...variablesNow(), enable_thinking: on }));

function Json({ id, label, text, want }: { id: string; label: string; text: typeof tools; want: "list" | "object" }): JSX.Element {
  let wrong = "";
  try {
    readJSON(text.value, want);
  } catch (e) {
    wrong = (e as Error).message;
  }
  return (
    <label class="field">
      {label}
      <textarea id={id} class="mono" rows={Math.min(12, Math.max(2, text.value.split("\n").length))} spellcheck={false} aria-invalid={wrong !== ""} placeholder={want === "list" ? "[]" : "{}"} value={text} onInput={(e) => (text.value = e.currentTarget.value)} />
      <span class="inline-problem" role="status">{wrong}</span>
    </label>
  );
}

/** What the doctor says of the template; asking it is the same as beside the file. */
function TemplateFindings({ info }: { info: Info }): JSX.Element {
  const found = [...info.findings, ...examined.value].filter((f) => plain(f.subject).startsWith(usual));
  return (
    <section class="card findings" aria-labelledby="template-findings-title">
      <h2 id="template-findings-title">{t.template.findings} <span class="count number">{whole(found.length)}</span></h2>
      {found.length > 0 && <ul id="template-findings" tabIndex={0} aria-labelledby="template-findings-title">{found.map((f, i) => <FindingRow key={i} finding={f} />)}</ul>}
      <Examination />
    </section>
  );
}
