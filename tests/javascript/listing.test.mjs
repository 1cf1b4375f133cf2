import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { scores } from "../../comparator/ui/components/listing.js";

const bold = (/** @type {any} */ row) =>
  scores(row).children.filter(({ tag }) => tag === "b").map(({ children }) => children[0].words);

test("the higher score is bold, whoever won, and none of two equal ones", () => {
  assert.deepEqual(bold({ winner: "A", scores: { A: "6.0", B: "10.0" } }), ["10.0"]);
  assert.deepEqual(bold({ winner: "A", scores: { A: "6.0", B: "6.0" } }), []);
});
