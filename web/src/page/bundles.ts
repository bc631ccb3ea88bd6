// Tensors put together by layer or by what they are for, with what they come to.

import type { Tensor } from "../straw";
import { t } from "../strings";
import { groups, roleOf } from "./roles";

export const groupings = ["none", "layer", "role"] as const;
export type Grouping = (typeof groupings)[number];

export interface Row {
  index: number;
  tensor: Tensor;
  name: string;
}

export interface Bundle {
  key: string;
  title: string;
  rows: readonly Row[];
  bytes: number;
  elements: number;
  /** The types of its tensors, the most bytes first. */
  types: readonly string[];
}

/** In the order of the layers, what is outside them first, or of the roles; the rows of each as they come. */
export function bundlesOf(rows: readonly Row[], by: Exclude<Grouping, "none">): Bundle[] {
  const lists = new Map<number, Row[]>();
  for (const r of rows) {
    const { layer = -1, group } = roleOf(r.name);
    const place = by === "layer" ? layer : groups.indexOf(group);
    const list = lists.get(place);
    if (list) list.push(r);
    else lists.set(place, [r]);
  }
  return [...lists].sort(([a], [b]) => a - b).map(([place, of]) => {
    const sizes = new Map<string, number>();
    for (const { tensor: x } of of) sizes.set(x.type, (sizes.get(x.type) ?? 0) + Number(x.nbytes ?? 0));
    const role = groups[place];
    return {
      key: `${by} ${place}`,
      title: by === "role" && role ? t.roles.groups[role] : place < 0 ? t.map.outside : t.map.layer(place),
      rows: of,
      bytes: [...sizes.values()].reduce((sum, n) => sum + n, 0),
      elements: of.reduce((sum, r) => sum + Number(r.tensor.n_elements), 0),
      types: [...sizes].sort((a, b) => b[1] - a[1]).map(([name]) => name),
    };
  });
}
