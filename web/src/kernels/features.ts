// What the browser can do for the kernels: found out by asking it to validate a few bytes, not by its name.

/** Says whether a function with this code is valid. */
function valid(...code: number[]): boolean {
  const body = [0, ...code, 0x0b];
  return WebAssembly.validate(new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    1, 4, 1, 0x60, 0, 0, // a type: no parameters, no results
    3, 2, 1, 0,
    10, body.length + 2, 1, body.length, ...body,
  ]));
}

const zeros = [0x41, 0, 0xfd, 0x0f]; // i32.const 0, i8x16.splat
const drop = 0x1a;

export const hasSIMD = (): boolean => valid(...zeros, drop);
/** i16x8.relaxed_dot_i8x16_i7x16_s, what the kernels use of relaxed SIMD. */
export const hasRelaxedSIMD = (): boolean => valid(...zeros, ...zeros, 0xfd, 0x92, 0x02, drop);

/** How to compute: with which modules, with how many threads, and why not with something faster. */
export interface Choice {
  backend: "simd-threads" | "simd" | "scalar";
  relaxed: boolean;
  threads: number;
  reason: string;
}

export interface Wish {
  /** "auto", or what is wanted at most: "simd-threads", "simd", "simd128" (without relaxed SIMD), "scalar". */
  backend: string;
  /** 0: as many as there are. */
  threads: number;
}

export interface Able {
  simd: boolean;
  relaxed: boolean;
  isolated: boolean;
  cores: number;
}

export const able = (): Able => ({
  simd: hasSIMD(),
  relaxed: hasRelaxedSIMD(),
  isolated: globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function",
  cores: navigator.hardwareConcurrency || 1,
});

/** Never more than is wished for or possible; the reason names the first thing that is missing. */
export function choose(wish: Wish, can: Able): Choice {
  if (wish.backend === "scalar") return { backend: "scalar", relaxed: false, threads: 1, reason: "as asked for" };
  if (!can.simd) return { backend: "scalar", relaxed: false, threads: 1, reason: "this browser has no WebAssembly SIMD" };
  const relaxed = can.relaxed && wish.backend !== "simd128";
  const kind = relaxed ? "relaxed SIMD" : can.relaxed ? "SIMD, not relaxed, as asked for" : "SIMD; this browser has no relaxed SIMD";
  const threads = wish.threads || can.cores;
  if (wish.backend === "simd" || wish.backend === "simd128" || threads === 1) {
    return { backend: "simd", relaxed, threads: 1, reason: `${kind}; one thread${threads === 1 && wish.threads === 0 ? ": there is one core" : ", as asked for"}` };
  }
  if (!can.isolated) {
    return { backend: "simd", relaxed, threads: 1, reason: `${kind}; one thread: the page is not cross-origin isolated, so threads cannot share memory` };
  }
  return { backend: "simd-threads", relaxed, threads, reason: `${kind}; ${threads} threads` };
}
