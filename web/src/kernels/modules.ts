// The modules of straw/wasm/kernels: compiled while they come, and called by number.

/** A function of a module. All have seven parameters: three addresses, four numbers; see straw/wasm/kernels/generate. */
export type Kernel = (p: number, q: number, r: number, a: number, b: number, c: number, d: number) => void;

export async function compile(name: string): Promise<WebAssembly.Module> {
  const url = new URL(`./${name}.wasm`, import.meta.url);
  const response = await fetch(url, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${url.pathname}: the server answered ${response.status}`);
  const type = response.headers.get("Content-Type") ?? "";
  return type.split(";")[0]?.trim() === "application/wasm" ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

/** The functions of a module over a memory, in the order of its exports. */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): Kernel[] {
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  return WebAssembly.Module.exports(module).map((e) => exports[e.name] as Kernel);
}

/** What the processor must have, by the names of package straw/wasm/kernels. */
export type Kind = "simd" | "relaxed" | "dot";

export const moduleName = (kind: Kind, shared: boolean): string => kind + (shared ? "-shared" : "");
