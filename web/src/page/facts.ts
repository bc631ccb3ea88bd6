// What the summary strip says, read off the document.

import type { Count, Info, Tensor, Text, Value } from "../straw";

export interface Facts {
  name: Text | undefined;
  architecture: Text | undefined;
  fileType: string | undefined;
  sizeLabel: Text | undefined;
  licence: string | undefined;
  shards: number;
  parameters: number;
  /** Bits per weight, over all tensors of known size. */
  bits: number;
  context: Count | undefined;
}

export function valueOf(info: Info, key: string): Value | undefined {
  return info.metadata.find((e) => e.key === key)?.value;
}

export function factsOf(info: Info): Facts {
  let parameters = 0;
  let sized = 0; // elements of tensors whose bytes are known
  let size = 0;
  for (const x of info.tensors) {
    parameters += Number(x.n_elements);
    if (x.nbytes === null) continue;
    sized += Number(x.n_elements);
    size += Number(x.nbytes);
  }
  const architecture = textOf(valueOf(info, "general.architecture"));
  const context = typeof architecture === "string" ? valueOf(info, `${architecture}.context_length`) : undefined;
  const fileType = valueOf(info, "general.file_type");
  const licence = textOf(valueOf(info, "general.license"));
  return {
    name: textOf(valueOf(info, "general.name")) ?? textOf(valueOf(info, "general.basename")),
    architecture,
    fileType: fileTypeName(fileType),
    sizeLabel: textOf(valueOf(info, "general.size_label")),
    licence: typeof licence === "string" ? licence : undefined,
    shards: Number(valueOf(info, "split.count") ?? 1) || 1,
    parameters,
    bits: sized ? (8 * size) / sized : 0,
    context: typeof context === "number" || typeof context === "string" ? context : undefined,
  };
}

/** Some writers put the name there instead of its number. */
function fileTypeName(v: Value | undefined): string | undefined {
  if (typeof v === "number") return fileTypes.get(v % guessed) ?? `file type ${v}`;
  return typeof v === "string" ? (fileTypes.get(Number(v)) ?? v) : undefined;
}

const guessed = 1024; // added to the number by llama.cpp when it guessed

function textOf(v: Value | undefined): Text | undefined {
  if (typeof v === "string") return v || undefined;
  return typeof v === "object" && !Array.isArray(v) ? v : undefined;
}

/** Bytes by tensor type, largest first. */
export function sharesOf(tensors: readonly Tensor[]): { type: string; bytes: number; part: number }[] {
  const sums = new Map<string, number>();
  let all = 0;
  for (const x of tensors) {
    const n = Number(x.nbytes ?? 0);
    all += n;
    if (n > 0) sums.set(x.type, (sums.get(x.type) ?? 0) + n);
  }
  return [...sums].map(([type, n]) => ({ type, bytes: n, part: n / all })).sort((a, b) => b.bytes - a.bytes);
}

/** general.file_type: the mixture a file was written with (llama_ftype; not the codes of tensor types, nor those of ggml.h). */
const fileTypes = new Map<number, string>([
  [0, "F32"], [1, "F16"], [2, "Q4_0"], [3, "Q4_1"], [4, "Q4_1_SOME_F16"], [5, "Q4_2"], [6, "Q4_3"], [7, "Q8_0"],
  [8, "Q5_0"], [9, "Q5_1"], [10, "Q2_K"], [11, "Q3_K_S"], [12, "Q3_K_M"], [13, "Q3_K_L"], [14, "Q4_K_S"],
  [15, "Q4_K_M"], [16, "Q5_K_S"], [17, "Q5_K_M"], [18, "Q6_K"], [19, "IQ2_XXS"], [20, "IQ2_XS"], [21, "Q2_K_S"],
  [22, "IQ3_XS"], [23, "IQ3_XXS"], [24, "IQ1_S"], [25, "IQ4_NL"], [26, "IQ3_S"], [27, "IQ3_M"], [28, "IQ2_S"],
  [29, "IQ2_M"], [30, "IQ4_XS"], [31, "IQ1_M"], [32, "BF16"], [33, "Q4_0_4_4"], [34, "Q4_0_4_8"], [35, "Q4_0_8_8"],
  [36, "TQ1_0"], [37, "TQ2_0"], [38, "MXFP4_MOE"], [39, "NVFP4"], [40, "Q1_0"], [41, "Q2_0"],
]);
