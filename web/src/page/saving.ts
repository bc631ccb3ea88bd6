// Saving what the page makes: into a file that the person chooses where the browser can (File System Access), else as a download.

import { StrawError } from "../straw";
import { t } from "../strings";

interface Picker {
  showSaveFilePicker?: (o: { suggestedName: string }) => Promise<FileSystemFileHandle>;
}

const mostInMemory = 1 << 29; // bytes of a download, which is put together in memory

/** Whether a file of any size can be saved, as it is written piece by piece. */
export function canStream(): boolean {
  return "showSaveFilePicker" in window;
}

/** The file that the person chooses to write, or undefined where they think better of it. Must be called on a click. */
export async function chooseFile(name: string): Promise<FileSystemFileHandle | undefined> {
  try {
    return await (window as Picker).showSaveFilePicker?.({ suggestedName: name });
  } catch (e) {
    if ((e as Error).name === "AbortError") return undefined;
    throw e;
  }
}

/** Saves pieces under a name; false where the person thought better of it. Must be called on a click. */
export async function savePieces(name: string, size: number, pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): Promise<boolean> {
  if (canStream()) {
    const file = await chooseFile(name);
    if (!file) return false;
    const out = await file.createWritable(); // takes the file's place when it is closed
    try {
      for await (const p of pieces) await out.write(p);
    } catch (e) {
      await out.abort();
      throw e;
    }
    await out.close();
    return true;
  }
  if (size > mostInMemory) throw new StrawError({ kind: "memory", message: t.tensor.tooLarge });
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const p of pieces) all.push(p);
  download(name, new Blob(all));
  return true;
}

export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
