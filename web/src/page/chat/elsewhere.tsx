// Another machine that answers: its address, and the consent without which nothing goes there.

import type { JSX } from "preact";
import { visible } from "../../format";
import { t } from "../../strings";
import { busy } from "../running";
import { remoteKey, remoteOf, writtenRemote } from "./remote";
import { set, settings } from "./settings";

export function Elsewhere(): JSX.Element {
  const v = settings.value;
  const to = writtenRemote(v);
  return (
    <details class="more">
      <summary id="elsewhere">{t.remote.title}</summary>
      <p class="quiet">{t.remote.lead}</p>
      <label class="field">
        {t.remote.address}
        <input id="endpoint" type="url" autocomplete="off" spellcheck={false} disabled={busy} value={v["endpoint"]} placeholder="http://localhost:8080/v1" onInput={(e) => set({ endpoint: e.currentTarget.value, endpointAgreed: "" })} />
      </label>
      <label class="field">
        {t.remote.model}
        <input id="endpoint-model" type="text" autocomplete="off" spellcheck={false} disabled={busy} value={v["endpointModel"]} onInput={(e) => set({ endpointModel: e.currentTarget.value })} />
      </label>
      <label class="field">
        {t.remote.key}
        <input id="endpoint-key" type="password" autocomplete="off" disabled={busy} value={remoteKey} onInput={(e) => (remoteKey.value = e.currentTarget.value)} />
      </label>
      {to && (
        <label class="check">
          <input id="endpoint-agreed" type="checkbox" disabled={busy} checked={remoteOf(v) !== undefined} onChange={(e) => set({ endpointAgreed: e.currentTarget.checked ? to.url : "" })} />
          {t.remote.agree(visible(to.host))}
        </label>
      )}
    </details>
  );
}

/** Says, above the place where messages are written, that they leave this machine. */
export function Leaving(): JSX.Element | null {
  const to = remoteOf(settings.value);
  return to ? <p id="leaving" class="warning leaving">{t.remote.leaving(visible(to.host))}</p> : null;
}
