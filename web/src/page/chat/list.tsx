// The chats of this machine: open, begin, remove, take along.

import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { visible } from "../../format";
import { t } from "../../strings";
import { download } from "../downloads";
import { answering, chatFailure, chats, current, exported, importChats, openChat, removeChat, startChat } from "./chats";

export function Chats(): JSX.Element {
  const [wide] = useState(() => matchMedia("(min-width: 1100px)").matches);
  return (
    <details class="chats" open={wide}>
      <summary>{t.chat.list} <span class="count">{chats.value.length || ""}</span></summary>
      <button id="new-chat" type="button" class="button" onClick={startChat}>{t.chat.fresh}</button>
      {chats.value.length === 0 ? <p class="quiet">{t.chat.none}</p> : (
        <ul>
          {chats.value.map((c) => (
            <li key={c.id} class={c.id === current.value.id ? "is-current" : ""}>
              <button type="button" class="chat-title" aria-current={c.id === current.value.id ? "true" : undefined} onClick={() => openChat(c)}>
                <bdi>{visible(c.title) || t.chat.untitled}</bdi>
                {answering.value?.id === c.id && <span class="sr">{t.chat.writing}</span>}
              </button>
              <button type="button" class="plain remove" aria-label={t.chat.removeOf(visible(c.title))} title={t.chat.remove} onClick={() => confirm(t.chat.sure(c.title)) && removeChat(c)}>×</button>
            </li>
          ))}
        </ul>
      )}
      <div class="actions">
        <button id="export-chats" type="button" class="plain" disabled={chats.value.length === 0} onClick={() => download("straw-chats.json", exported())}>{t.chat.export}</button>
        <label class="plain" for="import-chats">{t.chat.import}</label>
        <input
          id="import-chats"
          type="file"
          accept=".json,application/json"
          class="sr"
          onChange={(e) => {
            const file = e.currentTarget.files?.[0];
            e.currentTarget.value = "";
            if (file) void importChats(file);
          }}
        />
      </div>
      {chatFailure.value && <p class="inline-problem" role="alert">{visible(chatFailure.value)}</p>}
      <p class="quiet">{t.chat.kept}</p>
    </details>
  );
}
