// What a tensor is for, read off its name: GGUF's names are the same for all architectures.

import { t } from "../strings";

export type Group = keyof typeof t.roles.groups;

export interface Role {
  /** The layer it is of, or undefined outside the layers. */
  layer: number | undefined;
  group: Group;
  /** In a few plain words; undefined where the name is not known. */
  words: string | undefined;
}

export function roleOf(name: string): Role {
  const layer = /^(?:enc\.|dec\.|v\.|a\.)?blk\.(\d+)\./.exec(name);
  const stem = name.slice(layer?.[0].length ?? 0).replace(/\.(weight|bias|scale)$/, "");
  const key = stem as keyof typeof t.roles.words;
  const words = Object.hasOwn(t.roles.words, stem) ? t.roles.words[key] : undefined;
  return { layer: layer ? Number(layer[1]) : undefined, group: groupOf(stem, layer !== null), words };
}

function groupOf(stem: string, inLayer: boolean): Group {
  if (!inLayer) return /^(token_embd|position_embd|token_types|per_layer)/.test(stem) ? "embedding" : /^(output|cls)/.test(stem) ? "output" : "other";
  if (/norm/.test(stem)) return "norm";
  if (/^(attn|cross_attn|wq|wk|wv)/.test(stem)) return "attention";
  if (/^(ssm|time_mix|shortconv)/.test(stem)) return "recurrent";
  if (/_exps|_shexp|gate_inp/.test(stem)) return "experts";
  if (/^(ffn|channel_mix)/.test(stem)) return "feedForward";
  return "other";
}

export const groups: readonly Group[] = ["embedding", "attention", "feedForward", "experts", "recurrent", "norm", "output", "other"];
