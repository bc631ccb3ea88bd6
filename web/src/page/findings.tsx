import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Finding } from "../straw";
import { t } from "../strings";
import { plain, whole } from "../format";
import { Line } from "./text";

const page = 50; // findings put into the document at a time

export function Findings({ findings }: { findings: readonly Finding[] }): JSX.Element | null {
  const [most, setMost] = useState(page);
  if (findings.length === 0) return null;
  const rest = findings.length - most;
  return (
    <section class="card findings" aria-labelledby="findings-title">
      <h2 id="findings-title">{t.findings.title} <span class="count number">{whole(findings.length)}</span></h2>
      <ul id="findings" tabIndex={0} aria-labelledby="findings-title">
        {findings.slice(0, most).map((f, i) => (
          <li key={i} data-rule={f.rule} data-severity={f.severity} class={`finding is-${f.severity}`}>
            <p><span class="severity">{t.findings.severity[f.severity]}</span> <Line text={f.message} /></p>
            <p class="quiet"><code>{f.rule}</code>{plain(f.subject) && <> · <code><Line text={f.subject} /></code></>}</p>
          </li>
        ))}
        {rest > 0 && (
          <li><button type="button" class="button" onClick={() => setMost(most + page)}>{t.findings.more(Math.min(page, rest))}</button></li>
        )}
      </ul>
    </section>
  );
}
