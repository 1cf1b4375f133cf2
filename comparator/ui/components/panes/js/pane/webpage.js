// @ts-check
// Web pages as a user sees them: two more ways to show a file, where the server offers them.

import { button } from "../dom.js";
import { Frame } from "./frame.js";

const PAGES = new Set(["html", "code", "text", "xml", "binary"]);
const offered = new Map();

// The pictures of a page, at desktop or phone width; linked panes change the width together.
class PictureFrame extends Frame {
  /** @type {any} */
  memory = null;

  load() {
    super.load();
    const box = this.document?.getElementById("phone");
    if (!box) return;
    box.checked = this.memory.get("phone") === true;
    box.addEventListener("change", () => {
      this.memory.set("phone", box.checked);
      if (this.memory.get("linked")) window.dispatchEvent(new CustomEvent("comparator:page-width", { detail: box.checked }));
    });
    if (this.listens) return;
    this.listens = true;
    window.addEventListener("comparator:page-width", (/** @type {CustomEvent} */ event) => {
      const own = this.document?.getElementById("phone");
      if (own) own.checked = event.detail;
    });
  }
}

// A page with its scripts, in an origin of its own: nothing of it can be seen or touched from here.
class LiveFrame extends Frame {
  /** @type {Document | null} */
  nothing = null;

  get document() {
    this.nothing ||= document.implementation.createHTMLDocument("");
    return this.nothing;
  }

  load() {
    this.state = "ready";
    this.owner.loaded(this);
    for (const resolve of this.arrived.splice(0)) resolve();
  }
}

export class WebModes {
  constructor(pane) {
    this.pane = pane;
    this.buttons = {
      picture: button("Show pictures of the page in a browser", { text: "Picture", press: () => pane.turn("picture") }),
      live: button("Run the page with its scripts, offline", { text: "Live", press: () => pane.turn("live") }),
    };
    for (const node of Object.values(this.buttons)) {
      node.hidden = true;
      pane.switch.append(node);
    }
  }

  // Which of the two this file has; asked once.
  async offer(file) {
    for (const node of Object.values(this.buttons)) node.hidden = true;
    if (!file || !PAGES.has(file.family)) return;
    if (!offered.has(file.id)) {
      const address = `${this.pane.owner.prefix}/${encodeURIComponent(file.id)}/modes`;
      offered.set(file.id, fetch(address).then((answer) => (answer.ok ? answer.json() : {})).catch(() => {
        offered.delete(file.id);
        return {};
      }));
    }
    const found = await offered.get(file.id);
    if (this.pane.file?.id !== file.id) return;
    for (const [mode, node] of Object.entries(this.buttons)) node.hidden = !found[mode];
  }

  describe(mode) {
    for (const [name, node] of Object.entries(this.buttons)) node.setAttribute("aria-pressed", String(name === mode));
  }

  frame(mode, ...rest) {
    if (mode === "live") {
      const frame = new LiveFrame(...rest);
      // Before it is put into the page, so that it holds for what is loaded.
      frame.node.setAttribute("sandbox", "allow-scripts");
      return frame;
    }
    if (mode !== "picture") return new Frame(...rest);
    const frame = new PictureFrame(...rest);
    frame.memory = this.pane.owner.memory;
    return frame;
  }
}
