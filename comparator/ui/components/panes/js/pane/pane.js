// @ts-check
// One side: its header, its frames, and what stands there while there is nothing to see.

import { headsOf, orderThere } from "./columns.js";
import { isDifferences } from "../differences.js";
import { button, element, icon, middle } from "../dom.js";
import { APART } from "./foreign.js";
import { LATER } from "./frame.js";
import { notesOf } from "./pagedata.js";
import { Passage } from "../text/passage.js";
import { showQuote } from "../text/show_quote.js";
import { WebModes } from "./webpage.js";
import { applyZoom, zoomable } from "./zoom.js";

const KEPT = 5;

function hide({ node }) {
  node.classList.remove("front");
  node.setAttribute("aria-hidden", "true");
  node.tabIndex = -1;
}

export class Pane {
  // owner: { memory, theme(), prefix, scrolled(pane), paged(pane, by), zoomed(pane, by), sheeted(pane, name), sorted(pane, table, order), loaded(frame), seen(), notes }
  constructor(side, owner) {
    this.side = side;
    this.owner = owner;
    this.frames = [];
    this.prepared = null;
    this.current = null;
    this.file = null;
    this.title = element("span", { attributes: { class: "name" } });
    this.badge = element("span", { attributes: { class: "badge" } });
    this.view = button("Show as rendered", { text: "Rendered", press: () => this.turn("view") });
    this.source = button("Show the source", { text: "Source", press: () => this.turn("source") });
    this.content = button("Show the text, tables and notes without the layout", { text: "Content", press: () => this.turn("content") });
    this.back = button("Previous part", { symbol: "left", press: () => this.step(-1) });
    this.forth = button("Next part", { symbol: "right", press: () => this.step(1) });
    this.count = element("span", { attributes: { class: "count" } });
    this.goal = element("input", {
      attributes: { type: "text", inputmode: "numeric", class: "goal", size: "7" },
      on: { keydown: (event) => this.seek(event) },
    });
    this.pager = element("span", { attributes: { class: "pager" }, children: [this.goal, this.back, this.count, this.forth] });
    this.less = button("Smaller", { text: "−", press: () => owner.zoomed(this, -1) });
    this.fit = button("Fit to the width", { text: "100%", kind: "fit", press: () => owner.zoomed(this, 0) });
    this.larger = button("Larger", { text: "+", press: () => owner.zoomed(this, 1) });
    this.zoom = element("span", { attributes: { class: "zoom", role: "group", "aria-label": "Zoom" }, children: [this.less, this.fit, this.larger] });
    this.save = element("a", {
      attributes: { class: "save", title: "Download this file", "aria-label": "Download this file", download: "" },
      children: [icon("download")],
    });
    this.switch = element("span", {
      attributes: { class: "switch", role: "group", "aria-label": "View" },
      children: [this.view, this.content, this.source],
    });
    this.header = element("header", { children: [this.badge, this.title, this.pager, this.zoom, this.switch, this.save] });
    this.notes = element("div", { attributes: { class: "filenotes", hidden: true } });
    this.status = element("div", { attributes: { class: "status", role: "status" } });
    this.veil = element("div", { attributes: { class: "veil" } });
    this.stage = element("div", { attributes: { class: "stage" }, children: [this.veil] });
    this.node = element("section", {
      attributes: { class: "pane", "data-side": side },
      children: [this.header, this.notes, this.stage, this.status],
    });
    this.telling = 0;
    this.passage = new Passage(this, owner.notes);
    this.web = new WebModes(this);
  }

  // The output that this side shows, as values name it; null for the task's own files.
  label() {
    return this.node.classList.contains("task") ? null : this.side.toUpperCase();
  }

  // Show a file of this side; null where the other side has one and this has not.
  show(file, heading, none) {
    this.file = file;
    this.heading = heading;
    this.badge.textContent = heading;
    this.node.setAttribute("aria-label", heading);
    this.node.classList.toggle("empty", !file);
    this.title.textContent = file ? middle(file.name, 44) : "";
    this.title.title = file ? `${file.name} (${file.size})` : "";
    this.note();
    this.tell("");
    this.web.offer(file);
    if (!file) {
      this.place(null);
      this.cover("note", none);
      return null;
    }
    this.content.hidden = !file.pages;
    this.save.href = `${this.owner.prefix}/${encodeURIComponent(file.pages ? `${file.id}.pages` : file.id)}/download`;
    const first = file.family === "html" && !APART ? "picture" : "view";
    return this.open(this.owner.memory.get("modes")[file.id] || first, this.owner.memory.get("pages")[file.id] || 1);
  }

