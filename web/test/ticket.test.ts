// The ticket word under stress: more workers than processors, operations of a few chunks each, every chunk computed once and with its own
// operation's parameters. STRAW_STRESS says how many operations (100000).

import assert from "node:assert/strict";
import os from "node:os";
import { test } from "node:test";
import { Worker, isMainThread, workerData } from "node:worker_threads";
import { Tickets, mostChunks, newControl, work } from "../src/kernels/ticket";

interface Shared {
  control: Int32Array;
  /** How often each chunk of the operation was computed; behind them what was wrong. */
  counts: Int32Array;
}

const faults = mostChunks;

/** Counts chunks, and notices parameters that are not those of the operation: words 1 to 3 are made of each other. */
const counting = (counts: Int32Array) => (c: Int32Array, at: number, chunk: number) => {
  const [a, b, d] = [c[at + 1] as number, c[at + 2] as number, c[at + 3] as number];
  if (b !== (a ^ 0x5555) || d !== a * 2 || chunk < 0 || chunk >= (c[at] as number)) Atomics.add(counts, faults, 1);
  if (c[at + 4] === chunk) throw new Error("asked for");
  Atomics.add(counts, chunk, 1);
};

if (isMainThread) {
  const workers = 2 * os.availableParallelism() + 1;
  const start = () => {
    const shared: Shared = { control: newControl(), counts: new Int32Array(new SharedArrayBuffer(4 * (mostChunks + 1))) };
    const team = Array.from({ length: workers }, () => new Worker(new URL(import.meta.url), { workerData: shared }));
    const ended = Promise.all(team.map((w) => new Promise<void>((resolve, reject) => w.on("exit", () => resolve()).on("error", reject))));
    return { ...shared, tickets: new Tickets(shared.control, counting(shared.counts)), ended };
  };
  const run = ({ control, tickets }: ReturnType<typeof start>, i: number, chunks: number, fail = -1) => {
    control.set([chunks, i, i ^ 0x5555, i * 2, fail], tickets.next());
    tickets.run(chunks);
  };

  test(`every chunk of every operation is computed once, by ${workers} workers and the caller`, async () => {
    const s = start();
    const operations = Number(process.env["STRAW_STRESS"] ?? 100_000);
    const want = new Int32Array(mostChunks + 1);
    for (let i = 0; i < operations; i++) {
      const chunks = i % 1000 === 0 ? mostChunks : 1 + ((i * 7919) % 23);
      run(s, i, chunks);
      for (let c = 0; c < chunks; c++) (want[c] as number)++;
      if (i % 256 === 0) assert.deepEqual(s.counts, want, `after operation ${i}`);
      if (i % 50_000 === 49_999) Atomics.wait(s.control, 0, Atomics.load(s.control, 0), 5); // so that workers fall asleep
    }
    assert.deepEqual(s.counts, want);
    s.tickets.stop();
    await s.ended;
  });

  test("a chunk that fails is an error of its operation, and of no other", async () => {
    const s = start();
    for (let i = 1; i < 50; i++) {
      assert.throws(() => run(s, i, 8, i % 8), /a kernel failed/);
      run(s, i, 8);
    }
    s.tickets.stop();
    await s.ended;
  });
} else {
  const { control, counts } = workerData as Shared;
  work(control, counting(counts));
}
