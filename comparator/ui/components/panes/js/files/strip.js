// @ts-check
// The bar over the panes: the file that is shown, the ones beside it as tabs where they are few, and the way to all.

import { button, element } from "../dom.js";
import { KINDS, isLooked, marksOf, titleOf, whereOf } from "./entries.js";

const MANY = 14;

export class Strip {
  // owner: { looked, choose(entry), step(by), tick(entry), list() }
  constructor(owner) {
    this.owner = owner;
    this.entries = [];
    this.unfolded = false;
    this.current = null;
    this.files = button("All files: search, kinds, pairs (f)", { symbol: "list", text: "Files", kind: "all", press: () => owner.list() });
    this.files.setAttribute("aria-haspopup", "dialog");
    this.back = button("Previous file ([)", { symbol: "left", kind: "step", press: () => owner.step(-1) });
    this.forth = button("Next file (])", { symbol: "right", kind: "step", press: () => owner.step(1) });
    this.back.setAttribute("aria-label", "Previous file");
    this.forth.setAttribute("aria-label", "Next file");
    this.at = element("span", { attributes: { class: "at" } });
    this.list = element("div", { attributes: { class: "files", role: "tablist", "aria-label": "Files" } });
    this.tick = button("Looked at (x)", { symbol: "tick", kind: "tick", pressed: false, press: () => this.current && owner.tick(this.current) });
    this.node = element("nav", {
      attributes: { class: "strip", "aria-label": "Files" },
      children: [this.files, this.back, this.at, this.forth, this.tick],
    });
    this.list.addEventListener("keydown", (event) => this.key(event));
  }

  update(entries) {
    this.entries = entries;
    const hidden = entries.filter((entry) => entry.identical).length;
    this.few = entries.length - hidden <= MANY;
    this.draw();
  }

  select(entry) {
    this.current = entry;
    this.draw();
  }

  shown() {
    return this.entries.filter((entry) => !entry.identical || this.unfolded || entry === this.current);
  }

  draw() {
    const shown = this.shown();
    const total = this.entries.length;
    this.files.lastChild.textContent = `${total.toLocaleString("en")} file${total === 1 ? "" : "s"}`;
    this.at.textContent = `${shown.indexOf(this.current) + 1} / ${shown.length.toLocaleString("en")}`;
    this.tick.hidden = !this.current;
    if (this.current) this.tick.setAttribute("aria-pressed", String(isLooked(this.current, this.owner.looked)));
    const focused = this.list.getRootNode().activeElement?.dataset?.entry;
    const nodes = [];
    let task = false;
    for (const entry of this.few ? shown : shown.filter((one) => one === this.current)) {
      if (entry.role && !task && this.few) {
        task = true;
        nodes.push(element("span", { attributes: { class: "divider", role: "presentation" }, text: "Task" }));
      }
      nodes.push(this.tab(entry));
    }
    const identical = this.entries.filter((entry) => entry.identical).length;
    if (identical && this.few) {
      const label = this.unfolded ? `Hide ${identical} identical` : `${identical} identical hidden`;
      nodes.push(button(label, {
        text: label, kind: "fold", pressed: this.unfolded,
        press: () => { this.unfolded = !this.unfolded; this.draw(); },
      }));
    }
    if (!total) nodes.push(element("span", { attributes: { class: "divider" }, text: "No files" }));
    this.list.replaceChildren(...nodes);
    const chosen = this.list.querySelector("[aria-selected=true]");
    // Not scrollIntoView: it would scroll the page too.
    if (chosen) {
      const left = chosen.offsetLeft - this.list.offsetLeft;
      if (left < this.list.scrollLeft || left + chosen.offsetWidth > this.list.scrollLeft + this.list.clientWidth) {
        this.list.scrollLeft = left - 2;
      }
    }
    if (focused) this.list.querySelector(`[data-entry="${CSS.escape(focused)}"]`)?.focus();
  }

  tab(entry) {
    const chosen = entry === this.current;
    const seen = isLooked(entry, this.owner.looked);
    const tag = KINDS[entry.kind].tag;
    return element("button", {
      attributes: {
        type: "button", role: "tab", "data-entry": entry.id, "aria-selected": String(chosen),
        tabindex: chosen ? "0" : "-1", class: seen ? "seen" : null,
        title: `${entry.names.join(" and ")}: ${whereOf(entry)}${seen ? ", looked at" : ""}`,
      },
      children: [
        element("i", { attributes: { class: "dot", "aria-hidden": "true" } }),
        entry.role ? element("small", { text: entry.role }) : null,
        element("span", { attributes: { class: "name" }, text: titleOf(entry, this.few ? 40 : 64) }),
        ...marksOf(entry),
        tag ? element("small", { text: tag }) : null,
      ],
      on: { click: () => this.owner.choose(entry) },
    });
  }

  key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    this.owner.step(by);
    this.list.querySelector("[aria-selected=true]")?.focus();
  }
}
