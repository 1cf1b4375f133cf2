import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { findingsOf, learnFlags } from "../../comparator/ui/components/sheet/js/findings.js";

const names = (more) => findingsOf({ judge: { kind: "model", addressed_judge: [] }, ...more }).map((each) => each.name);

test("whoever reviews a revealed pair is told that it will not count as blind; a final review is not called so", () => {
  assert.deepEqual(names({ revealed: true, finalised: false }), ["Candidates are known: your review will not count as blind"]);
  assert.deepEqual(names({ revealed: true, finalised: true }), ["Candidates revealed"]);
  assert.deepEqual(names({ revealed: false, finalised: false }), []);
});

test("a judge whose scores and verdict disagree is called as the page calls it", () => {
  learnFlags({ contradicts: ["Its values differ", "Decide yourself."] });
  assert.deepEqual(names({ judge: { kind: "model", addressed_judge: [], self_consistent: false } }), ["Its values differ"]);
});

test("a flag of the pair is called as the page calls it, for each output that was cut off", () => {
  learnFlags({ void: ["Unusable", "One run left nothing."], cut: ["{} cut off", "Output {} has no end."] });
  const found = findingsOf({ judge: { kind: "model", addressed_judge: [] }, void: true, cut_off: ["A", "B"] });
  assert.deepEqual(found.map((each) => [each.name, each.about]), [
    ["A cut off", "Output A has no end."],
    ["B cut off", "Output B has no end."],
    ["Unusable", "One run left nothing."],
  ]);
});
