// The chats of this machine and the one that is open; what a person does to them.

import { batch, computed, signal } from "@preact/signals";
import type { Last } from "../../straw";
import { asFailure, info } from "../state";
import { accountOf, busy, last as lastRun, run, said, stop } from "../running";
import type { Said } from "../running";
import * as exchange from "./exchange";
import { remoteOf } from "./remote";
import { optionsOf, set, settings, toolsOf } from "./settings";
import * as store from "./store";
import type { Chat } from "./tree";
import { append, callsOf, messages, newChat, path, show, titleOf } from "./tree";

export const chats = signal<readonly Chat[]>([]);
export const current = signal<Chat>(newChat("", ""));
/** The chat that is being answered, and the place of the question. */
export const answering = signal<{ id: string; place: number } | undefined>();
export const chatFailure = signal("");

/** Turns shown, with their places. */
export const shown = computed(() => path(current.value));

let loaded: Promise<void> | undefined;

/** Reads the chats of this machine, once. */
export function loadChats(): Promise<void> {
  return (loaded ??= store.all().then(
    (all) => void (chats.value = all),
    (e) => void (chatFailure.value = asFailure(e).message),
  ));
}

/** Puts a chat among the others and into the store. */
function keep(chat: Chat): void {
  chats.value = [chat, ...chats.value.filter((c) => c.id !== chat.id)].sort((a, b) => b.updated - a.updated);
  if (current.value.id === chat.id) current.value = chat;
  store.put(chat).catch((e) => (chatFailure.value = asFailure(e).message));
}

export function startChat(): void {
  current.value = newChat(modelName(), settings.value["system"] ?? "");
}

export function openChat(chat: Chat): void {
  batch(() => {
    current.value = chat;
    set({ system: chat.system });
  });
}

export function removeChat(chat: Chat): void {
  if (answering.value?.id === chat.id) stop();
  chats.value = chats.value.filter((c) => c.id !== chat.id);
  store.remove(chat.id).catch((e) => (chatFailure.value = asFailure(e).message));
  if (current.value.id === chat.id) startChat();
}

/** Shows another branch. */
export function turnTo(place: number): void {
  keep(show(current.value, place));
}

const modelName = (): string => info.value?.summary.name ?? "";

/** Asks after `parent`: at the end, or beside an old question, whose branch stays. */
export async function ask(text: string, parent = current.value.leaf): Promise<void> {
  if (busy.value || !text.trim()) return;
  const chat = append({ ...current.value, system: settings.value["system"] ?? "" }, parent, { message: { role: "user", content: text } });
  await answer({ ...chat, title: chat.title || titleOf(text), model: chat.model || modelName() }, chat.leaf);
}

/** Answers the question of this answer once more, beside it. */
export async function again(place: number): Promise<void> {
  const question = current.value.turns[place]?.parent ?? -1;
  if (busy.value || question < 0) return;
  await answer({ ...current.value, system: settings.value["system"] ?? "", leaf: question }, question);
}

/** Gives the model what its calls came to, in their order, and lets it go on. */
export async function answerCalls(place: number, results: readonly string[]): Promise<void> {
  if (busy.value) return;
  let chat: Chat = { ...current.value, leaf: place };
  for (const [i, call] of callsOf(chat.turns[place]?.message).entries()) {
    chat = append(chat, chat.leaf, { message: { role: "tool", name: call.name, content: results[i] ?? "", ...(call.id && { tool_call_id: call.id }) } });
  }
  await answer(chat, chat.leaf);
}

async function answer(chat: Chat, place: number): Promise<void> {
  let tools: object[];
  try {
    tools = toolsOf(settings.value);
  } catch (e) {
    chatFailure.value = asFailure(e).message;
    return;
  }
  keep(chat);
  current.value = chat;
  answering.value = { id: chat.id, place };
  const state = await run({ ...optionsOf(settings.value), messages: messages(chat, place), ...(tools.length > 0 && { tools }) }, remoteOf(settings.value));
  answering.value = undefined;
  // The chat may have been removed meanwhile, or another model opened: then nobody waits for the answer.
  const now = chats.value.find((c) => c.id === chat.id);
  if (!now || (state !== "done" && !written(said.value))) return;
  keep(append(now, place, turnOf(said.value, lastRun.value)));
}

const written = (s: Said): boolean => s.text !== "" || s.thought !== "" || s.calls.length > 0;

function turnOf(s: Said, last: Last | undefined) {
  return {
    message: {
      role: "assistant",
      content: s.text,
      ...(s.thought && { reasoning_content: s.thought }),
      ...(s.calls.length > 0 && { tool_calls: s.calls.map((c) => ({ ...(c.id && { id: c.id }), type: "function", function: { name: c.name, arguments: c.arguments } })) }),
    },
    ...(last && { account: accountOf(last) }),
    ...(s.tokens.length > 0 && { tokens: [...s.tokens] }),
  };
}

export function exported(): Blob {
  return new Blob([exchange.write(chats.value)], { type: "application/json" });
}

/** Adds the chats of a file; of one that is here already the newer stays. */
export async function importChats(file: File): Promise<void> {
  try {
    const given = exchange.read(await file.text());
    for (const chat of given) {
      const here = chats.value.find((c) => c.id === chat.id);
      if (!here || here.updated < chat.updated) keep(chat);
    }
    chatFailure.value = "";
  } catch (e) {
    chatFailure.value = asFailure(e).message;
  }
}
