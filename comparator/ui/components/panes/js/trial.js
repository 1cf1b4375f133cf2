// @ts-check
// A page or drawing on trial: drawn in an origin of its own first, which Chromium puts into a process of its own. What is
// not drawn in time is put away, and neither the panes nor the sheet wait for it.

import { element } from "./dom.js";

export const TRIED = new Set(["html", "svg"]);
const PATIENCE = 5000;
// What the page says may arrive after the news that it has loaded.
const SILENT = 1000;
export const passed = new Set();
// One at a time, since trials share a process: one that hangs must not condemn another.
const RESPITE = 300;
let turn = Promise.resolve();

export class Trial {
  // place(node) puts its frame into the page; then(answered) is called once, with whether it was drawn in time.
  constructor(frame, place, then) {
    this.then = then;
    /** @type {Promise<void>} */
    this.over = new Promise((resolve) => { this.leave = resolve; });
    const before = turn;
    turn = this.over;
    before.then(() => { if (!this.ended) this.begin(frame, place); });
  }

  begin(frame, place) {
    this.node = element("iframe", { attributes: { sandbox: "allow-scripts", referrerpolicy: "no-referrer", class: "trial", tabindex: "-1", "aria-hidden": "true", title: "" } });
    this.node.src = `${frame.address()}&trial=1`;
    this.heard = (event) => this.hear(event);
    window.addEventListener("message", this.heard);
    // An answer that is none of ours says nothing; the frame then shows what there is instead.
    this.node.addEventListener("load", () => setTimeout(() => { if (!this.began) this.end(true); }, SILENT));
    place(this.node);
  }

  hear({ source, data }) {
    if (source !== this.node.contentWindow) return;
    if (data === "comparator:began") {
      this.began = true;
      this.timer = setTimeout(() => this.end(false), PATIENCE);
    } else if (data === "comparator:drawn") this.end(true);
  }

  end(answered) {
    if (this.ended) return;
    this.stop(answered ? 0 : RESPITE);
    this.then(answered);
  }

  // A process that hangs takes a moment to go.
  stop(wait = 0) {
    this.ended = true;
    if (wait) setTimeout(this.leave, wait);
    else this.leave();
    clearTimeout(this.timer);
    window.removeEventListener("message", this.heard);
    this.node?.remove();
  }
}
