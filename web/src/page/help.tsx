// Everything the page can do, by keyboard: Ctrl or Cmd and K opens a list of it, typing narrows the list, Enter does it.

import { computed, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../strings";
import { startChat } from "./chat/chats";
import { busy, stop } from "./running";
import { close, info, openDemo, phase } from "./state";
import { nextTheme } from "./theme";
import { show, tabs } from "./views";

interface Command {
  name: string;
  act: () => void;
}

const open = signal(false);
const filter = signal("");
const at = signal(0);

const focus = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();
/** Focuses what matches once it is drawn; after some two seconds nobody waits for it any more. */
const focusSoon = (selector: string, frames = 120): number => requestAnimationFrame(() => {
  if (document.querySelector<HTMLElement>(selector)?.checkVisibility()) focus(selector);
  else if (frames > 0) focusSoon(selector, frames - 1);
});

const commands = computed<Command[]>(() => {
  const list: Command[] = [
    { name: t.keys.choose, act: () => document.querySelector<HTMLElement>("#file")?.click() },
    { name: t.keys.address, act: () => focus("#url") },
    { name: t.intro.demo, act: openDemo },
  ];
  if (info.value) {
    for (const tab of tabs) list.push({ name: t.keys.show(t.views[tab]), act: () => show(tab) });
    list.push(
      { name: t.keys.message, act: () => (show("run"), focusSoon("#prompt")) },
      { name: t.chat.fresh, act: () => (show("run"), startChat(), focusSoon("#prompt")) },
      { name: t.keys.findKey, act: () => (show("file"), focusSoon("#metadata-search")) },
      { name: t.keys.findTensor, act: () => (show("file"), focusSoon("#tensor-search")) },
    );
  }
  if (busy.value) list.push({ name: t.run.stop, act: stop });
  if (phase.value !== "empty") list.push({ name: t.keys.close, act: close });
  list.push({ name: t.keys.theme, act: nextTheme });
  const words = filter.value.toLowerCase().split(/\s+/);
  return list.filter((c) => words.every((w) => c.name.toLowerCase().includes(w)));
});

export function Keys(): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const key = (e: KeyboardEvent) => {
      if (e.isComposing) return;
      if ((e.ctrlKey || e.metaKey) && !e.shiftKey && !e.altKey && e.key.toLowerCase() === "k") {
        e.preventDefault();
        filter.value = "";
        at.value = 0;
        open.value = !open.value;
      } else if (e.key === "Escape" && busy.value && !open.value) stop();
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, []);
  // Before the next key comes: whoever types on means the list.
  useLayoutEffect(() => {
    if (open.value) box.current?.showModal();
    else box.current?.close();
  }, [open.value]);
  const act = (c: Command | undefined) => {
    if (!c) return;
    open.value = false;
    box.current?.close(); // first: what the command focuses is not the dialog's
    c.act();
  };
  const chosen = Math.min(at.value, commands.value.length - 1);
  return (
    <dialog id="keys" class="keys" ref={box} aria-label={t.keys.title} onClose={() => (open.value = false)} onClick={(e) => e.target === e.currentTarget && (open.value = false)}>
      {open.value && (
        <div class="keys-body">
          <input
            type="search"
            role="combobox"
            list={undefined}
            aria-label={t.keys.search}
            aria-expanded="true"
            aria-controls="commands"
            aria-activedescendant={`command-${chosen}`}
            placeholder={t.keys.search}
            autofocus
            value={filter}
            onInput={(e) => {
              filter.value = e.currentTarget.value;
              at.value = 0;
            }}
            onKeyDown={(e) => {
              if (e.isComposing) return;
              const n = commands.value.length;
              if (e.key === "Enter") act(commands.value[chosen]);
              else if (e.key === "ArrowDown") at.value = (chosen + 1) % Math.max(1, n);
              else if (e.key === "ArrowUp") at.value = (chosen - 1 + n) % Math.max(1, n);
              else return;
              e.preventDefault();
            }}
          />
          <ul id="commands" role="listbox" aria-label={t.keys.title}>
            {commands.value.map((c, i) => (
              <li key={c.name} id={`command-${i}`} role="option" aria-selected={i === chosen} onClick={() => act(c)}>{c.name}</li>
            ))}
          </ul>
          {commands.value.length === 0 && <p class="quiet">{t.keys.none}</p>}
          <dl class="keys-list">
            {t.keys.list.map(([keys, what]) => <div key={keys}><dt><kbd>{keys}</kbd></dt><dd>{what}</dd></div>)}
          </dl>
        </div>
      )}
    </dialog>
  );
}

export function KeysButton(): JSX.Element {
  return <button id="keys-button" type="button" class="plain" aria-haspopup="dialog" onClick={() => ((filter.value = ""), (at.value = 0), (open.value = true))}>{t.keys.button} <kbd>Ctrl K</kbd></button>;
}
