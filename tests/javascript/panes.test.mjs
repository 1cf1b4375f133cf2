import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, middle } from "../../comparator/ui/review/src/dom.js";
import { Files, entryOf, isLooked, titlesOf } from "../../comparator/ui/review/src/panes/files.js";
import { nextZoom } from "../../comparator/ui/review/src/panes/documents.js";

const file = (id, name) => ({ id, name, family: "text", size: "1 KB", notes: [], pages: false });

test("a pair, a file that stands alone and the task's own files become entries", () => {
  const pair = entryOf({ a: file("a", "out/x.md"), b: file("b", "out/x.md"), kind: "same_path" });
  const alone = entryOf({ a: null, b: file("c", "y.md"), kind: "only_b" });
  const task = entryOf({ a: file("i", "task.md"), role: "input" });
  assert.deepEqual([pair.id, pair.kind, pair.folder], ["a.b", "same_path", "out"]);
  assert.deepEqual([alone.id, alone.names, alone.folder], ["c", ["y.md"], ""]);
  assert.deepEqual([task.role, task.files.length], ["input", 1]);
  assert.deepEqual([["a"], ["a", "b"]].map((looked) => isLooked(pair, new Set(looked))), [false, true]);
});

test("arrows lead from file to file, so that one file has none", () => {
  const named = (name) => entryOf({ a: { id: name, name }, kind: "only_a" });
  const panes = /** @type {any} */ ({ entry: null, view: { looked: new Set() } });
  const files = new Files(panes);
  // As after a pair whose tabs did not fit.
  files.wraps = true;
  const arrows = (...entries) => {
    [panes.entry] = entries;
    files.update(entries, []);
    return JSON.stringify(files.strip()[0]).includes("Next file");
  };
  assert.equal(arrows(named("one.md"), named("two.md")), true);
  assert.equal(arrows(named("one.md")), false);
});

test("the second name of a pair loses the folder that both have", () => {
  const pair = entryOf({ a: file("a", "out/one.md"), b: file("b", "out/two.md"), kind: "renamed" });
  assert.deepEqual(titlesOf(pair), ["out/one.md", "two.md"]);
  assert.deepEqual(titlesOf(pair, true), ["one.md", "two.md"]);
});

test("a long name keeps its end, by letters and not by halves of them", () => {
  assert.equal(middle("abcdefghij", 6), "ab…hij");
  assert.equal(Array.from(middle("😀".repeat(20), 6)).length, 6);
});

test("a name is whole, and its ending does not give way", () => {
  const parts = (name) => cut(name).map(({ props }) => props.children);
  assert.deepEqual(parts("booking-form.pdf"), ["book", "ing-form.pdf"]);
  assert.deepEqual(parts("a.md"), ["", "a.md"]);
  assert.equal(parts("😀".repeat(20)).join(""), "😀".repeat(20));
});

test("zoom goes by its steps and stops at both ends", () => {
  assert.equal(nextZoom(1, 1), 1.25);
  assert.equal(nextZoom(4, 1), 4);
  assert.equal(nextZoom(0.5, -1), 0.5);
});
