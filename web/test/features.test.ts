// What is chosen to compute with, and what the session says about it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { choose } from "../src/kernels/features";
import type { Able, Wish } from "../src/kernels/features";

const best: Able = { simd: true, relaxed: true, byteDot: true, isolated: true, cores: 8 };

test("modules are of the kind that the processor is good at", () => {
  const wish = { backend: "auto", threads: 0 };
  assert.equal(choose(wish, best).kind, "dot");
  assert.equal(choose(wish, { ...best, byteDot: false }).kind, "relaxed");
  assert.equal(choose(wish, { ...best, relaxed: false }).kind, "simd");
  assert.equal(choose({ ...wish, backend: "simd128" }, best).kind, "simd");
});

const cases: [Partial<Wish>, Partial<Able>, string, number, RegExp][] = [
  [{}, {}, "simd-threads", 8, /^relaxed SIMD; 8 threads$/],
  [{ threads: 3 }, {}, "simd-threads", 3, /3 threads/],
  [{}, { relaxed: false }, "simd-threads", 8, /no relaxed SIMD; 8 threads/],
  [{}, { isolated: false }, "simd", 1, /one thread: the page is not cross-origin isolated/],
  [{}, { cores: 1 }, "simd", 1, /one thread: there is one core/],
  [{ backend: "simd" }, {}, "simd", 1, /^relaxed SIMD; one thread, as asked for/],
  [{ threads: 1 }, {}, "simd", 1, /one thread, as asked for/],
  [{ backend: "simd128" }, {}, "simd", 1, /^SIMD, not relaxed, as asked for/],
  [{ backend: "simd-threads" }, { isolated: false }, "simd", 1, /not cross-origin isolated/],
  [{ backend: "scalar" }, {}, "scalar", 1, /as asked for/],
  [{}, { simd: false, relaxed: false }, "scalar", 1, /no WebAssembly SIMD/],
];

for (const [wish, can, backend, threads, reason] of cases) {
  test(`${JSON.stringify(wish)} of ${JSON.stringify(can)} is ${backend}`, () => {
    const got = choose({ backend: "auto", threads: 0, ...wish }, { ...best, ...can });
    assert.equal(got.backend, backend);
    assert.equal(got.threads, threads);
    assert.match(got.reason, reason);
  });
}
