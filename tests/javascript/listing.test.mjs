import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { scores, verdict } from "../../comparator/ui/components/listing.js";

const bold = (/** @type {any} */ row) =>
  scores(row).children.filter(({ tag }) => tag === "b").map(({ children }) => children[0].words);

test("the higher score is bold, whoever won, and none of two equal ones", () => {
  assert.deepEqual(bold({ winner: "A", scores: { A: "6.0", B: "10.0" } }), ["10.0"]);
  assert.deepEqual(bold({ winner: "A", scores: { A: "6.0", B: "6.0" } }), []);
});

test("once names may be told, both stand beside their scores, and the winner's is bold", () => {
  const names = { A: "new", B: "old" };
  /** @type {any[]} */
  const cells = verdict({ winner: "B", names, turned: true, scores: { A: "6.0", B: "10.0" } });
  const told = cells.filter(Boolean).map(({ tag, children }) => [tag, children[0].words ?? children.length]);
  assert.deepEqual(told, [
    ["b", "old"],
    ["span", 3],
    ["span", "new"],
  ]);
  /** @type {any} */
  const [tie] = verdict({ winner: "TIE", names });
  assert.equal(tie.children[0].words, "Tie");
});
