// The open file beside another one.

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Differences, Failure, Info, KeyDifference, Progress, Source, TensorDifference, Token } from "../straw";
import { plain, shape, whole } from "../format";
import { t } from "../strings";
import { scientific } from "./measure";
import { FailureText, ProgressBar } from "./problem";
import { announcement, asFailure, model } from "./state";
import type { Column } from "./table";
import { Table } from "./table";
import { Facts } from "./tensorfacts";
import { Block, Line, One } from "./text";
import { hrefOf } from "./views";
import { useWindow } from "./window";

/** What was found, kept while other views are looked at. */
const found = signal<{ of: Info; with: string; what: Differences } | undefined>(undefined);

export function CompareView({ info }: { info: Info }): JSX.Element {
  const [stop, setStop] = useState<AbortController>();
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<Failure>();
  const [measured, setMeasured] = useState(true);

  const run = async (other: Source, name: string) => {
    const m = model.value;
    if (!m) return;
    stop?.abort();
    const mine = new AbortController();
    setStop(mine);
    setFailure(undefined);
    setProgress(undefined);
    found.value = undefined;
    try {
      const what = await m.compare(other, { values: measured, signal: mine.signal, onProgress: setProgress });
      found.value = { of: info, with: name, what };
      announcement.value = t.compare.done;
    } catch (e) {
      const f = asFailure(e);
      if (f.kind !== "aborted") setFailure(f);
    }
    setStop((now) => (now === mine ? undefined : now));
  };

  const shown = found.value?.of === info ? found.value : undefined;
  const name = info.summary.name ?? t.summary.unnamed;
  return (
    <div class="compare-view" id="compare" data-state={stop ? "running" : failure ? "failed" : shown ? "done" : "idle"}>
      <section class="card" aria-labelledby="compare-title">
        <h2 id="compare-title">{t.compare.title}</h2>
        <p class="quiet"><bdi>{t.compare.lead(name)}</bdi></p>
        <div class="actions">
          <input
            id="other"
            type="file"
            multiple
            class="sr"
            onChange={(e) => {
              const files = [...(e.currentTarget.files ?? [])];
              e.currentTarget.value = "";
              if (files[0]) void run(files.length === 1 ? files[0] : files, files[0].name);
            }}
          />
          <label for="other" class="button is-primary">{t.compare.choose}</label>
          <form
            class="joined"
            onSubmit={(e) => {
              e.preventDefault();
              const url = (new FormData(e.currentTarget).get("other-url") as string).trim();
              if (url) void run(url, url);
            }}
          >
            <input name="other-url" type="text" inputMode="url" autocomplete="off" spellcheck={false} aria-label={t.compare.address} placeholder={t.compare.address} />
            <button type="submit" class="button">{t.compare.go}</button>
          </form>
          <label class="check"><input type="checkbox" checked={measured} onChange={(e) => setMeasured(e.currentTarget.checked)} />{t.compare.values}</label>
        </div>
        {stop && (
          <div class="reading">
            <p class="quiet">{t.compare.running}</p>
            <ProgressBar progress={progress} label={t.compare.running} />
            <button type="button" class="button" onClick={() => stop.abort()}>{t.compare.stop}</button>
          </div>
        )}
        {failure && <div class="problem inline" role="alert"><FailureText failure={failure} /></div>}
        {shown && (
          <p class="verdict">
            <Line text={shown.with} />: {shown.what.equal ? t.compare.equal : t.compare.verdict(t.metadata.shown(whole(shown.what.keys.length), whole(shown.what.keys.length)), t.tensors.shown(whole(shown.what.tensors.length), whole(shown.what.tensors.length)), whole(shown.what.same))}
          </p>
        )}
      </section>
      {shown && shown.what.keys.length > 0 && (
        <section class="card" aria-labelledby="differing-keys">
          <h2 id="differing-keys">{t.compare.keys} <span class="count number">{whole(shown.what.keys.length)}</span></h2>
          <ul class="differences">{shown.what.keys.map((k) => <KeyChange key={plain(k.key)} difference={k} />)}</ul>
        </section>
      )}
      {shown?.what.vocabulary && <Vocabulary of={shown.what.vocabulary} />}
      {shown && shown.what.tensors.length > 0 && (
        <section class="card" aria-labelledby="differing-tensors">
          <h2 id="differing-tensors">{t.compare.tensors} <span class="count number">{whole(shown.what.tensors.length)}</span></h2>
          <Table
            id="differing"
            label={t.compare.tensors}
            columns={columns}
            rows={shown.what.tensors}
            rowKey={(x) => shown.what.tensors.indexOf(x)}
            rowData={(x) => ({ "data-tensor": plain(x.name), "data-change": x.change })}
            detail={(x) => <Detail of={x} />}
            none=""
          />
        </section>
      )}
    </div>
  );
}

