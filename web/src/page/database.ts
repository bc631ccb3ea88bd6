// What the page keeps on this machine, in IndexedDB. Where the browser allows none, nothing is kept, and everything else works.

/** Records of one kind, in a database of their own. */
export class Store<T extends { id: string }> {
  readonly #name: string;
  readonly #kind: string;
  #opening: Promise<IDBDatabase | undefined> | undefined;

  constructor(name: string, kind: string) {
    this.#name = name;
    this.#kind = kind;
  }

  async all(): Promise<T[]> {
    return (await this.#within<T[]>("readonly", (s) => s.getAll())) ?? [];
  }

  async put(record: T): Promise<void> {
    await this.#within("readwrite", (s) => s.put(record));
  }

  async remove(id: string): Promise<void> {
    await this.#within("readwrite", (s) => s.delete(id));
  }

  #database(): Promise<IDBDatabase | undefined> {
    return (this.#opening ??= new Promise((resolve) => {
      try {
        const request = indexedDB.open(this.#name, 1);
        request.onupgradeneeded = () => request.result.createObjectStore(this.#kind, { keyPath: "id" });
        request.onsuccess = () => resolve(request.result);
        request.onerror = request.onblocked = () => resolve(undefined);
      } catch {
        resolve(undefined); // storage is blocked
      }
    }));
  }

  async #within<R>(mode: IDBTransactionMode, work: (s: IDBObjectStore) => IDBRequest<R>): Promise<R | undefined> {
    const db = await this.#database();
    if (!db) return undefined;
    return new Promise((resolve, reject) => {
      const request = work(db.transaction(this.#kind, mode).objectStore(this.#kind));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }
}
