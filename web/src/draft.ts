// New files made of the open one: planned and written by the worker, into what the page gives it.

import type * as api from "./api";
import type { Channel } from "./channel";
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
  readonly #worker: (signal?: AbortSignal) => Promise<Channel>;

  constructor(draft: DraftParams, worker: (signal?: AbortSignal) => Promise<Channel>) {
    this.#draft = draft;
    this.#worker = worker;
  }

  async plan({ signal }: { signal?: AbortSignal } = {}) {
    return (await (await this.#worker(signal)).call("plan", { draft: this.#draft }, { signal })).result.files;
  }

  async save(target: api.SaveTarget, { signal, onProgress }: api.SaveOptions = {}) {
    const files = await this.plan({ signal });
    if (files.length > 1 && typeof target !== "function" && !isFolder(target)) throw new TypeError(`target: ${files.length} files need a folder or a function`);
    const worker = await this.#worker(signal);
    const total = files.reduce((sum, f) => sum + f.bytes, 0);
    let before = 0;
    for (const [shard, file] of files.entries()) {
      const { to, undo } = await place(target, file);
      try {
        await worker.call("save", { draft: this.#draft, shard }, {
          signal,
          objects: [to],
          transfer: to instanceof WritableStream ? [to] : [],
          onEvent: (e) => {
            if (e.event === "progress" && e.data.phase === "save") onProgress?.({ ...e.data, done: before + e.data.done, total });
          },
        });
      } catch (e) {
        await undo();
        throw e;
      }
      before += file.bytes;
    }
    return files;
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
