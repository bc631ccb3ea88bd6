// What the browser can do for the kernels: found out by asking it to validate a few bytes, not by its name.

import type { Kind } from "./modules";

/** A module with one function, exported as f: types of parameters and results, and the code. */
function moduleOf(params: number[], results: number[], code: number[]): BufferSource {
  const type = [0x60, params.length, ...params, results.length, ...results];
  const body = [0, ...code, 0x0b];
  return new Uint8Array([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    1, type.length + 1, 1, ...type,
    3, 2, 1, 0,
    7, 5, 1, 1, 0x66, 0, 0,
    10, body.length + 2, 1, body.length, ...body,
  ]);
}

const valid = (...code: number[]): boolean => WebAssembly.validate(moduleOf([], [], code));

const i32 = 0x7f;
const get = (local: number): number[] => [0x20, local];
const splat = [0xfd, 0x0f]; // i8x16.splat
const zeros = [0x41, 0, ...splat];
const drop = 0x1a;
const lane0 = [0xfd, 0x1b, 0]; // i32x4.extract_lane

export const hasSIMD = (): boolean => valid(...zeros, drop);
/** i16x8.relaxed_dot_i8x16_i7x16_s, what the kernels use of relaxed SIMD. */
export const hasRelaxedSIMD = (): boolean => valid(...zeros, ...zeros, 0xfd, 0x92, 0x02, drop);

/**
 * Whether i32x4.relaxed_dot_i8x16_i7x16_add_s takes its second operand as unsigned bytes, and adds without saturation, as it does where it
 * is one instruction of AVX-VNNI. The standard leaves that to the machine, but the same on a machine everywhere.
 */
export function hasByteDot(): boolean {
  const code = [...get(0), ...splat, ...get(1), ...splat, ...zeros, 0xfd, 0x93, 0x02, ...lane0];
  const bytes = moduleOf([i32, i32], [i32], code);
  if (!WebAssembly.validate(bytes)) return false;
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as { f(a: number, b: number): number };
  return f(127, 255) === 4 * 127 * 255 && f(-128, 255) === 4 * -128 * 255;
}

/** How to compute: with modules of which kind, with how many threads, and why not with something faster. */
export interface Choice {
  backend: "simd-threads" | "simd" | "scalar";
  kind: Kind;
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
  byteDot: boolean;
  isolated: boolean;
  cores: number;
}

export const able = (): Able => ({
  simd: hasSIMD(),
  relaxed: hasRelaxedSIMD(),
  byteDot: hasByteDot(),
  isolated: globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer === "function",
  cores: navigator.hardwareConcurrency || 1,
});

/** Never more than is wished for or possible; the reason names the first thing that is missing. */
export function choose(wish: Wish, can: Able): Choice {
  if (wish.backend === "scalar") return { backend: "scalar", kind: "simd", threads: 1, reason: "as asked for" };
  if (!can.simd) return { backend: "scalar", kind: "simd", threads: 1, reason: "this browser has no WebAssembly SIMD" };
  const relaxed = can.relaxed && wish.backend !== "simd128";
  const kind = !relaxed ? "simd" : can.byteDot ? "dot" : "relaxed";
  const name = relaxed ? "relaxed SIMD" : can.relaxed ? "SIMD, not relaxed, as asked for" : "SIMD; this browser has no relaxed SIMD";
  const threads = wish.threads || can.cores;
  if (wish.backend === "simd" || wish.backend === "simd128" || threads === 1) {
    return { backend: "simd", kind, threads: 1, reason: `${name}; one thread${threads === 1 && wish.threads === 0 ? ": there is one core" : ", as asked for"}` };
  }
  if (!can.isolated) {
    return { backend: "simd", kind, threads: 1, reason: `${name}; one thread: the page is not cross-origin isolated, so threads cannot share memory` };
  }
  return { backend: "simd-threads", kind, threads, reason: `${name}; ${threads} threads` };
}
