// The ways in: drop, choose, address, demo. Large while nothing is open, one quiet line above the file afterwards.

import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { visible } from "../format";
import { t } from "../strings";
import { addressOf, listing } from "./hub";
import { RecentFiles } from "./recent";
import { chosen } from "./saving";
import { close, linked, openAddress, openDemo, openFiles, openGiven, openHandles, phase } from "./state";

const dragging = signal(false);

export function Intro(): JSX.Element {
  const compact = phase.value !== "empty";
  return (
    <section class={`intro${compact ? " is-compact" : ""}`} aria-label={t.intro.choose}>
      <div id="drop" class="drop">
        {!compact && <Straw />}
        {!compact && <p class="drop-title">{t.intro.drop}</p>}
        <input
          id="file"
          type="file"
          multiple
          class="sr"
          aria-describedby="choose-hint"
          onClick={(e) => {
            if (!window.showOpenFilePicker) return;
            e.preventDefault(); // this picker gives handles: the file can be written, and opened again
            void chosen(window.showOpenFilePicker({ multiple: true })).then((handles) => openHandles(handles ?? []));
          }}
          onChange={(e) => {
            openFiles(e.currentTarget.files ?? []);
            e.currentTarget.value = ""; // the same file can be chosen again
          }}
        />
        <label for="file" class={compact ? "button" : "button is-primary"}>{t.intro.choose}</label>
        <span id="choose-hint" class={compact ? "sr" : "quiet"}>{t.intro.chooseHint}</span>
      </div>
      <div class="others">
        <form
          class="address"
          onSubmit={(e) => {
            e.preventDefault();
            openAddress(new FormData(e.currentTarget).get("url") as string);
          }}
        >
          <label for="url" class={compact ? "sr" : ""}>{t.intro.url}</label>
          <div class="joined">
            <input id="url" name="url" type="text" inputMode="url" autocomplete="off" spellcheck={false} placeholder={t.intro.urlPlaceholder} value={linked} />
            <button id="url-open" type="submit" class="button">{t.intro.urlOpen}</button>
          </div>
          {linked.value && host(linked.value) ? (
            <p class="ask" role="status">{t.intro.urlAsk(host(linked.value))}</p>
          ) : (
            !compact && <p class="quiet">{t.intro.urlNote}</p>
          )}
        </form>
        <Choices />
        <div class="demo">
          <button id="demo" type="button" class="button" onClick={openDemo}>{t.intro.demo}</button>
          {!compact && <p class="quiet">{t.intro.demoNote}</p>}
        </div>
        {phase.value !== "empty" && <button id="close" type="button" class="button" onClick={close}>{t.intro.close}</button>}
      </div>
      {!compact && <RecentFiles />}
      <p class="private"><Lock /> {compact ? t.intro.privateShort : t.intro.private}</p>
    </section>
  );
}

/** The files of a repository, one of which is to be opened. */
function Choices(): JSX.Element | null {
  const l = listing.value;
  if (!l) return null;
  return (
    <div id="hub" class="hub">
      <p id="hub-title">{t.hub.choose(l.repo)}</p>
      <ul aria-labelledby="hub-title">
        {l.files.map((f) => <li key={f}><button type="button" class="button is-small" onClick={() => openAddress(addressOf(l.repo, f))}><bdi>{visible(f)}</bdi></button></li>)}
      </ul>
    </div>
  );
}

function host(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return "";
  }
}

/** Takes files dropped anywhere on the page, and says so while they are held over it. */
export function Drop(): JSX.Element | null {
  useEffect(() => {
    let depth = 0; // enter and leave come for every element passed
    const carriesFiles = (e: DragEvent) => e.dataTransfer?.types.includes("Files") ?? false;
    const enter = (e: DragEvent) => {
      if (!carriesFiles(e)) return;
      depth++;
      dragging.value = true;
    };
    const leave = () => {
      depth = Math.max(0, depth - 1);
      if (depth === 0) dragging.value = false;
    };
    const over = (e: DragEvent) => {
      if (carriesFiles(e)) e.preventDefault();
    };
    const drop = (e: DragEvent) => {
      depth = 0;
      dragging.value = false;
      if (!e.dataTransfer?.files.length) return;
      e.preventDefault();
      void openDropped(e.dataTransfer);
    };
    addEventListener("dragenter", enter);
    addEventListener("dragleave", leave);
    addEventListener("dragover", over);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("dragover", over);
      removeEventListener("drop", drop);
    };
  }, []);
  return dragging.value ? <div class="overlay" aria-hidden="true"><span>{t.intro.overlay}</span></div> : null;
}

/** With handles where the browser gives them; they have to be asked for before anything else happens. */
async function openDropped(carried: DataTransfer): Promise<void> {
  const files = [...carried.files];
  const items = [...carried.items].filter((i) => i.kind === "file");
  const handles = await Promise.all(items.map((i) => i.getAsFileSystemHandle?.().catch(() => undefined)));
  openGiven(files.map((file) => ({ file, handle: handles.find((h): h is FileSystemFileHandle => h?.kind === "file" && h.name === file.name) })));
}

/** The drawing in the drop zone: a straw in a glass of layers. */
function Straw(): JSX.Element {
  return (
    <svg class="glass" viewBox="0 0 120 120" width="104" height="104" aria-hidden="true">
      <path class="glass-wall" d="M30 40h60l-7 68a6 6 0 0 1-6 5H43a6 6 0 0 1-6-5z" />
      <path class="layer l1" d="M33.3 58h53.4l-1.3 13H34.6z" />
      <path class="layer l2" d="M34.6 72.500h50.800l-1.300 13H35.900z" />
      <path class="layer l3" d="M36 87h48l-1.900 18.500a4 4 0 0 1-4 3.500H41.900a4 4 0 0 1-4-3.500z" />
      <g transform="rotate(14 60 60)">
        <clipPath id="tube"><path d="M56 6h9v96h-9z" /></clipPath>
        <path class="tube" d="M56 6h9v96h-9z" />
        <path class="stripes" clip-path="url(#tube)" d="m52 18 18-9M52 30l18-9M52 42l18-9M52 54l18-9M52 66l18-9M52 78l18-9M52 90l18-9M52 102l18-9M52 114l18-9" />
      </g>
    </svg>
  );
}

function Lock(): JSX.Element {
  return (
    <svg class="lock" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d="M4.500 7V5a3.500 3.500 0 0 1 7 0v2h.5a1 1 0 0 1 1 1v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1zM6 7h4V5a2 2 0 0 0-4 0z" />
    </svg>
  );
}
