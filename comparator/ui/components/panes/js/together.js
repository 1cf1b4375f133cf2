// @ts-check
// Both outputs at once: linked scrolling, pages, sheets and zoom; swapped sides; one in full width; tabs where it is narrow.

import { button, element } from "./dom.js";
import { NARROW } from "./height.js";
import { nextZoom } from "./pane/zoom.js";

export class Together {
  constructor(panes) {
    this.panes = panes;
    this.link = button("Scroll, page and zoom both outputs together (l)", { symbol: "link", text: "Linked", pressed: true, press: () => this.toggle("linked") });
    this.link.setAttribute("aria-label", "Scroll both outputs together");
    this.exchange = button("Swap sides", { symbol: "swap", text: "Swap", pressed: false, press: () => this.toggle("swapped") });
    this.sides = element("span", {
      attributes: { class: "switch", role: "group", "aria-label": "Outputs shown" },
      children: [
        button("Both outputs side by side", { text: "A | B", kind: "both", press: () => this.show("both") }),
        button("Output A in full width", { text: "A", kind: "only-a", press: () => this.show("a") }),
        button("Output B in full width", { text: "B", kind: "only-b", press: () => this.show("b") }),
      ],
    });
    this.node = element("div", { attributes: { class: "tools" }, children: [panes.differences.node, this.link, this.exchange, this.sides] });
    this.media = window.matchMedia(NARROW);
    this.onMedia = () => this.arrange();
    this.media.addEventListener("change", this.onMedia);
  }

  close() {
    this.media.removeEventListener("change", this.onMedia);
  }

  get memory() {
    return this.panes.memory;
  }

  get narrow() {
    return this.media.matches;
  }

  get linked() {
    return this.memory.get("linked") && !this.panes.entry?.role;
  }

  get side() {
    let side = this.memory.get("side");
    if (this.narrow && side === "both") side = this.memory.get("swapped") ? "b" : "a";
    return this.panes.entry?.role ? "a" : side;
  }

  other(pane) {
    return pane === this.panes.a ? this.panes.b : this.panes.a;
  }

  toggle(name) {
    this.memory.set(name, !this.memory.get(name));
    this.arrange();
    if (name === "linked" && this.memory.get("linked") && this.panes.a.current) this.scrolled(this.panes.a);
  }

  show(which) {
    this.memory.set("side", which);
    this.arrange();
  }

  next() {
    const order = this.narrow ? ["a", "b"] : ["both", "a", "b"];
    this.show(order[(order.indexOf(this.side) + 1) % order.length]);
  }

  // Sides are exchanged by order, not by moving: a frame that is moved is loaded again.
  arrange() {
    const { node } = this.panes;
    const { narrow, side } = this;
    node.dataset.side = side;
    node.classList.toggle("narrow", narrow);
    node.classList.toggle("swapped", this.memory.get("swapped"));
    this.link.setAttribute("aria-pressed", String(this.memory.get("linked")));
    this.exchange.setAttribute("aria-pressed", String(this.memory.get("swapped")));
    for (const one of this.sides.children) {
      const own = one.classList.contains("both") ? "both" : one.classList.contains("only-a") ? "a" : "b";
      one.setAttribute("aria-pressed", String(own === side));
      one.hidden = narrow && own === "both";
      if (own !== "both") one.lastChild.textContent = (narrow ? "Output " : "") + own.toUpperCase();
    }
  }

  scrolled(pane) {
    if (!this.linked) return;
    const other = this.other(pane).current;
    if (other?.state === "ready" && pane.current) other.share = pane.current.share;
  }

  paged(pane, by) {
    if (!this.linked || this.paging) return;
    this.paging = true;
    this.other(pane).step(by);
    this.paging = false;
  }

  sought(pane, number) {
    if (this.linked) this.other(pane).to(number);
  }

  sheeted(pane, name) {
    if (this.linked) this.other(pane).current?.sheet(name);
  }

  sorted(pane, table, order) {
    if (this.linked) this.other(pane).sortAs(table, order);
  }

  // Larger (1), smaller (-1) or to the width (0).
  zoomed(pane, by) {
    const now = this.memory.get("zooms")[pane.file?.id] || 1;
    const zoom = by ? nextZoom(now, by) : 1;
    pane.enlarge(zoom);
    if (this.linked) this.other(pane).enlarge(zoom);
  }
}
