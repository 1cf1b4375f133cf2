// @ts-check
// Web pages as a user sees them: their pictures, and whether their scripts run.

import { button } from "../dom.js";
import { FOREIGN, ForeignFrame } from "./foreign.js";
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

export class WebModes {
  constructor(pane) {
    this.pane = pane;
    this.picture = button("Show pictures of the page in a browser", { text: "Picture", press: () => pane.turn("picture") });
    this.scripts = button("Run this page's scripts, cut off from the network", { text: "Scripts", pressed: true, press: () => this.toggle() });
    this.picture.hidden = this.scripts.hidden = true;
    pane.switch.append(this.picture);
    pane.switch.before(this.scripts);
  }

  // Whether there are pictures of this file; asked once.
  async offer(file) {
    this.picture.hidden = true;
    if (!file || !PAGES.has(file.family)) return;
    if (!offered.has(file.id)) {
      const address = `${this.pane.owner.prefix}/${encodeURIComponent(file.id)}/modes`;
      offered.set(file.id, fetch(address).then((answer) => (answer.ok ? answer.json() : {})).catch(() => {
        offered.delete(file.id);
        return {};
      }));
    }
    const ways = await offered.get(file.id);
    if (this.pane.file?.id === file.id) this.picture.hidden = !ways.picture;
  }

  describe(frame) {
    this.picture.setAttribute("aria-pressed", String(frame?.mode === "picture"));
    this.scripts.hidden = !frame?.about?.can;
    this.scripts.setAttribute("aria-pressed", String(Boolean(frame?.about?.scripts)));
  }

  // Run the scripts of the page, or no longer.
  toggle() {
    const { file, owner } = this.pane;
    owner.memory.put("still", file.id, !owner.memory.get("still")[file.id]);
    this.pane.open("view", 1);
  }

  frame(mode, file, ...rest) {
    if (mode === "view" && FOREIGN.has(file.family)) return new ForeignFrame(file, ...rest);
    if (mode !== "picture") return new Frame(file, ...rest);
    const frame = new PictureFrame(file, ...rest);
    frame.memory = this.pane.owner.memory;
    return frame;
  }
}
