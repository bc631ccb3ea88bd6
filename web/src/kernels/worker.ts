// A kernel worker: gets the banks and the control block, says so, and computes until it is told to stop.

import { computing } from "./banks";
import type { Team } from "./banks";
import { instantiate } from "./modules";
import { work } from "./ticket";

declare const self: DedicatedWorkerGlobalScope;

self.onmessage = ({ data: { control, module, memories } }: MessageEvent<Team>) => {
  const compute = computing(memories.map((m) => instantiate(module, m)));
  self.postMessage("ready");
  work(control, compute);
};
