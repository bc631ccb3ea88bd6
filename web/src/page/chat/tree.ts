// A chat as a tree: editing a question or asking again for an answer begins a branch beside the old one, and nothing is lost.
// Turns are only ever appended and a turn's parent stands before it, so a turn is named by its place in the list.

import type { Message } from "../../straw";

/** What a token was, and what it might have been. Logarithms of probabilities. */
export interface TokenView {
  text: string;
  logprob: number;
  top: { text: string; logprob: number }[];
}

export interface Turn {
  /** Place of the turn before; -1 for the first. */
  parent: number;
  message: Message;
  /** Of an answer: one line about speed and end. */
  account?: string;
  /** Of an answer that was written with probabilities. */
  tokens?: TokenView[];
}

export interface Chat {
  id: string;
  title: string;
  /** Name of the model it began with. */
  model: string;
  system: string;
  turns: Turn[];
  /** Place of the last turn shown; -1 while there is none. */
  leaf: number;
  /** ms since 1970. */
  updated: number;
}

export function newChat(model: string, system: string): Chat {
  return { id: Math.random().toString(36).slice(2), title: "", model, system, turns: [], leaf: -1, updated: Date.now() };
}

/** Places of the turns shown, the first one first. */
export function path(chat: Chat): number[] {
  const places: number[] = [];
  for (let i = chat.leaf; i >= 0; i = chat.turns[i]?.parent ?? -1) places.push(i);
  return places.reverse();
}

/** Places of the turns that stand where `place` stands: its branches, the oldest first. */
export function branches(chat: Chat, place: number): number[] {
  const parent = chat.turns[place]?.parent;
  return chat.turns.flatMap((t, i) => (t.parent === parent ? [i] : []));
}

/** The chat with one more turn after `parent`, which is shown. */
export function append(chat: Chat, parent: number, turn: Omit<Turn, "parent">): Chat {
  return { ...chat, turns: [...chat.turns, { parent, ...turn }], leaf: chat.turns.length, updated: Date.now() };
}

/** Shows the branch of `place`, down to its newest end. */
export function show(chat: Chat, place: number): Chat {
  let leaf = place;
  for (let next = place; next >= 0; next = chat.turns.findLastIndex((t) => t.parent === leaf)) leaf = next;
  return { ...chat, leaf };
}

/** What a model is given to answer the turn at `place`. */
export function messages(chat: Chat, place: number): Message[] {
  const turns = path({ ...chat, leaf: place }).map((i) => (chat.turns[i] as Turn).message);
  return chat.system.trim() ? [{ role: "system", content: chat.system }, ...turns] : turns;
}

/** The tools that a message calls. */
export function callsOf(m: Message | undefined): { id?: string; name: string; arguments: string }[] {
  return (m?.tool_calls ?? []).map(({ id, function: f }) => ({ ...(id && { id }), ...f }));
}

/** The beginning of a text, on one line. */
export function titleOf(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
