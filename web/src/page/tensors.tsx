// Every tensor of the file: sorted, filtered, grouped, and one at a time in detail with its first values.

import { useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Tensor } from "../straw";
import { bytes, float, plain, shape, short, whole } from "../format";
import { t } from "../strings";
import type { Bundle, Grouping, Row } from "./bundles";
import { bundlesOf, groupings } from "./bundles";
import { FilterBar, having } from "./filter";
import { asFailure, model } from "./state";
import type { Column } from "./table";
import { Table } from "./table";
import { Facts, factsOf } from "./tensorfacts";
import { roleOf } from "./roles";
import { Line } from "./text";
import { hrefOf } from "./views";

const columns: Column<Row | Bundle>[] = [
  { id: "name", label: t.tensors.name, sortable: true, cell: (r) => (isBundle(r) ? <>{r.title} <span class="quiet number">{whole(r.rows.length)}</span></> : <Line text={r.tensor.name} />) },
  { id: "type", label: t.tensors.type, sortable: true, cell: (r) => <span class="type">{isBundle(r) ? r.types.join(", ") : r.tensor.type}</span> },
  { id: "shape", label: t.tensors.shape, sortable: true, cell: (r) => <span class="number">{isBundle(r) ? t.tensors.parameters(short(r.elements)) : shape(r.tensor.dims)}</span> },
  { id: "bytes", label: t.tensors.size, sortable: true, cell: (r) => <span class="number">{isBundle(r) ? bytes(r.bytes) : r.tensor.nbytes === null ? t.tensors.unknownSize : bytes(r.tensor.nbytes)}</span> },
  { id: "offset", label: t.tensors.offset, sortable: true, cell: (r) => !isBundle(r) && <span class="number">{whole(r.tensor.abs_offset)}</span> },
];

function isBundle(r: Row | Bundle): r is Bundle {
  return "rows" in r;
}

// Names that differ in a number are in the number's order: blk.2 before blk.10.
const byName = new Intl.Collator("en", { numeric: true }).compare;

const orders: Record<string, (a: Row, b: Row) => number> = {
  name: (a, b) => byName(a.name, b.name),
  type: (a, b) => byName(a.tensor.type, b.tensor.type),
  shape: (a, b) => Number(a.tensor.n_elements) - Number(b.tensor.n_elements),
  bytes: (a, b) => Number(a.tensor.nbytes ?? -1) - Number(b.tensor.nbytes ?? -1),
  offset: (a, b) => Number(a.tensor.abs_offset) - Number(b.tensor.abs_offset),
};

