// The list of files that were opened here, and the choice to have one.

import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { bytes, visible } from "../format";
import { t } from "../strings";
import { canRemember, forget, loadRecents, openRecent, recents, refusal, remembers, setRemembers } from "./recents";

export function RecentFiles(): JSX.Element | null {
  useEffect(() => void loadRecents(), []);
  if (!canRemember) return null;
  return (
    <div id="recent" class="recent">
      {remembers.value && recents.value.length > 0 && (
        <>
          <h2>{t.recent.title}</h2>
          <ul>
            {recents.value.map((r) => (
              <li key={r.id}>
                <button type="button" class="button is-small" onClick={() => void openRecent(r)}><bdi>{visible(r.name)}</bdi></button>
                <span class="quiet number">{t.recent.about(bytes(r.bytes), r.handles.length, new Date(r.opened))}</span>
                <button type="button" class="plain forget" aria-label={t.recent.forgetOf(r.name)} onClick={() => void forget(r)}>{t.recent.forget}</button>
              </li>
            ))}
          </ul>
          {refusal.value && <p class="inline-problem" role="alert"><bdi>{visible(refusal.value)}</bdi></p>}
        </>
      )}
      <label class="check"><input id="remember" type="checkbox" checked={remembers.value} onChange={(e) => void setRemembers(e.currentTarget.checked)} />{t.recent.remember}</label>
      <p class="quiet">{remembers.value ? t.recent.how : t.recent.note}</p>
    </div>
  );
}
