// What is to change in the open file. Nothing is written before the person saves; the worker says what is wrong with a change, and what it would make.

import { computed, effect, signal } from "@preact/signals";
import type { Draft, Failure, PlannedFile } from "../../straw";
import { asFailure, model } from "../state";

/** A value as its type's name and a text: u8, ..., str, and arrays (u8[]) as JSON. */
export interface Setting {
  type: string;
  text: string;
}

/** By key; undefined takes the key away. In the order of the changes. */
export type Edits = ReadonlyMap<string, Setting | undefined>;

export const edits = signal<Edits>(new Map());
export const planned = signal<{ file?: PlannedFile; failure?: Failure }>({});

const types = ["str", "u32", "i32", "f32", "bool", "u8", "i8", "u16", "i16", "u64", "i64", "f64"];
/** The types a value can have. */
export const typeNames: readonly string[] = [...types, ...types.map((name) => `${name}[]`)];

/** The file that the changes make of the open one. */
export function draftOf(changes: Edits): Draft | undefined {
  const set = [...changes].flatMap(([key, s]) => (s ? [[key, { type: s.type, value: s.text }] as const] : []));
  const unset = [...changes].flatMap(([key, s]) => (s ? [] : [key]));
  return model.value?.edit({ set: Object.fromEntries(set), unset });
}

/** Why a key cannot have a value; undefined where it can. */
export async function check(key: string, setting: Setting): Promise<Failure | undefined> {
  try {
    await draftOf(new Map([[key, setting]]))?.plan();
    return undefined;
  } catch (e) {
    const f = asFailure(e);
    return { ...f, message: f.message.replace(/^key "(?:[^"\\]|\\.)*": /, "") }; // it stands beside the key
  }
}

export function change(key: string, setting: Setting | undefined): void {
  edits.value = new Map(edits.value).set(key, setting);
}

/** The key is as the file has it, or as if it was never added. */
export function keep(key: string): void {
  const rest = new Map(edits.value);
  rest.delete(key);
  edits.value = rest;
}

export const changed = computed(() => edits.value.size > 0);

// Another file: nothing is to change in it.
effect(() => {
  void model.value;
  edits.value = new Map();
});

let asked = 0;
effect(() => {
  const mine = ++asked;
  if (edits.value.size === 0) {
    planned.value = {};
    return;
  }
  draftOf(edits.value)?.plan().then(
    ([file]) => {
      if (mine === asked && file) planned.value = { file };
    },
    (e) => {
      if (mine === asked) planned.value = { failure: asFailure(e) };
    },
  );
});
