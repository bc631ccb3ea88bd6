// One token: its facts, and how it came to be. That is told by the program that runs models, which is fetched when somebody asks.

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Failure, Text, Tokens, Traced } from "../../straw";
import { float, whole } from "../../format";
import { t } from "../../strings";
import { FailureText, ProgressBar } from "../problem";
import { asFailure, model } from "../state";
import type { Switches } from "./encoding";
import { PieceText, bytesIn, hexOf } from "./piece";

interface Props extends Switches {
  text: string;
  tokens: Tokens;
  start: number;
  at: number;
  /** Whether the file has a score for each token. */
  scored: boolean;
}

export function Token({ text, tokens, start, at, scored, ...switches }: Props): JSX.Element | null {
  const i = at - start;
  const id = tokens.ids[i];
  const score = useScore(scored ? id : undefined);
  const piece = tokens.pieces[i];
  const span = tokens.spans[i];
  if (id === undefined || piece === undefined || !span) return null;
  const facts: [string, string][] = [
    [t.tokens.id, String(id)],
    [t.tokens.type, t.tokens.types[tokens.types?.[i] ?? "normal"]],
    [t.tokens.bytes, whole(bytesIn(piece))],
    [t.tokens.place, span[0] === span[1] ? t.tokens.nowhere : t.tokens.span(whole(span[0]), whole(span[1]))],
  ];
  if (score !== undefined) facts.push([t.tokens.score, score]);
  return (
    <section class="card" id="token" data-at={at} aria-labelledby="token-title">
      <h2 id="token-title">{t.tokens.token(whole(at + 1), whole(tokens.total ?? tokens.ids.length))}</h2>
      <p class="big-piece"><PieceText piece={piece} /></p>
      <dl class="facts">{facts.map(([label, value]) => <div key={label}><dt>{label}</dt><dd class="number">{value}</dd></div>)}</dl>
      <p class="hex-bytes"><span class="quiet">{t.tokens.hex}</span> <code>{hexOf(piece)}</code></p>
      <Origin text={text} at={at} {...switches} />
    </section>
  );
}

/** The score that the file gives a token. */
function useScore(id: number | undefined): string | undefined {
  const [got, setGot] = useState<{ id: number; score: string }>();
  const m = model.value;
  useEffect(() => {
    if (!m || id === undefined) return;
    const stop = new AbortController();
    m.value("tokenizer.ggml.scores", { start: id, count: 1, signal: stop.signal }).then(
      (v) => setGot({ id, score: Array.isArray(v) && v.length ? (typeof v[0] === "number" ? float(v[0]) : String(v[0])) : t.tokens.none }),
      () => {}, // stopped, or the file is gone, which the trace says
    );
    return () => stop.abort();
  }, [m, id]);
  return got?.id === id ? got?.score : undefined;
}

/** Whether somebody has asked: from then on each chosen token is traced. */
const asked = signal(false);

function Origin({ text, at, addSpecial, parseSpecial }: Switches & { text: string; at: number }): JSX.Element {
  const [got, setGot] = useState<{ traced?: Traced; failure?: Failure; of: unknown[] }>();
  const m = model.value;
  const of = [m, text, at, addSpecial, parseSpecial];
  useEffect(() => {
    if (!m || !asked.value) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const traced = await m.trace(text, at, { addSpecial, parseSpecial, signal: stop.signal });
        if (!stop.signal.aborted) setGot({ traced, of });
      } catch (e) {
        if (!stop.signal.aborted) setGot({ failure: asFailure(e), of });
      }
    }, 60);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [...of, asked.value]);
  const fresh = got?.of.every((x, i) => x === of[i]) ?? false;
  if (!asked.value) return <p class="origin"><button id="trace" type="button" class="button" onClick={() => (asked.value = true)}>{t.tokens.trace}</button></p>;
  return (
    <div class="origin" id="origin" data-state={fresh ? (got?.failure ? "failed" : "done") : "reading"}>
      <h3>{t.tokens.origin}</h3>
      {got?.failure ? <div class="problem inline" role="alert"><FailureText failure={got.failure} /></div> : got?.traced ? <Steps of={got.traced} chosen={at} /> : <ProgressBar progress={undefined} label={t.tokens.tracing} />}
    </div>
  );
}

