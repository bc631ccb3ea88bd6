// The numbers of a tensor, a row at a time.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Tensor } from "../straw";
import { float, plain, whole } from "../format";
import { t } from "../strings";
import { asFailure, model } from "./state";

const shown = 512; // values of a row put into the document

export function Values({ tensor: x }: { tensor: Tensor }): JSX.Element {
  const width = Number(x.dims[0] ?? 1);
  const n = Math.round(Number(x.n_elements) / width);
  const [row, setRow] = useState(0);
  const [values, setValues] = useState<Float32Array>();
  const [failed, setFailed] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    setFailed("");
    model.value
      ?.tensor(plain(x.name), { row, count: Math.min(width, shown), signal: stop.signal })
      .then(setValues, (e) => stop.signal.aborted || setFailed(asFailure(e).message));
    return () => stop.abort();
  }, [x, row]);
  return (
    <section class="card" aria-labelledby="values-title">
      <div class="bar">
        <h2 id="values-title">{t.tensor.values}</h2>
        {width > shown && <span class="count number">{t.tensor.cut(whole(shown), whole(width))}</span>}
        <label class="jump">
          {t.tensor.row}
          <input id="row" type="number" min={0} max={n - 1} value={row} onInput={(e) => setRow(Math.max(0, Math.min(n - 1, Math.floor(Number(e.currentTarget.value)) || 0)))} />
          {t.tensor.rowOf(whole(n))}
        </label>
      </div>
      {failed ? (
        <p class="inline-problem" role="alert">{failed}</p>
      ) : values ? (
        <div id="values" class="values number is-tall" tabIndex={0} role="group" aria-labelledby="values-title" data-row={row}>{Array.from(values, (v, i) => <span key={i}>{float(v)}</span>)}</div>
      ) : (
        <p class="quiet">{t.tensors.reading}</p>
      )}
    </section>
  );
}
