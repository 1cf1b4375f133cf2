// @ts-check
// Puts the bar, the list and the two panes together. Called again on every rerun: what is shown stays as it is.

import { bookRoom } from "../../sheet/js/place.js";
import { Ahead } from "./files/ahead.js";
import { Attention } from "./attention.js";
import { Differences } from "./differences.js";
import { element } from "./dom.js";
import { ROLES, entriesOf, isLooked } from "./files/entries.js";
import { Find } from "./text/find.js";
import { Findings } from "./findings.js";
import { OutputsComing } from "./after_outputs.js";
import { PaneKeys } from "./keys.js";
import { List } from "./files/list.js";
import { Memory } from "./memory.js";
import { Pane } from "./pane/pane.js";
import { PaneHeight } from "./height.js";
import { Strip } from "./files/strip.js";
import { Together } from "./together.js";
import { Wire } from "./wire.js";

const shownIn = new WeakMap();

class Panes {
  constructor(root) {
    this.root = root;
    this.memory = new Memory("");
    this.entries = [];
    this.entry = null;
    this.signature = null;
    this.generation = 0;
    this.looked = new Set();
    this.targets = [];
    this.closed = false;
    this.wire = new Wire((state) => this.receive(state));
    this.find = new Find(this.finder());
    this.list = new List(this.lister());
    this.strip = new Strip(this.lister());
    this.attention = new Attention(this.lister());
    this.a = new Pane("a", this.owner());
    this.b = new Pane("b", this.owner());
    this.findings = new Findings();
    this.differences = new Differences(this);
    this.together = new Together(this);
    this.ahead = new Ahead(this);
    // An output's own page may take long.
    this.coming = new OutputsComing(() => [this.a, this.b].some(({ current }) => current?.state === "loading" && !current.about));
    this.bar = element("div", { attributes: { class: "bar" }, children: [this.strip.node, this.strip.list, this.find.node, this.together.node] });
    this.grid = element("div", { attributes: { class: "grid" }, children: [this.a.node, this.b.node, this.list.node] });
    this.node = element("div", { attributes: { class: "panes" }, children: [this.findings.node, this.bar, this.grid] });
    bookRoom();
    root.append(this.node);
    this.height = new PaneHeight(this.grid);
    this.keys = new PaneKeys((name) => this.act(name));
    this.onQuote = (event) => this.quote(event.detail || {});
    window.addEventListener("comparator:show-quote", this.onQuote);
  }

  // What the parts are given. The memory is exchanged with the comparison, so they reach it through here.
  proxy() {
    return {
      get: (name) => this.memory.get(name),
      set: (name, value) => this.memory.set(name, value),
      put: (table, id, value) => this.memory.put(table, id, value),
    };
  }

  owner() {
    const panes = this;
    return {
      memory: this.proxy(),
      get prefix() { return panes.prefix; },
      theme: () => this.theme,
      scrolled: (pane) => { this.attention.scrolled(); this.together.scrolled(pane); },
      paged: (pane, by) => this.together.paged(pane, by),
      sought: (pane, number) => this.together.sought(pane, number),
      zoomed: (pane, by) => this.together.zoomed(pane, by),
      sheeted: (pane, name) => this.together.sheeted(pane, name),
      sorted: (pane, table, order) => this.together.sorted(pane, table, order),
      loaded: (frame) => this.find.loaded(frame),
      seen: () => { this.ahead.seen(); this.coming.there(); },
      turned: () => this.differences.turned(),
      changed: (number) => this.differences.to(number),
      notes: {
        targets: () => this.targets,
        closed: () => this.closed,
        attach: (target, passage) => this.wire.tell({ do: "attach", target, passage }),
        comment: (passage) => this.wire.tell({ do: "write-comment", passage }),
      },
    };
  }

  lister() {
    const panes = this;
    return {
      get looked() { return panes.looked; },
      get found() { return panes.find.counts; },
      about: () => this.find.about(),
      choose: (entry) => this.pick(entry),
      step: (by) => this.step(by),
      list: () => this.list.toggle(),
      closed: () => this.strip.files.focus({ preventScroll: true }),
      search: (text) => this.find.ask(text),
      // The server reads ahead, so that the first search finds the words at hand.
      warm: () => this.find.text || this.wire.tell({ do: "search", text: "" }),
      first: (text, entry) => this.first(text, entry),
      tick: (entry) => this.tick(entry),
      mark: (files) => this.mark(files, true),
      pair: (a, b) => this.wire.tell({ do: "pair", files: [a.id, b.id] }),
      apart: (entry) => this.wire.tell({ do: "apart", files: [entry.a.id, entry.b.id] }),
      takeBack: (name) => this.wire.tell({ do: "take_back", text: name }),
      unpair: (entry) => this.wire.tell({ do: "unpair", files: entry.files.map((file) => file.id) }),
    };
  }

