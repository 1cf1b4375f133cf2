import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, count, decided, distinctReadings, figure, judgeWords, preferenceWords, learn, shown, valueWords, verdictWords, wins } from "../../comparator/ui/review/src/words.js";

const verdict = { winner: "A", totals: { A: { overall_score: "8.24" }, B: { overall_score: 6 } }, decided_by: "rubric", left_out: [] };
/** @returns {any} */
const sheet = (/** @type {any} */ said, /** @type {any} */ { verdict: settled = verdict, ...more } = {}) => ({
  opened: true,
  judgment: { verdict: settled, contradictions: [], position_consistent: null, quotes_total: 0, stated_confidence: 80, ...said },
  judge: { kind: "model", state: "done", ...said },
  ...more,
});

test("a number that is missing is a dash, and a half keeps its half", () => {
  assert.equal(figure(null), "–");
  assert.equal(figure("3.50"), "3.5");
});

test("one is counted in the singular", () => {
  assert.equal(count(1, "row"), "1 row");
  assert.equal(count(1200, "value is", "values are"), "1,200 values are");
});

test("a time that has passed is told in its largest whole unit, and one of a clock that is ahead as now", () => {
  const now = Date.now();
  const before = (seconds) => ago(now - seconds * 1000);
  assert.deepEqual([90, 3599, 7200, 90_000, 200_000].map(before), ["1 minute ago", "59 minutes ago", "2 hours ago", "yesterday", "2 days ago"]);
  assert.equal(before(-100), "just now");
});

test("characters that reorder text are shown by their number", () => {
  assert.equal(shown("a\u202Eb"), "a⟨U+202E⟩b");
  assert.equal(shown("line\n\tnext"), "line\n\tnext");
});

test("the rule that decided is called as the page calls it, with the rows that are not assessed", () => {
  learn({ rules: { rubric: "decided by the scores", reviewer: "set by the reviewer" } });
  assert.equal(decided({ decided_by: "rubric", left_out: ["content.facts", "expectation.0"], totals: {} }), "decided by the scores, 2 rows not assessed");
  assert.equal(decided({ decided_by: "reviewer", left_out: ["content.facts"], totals: null }), "set by you");
});

test("a winner is named by its candidate once that may be told, and by its letter before", () => {
  const names = { A: "saxifrage-32", B: "quillwort\u202E31" };
  learn({ words: { tie: "a draw" } });
  assert.equal(wins("A", null), "A wins");
  assert.equal(wins("A", names), "saxifrage-32 (A) wins");
  assert.equal(wins("B", names), "quillwort⟨U+202E⟩31 (B) wins");
  assert.equal(wins("TIE", names), "a draw");
  assert.equal(verdictWords(verdict, names), "saxifrage-32 (A) wins 8.2 to 6.0");
  assert.equal(judgeWords(sheet({}), names), "saxifrage-32 (A) wins 8.2 to 6.0, stated confidence 80%");
  assert.equal(preferenceWords("B_MUCH", null), "B much better");
  assert.equal(preferenceWords("A", names), "saxifrage-32 (A) better");
  assert.equal(preferenceWords("SAME", names), "The same");
  assert.equal(preferenceWords(null, names), "");
});

test("a winner that was set against the scores is told so, with the scores", () => {
  const totals = { A: { overall_score: "5.3" }, B: { overall_score: "8.5" } };
  const even = { A: totals.A, B: totals.A };
  assert.equal(verdictWords({ winner: "A", totals: even, decided_by: "reviewer" }, null), "A wins, at equal scores 5.3 to 5.3");
  assert.equal(verdictWords({ winner: "A", totals, decided_by: "reviewer" }, null), "A wins, against the scores 5.3 to 8.5");
  assert.equal(verdictWords({ winner: "B", totals, decided_by: "reviewer" }, null), "B wins 8.5 to 5.3");
});

test("a stated confidence is called a probability only once the page says what it is worth", () => {
  learn({ probability: 0.736 });
  assert.match(judgeWords(sheet({ stated_confidence: 80 })), /probability 74% \(stated 80%\)$/);
  learn({});
  assert.match(judgeWords(sheet({ stated_confidence: 80 })), /stated confidence 80%$/);
});

test("the judge's line tells its verdict with both orders and quotes, or why there is none to tell", () => {
  learn({ words: { disagree: "values differ", same_orders: "alike twice" } });
  const judges = [{ name: "one", vote: "A" }, { name: "two", vote: "B" }];
  const none = { verdict: null };
  const told = [
    [sheet({ position_consistent: false, quotes_total: 3, quotes_found: 2 }), "A wins 8.2 to 6.0, its two orders disagree, 2 of 3 quotes found, stated confidence 80%"],
    [sheet({ contradictions: [{}], position_consistent: true }), "A wins 8.2 to 6.0, its values differ, alike twice, stated confidence 80%"],
    [sheet({ judges, settled: "inconclusive" }, none), "no verdict: inconclusive"],
    [sheet({ judges, settled: "no quorum" }, none), "no verdict: no quorum"],
    [sheet({}, none), "no verdict"],
    [sheet({}, { opened: false }), "hidden until you have answered"],
    [sheet({ kind: "offline", form: "B does not open" }, none), ""],
  ];
  for (const [said, words] of told) assert.equal(judgeWords(said), words);
  assert.equal(judgeWords(sheet({}), null, true), "hidden with the scores");
});

test("what is not stored is named with its value", () => {
  assert.equal(valueWords({ value: false }), ": not met");
  assert.equal(valueWords({ value: ["two", "lines"], reason: "since" }), ": two; lines: since");
});

test("readings that say the same stand once, under both orders", () => {
  const reading = (order, value, text, repetition = 0) => ({ order, value, text, quotes: [], repetition });
  const told = (...passes) => distinctReadings(passes).map(({ who, pass }) => [who, pass.value]);

  assert.deepEqual(told(reading("AB", 2, "No total."), reading("BA", 2, "No total.")), [["both orders", 2]]);
  assert.deepEqual(told(reading("AB", 2, "No total."), reading("BA", 3, "No total.")), [["A shown first", 2], ["B shown first", 3]]);
  assert.deepEqual(told(reading("AB", 4, "Neat.")), [["A shown first", 4]]);
  assert.deepEqual(
    told(reading("AB", 2, "No total."), reading("BA", 3, "A total."), reading("AB", 2, "No total.", 1)),
    [["A shown first, reading 1; A shown first, reading 2", 2], ["B shown first, reading 1", 3]],
  );
});
