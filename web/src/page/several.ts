// Several files at once: the shards of one model, or a model and what belongs to it.

import type { OpenOptions } from "../straw";
import { open } from "../straw";

/** A file, with its handle where the browser gives one. */
export interface Given {
  file: File;
  handle?: FileSystemFileHandle | undefined;
}

/** What came with the file that is open. */
export interface Companion {
  name: string;
  /** As in the summary; undefined where the file cannot be read. */
  kind: string | undefined;
  files: readonly Given[];
}

export interface Choice {
  /** The model, or the first file where none is one. */
  main: readonly Given[];
  others: readonly Companion[];
}

/** Finds the model among files. Of each only the header is read. */
export async function choose(given: readonly Given[], options: OpenOptions): Promise<Choice> {
  const groups = groupsOf(given);
  if (groups.length === 1 || (await kindOf(given, options)) !== undefined) return { main: given, others: [] };
  const all: Companion[] = [];
  for (const files of groups) all.push({ name: files[0]?.file.name ?? "", kind: await kindOf(files, options), files });
  const main = all.find((c) => c.kind === "model") ?? all.find((c) => c.kind !== undefined) ?? (all[0] as Companion);
  return { main: main.files, others: all.filter((c) => c !== main) };
}

/** Files by the names that shards have: those of one set together. */
function groupsOf(given: readonly Given[]): Given[][] {
  const sets = new Map<string, Given[]>();
  for (const [i, g] of given.entries()) {
    const key = /^.*-(?=\d{5}-of-(\d{5})\.gguf$)/.exec(g.file.name)?.[0] ?? `${i}/`; // a name has no slash
    sets.set(key, [...(sets.get(key) ?? []), g]);
  }
  return [...sets.values()];
}

/** What the files are together; undefined where they are no model. */
async function kindOf(given: readonly Given[], options: OpenOptions): Promise<string | undefined> {
  try {
    const files = given.map((g) => g.file);
    const m = await open(files.length === 1 ? (files[0] as File) : files, options);
    m.close();
    return m.info.summary.kind;
  } catch (e) {
    if (options.signal?.aborted) throw e;
    return undefined;
  }
}
