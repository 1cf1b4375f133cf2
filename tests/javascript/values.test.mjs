import { freshStorage } from "./browser.mjs";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Values } from "../../comparator/ui/components/sheet/js/sending/values.js";

const untouched = { touch: "untouched", shown: null, reason: "", code: "", blind: false };
const own = (shown) => ({ A: { ...untouched, shown }, B: { ...untouched, shown } });

function values({ finalised = false } = {}) {
  const view = new Values("pair", "person");
  view.sheet = {
    finalised,
    opened: true,
    reasons: "optional",
    before_opening: [],
    preference: null,
    own_winner: untouched,
    criteria: [{ path: "accuracy", own: own(4), judge: { A: { score: "4" }, B: { score: null } } }],
    expectations: [{ index: 0, own: own(true), judge: { A: { passed: true }, B: { passed: null } } }],
    prose: { reasoning: untouched, strengths: own([]), weaknesses: own([]) },
  };
  view.index();
  return view;
}

beforeEach(freshStorage);

test("choosing the judge's own score confirms it", () => {
  const view = values();
  view.choose("score:A:accuracy", 4);
  assert.equal(view.own("score:A:accuracy").touch, "confirmed");
});

test("choosing another score changes it, and a reason goes with it", () => {
  const view = values();
  view.choose("score:A:accuracy", 2);
  view.explain("score:A:accuracy", { reason: "misses the total" });
  const { touch, shown, reason } = view.own("score:A:accuracy");
  assert.deepEqual([touch, shown, reason], ["changed", 2, "misses the total"]);
});

test("confirming the rest leaves what the judge did not assess, and can be taken back", () => {
  const view = values();
  view.confirmRest();
  assert.equal(view.note, "Confirmed 2 values that you had not touched.");
  assert.equal(view.own("score:B:accuracy").touch, "untouched");
  view.offer.act();
  assert.equal(view.own("score:A:accuracy").touch, "untouched");
});

test("finalising needs a value only where a dimension has none, not where the rest may be left out", () => {
  const view = values();
  const line = (path, dimension, score) => ({ path, dimension, own: own(score), judge: { A: { score: null }, B: { score: null } } });
  view.sheet.missing = ["score:A:facts", "score:B:facts", "score:A:layout", "score:B:layout"];
  view.sheet.criteria = [line("facts", "content", null), line("accuracy", "content", 4), line("layout", "structure", null)];
  view.index();
  view.sheet.verdict = null;
  assert.equal(view.needed(), "score:A:layout");
  view.sheet.verdict = {};
  assert.equal(view.needed(), null);
  view.sheet.opened = false;
  view.sheet.before_opening = ["score:A:facts"];
  assert.equal(view.needed(), "score:A:facts");
  view.chooseWinner("A");
  assert.equal(view.needed(), null);
  view.sheet.preference = untouched;
  assert.equal(view.needed(), "preference");
});

test("a finalised review takes no change", () => {
  const view = values({ finalised: true });
  assert.ok(!view.choose("score:A:accuracy", 1));
  assert.equal(view.outbox.items.length, 0);
});

test("lines that are being edited keep their empty lines while they are drawn anew", () => {
  const view = values();
  const drawn = [];
  view.root = /** @type {any} */ ({ querySelector: () => null });
  view.render = () => drawn.push(view.lines("strengths:A").map((line) => line.text));
  view.editLines("strengths:A", [{ key: "new1", text: "short" }], { later: true });
  view.addLine("strengths:A", 1);
  assert.deepEqual(drawn.at(-1), ["short", ""]);
  assert.deepEqual(view.own("strengths:A").shown, ["short"]);
});

test("a reason is asked for a change of the judge's value, not for a blind score", () => {
  const view = values();
  view.choose("score:A:accuracy", 2);
  assert.ok(view.wantsReason("score:A:accuracy"));
  view.sheet.opened = false;
  assert.ok(!view.wantsReason("score:A:accuracy"));
  assert.ok(!view.wantsReason("score:B:accuracy"));
});
