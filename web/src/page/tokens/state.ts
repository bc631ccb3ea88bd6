// What the tokenizer workbench works on. It stays while other views are looked at, and when another file is opened.

import { signal } from "@preact/signals";
import type { Model, Source } from "../../straw";
import { open } from "../../straw";
import { t } from "../../strings";

export const text = signal(t.tokens.sample);
export const addSpecial = signal(true);
export const parseSpecial = signal(true);

/** Another file whose tokenizer works on the same text. */
export interface Other {
  name: string;
  model: Model;
}
export const others = signal<readonly Other[]>([]);

export async function openOther(source: Source, name: string): Promise<void> {
  const model = await open(source);
  others.value = [...others.value, { name, model }];
}

export function closeOther(other: Other): void {
  other.model.close();
  others.value = others.value.filter((o) => o !== other);
}
