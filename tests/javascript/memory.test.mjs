import { freshStorage } from "./browser.mjs";
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Memory } from "../../comparator/ui/components/panes/js/memory.js";

beforeEach(freshStorage);

test("what the panes remember outlives a reload, each comparison by itself", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const memory = new Memory("pair-1");
  memory.set("file", "a.b");
  memory.put("zooms", "a.b", 1.25);
  context.mock.timers.tick(200);

  const again = new Memory("pair-1");
  assert.deepEqual([again.get("file"), again.get("zooms"), again.get("linked")], ["a.b", { "a.b": 1.25 }, true]);
  assert.equal(new Memory("pair-2").get("file"), null);
});

test("what another version wrote is not read", () => {
  sessionStorage.setItem("comparator.panes.pair", "{");
  assert.equal(new Memory("pair").get("side"), "both");
});

test("a full storage costs the place only after a reload", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  sessionStorage.setItem = () => { throw new Error("full"); };
  const memory = new Memory("pair");
  memory.set("side", "A");
  context.mock.timers.tick(200);
  assert.equal(memory.get("side"), "A");
});
