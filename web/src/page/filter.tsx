// What stands above a table: its title, how many rows are left, and the words that are searched for.

import type { Signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

interface Props {
  /** Of the title. */
  id: string;
  title: string;
  /** How many rows are shown, in words. */
  count: string;
  searchId: string;
  label: string;
  search: Signal<string>;
  /** More that narrows the rows down. */
  children?: ComponentChildren;
}

export function FilterBar({ id, title, count, searchId, label, search, children }: Props): JSX.Element {
  return (
    <div class="bar">
      <h2 id={id}>{title}</h2>
      <span class="count number" role="status">{count}</span>
      <input id={searchId} type="search" aria-label={label} placeholder={label} value={search} onInput={(e) => (search.value = e.currentTarget.value)} />
      {children}
    </div>
  );
}

/** Whether a text has all words of a search; letters are alike in either case. */
export function having(search: string): (text: string) => boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => {
    const within = text.toLowerCase();
    return words.every((w) => within.includes(w));
  };
}
