// @ts-check
// Words looked up in all files on the server: how many stand where, and from one to the next.

import { button, element } from "../dom.js";

const FURTHER = 40;

export class Find {
  // owner: { entries(), current(), choose(entry), pane(side), ask(text), changed(), frames() }
  constructor(owner) {
    this.owner = owner;
    this.text = "";
    this.counts = new Map();
    this.answer = null;
    this.at = null;
    this.back = button("Previous hit (,)", { symbol: "left", press: () => this.go(-1) });
    this.forth = button("Next hit (.)", { symbol: "right", press: () => this.go(1) });
    this.says = element("span", { attributes: { class: "says", role: "status" } });
    this.node = element("span", {
      attributes: { class: "hits", hidden: true, role: "group", "aria-label": "Search hits" },
      children: [this.says, this.back, this.forth, button("Clear the search", { symbol: "close", press: () => this.end() })],
    });
  }

  ask(text) {
    if (text === this.text) return;
    this.text = text;
    this.answer = null;
    this.counts = new Map();
    this.at = null;
    if (text.length >= 2) this.owner.ask(text);
    this.draw();
    this.owner.changed();
  }

  end() {
    this.ask("");
    this.owner.ended();
  }

  // The server has answered; where time did not suffice it goes on when asked again.
  answered(found) {
    if (!found || found.text !== this.text || found.id === this.answer?.id) return;
    this.answer = found;
    this.counts = new Map(found.hits);
    if (found.left && !found.problem) this.owner.ask(this.text);
    this.draw();
    this.owner.changed();
  }

  get total() {
    let sum = 0;
    for (const count of this.counts.values()) sum += count;
    return sum;
  }

  about() {
    if (this.text.length < 2) return this.text ? "Type at least two letters to search the text." : "";
    const { answer } = this;
    if (!answer) return "Searching the text…";
    if (answer.problem) return answer.problem;
    const files = this.counts.size;
    const found = files ? `${this.total.toLocaleString("en")} in the text of ${files.toLocaleString("en")} file${files === 1 ? "" : "s"}` : "not in the text of any file";
    const rest = answer.left ? `, ${answer.left.toLocaleString("en")} files to go` : answer.unread ? `; ${answer.unread} have no text` : "";
    return found + rest;
  }

  // The sides of all entries that have hits, in the order of the list.
  places() {
    const places = [];
    for (const entry of this.owner.entries()) {
      for (const side of ["a", "b"]) {
        const count = entry[side] ? this.counts.get(entry[side].id) || 0 : 0;
        if (count) places.push({ entry, side, count, id: entry[side].id });
      }
    }
    return places;
  }

  draw() {
    this.node.hidden = !this.counts.size;
    if (this.node.hidden) {
      for (const frame of this.owner.frames()) {
        frame.lit = null;
        frame.ask("unmark");
      }
      return;
    }
    let before = 0;
    for (const place of this.places()) {
      if (place.id === this.at?.id) break;
      before += place.count;
    }
    const here = this.at ? `${(before + this.at.nth + 1).toLocaleString("en")} of ` : "";
    this.says.textContent = `${here}${this.total.toLocaleString("en")} ${this.total === 1 ? "hit" : "hits"}`;
    for (const frame of this.owner.frames()) this.light(frame);
  }

  // How many hits a frame has, which are lit.
  async light(frame) {
    if (frame.state !== "ready" || !this.counts.get(frame.file.id)) return 0;
    if (frame.lit?.text !== this.text) frame.lit = { text: this.text, count: frame.ask("find", this.text) };
    return (await frame.lit.count) || 0;
  }

  loaded(frame) {
    if (this.counts.size) this.light(frame);
  }

  // The first hit of an entry that was chosen while words are searched for.
  async open(entry) {
    const place = this.places().find((one) => one.entry === entry);
    if (place) await this.show(place, 0, 1);
  }

  async go(by) {
    const places = this.places();
    if (!places.length || this.busy) return;
    this.busy = true;
    try {
      let index = places.findIndex((place) => place.id === this.at?.id);
      if (index >= 0 && (await this.show(places[index], this.at.nth + by, by))) return;
      if (index < 0) {
        index = places.findIndex((place) => place.entry === this.owner.current());
        if (index >= 0 && (await this.show(places[index], 0, 1))) return;
      }
      const next = places[(index + by + places.length) % places.length];
      await this.show(next, by > 0 ? 0 : Infinity, by);
    } finally {
      this.busy = false;
    }
  }

  // Show one hit, on whichever part of the file it stands; false where the file has no such hit. Whoever goes to
  // another file meanwhile stays there.
  async show(place, nth, by) {
    if (nth < 0) return false;
    if (this.owner.current() !== place.entry) this.owner.choose(place.entry);
    const pane = this.owner.pane(place.side);
    const left = () => pane.file?.id !== place.id;
    let frame = pane.current;
    await frame.ready();
    if (left()) return true;
    if (nth === 0 && frame.pages > 1 && !(await this.light(frame))) {
      // The server knows on which part the first one stands, so that those before need not be drawn.
      const there = await pane.whereabouts(this.text, frame.served);
      if (there && !there.sheet && !left()) {
        frame = pane.open(there.mode, there.page);
        await frame.ready();
      }
      if (left()) return true;
    }
    const fresh = this.at?.id !== place.id;
    let before = fresh ? 0 : this.at.before;
    for (let tries = 0; tries < FURTHER; tries += 1) {
      const count = await this.light(frame);
      if (left()) return true;
      const at = nth === Infinity ? count - 1 : nth - before;
      if (at >= 0 && at < count) {
        this.at = { id: place.id, nth: before + at, before };
        this.draw();
        for (const one of this.owner.frames()) one.ask("hit", one === frame ? at : -1);
        return true;
      }
      const step = at < 0 ? -1 : 1;
      const page = frame.page + step;
      if (page < 1 || page > frame.pages) break;
      if (step > 0) before += count;
      frame = pane.open(frame.mode, page);
      await frame.ready();
      if (left()) return true;
      if (step < 0) before = Math.max(0, before - (await this.light(frame)));
    }
    if (!fresh || by < 0) return false;
    // Not in what is rendered, such as in an attribute: the source has it, or the page that holds it.
    const shown = await pane.quote({ text: this.text, start: null });
    if (shown) this.at = { id: place.id, nth: 0, before: 0 };
    this.draw();
    return shown;
  }
}