const columns: Column<TensorDifference>[] = [
  { id: "name", label: t.compare.name, cell: (x) => <Line text={x.name} /> },
  { id: "change", label: t.compare.what, cell: (x) => <span class="type">{t.compare.change[x.change]}</span> },
  { id: "types", label: t.compare.types, cell: (x) => <span class="type">{x.a && x.b && x.a.type !== x.b.type ? `${x.a.type} → ${x.b.type}` : (x.a ?? x.b)?.type}</span> },
  { id: "relative", label: t.compare.relative, cell: (x) => <span class="number">{x.error ? scientific(x.error.relative) : t.compare.none}</span> },
];

function Detail({ of: x }: { of: TensorDifference }): JSX.Element {
  const facts: [string, string][] = [];
  if (x.a) facts.push([t.compare.here, `${x.a.type}, ${shape(x.a.dims)}`]);
  if (x.b) facts.push([t.compare.there, `${x.b.type}, ${shape(x.b.dims)}`]);
  if (x.error) facts.push([t.compare.relative, scientific(x.error.relative)], [t.compare.rms, scientific(x.error.rms)], [t.compare.max, scientific(x.error.max)]);
  return (
    <>
      <p class="full-name"><code><Line text={x.name} /></code></p>
      <Facts of={facts} />
      {x.a && <p><a href={hrefOf("tensor", plain(x.name))}>{t.tensor.open}</a></p>}
    </>
  );
}

/** `words` say what the two values and the changes are called. */
export function KeyChange({ difference: d, words = t.compare }: { difference: KeyDifference; words?: Pick<typeof t.compare, "here" | "there" | "change"> }): JSX.Element {
  return (
    <li data-key={plain(d.key)} data-change={d.change}>
      <p><code><Line text={d.key} /></code> <span class={`change is-${d.change}`}>{words.change[d.change]}</span></p>
      {d.diff ? (
        <Block text={d.diff} />
      ) : (
        <div class="sides">
          {d.a && <p class="side"><span class="quiet">{words.here}</span> <One value={d.a.value} /></p>}
          {d.b && <p class="side"><span class="quiet">{words.there}</span> <One value={d.b.value} /></p>}
        </div>
      )}
      {d.elements !== undefined && <p class="quiet number">{t.compare.differ(whole(d.elements), whole(d.first ?? 0))}</p>}
    </li>
  );
}

function Vocabulary({ of: v }: { of: NonNullable<Differences["vocabulary"]> }): JSX.Element {
  const lists = [
    [t.compare.added(whole(v.nAdded)), v.added, v.nAdded], [t.compare.removed(whole(v.nRemoved)), v.removed, v.nRemoved], [t.compare.moved(whole(v.nMoved)), v.moved, v.nMoved],
  ] as const;
  return (
    <section class="card" aria-labelledby="differing-vocabulary">
      <h2 id="differing-vocabulary">{t.compare.vocabulary}</h2>
      <p class="quiet number">{t.compare.sizes(whole(v.a), whole(v.b))}</p>
      {lists.map(([label, tokens, all]) => tokens.length > 0 && (
        <details key={label}>
          <summary>{label}</summary>
          <TokenDifferences tokens={tokens} all={all} />
        </details>
      ))}
    </section>
  );
}

/** The tokens that the comparison names, those on screen in the document, and how many it counted beyond them. */
function TokenDifferences({ tokens, all }: { tokens: readonly Token[]; all: number }): JSX.Element {
  const w = useWindow(tokens.length, 26);
  return (
    <>
      {tokens.length < all && <p class="quiet number">{t.compare.firstOf(whole(tokens.length), whole(all))}</p>}
      <div class="elements" tabIndex={0} role="group" aria-label={t.compare.vocabulary} ref={w.ref} onScroll={w.onScroll}>
        <div class="body" style={{ height: `${w.height}px` }}>
          <ul class="drawn" style={{ transform: `translateY(${w.top}px)` }}>
            {tokens.slice(w.first, w.end).map((x, i) => (
              <li key={x.id} aria-posinset={w.first + i + 1} aria-setsize={tokens.length}>
                <span class="index number">{x.id}{x.to !== undefined && ` → ${x.to}`}</span> <Line text={x.text} />
              </li>
            ))}
          </ul>
        </div>
      </div>
    </>
  );
}
