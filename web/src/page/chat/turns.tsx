// One turn of a chat, and what can be done to it.

import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { visible } from "../../format";
import { t } from "../../strings";
import { CopyButton } from "../copy";
import { busy } from "../running";
import type { Said } from "../running";
import { again, ask, turnTo } from "./chats";
import { Markdown } from "./markdown";
import { TokenList } from "./tokens";
import { CallAnswers, CallCard } from "./tools";
import type { Chat, Turn } from "./tree";
import { branches, callsOf } from "./tree";

export function Question({ chat, place, turn }: { chat: Chat; place: number; turn: Turn }): JSX.Element {
  const edited = useSignal<string | undefined>(undefined);
  const box = useRef<HTMLTextAreaElement>(null);
  const text = turn.message.content ?? "";
  const editing = edited.value !== undefined;
  useEffect(() => box.current?.focus(), [editing]);
  const save = () => {
    const now = edited.value ?? "";
    if (busy.value || !now.trim()) return;
    edited.value = undefined;
    void ask(now, turn.parent);
  };
  if (editing) {
    return (
      <form
        class="turn is-question is-edited"
        onSubmit={(e) => {
          e.preventDefault();
          save();
        }}
      >
        <textarea
          ref={box}
          class="edit"
          aria-label={t.chat.editLabel}
          rows={3}
          value={edited.value}
          onInput={(e) => (edited.value = e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.isComposing) return;
            if (e.key === "Escape") edited.value = undefined;
            if (e.key !== "Enter" || e.shiftKey) return;
            e.preventDefault();
            save();
          }}
        />
        <div class="actions">
          <button type="submit" class="button is-primary" disabled={busy}>{t.chat.saveEdit}</button>
          <button type="button" class="button" onClick={() => (edited.value = undefined)}>{t.chat.cancel}</button>
        </div>
      </form>
    );
  }
  return (
    <div class="turn is-question">
      <div class="bubble"><bdi>{visible(text)}</bdi></div>
      <div class="tools">
        <Branches chat={chat} place={place} />
        <CopyButton label={t.chat.copyQuestion} text={async () => text} />
        <button type="button" class="plain edit-turn" disabled={busy} onClick={() => (edited.value = text)}>{t.chat.edit}</button>
      </div>
    </div>
  );
}

type AnswerProps = { newest: boolean } & ({ chat: Chat; place: number; turn: Turn; said?: undefined } | { said: Said; chat?: undefined; place?: undefined; turn?: undefined });

/** An answer that stands, or the one being written. The newest has the ids by which it is found. */
export function Answer({ chat, place, turn, said, newest }: AnswerProps): JSX.Element {
  const probabilities = useSignal(false);
  const m = turn?.message;
  const text = said ? said.text : (m?.content ?? "");
  const thought = said ? said.thought : (m?.reasoning_content ?? "");
  const calls = said ? said.calls : callsOf(m);
  const tokens = turn?.tokens;
  return (
    <div class="turn is-answer">
      {thought && <Thought text={thought} going={said !== undefined && !text && calls.length === 0} newest={newest} />}
      <div class="answer" id={newest ? "story" : undefined}>
        {probabilities.value && tokens ? <TokenList tokens={tokens} /> : <Markdown text={text} />}
      </div>
      {calls.map((c, i) => <CallCard key={i} call={c} />)}
      {turn && newest && calls.length > 0 && <CallAnswers place={place} calls={calls} />}
      {said && (text || !thought) && <span class="caret" aria-hidden="true" />}
      {turn && (
        <div class="tools">
          <Branches chat={chat} place={place} />
          <CopyButton label={t.chat.copyAnswer} text={async () => text} />
          <button type="button" class="plain again" disabled={busy} onClick={() => void again(place)}>{t.chat.again}</button>
          {tokens && (
            <button type="button" class="plain probabilities" aria-pressed={probabilities} onClick={() => (probabilities.value = !probabilities.value)}>
              {t.chat.probabilities}
            </button>
          )}
          {turn.account && <span class="quiet number account">{turn.account}</span>}
        </div>
      )}
    </div>
  );
}

export function Thought({ text, going, newest }: { text: string; going: boolean; newest: boolean }): JSX.Element {
  return (
    <details id={newest ? "thought" : undefined} class="thought">
      <summary>{going ? <>{t.run.thinking}<span class="caret" aria-hidden="true" /></> : t.run.thoughts}</summary>
      <bdi>{visible(text)}</bdi>
    </details>
  );
}

/** Steps through what was asked, or answered, in this place. */
function Branches({ chat, place }: { chat: Chat; place: number }): JSX.Element | null {
  const all = branches(chat, place);
  const at = all.indexOf(place);
  if (all.length < 2) return null;
  const go = (i: number) => {
    const to = all[i];
    if (to !== undefined) turnTo(to);
  };
  return (
    <span class="branches">
      <button type="button" class="plain" aria-label={t.chat.before} disabled={at === 0 || busy.value} onClick={() => go(at - 1)}>‹</button>
      <span class="number">{t.chat.branch(at + 1, all.length)}</span>
      <button type="button" class="plain" aria-label={t.chat.after} disabled={at === all.length - 1 || busy.value} onClick={() => go(at + 1)}>›</button>
    </span>
  );
}
