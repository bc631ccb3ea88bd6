// The file drawn: its bytes in order, how they are shared out, and how the model is built. All of it from the list of tensors.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Info, Tensor } from "../straw";
import { bytes, plain, shape } from "../format";
import { t } from "../strings";
import { ByteMap } from "./bytemap";
import type { Group } from "./roles";
import { groups, roleOf } from "./roles";
import { Line } from "./text";
import { hrefOf } from "./views";

/** A tensor with what its name says. */
export interface Placed {
  tensor: Tensor;
  name: string;
  bytes: number;
  layer: number | undefined;
  group: Group;
  words: string | undefined;
}

export function place(tensors: readonly Tensor[]): Placed[] {
  return tensors.map((tensor) => {
    const name = plain(tensor.name);
    return { tensor, name, bytes: Number(tensor.nbytes ?? 0), ...roleOf(name) };
  });
}

export function hueOfGroup(g: Group): number {
  return groups.indexOf(g);
}

export function MapView({ info }: { info: Info }): JSX.Element {
  const placed = useSignal<Placed[]>([]);
  if (placed.value.length !== info.tensors.length) placed.value = place(info.tensors);
  if (placed.value.length === 0) return <p class="none">{t.map.none}</p>;
  return (
    <div class="map-view">
      <ByteMap info={info} placed={placed.value} />
      <Layers placed={placed.value} />
      <Built placed={placed.value} />
    </div>
  );
}

interface Column {
  key: string;
  what: string;
  bytes: number;
  parts: { group: Group; bytes: number }[];
}

function columnsOf(placed: readonly Placed[]): Column[] {
  const sums = new Map<number, Map<Group, number>>(); // by layer; -1 is outside
  for (const p of placed) {
    const of = sums.get(p.layer ?? -1) ?? new Map<Group, number>();
    sums.set(p.layer ?? -1, of.set(p.group, (of.get(p.group) ?? 0) + p.bytes));
  }
  return [...sums].sort((a, b) => a[0] - b[0]).map(([layer, of]) => ({
    key: String(layer),
    what: layer < 0 ? t.map.outside : t.map.layer(layer),
    bytes: [...of.values()].reduce((sum, n) => sum + n, 0),
    parts: groups.flatMap((group) => (of.has(group) ? [{ group, bytes: of.get(group) as number }] : [])),
  }));
}

/** A column a layer, as high as its bytes. */
function Layers({ placed }: { placed: readonly Placed[] }): JSX.Element {
  const columns = columnsOf(placed);
  const most = Math.max(...columns.map((c) => c.bytes), 1);
  const seen = groups.filter((g) => placed.some((p) => p.group === g));
  return (
    <section class="card" aria-labelledby="layers-title">
      <h2 id="layers-title">{t.map.layers}</h2>
      <ul class="layers" tabIndex={0} aria-labelledby="layers-title">
        {columns.map((c) => {
          const said = t.map.column(c.what, bytes(c.bytes), c.parts.map((p) => `${t.roles.groups[p.group]} ${bytes(p.bytes)}`).join(", "));
          return (
            <li key={c.key} title={said}>
              <span class="sr">{said}</span>
              <span class="column" aria-hidden="true" style={{ height: `${Math.max(1, (100 * c.bytes) / most)}%` }}>
                {c.parts.map((p) => <span key={p.group} class={`hue${hueOfGroup(p.group)}`} style={{ flexGrow: p.bytes }} />)}
              </span>
              <span class="under number" aria-hidden="true">{c.key === "-1" ? "◦" : c.key}</span>
            </li>
          );
        })}
      </ul>
      <ul class="legend">
        {seen.map((g) => <li key={g}><span class={`dot hue${hueOfGroup(g)}`} aria-hidden="true" />{t.roles.groups[g]}</li>)}
      </ul>
    </section>
  );
}

/** Layers that have the same tensors, of the same shapes, are one block. */
function Built({ placed }: { placed: readonly Placed[] }): JSX.Element {
  const outside = placed.filter((p) => p.layer === undefined);
  const last = (p: Placed) => p.group === "output" || /^output/.test(p.name);
  const layers = new Map<number, Placed[]>();
  for (const p of placed) if (p.layer !== undefined) layers.set(p.layer, [...(layers.get(p.layer) ?? []), p]);
  const runs: { from: number; to: number; n: number; form: string; parts: Placed[] }[] = [];
  for (const [layer, parts] of [...layers].sort((a, b) => a[0] - b[0])) {
    const form = parts.map((p) => `${p.name.replace(/\d+/, "")} ${shape(p.tensor.dims)}`).sort().join("\n");
    const before = runs.at(-1);
    if (before?.form === form) Object.assign(before, { to: layer, n: before.n + 1 });
    else runs.push({ from: layer, to: layer, n: 1, form, parts });
  }
  return (
    <section class="card" aria-labelledby="built-title">
      <h2 id="built-title">{t.map.built}</h2>
      <p class="quiet">{t.map.builtLead}</p>
      <ol class="blocks">
        <Part title={t.map.input} parts={outside.filter((p) => !last(p))} />
        {runs.map((r) => <Part key={r.from} title={t.map.times(r.n, r.from, r.to)} parts={r.parts} repeated={r.n > 1} />)}
        <Part title={t.map.out} parts={outside.filter(last)} />
      </ol>
    </section>
  );
}

function Part({ title, parts, repeated = false }: { title: string; parts: readonly Placed[]; repeated?: boolean }): JSX.Element | null {
  if (parts.length === 0) return null;
  const some = groups.map((g) => [g, parts.filter((p) => p.group === g)] as const).filter(([, of]) => of.length > 0);
  return (
    <li class={`block${repeated ? " is-repeated" : ""}`}>
      <h3>{title}</h3>
      {some.map(([g, of]) => (
        <div key={g} class="block-group">
          <p class="block-name"><span class={`dot hue${hueOfGroup(g)}`} aria-hidden="true" />{t.roles.groups[g]}</p>
          <ul>
            {of.slice(0, 24).map((p) => (
              <li key={p.name}>
                <a href={hrefOf("tensor", p.name)}><Line text={p.name} /></a> <span class="quiet number">{shape(p.tensor.dims)}</span>
                {p.words && <span class="quiet words">{p.words}</span>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </li>
  );
}
