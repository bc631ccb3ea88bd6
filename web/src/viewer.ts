// <straw-viewer src="model.gguf">: what a GGUF file holds, on any page. It stands in a shadow of its own, reads the header by Range
// requests, and says when it cannot. The events "open" and "error" carry the model, or the StrawError, in `detail`.

import type { Count, Info, Model, Text, Value } from "./straw";
import { open } from "./straw";
import { bytes, plain, shape, short, visible, whole } from "./format";

const style = `
:host { display: block; font: 15px/1.5 system-ui, sans-serif; color-scheme: light dark; }
[part=viewer] { border: 1px solid color-mix(in srgb, currentColor 22%, transparent); border-radius: 12px; padding: 16px; }
h2 { margin: 0 0 8px; font-size: 19px; overflow-wrap: anywhere; }
dl { display: flex; flex-wrap: wrap; gap: 6px 22px; margin: 0 0 10px; }
dt { font-size: 12px; opacity: .75; }
dd { margin: 0; font-weight: 600; }
summary { cursor: pointer; padding: 4px 0; }
.scroll { max-height: 320px; overflow: auto; }
table { border-collapse: collapse; width: 100%; font-size: 13px; }
th, td { text-align: start; padding: 3px 10px 3px 0; vertical-align: top; overflow-wrap: anywhere; border-bottom: 1px solid color-mix(in srgb, currentColor 12%, transparent); }
`;

const mostRows = 500;

export class StrawViewer extends HTMLElement {
  static observedAttributes = ["src"];
  readonly #root = this.attachShadow({ mode: "open" });
  #model: Model | undefined;
  #stop: AbortController | undefined;

  /** The open model, for whoever wants more of it. */
  get model(): Model | undefined {
    return this.#model;
  }

  connectedCallback(): void {
    const sheet = new CSSStyleSheet(); // not a <style>: a strict policy of the page allows it
    sheet.replaceSync(style);
    this.#root.adoptedStyleSheets = [sheet];
    void this.#show();
  }

  disconnectedCallback(): void {
    this.#close();
  }

  attributeChangedCallback(): void {
    if (this.isConnected) void this.#show();
  }

  #close(): void {
    this.#stop?.abort();
    this.#model?.close();
    this.#model = undefined;
  }

  async #show(): Promise<void> {
    this.#close();
    const src = this.getAttribute("src");
    if (!src) return this.#root.replaceChildren();
    const mine = (this.#stop = new AbortController());
    this.#root.replaceChildren(box(element("p", "Reading the header…", { role: "status" })));
    try {
      const model = await open(src, { signal: mine.signal });
      if (mine.signal.aborted) return model.close();
      this.#model = model;
      this.#root.replaceChildren(box(...drawn(model.info)));
      this.dispatchEvent(new CustomEvent("open", { detail: model }));
    } catch (e) {
      if (mine.signal.aborted) return;
      this.#root.replaceChildren(box(element("p", visible(e instanceof Error ? e.message : String(e)), { role: "alert" })));
      this.dispatchEvent(new CustomEvent("error", { detail: e }));
    }
  }
}

function box(...children: Node[]): HTMLElement {
  return element("div", children, { part: "viewer" });
}

function drawn(info: Info): Node[] {
  const s = info.summary;
  const facts: [string, string | undefined][] = [
    ["Architecture", s.architecture], ["Parameters", short(s.parameters)], ["Type", s.file_type], ["Size", bytes(s.size)],
    ["Context", s.context_length === undefined ? undefined : whole(s.context_length)], ["Licence", s.license],
  ];
  return [
    element("h2", visible(s.name ?? "Unnamed model")),
    element("dl", facts.flatMap(([k, v]) => (v ? [element("div", [element("dt", k), element("dd", visible(v))])] : []))),
    table(`Metadata: ${whole(s.n_keys)} keys`, ["Key", "Type", "Value"], info.metadata.map((m) => [text(m.key), m.type, m.n === undefined ? value(m.value) : `${whole(m.n)} × ${m.elem ?? ""}`])),
    table(`Tensors: ${whole(s.n_tensors)}`, ["Name", "Type", "Shape", "Bytes"], info.tensors.map((x) => [text(x.name), x.type, shape(x.dims), size(x.nbytes)])),
  ];
}

const text = (v: Text): string => visible(plain(v));
const value = (v: Value): string => visible(typeof v === "object" ? JSON.stringify(v) : String(v)).slice(0, 400);
const size = (n: Count | null): string => (n === null ? "unknown" : bytes(n));

function table(title: string, head: string[], rows: string[][]): HTMLElement {
  const shown = rows.slice(0, mostRows).map((r) => element("tr", r.map((c) => element("td", c))));
  const cut = rows.length > mostRows ? [element("p", `The first ${whole(mostRows)} of ${whole(rows.length)}.`)] : [];
  const grid = element("table", [element("thead", [element("tr", head.map((h) => element("th", h, { scope: "col" })))]), element("tbody", shown)]);
  return element("details", [element("summary", title), element("div", [grid, ...cut], { class: "scroll", tabindex: "0" })]);
}

function element(name: string, content: string | Node[], attributes: Record<string, string> = {}): HTMLElement {
  const e = document.createElement(name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
  e.append(...(typeof content === "string" ? [content] : content));
  return e;
}

customElements.define("straw-viewer", StrawViewer);
