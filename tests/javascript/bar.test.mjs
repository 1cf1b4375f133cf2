import "./browser.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { savedWords } from "../../comparator/ui/components/sheet/js/bar/bar.js";

const words = (more) => savedWords({ outbox: { items: [] }, offline: false, trouble: "", savedAt: 0, ...more });
const outbox = { items: [{}] };

test("changes that are on their way are being saved, and without a server they are kept", () => {
  assert.equal(words({ outbox }), "saving…");
  assert.equal(words({ outbox, offline: true }), "not saved yet, will be sent again");
  assert.equal(words({ outbox, trouble: "The server is full." }), "not saved yet, will be sent again");
});

test("with nothing to send, the bar says when it was last sent, unless there is no server", () => {
  assert.equal(words({}), "");
  assert.equal(words({ savedAt: Date.now() - 120_500 }), "saved 2 min ago");
  assert.equal(words({ savedAt: Date.now(), offline: true }), "no connection to the server");
});
