import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { verdict } from "../../comparator/ui/components/listing.js";

/** @type {(node: any) => string} */
const words = (node) =>
  typeof node === "string" ? node : [node.props.children].flat().map(words).join("");
const told = (/** @type {any} */ row) =>
  verdict(row)
    .filter(Boolean)
    .map((/** @type {any} */ cell) => (typeof cell === "string" ? cell : [cell.type, words(cell)]));

test("the winner stands first, and its score before the other's", () => {
  assert.deepEqual(told({ winner: "B", scores: { A: "6.0", B: "10.0" } }), [
    ["span", "B"],
    ["span", "10.0 to 6.0"],
  ]);
});

test("once names may be told, each has its letter, and the winner's stands first, in bold", () => {
  const names = { A: "new", B: "old" };
  const scores = { A: "6.0", B: "10.0" };
  assert.deepEqual(told({ winner: "B", names, scores }), [
    ["b", "B old"],
    ["span", "10.0 to 6.0"],
    ["span", "A new"],
  ]);
  assert.deepEqual(told({ winner: "TIE", names, turned: true }), [
    ["span", "Tie"],
    ["span", "B old"],
    " and ",
    ["span", "A new"],
  ]);
});
