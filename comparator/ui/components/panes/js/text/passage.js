// @ts-check
// What a reviewer does with words they selected in an output: hold them against a criterion, or comment on them.

import { isDifferences } from "../differences.js";
import { button, element, middle } from "../dom.js";

export class Passage {
  // owner: { targets(), attach(target, passage), comment(passage), closed() }
  constructor(pane, owner) {
    this.pane = pane;
    this.owner = owner;
    this.picked = null;
    this.menu = element("div", { attributes: { class: "passage", role: "menu", "aria-label": "Selected words", hidden: true } });
    this.menu.addEventListener("keydown", (event) => this.key(event));
    // The selection must outlive the click on the menu.
    this.menu.addEventListener("mousedown", (event) => event.preventDefault());
    pane.stage.append(this.menu);
  }

  // The words that are selected in a frame, null where none are.
  selected(frame, picked) {
    if (this.menu.contains(this.menu.getRootNode().activeElement)) return;
    this.picked = null;
    if (frame === this.pane.current && typeof picked?.text === "string") {
      // Places are those of the file, which the differences are not.
      const start = isDifferences(frame.mode) ? null : picked.start;
      this.picked = { ...picked, fileId: frame.file.id, start, end: start === null ? null : start + picked.text.length };
    }
    if (this.picked) this.offer();
    else this.hide();
  }

  hide() {
    this.menu.hidden = true;
    this.menu.replaceChildren();
  }

  offer() {
    const acts = [];
    if (!this.owner.closed() && this.owner.targets().length && this.pane.side && this.pane.label()) {
      acts.push(button("Attach as evidence to… (v)", { text: "Attach as evidence to…", press: () => this.choices() }));
    }
    acts.push(button("Comment on this (m)", { text: "Comment", press: () => this.comment() }));
    for (const act of acts) act.setAttribute("role", "menuitem");
    this.menu.classList.remove("long");
    this.menu.replaceChildren(...acts);
    this.place();
  }

  choices() {
    if (!this.picked) return;
    let part = "";
    const rows = [];
    for (const target of this.owner.targets()) {
      if (target.part !== part) {
        part = target.part;
        rows.push(element("p", { attributes: { role: "presentation" }, text: part === "score" ? "Criterion" : "Expectation" }));
      }
      const row = button(target.name, { text: middle(target.name, 60), press: () => this.attach(target) });
      row.setAttribute("role", "menuitem");
      rows.push(row);
    }
    this.menu.classList.add("long");
    this.menu.replaceChildren(...rows);
    this.place();
    this.menu.querySelector("button")?.focus({ preventScroll: true });
  }

  attach(target) {
    const { part, key } = target;
    this.owner.attach(`${part}:${this.pane.label()}:${key}`, this.taken());
    this.pane.tell(`Attached to ${target.name}.`);
  }

  comment() {
    this.owner.comment(this.taken());
  }

  taken() {
    const { fileId, text, start, end } = this.picked;
    this.hide();
    this.pane.current?.node.focus({ preventScroll: true });
    return { fileId, text, start, end, file: this.pane.file.name, label: this.pane.label() };
  }

  place() {
    this.menu.hidden = false;
    const { box } = this.picked;
    const stage = this.pane.stage.getBoundingClientRect();
    const own = this.menu.getBoundingClientRect();
    const left = Math.min(Math.max(4, box.left), Math.max(4, stage.width - own.width - 12));
    const below = box.bottom + 6;
    const top = below + own.height < stage.height ? below : Math.max(4, Math.min(box.top - own.height - 6, stage.height - own.height - 4));
    this.menu.style.left = `${left}px`;
    this.menu.style.top = `${top}px`;
  }

  key(event) {
    const rows = [...this.menu.querySelectorAll("button")];
    const at = rows.indexOf(this.menu.getRootNode().activeElement);
    const by = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }[event.key];
    event.stopPropagation();
    if (by) {
      event.preventDefault();
      rows[(at + by + rows.length) % rows.length]?.focus();
    } else if (event.key === "Escape") {
      this.hide();
      this.pane.current?.node.focus({ preventScroll: true });
    }
  }
}
