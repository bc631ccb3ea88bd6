// The part of a long list that is on screen. Rows have one height; one of them may be open, with a detail of its own height under it.
// A list taller than browsers can lay out is scrolled by proportion instead of by pixel.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

const tallest = 8_000_000; // px; engines lose precision or stop above 17 to 33 million
const spare = 6; // rows drawn above and below what is seen

export interface Window {
  ref: { current: HTMLDivElement | null };
  onScroll: () => void;
  /** Rows [first, end) are to be drawn, the first at `top` px of `height` px. */
  first: number;
  end: number;
  top: number;
  height: number;
  scrollTo: (row: number) => void;
}

export function useWindow(n: number, rowHeight: number, open = -1, detailHeight = 0, headHeight = 0): Window {
  const ref = useRef<HTMLDivElement>(null);
  const [scroll, setScroll] = useState(0);
  const [view, setView] = useState(600);

  useLayoutEffect(() => {
    const el = ref.current;
    if (!el) return;
    const measure = () => setView(el.clientHeight - headHeight);
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(el);
    return () => watch.disconnect();
  }, [headHeight, n === 0]);

  const detail = open >= 0 && open < n ? detailHeight : 0;
  const full = n * rowHeight;
  const byProportion = full > tallest;
  const height = (byProportion ? tallest : full) + detail;
  const fits = Math.max(1, view / rowHeight);
  const range = Math.max(1, tallest - view);

  /** The row at the upper edge, with a fraction. */
  const at = byProportion
    ? (Math.min(scroll, range) / range) * Math.max(0, n - fits)
    : scroll <= (open + 1) * rowHeight || !detail
      ? scroll / rowHeight
      : Math.max(open, (scroll - detail) / rowHeight);
  const first = Math.max(0, Math.min(n - 1, Math.floor(at) - spare));
  const end = Math.max(0, Math.min(n, Math.ceil(at + fits) + spare));
  const top = byProportion ? scroll - (at - first) * rowHeight : first * rowHeight + (first > open ? detail : 0);

  const scrollTo = (row: number) => {
    const el = ref.current;
    if (!el) return;
    const r = Math.max(0, Math.min(n - 1, row));
    if (byProportion) {
      el.scrollTop = (r / Math.max(1, n - fits)) * range;
      return;
    }
    const y = r * rowHeight + (r > open ? detail : 0);
    if (y < el.scrollTop) el.scrollTop = y;
    else if (y + rowHeight > el.scrollTop + view) el.scrollTop = y + rowHeight - view;
  };

  return { ref, onScroll: () => setScroll(ref.current?.scrollTop ?? 0), first: Math.max(0, first), end, top, height, scrollTo };
}

/** Whether the page is narrow; rows are two lines high then. */
export function useNarrow(): boolean {
  const query = useRef(matchMedia("(max-width: 640px)"));
  const [narrow, setNarrow] = useState(query.current.matches);
  useLayoutEffect(() => {
    const q = query.current;
    const listen = () => setNarrow(q.matches);
    q.addEventListener("change", listen);
    return () => q.removeEventListener("change", listen);
  }, []);
  return narrow;
}
