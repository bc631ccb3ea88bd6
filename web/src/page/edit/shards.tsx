// The model as several files: how many, shown first, then written into a folder, or one after another.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Failure, PlannedFile } from "../../straw";
import { bytes, visible, whole } from "../../format";
import { t } from "../../strings";
import { FailureText } from "../problem";
import { downloadStream } from "../downloads";
import { chosen } from "../saving";
import { asFailure, model } from "../state";
import { useWork } from "./work";

const kinds = ["size", "tensors"] as const;
type Kind = (typeof kinds)[number];

export function Shards(): JSX.Element {
  const work = useWork("split-saved");
  const [kind, setKind] = useState<Kind>("size");
  const [most, setMost] = useState<Record<Kind, string>>({ size: "2000", tensors: "128" });
  const [files, setFiles] = useState<PlannedFile[]>();
  const [failure, setFailure] = useState<Failure>();
  const n = Number(most[kind]);
  const draft = () => model.value?.split(kind === "size" ? { maxSize: Math.round(n * 1e6) } : { maxTensors: Math.round(n) });
  const plan = async () => {
    setFiles(undefined);
    setFailure(undefined);
    try {
      setFiles(await draft()?.plan());
    } catch (e) {
      setFailure(asFailure(e));
    }
  };
  const save = () =>
    work.run(async (o) => {
      const folder = await chosen(window.showDirectoryPicker?.({ mode: "readwrite" }));
      if (!folder && window.showDirectoryPicker) return undefined;
      const written = await draft()?.save(folder ?? ((f) => downloadStream(f.name, f.bytes)), o);
      return written && t.edit.shardsSaved(written.length);
    });
  return (
    <section class="card" aria-labelledby="split-title">
      <h2 id="split-title">{t.edit.split}</h2>
      <form
        id="split"
        class="split"
        onSubmit={(e) => {
          e.preventDefault();
          void plan();
        }}
      >
        <label class="field">
          {t.edit.by}
          <select
            id="split-kind"
            value={kind}
            onChange={(e) => {
              setKind(e.currentTarget.value as Kind);
              setFiles(undefined);
            }}
          >
            {kinds.map((k) => <option key={k} value={k}>{t.edit.kinds[k]}</option>)}
          </select>
        </label>
        <label class="field">
          {t.edit.most[kind]}
          <input
            id="split-most"
            type="number"
            required
            min={kind === "size" ? 0.001 : 1}
            step={kind === "size" ? "any" : 1}
            value={most[kind]}
            onInput={(e) => {
              setMost({ ...most, [kind]: e.currentTarget.value });
              setFiles(undefined);
            }}
          />
        </label>
        <button id="split-plan" type="submit" class="button" disabled={work.busy}>{t.edit.plan}</button>
      </form>
      {failure && <div class="problem inline" role="alert"><FailureText failure={failure} /></div>}
      {files && (
        <>
          <ul id="shards" class="shards" tabIndex={0} aria-label={t.edit.planned(files.length)}>
            {files.map((f) => <li key={f.name}><bdi>{visible(f.name)}</bdi> <span class="quiet number">{t.edit.shard(bytes(f.bytes), whole(f.tensors))}</span></li>)}
          </ul>
          <div class="actions"><button id="split-save" type="button" class="button is-primary" disabled={work.busy} onClick={() => void save()}>{t.edit.saveShards(files.length)}</button></div>
        </>
      )}
      {work.shown}
    </section>
  );
}
