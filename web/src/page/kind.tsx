// Files that are no whole model: what they are, what they belong to, what can be done with them. And what came with the open file.

import type { JSX } from "preact";
import type { Info, Value } from "../straw";
import { visible } from "../format";
import { t } from "../strings";
import { valueOf } from "./facts";
import { companions, openGiven } from "./state";
import { Line } from "./text";

type Kind = keyof typeof t.kinds;

/** The words for a kind of file, or undefined for a model and for what is not known. */
export function wordsOfKind(kind: string): (typeof t.kinds)[Kind] | undefined {
  return Object.hasOwn(t.kinds, kind) ? t.kinds[kind as Kind] : undefined;
}

export function KindNote({ info }: { info: Info }): JSX.Element | null {
  const words = wordsOfKind(info.summary.kind);
  if (!words && companions.value.length === 0) return null;
  return (
    <div class="kind-note" id="kind" data-kind={info.summary.kind}>
      {words && (
        <>
          <p><b>{words.title}</b> {words.what}</p>
          <p class="quiet">{words.can}</p>
          <Facts info={info} />
        </>
      )}
      {companions.value.length > 0 && (
        <>
          <p>{t.companions.title}</p>
          <ul id="companions">
            {companions.value.map((c) => (
              <li key={c.name}>
                <button type="button" class="button is-small" onClick={() => openGiven(c.files)}><bdi>{visible(c.name)}</bdi></button>{" "}
                <span class="quiet">{c.kind === undefined ? t.companions.unreadable : (wordsOfKind(c.kind)?.title ?? t.companions.model)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function Facts({ info }: { info: Info }): JSX.Element | null {
  const first = (...keys: string[]): Value | undefined => keys.map((k) => valueOf(info, k)).find((v) => v !== undefined);
  const rank = info.tensors.find((x) => typeof x.name === "string" && x.name.endsWith(".lora_a"))?.dims[1];
  const all: [string, Value | undefined][] = [
    [t.kindFacts.base, first("general.base_model.0.name", "general.base_model.0.repo_url")],
    [t.kindFacts.adapter, first("adapter.type")],
    [t.kindFacts.rank, rank],
    [t.kindFacts.alpha, first("adapter.lora.alpha")],
    [t.kindFacts.vision, first("clip.has_vision_encoder")],
    [t.kindFacts.audio, first("clip.has_audio_encoder")],
    [t.kindFacts.projector, first("clip.projector_type", "clip.vision.projector_type", "clip.audio.projector_type")],
    [t.kindFacts.image, first("clip.vision.image_size")],
  ];
  const known = all.filter(([, v]) => v !== undefined);
  if (known.length === 0) return null;
  const said = (v: Value | undefined) => (v === true ? t.kindFacts.yes : v === false ? t.kindFacts.no : String(v));
  return <dl class="facts">{known.map(([label, v]) => <div key={label}><dt>{label}</dt><dd><Line text={said(v)} /></dd></div>)}</dl>;
}
