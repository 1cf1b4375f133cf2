import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { countedWords, sideHead } from "../../comparator/ui/review/src/sheet/table.js";

test("a mean says of how many rows it is, where some have no value for both outputs", () => {
  const values = { "A:one": true, "B:one": true, "A:two": true, "B:two": null };
  const view = { addressOf: (row, label) => `${label}:${row}`, own: (address) => ({ shown: values[address] }) };
  assert.equal(countedWords(view, ["one", "two"]), "from 1 of 2 rows");
  assert.equal(countedWords(view, ["one"]), "");
});

test("the head of a column says the candidate's name in place of Output once it is told", () => {
  const words = ({ children }) => children.map((child) => child.words ?? child.children[0].words).join("");
  assert.equal(words(sideHead("A", undefined)), "A Output A");
  assert.equal(sideHead("A", undefined).props.title, null);
  assert.equal(words(sideHead("A", "with_skill (32)")), "A · with_skill (32)");
  assert.equal(sideHead("A", "with_skill (32)").props.title, "with_skill (32)");
});
