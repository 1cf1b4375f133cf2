import { freshStorage } from "./browser.mjs";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Values } from "../../comparator/ui/review/src/sheet/values.js";

const both = (read) => ({ A: read("A"), B: read("B") });
const mark = (score) => ({ score, rationale: "", quotes: [] });

// One criterion of the content, which the judge scored 4 in A only, and one expectation, met in A only.
function values({ finalised = false } = {}) {
  const view = new Values();
  view.begin("pair", "person");
  const answer = { criteria: { "content.accuracy": { A: mark(4), B: mark(null) } }, expectations: [{ A: { passed: true, evidence: "" }, B: { passed: null, evidence: "" } }] };
  view.sheet = {
    finalised,
    opened: true,
    reasons: "optional",
    before_opening: [],
    preference: false,
    rubric: { content: [{ key: "accuracy", name: "Accuracy" }], structure: [] },
    expectations: ["It adds up"],
    judgment: {
      passes: [{ order: "AB", repetition: 0, answer }],
      assessments: { A: { scores: { "content.accuracy": "4" }, expectations: [true] }, B: { scores: {}, expectations: [null] } },
    },
    cited: { A: {}, B: {} },
    own: {},
    prose: { reasoning: "", strengths: both(() => []), weaknesses: both(() => []) },
  };
  view.index();
  return view;
}

beforeEach(freshStorage);

test("finalising needs a value only where a dimension has none, not where the rest may be left out", () => {
  const view = values();
  view.sheet.judgment = null;
  view.sheet.rubric = { content: [{ key: "facts" }, { key: "accuracy" }], structure: [{ key: "layout" }] };
  view.sheet.own = Object.fromEntries(["A", "B"].map((label) => [`score:${label}:content.accuracy`, { touch: "changed", value: "4", reason: "", code: "" }]));
  view.index();
  view.sheet.verdict = null;
  assert.equal(view.needed(), "score:A:structure.layout");
  view.sheet.verdict = {};
  assert.equal(view.needed(), null);
  view.sheet.opened = false;
  view.sheet.before_opening = ["score:A:content.facts"];
  assert.equal(view.needed(), "score:A:content.facts");
  view.chooseBetter("A");
  assert.equal(view.needed(), null);
  view.sheet.preference = true;
  assert.equal(view.needed(), "preference");
});

test("a reason is asked for a change of the judge's value, not for a blind score", () => {
  const view = values();
  view.choose("score:A:content.accuracy", 2);
  assert.ok(view.wantsReason("score:A:content.accuracy"));
  view.sheet.opened = false;
  assert.ok(!view.wantsReason("score:A:content.accuracy"));
  assert.ok(!view.wantsReason("score:B:content.accuracy"));
});

test("confirming the rest leaves alone what was changed, and what the judge has not given", () => {
  const view = values();
  view.choose("score:A:content.accuracy", 2);
  view.confirm(["score:A:content.accuracy"]);
  view.confirmRest();
  const sent = view.outbox.changes.map(({ target, kind }) => [target, kind]);
  assert.deepEqual(sent, [["score:A:content.accuracy", "set"], ["expectation:A:0", "confirm_rest"]]);
});
