import rules from "rules";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Finding, Info } from "../straw";
import { t } from "../strings";
import { plain, whole } from "../format";
import { examine, examineFailure, examineState, examined } from "./examining";
import { FailureText, ProgressBar } from "./problem";
import { model } from "./state";
import { Line } from "./text";

const page = 50; // findings put into the document at a time
const worst = { error: 0, warning: 1, note: 2 };

export function Findings({ info }: { info: Info }): JSX.Element | null {
  const [most, setMost] = useState(page);
  const all = [...info.findings, ...examined.value].sort((a, b) => worst[a.severity] - worst[b.severity]);
  const tryable = model.value !== undefined && info.metadata.some((e) => typeof e.key === "string" && e.key.startsWith("tokenizer."));
  if (all.length === 0 && !tryable) return null;
  const rest = all.length - most;
  return (
    <section class="card findings" aria-labelledby="findings-title">
      <h2 id="findings-title">{t.findings.title} <span class="count number">{whole(all.length)}</span></h2>
      {all.length > 0 && (
        <ul id="findings" tabIndex={0} aria-labelledby="findings-title">
          {all.slice(0, most).map((f, i) => <FindingRow key={i} finding={f} />)}
          {rest > 0 && (
            <li><button type="button" class="button" onClick={() => setMost(most + page)}>{t.findings.more(Math.min(page, rest))}</button></li>
          )}
        </ul>
      )}
      {tryable && <Examination />}
    </section>
  );
}

export function FindingRow({ finding: f }: { finding: Finding }): JSX.Element {
  const rule = rules[f.rule];
  return (
    <li data-rule={f.rule} data-severity={f.severity} class={`finding is-${f.severity}`}>
      <p><span class="severity">{t.findings.severity[f.severity]}</span> {rule ? <b>{rule.title}</b> : <Line text={f.message} />}</p>
      {rule && <p class="message"><Line text={f.message} /></p>}
      <p class="quiet"><code>{f.rule}</code>{plain(f.subject) && <> · <code><Line text={f.subject} /></code></>}</p>
      {rule && (
        <details>
          <summary>{t.findings.why}</summary>
          <p>{rule.help}</p>
        </details>
      )}
    </li>
  );
}

export function Examination(): JSX.Element {
  switch (examineState.value) {
    case "running":
      return <div class="examination" data-state="running"><p class="quiet">{t.findings.examining}</p><ProgressBar progress={undefined} label={t.findings.examining} /></div>;
    case "done":
      return <p class="examination quiet" data-state="done">{t.findings.examined(examined.value.length)}</p>;
  }
  return (
    <div class="examination" data-state={examineState}>
      {examineFailure.value && <div class="problem inline" role="alert"><FailureText failure={examineFailure.value} running /></div>}
      <button id="examine" type="button" class="button" onClick={() => void examine()}>{t.findings.examine}</button>
      <p class="quiet">{t.findings.examineNote}</p>
    </div>
  );
}