  finder() {
    return {
      entries: () => this.entries,
      current: () => this.entry,
      choose: (entry) => this.choose(entry),
      pane: (side) => this[side],
      frames: () => [...this.a.frames, ...this.b.frames],
      ask: (text) => this.wire.tell({ do: "search", text }),
      changed: () => this.list.refresh(),
      ended: () => { this.list.input.value = ""; this.list.refresh(); },
    };
  }

  destroy() {
    this.keys.close();
    this.wire.close();
    this.attention.stop();
    this.ahead.stop();
    this.together.close();
    this.differences.close();
    this.findings.close();
    this.coming.close();
    this.height.close();
    window.removeEventListener("comparator:show-quote", this.onQuote);
    this.node.remove();
  }

  update(data) {
    this.prefix = data.prefix;
    this.names = data.names;
    this.targets = data.targets;
    this.dress();
    this.height.measure();
    const signature = JSON.stringify([data.place, data.pairs, data.extras, data.aside, data.names]);
    if (signature === this.signature) return;
    const moved = data.place !== this.memory.place;
    this.signature = signature;
    if (moved) {
      this.memory = new Memory(data.place);
      this.looked = new Set();
      this.find.ask("");
      this.list.input.value = "";
      if (this.list.shown) this.list.hide();
      this.a.leave();
      this.b.leave();
      this.findings.moved(data.place);
    }
    this.entries = entriesOf(data);
    this.strip.update(this.entries);
    this.list.update(this.entries, data.aside);
    // A pair that was taken apart is still the file that one was reading.
    const before = moved ? null : this.entry?.files[0]?.id;
    const kept = this.entries.find((entry) => entry.id === this.memory.get("file"))
      || this.entries.find((entry) => before && entry.files.some((file) => file.id === before));
    const first = kept || this.entries.find((entry) => !entry.identical && !entry.role) || this.entries[0];
    if (first) this.choose(first);
    this.together.arrange();
    if (moved) this.ahead.moved();
    this.wire.open(data.place);
  }

  // What the server knows of ticks, evidence and comments, and the answer to a search.
  receive(state) {
    const looked = new Set(state.looked);
    const same = looked.size === this.looked.size && [...looked].every((id) => this.looked.has(id));
    this.looked = looked;
    this.closed = state.closed;
    if (!same) {
      this.strip.draw();
      this.list.refresh();
    }
    this.find.answered(state.found);
    this.ahead.follow(state.ahead);
  }

  // Frames follow the theme of the page without being loaded again.
  dress() {
    const colour = getComputedStyle(this.node).getPropertyValue("--st-background-color").trim();
    const probe = element("span", { attributes: { style: "display:none" } });
    probe.style.color = colour || "#fff";
    this.node.append(probe);
    const [red, green, blue] = (getComputedStyle(probe).color.match(/[\d.]+/g) || [255, 255, 255]).map(Number);
    probe.remove();
    const theme = 0.299 * red + 0.587 * green + 0.114 * blue < 128 ? "dark" : "light";
    if (theme === this.theme) return;
    this.theme = theme;
    this.node.dataset.theme = theme;
    for (const pane of [this.a, this.b]) for (const frame of pane.frames) frame.paint();
  }

  choose(entry) {
    this.entry = entry;
    this.memory.set("file", entry.id);
    this.strip.select(entry);
    this.list.select(entry);
    this.node.classList.toggle("single", Boolean(entry.role));
    this.a.node.classList.toggle("task", Boolean(entry.role));
    if (entry.role) {
      this.a.show(entry.a, ROLES[entry.role] || "Task file", "");
    } else {
      this.a.show(entry.a, this.names ? `A: ${this.names.A}` : "Output A", "Output A has no such file.");
      this.b.show(entry.b, this.names ? `B: ${this.names.B}` : "Output B", "Output B has no such file.");
    }
    this.attention.turn(entry);
    this.together.arrange();
    this.differences.apply();
  }

  // Chosen from the list: to the first hit where words are searched for.
  async pick(entry) {
    if (this.list.shown) this.list.hide();
    this.choose(entry);
    if (this.list.hits(entry)) await this.find.open(entry);
  }

  // Enter in the search field: the first hit, else the first file of that name.
  async first(text, entry) {
    this.find.ask(text);
    if (this.find.counts.size) {
      this.list.hide();
      await this.find.go(1);
    } else if (entry) await this.pick(entry);
  }

