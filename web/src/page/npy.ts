// A tensor's values as files of other programs: NumPy's .npy (version 1.0 of NEP 1, float32, row-major) and .csv, a row a line.

import type { Model, Tensor } from "../straw";
import { float, plain } from "../format";

const atOnce = 1 << 20; // values fetched at a time

export function npyHeader(dims: readonly (number | string)[]): Uint8Array<ArrayBuffer> {
  const shape = dims.toReversed().map(String);
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': ${tuple}, }`;
  const length = Math.ceil((10 + text.length + 1) / 64) * 64 - 10; // data begin at a multiple of 64
  const head = new Uint8Array(10 + length).fill(0x20);
  head.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, length & 0xff, length >> 8]);
  head.set(new TextEncoder().encode(text), 10);
  head[head.length - 1] = 0x0a;
  return head;
}

/** The values of the whole tensor, some rows at a time. */
async function* rowsOf(model: Model, x: Tensor, signal: AbortSignal): AsyncGenerator<Float32Array<ArrayBuffer>> {
  const row = Number(x.dims[0] ?? 1);
  const all = Number(x.n_elements);
  const step = Math.max(1, Math.floor(atOnce / Math.max(1, row)));
  for (let at = 0; at * row < all; at += step) {
    yield (await model.tensor(plain(x.name), { row: at, count: Math.min(step * row, all - at * row), signal })) as Float32Array<ArrayBuffer>;
  }
}

/** Bytes of the .npy file, and of the .csv: what it has is known when it is written. */
export const sizes = { npy: (x: Tensor) => npyHeader(x.dims).length + 4 * Number(x.n_elements), csv: () => undefined };

export async function* npy(model: Model, x: Tensor, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield npyHeader(x.dims);
  for await (const values of rowsOf(model, x, signal)) yield new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}

export async function* csv(model: Model, x: Tensor, signal: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const row = Number(x.dims[0] ?? 1);
  const utf8 = new TextEncoder();
  for await (const values of rowsOf(model, x, signal)) {
    const lines: string[] = [];
    for (let i = 0; i < values.length; i += row) lines.push(Array.from(values.subarray(i, i + row), float).join(","));
    yield utf8.encode(`${lines.join("\n")}\n`);
  }
}
