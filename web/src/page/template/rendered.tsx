// What the template makes of the conversation, with the special tokens in it, or where it fails.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Failure, Tokens } from "../../straw";
import { percent, visible, whole } from "../../format";
import { t } from "../../strings";
import { CopyButton } from "../copy";
import { caretTo } from "../numbered";
import { FailureText, ProgressBar } from "../problem";
import { asFailure, model } from "../state";
import { isSpecial } from "../tokens/strip";
import { generation, messages, readJSON, tools, variables } from "./conversation";

const most = 4000; // tokens that are looked at for special ones

export interface Rendering {
  text?: string;
  tokens?: Tokens | undefined;
  failure?: Failure;
  fresh: boolean;
}

/** Renders what is set, with the template `source`, shortly after the last change. */
export function useRendering(source: string): Rendering {
  const [got, setGot] = useState<Omit<Rendering, "fresh"> & { of?: unknown[] }>({});
  const m = model.value;
  const of = [m, source, messages.value, tools.value, variables.value, generation.value];
  useEffect(() => {
    if (!m) return;
    const stop = new AbortController();
    const { signal } = stop;
    const timer = setTimeout(async () => {
      try {
        const how = { tools: readJSON<object[]>(tools.value, "list"), variables: readJSON<Record<string, unknown>>(variables.value, "object") };
        const given = Object.fromEntries(Object.entries(how).filter(([, v]) => v !== undefined));
        const text = await m.renderTemplate(messages.value, { ...given, addGenerationPrompt: generation.value, template: source, signal });
        const tokens = await m.tokenize(text, { count: most, signal }).catch(() => undefined); // a file without a tokenizer has templates too
        if (!signal.aborted) setGot({ text, tokens, of });
      } catch (e) {
        if (!signal.aborted && !(e instanceof SyntaxError)) setGot({ failure: asFailure(e), of }); // what is no JSON is said at its field
      }
    }, 150);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, of);
  return { ...got, fresh: got.of?.every((x, i) => x === of[i]) ?? false };
}

export function Rendered({ of: r, context }: { of: Rendering; context: number }): JSX.Element {
  return (
    <section class="card" id="rendered" data-state={r.failure ? "failed" : r.fresh ? "done" : "reading"} aria-labelledby="rendered-title">
      <div class="bar">
        <h2 id="rendered-title">{t.template.rendered}</h2>
        {r.text !== undefined && <span class="count number" id="rendered-count">{counted(r, context)}</span>}
        {r.text !== undefined && <CopyButton label={t.template.copy} text={async () => r.text ?? ""} />}
      </div>
      {!r.failure && r.text === undefined && <ProgressBar progress={undefined} label={t.template.starting} />}
      {r.failure && <Fault of={r.failure} />}
      {r.text !== undefined && <pre id="rendered-text" class="long rendered-text" tabIndex={0} aria-labelledby="rendered-title"><Marked text={r.text} tokens={r.tokens} /></pre>}
    </section>
  );
}

/** The token that the tokenizer puts in front, if the template wrote it already. */
const doubled = ({ ids, spans }: Tokens): number => (ids.length > 1 && ids[0] === ids[1] && spans[0]?.[1] === 0 ? 1 : 0);

function counted({ text = "", tokens }: Rendering, context: number): string {
  const characters = t.template.characters(whole(text.length));
  if (tokens?.total === undefined) return characters;
  const n = tokens.total - doubled(tokens);
  return [t.tokens.count(whole(n)), characters, ...(context > 0 ? [t.template.share(percent(n / context), whole(context))] : [])].join(", ");
}

function Fault({ of: f }: { of: Failure }): JSX.Element {
  const { line, column } = f;
  if (line === undefined || column === undefined) return <div class="problem inline" role="alert"><FailureText failure={f} /></div>;
  return (
    <div class="problem inline" id="template-fault" role="alert">
      <p class="what"><bdi>{visible(f.message.replace(/^chat template, line \d+, column \d+: /, ""))}</bdi></p>
      <p><button type="button" class="button is-small" onClick={() => caretTo("workbench-template", line, column)}>{t.template.goTo(whole(line), whole(column))}</button></p>
    </div>
  );
}

/** The text with its special tokens set apart. Tokens that stand for nothing in it, such as the one put in front, are not drawn. */
function Marked({ text, tokens }: { text: string; tokens: Tokens | undefined }): JSX.Element {
  const parts: JSX.Element[] = [];
  let done = 0;
  tokens?.spans.forEach(([from, to], i) => {
    if (from === to || !isSpecial(tokens, i)) return;
    if (from > done) parts.push(<bdi key={done}>{visible(text.slice(done, from))}</bdi>);
    parts.push(<bdi key={from} class="piece is-special" title={`${tokens.ids[i]}`} data-id={tokens.ids[i]}>{visible(text.slice(from, to))}</bdi>);
    done = to;
  });
  if (done < text.length) parts.push(<bdi key={done}>{visible(text.slice(done))}</bdi>);
  return <>{parts}</>;
}