  step(by) {
    const shown = this.strip.shown();
    if (!shown.length) return false;
    const at = shown.indexOf(this.entry);
    this.choose(shown[(at + by + shown.length) % shown.length]);
    return true;
  }

  tick(entry) {
    const all = isLooked(entry, this.looked);
    this.mark(entry.files.map((file) => file.id), !all);
    if (entry === this.entry) this.attention.stop();
  }

  mark(files, on) {
    const looked = new Set(this.looked);
    for (const id of files) {
      if (on) looked.add(id);
      else looked.delete(id);
    }
    this.looked = looked;
    this.wire.tell({ do: "look", files, on });
    this.strip.draw();
    this.list.refresh();
  }

  // One act by its name, from a key or from elsewhere on the page; whether there was anything to do.
  act(name) {
    if (!this.node.isConnected || !this.entry) return false;
    const pane = this.together.side === "b" ? this.b : this.a;
    const acts = {
      "into-a": () => this.a.current?.node.focus({ preventScroll: true }),
      "into-b": () => this.b.current?.node.focus({ preventScroll: true }),
      "next-file": () => this.step(1),
      "previous-file": () => this.step(-1),
      files: () => this.list.toggle(),
      search: () => this.list.show(),
      looked: () => this.tick(this.entry),
      source: () => this.turn(),
      which: () => this.together.next(),
      "side-a": () => this.together.show("a"),
      "side-b": () => this.together.show("b"),
      both: () => this.together.show("both"),
      swap: () => this.together.toggle("swapped"),
      linked: () => this.together.toggle("linked"),
      differences: () => this.differences.toggle(),
      "next-change": () => this.differences.go(1),
      "previous-change": () => this.differences.go(-1),
      "next-hit": () => (this.find.counts.size ? this.find.go(1) : this.differences.go(1)),
      "previous-hit": () => (this.find.counts.size ? this.find.go(-1) : this.differences.go(-1)),
      "zoom-in": () => this.together.zoomed(pane, 1),
      "zoom-out": () => this.together.zoomed(pane, -1),
      "zoom-fit": () => this.together.zoomed(pane, 0),
      evidence: () => [this.a, this.b].find((one) => one.passage.picked)?.passage.choices(),
      comment: () => this.comment(),
    };
    if (!Object.hasOwn(acts, name)) return false;
    if (name.endsWith("-hit") && !this.find.counts.size && !this.differences.summary) return false;
    if (name === "evidence" && (this.closed || ![this.a, this.b].some((one) => one.passage.picked && one.label()))) return false;
    acts[name]();
    return true;
  }

  turn() {
    const mode = this.a.current?.mode === "source" || (!this.a.file && this.b.current?.mode === "source") ? "view" : "source";
    for (const pane of [this.a, this.b]) pane.turn(mode);
  }

  comment() {
    const picked = [this.a, this.b].find((one) => one.passage.picked);
    if (picked) picked.passage.comment();
    else {
      const pane = this.together.side === "b" || !this.a.file ? this.b : this.a;
      this.wire.tell({ do: "write-comment", passage: { fileId: pane.file.id, text: "", start: null, end: null, file: pane.file.name, label: pane.label() } });
    }
  }

  async quote(detail) {
    const entry = this.entries.find((one) => one.a?.id === detail.fileId || one.b?.id === detail.fileId);
    this.a.clear();
    this.b.clear();
    this.differences.turned();
    let found = false;
    if (entry) {
      if (entry !== this.entry) this.choose(entry);
      const pane = entry.a?.id === detail.fileId ? this.a : this.b;
      if (!entry.role && (this.together.narrow || this.memory.get("side") !== "both")) this.together.show(pane.side);
      this.node.scrollIntoView({ block: "nearest" });
      // A comment on a whole file has no words to look for.
      found = detail.text ? await pane.quote(detail) : true;
    } else {
      const pane = detail.label === "B" ? this.b : this.a;
      pane.tell("The quoted file is in neither output.");
    }
    window.dispatchEvent(new CustomEvent("comparator:quote-shown", { detail: { fileId: detail.fileId, found } }));
  }
}

export default function (component) {
  const root = component.parentElement;
  let panes = shownIn.get(root);
  if (!panes) {
    panes = new Panes(root);
    shownIn.set(root, panes);
  }
  panes.generation += 1;
  const generation = panes.generation;
  panes.update(component.data);
  return () => {
    // An earlier run's farewell may come after a later run has begun.
    if (panes.generation !== generation) return;
    shownIn.delete(root);
    panes.destroy();
  };
}
