// Names of the Hub: owner/repo is asked for its GGUF files, of which the person chooses one.

import { signal } from "@preact/signals";
import { StrawError } from "../straw";
import { t } from "../strings";

const hub = "https://huggingface.co";

export interface Listing {
  repo: string;
  /** Paths in the repository. Of a model's shards only the first: the others are found by it. */
  files: string[];
}

/** What the person is to choose from. */
export const listing = signal<Listing | undefined>(undefined);

/** The name in what was typed (owner/repo, or with hf: before it), or undefined where it is none. */
export function hubName(text: string): string | undefined {
  return /^(?:hf:)?([\w.-]+\/[\w.-]+)$/.exec(text.trim())?.[1];
}

export function addressOf(repo: string, file: string): string {
  return `${hub}/${repo}/resolve/main/${file.split("/").map(encodeURIComponent).join("/")}`;
}

export async function list(repo: string, signal: AbortSignal): Promise<Listing> {
  const io = (message: string) => new StrawError({ kind: "io", field: repo, message });
  const response = await fetch(`${hub}/api/models/${repo}`, { signal, credentials: "omit", referrerPolicy: "no-referrer" }).catch((e: Error) => {
    throw signal.aborted ? e : io(t.hub.unreachable);
  });
  if (response.status === 401 || response.status === 404) throw io(t.hub.missing);
  if (!response.ok) throw io(t.hub.answered(response.status));
  const { siblings } = (await response.json().catch(() => ({}))) as { siblings?: { rfilename?: unknown }[] };
  const files = (Array.isArray(siblings) ? siblings : []).map((s) => s.rfilename).filter((f): f is string => typeof f === "string" && f.endsWith(".gguf"));
  const shown = files.filter((f) => !/-\d{5}-of-\d{5}\.gguf$/.test(f) || /-00001-of-\d{5}\.gguf$/.test(f));
  if (shown.length === 0) throw io(t.hub.empty);
  return { repo, files: shown.sort() };
}
