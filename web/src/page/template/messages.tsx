// The messages of the conversation: a role and a text each; one that has more, such as tool calls, is edited as JSON.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../strings";
import type { Message } from "./conversation";
import { isPlain, messages, presets, readJSON } from "./conversation";

const roles = ["system", "user", "assistant", "tool", "developer"];

const put = (at: number, m?: Message) => (messages.value = m ? messages.value.with(at, m) : messages.value.toSpliced(at, 1));

export function Messages(): JSX.Element {
  return (
    <>
      <div class="actions presets">
        <span class="quiet">{t.template.preset}</span>
        {Object.entries(presets).map(([name, fill]) => <button key={name} type="button" class="button is-small" data-preset={name} onClick={fill}>{t.template.presets[name as keyof typeof presets]}</button>)}
      </div>
      <ol id="messages" class="messages">
        {messages.value.map((m, i) => (
          <li key={i} data-message={i}>
            {isPlain(m) ? <Plain at={i} message={m} /> : <AsJSON key={JSON.stringify(m)} at={i} message={m} />}
            <button type="button" class="button is-small" aria-label={t.template.removeOf(i + 1)} onClick={() => put(i)}>{t.template.remove}</button>
          </li>
        ))}
      </ol>
      <button id="message-add" type="button" class="button is-small" onClick={() => (messages.value = [...messages.value, { role: messages.value.at(-1)?.["role"] === "user" ? "assistant" : "user", content: "" }])}>{t.template.add}</button>
    </>
  );
}

function Plain({ at, message: m }: { at: number; message: { role: string; content: string } }): JSX.Element {
  return (
    <>
      <select aria-label={t.template.roleOf(at + 1)} value={m.role} onChange={(e) => put(at, { ...m, role: e.currentTarget.value })}>
        {(roles.includes(m.role) ? roles : [...roles, m.role]).map((r) => <option key={r} value={r}>{r}</option>)}
      </select>
      <textarea aria-label={t.template.contentOf(at + 1)} rows={Math.min(8, m.content.split("\n").length)} value={m.content} onInput={(e) => put(at, { ...m, content: e.currentTarget.value })} />
    </>
  );
}

function AsJSON({ at, message: m }: { at: number; message: Message }): JSX.Element {
  const [text, setText] = useState(JSON.stringify(m, null, 2));
  const [wrong, setWrong] = useState("");
  const leave = () => {
    try {
      put(at, readJSON<Message>(text, "object") ?? { role: "user", content: "" });
      setWrong("");
    } catch (e) {
      setWrong((e as Error).message);
    }
  };
  return (
    <>
      <span class="type">{String(m["role"] ?? "")}</span>
      <div class="field">
        <textarea class="mono" aria-label={t.template.jsonOf(at + 1)} aria-invalid={wrong !== ""} rows={Math.min(10, text.split("\n").length)} spellcheck={false} value={text} onInput={(e) => setText(e.currentTarget.value)} onChange={leave} />
        {wrong && <p class="inline-problem" role="alert">{wrong}</p>}
      </div>
    </>
  );
}
