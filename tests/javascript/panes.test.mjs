import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { middle } from "../../comparator/ui/review/src/dom.js";
import { entriesOf, fileOf, isLooked, titleOf, whereOf } from "../../comparator/ui/review/src/panes/entries.js";
import { nextZoom } from "../../comparator/ui/review/src/panes/documents.js";
import { threads } from "../../comparator/ui/review/src/notes.js";

const row = (id, name, ...more) => [id, name, "text", "1 KB", ...more];
const entries = (...pairs) => entriesOf({ pairs, extras: [["input", row("i", "task.md")]] });

test("a pair, a file that stands alone and the task's own files become entries", () => {
  const [pair, alone, task] = entries([row("a", "out/x.md"), row("b", "out/x.md"), "same_path", 0, 0, 0], [null, row("c", "y.md"), "only_b", 0, 0, 0]);
  assert.deepEqual([pair.id, pair.kind, pair.folder], ["a.b", "same_path", "out"]);
  assert.deepEqual([alone.id, whereOf(alone)], [".c", "only in B"]);
  assert.deepEqual([task.role, whereOf(task)], ["input", "Task input"]);
});

test("files with the same words tell whether their looks are shown", () => {
  const printed = row("a", "x.docx", [], 1);
  const [both, one] = entries([printed, row("b", "x.docx", [], 1), "same_path", 0, 0, 1], [printed, row("b", "x.docx"), "same_path", 0, 0, 1]);
  assert.match(whereOf(both), /different layout/);
  assert.match(whereOf(one), /the layout is not compared/);
  const pdf = (id) => [id, "x.pdf", "pdf", "1 KB"];
  assert.match(whereOf(entries([pdf("a"), pdf("b"), "same_path", 0, 0, 1])[0]), /different layout/);
});

test("a pair made by hand says so beside what it is", () => {
  const [pair] = entries([row("a", "x"), row("b", "x"), "same_path", 1, 1, 0]);
  assert.equal(whereOf(pair), "identical in A and B, by hand");
});

test("the second name of a pair loses the folder that both have", () => {
  const [pair] = entries([row("a", "out/one.md"), row("b", "out/two.md"), "renamed", 0, 0, 0]);
  assert.equal(titleOf(pair, 60), "out/one.md ⇄ two.md");
  assert.equal(titleOf(pair, 60, true), "one.md ⇄ two.md");
});

test("an entry was looked at when all of its files were", () => {
  const [pair] = entries([row("a", "x"), row("b", "x"), "same_path", 0, 0, 0]);
  assert.ok(!isLooked(pair, new Set(["a"])));
  assert.ok(isLooked(pair, new Set(["a", "b"])));
});

test("a file without notes has none", () => {
  assert.deepEqual(fileOf(row("a", "x")).notes, []);
  assert.equal(fileOf(null), null);
});

test("a long name keeps its end, by letters and not by halves of them", () => {
  assert.equal(middle("abcdefghij", 6), "ab…hij");
  assert.equal(Array.from(middle("😀".repeat(20), 6)).length, 6);
});

test("zoom goes by its steps and stops at both ends", () => {
  assert.equal(nextZoom(1, 1), 1.25);
  assert.equal(nextZoom(4, 1), 4);
  assert.equal(nextZoom(0.5, -1), 0.5);
});

test("replies stand under what they answer, and a reply to something unknown stands alone", () => {
  const comment = (id, repliesTo = null) => ({ id, repliesTo });
  const grown = threads([comment("1"), comment("2", "1"), comment("3", "2"), comment("4", "gone")]);
  const shape = (all) => all.map(([{ id }, more]) => [id, shape(more)]);
  assert.deepEqual(shape(grown), [["1", [["2", [["3", []]]]]], ["4", []]]);
});
