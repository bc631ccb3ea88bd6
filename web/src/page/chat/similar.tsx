// Texts beside each other by their embeddings: how alike each two are, as the cosine of the angle between them.

import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { visible } from "../../format";
import { t } from "../../strings";
import { compute } from "../running";
import { model } from "../state";
import { Composer } from "./composer";

const texts = signal(t.similar.first);
const most = 24;

/** `alike[i][j]` for the texts i and j, and of which model. */
const found = signal<{ of: unknown; texts: readonly string[]; size: number; alike: readonly (readonly number[])[] } | undefined>();

export function Similar({ trouble }: { trouble: ComponentChildren }): JSX.Element {
  const submit = () => {
    const lines = texts.value.split("\n").map((line) => line.trim()).filter(Boolean).slice(0, most);
    const of = model.value;
    if (lines.length === 0) return;
    void compute(t.similar.working, async (session, signal) => {
      const vectors: Float32Array[] = [];
      for (const line of lines) vectors.push(await session.embed(line, { signal }));
      found.value = { of, texts: lines, size: vectors[0]?.length ?? 0, alike: vectors.map((a) => vectors.map((b) => dot(a, b))) };
    });
  };
  return (
    <>
      <Matrix />
      {trouble}
      <Composer text={texts} label={t.similar.texts} placeholder={t.similar.placeholder} action={t.similar.go} submit={submit} />
    </>
  );
}

/** Vectors have length 1: their product is the cosine. */
function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, v, i) => sum + v * (b[i] ?? 0), 0);
}

function Matrix(): JSX.Element {
  const shown = found.value?.of === model.value ? found.value : undefined;
  if (!shown) return <div class="output"><span class="quiet">{t.similar.lead}</span></div>;
  const n = shown.texts.length;
  return (
    <div class="output is-matrix" tabIndex={0} role="group" aria-label={t.similar.title}>
      <table id="similar" class="matrix">
        <caption class="quiet">{t.similar.caption(String(shown.size))}</caption>
        <thead><tr><td />{shown.texts.map((_, j) => <th key={j} scope="col" class="number">{j + 1}</th>)}</tr></thead>
        <tbody>
          {shown.texts.map((text, i) => (
            <tr key={i}>
              <th scope="row"><span class="number quiet">{i + 1}</span> <bdi>{visible(text)}</bdi></th>
              {Array.from({ length: n }, (_, j) => {
                const v = shown.alike[i]?.[j] ?? 0;
                return <td key={j} class="number" data-pair={`${i + 1} ${j + 1}`} style={{ "--share": `${Math.round(36 * Math.max(0, v))}%` }}>{v.toFixed(3)}</td>;
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
