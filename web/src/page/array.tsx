// An array of any length: the elements on screen are fetched from the worker, a page at a time, and forgotten again.

import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Entry, Value } from "../straw";
import { plain, whole } from "../format";
import { t } from "../strings";
import { nameOfValue } from "./keys";
import { asFailure, model } from "./state";
import { One } from "./text";
import { useWindow } from "./window";

const page = 100; // elements fetched at once
const kept = 40; // pages
const slice = 10_000; // elements searched at once

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

  // Asking again goes on behind the last place found. The array comes a slice at a time, so that nothing of it stays.
  const [word, setWord] = useState("");
  const [found, setFound] = useState(-1);
  const [searching, setSearching] = useState<AbortController>();
  const [searched, setSearched] = useState("");
  const find = async () => {
    searching?.abort();
    const stop = new AbortController();
    setSearching(stop);
    const wanted = word.toLowerCase();
    try {
      for (let start = found + 1; start < n && wanted; start += slice) {
        const some = whole_ ? shown.slice(start, start + slice) : ((await model.value?.value(plain(entry.key), { start, count: slice, signal: stop.signal })) as Value[]);
        const at = some.findIndex((v) => (typeof v === "object" ? JSON.stringify(v) : String(v)).toLowerCase().includes(wanted));
        if (stop.signal.aborted) return;
        setSearched(t.metadata.finding(whole(Math.min(n, start + slice))));
        if (at < 0) continue;
        setSearched("");
        setFound(start + at);
        w.scrollTo(start + at);
        setSearching(undefined);
        return;
      }
      setFound(-1);
      setSearched(t.metadata.notFound);
    } catch (e) {
      if (!stop.signal.aborted) setFailed(asFailure(e).message);
    }
    setSearching(undefined);
  };

  const rows: JSX.Element[] = [];
  for (let i = w.first; i < w.end; i++) {
    const value = whole_ ? shown[i] : pages.current.get(Math.floor(i / page))?.[i % page];
    rows.push(
      <li key={i} class={i === found ? "is-found" : ""} aria-posinset={i + 1} aria-setsize={n}>
        <span class="index number">{i}</span>
        {value !== undefined && nameOfValue(plain(entry.key), value) !== undefined && <span class="quiet">{nameOfValue(plain(entry.key), value)}</span>}
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
          <form
            class="joined find"
            onSubmit={(e) => {
              e.preventDefault();
              void find();
            }}
          >
            <input type="search" class="array-find" aria-label={t.metadata.find} placeholder={t.metadata.find} value={word} onInput={(e) => { setWord(e.currentTarget.value); setFound(-1); setSearched(""); }} />
            <button type="submit" class="button">{t.metadata.findNext}</button>
          </form>
        )}
        <span class="quiet number" role="status">{searched}</span>
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
