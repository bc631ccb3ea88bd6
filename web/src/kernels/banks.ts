// Weights in memories of their own, outside the Go program's: each below 4 GiB, as many as it takes. A memory begins with room for one
// operation's activations and results, which come from Go's memory and go back there; the weights never do.

import { instantiate } from "./modules";
import type { Kernel } from "./modules";
import { Tickets, mostChunks, newControl, operationWords } from "./ticket";
import type { Compute } from "./ticket";

const page = 65536; // bytes
const mostPages = 65536;

// The room for an operation: columns of float32, the same rounded, results.
const given = 0;
const rounded = given + (4 << 20);
const results = rounded + (4 << 20);
const weights = results + (4 << 20);

/** Bytes of packed rows in a chunk of an operation at most, if it has several columns: they stay in a core's cache. */
const tile = 64 << 10;

/** What a kernel worker gets before it works. */
export interface Team {
  control: Int32Array;
  module: WebAssembly.Module;
  memories: WebAssembly.Memory[];
}

// The parameters of an operation, behind its number of chunks.
const enum Word { kernel = 1, bank, w, rowBytes, rows, chunkRows, x, k, n }

/** Computes chunks of operations on banks. */
export function computing(banks: Kernel[][]): Compute {
  return (c, at, chunk) => {
    const word = (i: Word) => c[at + i] as number;
    const rows = word(Word.rows), chunkRows = word(Word.chunkRows);
    const first = chunk * chunkRows;
    const kernel = (banks[word(Word.bank)] as Kernel[])[word(Word.kernel)] as Kernel;
    kernel(results + 4 * first, word(Word.w) + first * word(Word.rowBytes), word(Word.x), rows, Math.min(chunkRows, rows - first), word(Word.k), word(Word.n));
  };
}

export class Banks {
  readonly #module: WebAssembly.Module;
  readonly #shared: boolean;
  readonly #go: () => ArrayBuffer;
  readonly #memories: WebAssembly.Memory[] = [];
  readonly #kernels: Kernel[][] = [];
  readonly #ends: number[] = []; // of what is taken of each bank
  readonly #staged: Staged[] = []; // what is in each bank's room
  readonly #compute: Compute = computing(this.#kernels);
  readonly #own = new Int32Array(operationWords); // of operations that are computed here alone
  #control: Int32Array = this.#own;
  #tickets: Tickets | undefined;
  #threads = 1;

  /** go is the memory of the program that asks. */
  constructor(module: WebAssembly.Module, shared: boolean, go: () => ArrayBuffer) {
    this.#module = module;
    this.#shared = shared;
    this.#go = go;
  }

