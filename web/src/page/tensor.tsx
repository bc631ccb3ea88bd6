// One tensor: what it is for, what its numbers are like, how they lie, the numbers themselves. What is read of it is bounded, and said.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Failure, Info, Progress, Stats, Tensor } from "../straw";
import { bytes, float, plain, short, whole } from "../format";
import { t } from "../strings";
import { Heat } from "./heat";
import { Measure } from "./measure";
import { csv, npy, sizes } from "./npy";
import { FailureText, ProgressBar } from "./problem";
import { roleOf } from "./roles";
import { savePieces } from "./saving";
import { announcement, asFailure, model } from "./state";
import { Facts, factsOf } from "./tensorfacts";
import { Line } from "./text";
import { Values } from "./values";
import { hrefOf } from "./views";

export function TensorView({ info, of }: { info: Info; of: string }): JSX.Element {
  const index = info.tensors.findIndex((x) => plain(x.name) === of);
  const x = info.tensors[index];
  if (!x) return <p class="none"><bdi>{t.tensor.missing(of)}</bdi></p>;
  const near = (step: number, label: string) => {
    const other = info.tensors[index + step];
    return other && <a class="button" href={hrefOf("tensor", plain(other.name))}>{label}</a>;
  };
  const role = roleOf(of);
  const facts = factsOf(x);
  if (role.layer !== undefined) facts.push([t.tensor.layer, String(role.layer)]);
  const readable = model.value && Number(x.n_elements) > 0 && x.nbytes !== null;
  return (
    <div class="tensor-view">
      <section class="card" aria-labelledby="tensor-title">
        <nav class="actions"><a class="button" href={hrefOf("file")}>{t.tensor.back}</a><span class="spacer" />{near(-1, t.tensor.previous)}{near(1, t.tensor.next)}</nav>
        <h2 id="tensor-title" class="tensor-title"><Line text={x.name} /></h2>
        <p>{role.words ?? <span class="quiet">{t.tensor.unknownRole}</span>}</p>
        <Facts of={facts} />
        {readable && <Export tensor={x} />}
      </section>
      {readable && <Statistics tensor={x} />}
      {readable && <Measure tensor={x} />}
      {readable && <Heat tensor={x} />}
      {readable && <Values tensor={x} />}
    </div>
  );
}

const sample = 1 << 18; // values read before anyone asks for all

function Statistics({ tensor: x }: { tensor: Tensor }): JSX.Element {
  const [stats, setStats] = useState<Stats>();
  const [all, setAll] = useState(false);
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<Failure>();
  const [stop, setStop] = useState<AbortController>();
  useEffect(() => {
    const m = model.value;
    if (!m) return;
    const mine = new AbortController();
    setStop(mine);
    setFailure(undefined);
    m.stats(plain(x.name), { ...(all ? {} : { sample }), bins: 64, signal: mine.signal, onProgress: setProgress }).then(
      (s) => {
        setStats(s);
        setStop(undefined);
      },
      (e) => {
        if (mine.signal.aborted) return;
        setFailure(asFailure(e));
        setStop(undefined);
      },
    );
    return () => mine.abort();
  }, [x, all]);
  const cancel = () => {
    stop?.abort();
    setStop(undefined);
    setAll(false);
  };
  const s = stats;
  return (
    <section class="card" id="stats" data-state={stop ? "reading" : failure ? "failed" : "done"} aria-labelledby="stats-title">
      <h2 id="stats-title">{t.tensor.statistics}</h2>
      {failure && <div class="problem inline" role="alert"><FailureText failure={failure} /></div>}
      {stop && (
        <div class="reading">
          <p class="quiet">{s ? t.tensor.reading : t.tensor.starting}</p>
          <ProgressBar progress={progress} label={t.tensor.reading} />
          <button type="button" class="button" onClick={cancel}>{t.tensor.stop}</button>
        </div>
      )}
      {s && (
        <>
          <p class="quiet number">
            {t.tensor.sampled(whole(s.sampled), whole(s.elements))}{" "}
            {s.sampled < s.elements && !stop && <button id="read-all" type="button" class="button is-small" onClick={() => setAll(true)}>{t.tensor.readAll}</button>}
          </p>
          <dl class="facts wide">
            {([["min", s.min], ["max", s.max], ["mean", s.mean], ["std", s.std]] as const).map(([k, v]) => (
              <div key={k}><dt>{t.tensor[k]}</dt><dd class="number" data-stat={k}>{float(Math.fround(v))}</dd></div>
            ))}
            {([["zeros", s.zeros], ["nan", s.nan], ["inf", s.inf]] as const).map(([k, v]) => (
              <div key={k}><dt>{t.tensor[k]}</dt><dd class={`number${k !== "zeros" && v > 0 ? " is-bad" : ""}`} data-stat={k}>{whole(v)}</dd></div>
            ))}
          </dl>
          <Histogram stats={s} />
        </>
      )}
    </section>
  );
}

function Histogram({ stats: { histogram: h } }: { stats: Stats }): JSX.Element | null {
  if (h.counts.length === 0) return null;
  const most = Math.max(...h.counts);
  const edge = (i: number) => String(Number((h.low + i * h.width).toPrecision(4)));
  return (
    <figure class="histogram">
      <figcaption class="sr">{t.tensor.histogram}</figcaption>
      <ul class="bins" tabIndex={0} aria-label={t.tensor.histogram}>
        {h.counts.map((n, i) => {
          const said = t.tensor.bin(edge(i), edge(i + 1), whole(n));
          return <li key={i} title={said}><span class="sr">{said}</span><span class="bin" aria-hidden="true" style={{ height: `${n ? Math.max(1.5, (100 * n) / most) : 0}%` }} /></li>;
        })}
      </ul>
      <div class="edges number" aria-hidden="true"><span>{edge(0)}</span><span>{short(most)}</span><span>{edge(h.counts.length)}</span></div>
    </figure>
  );
}

function Export({ tensor: x }: { tensor: Tensor }): JSX.Element {
  const [stop, setStop] = useState<AbortController>();
  const [failure, setFailure] = useState<Failure>();
  const run = async (ending: "npy" | "csv") => {
    const m = model.value;
    if (!m || stop) return;
    const mine = new AbortController();
    setStop(mine);
    setFailure(undefined);
    const name = `${plain(x.name).replace(/[^\w.-]/g, "_").slice(0, 100)}.${ending}`;
    try {
      if (await savePieces(name, sizes[ending](x), (ending === "npy" ? npy : csv)(m, x, mine.signal))) announcement.value = t.tensor.exported(name);
    } catch (e) {
      if (!mine.signal.aborted) setFailure(asFailure(e));
    }
    setStop(undefined);
  };
  return (
    <>
      <div class="actions export">
        <span class="quiet">{stop ? t.tensor.exporting : `${t.tensor.export} (${bytes(4 * Number(x.n_elements))})`}</span>
        {stop ? (
          <button type="button" class="button" onClick={() => stop.abort()}>{t.tensor.stop}</button>
        ) : (
          (["npy", "csv"] as const).map((k) => <button key={k} id={`export-${k}`} type="button" class="button" onClick={() => void run(k)}>.{k}</button>)
        )}
      </div>
      {failure && <div class="problem inline" role="alert"><FailureText failure={failure} /></div>}
    </>
  );
}
