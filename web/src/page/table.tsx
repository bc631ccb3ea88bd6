// A table of any number of rows: what is on screen is in the document, the rest is only counted (aria-rowcount). Arrow keys go from row to
// row, Enter opens a row's detail under it; in a row that stands for a group, right and left unfold and fold it too.

import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useNarrow, useWindow } from "./window";

export interface Column<T> {
  id: string;
  label: string;
  /** The label is only for who cannot see what the column holds. */
  unlabelled?: boolean;
  /** Set where the table can be sorted by this column. */
  sortable?: boolean;
  cell: (row: T) => ComponentChildren;
}

export interface TableProps<T> {
  id: string;
  label: string;
  columns: Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string | number;
  /** Attributes for the row's element. */
  rowData: (row: T) => Record<string, string>;
  detail: (row: T) => ComponentChildren;
  /** For a row that stands for a group of rows: whether they are shown, and how that is changed. It has no detail. */
  group?: (row: T) => { open: boolean; toggle: () => void } | undefined;
  sort?: { by: string; down: boolean } | undefined;
  onSort?: (by: string) => void;
  none: string;
}

const headHeight = 34;

export function Table<T>(p: TableProps<T>): JSX.Element {
  const rowHeight = useNarrow() ? 54 : 34;
  const [openKey, setOpenKey] = useState<string | number | undefined>();
  const [detailHeight, setDetailHeight] = useState(0);
  const detail = useRef<HTMLDivElement>(null);
  const focus = useRef(-1);
  const justOpened = useRef(false); // until a person scrolls
  const open = openKey === undefined ? -1 : p.rows.findIndex((r) => p.rowKey(r) === openKey);
  const w = useWindow(p.rows.length, rowHeight, open, detailHeight, headHeight);

  useLayoutEffect(() => {
    const el = detail.current;
    if (!el) return;
    const measure = () => {
      setDetailHeight(el.offsetHeight);
      if (justOpened.current && el.offsetHeight > 0) reveal(w.ref.current, el, rowHeight);
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(el);
    return () => watch.disconnect();
  }, [openKey, open >= w.first && open < w.end]);

  useLayoutEffect(() => {
    if (focus.current < 0) return;
    const button = w.ref.current?.querySelector<HTMLElement>(`[aria-rowindex="${focus.current + 2}"] .opener`);
    if (!button) return; // not drawn yet: the scroll event that follows draws it
    focus.current = -1;
    button.focus({ preventScroll: true });
  });

  const settled = () => {
    justOpened.current = false;
  };

  const toggle = (key: string | number | undefined) => {
    justOpened.current = key !== undefined;
    setOpenKey(key);
  };

  const onKeyDown = (e: KeyboardEvent, i: number) => {
    const group = p.group?.(p.rows[i] as T);
    if (group && e.key === (group.open ? "ArrowLeft" : "ArrowRight")) {
      e.preventDefault();
      return group.toggle();
    }
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10, Home: -p.rows.length, End: p.rows.length }[e.key];
    if (step === undefined) return;
    e.preventDefault();
    focus.current = Math.max(0, Math.min(p.rows.length - 1, i + step));
    w.scrollTo(focus.current);
    w.onScroll();
  };

  if (p.rows.length === 0) return <p class="none" id={p.id}>{p.none}</p>;

  const drawn: JSX.Element[] = [];
  for (let i = w.first; i < w.end; i++) {
    const row = p.rows[i] as T;
    const key = p.rowKey(row);
    const group = p.group?.(row);
    const onOpener = group ? group.toggle : () => toggle(i === open ? undefined : key);
    drawn.push(
      <div key={key} role="row" class={`row${i === open ? " is-open" : ""}${group ? " is-group" : ""}`} aria-rowindex={i + 2} {...p.rowData(row)}>
        {p.columns.map((c, n) => (
          <div key={c.id} role={n === 0 ? "rowheader" : "cell"} class={`cell is-${c.id}`}>
            {n === 0 ? (
              <button class="opener" type="button" aria-expanded={group ? group.open : i === open} onClick={onOpener} onKeyDown={(e) => onKeyDown(e, i)}>
                {group && <span class="fold" aria-hidden="true">{group.open ? "▾" : "▸"}</span>}
                {c.cell(row)}
              </button>
            ) : (
              c.cell(row)
            )}
          </div>
        ))}
      </div>,
    );
    if (i === open) {
      drawn.push(
        <div key={`${key} detail`} role="row" class="detail-row" ref={detail}>
          <div role="cell" class="detail" aria-colspan={p.columns.length}>{p.detail(row)}</div>
        </div>,
      );
    }
  }

  return (
    <div id={p.id} class="table" role="table" aria-label={p.label} aria-rowcount={p.rows.length + 1} tabIndex={0} ref={w.ref} onScroll={w.onScroll} onWheel={settled} onPointerDown={settled}>
      <div role="rowgroup" class="head">
        <div role="row" class="row" aria-rowindex={1}>
          {p.columns.map((c) => {
            const sorted = p.sort?.by === c.id ? (p.sort.down ? "descending" : "ascending") : undefined;
            return (
              <div key={c.id} role="columnheader" class={`cell is-${c.id}`} aria-sort={sorted}>
                {c.sortable ? (
                  <button type="button" data-sort={c.id} class="sorter" onClick={() => p.onSort?.(c.id)}>
                    {c.label}
                    <span aria-hidden="true" class="arrow">{sorted ? (p.sort?.down ? "↓" : "↑") : ""}</span>
                  </button>
                ) : (
                  <span class={c.unlabelled ? "sr" : ""}>{c.label}</span>
                )}
              </div>
            );
          })}
        </div>
      </div>
      <div role="rowgroup" class="body" style={{ height: `${w.height}px` }}>
        <div role="presentation" class="drawn" style={{ transform: `translateY(${w.top}px)` }}>{drawn}</div>
      </div>
    </div>
  );
}

/** Scrolls a detail into the table's view, as far as its row stays there too. */
function reveal(table: HTMLElement | null, detail: HTMLElement, rowHeight: number): void {
  if (!table) return;
  const below = detail.getBoundingClientRect().bottom - table.getBoundingClientRect().bottom;
  const above = detail.getBoundingClientRect().top - rowHeight - headHeight - table.getBoundingClientRect().top;
  if (below > 0) table.scrollTop += Math.min(below, above);
}
