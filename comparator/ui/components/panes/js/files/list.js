// @ts-check
// All files in one list: grouped by folder, drawn only where it is in sight, so that thousands stay usable.

import { button, element, middle } from "../dom.js";
import { KINDS, isLooked, marksOf, titleOf, whereOf } from "./entries.js";

const ROW = 28;
const SPARE = 12;
const collator = new Intl.Collator("en", { numeric: true });

export class List {
  // owner: { looked, found, choose(entry), search(text), tick(entry), pair(a, b), apart(entry), unpair(entry), takeBack(name), first() }
  constructor(owner) {
    this.owner = owner;
    this.entries = [];
    this.aside = { both: [], files: [] };
    this.current = null;
    this.only = null;
    this.joining = null;
    this.open = new Set();
    this.folded = new Set();
    this.at = -1;
    this.input = element("input", {
      attributes: { type: "search", placeholder: "Search names and text", "aria-label": "Search names and text of all files", maxlength: "200", spellcheck: "false" },
      on: { input: () => this.typed(), keydown: (event) => this.key(event) },
    });
    this.state = element("span", { attributes: { class: "state", role: "status" } });
    this.chips = element("div", { attributes: { class: "chips", role: "group", "aria-label": "Kinds of files" } });
    this.hint = element("p", { attributes: { class: "hint", hidden: true } });
    this.rows = element("div", { attributes: { class: "rows" } });
    this.body = element("div", {
      attributes: { class: "scroll", role: "group", "aria-label": "Found files", tabindex: "-1" }, children: [this.rows], on: { scroll: () => this.paint() },
    });
    this.node = element("div", {
      attributes: { class: "list", role: "dialog", "aria-label": "All files", hidden: true },
      children: [
        element("div", { attributes: { class: "top" }, children: [this.input, button("Close (Escape)", { symbol: "close", press: () => this.hide() })] }),
        this.state, this.chips, this.hint, this.body,
      ],
      on: { keydown: (event) => { if (event.key === "Escape") { event.stopPropagation(); this.hide(); } } },
    });
  }

  get shown() {
    return !this.node.hidden;
  }

  update(entries, aside) {
    this.entries = [...entries].sort((one, two) => collator.compare(one.names[0], two.names[0]));
    this.aside = aside;
    this.joining = null;
    this.refresh();
  }

  toggle() {
    if (this.shown) this.hide();
    else this.show();
  }

  show() {
    this.node.hidden = false;
    this.refresh();
    this.reveal(this.current);
    this.owner.warm();
    this.input.focus({ preventScroll: true });
    this.input.select();
  }

  hide() {
    this.node.hidden = true;
    this.joining = null;
    this.owner.closed();
  }

