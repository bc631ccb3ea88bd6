// What a tensor would lose as another type, and how far that of another file is from it. A sample is read, and said.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Failure, Measured, Progress, Source, Tensor } from "../straw";
import { bytes, plain, whole } from "../format";
import { t } from "../strings";
import { FailureText, ProgressBar } from "./problem";
import { announcement, asFailure, model } from "./state";
import { Line } from "./text";

/** What can be written without an importance matrix; the worker refuses others by name. */
const types = [
  "Q4_K", "Q5_K", "Q6_K", "Q8_0", "Q2_K", "Q3_K", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "IQ4_NL", "IQ4_XS", "MXFP4", "TQ1_0", "TQ2_0", "BF16", "F16", "F32",
];

const sample = 1 << 18; // values

interface Result {
  what: string;
  measured: Measured;
}

export function Measure({ tensor: x }: { tensor: Tensor }): JSX.Element {
  const [type, setType] = useState(types[0] as string);
  const [results, setResults] = useState<Result[]>([]);
  const [stop, setStop] = useState<AbortController>();
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<Failure>();
  useEffect(() => () => stop?.abort(), [stop]);

  const run = async (what: string, against: { type: string } | { model: Source }) => {
    const m = model.value;
    if (!m || stop) return;
    const mine = new AbortController();
    setStop(mine);
    setFailure(undefined);
    setProgress(undefined);
    try {
      const measured = await m.measure(plain(x.name), against, { sample, signal: mine.signal, onProgress: setProgress });
      setResults((all) => [...all.filter((r) => r.what !== what), { what, measured }].sort((a, b) => a.measured.error.relative - b.measured.error.relative));
      announcement.value = t.measure.said(what, scientific(measured.error.relative));
    } catch (e) {
      if (!mine.signal.aborted) setFailure(asFailure(e));
    }
    setStop(undefined);
  };

  const read = results[0]?.measured;
  return (
    <section class="card" id="measure" data-state={stop ? "reading" : failure ? "failed" : results.length > 0 ? "done" : "idle"} aria-labelledby="measure-title">
      <h2 id="measure-title">{t.measure.title}</h2>
      <p class="quiet">{t.measure.lead(x.type)}</p>
      <form
        class="actions"
        onSubmit={(e) => {
          e.preventDefault();
          void run(type, { type });
        }}
      >
        <select id="measure-type" aria-label={t.measure.type} value={type} onChange={(e) => setType(e.currentTarget.value)}>
          {types.map((name) => <option key={name} value={name}>{name}</option>)}
        </select>
        <button id="measure-go" type="submit" class="button" disabled={stop !== undefined}>{t.measure.go}</button>
        <input
          id="measure-other"
          type="file"
          multiple
          class="sr"
          disabled={stop !== undefined}
          onChange={(e) => {
            const files = [...(e.currentTarget.files ?? [])];
            e.currentTarget.value = "";
            if (files[0]) void run(files[0].name, { model: files.length === 1 ? files[0] : files });
          }}
        />
        <label for="measure-other" class="button">{t.measure.other}</label>
      </form>
      {stop && (
        <div class="reading">
          <p class="quiet">{t.tensor.reading}</p>
          <ProgressBar progress={progress} label={t.tensor.reading} />
          <button type="button" class="button" onClick={() => stop.abort()}>{t.tensor.stop}</button>
        </div>
      )}
      {failure && <div class="problem inline" role="alert"><FailureText failure={failure} /></div>}
      {read && (
        <>
          <p class="quiet number">{t.tensor.sampled(whole(read.sampled), whole(read.elements))}</p>
          <div class="scroll" tabIndex={0} role="group" aria-labelledby="measure-title">
            <table class="measured">
              <thead>
                <tr>{[t.measure.against, t.measure.size, t.measure.relative, t.measure.rms, t.measure.max].map((label) => <th key={label} scope="col">{label}</th>)}</tr>
              </thead>
              <tbody>
                {results.map(({ what, measured: { bytes: n, error: e } }) => (
                  <tr key={what} data-against={what}>
                    <th scope="row"><Line text={what} /></th>
                    <td class="number">{bytes(n)}</td>
                    <td class="number" data-error="relative">{scientific(e.relative)}</td>
                    <td class="number">{scientific(e.rms)}</td>
                    <td class="number">{scientific(e.max)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </section>
  );
}

/** An error as people compare them: 1.23e-3, 0, ∞. */
export const scientific = (v: number): string => (v === 0 ? "0" : Number.isFinite(v) ? v.toExponential(2) : "∞");