  open(mode, page) {
    const query = mode === "view" || mode === "content" ? this.owner.memory.get("asked")[this.file.id] || "" : "";
    const known = this.frames.find((frame) => frame.holds(this.file, mode, page, query));
    if (known) {
      this.frames.splice(this.frames.indexOf(known), 1);
      this.frames.push(known);
      this.place(known);
      return known;
    }
    const ready = this.prepared?.holds(this.file, mode, page, query) && !this.row ? this.prepared : null;
    const frame = ready || this.frame(this.heading, this.file, mode, page, query);
    this.frames.push(frame);
    if (ready) {
      this.prepared = null;
      ready.paint();
      if (ready.state === "ready") this.loaded(ready);
    } else frame.enter(this.stage);
    this.place(frame);
    while (this.frames.length > KEPT) {
      const old = this.frames.shift();
      old.stop();
      old.remove();
    }
    return frame;
  }

  frame(heading, file, mode, page, query) {
    return this.web.frame(mode, file, mode, page, `${heading}: ${file.name}`, this.owner.prefix, {
      theme: () => this.owner.theme(),
      scrolled: (which) => this.scrolled(which),
      loaded: (which) => this.loaded(which),
      worded: (which) => this.owner.loaded(which),
      failed: (which) => this.failed(which),
      tell: (text) => this.tell(text),
      selected: (which, picked) => this.passage.selected(which, picked),
      noted: (which) => which === this.current && this.note(),
      still: () => Boolean(this.owner.memory.get("still")[file.id]),
      row: () => this.row,
      query: () => query,
      went: (which, query, name, trusted) => this.go(which, query, name, trusted),
    });
  }

  // Load the first part of a file that is not shown yet, nor seen; `then` is called once it is there or cannot be.
  prepare(file, then) {
    this.forget();
    if (!file) return then();
    this.prepared = this.frame(`Output ${this.side.toUpperCase()}`, file, "view", 1, "");
    hide(this.prepared);
    /** @type {any} */ (this.prepared).ahead = true;
    this.prepared.node.addEventListener("load", then, { once: true });
    this.prepared.enter(this.stage);
  }

  forget() {
    this.prepared?.remove();
    this.prepared = null;
  }

  // Another pair is shown next: the frames of this one go once that is there.
  leave() {
    const old = this.frames.splice(0);
    this.current = null;
    for (const frame of old) {
      hide(frame);
      frame.stop();
    }
    setTimeout(() => old.forEach((frame) => frame.remove()), LATER);
  }

  place(frame) {
    this.current = frame;
    this.passage.hide();
    for (const other of this.frames) if (other !== frame) hide(other);
    if (frame) {
      frame.node.classList.add("front");
      frame.node.setAttribute("aria-hidden", "false");
      frame.node.tabIndex = 0;
    }
    if (frame?.state === "loading") this.cover("loading", "");
    if (frame?.state === "ready") {
      this.uncover();
      frame.came();
      this.owner.seen();
    }
    if (frame?.state === "failed" || frame?.state === "stalled") this.failed(frame);
    this.describe();
  }

  describe() {
    const frame = this.current;
    const mode = frame?.mode || "view";
    this.view.setAttribute("aria-pressed", String(mode === "view"));
    this.content.setAttribute("aria-pressed", String(mode === "content"));
    this.source.setAttribute("aria-pressed", String(mode === "source"));
    this.web.describe(frame);
    const pages = frame ? frame.pages : 1;
    this.node.classList.toggle("bare", pages === 0 && frame?.state === "ready");
    this.pager.hidden = pages < 2;
    const { unit, first, last, total } = frame?.facts || {};
    this.note();
    this.goal.hidden = !unit || unit === "byte";
    this.goal.placeholder = `${unit || "line"}…`;
    this.goal.setAttribute("aria-label", `Go to ${unit || "line"}`);
    this.count.textContent = `${frame?.page || 1} / ${pages}`;
    const span = unit ? `: ${unit}s ${Number(first).toLocaleString("en")} to ${Number(last).toLocaleString("en")}` : "";
    const of = unit && total ? ` of ${Number(total).toLocaleString("en")}` : "";
    this.count.title = `Part ${frame?.page || 1} of ${pages}${span}${of}`;
    this.switch.hidden = this.save.hidden = Boolean(frame?.document?.querySelector("body > [data-nothing]"));
    this.zoom.hidden = !frame || !zoomable(frame);
    this.fit.lastChild.textContent = `${Math.round(100 * (this.owner.memory.get("zooms")[frame?.file.id] || 1))}%`;
    this.back.disabled = !frame || frame.page <= 1;
    this.forth.disabled = !frame || frame.page >= pages;
  }

  // What is to be known of the file, and of the page in front: written anew only where it is not the same.
  note() {
    const facts = this.current?.file === this.file ? this.current?.facts : null;
    const about = JSON.stringify([this.file?.notes, facts?.notes, facts?.data]);
    if (about === this.noted) return;
    this.noted = about;
    const parts = notesOf(this.file, facts);
    this.notes.replaceChildren(...parts);
    this.notes.hidden = !parts.length;
  }