  typed() {
    this.at = -1;
    this.refresh();
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.owner.search(this.input.value.trim()), 200);
  }

  get filter() {
    return this.input.value.trim().toLowerCase();
  }

  hits(entry) {
    return entry.files.reduce((sum, file) => sum + (this.owner.found.get(file.id) || 0), 0);
  }

  matches(entry) {
    if (this.joining) return !entry.role && entry !== this.joining && Boolean(entry[this.joining.a ? "b" : "a"]) && (!this.filter || entry.low.includes(this.filter));
    if (this.only && entry.kind !== this.only) return false;
    return !this.filter || entry.low.includes(this.filter) || this.hits(entry) > 0;
  }

  // The lines as they follow each other: folders with their files, then what is folded away.
  lines() {
    const lines = [];
    const searching = this.filter !== "" || this.only !== null || this.joining !== null;
    const found = this.entries.filter((entry) => this.matches(entry));
    const groups = new Map();
    for (const entry of found) {
      const group = entry.identical && !searching ? "\u0000same" : entry.role ? "\u0000task" : entry.folder;
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(entry);
    }
    const names = [...groups.keys()].filter((name) => !name.startsWith("\u0000")).sort(collator.compare);
    const flat = names.length === 1 && names[0] === "";
    const add = (key, title, entries, folded) => {
      if (title) lines.push({ head: key, title, count: entries.length, folded });
      if (!folded) for (const entry of entries) lines.push({ entry, short: title && key === entry.folder });
    };
    for (const name of names) add(name, flat ? "" : name || "(top folder)", groups.get(name), !searching && this.folded.has(name));
    for (const [key, title] of [["\u0000task", "Task"], ["\u0000same", "Identical"]]) {
      if (groups.has(key)) add(key, title, groups.get(key), key === "\u0000same" ? !this.open.has(key) : this.folded.has(key));
    }
    if (!searching || this.only === "aside") {
      const files = this.asideFiles;
      if (files.length) {
        const folded = !this.open.has("\u0000aside") && this.only !== "aside";
        lines.push({ head: "\u0000aside", title: "Set aside, not judged", count: files.length, folded });
        if (!folded) for (const file of files) lines.push({ aside: file });
      }
    }
    return lines;
  }

  // Before the reveal not by output: whoever left notes about itself would be known by them.
  get asideFiles() {
    return this.aside.files.length ? this.aside.files : this.aside.both.map((name) => ({ label: "", name, reason: "" }));
  }

  refresh() {
    if (!this.shown) return;
    this.drawChips();
    this.all = this.lines();
    this.rows.style.height = `${this.all.length * ROW}px`;
    const text = this.owner.about();
    this.state.textContent = text;
    this.state.hidden = !text;
    this.hint.hidden = !this.joining;
    if (this.joining) {
      this.hint.replaceChildren(
        element("span", { text: `Which file of ${this.joining.a ? "B" : "A"} belongs to ${middle(this.joining.names[0], 40)}?` }),
        button("Do not pair", { text: "Cancel", press: () => { this.joining = null; this.refresh(); } }),
      );
    }
    this.paint();
  }

  drawChips() {
    const counts = new Map();
    for (const entry of this.entries) counts.set(entry.kind, (counts.get(entry.kind) || 0) + 1);
    if (this.asideFiles.length) counts.set("aside", this.asideFiles.length);
    const looked = this.entries.filter((entry) => isLooked(entry, this.owner.looked)).length;
    const chips = [...Object.keys(KINDS), "aside"].filter((kind) => counts.has(kind)).map((kind) => {
      const name = kind === "aside" ? "Set aside" : KINDS[kind].chip;
      return button(`Show only: ${name}`, {
        text: `${name} ${counts.get(kind).toLocaleString("en")}`, pressed: this.only === kind,
        press: () => { this.only = this.only === kind ? null : kind; this.body.scrollTop = 0; this.refresh(); },
      });
    });
    this.chips.replaceChildren(...chips, element("span", { attributes: { class: "count" }, text: `${looked.toLocaleString("en")} of ${this.entries.length.toLocaleString("en")} looked at` }));
  }

  paint() {
    if (!this.all) return;
    const first = Math.max(0, Math.floor(this.body.scrollTop / ROW) - SPARE);
    const last = Math.min(this.all.length, Math.ceil((this.body.scrollTop + this.body.clientHeight) / ROW) + SPARE);
    const focused = this.rows.getRootNode().activeElement?.dataset?.line;
    const nodes = [];
    for (let index = first; index < last; index += 1) {
      const node = this.row(this.all[index], index);
      node.style.top = `${index * ROW}px`;
      nodes.push(node);
    }
    if (!this.all.length) nodes.push(element("p", { attributes: { class: "nothing" }, text: "No file matches this name or text." }));
    this.rows.replaceChildren(...nodes);
    if (focused !== undefined) this.rows.querySelector(`[data-line="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  row(line, index) {
    if (line.aside) {
      const { label, name, reason } = line.aside;
      return element("div", {
        attributes: { class: "line aside", title: `${name}${reason ? `: ${reason}` : ""}` },
        children: [label ? element("b", { attributes: { class: `mark ${label.toLowerCase()}` }, text: label }) : null,
          element("span", { attributes: { class: "name" }, text: middle(name, 60) }), element("small", { text: reason }),
          button("Judge this file anyway", { text: "Judge it", press: () => this.owner.takeBack(name) })],
      });
    }
    if (line.head !== undefined) {
      return element("button", {
        attributes: { type: "button", class: "line head", "aria-expanded": String(!line.folded), "data-line": `head ${line.head}`, title: line.title },
        children: [element("span", { attributes: { class: "name" }, text: `${line.folded ? "▸" : "▾"} ${middle(line.title, 60)}` }), element("small", { text: line.count.toLocaleString("en") })],
        on: { click: () => this.fold(line) },
      });
    }
    return this.entryRow(line, index);
  }

  fold(line) {
    const usually = line.head === "\u0000same" || line.head === "\u0000aside" ? this.open : this.folded;
    if (usually.has(line.head)) usually.delete(line.head);
    else usually.add(line.head);
    this.refresh();
  }

  entryRow({ entry, short }, index) {
    const seen = isLooked(entry, this.owner.looked);
    const hits = this.hits(entry);
    const tag = KINDS[entry.kind].tag;
    const acts = entry.role || this.joining ? [] : this.acts(entry);
    const choose = element("button", {
      attributes: {
        type: "button", class: "open", "aria-current": String(entry === this.current), "data-line": entry.id,
        title: `${entry.names.join(" and ")}: ${whereOf(entry)}${seen ? ", looked at" : ""}`,
      },
      children: [
        element("span", { attributes: { class: "name" }, text: titleOf(entry, 54, short) }),
        hits ? element("small", { attributes: { class: "hits" }, text: `${hits.toLocaleString("en")} hit${hits === 1 ? "" : "s"}` }) : null,
        tag ? element("small", { text: tag }) : null,
        entry.byHand && entry.kind !== "by_hand" ? element("small", { text: "by hand" }) : null,
        ...marksOf(entry),
      ],
      on: { click: () => this.pick(entry) },
    });
    const tick = element("button", {
      attributes: { type: "button", class: seen ? "dot seen" : "dot", "aria-pressed": String(seen), tabindex: "-1", title: seen ? "Viewed; clear the mark" : "Mark as viewed", "aria-label": `Looked at: ${entry.names[0]}` },
      on: { click: () => this.owner.tick(entry) },
    });
    const classes = ["line", entry === this.current ? "current" : "", index === this.at ? "at" : ""].join(" ");
    return element("div", { attributes: { class: classes }, children: [tick, choose, ...acts] });
  }

  acts(entry) {
    const made = [];
    if (entry.a && entry.b) made.push(button("Unpair these files", { symbol: "apart", press: () => this.owner.apart(entry) }));
    else made.push(button(`Pair with a file of ${entry.a ? "B" : "A"}`, { symbol: "link", press: () => { this.joining = entry; this.input.value = ""; this.body.scrollTop = 0; this.refresh(); this.input.focus(); } }));
    if (entry.byHand) made.push(button("Undo pairing by hand", { symbol: "undo", press: () => this.owner.unpair(entry) }));
    return made;
  }

  pick(entry) {
    if (!this.joining) {
      this.owner.choose(entry);
      return;
    }
    const [a, b] = this.joining.a ? [this.joining.a, entry.b] : [entry.a, this.joining.b];
    this.joining = null;
    this.owner.pair(a, b);
  }

  select(entry) {
    this.current = entry;
    if (!this.shown) return;
    this.paint();
  }

  reveal(entry) {
    const index = this.all?.findIndex((line) => line.entry === entry) ?? -1;
    if (index < 0) return;
    const top = index * ROW;
    if (top < this.body.scrollTop || top + ROW > this.body.scrollTop + this.body.clientHeight) {
      this.body.scrollTop = Math.max(0, top - this.body.clientHeight / 3);
    }
    this.paint();
  }

  key(event) {
    if (event.isComposing) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      let at = this.at + by;
      while (this.all[at] && !this.all[at].entry) at += by;
      if (this.all[at]) {
        this.at = at;
        this.reveal(this.all[at].entry);
      }
    } else if (event.key === "Enter") {
      event.preventDefault();
      const line = this.all[this.at];
      if (line?.entry) this.pick(line.entry);
      else this.owner.first(this.input.value.trim(), this.all.find((one) => one.entry)?.entry);
    }
  }
}
