// What will change, said before it does; then a copy, or the file itself.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Info, KeyDifference, PlannedFile } from "../../straw";
import { bytes, plain, whole } from "../../format";
import { t } from "../../strings";
import { KeyChange } from "../compare";
import { FailureText } from "../problem";
import { canStream, chosen, saveTarget } from "../saving";
import { openHandles, openedHandles } from "../state";
import { changed, draftOf, edits, planned } from "./edits";
import type { Edits } from "./edits";
import { typeOf } from "./keys";
import { useWork } from "./work";

export function SaveCard({ info }: { info: Info }): JSX.Element {
  const work = useWork("saved");
  const { file, failure } = planned.value;
  const merges = info.summary.n_shards > 1;
  const saveCopy = () =>
    work.run(async (o) => {
      const draft = draftOf(edits.value);
      const [first] = (await draft?.plan(o)) ?? [];
      if (!draft || !first) return undefined;
      const target = await saveTarget(changed.value ? first.name.replace(/(\.gguf)?$/, "-edited$1") : first.name, first.bytes);
      if (!target) return undefined;
      await draft.save(target.to, o);
      return t.edit.saved(target.name, bytes(first.bytes));
    });
  return (
    <section class="card" aria-labelledby="save-title">
      <h2 id="save-title">{t.edit.title} {changed.value && <span class="count number">{whole(edits.value.size)}</span>}</h2>
      {changed.value ? (
        <>
          <ul id="changes" class="differences" tabIndex={0} aria-labelledby="save-title">
            {differences(info, edits.value).map((d) => <KeyChange key={plain(d.key)} difference={d} words={t.edit} />)}
          </ul>
          {failure && <div class="problem inline" role="alert"><FailureText failure={failure} /></div>}
          {file && <Sizes info={info} file={file} />}
        </>
      ) : (
        <p class="quiet">{merges ? t.edit.mergeLead : t.edit.nothing}</p>
      )}
      <div class="actions">
        <button id="save-copy" type="button" class="button is-primary" disabled={work.busy || failure !== undefined} onClick={() => void saveCopy()}>{merges ? t.edit.merge : t.edit.copy}</button>
        {changed.value && <button id="forget-edits" type="button" class="button" disabled={work.busy} onClick={() => (edits.value = new Map())}>{t.edit.forget}</button>}
      </div>
      {!canStream() && <p class="quiet">{t.edit.asDownload}</p>}
      {changed.value && file && <InPlace file={file} busy={work.busy} run={work.run} />}
      {work.shown}
    </section>
  );
}

function Sizes({ info, file }: { info: Info; file: PlannedFile }): JSX.Element {
  const rows: [string, string, string][] = [[t.edit.fileSize, whole(info.summary.size), whole(file.bytes)]];
  if (info.summary.n_shards === 1 && info.data_offset !== null) rows.unshift([t.edit.header, whole(info.data_offset), whole(file.header)]);
  return <dl id="sizes" class="facts">{rows.map(([label, was, is]) => <div key={label}><dt>{label}</dt><dd class="number">{t.edit.fromTo(was, is)}</dd></div>)}</dl>;
}

/** The file itself, where its tensors can stay where they are. What it takes is asked for, and said, first. */
function InPlace({ file, busy, run }: { file: PlannedFile; busy: boolean; run: ReturnType<typeof useWork>["run"] }): JSX.Element | null {
  const [asking, setAsking] = useState(false);
  if (!canStream()) return null;
  if (!file.inPlace) return <p class="quiet in-place">{t.edit.noRoom}</p>;
  const save = () =>
    run(async (o) => {
      setAsking(false);
      const handles = openedHandles.value.length === 1 ? openedHandles.value : await chosen(window.showOpenFilePicker?.());
      const [handle] = handles ?? [];
      if (!handle) return undefined;
      if ((await handle.requestPermission?.({ mode: "readwrite" })) === "denied") throw new Error(t.edit.notAllowed);
      await draftOf(edits.value)?.save(handle, { ...o, inPlace: true });
      openHandles([handle]); // what was open is no longer what the file is
      return t.edit.saved(handle.name, bytes(file.bytes));
    });
  return (
    <div class="in-place">
      {!asking ? (
        <button id="in-place" type="button" class="button" disabled={busy} onClick={() => setAsking(true)}>{t.edit.inPlace}</button>
      ) : (
        <div class="warning" role="alertdialog" aria-labelledby="in-place-warning">
          <p id="in-place-warning">{t.edit.warning(bytes(file.header))}</p>
          <div class="actions">
            <button id="in-place-yes" type="button" class="button is-primary" onClick={() => void save()}>{t.edit.yes}</button>
            <button type="button" class="button" autofocus onClick={() => setAsking(false)}>{t.edit.no}</button>
          </div>
        </div>
      )}
    </div>
  );
}

/** The changes in the form of a comparison's. */
function differences(info: Info, all: Edits): KeyDifference[] {
  return [...all].map(([key, s]) => {
    const entry = info.metadata.find((e) => plain(e.key) === key);
    return {
      key,
      change: !s ? "removed" : entry ? "changed" : "added",
      ...(entry && { a: { type: typeOf(entry), value: entry.value } }),
      ...(s && { b: { type: s.type, value: s.text } }),
    };
  });
}
