// One key's type and value, as a person writes them. The worker checks the value before it counts as a change, and what is wrong stands at the field.

import type { JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { visible } from "../../format";
import { t } from "../../strings";
import { announcement } from "../state";
import type { Setting } from "./edits";
import { change, check, typeNames } from "./edits";

/** `given` is what the fields show at first; `children` are more buttons. */
export function ValueForm({ name, given, children }: { name: string; given: Setting; children?: JSX.Element | false | undefined }): JSX.Element {
  const [setting, setSetting] = useState(given);
  const [wrong, setWrong] = useState("");
  const id = useId();
  const submit = async (e: Event) => {
    e.preventDefault();
    const failure = await check(name, setting);
    setWrong(failure?.message ?? "");
    if (failure) return;
    change(name, setting);
    announcement.value = t.edit.willChange(name);
  };
  return (
    <form class="value-form" onSubmit={submit}>
      <ValueFields id={id} setting={setting} wrong={wrong} onChange={setSetting} />
      <div class="actions">
        <button type="submit" class="button is-primary">{t.edit.set}</button>
        {children}
      </div>
    </form>
  );
}

export function ValueFields({ id, setting, wrong, onChange }: { id: string; setting: Setting; wrong: string; onChange: (s: Setting) => void }): JSX.Element {
  const long = setting.type === "str" || setting.type.endsWith("[]");
  const field = {
    id: `${id}-value`,
    class: "mono value",
    value: setting.text,
    spellcheck: false,
    autocomplete: "off",
    "aria-invalid": wrong !== "",
    "aria-describedby": `${id}-hint`,
    onInput: (e: { currentTarget: HTMLInputElement | HTMLTextAreaElement }) => onChange({ ...setting, text: e.currentTarget.value }),
  };
  return (
    <>
      <label class="field" for={`${id}-type`}>
        {t.metadata.type}
        <select id={`${id}-type`} class="type-name" value={setting.type} onChange={(e) => onChange({ ...setting, type: e.currentTarget.value })}>
          {typeNames.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
      </label>
      <label class="field is-wide" for={`${id}-value`}>
        {t.metadata.value}
        {long ? <textarea {...field} rows={Math.min(12, Math.max(1, setting.text.split("\n").length))} /> : <input {...field} type="text" />}
      </label>
      <p id={`${id}-hint`} class={wrong ? "inline-problem" : "quiet"} role={wrong ? "alert" : undefined}>
        {wrong ? visible(wrong) : setting.type.endsWith("[]") ? t.edit.arrayHint : setting.type === "bool" ? t.edit.boolHint : ""}
      </p>
    </>
  );
}
