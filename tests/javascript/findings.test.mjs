import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { findingsOf } from "../../comparator/ui/components/sheet/js/findings.js";

const names = (more) => findingsOf({ judge: { kind: "model", addressed_judge: [] }, ...more }).map((each) => each.name);

test("whoever reviews a revealed pair is told that it will not count as blind; a final review is not called so", () => {
  assert.deepEqual(names({ revealed: true, finalised: false }), ["Candidates are known: your review will not count as blind"]);
  assert.deepEqual(names({ revealed: true, finalised: true }), ["Candidates revealed"]);
  assert.deepEqual(names({ revealed: false, finalised: false }), []);
});
