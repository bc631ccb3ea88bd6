// A failure as a person reads it: a title, a sentence, what to do. Field and byte are shown apart, so the sentence does without them.

import type { Failure } from "./api";
import { visible } from "./format";
import { t } from "./strings";

export interface Words {
  title: string;
  sentence: string;
  advice: string;
}

export function wordsFor(f: Failure, running = false): Words {
  const other = f.kind === "format" && f.field === "magic"; // not damaged: another kind of file, and the message says which
  let sentence = f.message;
  if (f.offset !== undefined) sentence = sentence.replace(/ \(byte \d+\)$/, "");
  if (other) sentence = sentence.replace(/^magic( = ("[^"]*"|[^:]*))?: /, "");
  sentence = visible(sentence);
  return {
    title: other ? t.problem.otherFile : t.problem.title[f.kind],
    sentence: sentence.charAt(0).toUpperCase() + sentence.slice(1),
    advice: other ? "" : ((running && t.problem.run[f.kind]) || t.problem.advice[f.kind]),
  };
}
