// The same text in the tokenizer of another file.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { visible, whole } from "../../format";
import { t } from "../../strings";
import { FailureText } from "../problem";
import { asFailure } from "../state";
import type { Failure } from "../../straw";
import { useEncoding } from "./encoding";
import type { Other } from "./state";
import { addSpecial, closeOther, openOther, others, parseSpecial, text } from "./state";
import { Pager, Strip } from "./strip";

export function Beside(): JSX.Element {
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const add = async (files: File[]) => {
    const [file] = files;
    if (!file) return;
    setFailure(undefined);
    setBusy(true);
    try {
      await openOther(files.length === 1 ? file : files, file.name);
    } catch (e) {
      setFailure(asFailure(e));
    }
    setBusy(false);
  };
  return (
    <section class="card" aria-labelledby="beside-title">
      <div class="bar">
        <h2 id="beside-title">{t.tokens.beside}</h2>
        <input id="beside" type="file" multiple class="sr" disabled={busy} onChange={(e) => { const files = [...(e.currentTarget.files ?? [])]; e.currentTarget.value = ""; void add(files); }} />
        <label for="beside" class="button is-small">{t.tokens.choose}</label>
      </div>
      <p class="quiet">{t.tokens.besideLead}</p>
      {failure && <div class="problem inline" role="alert"><FailureText failure={failure} /></div>}
      {others.value.map((o) => <One key={o.model} other={o} />)}
    </section>
  );
}

function One({ other }: { other: Other }): JSX.Element {
  const [start, setStart] = useState(0);
  const [at, setAt] = useState(0);
  const e = useEncoding(other.model, text.value, { addSpecial: addSpecial.value, parseSpecial: parseSpecial.value }, start);
  const name = visible(other.model.info.summary.name ?? other.name);
  return (
    <div class="other" data-state={e.failure ? "failed" : e.fresh ? "done" : "reading"}>
      <div class="bar">
        <h3><bdi>{name}</bdi></h3>
        <span class="count number">{e.tokens && t.tokens.count(whole(e.tokens.total ?? 0))}</span>
        <button type="button" class="button is-small" aria-label={t.tokens.closeOf(name)} onClick={() => closeOther(other)}>{t.intro.close}</button>
      </div>
      {e.failure && <p class="inline-problem" role="alert">{e.failure.message}</p>}
      {e.tokens && <Strip tokens={e.tokens} start={e.start} at={at} choose={setAt} label={t.tokens.stripOf(name)} />}
      {e.tokens && <Pager total={e.tokens.total ?? 0} start={start} turn={setStart} />}
    </div>
  );
}
