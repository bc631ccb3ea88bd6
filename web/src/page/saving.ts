// Saving what the page makes: into a file that the person chooses where the browser can (File System Access), else as a download.

import { downloadStream } from "./downloads";

/** Whether the person can choose where a file is saved. */
export function canStream(): boolean {
  return "showSaveFilePicker" in window;
}

/** What a picker gives, or undefined where the person thinks better of it. */
export async function chosen<T>(picking: Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await picking;
  } catch (e) {
    if ((e as Error).name === "AbortError") return undefined;
    throw e;
  }
}

export interface Target {
  name: string;
  to: FileSystemFileHandle | WritableStream<Uint8Array>;
}

/** Where a file of size bytes, where that is known, is saved, or undefined where the person thinks better of it. Must be called on a click. */
export async function saveTarget(name: string, size?: number): Promise<Target | undefined> {
  if (!canStream()) return { name, to: await downloadStream(name, size) };
  const to = await chosen(window.showSaveFilePicker?.({ suggestedName: name }));
  return to && { name: to.name, to };
}

/** Saves pieces under a name; false where the person thought better of it. Must be called on a click. */
export async function savePieces(name: string, size: number | undefined, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<boolean> {
  const target = await saveTarget(name, size);
  if (!target) return false;
  const out = "createWritable" in target.to ? await target.to.createWritable() : target.to; // a file is replaced when the new one is whole
  const writer = out.getWriter();
  try {
    for await (const p of pieces) await writer.write(p);
  } catch (e) {
    await writer.abort();
    throw e;
  }
  await writer.close();
  return true;
}
