// The panel that runs the model: a chat where the file has a template for one, a text to continue otherwise, and always what it costs.

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import type { Info } from "../straw";
import { t } from "../strings";
import { Chats } from "./chat/list";
import { Complete } from "./chat/complete";
import { Settings } from "./chat/panel";
import { Similar } from "./chat/similar";
import { Talk } from "./chat/talk";
import { valueOf } from "./facts";
import { wordsOfKind } from "./kind";
import { canIsolate, isolate } from "./offline";
import { FailureText, ProgressBar } from "./problem";
import { backend, busy, runFailure, runProgress, runState } from "./running";
import { info as shownInfo, isDemo, model } from "./state";
import { hrefOf } from "./views";

const modes = ["chat", "complete", "similar"] as const;
type Mode = (typeof modes)[number];

/** What was chosen for this file; until then the file decides. */
const chosen = signal<{ of: Info; mode: Mode } | undefined>();

/** Why there is nothing to run; empty where there is. */
function whyNot(info: Info): string {
  return !model.value ? t.run.damaged : info.tensors.length === 0 ? t.run.noWeights : (wordsOfKind(info.summary.kind)?.can ?? "");
}

/** The way to the panel. */
export function RunInvitation({ info }: { info: Info }): JSX.Element {
  const why = whyNot(info);
  return (
    <section class="card" aria-labelledby="invitation-title">
      <h2 id="invitation-title">{t.run.title}</h2>
      <p class="quiet">{why || t.run.invitation}</p>
      {!why && <p class="actions"><a id="to-run" class="button is-primary" href={hrefOf("run")}>{t.views.run}</a></p>}
    </section>
  );
}

export function RunPanel({ info }: { info: Info }): JSX.Element {
  const why = whyNot(info);
  return (
    <section id="run-panel" class="card run" data-state={runState} aria-labelledby="run-title">
      {why ? <><h2 id="run-title">{t.run.title}</h2><p class="quiet">{why}</p></> : <Runner info={info} />}
    </section>
  );
}

function Runner({ info }: { info: Info }): JSX.Element {
  const template = valueOf(info, "tokenizer.chat_template");
  const templated = typeof template === "string" && template.trim() !== "";
  // A model whose tokens look both ways writes nothing: it has embeddings only.
  const encoder = valueOf(info, `${info.summary.architecture}.attention.causal`) === false;
  const can: Record<Mode, boolean> = { chat: templated && !encoder, complete: !encoder, similar: true };
  const mode = chosen.value?.of === info ? chosen.value.mode : encoder ? "similar" : templated && !isDemo.value ? "chat" : "complete";
  return (
    <>
      <header class="run-head">
        <h2 id="run-title">{t.run.title}</h2>
        <div class="segments" role="radiogroup" aria-label={t.run.mode}>
          {modes.map((m) => (
            <label key={m} class={m === mode ? "is-chosen" : ""}>
              <input
                id={m === "similar" ? "similar-mode" : m}
                type="radio"
                name="mode"
                class="sr"
                checked={m === mode}
                disabled={busy.value || !can[m]}
                onChange={() => (chosen.value = { of: shownInfo.value ?? info, mode: m })}
              />
              {t.run.modes[m]}
            </label>
          ))}
        </div>
      </header>
      <div class="run-body">
        {mode === "chat" && <Chats />}
        <div class="run-main">
          {mode === "chat" ? <Talk trouble={<Trouble />} /> : mode === "complete" ? <Complete trouble={<Trouble />} /> : <Similar trouble={<Trouble />} />}
        </div>
        <Settings info={info} />
      </div>
      <p id="backend" class="quiet">{backend}</p>
      {canIsolate() && (
        <div class="isolate">
          <button id="isolate" type="button" class="button" onClick={() => void isolate()}>{t.memory.isolate}</button>
          <p class="quiet">{t.memory.isolateNote}</p>
        </div>
      )}
    </>
  );
}

/** How far loading is, or what went wrong. It has its room always, so that nothing moves. */
function Trouble(): JSX.Element {
  return (
    <div class="run-progress">
      {runProgress.value && (
        <>
          <p class="quiet">{runProgress.value.what}</p>
          <ProgressBar progress={runProgress.value.progress} label={runProgress.value.what} />
        </>
      )}
      {runFailure.value && (
        <div class="problem inline" role="alert">
          <FailureText failure={runFailure.value} running />
        </div>
      )}
    </div>
  );
}