const widest = 40; // parts that are drawn as a state each time
const longest = 300; // merges that are drawn

function Steps({ of: w, chosen }: { of: Traced; chosen: number }): JSX.Element {
  const rows: { by: string; parts: Text[]; made: number }[] = [];
  const wide = w.parts.length > widest;
  const parts = w.parts.map((p) => p.text);
  if (!wide && w.how === "merged" && parts.length > 1) rows.push({ by: t.tokens.begin, parts: [...parts], made: -1 });
  for (const m of w.merges.slice(0, longest)) {
    const left = parts[m.at] ?? "";
    const right = parts[m.at + 1] ?? "";
    parts.splice(m.at, 2, together(left, right));
    const by = m.rank === undefined ? t.tokens.byScore(float(Math.fround(m.score ?? 0))) : t.tokens.byRank(whole(m.rank));
    rows.push(wide ? { by, parts: [left, right], made: -1 } : { by, parts: [...parts], made: m.at });
  }
  return (
    <>
      <p class="quiet">{t.tokens.how[w.how]}</p>
      <p class="traced-word"><span class="quiet">{t.tokens.word}</span> <code><PieceText piece={w.text} /></code></p>
      {w.how === "merged" && w.parts.length === 0 && <p class="quiet">{t.tokens.tooLong}</p>}
      {rows.length > 0 && (
        <ol id="steps" class="steps" tabIndex={0} aria-label={t.tokens.steps}>
          {rows.map((r, i) => (
            <li key={i}>
              <span class="by number">{r.by}</span>
              <span class="state">{r.parts.map((p, j) => <code key={j} class={j === r.made ? "is-made" : ""}><PieceText piece={p} /></code>)}</span>
            </li>
          ))}
        </ol>
      )}
      {w.merges.length > longest && <p class="quiet">{t.tokens.more(whole(w.merges.length - longest))}</p>}
      {w.how === "best" && <Sum of={w} />}
      {w.how === "longest" && w.parts.length === 0 && <p class="quiet">{t.tokens.uncovered}</p>}
      <p class="quiet">{t.tokens.gives}</p>
      <ul class="result">{w.ids.map((id, i) => <li key={i} class={w.first + i === chosen ? "is-chosen" : ""}><code><PieceText piece={w.pieces[i] ?? ""} /></code> <span class="number quiet">{id}</span></li>).slice(0, 200)}</ul>
    </>
  );
}

function Sum({ of: w }: { of: Traced }): JSX.Element {
  return (
    <ol class="steps" tabIndex={0} aria-label={t.tokens.steps}>
      {w.parts.slice(0, longest).map((p, i) => <li key={i}><span class="by number">{t.tokens.byScore(float(Math.fround(p.score ?? 0)))}</span><span class="state"><code><PieceText piece={p.text} /></code></span></li>)}
      <li><span class="by number">{t.tokens.byScore(float(Math.fround(w.parts.reduce((sum, p) => sum + (p.score ?? 0), 0))))}</span><span class="state">{t.tokens.sum}</span></li>
    </ol>
  );
}

const hexDigits = (t: Text): string => (typeof t === "string" ? hexOf(t).replaceAll(" ", "") : t.hex);

/** Two parts as one; bytes become text where together they are. */
export function together(a: Text, b: Text): Text {
  if (typeof a === "string" && typeof b === "string") return a + b;
  const hex = hexDigits(a) + hexDigits(b);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(hex.match(/../g) ?? [], (x) => parseInt(x, 16)));
  } catch {
    return { hex };
  }
}
