// Both sides of the protocol are held to the same messages: testdata/protocol/*.json. wasm/protocol tests the Go side.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { checkRequest, checkResponse, checkResult } from "../src/protocol";

interface Fixture {
  name: string;
  direction: "request" | "response";
  valid: boolean;
  message: unknown;
  error?: string;
}

const folder = "testdata/protocol"; // from the module's root, where the tests run
const files = readdirSync(folder).filter((f) => f.endsWith(".json"));

test("there are fixtures", () => assert.ok(files.length > 20));

for (const file of files) {
  const f = JSON.parse(readFileSync(`${folder}/${file}`, "utf8")) as Fixture;
  test(f.name, () => {
    const check = f.direction === "request" ? checkRequest : checkResponse;
    if (f.valid) {
      assert.deepEqual(JSON.parse(JSON.stringify(check(f.message))), f.message);
    } else {
      assert.throws(() => check(f.message), (e: Error) => e instanceof TypeError && e.message.includes(f.error ?? ""));
    }
  });
}

test("a result is checked against its method", () => {
  assert.throws(() => checkResult("tensor", { count: -1 }), /result\.count/);
  assert.throws(() => checkResult("detokenize", { text: "a", more: 1 }), /result\.more/);
  assert.deepEqual(checkResult("value", { value: null as never }), { value: null });
});
