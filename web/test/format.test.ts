import assert from "node:assert/strict";
import { test } from "node:test";
import * as f from "../src/format";

test("numbers", () => {
  const cases: [string, string][] = [
    [f.whole("18446744073709551615"), "18,446,744,073,709,551,615"],
    [f.whole(1234567), "1,234,567"],
    [f.bytes(0), "0\u00a0B"],
    [f.bytes(999), "999\u00a0B"],
    [f.bytes(999_999), "1.00\u00a0MB"],
    [f.bytes(3_660_384), "3.66\u00a0MB"],
    [f.bytes("9223372036854775808"), "9.22\u00a0EB"],
    [f.short(3_410_176), "3.41\u00a0M"],
    [f.short(512), "512"],
    [f.short(151_936), "152\u00a0K"],
    [f.shape([]), "scalar"],
    [f.shape([4096, 32000]), "4,096 × 32,000"],
    [f.seconds(12.4), "12\u00a0ms"],
    [f.seconds(999), "1.0\u00a0s"],
    [f.float(0.10000000149011612), "0.1"],
    [f.float(Number.NaN), "NaN"],
    [f.float(-0), "-0"],
    [f.float(Math.fround(2.86968e-6)), "2.86968e-6"],
    [f.float(Math.fround(5e-5)), "5e-5"],
    [f.float(-1234567), "-1234567"],
    [f.hexOffset("9007199254740993"), "0x20000000000001"],
  ];
  for (const [got, want] of cases) assert.equal(got, want);
});

test("what cannot be seen is named", () => {
  assert.deepEqual(f.runs("a\u001b[31mb\u202ec"), [
    { text: "a", mark: false }, { text: "ESC", mark: true }, { text: "[31mb", mark: false }, { text: "U+202E", mark: true }, { text: "c", mark: false },
  ]);
  assert.equal(f.visible("\ud800x\n\t"), "⟦U+D800⟧x\n\t");
  assert.equal(f.visible("日本語 🦙 café ▁the"), "日本語 🦙 café ▁the");
  assert.equal(f.visible("👩\u200d👧"), "👩\u200d👧"); // joins emoji: drawn, not hidden
});
