// What a person sets for this model.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Info } from "../../straw";
import { t } from "../../strings";
import { busy } from "../running";
import { Elsewhere } from "./elsewhere";
import { Memory } from "./memory";
import type { Field, Preset } from "./settings";
import { main, more, presetOf, presets, set, settings } from "./settings";
import { ToolsField } from "./tools";

export function Settings({ info }: { info: Info }): JSX.Element {
  const [wide] = useState(() => matchMedia("(min-width: 1100px)").matches);
  const v = settings.value;
  const preset = presetOf(info, v);
  return (
    <details class="settings" open={wide}>
      <summary>{t.settings.title}</summary>
      <div class="settings-body">
        <label class="field">
          {t.settings.system}
          <textarea id="system" rows={3} value={v["system"]} placeholder={t.settings.systemPlaceholder} onInput={(e) => set({ system: e.currentTarget.value })} />
        </label>
        <label class="field">
          {t.settings.preset}
          <select
            id="preset"
            value={preset ?? ""}
            onChange={(e) => {
              const name = e.currentTarget.value as Preset;
              const found = presets(info).find(([n]) => n === name);
              if (found) set(found[1]);
            }}
          >
            {!preset && <option value="">{t.settings.presets.own}</option>}
            {presets(info).map(([name]) => <option key={name} value={name}>{t.settings.presets[name]}</option>)}
          </select>
        </label>
        <Numbers fields={main} />
        <Memory />
        <Elsewhere />
        <label class="check">
          <input id="probabilities" type="checkbox" checked={v["probabilities"] !== ""} onChange={(e) => set({ probabilities: e.currentTarget.checked ? "1" : "" })} />
          {t.settings.probabilities}
        </label>
        <details class="more">
          <summary>{t.settings.more}</summary>
          <Numbers fields={more} />
          <ToolsField />
          <label class="field">
            {t.settings.stop}
            <textarea id="stop-texts" rows={2} value={v["stop"]} onInput={(e) => set({ stop: e.currentTarget.value })} />
          </label>
          <label class="field">
            {t.settings.grammar}
            <textarea id="grammar" class="mono" rows={3} spellcheck={false} value={v["grammar"]} onInput={(e) => set({ grammar: e.currentTarget.value })} />
          </label>
        </details>
      </div>
    </details>
  );
}

function Numbers({ fields }: { fields: readonly Field[] }): JSX.Element {
  return (
    <div class="numbers">
      {fields.map((f) => (
        <label key={f.name}>
          {t.settings.names[f.name] ?? f.name}
          <input
            id={f.name}
            type="number"
            inputMode="decimal"
            min={f.min}
            max={f.max}
            step={f.step}
            disabled={busy}
            value={settings.value[f.name]}
            placeholder={f.start || (f.name === "seed" ? t.settings.any : t.settings.off)}
            onInput={(e) => set({ [f.name]: e.currentTarget.value })}
          />
        </label>
      ))}
    </div>
  );
}
