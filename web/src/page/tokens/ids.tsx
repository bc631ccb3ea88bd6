// The other way: ids to text.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Failure } from "../../straw";
import { t } from "../../strings";
import { asFailure, model } from "../state";
import { Block } from "../text";

/** Ids as JSON or as people write them; the first that is none, if one is not. */
export function idsIn(text: string): { ids: number[]; odd?: string } {
  const words = text.split(/[\s,;[\]]+/).filter(Boolean);
  const odd = words.find((w) => !/^\d{1,9}$/.test(w));
  return odd === undefined ? { ids: words.map(Number) } : { ids: [], odd };
}

export function Ids({ fill }: { fill: () => Promise<string> }): JSX.Element {
  const [written, setWritten] = useState("");
  const [special, setSpecial] = useState(true);
  const [got, setGot] = useState<{ text?: string; failure?: Failure }>({});
  const m = model.value;
  const { ids, odd } = idsIn(written);
  useEffect(() => {
    if (!m || ids.length === 0) return setGot({});
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const text = await m.detokenize(ids, { special, signal: stop.signal });
        if (!stop.signal.aborted) setGot({ text });
      } catch (e) {
        if (!stop.signal.aborted) setGot({ failure: asFailure(e) });
      }
    }, 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [m, written, special]);
  const wrong = odd !== undefined ? t.tokens.noId(odd.slice(0, 40)) : got.failure?.message;
  return (
    <section class="card" aria-labelledby="ids-title">
      <h2 id="ids-title">{t.tokens.ids}</h2>
      <div class="field workbench-field">
        <textarea id="ids" class="mono" rows={3} aria-labelledby="ids-title" aria-invalid={wrong !== undefined} aria-describedby="ids-wrong" placeholder="[1, 15043, 29991]" spellcheck={false} value={written} onInput={(e) => setWritten(e.currentTarget.value)} />
      </div>
      <div class="actions">
        <button id="ids-fill" type="button" class="button is-small" onClick={() => void fill().then(setWritten, () => {})}>{t.tokens.fill}</button>
        <label class="check"><input id="ids-special" type="checkbox" checked={special} onChange={(e) => setSpecial(e.currentTarget.checked)} />{t.tokens.withSpecial}</label>
      </div>
      <p class="inline-problem" id="ids-wrong" role="status">{wrong}</p>
      {wrong === undefined && got.text !== undefined && <Block text={got.text} id="ids-text" />}
    </section>
  );
}
