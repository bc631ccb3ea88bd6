// What the Go program sees of the kernels: the imports "straw", which it calls while it computes, and the object straw of the worker's scope
// to start and end things with. See straw/wasm/internal/simd.

import { Banks } from "./banks";
import { able, choose } from "./features";
import { compile, instantiate, moduleName } from "./modules";
import type { Kernel } from "./modules";

export interface Started {
  backend: string;
  reason: string;
  threads: number;
}

export class Host {
  #memory: WebAssembly.Memory | undefined;
  #heap: Kernel[] = []; // over the program's own memory
  #banks: Banks | undefined;
  #workers: Worker[] = [];
  #threads = 1;

  /** The imports of the program. Only what start makes of them may be called. */
  readonly imports = {
    call: (f: number, p: number, q: number, r: number, a: number, b: number, c: number, d: number) => (this.#heap[f] as Kernel)(p, q, r, a, b, c, d),
    multiply: (job: number) => this.#banks?.multiply(job),
    write: (bank: number, at: number, from: number, n: number) => this.#banks?.write(bank, at >>> 0, from, n),
    read: (bank: number, at: number, to: number, n: number) => this.#banks?.read(bank, at >>> 0, to, n),
  };

  /** The program runs in this memory. */
  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  /** Chooses how to compute and gets the modules for it. */
  async start(backend: string, threads: number): Promise<Started> {
    const choice = choose({ backend, threads }, able());
    if (choice.backend === "scalar") return choice;
    const memory = this.#memory as WebAssembly.Memory;
    const shared = choice.backend === "simd-threads";
    const own = compile(moduleName(choice.kind, false));
    const banks = shared ? compile(moduleName(choice.kind, true)) : own;
    this.#heap = instantiate(await own, memory);
    this.#banks = new Banks(await banks, shared, () => memory.buffer as ArrayBuffer);
    this.#threads = choice.threads;
    return choice;
  }

  /** Room in a bank; see Banks.keep. */
  keep(bytes: number): number {
    return this.#banks?.keep(bytes) ?? -1;
  }

  /** Starts the threads, when all weights have their place. */
  async run(): Promise<void> {
    const team = this.#banks?.divide(this.#threads);
    if (!team) return;
    const ready = Array.from({ length: this.#threads - 1 }, () => new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL("./kernels.js", import.meta.url), { type: "module", name: "kernels" });
      worker.onmessage = () => resolve();
      worker.onerror = (e) => reject(new Error(`a kernel worker could not be started: ${e.message || "kernels.js did not load"}`));
      worker.postMessage(team);
      this.#workers.push(worker);
    }));
    await Promise.all(ready);
  }
}
