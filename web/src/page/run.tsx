import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { GenerateOptions, Info } from "../straw";
import { visible } from "../format";
import { t } from "../strings";
import { valueOf } from "./facts";
import { FailureText, ProgressBar } from "./problem";
import { asked, backend, calls, run, runFailure, runProgress, runState, speed, stop, story, thought } from "./running";
import { model } from "./state";

export function RunPanel({ info }: { info: Info }): JSX.Element {
  const why = !model.value ? t.run.damaged : info.tensors.length === 0 ? t.run.noWeights : "";
  return (
    <section id="run-panel" class="card run" data-state={runState} aria-labelledby="run-title">
      <h2 id="run-title">{t.run.title}</h2>
      {why ? <p class="quiet">{why}</p> : <Runner key={info} info={info} />}
    </section>
  );
}

/** A number a person may leave empty: the program's own default then. */
interface Setting {
  name: keyof GenerateOptions & ("temperature" | "maxTokens" | "seed" | "topK" | "topP" | "minP" | "repeatPenalty");
  label: string;
  start: string;
  min: number;
  max: number;
  step: number | "any";
}

const main: Setting[] = [
  { name: "temperature", label: t.run.temperature, start: "0.8", min: 0, max: 10, step: "any" },
  { name: "maxTokens", label: t.run.maxTokens, start: "256", min: 1, max: 1_000_000, step: 1 },
  { name: "seed", label: t.run.seed, start: "", min: 0, max: Number.MAX_SAFE_INTEGER, step: 1 },
];
const more: Setting[] = [
  { name: "topK", label: t.run.topK, start: "40", min: 0, max: 1_000_000, step: 1 },
  { name: "topP", label: t.run.topP, start: "0.95", min: 0, max: 1, step: "any" },
  { name: "minP", label: t.run.minP, start: "0.05", min: 0, max: 1, step: "any" },
  { name: "repeatPenalty", label: t.run.repeatPenalty, start: "1", min: 0.01, max: 10, step: "any" },
];

function Runner({ info }: { info: Info }): JSX.Element {
  const template = valueOf(info, "tokenizer.chat_template");
  const templated = typeof template === "string" && template.trim() !== "";
  const chat = useSignal(false);
  const prompt = useSignal(t.run.first);
  const form = useRef<HTMLFormElement>(null);
  const busy = runState.value === "loading" || runState.value === "running";

  const submit = () => {
    if (busy || !form.current?.reportValidity()) return;
    const fields = new FormData(form.current);
    const options: GenerateOptions = chat.value ? { messages: [{ role: "user", content: prompt.value }] } : { prompt: prompt.value };
    for (const s of [...main, ...more]) {
      const given = String(fields.get(s.name) ?? "").trim();
      if (given) options[s.name] = Number(given);
    }
    options.seed ??= Math.floor(Math.random() * 2 ** 32);
    void run(prompt.value, options);
  };

  return (
    <>
      <form
        ref={form}
        onSubmit={(e) => {
          e.preventDefault();
          submit();
        }}
      >
        <label for="prompt" class="sr">{t.run.prompt}</label>
        <textarea
          id="prompt"
          rows={2}
          value={prompt}
          placeholder={t.run.placeholder}
          aria-describedby="prompt-hint"
          onInput={(e) => (prompt.value = e.currentTarget.value)}
          onKeyDown={(e) => {
            // While an input method composes, Enter is its own.
            if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
            e.preventDefault();
            submit();
          }}
        />
        <p id="prompt-hint" class="quiet">{t.run.hint}</p>
        {templated && (
          <label class="check">
            <input
              id="chat"
              type="checkbox"
              checked={chat}
              onChange={(e) => {
                chat.value = e.currentTarget.checked;
                if (chat.value && prompt.value === t.run.first) prompt.value = t.run.chatFirst;
                else if (!chat.value && prompt.value === t.run.chatFirst) prompt.value = t.run.first;
              }}
            />
            {t.run.chat}
          </label>
        )}
        <Settings settings={main} />
        <details class="more">
          <summary>{t.run.more}</summary>
          <Settings settings={more} />
        </details>
        <div class="actions">
          <button id="run" type="submit" class="button is-primary" disabled={busy}>{t.run.run}</button>
          <button id="stop" type="button" class="button is-stop" disabled={!busy} onClick={stop}>{t.run.stop}</button>
          <span id="speed" class="number speed">{speed}</span>
        </div>
      </form>
      {runProgress.value && <div class="run-progress"><p class="quiet">{runProgress.value.what}</p><ProgressBar progress={runProgress.value.progress} label={runProgress.value.what} /></div>}
      {runFailure.value && (
        <div class="problem inline" role="alert">
          <FailureText failure={runFailure.value} running />
        </div>
      )}
      <Output busy={busy} />
      <p id="backend" class="quiet">{backend}</p>
    </>
  );
}

function Settings({ settings }: { settings: Setting[] }): JSX.Element {
  return (
    <div class="settings">
      {settings.map((s) => (
        <label key={s.name}>
          {s.label}
          <input id={s.name} name={s.name} type="number" inputMode="decimal" min={s.min} max={s.max} step={s.step} defaultValue={s.start} placeholder={s.start || t.run.random} />
        </label>
      ))}
    </div>
  );
}

/** The words as they come. Assistive technology reads them when it is asked to; the start and the end are announced elsewhere. */
function Output({ busy }: { busy: boolean }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const text = story.value;
  const length = text.length + thought.value.length + calls.value.reduce((n, c) => n + c.arguments.length, 0);
  useEffect(() => {
    const el = box.current;
    if (el && el.scrollHeight - el.scrollTop - el.clientHeight < 120) el.scrollTop = el.scrollHeight;
  }, [length]);
  return (
    <div class="output" role="log" aria-live="off" aria-busy={busy} aria-label={t.run.output} tabIndex={0} ref={box}>
      {asked.value ? <bdi class={`asked${asked.value.asMessage ? " is-message" : ""}`}>{visible(asked.value.text)}</bdi> : <span class="quiet">{t.run.waiting}</span>}
      {thought.value && (
        <details id="thought" class="thought">
          <summary>{busy && !text && calls.value.length === 0 ? <>{t.run.thinking}<span class="caret" aria-hidden="true" /></> : t.run.thoughts}</summary>
          <bdi>{visible(thought.value)}</bdi>
        </details>
      )}
      <bdi id="story">{visible(text)}</bdi>
      {calls.value.map((c, i) => (
        <div key={i} class="call">
          <span class="quiet">{t.run.calls}</span> <code><bdi>{visible(c.name)}</bdi></code>
          <pre><bdi>{visible(laidOut(c.arguments))}</bdi></pre>
        </div>
      ))}
      {busy && (text || !thought.value) && <span class="caret" aria-hidden="true" />}
    </div>
  );
}

/** Arguments with a line each, when they are whole. */
function laidOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
