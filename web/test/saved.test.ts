import assert from "node:assert/strict";
import { test } from "node:test";
import type { Entry } from "../src/api";
import { metadataAs } from "../src/page/formats";
import { meaningOf, nameOfValue, prefixOf } from "../src/page/keys";
import { npyHeader } from "../src/page/npy";
import { roleOf } from "../src/page/roles";

test("the header of .npy ends at a multiple of 64 and has the shape row-major", () => {
  for (const dims of [[5], [256, 768], [2, 3, 4]]) {
    const head = npyHeader(dims);
    assert.equal(head.length % 64, 0);
    assert.equal(head[8]! + 256 * head[9]! + 10, head.length);
    const text = new TextDecoder().decode(head.subarray(10));
    assert.ok(text.includes(dims.length === 1 ? "(5,)" : `(${dims.toReversed().join(", ")})`), text);
    assert.ok(text.endsWith("\n"));
  }
});

const entries: Entry[] = [
  { key: "general.name", type: "str", value: 'a "b", | c\n' },
  { key: "x.formula", type: "str", value: "=1+1" },
  { key: "tokenizer.ggml.tokens", type: "arr", elem: "str", n: 100, truncated: true, value: ["a", "b"] },
];

test("metadata as text", () => {
  assert.deepEqual(JSON.parse(metadataAs("json", entries)), entries);
  assert.equal(metadataAs("yaml", entries), '"general.name": "a \\"b\\", | c\\n"\n"x.formula": "=1+1"\n"tokenizer.ggml.tokens": ["a","b"] # the first of 100\n');
  assert.ok(metadataAs("md", entries).includes('| general.name | str | a "b", \\| c  |\n'));
  assert.ok(metadataAs("csv", entries).startsWith('key,type,value\ngeneral.name,str,"a ""b"", | c\n"\nx.formula,str,\'=1+1\n'));
});

test("what keys and tensors are for", () => {
  assert.match(meaningOf("llama.attention.head_count_kv") ?? "", /keys and values/);
  assert.equal(meaningOf("general.__proto__"), undefined);
  assert.equal(meaningOf("mine.toString"), undefined);
  assert.equal(nameOfValue("bert.pooling_type", 1), "mean");
  assert.equal(prefixOf("general.name"), "general");
  assert.deepEqual(roleOf("blk.12.ffn_up_exps.weight").group, "experts");
  assert.deepEqual(roleOf("blk.12.attn_norm.weight"), { layer: 12, group: "norm", words: "Scales the numbers before attention" });
  assert.deepEqual(roleOf("constructor"), { layer: undefined, group: "other", words: undefined });
});
