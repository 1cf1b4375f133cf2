// @ts-check
// Loads what the next pair opens with into frames that are not seen yet, while this pair is read.

import { fileOf } from "./entries.js";

// Long enough for the rest of this pair's page to come first, short enough for whoever hurries on.
const QUIET = 100;
const whenIdle = window.requestIdleCallback || ((act) => setTimeout(act, 50));

export class Ahead {
  constructor(panes) {
    this.panes = panes;
    this.files = null;
    this.ready = null;
    this.timer = 0;
  }

  // A file for each side, null where the next pair has none; nothing where there is no next pair.
  follow(files) {
    this.files = files?.length ? files : null;
    this.seen();
  }

  // A little later, when nothing of this pair is loading any more.
  seen() {
    clearTimeout(this.timer);
    if (this.files) this.timer = setTimeout(() => this.load(), QUIET);
  }

  load() {
    const key = JSON.stringify(this.files);
    if (key === this.ready || [this.panes.a, this.panes.b].some((pane) => pane.current?.state === "loading")) return;
    this.ready = key;
    const [a, b] = this.files.map(fileOf);
    const load = (pane, file, then) => whenIdle(() => this.ready === key && pane.prepare(file, then), { timeout: 1000 });
    load(this.panes.a, a, () => load(this.panes.b, b, () => {}));
  }

  // Another pair is shown: what was prepared and is not part of it is let go.
  moved() {
    this.stop();
    this.files = this.ready = null;
    this.panes.a.forget();
    this.panes.b.forget();
  }

  stop() {
    clearTimeout(this.timer);
  }
}