  // Go to the line, row or page whose number was typed.
  seek(event) {
    event.stopPropagation();
    const number = Number(this.goal.value.replace(/\D/g, ""));
    if (event.key !== "Enter" || !number || !this.current) return;
    if (isDifferences(this.current.mode)) this.owner.changed(number);
    else {
      this.to(number);
      this.owner.sought(this, number);
    }
    this.goal.value = "";
  }

  // To a line, row or page of a file in several parts.
  to(number) {
    if (this.current?.state !== "ready" || this.current.pages < 2) return;
    this.row = number;
    this.open(this.current.mode, 0);
    this.row = 0;
  }

  turn(mode) {
    if (!this.file || this.current?.mode === mode) return;
    this.owner.turned();
    this.owner.memory.put("modes", this.file.id, mode);
    this.owner.memory.put("pages", this.file.id, 1);
    this.open(mode, 1);
  }

  step(by) {
    const frame = this.current;
    if (!frame) return;
    const page = Math.min(Math.max(frame.page + by, 1), frame.pages);
    if (page === frame.page) return;
    if (!isDifferences(frame.mode)) this.owner.memory.put("pages", this.file.id, page);
    this.open(frame.mode, page);
    this.owner.paged(this, by);
  }

  // Draw the file larger or smaller; 1 fits the width.
  enlarge(zoom) {
    if (!this.file) return;
    this.owner.memory.put("zooms", this.file.id, zoom);
    if (this.current) applyZoom(this.current, zoom);
    this.describe();
  }

  // To another sheet or order of the file. On another sheet nothing is ordered yet.
  go(frame, query, name, trusted) {
    if (frame !== this.current) return;
    const before = frame.document;
    const asked = new URLSearchParams(name === null ? frame.query : "");
    for (const [key, value] of new URLSearchParams(query)) {
      if (!["sheet", "sort"].includes(key)) continue;
      if (value) asked.set(key, value);
      else asked.delete(key);
    }
    this.owner.memory.put("asked", this.file.id, String(asked));
    this.owner.memory.put("pages", this.file.id, 1);
    this.open(frame.mode, 1);
    if (!trusted) return;
    if (name !== null) this.owner.sheeted(this, name);
    else this.owner.sorted(this, before, asked.get("sort") || "");
  }

  // In the same order as another table, by the column of the same name.
  sortAs(table, order) {
    const frame = this.current;
    if (frame?.state !== "ready" || frame.mode === "source" || !headsOf(frame.document).length) return;
    const own = orderThere(table, order, frame.document);
    if (own === null) this.tell("This table has no such column, so its order did not change.");
    else this.go(frame, `sort=${own}`, null, false);
  }

  loaded(frame) {
    if (frame === this.prepared) return;
    applyZoom(frame, this.owner.memory.get("zooms")[frame.file.id] || 1);
    const place = this.owner.memory.get("places")[this.spot(frame)];
    if (Array.isArray(place)) frame.share = place;
    if (frame.row) {
      if (!isDifferences(frame.mode)) this.owner.memory.put("pages", this.file.id, frame.page);
      frame.reveal(frame.row);
    }
    if (frame === this.current) {
      this.uncover();
      this.describe();
      this.owner.seen();
    }
    this.owner.loaded(frame);
  }

  failed(frame) {
    if (frame !== this.current) return;
    const again = button("Load again", { text: "Load again", press: () => { this.cover("loading", ""); frame.retry(); } });
    const why = frame.state === "stalled"
      ? "This page did not respond for some seconds, so it was closed. You can still read its source."
      : "This file could not be loaded: the server did not answer.";
    this.cover("note", why, again);
  }

  scrolled(frame) {
    this.owner.memory.put("places", this.spot(frame), frame.share);
    if (frame === this.current) this.owner.scrolled(this);
  }

  spot(frame) {
    return `${frame.file.id}/${frame.mode}/${frame.page}${frame.query && `/${frame.query}`}`;
  }

  cover(kind, text, action = null) {
    this.veil.className = "veil " + kind;
    this.veil.replaceChildren(...(text ? [element("p", { text })] : []), ...(action ? [action] : []));
    if (kind === "loading") {
      this.veil.setAttribute("aria-busy", "true");
      this.veil.replaceChildren(...[70, 92, 84, 40, 88, 61].map((width) =>
        element("i", { attributes: { style: `width:${width}%` } })));
    } else this.veil.removeAttribute("aria-busy");
    this.veil.hidden = false;
  }

  uncover() {
    this.veil.hidden = true;
    this.veil.removeAttribute("aria-busy");
  }

  tell(text) {
    clearTimeout(this.telling);
    this.status.textContent = text;
    if (text) this.telling = setTimeout(() => { this.status.textContent = ""; }, 8000);
  }

  quote(detail) {
    return showQuote(this, detail);
  }

  async whereabouts(text, id) {
    try {
      const query = new URLSearchParams({ text });
      const answer = await fetch(`${this.owner.prefix}/${encodeURIComponent(id)}/locate?${query}`);
      return answer.ok ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  clear() {
    for (const frame of this.frames) frame.ask("clear");
  }
}
