// New files made of the open one: planned and written by the worker, into what the page gives it.

import type * as api from "./api";
import type { Channel } from "./channel";
import { StrawError } from "./errors";
import type { DraftParams } from "./protocol";

type Target = FileSystemFileHandle | WritableStream<Uint8Array>;

/** The changes as the worker takes them. */
export function settings({ set = {}, unset = [] }: Parameters<api.Model["edit"]>[0]): DraftParams {
  return {
    set: Object.entries(set).map(([key, v]) => (typeof v === "object" && "type" in v ? { key, type: v.type, value: v.value } : { key, value: v as api.Value })),
    unset,
  };
}

export class Draft implements api.Draft {
  readonly #draft: DraftParams;
  readonly #of: readonly (File | Blob)[];
  readonly #worker: (signal?: AbortSignal) => Promise<Channel>;

  /** `of` are the open files, none where they come from an address. */
  constructor(draft: DraftParams, of: readonly (File | Blob)[], worker: (signal?: AbortSignal) => Promise<Channel>) {
    this.#draft = draft;
    this.#of = of;
    this.#worker = worker;
  }

  async plan({ signal }: { signal?: AbortSignal } = {}) {
    return (await (await this.#worker(signal)).call("plan", { draft: this.#draft }, { signal })).result.files;
  }

  async save(target: api.SaveTarget, { signal, onProgress, inPlace = false }: api.SaveOptions = {}) {
    if (inPlace) await this.#mustBeOpen(target);
    const files = await this.plan({ signal });
    if (files.length > 1 && typeof target !== "function" && !isFolder(target)) throw new TypeError(`target: ${files.length} files need a folder or a function`);
    const worker = await this.#worker(signal);
    const total = files.reduce((sum, f) => sum + f.bytes, 0);
    let before = 0;
    const undoAll: (() => Promise<void>)[] = [];
    for (const [shard, file] of files.entries()) {
      try {
        const { to, undo } = await place(target, file);
        undoAll.push(undo);
        await worker.call("save", { draft: this.#draft, shard, ...(inPlace && { inPlace }) }, {
          signal,
          objects: [to],
          transfer: to instanceof WritableStream ? [to] : [],
          onEvent: (e) => {
            if (e.event === "progress" && e.data.phase === "save") onProgress?.({ ...e.data, done: before + e.data.done, total });
          },
        });
      } catch (e) {
        await Promise.all(undoAll.map((undo) => undo())); // some shards of a set are no use
        throw e;
      }
      before += file.bytes;
    }
    return files;
  }

  /** Another file must not get this one's header. */
  async #mustBeOpen(target: api.SaveTarget): Promise<void> {
    if (!("getFile" in target)) throw new TypeError("target: a file is changed in place through its handle");
    const [was] = this.#of;
    const now = await target.getFile();
    if (this.#of.length !== 1 || !(was instanceof File) || now.name !== was.name || now.size !== was.size || now.lastModified !== was.lastModified) {
      throw new StrawError({ kind: "io", field: "target", message: `${now.name} is not the open file, or it was changed since it was opened` });
    }
  }
}

function isFolder(target: api.SaveTarget): target is FileSystemDirectoryHandle {
  return "kind" in target && target.kind === "directory";
}

/** Where one file goes, and how its name is taken back if the file was not there before and is not written. */
async function place(target: api.SaveTarget, file: api.PlannedFile): Promise<{ to: Target; undo: () => Promise<void> }> {
  const keep = async () => {};
  if (typeof target === "function") return { to: await target(file), undo: keep };
  if (!isFolder(target)) return { to: target, undo: keep };
  const there = await target.getFileHandle(file.name).catch(() => undefined);
  if (there) return { to: there, undo: keep };
  return { to: await target.getFileHandle(file.name, { create: true }), undo: () => target.removeEntry(file.name).catch(() => {}) };
}
