import { freshStorage } from "./browser.mjs";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Outbox, keepPlace, newId, placeIn } from "../../comparator/ui/review/src/kept.js";

beforeEach(freshStorage);

const targets = (outbox) => outbox.items.map((item) => [item.target, item.value]);

test("a change outlives a reload until the server has it", () => {
  const outbox = new Outbox("p:");
  const { id } = outbox.put({ target: "score:A:accuracy", kind: "set", value: 4 });
  assert.deepEqual(targets(new Outbox("p:")), [["score:A:accuracy", 4]]);
  outbox.drop(new Set([id]));
  assert.deepEqual(targets(new Outbox("p:")), []);
});

test("drafts of another person in the same browser are not read", () => {
  new Outbox("pair:one:").put({ target: "winner", kind: "set", value: "A" });
  assert.deepEqual(targets(new Outbox("pair:two:")), []);
});

test("typing replaces what was typed before, unless that was sent", () => {
  const outbox = new Outbox("p:");
  const typed = (value) => outbox.put({ target: "reasoning", kind: "set", value, typing: true });
  typed("a");
  typed("ab");
  assert.deepEqual(targets(outbox), [["reasoning", "ab"]]);
  outbox.outgoing();
  typed("abc");
  assert.deepEqual(targets(outbox), [["reasoning", "ab"], ["reasoning", "abc"]]);
  assert.ok(outbox.unsent);
  assert.equal(outbox.last("reasoning").value, "abc");
});

test("typing in one field keeps what was typed into another", () => {
  const outbox = new Outbox("p:");
  for (const target of ["strengths:A", "reasoning"]) outbox.put({ target, kind: "set", value: "a", typing: true });
  assert.deepEqual(targets(new Outbox("p:")), [["strengths:A", "a"], ["reasoning", "a"]]);
});

test("changes of one instant keep their order after a reload", () => {
  const outbox = new Outbox("p:");
  for (const value of [1, 2, 3]) outbox.put({ target: "score:A:x", kind: "set", value });
  assert.deepEqual(targets(new Outbox("p:")).map(([, value]) => value), [1, 2, 3]);
});

test("an entry that is no change is thrown away, and the others are read", () => {
  new Outbox("p:").put({ target: "winner", kind: "set", value: "B" });
  localStorage.setItem("p:broken", "{");
  assert.deepEqual(targets(new Outbox("p:")), [["winner", "B"]]);
  assert.equal(localStorage.getItem("p:broken"), null);
});

test("ticks of several files go as one, until they are sent", () => {
  const notes = new Outbox("pair");
  notes.put({ do: "look", on: true, files: ["f1"] });
  notes.put({ do: "look", on: true, files: ["f1", "f2"] });
  assert.deepEqual(notes.items.map((item) => item.files), [["f1", "f2"]]);
  notes.outgoing();
  notes.put({ do: "look", on: true, files: ["f3"] });
  assert.equal(notes.items.length, 2);
});

test("an id has the twenty letters and digits that the server asks for", () => {
  assert.match(newId(), /^[a-z2-7]{20}$/);
});

test("what the panes remember outlives a reload, each comparison by itself", () => {
  keepPlace("pair-1", { ...placeIn("pair-1"), file: "a.b", files: { a: { zoom: 1.25 } } });

  const again = placeIn("pair-1");
  assert.deepEqual([again.file, again.files, again.linked], ["a.b", { a: { zoom: 1.25 } }, true]);
  assert.equal(placeIn("pair-2").file, null);
});
