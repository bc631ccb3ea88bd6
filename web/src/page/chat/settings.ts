// What a person sets for a model: how it chooses tokens, what memory it may take. Kept per model on this machine, as the texts of
// their inputs; an empty one is the program's own default.

import { effect, signal } from "@preact/signals";
import type { GenerateOptions, Info, LoadOptions } from "../../straw";
import { valueOf } from "../facts";
import { t } from "../../strings";
import { info } from "../state";

export interface Field {
  name: string;
  min: number;
  max: number;
  step: number | "any";
  /** The default, where it is known. */
  start: string;
}

const number = (name: string, start: string, min: number, max: number, step: number | "any" = "any"): Field => ({ name, start, min, max, step });
const most = 1_000_000;

export const main: readonly Field[] = [
  number("temperature", "0.8", 0, 10),
  number("maxTokens", "", 1, most, 1),
  number("seed", "", 0, Number.MAX_SAFE_INTEGER, 1),
];
export const more: readonly Field[] = [
  number("topK", "40", 0, most, 1),
  number("topP", "0.95", 0, 1),
  number("minP", "0.05", 0, 1),
  number("typical", "1", 0, 1),
  number("topNSigma", "0", 0, 100),
  number("repeatPenalty", "1", 0.01, 10),
  number("repeatLastN", "64", -1, most, 1),
  number("presencePenalty", "0", -10, 10),
  number("frequencyPenalty", "0", -10, 10),
  number("dry.multiplier", "0", 0, 10),
  number("xtc.probability", "0", 0, 1),
  number("xtc.threshold", "0.1", 0, 1),
  number("mirostat.tau", "", 0, 100),
  number("mirostat.eta", "", 0, 10),
];

export type Values = Readonly<Record<string, string>>;

/** Inputs that are no numbers of the sampler have names of their own. */
const others: Values = { system: "", tools: "", stop: "", grammar: "", endpoint: "", endpointModel: "", endpointAgreed: "", probabilities: "", onFull: "stop", contextSize: "", memoryBudget: "", kvType: "f16" };
const defaults: Values = { ...Object.fromEntries([...main, ...more].map((f) => [f.name, f.start])), maxTokens: "512", ...others };

export const settings = signal<Values>(defaults);

const keyOf = (of: Info): string => `straw.settings.${of.summary.name ?? ""}.${of.summary.size}`;

// Another file: what was set for it before, or what it says itself.
effect(() => {
  const of = info.value;
  if (!of) return;
  let kept: Record<string, unknown> = {};
  try {
    kept = JSON.parse(localStorage.getItem(keyOf(of)) ?? "{}") as Record<string, unknown>;
  } catch {
    // storage is blocked, or what lies there is not ours
  }
  const known = Object.entries(kept ?? {}).filter(([k, v]) => Object.hasOwn(defaults, k) && typeof v === "string") as [string, string][];
  settings.value = { ...defaults, ...fileValues(of), ...Object.fromEntries(known) };
});

export function set(changes: Values): void {
  settings.value = { ...settings.value, ...changes };
  if (!info.value) return;
  try {
    localStorage.setItem(keyOf(info.value), JSON.stringify(settings.value));
  } catch {
    // storage is blocked: they hold for this visit
  }
}

/** The file's keys for its sampling, by our names. */
const fileKeys: Values = {
  temp: "temperature", top_k: "topK", top_p: "topP", min_p: "minP", penalty_repeat: "repeatPenalty", penalty_last_n: "repeatLastN",
  xtc_probability: "xtc.probability", xtc_threshold: "xtc.threshold", mirostat_tau: "mirostat.tau", mirostat_eta: "mirostat.eta",
};

/** What the file says of sampling; empty if it says nothing. */
export function fileValues(of: Info): Values {
  const found: Record<string, string> = {};
  for (const [key, name] of Object.entries(fileKeys)) {
    const v = valueOf(of, `general.sampling.${key}`);
    if (typeof v === "number") found[name] = String(Number(v.toPrecision(6)));
    else if (typeof v === "string" && /^-?\d+$/.test(v)) found[name] = v; // a 64-bit integer
  }
  return found;
}

export type Preset = "file" | "usual" | "exact" | "lively";

const samplers = Object.fromEntries([...main, ...more].filter((f) => f.name !== "maxTokens" && f.name !== "seed").map((f) => [f.name, f.start]));

export function presets(of: Info): [Preset, Values][] {
  const own = fileValues(of);
  const list: [Preset, Values][] = [
    ["usual", samplers],
    ["exact", { ...samplers, temperature: "0" }],
    ["lively", { ...samplers, temperature: "1.1", topK: "0", topP: "1", minP: "0.08" }],
  ];
  return Object.keys(own).length ? [["file", { ...samplers, ...own }], ...list] : list;
}

/** The preset that is in force, if it is one. */
export function presetOf(of: Info, v: Values): Preset | undefined {
  return presets(of).find(([, p]) => Object.entries(p).every(([k, x]) => v[k] === x))?.[0];
}

/** The values as options of generate(). Numbers of a group go only where the group is in use. */
export function optionsOf(v: Values): GenerateOptions {
  const of = (name: string): number | undefined => (v[name]?.trim() ? Number(v[name]) : undefined);
  const o: Record<string, unknown> = {};
  for (const f of [...main, ...more]) if (!f.name.includes(".") && of(f.name) !== undefined) o[f.name] = of(f.name);
  o["seed"] ??= Math.floor(Math.random() * 2 ** 32);
  if (of("dry.multiplier")) o["dry"] = { multiplier: of("dry.multiplier") };
  if (of("xtc.probability")) o["xtc"] = { probability: of("xtc.probability"), threshold: of("xtc.threshold") };
  if (of("mirostat.tau") !== undefined) o["mirostat"] = { tau: of("mirostat.tau"), ...(of("mirostat.eta") !== undefined && { eta: of("mirostat.eta") }) };
  const stop = (v["stop"] ?? "").split("\n").filter(Boolean);
  if (stop.length) o["stop"] = stop;
  if (v["grammar"]?.trim()) o["grammar"] = v["grammar"];
  if (v["onFull"] === "shift") o["onFull"] = "shift";
  if (v["probabilities"]) o["logprobs"] = 5;
  return o as GenerateOptions;
}

/** What the model may call: a list of objects. Throws what a person can be told. */
export function toolsOf(v: Values): object[] {
  const text = v["tools"]?.trim();
  if (!text) return [];
  const all: unknown = JSON.parse(text);
  if (!Array.isArray(all) || all.some((x) => typeof x !== "object" || x === null || Array.isArray(x))) throw new TypeError(t.tools.fault);
  return all as object[];
}

/** What load() is told; another value means loading again. */
export function loadOptionsOf(v: Values): LoadOptions {
  const o: LoadOptions = {};
  if (v["contextSize"]?.trim()) o.contextSize = Number(v["contextSize"]);
  if (v["memoryBudget"]?.trim()) o.memoryBudget = Number(v["memoryBudget"]);
  if (v["kvType"] === "f32" || v["kvType"] === "q8_0") o.kvType = v["kvType"];
  return o;
}
