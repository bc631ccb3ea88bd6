// Files to open again. Their handles are kept in this browser, and only when the person asks for that; the browser asks again before it lets the page
// read one of them.

import { effect, signal } from "@preact/signals";
import { t } from "../strings";
import { Store } from "./database";
import { info, model, openHandles, openedHandles } from "./state";

export interface Recent {
  id: string;
  name: string;
  /** Bytes of all shards. */
  bytes: number;
  opened: number;
  handles: FileSystemFileHandle[];
}

const most = 12;
const consent = "straw.remember";
const store = new Store<Recent>("straw-files", "recent");

/** Whether this browser gives handles at all. */
export const canRemember = "showOpenFilePicker" in window;
export const remembers = signal(canRemember && localStorage.getItem(consent) === "1");
/** The one opened last first. */
export const recents = signal<readonly Recent[]>([]);
/** Why a file of the list was not opened. */
export const refusal = signal("");

export async function loadRecents(): Promise<void> {
  recents.value = (await store.all()).sort((a, b) => b.opened - a.opened);
}

/** Taking consent back forgets what was kept. */
export async function setRemembers(yes: boolean): Promise<void> {
  remembers.value = yes;
  if (yes) localStorage.setItem(consent, "1");
  else {
    localStorage.removeItem(consent);
    for (const r of recents.value) await store.remove(r.id);
    await loadRecents();
  }
}

export async function forget(r: Recent): Promise<void> {
  await store.remove(r.id);
  await loadRecents();
}

/** Must be called on a click: the browser may ask the person. */
export async function openRecent(r: Recent): Promise<void> {
  refusal.value = "";
  for (const h of r.handles) {
    if ((await h.requestPermission?.({ mode: "read" })) === "denied") {
      refusal.value = t.recent.denied(r.name);
      return;
    }
  }
  openHandles(r.handles);
}

effect(() => {
  const handles = openedHandles.value;
  const first = handles[0];
  if (!model.value || !remembers.value || !first) return;
  void note({ name: first.name, bytes: Number(info.peek()?.summary.size ?? 0), opened: Date.now(), handles: [...handles] });
});

async function note(r: Omit<Recent, "id">): Promise<void> {
  const all = await store.all();
  const isSame = await Promise.all(all.map((o) => o.handles[0]?.isSameEntry(r.handles[0] as FileSystemFileHandle)));
  const id = all.find((_, i) => isSame[i])?.id ?? crypto.randomUUID();
  await store.put({ ...r, id });
  const others = all.filter((o) => o.id !== id).sort((a, b) => b.opened - a.opened);
  for (const o of others.slice(most - 1)) await store.remove(o.id);
  await loadRecents();
}
