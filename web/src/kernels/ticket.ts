// How threads share an operation: one word says which operation it is and how many of its chunks nobody has taken. Whoever takes a chunk
// lowers the word by compare-exchange, so a chunk is taken once, and only while its operation is the current one. The parameters of an
// operation lie in one of two places, by its number, and are overwritten two operations later: not before the one between is done, thus not
// before every chunk taken here is. So parameters that were read before a successful exchange are the operation's.

/** Words of the control block, an Int32Array over shared memory. */
const ticket = 0; // number of the operation << chunkBits | chunks that nobody has taken
const done = 1; // chunks that were computed
const sleepers = 2; // workers that wait for a new ticket
const callerSleeps = 3;
const stopped = 4;
const faults = 5; // chunks whose computing failed
const parameters = 8;

export const chunkBits = 10;
export const mostChunks = (1 << chunkBits) - 1;
/** Words that the parameters of an operation may take; the first is its number of chunks. */
export const operationWords = 16;
const controlWords = parameters + 2 * operationWords;

export const newControl = (): Int32Array => new Int32Array(new SharedArrayBuffer(4 * controlWords));

/** Rounds to look for work before sleeping. Longer spinning takes processors away from those that compute. */
const spins = 300;

const operationOf = (word: number): number => word >>> chunkBits;
const place = (operation: number): number => parameters + (operation & 1) * operationWords;

/** Computes one chunk of the operation whose parameters are at this place of the control block. */
export type Compute = (control: Int32Array, at: number, chunk: number) => void;

/** Takes chunks of the current operation until none is left. */
function drain(c: Int32Array, compute: Compute): void {
  for (;;) {
    const word = Atomics.load(c, ticket);
    const left = word & mostChunks;
    if (left === 0) return;
    const at = place(operationOf(word));
    const chunks = c[at] as number;
    if (Atomics.compareExchange(c, ticket, word, word - 1) !== word) continue;
    try {
      compute(c, at, chunks - left);
    } catch {
      Atomics.add(c, faults, 1);
    }
    if (Atomics.add(c, done, 1) + 1 === chunks && Atomics.load(c, callerSleeps) === 1) Atomics.notify(c, done);
  }
}

/** The loop of a worker: returns when the caller stops. */
export function work(c: Int32Array, compute: Compute): void {
  for (let idle = 0; ; ) {
    const word = Atomics.load(c, ticket);
    if (Atomics.load(c, stopped) === 1) return; // looked at after the ticket: see stop
    if ((word & mostChunks) !== 0) {
      drain(c, compute);
      idle = 0;
    } else if (++idle > spins) {
      Atomics.add(c, sleepers, 1);
      Atomics.wait(c, ticket, word);
      Atomics.sub(c, sleepers, 1);
      idle = 0;
    }
  }
}

/** The caller's side. There is one caller; it computes too. */
export class Tickets {
  #operation = 0;
  readonly #c: Int32Array;
  readonly #compute: Compute;

  constructor(control: Int32Array, compute: Compute) {
    this.#c = control;
    this.#compute = compute;
  }

  /** Where the parameters of the next operation go; the first word is set by run. */
  next(): number {
    return place(this.#operation + 1);
  }

  /** Runs an operation of 1 to mostChunks chunks whose parameters are at next(), and returns when all are computed. */
  run(chunks: number): void {
    const c = this.#c;
    c[this.next()] = chunks;
    this.#operation = (this.#operation + 1) & (0xffffffff >>> chunkBits);
    Atomics.store(c, done, 0);
    Atomics.store(c, ticket, (this.#operation << chunkBits) | chunks);
    if (Atomics.load(c, sleepers) > 0) Atomics.notify(c, ticket);
    drain(c, this.#compute);
    for (let i = 0, n = Atomics.load(c, done); n < chunks; n = Atomics.load(c, done)) {
      if (++i <= spins) continue;
      Atomics.store(c, callerSleeps, 1);
      if ((n = Atomics.load(c, done)) < chunks) Atomics.wait(c, done, n);
      Atomics.store(c, callerSleeps, 0);
    }
    if (Atomics.exchange(c, faults, 0) > 0) throw new Error("a kernel failed");
  }

  /** Lets the workers' loops end. */
  stop(): void {
    Atomics.store(this.#c, stopped, 1);
    Atomics.add(this.#c, ticket, 1 << chunkBits); // whoever saw the word before, and so perhaps not that it is over, does not sleep on it
    Atomics.notify(this.#c, ticket);
  }
}
