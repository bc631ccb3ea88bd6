// Downloads that are written a piece at a time: the service worker answers an address of its own with what the page writes, and the browser saves
// it. Where there is no service worker, or streams do not cross to it, the file is put together in memory.

import { StrawError } from "../straw";
import { t } from "../strings";

const mostInMemory = 1 << 29; // bytes of a download that is put together in memory
const awake = 10_000; // ms; an idle service worker is ended after 30 s

/** A stream whose bytes become a download. size, where it is known, is exactly what they are: the browser shows how far it is. */
export async function downloadStream(name: string, size?: number): Promise<WritableStream<Uint8Array>> {
  const through = await throughWorker(name, size);
  if (through) return through;
  const tooLarge = () => new StrawError({ kind: "memory", message: t.edit.tooLarge });
  if (size !== undefined && size > mostInMemory) throw tooLarge();
  let written = 0;
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  return new WritableStream({
    write: (p: Uint8Array<ArrayBuffer>) => {
      written += p.length;
      if (written > mostInMemory) throw tooLarge();
      pieces.push(p);
    },
    close: () => download(name, new Blob(pieces)),
  });
}

async function throughWorker(name: string, size?: number): Promise<WritableStream<Uint8Array> | undefined> {
  const worker = navigator.serviceWorker?.controller;
  if (!worker) return undefined;
  const ping = setInterval(() => worker.postMessage("stay awake"), awake);
  const over = () => clearInterval(ping);
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({ flush: over, cancel: over } as Transformer);
  const url = new URL(`download/${crypto.randomUUID()}`, location.href).href;
  const { port1, port2 } = new MessageChannel();
  const heard = new Promise((resolve) => (port1.onmessage = resolve));
  try {
    worker.postMessage({ url, name, size, body: readable }, [readable, port2]);
  } catch {
    over(); // streams cannot be passed on here
    return undefined;
  }
  await heard;
  const link = document.createElement("a"); // without `download`: that would go past the service worker
  link.href = url;
  link.click();
  return writable;
}

export function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
