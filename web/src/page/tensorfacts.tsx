// What a tensor is, in short facts.

import type { JSX } from "preact";
import type { Tensor } from "../straw";
import { hexOffset, shape, whole } from "../format";
import { t } from "../strings";

export type Fact = readonly [label: string, value: string];

export function factsOf(x: Tensor): Fact[] {
  const n = Number(x.n_elements);
  const facts: Fact[] = [
    [t.tensors.type, x.type],
    [t.tensors.dims, shape(x.dims)],
    [t.tensors.rowMajor, `[${x.dims.toReversed().map(String).join(", ")}]`],
    [t.tensors.elements, whole(x.n_elements)],
    [t.tensors.bytes, x.nbytes === null ? t.tensors.unknownSize : whole(x.nbytes)],
    [t.tensors.absolute, `${whole(x.abs_offset)} (${hexOffset(x.abs_offset)})`],
    [t.tensors.relative, whole(x.offset)],
  ];
  if (x.nbytes !== null && n > 0) facts.push([t.tensors.bits, ((8 * Number(x.nbytes)) / n).toFixed(2)]);
  return facts;
}

export function Facts({ of }: { of: readonly Fact[] }): JSX.Element {
  return <dl class="facts">{of.map(([label, value]) => <div key={label}><dt>{label}</dt><dd class="number">{value}</dd></div>)}</dl>;
}