  /** Makes room for so many bytes: bank * 2^32 + address, or -1 if the browser gives no more memory. */
  keep(bytes: number): number {
    const fits = (end: number) => end + bytes <= mostPages * page;
    let bank = this.#ends.findIndex(fits);
    try {
      if (bank < 0) {
        if (!fits(weights)) return -1;
        const memory = new WebAssembly.Memory({ initial: weights / page, maximum: mostPages, shared: this.#shared });
        this.#kernels.push(instantiate(this.#module, memory));
        bank = this.#memories.push(memory) - 1;
        this.#ends.push(weights);
        this.#staged.push(nothing);
      }
      const memory = this.#memories[bank] as WebAssembly.Memory;
      const at = this.#ends[bank] as number;
      const missing = Math.ceil((at + bytes - memory.buffer.byteLength) / page);
      if (missing > 0) memory.grow(missing);
      this.#ends[bank] = Math.ceil((at + bytes) / 64) * 64;
      return bank * 2 ** 32 + at;
    } catch (e) {
      if (e instanceof RangeError) return -1;
      throw e;
    }
  }

  /** Copies n bytes from the program's memory to a bank, or back. */
  write(bank: number, at: number, from: number, n: number): void {
    this.#bytes(bank, at, n).set(new Uint8Array(this.#go(), from, n));
  }

  read(bank: number, at: number, to: number, n: number): void {
    new Uint8Array(this.#go(), to, n).set(this.#bytes(bank, at, n));
  }

  #bytes(bank: number, at: number, n: number): Uint8Array {
    return new Uint8Array((this.#memories[bank] as WebAssembly.Memory).buffer, at, n);
  }

  /** Where chunks are computed from now on: here alone, or by a team as well, which is given the banks that there are. */
  divide(threads: number): Team | undefined {
    this.#tickets?.stop();
    this.#tickets = undefined;
    this.#threads = threads;
    if (threads === 1) return undefined;
    this.#control = newControl();
    this.#tickets = new Tickets(this.#control, this.#compute);
    return { control: this.#control, module: this.#module, memories: this.#memories };
  }

  /**
   * Multiplies rows of a bank with columns of the program's memory. Words of 32 bits at job say how: where the results go, and the step from
   * one column's to the next one's, in numbers; where the columns are, how many, how long; the number of their rounding, or -1, and a
   * serial number that changes with their values; the number of the multiplication; bank and address of the rows, how many, their bytes.
   */
  multiply(job: number): void {
    const go = this.#go();
    const [dst, stride, x, n, k, round, serial, f, bank, w, rows, rowBytes] = new Uint32Array(go, job, 12) as unknown as Twelve;
    const columns = Math.max(1, Math.min(n, Math.floor((results - rounded) / (4 * k)), Math.floor((weights - results) / (4 * rows))));
    for (let first = 0; first < n; first += columns) {
      const count = Math.min(columns, n - first);
      const at = this.#stage(bank, { x: x + 4 * k * first, count, k, round, serial });
      this.#run(f, bank, w, rowBytes, rows, at, k, count);
      const from = new Float32Array((this.#memories[bank] as WebAssembly.Memory).buffer, results, count * rows);
      const to = new Float32Array(go);
      for (let c = 0; c < count; c++) to.set(from.subarray(c * rows, (c + 1) * rows), dst / 4 + (first + c) * stride);
    }
  }

  /** Brings columns into a bank's room, rounded if they are to be, unless they are there; gives their address. */
  #stage(bank: number, s: Staged): number {
    const at = s.round === none ? given : rounded;
    const there = this.#staged[bank] as Staged;
    if (there.serial === s.serial && there.x === s.x && there.count === s.count && there.round === s.round) return at;
    this.#bytes(bank, given, 4 * s.k * s.count).set(new Uint8Array(this.#go(), s.x, 4 * s.k * s.count));
    if (s.round !== none) this.#kernels[bank]?.[s.round]?.(rounded, given, 0, s.k, s.count, 0, 0);
    this.#staged[bank] = s;
    return at;
  }

  #run(f: number, bank: number, w: number, rowBytes: number, rows: number, x: number, k: number, n: number): void {
    let chunkRows = rows;
    if (this.#tickets) chunkRows = Math.ceil(rows / (8 * this.#threads));
    if (n > 4) chunkRows = Math.min(chunkRows, Math.floor(tile / rowBytes));
    chunkRows = Math.max(4, Math.ceil(chunkRows / 4) * 4, Math.ceil(rows / mostChunks));
    const chunks = Math.ceil(rows / chunkRows);
    const operation = [chunks, f, bank, w, rowBytes, rows, chunkRows, x, k, n];
    if (this.#tickets && chunks > 1 && rows * k * n > smallProduct) {
      this.#control.set(operation, this.#tickets.next());
      return this.#tickets.run(chunks);
    }
    this.#own.set(operation);
    for (let i = 0; i < chunks; i++) this.#compute(this.#own, 0, i);
  }
}

/** Products with fewer multiplications are not divided: waking a worker costs about as much. */
const smallProduct = 1 << 17;

interface Staged {
  x: number;
  count: number;
  k: number;
  round: number;
  serial: number;
}

const nothing: Staged = { x: 0, count: 0, k: 0, round: 0, serial: -1 };
const none = 0xffffffff; // -1 in 32 bits

type Twelve = [number, number, number, number, number, number, number, number, number, number, number, number];
