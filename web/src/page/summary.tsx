// The file in one strip: what it is, how big, and which types its bytes are.

import type { JSX } from "preact";
import type { Info, Tensor } from "../straw";
import { bytes, short, whole } from "../format";
import { t } from "../strings";
import { Line } from "./text";
import { factsOf, sharesOf } from "./facts";

export function Summary({ info }: { info: Info }): JSX.Element {
  const f = factsOf(info);
  const none = <span class="quiet">{t.summary.none}</span>;
  const figures: [field: string, label: string, value: JSX.Element | string, unit?: string][] = [
    ["parameters", t.summary.parameters, f.parameters ? short(f.parameters) : none],
    ["bits", t.summary.bits, f.bits ? f.bits.toFixed(2) : none],
    ["size", t.summary.size, bytes(info.file_size)],
    ["context", t.summary.context, f.context ? whole(f.context) : none, f.context ? t.summary.tokens : ""],
    ["tensors", t.summary.tensors, whole(info.tensors.length)],
    ["metadata", t.summary.metadata, whole(info.metadata.length)],
  ];
  return (
    <section id="summary" class="card summary" aria-label={t.summary.label}>
      <div class="title">
        <h1 data-field="name">{f.name !== undefined ? <Line text={f.name} /> : t.summary.unnamed}</h1>
        <p class="subtitle">
          {f.architecture !== undefined && <span class="chip is-strong" data-field="architecture"><Line text={f.architecture} /></span>}
          {f.fileType !== undefined && <span class="chip" data-field="quantization">{f.fileType}</span>}
          {f.sizeLabel !== undefined && <span class="chip"><Line text={f.sizeLabel} /></span>}
          {f.licence !== undefined && <span class="chip"><Line text={t.summary.licence(f.licence)} /></span>}
          {f.shards > 1 && <span class="chip">{t.summary.shards(f.shards)}</span>}
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
      <Shares tensors={info.tensors} />
    </section>
  );
}

function Shares({ tensors }: { tensors: readonly Tensor[] }): JSX.Element | null {
  const shares = sharesOf(tensors);
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
            <b>{s.type}</b> <span class="number">{(100 * s.part).toFixed(s.part < 0.0995 ? 1 : 0)} %</span> <span class="quiet number">{bytes(s.bytes)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
