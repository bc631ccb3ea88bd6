// Where a person writes: Enter sends unless an input method is composing, and the two buttons are in one place.

import type { Signal } from "@preact/signals";
import type { JSX, Ref } from "preact";
import { t } from "../../strings";
import { busy, room, speed, stop } from "../running";
import { whole } from "../../format";

interface Props {
  text: Signal<string>;
  label: string;
  placeholder: string;
  action: string;
  submit: () => void;
  box?: Ref<HTMLTextAreaElement>;
}

export function Composer({ text, label, placeholder, action, submit, box }: Props): JSX.Element {
  const form = (e: Event) => {
    e.preventDefault();
    const invalid = document.querySelector<HTMLInputElement | HTMLTextAreaElement>("#run-panel .settings :is(input, textarea):invalid");
    if (busy.value) return;
    if (!invalid) return submit();
    for (let d = invalid.closest("details"); d; d = d.parentElement?.closest("details") ?? null) d.open = true;
    invalid.reportValidity();
  };
  return (
    <form class="composer" onSubmit={form}>
      <label for="prompt" class="sr">{label}</label>
      <textarea
        id="prompt"
        ref={box ?? null}
        rows={2}
        value={text}
        placeholder={placeholder}
        aria-describedby="prompt-hint"
        onInput={(e) => (text.value = e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key !== "Enter" || e.shiftKey || e.isComposing) return;
          form(e);
        }}
      />
      <div class="actions">
        <button id="run" type="submit" class="button is-primary" disabled={busy}>{action}</button>
        <button id="stop" type="button" class="button is-stop" disabled={!busy.value} onClick={stop}>{t.run.stop}</button>
        <span id="speed" class="number speed">{speed}</span>
        <Room />
      </div>
      <p id="prompt-hint" class="quiet">{t.run.hint}</p>
    </form>
  );
}

/** How full the context is. */
function Room(): JSX.Element | null {
  const r = room.value;
  if (!r || r.used === 0) return null;
  const words = t.run.room(whole(r.used), whole(r.size));
  return (
    <span class="room number" title={t.run.roomWhat}>
      <meter min={0} max={r.size} high={0.9 * r.size} optimum={0} value={r.used} aria-label={words} />
      {words}
    </span>
  );
}
