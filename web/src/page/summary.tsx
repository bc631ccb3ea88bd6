// The file in one strip: what it is, how big, and which types its bytes are.

import type { JSX } from "preact";
import type * as api from "../straw";
import { bytes, percent, short, whole } from "../format";
import { t } from "../strings";
import { Line } from "./text";
import { sharesOf } from "./facts";
import { KindNote } from "./kind";

export function Summary({ info }: { info: api.Info }): JSX.Element {
  const s = info.summary;
  const none = <span class="quiet">{t.summary.none}</span>;
  const figures: [field: string, label: string, value: JSX.Element | string, unit?: string][] = [
    ["parameters", t.summary.parameters, Number(s.parameters) ? short(s.parameters) : none],
    ["bits", t.summary.bits, s.bits_per_weight ? s.bits_per_weight.toFixed(2) : none],
    ["size", t.summary.size, bytes(s.size)],
    ["context", t.summary.context, s.context_length !== undefined ? whole(s.context_length) : none, s.context_length !== undefined ? t.summary.tokens : ""],
    ["tensors", t.summary.tensors, whole(s.n_tensors)],
    ["metadata", t.summary.metadata, whole(s.n_keys), t.summary.keys(s.n_keys)],
  ];
  return (
    <section id="summary" class="card summary" aria-label={t.summary.label}>
      <div class="title">
        <h1 data-field="name">{s.name !== undefined ? <Line text={s.name} /> : t.summary.unnamed}</h1>
        <p class="subtitle">
          {s.architecture !== undefined && <span class="chip is-strong" data-field="architecture"><Line text={s.architecture} /></span>}
          {s.file_type !== undefined && <span class="chip is-strong" data-field="quantization"><Line text={s.file_type} />{s.file_type_guessed && ` (${t.summary.guessed})`}</span>}
          {s.kind !== "model" && <span class="chip" data-field="kind"><Line text={s.kind} /></span>}
          {s.size_label !== undefined && <span class="chip"><Line text={s.size_label} /></span>}
          {s.vocab_size !== undefined && <span class="chip">{t.summary.vocabulary(whole(s.vocab_size))}{s.tokenizer !== undefined && <>, <Line text={s.tokenizer} /></>}</span>}
          {s.license !== undefined && <span class="chip"><Line text={t.summary.licence(s.license)} /></span>}
          {s.n_shards > 1 && <span class="chip">{t.summary.shards(s.n_shards)}</span>}
          <span class="chip">{t.summary.version(info.version, info.endian === "big")}</span>
        </p>
      </div>
      <dl class="figures">
        {figures.map(([field, label, value, unit]) => (
          <div key={field}>
            <dt>{label}</dt>
            <dd class="number"><span data-field={field}>{value}</span>{unit && <small> {unit}</small>}</dd>
          </div>
        ))}
      </dl>
      <Shares summary={s} />
      <KindNote info={info} />
    </section>
  );
}

function Shares({ summary }: { summary: api.Summary }): JSX.Element | null {
  const shares = sharesOf(summary);
  if (shares.length === 0) return null;
  return (
    <div class="shares">
      <div class="share-bar" aria-hidden="true">
        {shares.map((s, i) => <div key={s.type} class={`share hue${i % 8}`} style={{ flexGrow: s.bytes }} />)}
      </div>
      <ul class="legend" aria-label={t.summary.weights}>
        {shares.map((s, i) => (
          <li key={s.type}>
            <span class={`dot hue${i % 8}`} aria-hidden="true" />
            <b>{s.type}</b> <span class="number">{percent(s.part)}</span> <span class="quiet number">{bytes(s.bytes)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
