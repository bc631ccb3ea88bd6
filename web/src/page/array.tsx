// An array of any length: the elements on screen are fetched from the worker, a page at a time, and forgotten again.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Entry, Value } from "../straw";
import { plain, whole } from "../format";
import { t } from "../strings";
import { One } from "./metadata";
import { asFailure, model } from "./state";
import { useWindow } from "./window";

const page = 100; // elements fetched at once
const kept = 40; // pages

export function ArrayView({ entry }: { entry: Entry }): JSX.Element {
  const shown = Array.isArray(entry.value) ? entry.value : [];
  const whole_ = !entry.truncated || !model.value;
  const n = whole_ ? shown.length : Number(entry.n);
  const w = useWindow(n, 26);
  const pages = useRef(new Map<number, Value[]>());
  const [, redraw] = useState(0);
  const [failed, setFailed] = useState("");
  const from = Math.floor(w.first / page);
  const to = Math.floor(Math.max(w.first, w.end - 1) / page);

  useEffect(() => {
    const m = model.value;
    if (whole_ || !m) return;
    const stop = new AbortController();
    // A short wait: who drags the scroll bar through a vocabulary asks only for where they stop.
    const timer = setTimeout(async () => {
      for (let p = from; p <= to; p++) {
        if (pages.current.has(p)) continue;
        try {
          const values = await m.value(plain(entry.key), { start: p * page, count: page, signal: stop.signal });
          if (pages.current.size >= kept) pages.current.delete(pages.current.keys().next().value as number);
          pages.current.set(p, values as Value[]);
          redraw((x) => x + 1);
        } catch (e) {
          if (!stop.signal.aborted) setFailed(asFailure(e).message);
          return;
        }
      }
    }, 30);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [from, to, entry]);

  const rows: JSX.Element[] = [];
  for (let i = w.first; i < w.end; i++) {
    const value = whole_ ? shown[i] : pages.current.get(Math.floor(i / page))?.[i % page];
    rows.push(
      <li key={i} aria-posinset={i + 1} aria-setsize={n}>
        <span class="index number">{i}</span>
        {value === undefined ? <span class="quiet">{t.metadata.loading}</span> : <One value={value} />}
      </li>,
    );
  }
  const name = t.metadata.elements(whole(entry.n ?? n), entry.elem ?? "");
  return (
    <div class="array">
      <div class="bar">
        <span class="number">{name}</span>
        {n > 50 && (
          <label class="jump">
            {t.metadata.jump}
            <input type="number" min={0} max={n - 1} onInput={(e) => e.currentTarget.value && w.scrollTo(Number(e.currentTarget.value))} />
          </label>
        )}
      </div>
      {failed && <p class="inline-problem" role="alert">{failed}</p>}
      {whole_ && entry.truncated && <p class="quiet">{t.metadata.onlyRead(whole(shown.length))}</p>}
      <div class="elements" tabIndex={0} role="group" aria-label={name} ref={w.ref} onScroll={w.onScroll}>
        <div class="body" style={{ height: `${w.height}px` }}>
          <ul class="drawn" style={{ transform: `translateY(${w.top}px)` }}>{rows}</ul>
        </div>
      </div>
    </div>
  );
}
