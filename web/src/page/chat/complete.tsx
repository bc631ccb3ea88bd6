// A text as it is, continued.

import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { visible } from "../../format";
import { t } from "../../strings";
import { busy, run, runState, said } from "../running";
import { model } from "../state";
import { Composer } from "./composer";
import { optionsOf, settings } from "./settings";
import { TokenList } from "./tokens";

const prompt = signal(t.run.first);
/** The prompt that was continued, and of which model. */
const asked = signal<{ text: string; of: unknown } | undefined>();

export function Complete({ trouble }: { trouble: ComponentChildren }): JSX.Element {
  const submit = () => {
    asked.value = { text: prompt.value, of: model.value };
    void run({ ...optionsOf(settings.value), prompt: prompt.value });
  };
  return (
    <>
      <Output />
      {trouble}
      <Composer text={prompt} label={t.run.prompt} placeholder={t.run.placeholder} action={t.run.run} submit={submit} />
    </>
  );
}

/** The words as they come. Assistive technology reads them when it is asked to; the start and the end are announced elsewhere. */
function Output(): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const { text, tokens } = said.value;
  useEffect(() => {
    if (box.current && busy.value) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  const mine = asked.value?.of === model.value ? asked.value : undefined;
  return (
    <div class="output" role="log" aria-live="off" aria-busy={busy.value} aria-label={t.run.output} tabIndex={0} ref={box}>
      {mine ? <bdi class="asked">{visible(mine.text)}</bdi> : <span class="quiet">{t.run.waiting}</span>}
      <bdi id="story">{mine && visible(text)}</bdi>
      {mine && busy.value && <span class="caret" aria-hidden="true" />}
      {mine && tokens.length > 0 && runState.value === "done" && <TokenList tokens={tokens} />}
    </div>
  );
}
