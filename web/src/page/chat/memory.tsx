// What running the model will take, told before it does: memory by kind, and a slider for how much of it the weights may have.

import { effect, signal } from "@preact/signals";
import type { JSX } from "preact";
import { bytes, percent, whole } from "../../format";
import type { Failure, Forecast } from "../../straw";
import { t } from "../../strings";
import { FailureText } from "../problem";
import { busy } from "../running";
import { asFailure, model } from "../state";
import { loadOptionsOf, set, settings } from "./settings";

const forecast = signal<Forecast | undefined>();
const failure = signal<Failure | undefined>();
/** Asked for once a file: it needs the program that runs models. */
const wanted = signal<unknown>(undefined);

effect(() => {
  const m = model.value;
  forecast.value = failure.value = undefined;
  const { contextSize, memoryBudget, kvType } = loadOptionsOf(settings.value);
  if (!m || wanted.value !== m) return;
  m.forecast({ ...(contextSize && { contextSize }), ...(memoryBudget && { memoryBudget }), ...(kvType && { kvType }) }).then(
    (f) => model.peek() === m && (forecast.value = f),
    (e) => model.peek() === m && (failure.value = asFailure(e)),
  );
});

export function Memory(): JSX.Element {
  const v = settings.value;
  const f = forecast.value;
  return (
    <details class="more memory" onToggle={(e) => e.currentTarget.open && (wanted.value = model.value)}>
      <summary id="forecast">{t.memory.title}</summary>
      <div class="numbers">
        <label>
          {t.memory.context}
          <input id="contextSize" type="number" inputMode="numeric" min={1} max={10_000_000} step={1} disabled={busy} value={v["contextSize"]} placeholder={f ? String(f.contextSize) : t.settings.any} onInput={(e) => set({ contextSize: e.currentTarget.value })} />
        </label>
        <label>
          {t.memory.cache}
          <select id="kvType" disabled={busy} value={v["kvType"]} onChange={(e) => set({ kvType: e.currentTarget.value })}>
            <option value="f32">F32</option>
            <option value="f16">F16</option>
            <option value="q8_0">Q8_0</option>
          </select>
        </label>
        <label>
          {t.memory.full}
          <select id="onFull" value={v["onFull"]} onChange={(e) => set({ onFull: e.currentTarget.value })}>
            <option value="stop">{t.memory.onFull.stop}</option>
            <option value="shift">{t.memory.onFull.shift}</option>
          </select>
        </label>
      </div>
      {failure.value && <div class="problem inline" role="alert"><FailureText failure={failure.value} running /></div>}
      <div class="forecast" role="status" aria-live="off">{f ? <Ledger forecast={f} /> : <p class="quiet">{t.memory.asking}</p>}</div>
      {f && <Budget forecast={f} />}
    </details>
  );
}

function Ledger({ forecast: f }: { forecast: Forecast }): JSX.Element {
  const all = f.memory.reduce((sum, m) => sum + m.bytes, 0);
  return (
    <>
      <p><strong class="number">{bytes(all)}</strong> {t.memory.inAll(whole(f.contextSize))}</p>
      <ul class="ledger">
        {f.memory.map((m) => (
          <li key={m.name}>
            <span>{t.memory.kinds[m.name] ?? m.name}</span>
            <span class="bar-box"><span class="bar-fill" style={{ width: percent(m.bytes / all).replace(/[<\s]/g, "") }} /></span>
            <span class="number">{bytes(m.bytes)}</span>
          </li>
        ))}
      </ul>
      <p class="quiet">{f.resident ? t.memory.resident : t.memory.streamed(bytes(f.streamed))}</p>
    </>
  );
}

const steps = 20;

/** The last step is no limit. */
function Budget({ forecast: f }: { forecast: Forecast }): JSX.Element {
  const given = Number(settings.value["memoryBudget"] || f.weights);
  const at = Math.min(steps, Math.round((steps * given) / Math.max(1, f.weights)));
  const words = at === steps ? t.memory.noLimit : t.memory.limit(bytes((f.weights * at) / steps));
  return (
    <label class="field">
      {t.memory.budget}: {words}
      <input
        id="memoryBudget"
        type="range"
        min={1}
        max={steps}
        disabled={busy}
        value={at}
        aria-valuetext={words}
        onInput={(e) => {
          const n = Number(e.currentTarget.value);
          set({ memoryBudget: n === steps ? "" : String(Math.floor((f.weights * n) / steps)) });
        }}
      />
    </label>
  );
}
