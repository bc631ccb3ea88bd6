// The tokenizer workbench: a text and its tokens, what each is and how it came to be, the way back, other tokenizers beside it, the vocabulary.

import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Info } from "../../straw";
import { percent, rate, whole } from "../../format";
import { t } from "../../strings";
import { ArrayView } from "../array";
import { FailureText } from "../problem";
import { announcement, model } from "../state";
import { Beside } from "./beside";
import { screen, useEncoding } from "./encoding";
import { Ids } from "./ids";
import { addSpecial, parseSpecial, text } from "./state";
import { Pager, Strip } from "./strip";
import { Token } from "./token";

export function TokensView({ info }: { info: Info }): JSX.Element {
  const vocabulary = info.metadata.find((e) => e.key === "tokenizer.ggml.tokens");
  if (!model.value || !vocabulary) return <p class="none">{model.value ? t.tokens.noTokenizer : t.tokens.damaged}</p>;
  return <Workbench info={info} vocabulary={vocabulary} />;
}

function Workbench({ info, vocabulary }: { info: Info; vocabulary: Info["metadata"][number] }): JSX.Element {
  const [at, setAt] = useState(0);
  const [fixed, setFixed] = useState(false);
  const start = Math.floor(at / screen) * screen;
  const switches = { addSpecial: addSpecial.value, parseSpecial: parseSpecial.value };
  const e = useEncoding(model.value, text.value, switches, start);
  const total = e.tokens?.total ?? 0;
  useEffect(() => {
    if (e.fresh && at >= total) setAt(Math.max(0, total - 1));
  }, [e.fresh, total]);

  const choose = (to: number, fix: boolean) => {
    if (fixed && !fix) return;
    setFixed(fix && !(fixed && to === at));
    setAt(to);
  };
  const all = async () => JSON.stringify((await model.value?.tokenize(text.value, switches))?.ids ?? []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await all());
      announcement.value = t.metadata.copied;
    } catch {
      announcement.value = t.metadata.copyFailed;
    }
  };
  return (
    <div class="columns tokens-view" id="tokens" data-state={e.failure ? "failed" : e.fresh ? "done" : "reading"}>
      <div class="tables">
        <section class="card" aria-labelledby="tokens-title">
          <h2 id="tokens-title">{t.tokens.title}</h2>
          <textarea id="tokens-text" class="workbench-text" rows={4} spellcheck={false} aria-labelledby="tokens-title" value={text} onInput={(x) => { text.value = x.currentTarget.value; setAt(0); setFixed(false); }} />
          <div class="actions">
            <label class="check"><input id="add-special" type="checkbox" checked={addSpecial} onChange={(x) => (addSpecial.value = x.currentTarget.checked)} />{t.tokens.addSpecial}</label>
            <label class="check"><input id="parse-special" type="checkbox" checked={parseSpecial} onChange={(x) => (parseSpecial.value = x.currentTarget.checked)} />{t.tokens.parseSpecial}</label>
            <span class="spacer" />
            <button id="ids-copy" type="button" class="button is-small" onClick={() => void copy()}>{t.tokens.copy}</button>
          </div>
          {e.failure && <div class="problem inline" role="alert"><FailureText failure={e.failure} /></div>}
          {e.tokens && e.text !== undefined && <Counts total={total} text={e.text} context={Number(info.summary.context_length ?? 0)} />}
          {e.tokens && total > 0 && <Strip tokens={e.tokens} start={e.start} at={at} choose={choose} label={t.tokens.strip} />}
          {e.tokens && <Pager total={total} start={start} turn={setAt} />}
        </section>
        <Beside />
        <section class="card" aria-labelledby="vocabulary-title">
          <h2 id="vocabulary-title">{t.tokens.vocabulary}</h2>
          <ArrayView entry={vocabulary} />
        </section>
      </div>
      <div class="aside">
        {e.tokens && e.text !== undefined && <Token text={e.text} tokens={e.tokens} start={e.start} at={at} scored={info.metadata.some((x) => x.key === "tokenizer.ggml.scores")} {...switches} />}
        <Ids fill={all} />
      </div>
    </div>
  );
}

function Counts({ total, text: of, context }: { total: number; text: string; context: number }): JSX.Element {
  const { characters, bytes } = useMemo(() => ({ characters: [...of].length, bytes: new TextEncoder().encode(of).length }), [of]);
  const facts = [
    ["count", t.tokens.nTokens, whole(total)], ["characters", t.tokens.nCharacters, whole(characters)], ["bytes", t.tokens.nBytes, whole(bytes)],
    ["each", t.tokens.each, total > 0 ? rate(bytes / total) : t.tokens.none], ["context", t.tokens.ofContext(whole(context)), context > 0 ? percent(total / context) : t.tokens.none],
  ] as const;
  return (
    <dl class="facts wide counts" id="token-counts">
      {facts.map(([name, label, value]) => (name !== "context" || context > 0) && <div key={name} data-count={name}><dt>{label}</dt><dd class="number">{value}</dd></div>)}
    </dl>
  );
}
