// Tools: what the model is told it may call, what it calls, and what a person answers in the tool's place.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { visible } from "../../format";
import { t } from "../../strings";
import type { Call } from "../running";
import { busy } from "../running";
import { answerCalls } from "./chats";
import { set, settings, toolsOf } from "./settings";
import type { Turn } from "./tree";

/** Where the tools are written, as JSON. */
export function ToolsField(): JSX.Element {
  const text = settings.value["tools"] ?? "";
  const fault = faultOf(text);
  return (
    <label class="field">
      {t.tools.title}
      <textarea
        id="tools"
        class="mono"
        rows={4}
        spellcheck={false}
        value={text}
        placeholder={t.tools.placeholder}
        ref={(e) => e?.setCustomValidity(fault)}
        aria-invalid={fault !== ""}
        aria-describedby={fault ? "tools-fault" : undefined}
        onInput={(e) => set({ tools: e.currentTarget.value })}
      />
      {fault && <span id="tools-fault" class="inline-problem">{visible(fault)}</span>}
    </label>
  );
}

function faultOf(text: string): string {
  try {
    toolsOf({ tools: text });
    return "";
  } catch (e) {
    return (e as Error).message;
  }
}

export function CallCard({ call }: { call: Call }): JSX.Element {
  return (
    <div class="call">
      <span class="quiet">{t.run.calls}</span> <code><bdi>{visible(call.name)}</bdi></code>
      <pre><bdi>{visible(laidOut(call.arguments))}</bdi></pre>
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

/** What the tools gave is written by the person; then the model goes on. */
export function CallAnswers({ place, calls }: { place: number; calls: readonly Call[] }): JSX.Element {
  const results = useSignal<readonly string[]>(calls.map(() => ""));
  return (
    <form
      class="call-answers"
      onSubmit={(e) => {
        e.preventDefault();
        void answerCalls(place, results.value);
      }}
    >
      {calls.map((call, i) => (
        <label key={i} class="field">
          {t.tools.resultOf(visible(call.name))}
          <textarea class="mono call-result" rows={2} value={results.value[i]} onInput={(e) => (results.value = results.value.with(i, e.currentTarget.value))} />
        </label>
      ))}
      <div class="actions"><button type="submit" class="button send-results" disabled={busy}>{t.tools.send}</button></div>
    </form>
  );
}

/** A tool's answer, as the model was given it. */
export function CallResult({ turn }: { turn: Turn }): JSX.Element {
  return (
    <div class="turn is-result call">
      <span class="quiet">{t.tools.resultOf(visible(turn.message.name ?? ""))}</span>
      <pre><bdi>{visible(turn.message.content ?? "")}</bdi></pre>
    </div>
  );
}
