import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../strings";
import { announcement } from "./state";

export function CopyButton({ label, text }: { label: string; text: () => Promise<string> }): JSX.Element {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setDone(true);
      announcement.value = t.metadata.copied;
      setTimeout(() => setDone(false), 1500);
    } catch {
      announcement.value = t.metadata.copyFailed;
    }
  };
  return (
    <button type="button" class={`copy${done ? " is-done" : ""}`} aria-label={label} title={done ? t.metadata.copied : t.metadata.copy} onClick={copy}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {done ? <path d="m3 8.500 3.200 3.200L13 5" /> : <path d="M5.500 5.500v-3h8v8h-3m-8-5h8v8h-8z" />}
      </svg>
    </button>
  );
}
