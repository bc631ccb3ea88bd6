// Numbers as people read them.

import type { Count, Text } from "./api";

const grouped = new Intl.NumberFormat("en");

/** All digits, in groups: 1,234,567. Exact above 2^53 too. */
export function whole(n: Count): string {
  return grouped.format(typeof n === "string" ? BigInt(n) : n);
}

/** 3 significant digits and a decimal unit: 3.66 MB. */
export function bytes(n: Count): string {
  return scaled(Number(n), ["B", "KB", "MB", "GB", "TB", "PB", "EB"]);
}

/** 3 significant digits: 3.41 M, 8.03 B. */
export function short(n: Count): string {
  return scaled(Number(n), ["", "K", "M", "B", "T"]);
}

function scaled(n: number, units: readonly string[]): string {
  let u = 0;
  while (n >= 999.5 && u < units.length - 1) {
    n /= 1000;
    u++;
  }
  const digits = u === 0 ? String(Math.round(n)) : n >= 99.95 ? n.toFixed(0) : n >= 9.995 ? n.toFixed(1) : n.toFixed(2);
  return units[u] ? `${digits}\u00a0${units[u]}` : digits;
}

export function shape(dims: readonly Count[]): string {
  return dims.length ? dims.map((d) => whole(d)).join(" × ") : "scalar";
}

/** 73 %, 4.2 %, < 0.1 %. */
export function percent(part: number): string {
  if (part > 0 && part < 0.0005) return "< 0.1\u00a0%";
  return `${(100 * part).toFixed(part < 0.0995 ? 1 : 0)}\u00a0%`;
}

/** One or two significant decimals, as a speed needs. */
export function rate(perSecond: number): string {
  return perSecond >= 100 ? perSecond.toFixed(0) : perSecond.toFixed(1);
}

export function seconds(ms: number): string {
  return ms < 995 ? `${Math.round(ms)}\u00a0ms` : `${(ms / 1000).toFixed(1)}\u00a0s`;
}

/** The shortest decimal that is this float32; far from 1 with an exponent. */
export function float(v: number): string {
  if (!Number.isFinite(v) || v === 0) return Object.is(v, -0) ? "-0" : String(v);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(v.toPrecision(digits))) !== v) digits++;
  const far = Math.abs(v) < 1e-4 || Math.abs(v) >= 1e8;
  return far ? v.toExponential(digits - 1) : String(Number(v.toPrecision(digits)));
}

export function hexOffset(n: Count): string {
  return `0x${BigInt(n).toString(16)}`;
}

/** Text from the file as one plain string, for search, attributes and sorting; never for markup. */
export function plain(text: Text): string {
  return typeof text === "string" ? text : `hex:${text.hex}`;
}

// Characters that would not be seen, or that change how their neighbours are drawn: C0 and C1 controls except tab and line feed, soft
// hyphen, bidirectional marks, overrides and isolates, zero-width and line separators, tag characters, lone surrogates.
const unseen = /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Cs}/gu;

const asciiNames = "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(" ");

/** The name by which an unseen character is shown. */
export function nameOf(c: string): string {
  const code = c.codePointAt(0) ?? 0;
  const ascii = code === 0x7f ? "DEL" : asciiNames[code];
  if (ascii) return ascii;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** The text cut into runs: plain ones and unseen characters, `mark`ed. */
export function runs(text: string): { text: string; mark: boolean }[] {
  const out: { text: string; mark: boolean }[] = [];
  let from = 0;
  for (const m of text.matchAll(unseen)) {
    if (m.index > from) out.push({ text: text.slice(from, m.index), mark: false });
    out.push({ text: nameOf(m[0]), mark: true });
    from = m.index + m[0].length;
  }
  if (from < text.length) out.push({ text: text.slice(from), mark: false });
  return out;
}

/** The same as one string, for text too long to be cut into elements. */
export function visible(text: string): string {
  return text.replace(unseen, (c) => `⟦${nameOf(c)}⟧`);
}
