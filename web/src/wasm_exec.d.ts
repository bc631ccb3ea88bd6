// Go's runtime for js/wasm, lib/wasm/wasm_exec.js of the Go that built the programs; the bundler puts it in. It defines the globals below.
declare module "wasm_exec" {}

declare class Go {
  readonly importObject: WebAssembly.Imports;
  exit: (code: number) => void;
  run(instance: WebAssembly.Instance): Promise<void>;
}

declare var fs: { writeSync(fd: number, buf: Uint8Array): number };
