import assert from "node:assert/strict";
import { test } from "node:test";

// A window of its own: what is told here is heard here.
globalThis.window = /** @type {any} */ (new EventTarget());
globalThis.CustomEvent ??= /** @type {any} */ (class extends Event {
  constructor(type, options) {
    super(type);
    this.detail = options?.detail;
  }
});
globalThis.requestAnimationFrame = (act) => setTimeout(act);
const { OutputsComing, afterOutputs } = await import("../../comparator/ui/components/panes/js/after_outputs.js");

const drawn = (first) => new Promise((resolve) => {
  afterOutputs(() => resolve(null));
  first.there();
});

test("where no outputs are coming, nobody waits", () => {
  let acted = 0;
  afterOutputs(() => { acted += 1; });
  assert.equal(acted, 1);
});

test("what comes with the outputs waits until all of them are there", async () => {
  let coming = 2;
  const first = new OutputsComing(() => coming > 0);
  let acted = 0;
  afterOutputs(() => { acted += 1; });
  coming = 1;
  first.there();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(acted, 0);

  coming = 0;
  first.there();
  await drawn(first);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(acted, 1);
  first.close();
});

test("outputs that do not come hold nothing up for long, and what was called off does not come", async () => {
  const first = new OutputsComing(() => true);
  const acted = [];
  const stop = afterOutputs(() => acted.push("called off"));
  stop();
  await new Promise((resolve) => afterOutputs(() => { acted.push("late"); resolve(null); }));
  assert.deepEqual(acted, ["late"]);
  first.close();
});
