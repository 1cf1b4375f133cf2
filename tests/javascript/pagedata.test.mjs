import assert from "node:assert/strict";
import { test } from "node:test";
import { notesOf } from "../../comparator/ui/components/panes/js/pane/pagedata.js";

// As much of a document as elements are made with; `textOf` reads what they hold.
class Made {
  children = [];
  textContent = "";
  constructor(tag) { this.tag = tag; }
  setAttribute() {}
  append(child) { this.children.push(child); }
}
globalThis.document = /** @type {any} */ ({ createElement: (tag) => new Made(tag) });
const textOf = (node) => [node.textContent, ...node.children.flatMap(textOf)].filter(Boolean);

test("a file's notes and those of its page stand in one line; without any there is none", () => {
  const [line, ...more] = notesOf({ notes: ["Cut off."] }, { notes: ["Two scripts were removed."], data: [] });
  assert.deepEqual(textOf(line), ["Cut off. Two scripts were removed."]);
  assert.deepEqual([more, notesOf({ notes: [] }, undefined), notesOf(null, null)], [[], [], []]);
});

test("the data of a page is counted and listed, and a long value is cut", () => {
  const [list] = notesOf(null, { data: [["title", "", "Report"], ["meta", "author", "x".repeat(2000)]] });
  assert.equal(list.tag, "details");
  assert.deepEqual(textOf(list), ["Page data (2)", "title", "Report", "meta: author", `${"x".repeat(1500)}…`]);
});
