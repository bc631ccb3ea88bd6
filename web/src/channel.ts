// A channel is one worker with one Go program: requests go out with an id, answers find their promise. See protocol.ts.

import type { Failure, Info } from "./api";
import { StrawError, aborted } from "./errors";
import { checkResponse, checkResult } from "./protocol";
import type { Envelope, Method, Methods, RequestEvent, WorkerEvent } from "./protocol";

interface Pending {
  method: Method;
  onEvent: ((e: RequestEvent) => void) | undefined;
  settle: (answer: { result: object; objects: unknown[] } | { error: StrawError }) => void;
}

export interface Answer<M extends Method> {
  result: Methods[M]["result"];
  objects: unknown[];
}

export interface CallOptions {
  /** Sent beside the request. */
  objects?: unknown[];
  /** Of the objects: those that move to the worker. */
  transfer?: Transferable[];
  signal?: AbortSignal | undefined;
  onEvent?: (e: RequestEvent) => void;
}

export class Channel {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #queue: [Envelope, Transferable[]][] | undefined = []; // held back until the program listens; undefined from then on
  #next = 1;
  #dead: StrawError | undefined;

  constructor(program: "viewer" | "runner") {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: program });
    this.#worker.onmessage = (e: MessageEvent<Envelope>) => this.#receive(e.data);
    this.#worker.onerror = (e) => {
      e.preventDefault();
      this.#die(new StrawError({ kind: "io", message: `the ${program} could not be started: ${e.message || "worker.js did not load"}` }));
    };
  }

  get dead(): boolean {
    return this.#dead !== undefined;
  }

  /** Sends a request. Aborting sends "cancel"; the promise is then rejected when the program has stopped. */
  call<M extends Method>(method: M, params: Methods[M]["params"], options: CallOptions = {}): Promise<Answer<M>> {
    const { objects, transfer = [], signal, onEvent } = options;
    if (signal?.aborted) return Promise.reject(aborted());
    if (this.#dead) return Promise.reject(this.#dead);
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const cancel = () => this.#send({ json: JSON.stringify({ id, method: "cancel" }) });
      signal?.addEventListener("abort", cancel, { once: true });
      this.#pending.set(id, {
        method,
        onEvent,
        settle: (answer) => {
          signal?.removeEventListener("abort", cancel);
          this.#pending.delete(id);
          if ("error" in answer) return reject(answer.error);
          try {
            resolve({ result: checkResult(method, answer.result), objects: answer.objects });
          } catch (e) {
            reject(e);
          }
        },
      });
      this.#send({ json: JSON.stringify({ id, method, params }), ...(objects && { objects }) }, transfer);
    });
  }

  /** Ends the worker and all it was doing. */
  close(): void {
    this.#die(new StrawError({ kind: "aborted", message: "closed" }));
  }

  #send(e: Envelope, transfer: Transferable[] = []): void {
    if (this.#queue) this.#queue.push([e, transfer]);
    else this.#worker.postMessage(e, transfer);
  }

  #receive(e: Envelope): void {
    const m = checkResponse(JSON.parse(e.json));
    if (!("id" in m)) return this.#workerEvent(m);
    const p = this.#pending.get(m.id);
    if (!p) throw new TypeError(`message: id ${m.id}: nothing was asked under it`);
    if ("event" in m) p.onEvent?.(m);
    else if ("error" in m) p.settle({ error: new StrawError(m.error as Failure & { info?: Info }) });
    else p.settle({ result: m.result, objects: e.objects ?? [] });
  }

  #workerEvent(e: WorkerEvent): void {
    switch (e.event) {
      case "ready": {
        const waiting = this.#queue ?? [];
        this.#queue = undefined;
        for (const [w, transfer] of waiting) this.#worker.postMessage(w, transfer);
        return;
      }
      case "failed":
        return this.#die(new StrawError({ kind: "io", message: `the program could not be started: ${e.data.message}` }));
      case "exited": {
        const memory = /out of memory|cannot allocate/i.test(e.data.message);
        const why = e.data.message.split("\n", 1)[0] || `status ${e.data.code}`;
        return this.#die(new StrawError({ kind: memory ? "memory" : "io", message: memory ? `out of memory: ${why}` : `the program ended: ${why}` }));
      }
    }
  }

  #die(why: StrawError): void {
    if (this.#dead) return;
    this.#dead = why;
    this.#worker.terminate();
    for (const p of [...this.#pending.values()]) p.settle({ error: why });
  }
}
