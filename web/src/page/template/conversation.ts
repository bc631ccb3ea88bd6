// What the template workbench renders: messages, tools, variables, and the template itself where it was changed. It stays while other views are looked at.

import { effect, signal } from "@preact/signals";
import { t } from "../../strings";
import { model } from "../state";

/** A message as it is given to the template. */
export type Message = Record<string, unknown>;

export const messages = signal<readonly Message[]>([{ role: "user", content: t.template.hello }]);
export const tools = signal("");
export const variables = signal("");
export const generation = signal(true);
/** The template in place of the file's. */
export const source = signal<string | undefined>();
/** The key that the source is of. */
export const sourceKey = signal("");

// Another file has another template; the conversation is for it too.
effect(() => {
  void model.value;
  source.value = undefined;
  sourceKey.value = "";
});

/** Whether a message has nothing but a role and a text, which a form can hold. */
export const isPlain = (m: Message): m is { role: string; content: string } =>
  typeof m["role"] === "string" && typeof m["content"] === "string" && Object.keys(m).length === 2;

const weather = {
  type: "function",
  function: { name: "get_weather", description: "The weather at a place", parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
};
const call = { role: "assistant", content: "", tool_calls: [{ id: "call_1", type: "function", function: { name: "get_weather", arguments: { city: "Oslo" } } }] };

export const presets: Record<keyof typeof t.template.presets, () => void> = {
  user: () => fill([{ role: "user", content: t.template.hello }]),
  system: () => fill([{ role: "system", content: t.template.system }, { role: "user", content: t.template.hello }]),
  turns: () => fill([{ role: "system", content: t.template.system }, { role: "user", content: t.template.hello }, { role: "assistant", content: t.template.answer }, { role: "user", content: t.template.more }]),
  tools: () => fill(
    [{ role: "user", content: t.template.weather }, call, { role: "tool", tool_call_id: "call_1", name: "get_weather", content: "{\"celsius\": 4}" }],
    JSON.stringify([weather], null, 2),
  ),
};

function fill(turns: readonly Message[], withTools = ""): void {
  messages.value = turns;
  tools.value = withTools;
}

/** A JSON text of one kind, undefined where nothing is written; a SyntaxError says what is wrong. */
export function readJSON<T>(text: string, want: "list" | "object"): T | undefined {
  if (text.trim() === "") return undefined;
  const v: unknown = JSON.parse(text);
  const is = Array.isArray(v) ? "list" : typeof v === "object" && v !== null ? "object" : "other";
  if (is !== want) throw new SyntaxError(t.template.want[want]);
  if (want === "list" && !(v as unknown[]).every((x) => typeof x === "object" && x !== null && !Array.isArray(x))) throw new SyntaxError(t.template.want.list);
  return v as T;
}
