// Small readings off the document.

import type { Info, Summary, Value } from "../straw";

export function valueOf(info: Info, key: string): Value | undefined {
  return info.metadata.find((e) => e.key === key)?.value;
}

export interface Share {
  type: string;
  bytes: number;
  /** Of all bytes of tensors. */
  part: number;
}

/** Bytes by tensor type, largest first. */
export function sharesOf(summary: Summary): Share[] {
  const sized = (summary.types ?? []).map((x) => ({ type: x.type, bytes: Number(x.nbytes) })).filter((x) => x.bytes > 0);
  const all = sized.reduce((sum, x) => sum + x.bytes, 0);
  return sized.map((x) => ({ ...x, part: x.bytes / all })).sort((a, b) => b.bytes - a.bytes);
}
