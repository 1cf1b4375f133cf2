// @ts-check
// A page or drawing on trial: drawn in an origin of its own first, which Chromium puts into a process of its own. Other
// browsers draw a whole tab in one process, so that the server's browser tries it for them. What is not drawn in time is
// put away, and neither the panes nor the sheet wait for it.

import { element } from "../dom.js";

export const TRIED = new Set(["html", "svg"]);
// How long a page may take to begin, once the server has it, and then to be drawn.
const PATIENCE = 5000;
const APART = /Chrom(e|ium)\//.test(navigator.userAgent);
export const passed = new Set();
// A page that hangs must not condemn another. Where the browser gives each trial a process of its own, they run side by
// side; the first one tells. Elsewhere (over plain http on a network) they share one and take turns. A process that
// hangs takes a while to go, longer on a busy machine, so that whoever finds it still there comes back later.
const RESPITES = [300, 1000, 3000];
let alone = false;
let turn = Promise.resolve();

export class Trial {
  // place(node) puts its frame into the page; then(answered) is called once, with whether it was drawn in time: null
  // where the server has nothing to draw.
  constructor(frame, place, then) {
    this.then = then;
    this.place = place;
    this.address = frame.address();
    this.tries = 0;
    /** @type {Promise<void>} */
    this.over = new Promise((resolve) => { this.leave = resolve; });
    this.heard = (event) => this.hear(event);
    window.addEventListener("message", this.heard);
    const before = APART && !alone ? turn : null;
    if (APART) turn = this.over;
    Promise.resolve(before).then(() => this.ask());
  }

  // The server may take long to make the page, which says nothing of the page.
  async ask() {
    if (this.ended) return;
    this.request = new AbortController();
    try {
      const method = APART ? "HEAD" : "GET";
      const answer = await fetch(`${this.address}&trial=${APART ? 1 : "server"}`, { method, signal: this.request.signal });
      // Any other answer is one of ours that says why.
      if (answer.headers.has("comparator-trial")) {
        if (APART) this.begin();
        else this.end((await answer.json()).drawn);
      } else this.end(answer.ok || answer.status === 404 ? true : null);
    } catch {
      this.end(null);
    }
  }

  begin() {
    if (this.ended) return;
    this.began = false;
    this.node = element("iframe", { attributes: { sandbox: "allow-scripts", referrerpolicy: "no-referrer", class: "trial", tabindex: "-1", "aria-hidden": "true", title: "" } });
    this.node.src = `${this.address}&trial=1`;
    this.timer = setTimeout(() => this.late(), PATIENCE);
    this.place(this.node);
  }

  // It has not begun: the process of another page is in its way.
  late() {
    this.node.remove();
    const respite = RESPITES[this.tries];
    this.tries += 1;
    if (respite) this.timer = setTimeout(() => this.begin(), respite);
    else this.end(false);
  }

  hear({ source, data }) {
    if (!this.node || source !== this.node.contentWindow) return;
    if ((data === "comparator:began" || data === "comparator:alone") && !this.began) {
      this.began = true;
      if (data === "comparator:alone") {
        alone = true;
        this.leave();
      }
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.end(false), PATIENCE);
    } else if (data === "comparator:drawn") this.end(true);
  }

  end(answered) {
    if (this.ended) return;
    this.stop(answered === false ? RESPITES[0] : 0);
    this.then(answered);
  }

  stop(wait = 0) {
    this.ended = true;
    this.request?.abort();
    clearTimeout(this.timer);
    window.removeEventListener("message", this.heard);
    this.node?.remove();
    setTimeout(this.leave, wait);
  }
}
