// A text's tokens, a screen of them at a time: the worker has them all, and the page never more than it shows.

import { useEffect, useState } from "preact/hooks";
import type { Failure, Model, Tokens } from "../../straw";
import { asFailure } from "../state";

export const screen = 400; // tokens

export interface Switches {
  addSpecial: boolean;
  parseSpecial: boolean;
}

export interface Encoding {
  tokens?: Tokens | undefined;
  /** What the tokens are of; while it is not what is asked for, they are being made. */
  text?: string;
  start: number;
  failure?: Failure;
  fresh: boolean;
}

/** `most` tokens from number `start` on. */
export function useEncoding(m: Model | undefined, text: string, { addSpecial, parseSpecial }: Switches, start: number, most = screen): Encoding {
  const [got, setGot] = useState<Omit<Encoding, "fresh"> & { asked?: unknown[] }>({ start: 0 });
  const asked = [m, text, addSpecial, parseSpecial, start, most];
  useEffect(() => {
    if (!m) return;
    const stop = new AbortController();
    // A short wait while somebody types; to turn a page needs none.
    const timer = setTimeout(async () => {
      try {
        const tokens = await m.tokenize(text, { addSpecial, parseSpecial, start, count: most, signal: stop.signal });
        if (!stop.signal.aborted) setGot({ tokens, text, start, asked });
      } catch (e) {
        if (!stop.signal.aborted) setGot({ start, failure: asFailure(e), asked });
      }
    }, got.text === text ? 0 : 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, asked);
  const fresh = got.asked?.every((x, i) => x === asked[i]) ?? false;
  return { ...got, fresh };
}
