// Every key and value of the file, searchable, each value in full when it is opened.

import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Entry, Text } from "../straw";
import { plain, visible, whole } from "../format";
import { t } from "../strings";
import { ArrayView } from "./array";
import { CopyButton } from "./copy";
import type { Format } from "./formats";
import { formats, metadataAs } from "./formats";
import { meaningOf, nameOfValue, prefixOf } from "./keys";
import { download } from "./downloads";
import { FilterBar, having } from "./filter";
import { announcement, info, model } from "./state";
import type { Column } from "./table";
import { Table } from "./table";
import { Block, Line, One, previewed } from "./text";

interface Row {
  index: number;
  entry: Entry;
  group: string;
  haystack: string; // what a search looks through
}

const mostGroups = 100; // in the list of groups

export function Metadata({ entries }: { entries: readonly Entry[] }): JSX.Element {
  const search = useSignal("");
  const group = useSignal("");
  const all = useSignal<Row[]>([]);
  const given = useSignal<readonly Entry[] | undefined>(undefined);
  if (given.value !== entries) {
    given.value = entries;
    group.value = "";
    all.value = entries.map((entry, index) => ({ index, entry, group: prefixOf(plain(entry.key)), haystack: haystackOf(entry) }));
  }
  const sections = useComputed(() => {
    const n = new Map<string, number>();
    for (const r of all.value) n.set(r.group, (n.get(r.group) ?? 0) + 1);
    return [...n].slice(0, mostGroups);
  });
  const rows = useComputed(() => {
    const has = having(search.value);
    const of = group.value;
    return all.value.filter((r) => (!of || r.group === of) && has(r.haystack));
  });
  return (
    <section class="card" aria-labelledby="metadata-title">
      <FilterBar id="metadata-title" title={t.metadata.title} count={t.metadata.shown(whole(rows.value.length), whole(entries.length))} searchId="metadata-search" label={t.metadata.search} search={search}>
        <select id="metadata-group" aria-label={t.metadata.group} value={group} onChange={(e) => (group.value = e.currentTarget.value)}>
          <option value="">{t.metadata.allGroups}</option>
          {sections.value.map(([name, n]) => <option key={name} value={name}>{`${visible(name)} (${whole(n)})`}</option>)}
        </select>
      </FilterBar>
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
      {entries.length > 0 && <Take entries={rows.value.map((r) => r.entry)} />}
    </section>
  );
}

/** Takes the shown keys along, as text of one's choice. */
function Take({ entries }: { entries: readonly Entry[] }): JSX.Element {
  const [format, setFormat] = useState<Format>("json");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(metadataAs(format, entries));
      announcement.value = t.metadata.copied;
    } catch {
      announcement.value = t.metadata.copyFailed;
    }
  };
  return (
    <div class="actions take">
      <span class="quiet">{t.metadata.take}</span>
      <select id="metadata-format" aria-label={t.metadata.format} value={format} onChange={(e) => setFormat(e.currentTarget.value as Format)}>
        {formats.map((f) => <option key={f} value={f}>{t.metadata.formats[f]}</option>)}
      </select>
      <button id="metadata-copy" type="button" class="button" onClick={() => void copy()}>{t.metadata.copy}</button>
      <button id="metadata-save" type="button" class="button" onClick={() => download(`metadata.${format}`, new Blob([metadataAs(format, entries)]))}>{t.metadata.save}</button>
    </div>
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

function Preview({ entry }: { entry: Entry }): JSX.Element {
  const v = entry.value;
  if (!Array.isArray(v)) {
    const name = entry.key === "general.file_type" && !info.value?.summary.file_type_guessed ? info.value?.summary.file_type : undefined;
    const named = name ?? nameOfValue(plain(entry.key), v);
    return (
      <>
        <One value={v} />
        {named !== undefined && named !== v && <span class="quiet"> = <Line text={named} /></span>}
        {isTokenId(entry) && <TokenText id={Number(v)} />}
      </>
    );
  }
  return (
    <span class="preview">
      {v.slice(0, previewed).map((e, i) => <span key={i} class="element"><One value={e} /></span>)}
      {Number(entry.n ?? v.length) > previewed && "…"}
    </span>
  );
}

function isTokenId(e: Entry): boolean {
  return typeof e.key === "string" && e.key.endsWith("_token_id") && typeof e.value === "number";
}

/** The text of a token, read from the vocabulary. */
function TokenText({ id }: { id: number }): JSX.Element | null {
  const [token, setToken] = useState<Text>();
  useEffect(() => {
    const stop = new AbortController();
    // A file may name a token without having a vocabulary: then there is nothing to show.
    model.value?.value("tokenizer.ggml.tokens", { start: id, count: 1, signal: stop.signal }).then((v) => setToken((v as Text[])[0]), () => {});
    return () => stop.abort();
  }, [id, model.value]);
  return token === undefined ? null : <span class="token-text"><Line text={token} /></span>;
}

function Detail({ entry }: { entry: Entry }): JSX.Element {
  const meaning = meaningOf(plain(entry.key));
  return (
    <>
      {meaning && <p class="meaning">{meaning}</p>}
      <Whole entry={entry} />
    </>
  );
}

function Whole({ entry }: { entry: Entry }): JSX.Element {
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
  return `${plain(e.key)} ${v}`;
}
