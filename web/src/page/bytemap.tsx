// Every byte of the file as an area: rows from left to right, one colour a type or a role. A canvas, for there may be thousands of tensors; the keyboard
// goes from tensor to tensor.

import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Info } from "../straw";
import { bytes, visible, whole } from "../format";
import { t } from "../strings";
import { sharesOf } from "./facts";
import type { Placed } from "./map";
import { hueOfGroup } from "./map";
import { theme } from "./theme";
import { show } from "./views";

const rowHeight = 22; // px, with a gap of 2
const rows = 12;

export function ByteMap({ info, placed }: { info: Info; placed: readonly Placed[] }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(800);
  const [at, setAt] = useState(-1);
  const [by, setBy] = useState<"type" | "group">("type");
  const types = sharesOf(info.summary).map((s) => s.type);
  const total = Number(info.summary.size) || 1;
  const laid = layOut(info, placed);
  const hue = (p: Placed) => (by === "group" ? hueOfGroup(p.group) : Math.max(0, types.indexOf(p.tensor.type)) % 8);

  useLayoutEffect(() => {
    const el = canvas.current?.parentElement;
    if (!el) return;
    const watch = new ResizeObserver(() => setWidth(el.clientWidth));
    watch.observe(el);
    return () => watch.disconnect();
  }, []);

  const [, again] = useState(0);
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const redraw = () => again((n) => n + 1);
    dark.addEventListener("change", redraw);
    return () => dark.removeEventListener("change", redraw);
  }, []);

  useEffect(() => {
    const c = canvas.current;
    const g = c?.getContext("2d");
    if (!c || !g) return;
    const scale = devicePixelRatio || 1;
    c.width = width * scale;
    c.height = rows * rowHeight * scale;
    g.scale(scale, scale);
    const colours = coloursOf(c);
    const perRow = total / rows;
    const fill = (from: number, to: number, colour: string, gap: boolean) => {
      for (let r = Math.floor(from / perRow); r < rows && r * perRow < to; r++) {
        const x0 = (Math.max(from - r * perRow, 0) / perRow) * width;
        const x1 = (Math.min(to - r * perRow, perRow) / perRow) * width;
        g.fillStyle = colour;
        // A gap of a pixel parts neighbours where there is room for one.
        g.fillRect(x0, r * rowHeight, Math.max(0.4, x1 - x0 - (gap && x1 - x0 > 3 ? 1 : 0)), rowHeight - 2);
      }
    };
    fill(0, total, colours.header, false);
    laid.forEach((l, i) => fill(l.from, l.to, i === at ? colours.ink : (colours.hues[hue(l.placed)] as string), true));
  }, [width, at, by, placed, theme.value]);

  const find = (e: MouseEvent): number => {
    const box = (e.currentTarget as HTMLElement).getBoundingClientRect();
    const row = Math.min(rows - 1, Math.max(0, Math.floor((e.clientY - box.top) / rowHeight)));
    const byte = ((row + (e.clientX - box.left) / box.width) * total) / rows;
    return laid.findIndex((l) => byte >= l.from && byte < l.to);
  };
  const open = (i: number) => {
    const l = laid[i];
    if (l) show("tensor", l.placed.name);
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -laid.length, End: laid.length }[e.key];
    if (e.key === "Enter") open(at);
    else if (step) setAt(Math.max(0, Math.min(laid.length - 1, at + step)));
    else return;
    e.preventDefault();
  };
  const l = laid[at];
  const said = l ? t.map.here(visible(l.placed.name), l.placed.tensor.type, bytes(l.placed.bytes), whole(l.placed.tensor.abs_offset)) : t.map.header;
  return (
    <section class="card" aria-labelledby="map-title">
      <div class="bar">
        <h2 id="map-title">{t.map.title}</h2>
        <div class="choice" role="group" aria-label={t.map.colour}>
          {(["type", "group"] as const).map((k) => (
            <button key={k} type="button" class="button" aria-pressed={by === k} onClick={() => setBy(k)}>{k === "type" ? t.map.byType : t.map.byGroup}</button>
          ))}
        </div>
      </div>
      <p class="quiet">{t.map.lead}</p>
      <div
        id="bytemap"
        class="bytemap"
        role="slider"
        tabIndex={0}
        aria-label={t.map.slider}
        aria-valuemin={0}
        aria-valuemax={laid.length - 1}
        aria-valuenow={Math.max(0, at)}
        aria-valuetext={said}
        onKeyDown={onKeyDown}
        onMouseMove={(e) => setAt(find(e))}
        onMouseLeave={() => setAt(-1)}
        onClick={(e) => open(find(e))}
      >
        <canvas ref={canvas} style={{ width: "100%", height: `${rows * rowHeight}px` }} />
      </div>
      <p class="here number" aria-hidden="true"><bdi>{said}</bdi></p>
    </section>
  );
}

interface Laid {
  placed: Placed;
  from: number;
  to: number;
}

/** Where each tensor lies; shards follow one another. */
function layOut(info: Info, placed: readonly Placed[]): Laid[] {
  const begins = [0];
  for (const s of info.summary.shards ?? []) begins.push((begins.at(-1) as number) + Number(s.size));
  return placed
    .map((p) => {
      const from = (begins[(p.tensor as { shard?: number }).shard ?? 0] ?? 0) + Number(p.tensor.abs_offset);
      return { placed: p, from, to: from + p.bytes };
    })
    .sort((a, b) => a.from - b.from);
}

/** The colours of the style sheet, as they are now. */
function coloursOf(near: HTMLElement): { hues: string[]; header: string; ink: string } {
  const probe = document.createElement("span");
  near.parentElement?.append(probe);
  const read = (name: string) => {
    probe.className = name;
    return getComputedStyle(probe).backgroundColor;
  };
  const colours = { hues: Array.from({ length: 8 }, (_, i) => read(`hue${i}`)), header: read("hue-header"), ink: read("hue-ink") };
  probe.remove();
  return colours;
}
