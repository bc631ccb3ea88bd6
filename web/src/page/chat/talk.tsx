// A conversation: its turns, the one being written, and the box for the next.

import { signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../strings";
import { busy, said } from "../running";
import { answering, ask, current, loadChats, shown } from "./chats";
import { Composer } from "./composer";
import { Leaving } from "./elsewhere";
import { remoteOf } from "./remote";
import { settings } from "./settings";
import { CallResult } from "./tools";
import { Answer, Question } from "./turns";

/** What is not sent yet. */
const draft = signal("");

export function Talk({ trouble }: { trouble: ComponentChildren }): JSX.Element {
  const here = answering.value?.id === current.value.id;
  const submit = () => {
    const asked = draft.value;
    if (!asked.trim()) return;
    draft.value = "";
    void ask(asked);
  };
  useEffect(() => void loadChats(), []);
  const system = settings.value["system"]?.trim();
  const places = shown.value;
  return (
    <>
      <Scroll>
        {places.length === 0 && <div class="welcome-chat"><p class="big">{t.chat.begin}</p>{!remoteOf(settings.value) && <p class="quiet">{t.chat.beginNote}</p>}</div>}
        {system && places.length > 0 && <p class="system-note quiet">{t.chat.withSystem}</p>}
        {places.map((place, i) => {
          const turn = current.value.turns[place];
          if (!turn) return null;
          const key = `${current.value.id}/${place}`;
          if (turn.message.role === "tool") return <CallResult key={key} turn={turn} />;
          return turn.message.role === "assistant" ? (
            <Answer key={key} chat={current.value} place={place} turn={turn} newest={i === places.length - 1 && !here} />
          ) : (
            <Question key={key} chat={current.value} place={place} turn={turn} />
          );
        })}
        {here && busy.value && <Answer said={said.value} newest />}
      </Scroll>
      {trouble}
      <Leaving />
      <Composer text={draft} label={t.run.message} placeholder={t.run.messagePlaceholder} action={t.run.send} submit={submit} />
    </>
  );
}

/** Scrolls along with what is written, as long as the end is in sight. */
function Scroll({ children }: { children: ComponentChildren }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const turns = shown.value.length;
  useLayoutEffect(() => {
    follows.current = true; // a new turn, or another chat: its end
  }, [turns, current.value.id]);
  useLayoutEffect(() => {
    if (box.current && follows.current) box.current.scrollTop = box.current.scrollHeight;
  });
  return (
    <div
      class="talk"
      role="log"
      aria-live="off"
      aria-busy={busy.value}
      aria-label={t.chat.log}
      tabIndex={0}
      ref={box}
      onScroll={(e) => {
        const b = e.currentTarget;
        follows.current = b.scrollHeight - b.scrollTop - b.clientHeight < 40;
      }}
    >
      {children}
    </div>
  );
}
