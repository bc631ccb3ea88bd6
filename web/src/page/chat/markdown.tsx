// A model's Markdown as elements. It never becomes a string of HTML: tags are shown as the text they are, an image as a link that
// nobody has followed yet, and an address is only a link if it is one of the web.

import { Lexer } from "marked";
import type { Token, Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { Component } from "preact";
import { visible } from "../../format";
import { t } from "../../strings";
import { Code } from "./code";

export function Markdown({ text }: { text: string }): JSX.Element {
  return <div class="prose">{Lexer.lex(text).map((token, i) => <Block key={i} token={token} />)}</div>;
}

/** Drawn again only when its own text changed: while an answer grows, that is the last block. */
class Block extends Component<{ token: Token }> {
  override shouldComponentUpdate(next: { token: Token }): boolean {
    return next.token.raw !== this.props.token.raw || next.token.type !== this.props.token.type;
  }
  override render(): ComponentChildren {
    return block(this.props.token as MarkedToken);
  }
}

type MarkedToken =
  | Tokens.Blockquote | Tokens.Code | Tokens.Def | Tokens.Heading | Tokens.Hr | Tokens.HTML | Tokens.List | Tokens.Paragraph | Tokens.Space | Tokens.Table | Tokens.Text
  | Tokens.Br | Tokens.Checkbox | Tokens.Codespan | Tokens.Del | Tokens.Em | Tokens.Escape | Tokens.Image | Tokens.Link | Tokens.Strong | Tokens.Tag;

const blocks = (tokens: Token[]): ComponentChildren => tokens.map((x) => block(x as MarkedToken));
const inlines = (tokens: Token[]): ComponentChildren => tokens.map((x) => inline(x as MarkedToken));

function block(x: MarkedToken): ComponentChildren {
  switch (x.type) {
    case "space":
    case "def":
      return null;
    case "heading": // not of the page's outline
      return <p class={`heading is-${x.depth}`}>{inlines(x.tokens)}</p>;
    case "paragraph":
      return <p>{inlines(x.tokens)}</p>;
    case "code":
      return <Code code={x.text} language={x.lang?.split(/\s/)[0] ?? ""} />;
    case "blockquote":
      return <blockquote>{blocks(x.tokens)}</blockquote>;
    case "list": {
      const items = x.items.map((item, i) => <li key={i}>{blocks(item.tokens)}</li>);
      return x.ordered ? <ol start={Number(x.start) || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case "table":
      return (
        <div class="scroll" tabIndex={0} role="group" aria-label={t.chat.table}>
          <table>
            <thead><tr>{x.header.map((c, i) => <th key={i} style={{ textAlign: c.align ?? "start" }}>{inlines(c.tokens)}</th>)}</tr></thead>
            <tbody>{x.rows.map((r, i) => <tr key={i}>{r.map((c, k) => <td key={k} style={{ textAlign: c.align ?? "start" }}>{inlines(c.tokens)}</td>)}</tr>)}</tbody>
          </table>
        </div>
      );
    case "hr":
      return <hr />;
    case "html":
      return <p class="verbatim">{visible(x.text.trimEnd())}</p>;
    default:
      return inline(x);
  }
}

function inline(x: MarkedToken): ComponentChildren {
  switch (x.type) {
    case "strong":
      return <strong>{inlines(x.tokens)}</strong>;
    case "em":
      return <em>{inlines(x.tokens)}</em>;
    case "del":
      return <del>{inlines(x.tokens)}</del>;
    case "codespan":
      return <code>{visible(x.text)}</code>;
    case "br":
      return <br />;
    case "checkbox":
      return x.checked ? "☑ " : "☐ ";
    case "link":
      return link(x.href, inlines(x.tokens));
    case "image":
      return link(x.href, `[${t.chat.image} ${visible(x.text || x.href)}]`);
    case "text":
      return "tokens" in x && x.tokens ? inlines(x.tokens) : visible(x.text);
    default:
      return visible("text" in x && x.type !== "html" ? x.text : x.raw);
  }
}

function link(href: string, children: ComponentChildren): ComponentChildren {
  if (!/^(https?|mailto):/i.test(href)) return children;
  return <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">{children}</a>;
}
