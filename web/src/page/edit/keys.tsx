// The file's keys, and those that are new, each with what is to become of it.

import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import type { Entry, Info, Value } from "../../straw";
import { plain, whole } from "../../format";
import { t } from "../../strings";
import { FilterBar, having } from "../filter";
import { meaningOf } from "../keys";
import { announcement, asFailure, model } from "../state";
import type { Column } from "../table";
import { Table } from "../table";
import { Line, One } from "../text";
import type { Setting } from "./edits";
import { change, check, edits, keep } from "./edits";
import { ValueFields, ValueForm } from "./value";

interface Row {
  name: string;
  /** Undefined for a new key. */
  entry: Entry | undefined;
  /** Undefined where the key is taken away; "kept" where nothing happens to it. */
  becomes: Setting | undefined | "kept";
}

export function KeyTable({ info }: { info: Info }): JSX.Element {
  const search = useSignal("");
  const rows = useComputed(() => {
    const all = edits.value;
    const there = new Set(info.metadata.map((e) => plain(e.key)));
    const list: Row[] = info.metadata.map((entry) => {
      const name = plain(entry.key);
      return { name, entry, becomes: all.has(name) ? all.get(name) : "kept" };
    });
    for (const [name, becomes] of all) if (!there.has(name)) list.push({ name, entry: undefined, becomes });
    const has = having(search.value);
    return list.filter((r) => has(r.name));
  });
  return (
    <section class="card" aria-labelledby="edit-keys-title">
      <FilterBar id="edit-keys-title" title={t.edit.keys} count={t.metadata.shown(whole(rows.value.length), whole(rows.value.length))} searchId="edit-search" label={t.edit.search} search={search} />
      <p class="quiet lead">{t.edit.keysLead}</p>
      <Table
        id="edit-keys"
        label={t.edit.keys}
        columns={columns}
        rows={rows.value}
        rowKey={(r) => r.name}
        rowData={(r) => ({ "data-edit": r.name, "data-change": changeOf(r) })}
        detail={(r) => <Detail key={r.name} row={r} />}
        none={t.metadata.none}
      />
      <NewKey info={info} />
    </section>
  );
}

type ChangeName = keyof typeof t.edit.change;

function changeOf(r: Row): ChangeName {
  return r.becomes === "kept" ? "kept" : !r.becomes ? "removed" : r.entry ? "changed" : "added";
}

const columns: Column<Row>[] = [
  { id: "key", label: t.metadata.key, cell: (r) => <Line text={r.entry?.key ?? r.name} /> },
  { id: "type", label: t.metadata.type, cell: (r) => <span class="type">{typeof r.becomes === "object" ? r.becomes.type : r.entry && typeOf(r.entry)}</span> },
  { id: "value", label: t.metadata.value, cell: (r) => (typeof r.becomes === "object" ? <Line text={r.becomes.text} /> : r.entry && <One value={r.entry.value} />) },
  { id: "change", label: t.edit.becomes, cell: (r) => r.becomes !== "kept" && <span class={`change is-${changeOf(r)}`}>{t.edit.change[changeOf(r)]}</span> },
];

/** The type by the name that values are given with. */
export function typeOf(e: Entry): string {
  return e.type === "arr" ? `${e.elem ?? "arr"}[]` : e.type;
}

const mostElements = 10_000; // of an array that is edited as text

function Detail({ row: { name, entry, becomes } }: { row: Row }): JSX.Element {
  const meaning = meaningOf(name);
  const undo = becomes !== "kept" && <button type="button" class="button" onClick={() => keep(name)}>{entry ? t.edit.undo : t.edit.remove}</button>;
  return (
    <>
      {meaning && <p class="meaning">{meaning}</p>}
      {!becomes ? (
        <div class="actions"><span class="quiet">{t.edit.goes}</span>{undo}</div>
      ) : becomes !== "kept" ? (
        <ValueForm name={name} given={becomes}>{undo}</ValueForm>
      ) : (
        entry && <Present name={name} entry={entry} />
      )}
    </>
  );
}

/** A key as the file has it. */
function Present({ name, entry }: { name: string; entry: Entry }): JSX.Element {
  const [text, setText] = useState<string>();
  const [failed, setFailed] = useState("");
  const writable = typeof entry.key === "string" && !/\[\]\[\]$|^arr\[\]$/.test(typeOf(entry)) && !isHex(entry.value) && Number(entry.n ?? 0) <= mostElements;
  useEffect(() => {
    if (!writable) return;
    const stop = new AbortController();
    wholeValue(entry, stop.signal).then((v) => setText(typeof v === "string" ? v : JSON.stringify(v)), (e) => stop.signal.aborted || setFailed(asFailure(e).message));
    return () => stop.abort();
  }, [entry]);
  const remove = typeof entry.key === "string" && (
    <button
      type="button"
      class="button"
      onClick={() => {
        change(name, undefined);
        announcement.value = t.edit.willGo(name);
      }}
    >
      {t.edit.remove}
    </button>
  );
  if (failed) return <p class="inline-problem" role="alert">{failed}</p>;
  if (!writable) return <div class="actions"><span class="quiet">{t.edit.notText}</span>{remove}</div>;
  if (text === undefined) return <p class="quiet">{t.metadata.loading}</p>;
  return <ValueForm name={name} given={{ type: typeOf(entry), text }}>{remove}</ValueForm>;
}

const isHex = (v: Value): boolean => (Array.isArray(v) ? v.some(isHex) : typeof v === "object");

async function wholeValue(entry: Entry, signal: AbortSignal): Promise<Value> {
  if (!entry.truncated || !model.value) return entry.value;
  return model.value.value(plain(entry.key), { signal });
}

function NewKey({ info }: { info: Info }): JSX.Element {
  const [name, setName] = useState("");
  const [setting, setSetting] = useState<Setting>({ type: "str", text: "" });
  const [wrong, setWrong] = useState("");
  const id = useId();
  const submit = async (e: Event) => {
    e.preventDefault();
    const taken = edits.value.get(name) !== undefined || info.metadata.some((k) => plain(k.key) === name);
    const why = taken ? t.edit.taken : ((await check(name, setting))?.message ?? "");
    setWrong(why);
    if (why) return;
    change(name, setting);
    announcement.value = t.edit.willCome(name);
    setName("");
    setSetting({ ...setting, text: "" });
  };
  return (
    <form id="new-key" class="value-form new-key" aria-labelledby="new-key-title" onSubmit={submit}>
      <h3 id="new-key-title">{t.edit.newKey}</h3>
      <label class="field" for={`${id}-name`}>
        {t.metadata.key}
        <input id={`${id}-name`} class="mono name" type="text" autocomplete="off" spellcheck={false} required value={name} onInput={(e) => setName(e.currentTarget.value)} />
      </label>
      <ValueFields id={id} setting={setting} wrong={wrong} onChange={setSetting} />
      <div class="actions"><button type="submit" class="button">{t.edit.add}</button></div>
    </form>
  );
}
