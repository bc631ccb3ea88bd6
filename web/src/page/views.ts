// Which part of the open file is on screen. Each view has an address of its own, #map or #tensor/blk.0.attn_q.weight, so that Back works and a link
// can be passed on.

import { signal } from "@preact/signals";

/** In the order of the tabs. */
export const tabs = ["file", "run", "map", "tokens", "template", "compare", "edit"] as const;
export type Tab = (typeof tabs)[number];
/** A tensor's page is reached from what lists tensors, and has no tab. */
export type ViewName = Tab | "tensor";

export interface View {
  name: ViewName;
  /** What the view is about: the name of a tensor. */
  of: string;
}

function parse(hash: string): View | undefined {
  const [name, ...rest] = hash.slice(1).split("/");
  if (name !== "tensor" && !tabs.includes(name as Tab)) return undefined;
  try {
    return { name: name as ViewName, of: decodeURIComponent(rest.join("/")) };
  } catch {
    return undefined; // not percent-encoded text
  }
}

export const view = signal<View>(parse(location.hash) ?? { name: "file", of: "" });

/** The address of a view. */
export function hrefOf(name: ViewName, of = ""): string {
  return of ? `#${name}/${encodeURIComponent(of)}` : `#${name}`;
}

/** Brings a view on screen at once; the browser tells of the new address only later. */
export function show(name: ViewName, of = ""): void {
  location.hash = hrefOf(name, of);
  view.value = { name, of };
}

// Other fragments, such as that of the skip link, are places on the page and change no view.
addEventListener("hashchange", () => {
  const next = parse(location.hash) ?? (location.hash === "" ? { name: "file" as const, of: "" } : undefined);
  if (next) view.value = next;
});
