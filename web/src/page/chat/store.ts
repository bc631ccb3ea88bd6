// Chats on this machine, in IndexedDB. Where the browser allows none, they last as long as the tab.

import type { Chat } from "./tree";

const stored = "chats";
let opening: Promise<IDBDatabase | undefined> | undefined;

function database(): Promise<IDBDatabase | undefined> {
  return (opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open("straw", 1);
      request.onupgradeneeded = () => request.result.createObjectStore(stored, { keyPath: "id" });
      request.onsuccess = () => resolve(request.result);
      request.onerror = request.onblocked = () => resolve(undefined);
    } catch {
      resolve(undefined); // storage is blocked
    }
  }));
}

async function within<T>(mode: IDBTransactionMode, work: (s: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  const db = await database();
  if (!db) return undefined;
  return new Promise((resolve, reject) => {
    const request = work(db.transaction(stored, mode).objectStore(stored));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** All chats, the one used last first. */
export async function all(): Promise<Chat[]> {
  const chats = (await within<Chat[]>("readonly", (s) => s.getAll())) ?? [];
  return chats.sort((a, b) => b.updated - a.updated);
}

export async function put(chat: Chat): Promise<void> {
  await within("readwrite", (s) => s.put(chat));
}

export async function remove(id: string): Promise<void> {
  await within("readwrite", (s) => s.delete(id));
}
