// The worker of straw.js: starts the Go program named by the worker's own name ("viewer", "runner") and stands aside. The program sets onmessage
// and speaks protocol.ts itself; from here come only the two events that a program cannot send: it did not start, it ended.

import "wasm_exec";
import { Host } from "./kernels/host";
import type { Envelope, WorkerEvent } from "./protocol";

declare const self: DedicatedWorkerGlobalScope;

/** The end of what the program wrote to its standard error: a crash says there what happened. */
let complaint = "";
const complaintLength = 2000; // characters

function report(e: WorkerEvent): void {
  const envelope: Envelope = { json: JSON.stringify(e) };
  self.postMessage(envelope);
}

function listenToComplaints(): void {
  const write = fs.writeSync;
  const utf8 = new TextDecoder();
  fs.writeSync = (fd, buf) => {
    if (fd === 2) complaint = (complaint + utf8.decode(buf, { stream: true })).slice(-complaintLength);
    return write.call(fs, fd, buf);
  };
}

async function instantiate(url: URL, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  const response = await fetch(url, { credentials: "same-origin" });
  if (!response.ok) throw new Error(`${url.pathname}: the server answered ${response.status}`);
  const type = response.headers.get("Content-Type") ?? "";
  if (type.split(";")[0]?.trim() === "application/wasm") {
    return (await WebAssembly.instantiateStreaming(response, imports)).instance;
  }
  return (await WebAssembly.instantiate(await response.arrayBuffer(), imports)).instance;
}

async function start(program: string): Promise<void> {
  listenToComplaints();
  const go = new Go();
  let code = 0;
  const exit = go.exit;
  go.exit = (c) => {
    code = c;
    exit.call(go, c);
  };
  const host = new Host();
  Object.assign(self, { straw: host });
  let instance: WebAssembly.Instance;
  try {
    instance = await instantiate(new URL(`./${program}.wasm`, import.meta.url), { ...go.importObject, straw: host.imports });
    host.attach(instance.exports["mem"] as WebAssembly.Memory);
  } catch (e) {
    report({ event: "failed", data: { message: e instanceof Error ? e.message : String(e) } });
    return;
  }
  try {
    await go.run(instance);
  } catch (e) {
    complaint += String(e);
    code = code || 1;
  }
  report({ event: "exited", data: { code, message: complaint.trim() } });
}

void start(self.name);
