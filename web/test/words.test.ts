import assert from "node:assert/strict";
import { test } from "node:test";
import { t } from "../src/strings";
import { wordsFor } from "../src/words";

test("another kind of file is named, without the field that gave it away", () => {
  const w = wordsFor({ kind: "format", field: "magic", offset: 0, message: 'magic = "<!do": an HTML page, not the model; use the download link (byte 0)' });
  assert.equal(w.title, t.problem.otherFile);
  assert.equal(w.sentence, "An HTML page, not the model; use the download link");
  assert.equal(w.advice, "");
});

test("a damaged file keeps what its message says, the byte apart", () => {
  const w = wordsFor({ kind: "truncated", field: "k count", offset: 41, message: "k count: 8 bytes are needed, 3 are left (byte 41)" });
  assert.equal(w.sentence, "K count: 8 bytes are needed, 3 are left");
  assert.equal(w.advice, t.problem.advice.truncated);
});

test("without an offset the message is left alone, and nothing in it is hidden", () => {
  assert.equal(wordsFor({ kind: "io", message: "a\u202eb (byte 3)" }).sentence, "A⟦U+202E⟧b (byte 3)");
});
