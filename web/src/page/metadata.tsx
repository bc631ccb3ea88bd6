// Every key and value of the file, searchable, each value in full when it is opened.

import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Entry, Value } from "../straw";
import { plain, whole } from "../format";
import { t } from "../strings";
import { ArrayView } from "./array";
import { CopyButton } from "./copy";
import { info, model } from "./state";
import type { Column } from "./table";
import { Table } from "./table";
import { Block, Line } from "./text";

interface Row {
  index: number;
  entry: Entry;
  haystack: string; // what a search looks through
}

export function Metadata({ entries }: { entries: readonly Entry[] }): JSX.Element {
  const search = useSignal("");
  const all = useSignal<Row[]>([]);
  const given = useSignal<readonly Entry[] | undefined>(undefined);
  if (given.value !== entries) {
    given.value = entries;
    all.value = entries.map((entry, index) => ({ index, entry, haystack: haystackOf(entry) }));
  }
  const rows = useComputed(() => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return words.length ? all.value.filter((r) => words.every((w) => r.haystack.includes(w))) : all.value;
  });
  return (
    <section class="card" aria-labelledby="metadata-title">
      <div class="bar">
        <h2 id="metadata-title">{t.metadata.title}</h2>
        <span class="count number" role="status">{t.metadata.shown(whole(rows.value.length), whole(entries.length))}</span>
        <input
          id="metadata-search"
          type="search"
          aria-label={t.metadata.search}
          placeholder={t.metadata.search}
          value={search}
          onInput={(e) => (search.value = e.currentTarget.value)}
        />
      </div>
      <Table
        id="metadata"
        label={t.metadata.title}
        columns={columns}
        rows={rows.value}
        rowKey={(r) => r.index}
        rowData={(r) => ({ "data-key": plain(r.entry.key) })}
        detail={(r) => <Detail entry={r.entry} />}
        none={entries.length ? t.metadata.none : model.value ? t.metadata.empty : t.metadata.unread}
      />
    </section>
  );
}

const columns: Column<Row>[] = [
  { id: "key", label: t.metadata.key, cell: (r) => <Line text={r.entry.key} /> },
  { id: "type", label: t.metadata.type, cell: (r) => <span class="type">{typeOf(r.entry)}</span> },
  { id: "value", label: t.metadata.value, cell: (r) => <Preview entry={r.entry} /> },
  { id: "copy", label: t.metadata.copy, unlabelled: true, cell: (r) => <CopyButton label={t.metadata.copyOf(plain(r.entry.key))} text={() => textOf(r.entry)} /> },
];

function typeOf(e: Entry): string {
  return e.type === "arr" ? `${e.elem ?? "arr"}[${whole(e.n ?? 0)}]` : e.type;
}

const previewed = 12; // elements of an array in its row

function Preview({ entry }: { entry: Entry }): JSX.Element {
  const v = entry.value;
  if (!Array.isArray(v)) {
    const name = entry.key === "general.file_type" && !info.value?.summary.file_type_guessed ? info.value?.summary.file_type : undefined;
    return <><One value={v} />{name !== undefined && name !== v && <span class="quiet"> = <Line text={name} /></span>}</>;
  }
  return (
    <span class="preview">
      {v.slice(0, previewed).map((e, i) => <span key={i} class="element"><One value={e} /></span>)}
      {Number(entry.n ?? v.length) > previewed && "…"}
    </span>
  );
}

/** One value on one line. */
export function One({ value }: { value: Value }): JSX.Element {
  if (Array.isArray(value)) return <span class="element">[{value.slice(0, previewed).map((v, i) => <>{i > 0 && ", "}<One value={v} /></>)}{value.length > previewed && "…"}]</span>;
  if (typeof value === "string" || typeof value === "object") return <Line text={value} />;
  return <span class="number">{String(value)}</span>;
}

function Detail({ entry }: { entry: Entry }): JSX.Element {
  if (entry.type === "arr") return <ArrayView entry={entry} />;
  const v = entry.value;
  return <Block text={typeof v === "string" || (typeof v === "object" && !Array.isArray(v)) ? v : String(v)} />;
}

/** What Copy puts on the clipboard: text as it is, everything else as JSON; arrays whole, fetched in pieces. */
async function textOf(e: Entry): Promise<string> {
  if (e.type !== "arr") return typeof e.value === "string" ? e.value : JSON.stringify(e.value);
  const m = model.value;
  if (!e.truncated || !m) return JSON.stringify(e.value);
  const n = Number(e.n);
  const pieces: string[] = [];
  for (let start = 0; start < n; start += 10_000) {
    const slice = await m.value(plain(e.key), { start, count: 10_000 });
    pieces.push(JSON.stringify(slice).slice(1, -1));
  }
  return `[${pieces.join(",")}]`;
}

const searched = 2000; // characters of a value that a search looks through

function haystackOf(e: Entry): string {
  const v = typeof e.value === "string" ? e.value.slice(0, searched) : JSON.stringify(e.value).slice(0, searched);
  return `${plain(e.key)} ${v}`.toLowerCase();
}