export function Tensors({ tensors }: { tensors: readonly Tensor[] }): JSX.Element {
  const search = useSignal("");
  const type = useSignal("");
  const sort = useSignal<{ by: string; down: boolean } | undefined>(undefined); // unset: file order
  const grouping = useSignal<Grouping>("none");
  const unfolded = useSignal<ReadonlySet<string>>(new Set());
  const all = useSignal<Row[]>([]);
  const given = useSignal<readonly Tensor[] | undefined>(undefined);
  if (given.value !== tensors) {
    given.value = tensors;
    type.value = "";
    all.value = tensors.map((tensor, index) => ({ index, tensor, name: plain(tensor.name) }));
  }
  const types = useComputed(() => {
    const n = new Map<string, number>();
    for (const r of all.value) n.set(r.tensor.type, (n.get(r.tensor.type) ?? 0) + 1);
    return [...n].sort((a, b) => b[1] - a[1]);
  });
  const rows = useComputed(() => {
    const has = having(search.value);
    const of = type.value;
    const s = sort.value;
    const some = all.value.filter((r) => (!of || r.tensor.type === of) && has(r.name));
    const order = s && orders[s.by];
    if (!order) return some;
    return some.toSorted((a, b) => (s.down ? order(b, a) : order(a, b)) || a.index - b.index);
  });
  const bundles = useComputed(() => (grouping.value === "none" ? [] : bundlesOf(rows.value, grouping.value)));
  const listed = useComputed<readonly (Row | Bundle)[]>(() => {
    if (grouping.value === "none") return rows.value;
    const s = sort.value;
    const some = s?.by === "bytes" ? bundles.value.toSorted((a, b) => (s.down ? b.bytes - a.bytes : a.bytes - b.bytes)) : bundles.value;
    return some.flatMap((b) => (unfolded.value.has(b.key) ? [b, ...b.rows] : [b]));
  });
  const fold = (keys: readonly string[], open: boolean) => {
    const now = new Set(unfolded.value);
    for (const k of keys) if (open) now.add(k); else now.delete(k);
    unfolded.value = now;
  };
  const folded = bundles.value.some((b) => !unfolded.value.has(b.key));
  const onSort = (by: string) => {
    const s = sort.value;
    if (s?.by !== by) sort.value = { by, down: by === "bytes" || by === "shape" };
    else sort.value = { by, down: !s.down };
  };
  return (
    <section class="card" aria-labelledby="tensors-title">
      <FilterBar id="tensors-title" title={t.tensors.title} count={t.tensors.shown(whole(rows.value.length), whole(tensors.length))} searchId="tensor-search" label={t.tensors.search} search={search}>
        <select id="tensor-type" aria-label={t.tensors.typeLabel} value={type} onChange={(e) => (type.value = e.currentTarget.value)}>
          <option value="">{t.tensors.allTypes}</option>
          {types.value.map(([name, n]) => <option key={name} value={name}>{`${name} (${whole(n)})`}</option>)}
        </select>
        <select id="tensor-group" aria-label={t.tensors.group} value={grouping} onChange={(e) => (grouping.value = e.currentTarget.value as Grouping)}>
          {groupings.map((g) => <option key={g} value={g}>{t.tensors.groupings[g]}</option>)}
        </select>
        {bundles.value.length > 0 && (
          <button id="fold-all" type="button" class="button is-small" onClick={() => fold(bundles.value.map((b) => b.key), folded)}>{folded ? t.tensors.unfold : t.tensors.fold}</button>
        )}
      </FilterBar>
      <Table
        id="tensors"
        label={t.tensors.title}
        columns={columns}
        rows={listed.value}
        rowKey={(r) => (isBundle(r) ? r.key : r.index)}
        rowData={(r): Record<string, string> => (isBundle(r) ? { "data-group": r.key } : { "data-tensor": r.name })}
        detail={(r) => !isBundle(r) && <Detail key={r.index} tensor={r.tensor} />}
        group={(r) => (isBundle(r) ? { open: unfolded.value.has(r.key), toggle: () => fold([r.key], !unfolded.value.has(r.key)) } : undefined)}
        sort={sort.value}
        onSort={onSort}
        none={tensors.length ? t.tensors.none : model.value ? t.tensors.empty : t.tensors.unread}
      />
    </section>
  );
}

const firstValues = 64;

function Detail({ tensor: x }: { tensor: Tensor }): JSX.Element {
  const [values, setValues] = useState<Float32Array | undefined>();
  const [failed, setFailed] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    model.value
      ?.tensor(plain(x.name), { row: 0, count: Math.min(firstValues, Number(x.n_elements)), signal: stop.signal })
      .then(setValues, (e) => stop.signal.aborted || setFailed(asFailure(e).message));
    return () => stop.abort();
  }, [x]);
  const words = roleOf(plain(x.name)).words;
  return (
    <>
      <p class="full-name"><code><Line text={x.name} /></code></p>
      {words && <p class="quiet">{words}</p>}
      <Facts of={factsOf(x)} />
      {model.value && (
        <>
          <p class="more-of"><a href={hrefOf("tensor", plain(x.name))}>{t.tensor.open}</a></p>
          <h3>{t.tensors.values}</h3>
          {failed ? (
            <p class="inline-problem" role="alert">{failed}</p>
          ) : values ? (
            <div class="values number">{Array.from(values, (v, i) => <span key={i}>{float(v)}</span>)}</div>
          ) : (
            <p class="quiet">{t.tensors.reading}</p>
          )}
        </>
      )}
    </>
  );
}
