// The open file, changed: keys, the chat template, shards. What is saved is a new file; the open one stays as it is until a save is whole.

import type { JSX } from "preact";
import type { Info } from "../../straw";
import { t } from "../../strings";
import { model } from "../state";
import { KeyTable } from "./keys";
import { SaveCard } from "./save";
import { Shards } from "./shards";
import { TemplateEditor } from "./template";

export function EditView({ info }: { info: Info }): JSX.Element {
  if (!model.value) return <p class="none">{t.edit.damaged}</p>;
  return (
    <div class="columns edit-view" id="edit">
      <div class="tables">
        <KeyTable info={info} />
        <TemplateEditor info={info} />
      </div>
      <div class="aside">
        <SaveCard info={info} />
        {info.tensors.length > 0 && <Shards />}
      </div>
    </div>
  );
}
