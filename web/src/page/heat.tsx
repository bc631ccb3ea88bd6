// A heat map of a tensor from a bounded read: some rows, spread evenly, each brought to a few hundred places.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Model, Tensor } from "../straw";
import { bytes, plain, whole } from "../format";
import { t } from "../strings";
import { asFailure, model } from "./state";

const mostRows = 64;
const mostValues = 1 << 20; // read for one picture
const places = 256; // across

interface Picture {
  rows: number;
  columns: number;
  /** [rows][columns], the strongest value of each place. */
  values: Float32Array;
  read: number; // bytes of the file
}

async function look(m: Model, x: Tensor, signal: AbortSignal): Promise<Picture> {
  const row = Number(x.dims[0] ?? 1);
  const all = Math.round(Number(x.n_elements) / row);
  const rows = Math.max(1, Math.min(all, mostRows, Math.floor(mostValues / row)));
  const read = Math.min(row, mostValues);
  const columns = Math.min(places, read);
  const values = new Float32Array(rows * columns);
  for (let r = 0; r < rows; r++) {
    const from = await m.tensor(plain(x.name), { row: Math.floor((r * all) / rows), count: read, signal });
    for (let i = 0; i < read; i++) {
      const at = r * columns + Math.floor((i * columns) / read);
      if (Math.abs(from[i] as number) > Math.abs(values[at] as number)) values[at] = from[i] as number;
    }
  }
  return { rows, columns, values, read: Math.round((rows * read * Number(x.nbytes)) / Number(x.n_elements)) };
}

export function Heat({ tensor: x }: { tensor: Tensor }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<Picture>();
  const [failed, setFailed] = useState("");
  useEffect(() => {
    const m = model.value;
    const stop = new AbortController();
    if (m) look(m, x, stop.signal).then(setPicture, (e) => stop.signal.aborted || setFailed(asFailure(e).message));
    return () => stop.abort();
  }, [x]);
  useEffect(() => {
    const g = canvas.current?.getContext("2d");
    if (!g || !picture) return;
    const image = g.createImageData(picture.columns, picture.rows);
    const sorted = Float32Array.from(picture.values, Math.abs).filter(Number.isFinite).sort();
    const strong = sorted[Math.floor(sorted.length * 0.98)] || 1; // an outlier does not pale the rest
    picture.values.forEach((v, i) => image.data.set(colour(v / strong), 4 * i));
    g.putImageData(image, 0, 0);
  }, [picture]);
  const all = whole(Math.round(Number(x.n_elements) / Number(x.dims[0] ?? 1)));
  return (
    <section class="card" id="heat" data-state={picture ? "done" : failed ? "failed" : "reading"} aria-labelledby="heat-title">
      <h2 id="heat-title">{t.tensor.heat}</h2>
      {failed && <p class="inline-problem" role="alert">{failed}</p>}
      <p class="quiet number">{picture ? t.tensor.heatNote(whole(picture.rows), all, bytes(picture.read)) : t.tensors.reading}</p>
      <canvas class="heat" ref={canvas} width={picture?.columns ?? places} height={picture?.rows ?? mostRows} role="img" aria-label={t.tensor.heat} style={{ height: `${Math.max(24, Math.min(256, 4 * (picture?.rows ?? mostRows)))}px` }} />
    </section>
  );
}

/** Blue below zero, red above, pale between; what is no number is black. */
function colour(v: number): [number, number, number, number] {
  if (!Number.isFinite(v)) return [0, 0, 0, 255];
  const s = Math.min(1, Math.abs(v));
  const to = v < 0 ? [33, 90, 168] : [196, 62, 40];
  return [0, 1, 2].map((i) => 244 + ((to[i] as number) - 244) * s).concat(255) as [number, number, number, number];
}
