// Chats as a JSON file: {"straw": "chats", "version": 1, "chats": [...]}. What comes in may be anything, so each part is looked at.

import type { Message } from "../../straw";
import type { Chat, Turn } from "./tree";

export function write(chats: readonly Chat[]): string {
  return JSON.stringify({ straw: "chats", version: 1, chats }, null, 1);
}

/** @throws TypeError that names the part which is not as it should be. */
export function read(text: string): Chat[] {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new TypeError("this is no JSON");
  }
  const { straw, version, chats } = object(file, "the file");
  if (straw !== "chats") throw new TypeError('this is no file of chats: "straw": "chats" is missing');
  if (version !== 1) throw new TypeError(`version ${String(version)} of a file of chats is not known here`);
  return list(chats, "chats").map((c, i) => chat(c, `chats[${i}]`));
}

function chat(v: unknown, at: string): Chat {
  const c = object(v, at);
  const turns = list(c["turns"], `${at}.turns`).map((t, i) => turn(t, i, `${at}.turns[${i}]`));
  return {
    id: string(c["id"], `${at}.id`),
    title: string(c["title"], `${at}.title`),
    model: string(c["model"], `${at}.model`),
    system: string(c["system"], `${at}.system`),
    turns,
    leaf: integer(c["leaf"], -1, turns.length - 1, `${at}.leaf`),
    updated: integer(c["updated"], 0, Number.MAX_SAFE_INTEGER, `${at}.updated`),
  };
}

function turn(v: unknown, place: number, at: string): Turn {
  const t = object(v, at);
  return {
    parent: integer(t["parent"], -1, place - 1, `${at}.parent`),
    message: message(t["message"], `${at}.message`),
    ...(t["account"] !== undefined && { account: string(t["account"], `${at}.account`) }),
    ...(t["tokens"] !== undefined && {
      tokens: list(t["tokens"], `${at}.tokens`).map((x, i) => {
        const where = `${at}.tokens[${i}]`;
        return { ...token(x, where), top: list(object(x, where)["top"], `${where}.top`).map((o, k) => token(o, `${where}.top[${k}]`)) };
      }),
    }),
  };
}

function token(v: unknown, at: string): { text: string; logprob: number } {
  const { text, logprob } = object(v, at);
  if (typeof logprob !== "number") throw new TypeError(`${at}.logprob: want a number`);
  return { text: string(text, `${at}.text`), logprob };
}

function message(v: unknown, at: string): Message {
  const m = object(v, at);
  const out: Message = { role: string(m["role"], `${at}.role`) };
  for (const k of ["content", "reasoning_content", "tool_call_id", "name"] as const) if (m[k] !== undefined) out[k] = string(m[k], `${at}.${k}`);
  if (m["tool_calls"] !== undefined) {
    out.tool_calls = list(m["tool_calls"], `${at}.tool_calls`).map((c, i) => {
      const f = object(object(c, `${at}.tool_calls[${i}]`)["function"], `${at}.tool_calls[${i}].function`);
      const { id } = object(c, `${at}.tool_calls[${i}]`);
      return { ...(id !== undefined && { id: string(id, `${at}.tool_calls[${i}].id`) }), type: "function", function: { name: string(f["name"], `${at}.name`), arguments: string(f["arguments"], `${at}.arguments`) } };
    });
  }
  return out;
}

function object(v: unknown, at: string): Record<string, unknown> {
  if (typeof v !== "object" || v === null || Array.isArray(v)) throw new TypeError(`${at}: want an object`);
  return v as Record<string, unknown>;
}

function list(v: unknown, at: string): unknown[] {
  if (!Array.isArray(v)) throw new TypeError(`${at}: want a list`);
  return v;
}

function string(v: unknown, at: string): string {
  if (typeof v !== "string") throw new TypeError(`${at}: want a text`);
  return v;
}

function integer(v: unknown, least: number, most: number, at: string): number {
  if (!Number.isSafeInteger(v) || (v as number) < least || (v as number) > most) throw new TypeError(`${at}: want a whole number from ${least} to ${most}`);
  return v as number;
}
