import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { findingsOf, learnFlags } from "../../comparator/ui/review/src/findings.js";
import { learn } from "../../comparator/ui/review/src/words.js";

const names = (more) => findingsOf({ judge: { kind: "model" }, ...more }).map((each) => each.name);

test("whoever reviews a revealed pair is told that it will not count as blind; a final review is not called so", () => {
  assert.deepEqual(names({ revealed: true, finalised: false }), ["Candidates are known: your review will not count as blind"]);
  assert.deepEqual(names({ revealed: true, finalised: true }), ["Candidates revealed"]);
  assert.deepEqual(names({ revealed: false, finalised: false, blindness: "blind" }), []);
});

test("whoever set a pair up is told that its sides are hidden, and whoever knows them that they are not blind", () => {
  assert.deepEqual(names({ blindness: "sides_hidden" }), ["Sides are hidden; you know the candidates"]);
  assert.deepEqual(names({ blindness: "known" }), ["Not blind for you"]);
  assert.deepEqual(names({ blindness: "sides_hidden", revealed: true, finalised: true }), ["Candidates revealed"]);
});

test("a judge whose scores and verdict disagree is called as the page calls it, and both are told", () => {
  learn({ words: { tie: "a tie" } });
  learnFlags({ contradicts: ["Its values differ", "Decide yourself."] });
  const contradictions = [
    { order: "AB", named: "A", by_scores: "B" },
    { order: "BA", named: "TIE", by_scores: "B" },
  ];
  const [found] = findingsOf({ judge: { kind: "model" }, judgment: { passes: [], contradictions } });
  assert.equal(found.name, "Its values differ");
  assert.deepEqual(found.lines, [
    "With A shown first, it named: A wins. Its scores say: B wins.",
    "With B shown first, it named: a tie. Its scores say: B wins.",
  ]);
});

test("a flag of the pair is called as the page calls it, for each output that was cut off", () => {
  learnFlags({ void: ["Unusable", "One run left nothing."], cut: ["{} cut off", "The output has no end."] });
  const found = findingsOf({ judge: { kind: "model" }, void: true, cut_off: ["A", "B"] });
  assert.deepEqual(found.map((each) => [each.name, each.about]), [
    ["A cut off", "The output has no end."],
    ["B cut off", "The output has no end."],
    ["Unusable", "One run left nothing."],
  ]);
});

test("findings name the candidates once they may be told", () => {
  learn({ words: { tie: "a tie" } });
  learnFlags({ cut: ["{} cut off", "The output has no end."] });
  const judges = ["A", "TIE", "abstained"].map((vote, at) => ({ name: `judge ${at}`, vote }));
  const sheet = { judge: { kind: "model", judges }, cut_off: ["B"], view_notes: { A: ["No text."] } };
  const told = (called) => findingsOf(sheet, called).map((each) => [each.name, each.about, ...each.lines]);

  assert.deepEqual(told(null), [
    ["Judges disagree", "Several judges were asked. Each was reconciled over both orders first:", "judge 0: A wins", "judge 1: a tie", "judge 2: abstained"],
    ["B cut off", "The output has no end."],
    ["A: No text.", "No text."],
  ]);
  const named = told({ A: "saxifrage-32", B: "quillwort-31" });
  assert.equal(named[0][2], "judge 0: saxifrage-32 (A) wins");
  assert.deepEqual(named[1], ["quillwort-31 (B) cut off", "The output has no end."]);
  assert.equal(named[2][0], "saxifrage-32 (A): No text.");
});
