// The metadata as text of other kinds. Arrays are as the document has them, cut, and say so.

import type { Entry, Value } from "../straw";
import { plain } from "../format";

export const formats = ["json", "yaml", "md", "csv"] as const;
export type Format = (typeof formats)[number];

export function metadataAs(format: Format, entries: readonly Entry[]): string {
  switch (format) {
    case "json":
      return `${JSON.stringify(entries, undefined, 2)}\n`;
    case "yaml": // JSON's strings, numbers and lists are YAML's too
      return entries.map((e) => `${JSON.stringify(plain(e.key))}: ${flow(e)}\n`).join("");
    case "md":
      return `| key | type | value |\n|---|---|---|\n${entries.map((e) => `| ${[plain(e.key), typeName(e), oneLine(e)].map(cell).join(" | ")} |\n`).join("")}`;
    case "csv":
      return `key,type,value\n${entries.map((e) => `${[plain(e.key), typeName(e), oneLine(e)].map(field).join(",")}\n`).join("")}`;
  }
}

export function typeName(e: Entry): string {
  return e.type === "arr" ? `${e.elem ?? "arr"}[${e.n ?? 0}]` : e.type;
}

function flow(e: Entry): string {
  return `${JSON.stringify(e.value)}${e.truncated ? ` # the first of ${e.n}` : ""}`;
}

function oneLine(e: Entry): string {
  const v: Value = e.value;
  return typeof v === "string" ? v : JSON.stringify(v) + (e.truncated ? ` (the first of ${e.n})` : "");
}

function cell(text: string): string {
  return text.replace(/[\\|`*_<>[\]]/g, "\\$&").replace(/\r?\n/g, " ");
}

function field(text: string): string {
  // A leading sign or @ would be a formula to a spreadsheet.
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
