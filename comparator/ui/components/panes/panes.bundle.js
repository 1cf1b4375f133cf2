// Made by `npm run bundle` from panes/js/main.js; do not edit.

// comparator/ui/components/sheet/js/panel.js
var RAIL = 1200;
var isRail = () => window.innerWidth >= RAIL;
var panelName = () => `comparator:panel:${isRail() ? "rail" : "drawer"}`;
function panelShown() {
  try {
    const kept = localStorage.getItem(panelName());
    if (kept !== null) return kept === "shown";
  } catch {
  }
  return isRail() || window.innerHeight >= 900;
}
var TAKEN = ["--bc-rail", "--bc-drawer", "--bc-bar"];
var ROOM = "comparator:room";
function bookRoom() {
  if (document.documentElement.style.getPropertyValue(TAKEN[0])) return;
  let before = null;
  try {
    before = JSON.parse(localStorage.getItem(ROOM) ?? "null");
  } catch {
  }
  const { width, height } = size();
  take(before?.width === width && before.height === height ? before.taken : usual(width, height));
}
function usual(width, height) {
  const open = panelShown();
  const rail = open && isRail() ? Math.min(Math.max(356, 0.24 * width), 380) : 0;
  return { "--bc-bar": 71, "--bc-rail": rail, "--bc-drawer": open && !rail ? 0.4 * height : 0 };
}
var size = () => ({ width: window.innerWidth, height: window.innerHeight });
function take(taken) {
  for (const name of TAKEN) document.documentElement.style.setProperty(name, `${Number(taken[name])}px`);
}

// comparator/ui/components/panes/js/dom.js
function element(tag, { attributes = {}, children = [], text = null, on = {} } = {}) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  if (text !== null) node.textContent = text;
  for (const child of children) if (child) node.append(child);
  for (const [type, listener] of Object.entries(on)) node.addEventListener(type, listener);
  return node;
}
var ICONS = {
  link: "M9 15l6-6M10.5 6.5l1.8-1.8a4.2 4.2 0 0 1 6 6l-1.8 1.8M13.500 17.500l-1.800 1.800a4.200 4.200 0 0 1-6-6l1.800-1.800",
  swap: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",
  download: "M12 4v11M7 10.500l5 5 5-5M5 20h14",
  left: "M14.500 5l-7 7 7 7",
  right: "M9.500 5l7 7-7 7",
  list: "M4 6h16M4 12h16M4 18h10",
  close: "M6 6l12 12M18 6L6 18",
  tick: "M5 12.500l4.500 4.500L19 7.500",
  apart: "M10 12H3M6 9l-3 3 3 3M14 12h7M18 9l3 3-3 3",
  differ: "M5 9h14M5 15h14M16 4L8 20",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H9"
};
function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", ICONS[name]);
  drawing.append(line);
  return drawing;
}
function button(label, { symbol = null, text = null, pressed = null, press, kind = "" }) {
  const node = element("button", {
    attributes: { type: "button", title: label, "aria-label": label, class: kind || null },
    children: symbol ? [icon(symbol)] : [],
    on: { click: press }
  });
  if (text !== null) node.append(element("span", { text }));
  if (pressed !== null) node.setAttribute("aria-pressed", String(pressed));
  return node;
}
function middle(name, most) {
  const letters2 = Array.from(name);
  if (letters2.length <= most) return name;
  const end = Math.ceil((most - 1) * 0.6);
  return letters2.slice(0, most - 1 - end).join("") + "…" + letters2.slice(-end).join("");
}

// comparator/ui/components/panes/js/files/entries.js
var ROLES = { input: "Task input", reference: "Reference answer" };
var KINDS = {
  same_path: { chip: "Same path", tag: "", says: "in A and B under the same path" },
  same_role: { chip: "Other name", tag: "other name", says: "the same deliverable under another name" },
  renamed: { chip: "Renamed", tag: "renamed?", says: "probably renamed" },
  by_hand: { chip: "By hand", tag: "by hand", says: "paired by hand" },
  only_a: { chip: "Only in A", tag: "", says: "only in A" },
  only_b: { chip: "Only in B", tag: "", says: "only in B" },
  identical: { chip: "Identical", tag: "same", says: "identical in A and B" },
  same_text: { chip: "Same text", tag: "same text, different layout", says: "with the same text and a different layout" },
  same_words: { chip: "Same text", tag: "same text", says: "with the same text; the layout is not compared" },
  task: { chip: "Task", tag: "", says: "of the task" }
};
function fileOf(row) {
  if (!row) return null;
  const [id, name, family, size2, notes, pages] = row;
  return { id, name, family, size: size2, notes: notes || [], pages: Boolean(pages) };
}
function entriesOf(data) {
  const pairs = data.pairs.map(([a, b, pairing, identical, byHand, sameText]) => {
    const entry = { a: fileOf(a), b: fileOf(b), identical: Boolean(identical), byHand: Boolean(byHand), role: null };
    const isSeen = (file) => file.pages || file.family === "pdf";
    const alike = sameText && (isSeen(entry.a) && isSeen(entry.b) ? "same_text" : "same_words");
    return finished(entry, identical ? "identical" : alike || pairing);
  });
  const extras = data.extras.map(([role, file]) => finished({ a: fileOf(file), b: null, identical: false, byHand: false, role }, "task"));
  return [...pairs, ...extras];
}
function finished(entry, kind) {
  entry.kind = kind;
  entry.files = [entry.a, entry.b].filter(Boolean);
  entry.id = entry.role ? entry.a.id : `${entry.a?.id || ""}.${entry.b?.id || ""}`;
  entry.names = [...new Set(entry.files.map((file) => file.name))];
  entry.low = entry.names.join("\n").toLowerCase();
  const first = entry.names[0] || "";
  entry.folder = first.includes("/") ? first.slice(0, first.lastIndexOf("/")) : "";
  return entry;
}
var isLooked = (entry, looked) => entry.files.every((file) => looked.has(file.id));
var leaf = (name) => name.slice(name.lastIndexOf("/") + 1);
function titleOf(entry, most, short = false) {
  const names = entry.names.map((name, index) => (short || index > 0) && name.slice(0, Math.max(0, name.lastIndexOf("/"))) === entry.folder ? leaf(name) : name);
  return names.map((name) => middle(name, names.length > 1 ? Math.floor(most * 0.6) : most)).join(" ⇄ ");
}
function whereOf(entry) {
  const where = entry.role ? ROLES[entry.role] || entry.role : KINDS[entry.kind].says;
  return entry.byHand && entry.kind !== "by_hand" ? `${where}, by hand` : where;
}
function marksOf(entry) {
  if (entry.role) return [];
  return ["a", "b"].map((side) => element("b", {
    attributes: { class: entry[side] ? `mark ${side}` : "mark none" },
    text: entry[side] ? side.toUpperCase() : "–"
  }));
}

// comparator/ui/components/panes/js/files/ahead.js
var QUIET = 100;
var whenIdle = window.requestIdleCallback || ((act) => setTimeout(act, 50));
var Ahead = class {
  constructor(panes) {
    this.panes = panes;
    this.files = null;
    this.ready = null;
    this.timer = 0;
  }
  // A file for each side, null where the next pair has none; nothing where there is no next pair.
  told(files) {
    this.files = files?.length ? files : null;
    this.seen();
  }
  // A little later, when nothing of this pair is loading any more.
  seen() {
    clearTimeout(this.timer);
    if (this.files) this.timer = setTimeout(() => this.load(), QUIET);
  }
  load() {
    const key = JSON.stringify(this.files);
    if (key === this.ready || [this.panes.a, this.panes.b].some((pane) => pane.current?.state === "loading")) return;
    this.ready = key;
    const [a, b] = this.files.map(fileOf);
    const load = (pane, file, then) => whenIdle(() => this.ready === key && pane.prepare(file, then), { timeout: 1e3 });
    load(this.panes.a, a, () => load(this.panes.b, b, () => {
    }));
  }
  // Another pair is shown: what was prepared and is not part of it is let go.
  moved() {
    this.stop();
    this.files = this.ready = null;
    this.panes.a.forget();
    this.panes.b.forget();
  }
  stop() {
    clearTimeout(this.timer);
  }
};

// comparator/ui/components/panes/js/attention.js
var WHILE = 4e3;
var SCROLLED = 1200;
var Attention = class {
  // owner: { looked, mark(files) }
  constructor(owner) {
    this.owner = owner;
    this.entry = null;
    this.since = 0;
    this.timer = 0;
  }
  turn(entry) {
    if (entry === this.entry) return;
    this.entry = entry;
    this.since = Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.enough(), WHILE);
  }
  enough() {
    if (document.visibilityState !== "visible") {
      this.timer = setTimeout(() => this.enough(), WHILE);
      return;
    }
    this.mark();
  }
  scrolled() {
    if (Date.now() - this.since > SCROLLED) this.mark();
  }
  mark() {
    const files = (this.entry?.files || []).map((file) => file.id).filter((id) => !this.owner.looked.has(id));
    clearTimeout(this.timer);
    if (files.length) this.owner.mark(files);
  }
  stop() {
    clearTimeout(this.timer);
    this.entry = null;
  }
};

// comparator/ui/components/panes/js/differences.js
var COMPARED = /* @__PURE__ */ new Map();
var isDifferences = (mode) => mode.startsWith("differences/");
var Differences = class {
  constructor(panes) {
    this.panes = panes;
    this.at = 0;
    this.summary = null;
    this.toggler = button("Show differences (d)", { symbol: "differ", text: "Differences", pressed: false, press: () => this.toggle() });
    this.toggler.setAttribute("aria-label", "Show differences");
    this.back = button("Previous change (,)", { symbol: "left", press: () => this.go(-1) });
    this.count = element("span", { attributes: { class: "count" } });
    this.forth = button("Next change (.)", { symbol: "right", press: () => this.go(1) });
    this.steps = element("span", { attributes: { class: "steps", role: "group", "aria-label": "Changes", hidden: true }, children: [this.back, this.count, this.forth] });
    this.said = element("span", { attributes: { class: "said", role: "status" } });
    this.node = element("span", { attributes: { class: "differences" }, children: [this.said, this.steps, this.toggler] });
    this.onToggle = () => this.toggle();
    window.addEventListener("comparator:toggle-differences", this.onToggle);
  }
  close() {
    window.removeEventListener("comparator:toggle-differences", this.onToggle);
  }
  get memory() {
    return this.panes.memory;
  }
  get shown() {
    return [this.panes.a, this.panes.b].some((pane) => pane.file && pane.current && isDifferences(pane.current.mode));
  }
  toggle() {
    if (!this.panes.node.isConnected || !this.panes.entry) return;
    const { entry } = this.panes;
    if (!this.memory.get("differences")) this.memory.set("differences", true);
    else if (!this.shown && entry === this.notDrawn) this.memory.put("anyway", entry.id, true);
    else this.memory.set("differences", false);
    this.apply();
  }
  // Show what belongs to the entry at hand, by what was asked for.
  async apply() {
    const { entry } = this.panes;
    this.at = 0;
    this.notDrawn = null;
    this.summary = null;
    this.draw("");
    if (!this.memory.get("differences")) {
      this.leave();
      return;
    }
    if (!entry || entry.role || !entry.a || !entry.b) {
      this.draw(entry && !entry.role ? "Only one output has this file." : "");
      return;
    }
    const waiting = setTimeout(() => entry === this.panes.entry && this.draw("Comparing…"), 200);
    const found = entry.identical ? { problem: "Both files are identical." } : await this.compared(entry);
    clearTimeout(waiting);
    if (entry !== this.panes.entry || !this.memory.get("differences")) return;
    if (found.problem) this.draw(found.problem);
    else if (found.little && !this.memory.get("anyway")[entry.id]) {
      this.notDrawn = entry;
      this.draw(`These two have little in common (${found.percent}%). Press again to see the differences.`);
    } else {
      this.summary = found;
      const [a, b] = this.ids(entry);
      for (const [pane, other] of [[this.panes.a, b], [this.panes.b, a]]) {
        pane.open(`differences/${encodeURIComponent(other)}/${pane.side}`, 1);
      }
      this.draw("");
    }
  }
  // What is compared: the pages of Office files, unless somebody looks at their content.
  ids(entry) {
    const content = [entry.a, entry.b].some((file) => this.memory.get("modes")[file.id] === "content");
    return entry.a.pages && entry.b.pages && !content ? [`${entry.a.id}.pages`, `${entry.b.id}.pages`] : [entry.a.id, entry.b.id];
  }
  async compared(entry) {
    const [a, b] = this.ids(entry);
    const key = `${a}/${b}`;
    if (!COMPARED.has(key)) {
      const address = `${this.panes.prefix}/${encodeURIComponent(a)}/differences/${encodeURIComponent(b)}/summary`;
      COMPARED.set(key, fetch(address).then((answer) => answer.ok ? answer.json() : Promise.reject()).catch(() => {
        COMPARED.delete(key);
        return { problem: "The differences could not be loaded: the server did not answer." };
      }));
    }
    return COMPARED.get(key);
  }
  // Back to how each file was shown before.
  leave() {
    for (const pane of [this.panes.a, this.panes.b]) {
      if (!pane.file || !pane.current || !isDifferences(pane.current.mode)) continue;
      pane.open(this.memory.get("modes")[pane.file.id] || "view", this.memory.get("pages")[pane.file.id] || 1);
    }
  }
  // Another way to show a file was chosen, or a quote is looked for.
  turned() {
    if (!this.shown) return;
    this.memory.set("differences", false);
    this.apply();
  }
  go(by) {
    const all = this.summary?.changes || 0;
    if (all) this.to(this.at ? (this.at - 1 + by + all) % all + 1 : by > 0 ? 1 : all);
  }
  to(number) {
    this.at = Math.min(Math.max(number, 1), this.summary?.changes || 1);
    for (const pane of [this.panes.a, this.panes.b]) {
      const frame = pane.current;
      if (!frame || !isDifferences(frame.mode)) continue;
      const { first, last } = frame.facts || {};
      if (frame.state === "ready" && this.at >= Number(first) && this.at <= Number(last)) frame.reveal(this.at);
      else {
        pane.row = this.at;
        pane.open(frame.mode, 0);
        pane.row = 0;
      }
    }
    this.draw("");
  }
  draw(text) {
    this.said.textContent = text;
    this.toggler.setAttribute("aria-pressed", String(Boolean(this.summary)));
    this.toggler.title = this.summary ? `${this.summary.words} (d)` : "Show differences (d)";
    this.steps.hidden = !this.summary?.changes;
    this.count.textContent = this.summary ? `${this.at || "–"} / ${this.summary.changes.toLocaleString("en")}` : "";
    this.node.hidden = Boolean(this.panes.entry?.role);
  }
};

// comparator/ui/components/panes/js/pane/inside.js
var inside = /* @__PURE__ */ new WeakMap();
function member(kind, name) {
  for (let holder = kind.prototype; holder; holder = Object.getPrototypeOf(holder)) {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (found) return found;
  }
  return null;
}
function safely(document2) {
  if (!document2) return null;
  if (!inside.has(document2)) {
    inside.set(document2, new Proxy({}, {
      get(_, name) {
        const found = member(HTMLDocument, name);
        if (!found) return void 0;
        if (found.get) return found.get.call(document2);
        return typeof found.value === "function" ? found.value.bind(document2) : found.value;
      },
      set(_, name, value) {
        member(HTMLDocument, name)?.set?.call(document2, value);
        return true;
      }
    }));
  }
  return inside.get(document2);
}
var closestOf = (element2, selector) => Element.prototype.closest.call(element2, selector);
var parentOf = (node) => member(Node, "parentNode").get.call(node);
var tagOf = (element2) => member(Element, "tagName").get.call(element2);
function isElement(target) {
  try {
    return member(Node, "nodeType").get.call(target) === 1;
  } catch {
    return false;
  }
}
var FACTS = "comparator ";
function factsOf(inner) {
  const first = inner?.firstChild;
  if (first?.nodeType === 8 && first.data.startsWith(FACTS)) return JSON.parse(first.data.slice(FACTS.length));
  const { kind, page, pages, unit, first: from, last, total } = inner?.documentElement?.dataset || {};
  if (!pages) return null;
  return { kind, page: Number(page), pages: Number(pages), unit, first: Number(from), last: Number(last), total, notes: [], data: [] };
}

// comparator/ui/components/panes/js/text/quote.js
var NAME = "comparator-quote";
var UNREAD = /* @__PURE__ */ new Set(["STYLE", "SCRIPT", "TITLE", "TEMPLATE"]);
function wordsOf(inner, counts) {
  const walker = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT, (node) => {
    const parent = parentOf(node);
    if (!isElement(parent) || UNREAD.has(tagOf(parent).toUpperCase()) || closestOf(parent, "[data-skip]")) return NodeFilter.FILTER_REJECT;
    return NodeFilter.FILTER_ACCEPT;
  });
  const letters2 = [];
  const nodes = [];
  const offsets = [];
  const raw = [];
  let before = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data;
    for (let index = 0; index < text.length; index += 1) {
      const letter = text[index];
      if (!counts(letter)) continue;
      letters2.push(letter.toLowerCase().length === 1 ? letter.toLowerCase() : letter);
      nodes.push(node);
      offsets.push(index);
      raw.push(before + index);
    }
    before += text.length;
  }
  return { text: letters2.join(""), nodes, offsets, raw };
}
var notSpace = (letter) => !/\s/.test(letter);
var letterOrDigit = (letter) => /[\p{L}\p{N}]/u.test(letter);
function findQuote(inner, quote, start) {
  if (!inner?.body) return null;
  const formula = findFormula(inner, quote);
  if (formula) return [formula];
  const names = /^\s*\[(?:page|cell) [^\]]*\]\s*$/gm;
  const tags = factsOf(inner)?.kind === "page" ? /<[^>]*>/g : /(?!)/g;
  const bare = unescaped(quote.replace(names, " ").replace(tags, " "));
  for (const words of /* @__PURE__ */ new Set([quote, bare])) {
    const range = findWords(inner, words, start);
    if (range) return [range];
  }
  return findPieces(inner, bare, start);
}
function findFormula(inner, quote) {
  const [, cell, formula] = /^\s*([A-Z]{1,3}\d{1,7})\s*:\s*(=[^]*?)\s*$/.exec(quote) || [];
  if (!cell) return null;
  for (const node of inner.querySelectorAll(`[data-cell="${cell}"]`)) {
    if (node.textContent.replace(/\s/g, "") !== formula.replace(/\s/g, "")) continue;
    const range = inner.createRange();
    range.selectNodeContents(node);
    return range;
  }
  return null;
}
function unescaped(text) {
  const names = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", apos: "'" };
  return text.replace(
    /&(amp|lt|gt|quot|nbsp|apos|#\d{1,6});/g,
    (whole, name) => names[name] ?? String.fromCodePoint(Math.min(Number(name.slice(1)), 1114111))
  );
}
function findPieces(inner, quote, start) {
  const letters2 = (text) => Array.from(text).filter(letterOrDigit).length;
  const pieces = quote.split(/\s{2,}|[\n|]/).filter((piece) => letters2(piece) >= 3);
  const sum = pieces.reduce((all, piece) => all + letters2(piece), 0);
  if (pieces.length < 2 || sum < 0.6 * letters2(quote)) return null;
  const ranges = pieces.map((piece) => findWords(inner, piece, start));
  return ranges.every(Boolean) ? ranges : null;
}
function findWords(inner, quote, start) {
  const tries = [[notSpace, 1], [letterOrDigit, 6]];
  for (const [counts, least] of tries) {
    const wanted = Array.from(quote.toLowerCase()).join("").split("").filter(counts).join("");
    if (wanted.length < least) continue;
    const words = wordsOf(inner, counts);
    let best = -1;
    for (let at = words.text.indexOf(wanted); at >= 0; at = words.text.indexOf(wanted, at + 1)) {
      if (best < 0) best = at;
      else if (start != null && Math.abs(words.raw[at] - start) < Math.abs(words.raw[best] - start)) best = at;
      if (start == null) break;
    }
    if (best >= 0) {
      const last = best + wanted.length - 1;
      const range = inner.createRange();
      range.setStart(words.nodes[best], words.offsets[best]);
      range.setEnd(words.nodes[last], words.offsets[last] + 1);
      return range;
    }
  }
  return null;
}
function findAll(inner, text, most = 5e3) {
  const wanted = Array.from(text.toLowerCase()).join("").split("").filter(notSpace).join("");
  if (!wanted) return [];
  const words = wordsOf(inner, notSpace);
  const ranges = [];
  for (let at = words.text.indexOf(wanted); at >= 0 && ranges.length < most; at = words.text.indexOf(wanted, at + wanted.length)) {
    const last = at + wanted.length - 1;
    const range = inner.createRange();
    range.setStart(words.nodes[at], words.offsets[at]);
    range.setEnd(words.nodes[last], words.offsets[last] + 1);
    ranges.push(range);
  }
  return ranges;
}
function clearQuote(frame) {
  markAll(frame, NAME, []);
}
function unmark(frame) {
  frame.hitsOf = null;
  for (const name of ["comparator-search", "comparator-search-here"]) markAll(frame, name, []);
}
function markAll(frame, name, ranges) {
  try {
    const view = frame.node.contentWindow;
    if (ranges.length) view.CSS.highlights.set(name, new view.Highlight(...ranges));
    else view?.CSS?.highlights?.delete(name);
  } catch {
  }
}
function markQuote(frame, ranges) {
  markAll(frame, NAME, ranges);
  reveal(frame, ranges);
}
function reveal(frame, ranges) {
  const inner = frame.document;
  const view = frame.node.contentWindow;
  for (const range2 of ranges) {
    for (let node = range2.commonAncestorContainer; node; node = parentOf(node)) {
      if (node.nodeName === "DETAILS") node.open = true;
    }
  }
  const range = ranges[0];
  const parent = parentOf(range.startContainer);
  const first = isElement(parent) ? parent : inner.body;
  const box = range.getBoundingClientRect().height ? range.getBoundingClientRect() : Element.prototype.getBoundingClientRect.call(first);
  const scroller = inner.scrollingElement;
  scroller.scrollTop += box.top - view.innerHeight * 0.3;
  if (box.left < 0 || box.right > view.innerWidth) scroller.scrollLeft += box.left - 60;
  const wide = closestOf(first, ".scroll");
  if (wide) {
    const edge = wide.getBoundingClientRect();
    if (box.left < edge.left || box.right > edge.right) wide.scrollLeft += box.left - edge.left - 40;
  }
}

// comparator/ui/components/panes/js/text/find.js
var FOUND = "comparator-search";
var FOUND_HERE = "comparator-search-here";
var FURTHER = 40;
var Find = class {
  // owner: { entries(), current(), choose(entry), pane(side), ask(text), changed(), frames() }
  constructor(owner) {
    this.owner = owner;
    this.text = "";
    this.counts = /* @__PURE__ */ new Map();
    this.answer = null;
    this.at = null;
    this.back = button("Previous hit (,)", { symbol: "left", press: () => this.go(-1) });
    this.forth = button("Next hit (.)", { symbol: "right", press: () => this.go(1) });
    this.says = element("span", { attributes: { class: "says", role: "status" } });
    this.node = element("span", {
      attributes: { class: "hits", hidden: true, role: "group", "aria-label": "Search hits" },
      children: [this.says, this.back, this.forth, button("Clear the search", { symbol: "close", press: () => this.end() })]
    });
  }
  ask(text) {
    if (text === this.text) return;
    this.text = text;
    this.answer = null;
    this.counts = /* @__PURE__ */ new Map();
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
  told(found) {
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
      for (const frame of this.owner.frames()) unmark(frame);
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
  // All hits of one frame, lit and in their order.
  light(frame) {
    if (frame.state !== "ready" || !this.counts.get(frame.file.id)) return [];
    if (frame.hitsOf !== this.text || frame.hitsIn !== frame.document) {
      frame.hitsOf = this.text;
      frame.hitsIn = frame.document;
      frame.hits = findAll(frame.document, this.text);
      markAll(frame, FOUND, frame.hits);
    }
    return frame.hits;
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
      if (index >= 0 && await this.show(places[index], this.at.nth + by, by)) return;
      if (index < 0) {
        index = places.findIndex((place) => place.entry === this.owner.current());
        if (index >= 0 && await this.show(places[index], 0, 1)) return;
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
    if (nth === 0 && frame.pages > 1 && !this.light(frame).length) {
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
      const hits = this.light(frame);
      const at = nth === Infinity ? hits.length - 1 : nth - before;
      if (at >= 0 && at < hits.length) {
        this.at = { id: place.id, nth: before + at, before };
        this.draw();
        reveal(frame, [hits[at]]);
        markAll(frame, FOUND_HERE, [hits[at]]);
        for (const other of this.owner.frames()) if (other !== frame) markAll(other, FOUND_HERE, []);
        return true;
      }
      const step = at < 0 ? -1 : 1;
      const page = frame.page + step;
      if (page < 1 || page > frame.pages) break;
      if (step > 0) before += hits.length;
      frame = pane.open(frame.mode, page);
      await frame.ready();
      if (left()) return true;
      if (step < 0) before = Math.max(0, before - this.light(frame).length);
    }
    if (!fresh || by < 0) return false;
    const shown = await pane.quote({ text: this.text, start: null });
    if (shown) this.at = { id: place.id, nth: 0, before: 0 };
    this.draw();
    return shown;
  }
};

// comparator/ui/components/panes/js/findings.js
var KEPT = "comparator:findings";
function lineBefore() {
  try {
    return localStorage.getItem(KEPT) === "shown";
  } catch {
    return false;
  }
}
function rememberLine(shown) {
  try {
    localStorage.setItem(KEPT, shown ? "shown" : "none");
  } catch {
  }
}
var Findings = class {
  constructor() {
    this.place = null;
    this.open = null;
    this.detail = { findings: [], step: "" };
    this.about = element("div", { attributes: { class: "about", id: "bc-finding", hidden: true } });
    this.line = element("div", { attributes: { class: "told", role: "status" } });
    this.node = element("div", { attributes: { class: "findings", "aria-label": "Findings about this pair", role: "region", hidden: !lineBefore() }, children: [this.line, this.about] });
    this.onTold = (event) => {
      if (event.detail?.place !== this.place) return;
      this.detail = event.detail;
      this.draw();
      rememberLine(!this.node.hidden);
    };
    window.addEventListener("comparator:findings", this.onTold);
  }
  close() {
    window.removeEventListener("comparator:findings", this.onTold);
  }
  moved(place) {
    this.place = place;
    this.open = null;
    this.detail = { findings: [], step: "" };
    const { hidden } = this.node;
    this.draw();
    this.node.hidden = hidden;
    window.dispatchEvent(new CustomEvent("comparator:findings-wanted"));
  }
  draw() {
    const { findings, step } = this.detail;
    this.node.hidden = !findings.length && !step;
    const chips = findings.map((finding) => element("button", {
      attributes: { type: "button", class: `finding ${finding.tone}`, "aria-expanded": String(this.open === finding.kind), "aria-controls": "bc-finding", title: finding.about },
      text: finding.name,
      on: { click: () => {
        this.open = this.open === finding.kind ? null : finding.kind;
        this.draw();
      } }
    }));
    const work = step ? [element("span", { attributes: { class: "step" }, text: `Judge: ${step} …` }), button("Stop the judge", { text: "Stop", kind: "stop", press: () => window.dispatchEvent(new CustomEvent("comparator:command", { detail: { name: "stop" } })) })] : [];
    this.line.replaceChildren(...work, ...chips);
    const shown = findings.find((finding) => finding.kind === this.open);
    this.about.hidden = !shown;
    this.about.replaceChildren(...shown ? [shown.about, ...shown.lines.map((text) => element("blockquote", { text }))] : []);
  }
};

// comparator/ui/components/panes/js/first.js
var ASKED = "comparator:outputs-asked";
var THERE = "comparator:outputs-there";
var First = class {
  constructor(coming) {
    this.coming = coming;
    this.onAsked = (event) => {
      event.detail.coming ||= coming();
    };
    window.addEventListener(ASKED, this.onAsked);
  }
  there() {
    if (this.coming()) return;
    requestAnimationFrame(() => setTimeout(() => window.dispatchEvent(new CustomEvent(THERE))));
  }
  close() {
    window.removeEventListener(ASKED, this.onAsked);
  }
};

// comparator/ui/components/panes/js/keys.js
var PANE_KEYS = {
  "]": "next-file",
  "[": "previous-file",
  "/": "search",
  f: "files",
  x: "looked",
  s: "source",
  w: "which",
  l: "linked",
  ".": "next-hit",
  ",": "previous-hit",
  v: "evidence",
  m: "comment",
  g: "into-a",
  G: "into-b",
  "+": "zoom-in",
  "-": "zoom-out",
  "|": "zoom-fit"
};
var WRITES = "textarea, select, [contenteditable=true], [role=textbox], [role=combobox], [role=grid], input:not([type=checkbox]):not([type=radio]):not([type=button])";
var PaneKeys = class {
  // act(name) carries one out; false where there is nothing to do.
  constructor(act) {
    this.onKey = (event) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const at = event.composedPath()[0];
      if (at instanceof Element && at.closest(WRITES)) return;
      if (document.querySelector("[role=dialog]:not([hidden]), dialog[open]")) return;
      const name = PANE_KEYS[event.key];
      if (name && act(name)) event.preventDefault();
    };
    this.onAct = (event) => act(event.detail?.do);
    document.addEventListener("keydown", this.onKey);
    window.addEventListener("comparator:panes", this.onAct);
  }
  close() {
    document.removeEventListener("keydown", this.onKey);
    window.removeEventListener("comparator:panes", this.onAct);
  }
};

// comparator/ui/components/panes/js/files/list.js
var ROW = 28;
var SPARE = 12;
var collator = new Intl.Collator("en", { numeric: true });
var List = class {
  // owner: { looked, found, choose(entry), search(text), tick(entry), pair(a, b), apart(entry), unpair(entry), first() }
  constructor(owner) {
    this.owner = owner;
    this.entries = [];
    this.aside = { told: false, some: false, files: [] };
    this.current = null;
    this.only = null;
    this.joining = null;
    this.open = /* @__PURE__ */ new Set();
    this.folded = /* @__PURE__ */ new Set();
    this.at = -1;
    this.input = element("input", {
      attributes: { type: "search", placeholder: "Search names and text", "aria-label": "Search names and text of all files", maxlength: "200", spellcheck: "false" },
      on: { input: () => this.typed(), keydown: (event) => this.key(event) }
    });
    this.state = element("span", { attributes: { class: "state", role: "status" } });
    this.chips = element("div", { attributes: { class: "chips", role: "group", "aria-label": "Kinds of files" } });
    this.hint = element("p", { attributes: { class: "hint", hidden: true } });
    this.rows = element("div", { attributes: { class: "rows" } });
    this.body = element("div", {
      attributes: { class: "scroll", role: "group", "aria-label": "Found files", tabindex: "-1" },
      children: [this.rows],
      on: { scroll: () => this.paint() }
    });
    this.node = element("div", {
      attributes: { class: "list", role: "dialog", "aria-label": "All files", hidden: true },
      children: [
        element("div", { attributes: { class: "top" }, children: [this.input, button("Close (Escape)", { symbol: "close", press: () => this.hide() })] }),
        this.state,
        this.chips,
        this.hint,
        this.body
      ],
      on: { keydown: (event) => {
        if (event.key === "Escape") {
          event.stopPropagation();
          this.hide();
        }
      } }
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
    const groups = /* @__PURE__ */ new Map();
    for (const entry of found) {
      const group = entry.identical && !searching ? "\0same" : entry.role ? "\0task" : entry.folder;
      if (!groups.has(group)) groups.set(group, []);
      groups.get(group).push(entry);
    }
    const names = [...groups.keys()].filter((name) => !name.startsWith("\0")).sort(collator.compare);
    const flat = names.length === 1 && names[0] === "";
    const add = (key, title, entries, folded) => {
      if (title) lines.push({ head: key, title, count: entries.length, folded });
      if (!folded) for (const entry of entries) lines.push({ entry, short: title && key === entry.folder });
    };
    for (const name of names) add(name, flat ? "" : name || "(top folder)", groups.get(name), !searching && this.folded.has(name));
    for (const [key, title] of [["\0task", "Task"], ["\0same", "Identical"]]) {
      if (groups.has(key)) add(key, title, groups.get(key), key === "\0same" ? !this.open.has(key) : this.folded.has(key));
    }
    if (!searching || this.only === "aside") {
      const files = this.aside.files;
      if (files.length) {
        const folded = !this.open.has("\0aside") && this.only !== "aside";
        lines.push({ head: "\0aside", title: "Set aside, not judged", count: files.length, folded });
        if (!folded) for (const file of files) lines.push({ aside: file });
      } else if (this.aside.some) lines.push({ aside: { label: "", name: "Some files are set aside. They are listed after the reveal.", reason: "" } });
    }
    return lines;
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
        button("Do not pair", { text: "Cancel", press: () => {
          this.joining = null;
          this.refresh();
        } })
      );
    }
    this.paint();
  }
  drawChips() {
    const counts = /* @__PURE__ */ new Map();
    for (const entry of this.entries) counts.set(entry.kind, (counts.get(entry.kind) || 0) + 1);
    if (this.aside.files.length) counts.set("aside", this.aside.files.length);
    const looked = this.entries.filter((entry) => isLooked(entry, this.owner.looked)).length;
    const chips = [...Object.keys(KINDS), "aside"].filter((kind) => counts.has(kind)).map((kind) => {
      const name = kind === "aside" ? "Set aside" : KINDS[kind].chip;
      return button(`Show only: ${name}`, {
        text: `${name} ${counts.get(kind).toLocaleString("en")}`,
        pressed: this.only === kind,
        press: () => {
          this.only = this.only === kind ? null : kind;
          this.body.scrollTop = 0;
          this.refresh();
        }
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
    if (focused !== void 0) this.rows.querySelector(`[data-line="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }
  row(line, index) {
    if (line.aside) {
      const { label, name, reason } = line.aside;
      return element("div", {
        attributes: { class: "line aside", title: `${name}${reason ? `: ${reason}` : ""}` },
        children: [
          label ? element("b", { attributes: { class: `mark ${label.toLowerCase()}` }, text: label }) : null,
          element("span", { attributes: { class: "name" }, text: middle(name, 60) }),
          element("small", { text: reason })
        ]
      });
    }
    if (line.head !== void 0) {
      return element("button", {
        attributes: { type: "button", class: "line head", "aria-expanded": String(!line.folded), "data-line": `head ${line.head}`, title: line.title },
        children: [element("span", { attributes: { class: "name" }, text: `${line.folded ? "▸" : "▾"} ${middle(line.title, 60)}` }), element("small", { text: line.count.toLocaleString("en") })],
        on: { click: () => this.fold(line) }
      });
    }
    return this.entryRow(line, index);
  }
  fold(line) {
    const usually = line.head === "\0same" || line.head === "\0aside" ? this.open : this.folded;
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
        type: "button",
        class: "open",
        "aria-current": String(entry === this.current),
        "data-line": entry.id,
        title: `${entry.names.join(" and ")}: ${whereOf(entry)}${seen ? ", looked at" : ""}`
      },
      children: [
        element("span", { attributes: { class: "name" }, text: titleOf(entry, 54, short) }),
        hits ? element("small", { attributes: { class: "hits" }, text: `${hits.toLocaleString("en")} hit${hits === 1 ? "" : "s"}` }) : null,
        tag ? element("small", { text: tag }) : null,
        entry.byHand && entry.kind !== "by_hand" ? element("small", { text: "by hand" }) : null,
        ...marksOf(entry)
      ],
      on: { click: () => this.pick(entry) }
    });
    const tick = element("button", {
      attributes: { type: "button", class: seen ? "dot seen" : "dot", "aria-pressed": String(seen), tabindex: "-1", title: seen ? "Viewed; clear the mark" : "Mark as viewed", "aria-label": `Looked at: ${entry.names[0]}` },
      on: { click: () => this.owner.tick(entry) }
    });
    const classes = ["line", entry === this.current ? "current" : "", index === this.at ? "at" : ""].join(" ");
    return element("div", { attributes: { class: classes }, children: [tick, choose, ...acts] });
  }
  acts(entry) {
    const made = [];
    if (entry.a && entry.b) made.push(button("Unpair these files", { symbol: "apart", press: () => this.owner.apart(entry) }));
    else made.push(button(`Pair with a file of ${entry.a ? "B" : "A"}`, { symbol: "link", press: () => {
      this.joining = entry;
      this.input.value = "";
      this.body.scrollTop = 0;
      this.refresh();
      this.input.focus();
    } }));
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
};

// comparator/ui/components/panes/js/memory.js
var Memory = class {
  constructor(place) {
    this.place = place;
    this.name = "comparator.panes." + place;
    this.values = { file: null, modes: {}, pages: {}, places: {}, zooms: {}, asked: {}, linked: true, swapped: false, side: "both", differences: false, anyway: {} };
    try {
      Object.assign(this.values, JSON.parse(sessionStorage.getItem(this.name) || "{}"));
    } catch {
    }
    this.pending = 0;
  }
  get(name) {
    return this.values[name];
  }
  set(name, value) {
    this.values[name] = value;
    this.save();
  }
  // One entry of one of the tables, such as the mode of a file.
  put(table, id, value) {
    this.values[table][id] = value;
    this.save();
  }
  save() {
    clearTimeout(this.pending);
    this.pending = setTimeout(() => {
      try {
        sessionStorage.setItem(this.name, JSON.stringify(this.values));
      } catch {
      }
    }, 150);
  }
};

// comparator/ui/components/panes/js/pane/columns.js
var headsOf = (inner) => [...inner?.querySelectorAll("table.data thead th") || []].slice(1);
function letterOf(head) {
  const copy = head.cloneNode(true);
  for (const other of copy.querySelectorAll("[data-skip]")) other.remove();
  return copy.textContent;
}
function orderThere(here, order, there) {
  const [number, way] = order.split(",");
  if (!way) return "";
  const own = headsOf(here)[number - 1];
  const heads = headsOf(there);
  const named = own?.dataset.name && heads.some((head) => head.dataset.name);
  const nameOf = named ? (head) => head.dataset.name : letterOf;
  const same = (head) => head && own && nameOf(head) === nameOf(own);
  const at = same(heads[number - 1]) ? number - 1 : heads.findIndex(same);
  return at < 0 ? null : `${at + 1},${way}`;
}

// comparator/ui/components/panes/js/pane/trial.js
var TRIED = /* @__PURE__ */ new Set(["html", "svg"]);
var PATIENCE = 5e3;
var APART = /Chrom(e|ium)\//.test(navigator.userAgent);
var passed = /* @__PURE__ */ new Set();
var RESPITES = [300, 1e3, 3e3];
var alone = false;
var turn = Promise.resolve();
var Trial = class {
  // place(node) puts its frame into the page; then(answered) is called once, with whether it was drawn in time: null
  // where the server has nothing to draw.
  constructor(frame, place, then) {
    this.then = then;
    this.place = place;
    this.address = frame.address();
    this.tries = 0;
    this.over = new Promise((resolve) => {
      this.leave = resolve;
    });
    this.heard = (event) => this.hear(event);
    window.addEventListener("message", this.heard);
    const before = APART && !alone ? turn : null;
    if (APART) turn = this.over;
    Promise.resolve(before).then(() => this.ask());
  }
  // The server may take long to make the page, which says nothing of the page.
  async ask() {
    if (this.ended) return;
    this.asking = new AbortController();
    try {
      const method = APART ? "HEAD" : "GET";
      const answer = await fetch(`${this.address}&trial=${APART ? 1 : "server"}`, { method, signal: this.asking.signal });
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
    this.asking?.abort();
    clearTimeout(this.timer);
    window.removeEventListener("message", this.heard);
    this.node?.remove();
    setTimeout(this.leave, wait);
  }
};

// comparator/ui/components/panes/js/pane/frame.js
var SANDBOX = "allow-same-origin";
var LATER = 400;
var PICKERS = "select, input[list], input[type=file], input[type=color], input[type=date], input[type=time], input[type=month], input[type=week], input[type=datetime-local]";
var MARKS = `
::highlight(comparator-quote) { background-color: #ffd54a; color: #111; }
::highlight(comparator-search) { background-color: #b7e4c7; color: #111; }
::highlight(comparator-search-here) { background-color: #2f9e5f; color: #fff; }
.layer ::highlight(comparator-search) { background-color: rgb(47 158 95 / .35); color: transparent; }
.layer ::highlight(comparator-search-here) { background-color: rgb(47 158 95 / .7); color: transparent; }
[data-zoomed] div.over { max-width: none; }
[data-zoomed] .sheet { width: calc(100% * var(--comparator-zoom, 1)); max-width: calc(900px * var(--comparator-zoom, 1)); }
`;
var letters = (() => {
  const sample = "The quick brown fox jumps over the lazy dog, and 1234567890 others rest in the shade of an old tree.";
  const helvetica = 44.969;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = '100px Arial, "Liberation Sans", sans-serif';
  return 100 * helvetica / pen.measureText(sample).width || 1;
})();
var Frame = class {
  // owner: { theme(), scrolled(frame), loaded(frame), worded(frame), failed(frame), told(text), selected(frame), went(frame, query, name, trusted) }
  // owner.query() is what is asked of the file beside its page, such as a sheet or an order: "sheet=2&sort=1,asc".
  constructor(file, mode, page, title, prefix, owner) {
    this.file = file;
    this.mode = mode;
    this.page = page;
    this.query = owner.query?.() || "";
    this.pages = 1;
    this.prefix = prefix;
    this.owner = owner;
    this.state = "loading";
    this.row = owner.row?.() || 0;
    this.expected = null;
    this.arrived = [];
    this.node = element("iframe", {
      attributes: {
        sandbox: SANDBOX,
        referrerpolicy: "no-referrer",
        title,
        "data-file": file.id,
        "data-mode": mode,
        tabindex: "0"
      },
      on: { load: () => this.load() }
    });
    this.node.classList.toggle("page", mode === "view" && file.family === "html");
    if (!this.suspect) this.node.src = this.address();
  }
  // Whether it is drawn elsewhere first, since it might take for ever.
  get suspect() {
    return this.mode === "view" && TRIED.has(this.file.family) && !passed.has(this.file.id);
  }
  // Put it into the page, on trial where it has to be.
  enter(stage) {
    stage.append(this.node);
    if (this.suspect) this.test();
  }
  test() {
    this.state = "loading";
    this.trial = new Trial(this, (node) => this.node.before(node), (answered) => {
      if (answered) {
        passed.add(this.file.id);
        this.node.src = this.address();
      } else {
        this.state = answered === null ? "failed" : "stalled";
        this.owner.failed(this);
        this.settle();
      }
    });
  }
  remove() {
    this.trial?.stop();
    this.node.remove();
  }
  // What is asked for: the pages of an Office file are a file of their own beside its content.
  get served() {
    return this.printed ? `${this.file.id}.pages` : this.file.id;
  }
  get printed() {
    return this.file.pages && (this.mode === "view" || this.mode.includes(".pages/"));
  }
  address() {
    const query = new URLSearchParams({ theme: this.owner.theme(), page: String(this.page), ...Object.fromEntries(new URLSearchParams(this.query)) });
    if (this.row) query.set("row", String(this.row));
    return `${this.prefix}/${encodeURIComponent(this.served)}/${this.mode === "content" ? "view" : this.mode}?${query}`;
  }
  holds(file, mode, page, query) {
    return this.file.id === file.id && this.file.pages === file.pages && this.mode === mode && this.page === page && this.query === query && this.state !== "failed" && this.state !== "stalled";
  }
  get document() {
    try {
      return safely(this.node.contentDocument);
    } catch {
      return null;
    }
  }
  load() {
    if (!this.node.getAttribute("src")) return;
    const inner = this.document;
    this.facts = factsOf(inner);
    if (!this.facts) {
      this.state = "failed";
      this.owner.failed(this);
      this.settle();
      return;
    }
    this.state = "ready";
    this.page = this.facts.page;
    this.pages = this.facts.pages;
    inner.addEventListener("scroll", () => this.scroll(), { passive: true });
    inner.addEventListener("keydown", (event) => this.forward(event), true);
    inner.addEventListener("click", (event) => this.click(event), true);
    inner.addEventListener("auxclick", (event) => this.click(event), true);
    inner.addEventListener("submit", (event) => event.preventDefault(), true);
    inner.addEventListener("dragstart", (event) => event.preventDefault(), true);
    if (this.foreign) this.guard(inner);
    inner.addEventListener("selectionchange", () => this.select());
    this.zoom = 1;
    this.dress();
    this.paint();
    this.near();
    this.owner.loaded(this);
    this.words = null;
    this.linger();
    for (const resolve of this.arrived.splice(0)) resolve(this.ready());
  }
  // Whether the document is an output's own page, and not one of ours that shows an output.
  get foreign() {
    return this.facts?.kind === "page";
  }
  // Native pickers lie over our own page, and a pointer that is a picture reaches beyond the frame.
  guard(inner) {
    const refuse = (event) => {
      const key = event.type === "keydown";
      if (key && (event.key === "Tab" || event.key === "Escape")) return;
      const picker = this.under(event, PICKERS);
      if (picker && (event.type !== "click" || tagOf(picker) !== "SELECT")) event.preventDefault();
    };
    for (const type of ["mousedown", "click", "keydown", "touchend"]) inner.addEventListener(type, refuse, { capture: true, passive: false });
    inner.addEventListener("mouseover", (event) => {
      const view = this.node.contentWindow;
      if (!isElement(event.target) || !view.getComputedStyle(event.target).cursor.includes("url(")) return;
      const style = member(event.target instanceof view.HTMLElement ? HTMLElement : SVGElement, "style").get.call(event.target);
      style.setProperty("transition", "none", "important");
      style.setProperty("cursor", "auto", "important");
    }, true);
  }
  // The innermost element of this kind under an event, in open shadow trees too.
  under(event, selector) {
    for (const node of event.composedPath()) {
      if (isElement(node) && Element.prototype.matches.call(node, selector)) return node;
    }
    return null;
  }
  get front() {
    return this.node.classList.contains("front");
  }
  // The frame is seen now, which it was not while it was made ready.
  came() {
    this.near();
    this.linger();
  }
  // Whoever goes on at once does not wait for the server to read what is not looked at.
  linger() {
    setTimeout(() => this.node.isConnected && this.front && this.ready(), LATER);
  }
  // Nothing more is loaded into it, and nobody waits for it any more.
  stop() {
    this.settle();
    this.trial?.stop();
    try {
      this.node.contentWindow?.stop();
    } catch {
    }
  }
  // The words of a PDF's further pages, once its first ones are seen.
  async later() {
    const inner = this.document;
    if (!inner.querySelector("[data-words]")) return;
    try {
      const answer = await fetch(`${this.prefix}/${encodeURIComponent(this.served)}/words?page=${this.page}`);
      if (!answer.ok) return;
      for (const [number, layer] of await answer.json()) {
        const place = inner.querySelector(`[data-words="${number}"]`);
        if (!place) continue;
        place.innerHTML = layer;
        place.removeAttribute("data-words");
      }
      this.hitsOf = null;
      this.owner.worded(this);
    } catch {
    }
  }
  // What we mark ourselves, whatever the document's own style sheets say.
  dress() {
    const inner = this.document;
    try {
      const sheet = new this.node.contentWindow.CSSStyleSheet();
      sheet.replaceSync(`${MARKS}:root { --comparator-letters: ${letters.toFixed(4)} }`);
      inner.adoptedStyleSheets = [...inner.adoptedStyleSheets, sheet];
    } catch {
    }
  }
  select() {
    clearTimeout(this.selecting);
    this.selecting = setTimeout(() => this.owner.selected(this), 200);
  }
  settle() {
    for (const resolve of this.arrived.splice(0)) resolve();
  }
  // Resolves when all that this part of the file holds is there, or when it is sure not to come.
  ready() {
    if (this.state === "ready") {
      this.words ||= this.later();
      return this.words;
    }
    return new Promise((resolve) => this.arrived.push(resolve));
  }
  paint() {
    if (this.facts && !this.foreign) this.document.documentElement.dataset.theme = this.owner.theme();
  }
  retry() {
    if (this.suspect) this.test();
    else {
      this.state = "loading";
      this.node.src = this.address();
    }
  }
  // How far down and across the document is, each from 0 to 1.
  get share() {
    const scroller = this.document?.scrollingElement;
    if (!scroller) return [0, 0];
    const part = (at, room) => room > 0 ? at / room : 0;
    return [
      part(scroller.scrollTop, scroller.scrollHeight - scroller.clientHeight),
      part(scroller.scrollLeft, scroller.scrollWidth - scroller.clientWidth)
    ];
  }
  set share([down, across]) {
    const scroller = this.document?.scrollingElement;
    if (!scroller) return;
    const top = Math.round(down * (scroller.scrollHeight - scroller.clientHeight));
    const left = Math.round(across * (scroller.scrollWidth - scroller.clientWidth));
    if (Math.abs(scroller.scrollTop - top) < 1 && Math.abs(scroller.scrollLeft - left) < 1) return;
    this.expected = [top, left];
    scroller.scrollTop = top;
    scroller.scrollLeft = left;
  }
  scroll() {
    this.near();
    const scroller = this.document?.scrollingElement;
    const own = this.expected && Math.abs(scroller.scrollTop - this.expected[0]) < 3 && Math.abs(scroller.scrollLeft - this.expected[1]) < 3;
    this.expected = null;
    if (!own) this.owner.scrolled(this);
  }
  // Pictures of pages are loaded as they come near.
  near() {
    const inner = this.document;
    if (!inner || this.foreign) return;
    const limit = this.node.clientHeight + (this.front ? 1500 : 0);
    for (const picture of inner.querySelectorAll("img[data-src]")) {
      const box = picture.getBoundingClientRect();
      if (box.top > limit) break;
      if (box.bottom < -1500) continue;
      picture.setAttribute("src", picture.getAttribute("data-src"));
      picture.removeAttribute("data-src");
    }
  }
  // One key listener on the page works everywhere: what is typed in here is typed there again.
  forward(event) {
    if (event.isComposing || this.under(event, "input:not([type=checkbox]), textarea, select, [contenteditable]")) return;
    const { key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat } = event;
    const again = new KeyboardEvent("keydown", {
      key,
      code,
      location,
      ctrlKey,
      shiftKey,
      altKey,
      metaKey,
      repeat,
      bubbles: true,
      cancelable: true,
      composed: true
    });
    window.dispatchEvent(new CustomEvent("comparator:key", { detail: { fileId: this.file.id, key, code } }));
    if (!document.body.dispatchEvent(again)) event.preventDefault();
  }
  // Links lead nowhere; those inside the document scroll it.
  click(event) {
    const go = this.under(event, "[data-go]");
    if (go && ["view", "content"].includes(this.mode) && !this.foreign) {
      event.preventDefault();
      const name = go.closest("nav.sheets") ? go.textContent.trim() : null;
      if (event.type === "click") this.owner.went(this, go.getAttribute("data-go"), name, event.isTrusted);
      return;
    }
    const link = this.under(event, "a, area");
    if (!link) return;
    event.preventDefault();
    const address = link.getAttribute("href") || link.getAttribute("xlink:href") || "";
    if (address.startsWith("#") && event.type === "click") {
      let name = address.slice(1);
      try {
        name = decodeURIComponent(name);
      } catch {
      }
      const target = name ? this.document.getElementById(name) : null;
      const top = target ? target.getBoundingClientRect().top + this.document.scrollingElement.scrollTop : 0;
      if (target || !name) this.document.scrollingElement.scrollTop = top - 4;
    } else if (link.hasAttribute("data-link")) {
      this.owner.told(`Links are disabled here: ${link.getAttribute("data-link")}`);
    }
  }
  // Scroll to a line, row or page by its number.
  reveal(number) {
    const inner = this.document;
    const { unit, first, last } = this.facts || {};
    if (!unit || number < Number(first)) return;
    if (unit === "change") {
      this.change(number);
      return;
    }
    const all = inner.querySelectorAll({ line: "pre.lines > span", row: "table.data tbody tr", page: ".sheet" }[unit] || "pre.none");
    const target = all[Math.min(number, Number(last)) - Number(first)];
    if (target) inner.scrollingElement.scrollTop += target.getBoundingClientRect().top - 60;
    else this.share = [(number - Number(first)) / Math.max(Number(last) - Number(first), 1), 0];
  }
  // Scroll to a change and frame it.
  change(number) {
    const inner = this.document;
    for (const before of inner.querySelectorAll("[data-here]")) before.removeAttribute("data-here");
    const target = inner.querySelector(`[data-change="${Number(number)}"]`);
    if (!target) return;
    target.setAttribute("data-here", "");
    inner.scrollingElement.scrollTop += target.getBoundingClientRect().top - this.node.clientHeight * 0.3;
    const words = target.tagName === "I" && target.nextElementSibling?.querySelector("del, ins");
    const box = (words || target).getBoundingClientRect();
    if (box.left < 0 || words && box.right > this.node.clientWidth) inner.scrollingElement.scrollLeft += box.left - this.node.clientWidth * 0.3;
  }
  // Go to the sheet of this name in a workbook, as if its tab had been clicked.
  sheet(name) {
    const tabs = [...this.document?.querySelectorAll("nav.sheets a") || []];
    tabs.find((tab) => tab.textContent.trim() === name)?.click();
  }
};

// comparator/ui/components/panes/js/pane/pagedata.js
var MOST_SHOWN = 1500;
function notesOf(file, facts) {
  const data = facts?.data || [];
  const said = [...file?.notes || [], ...facts?.notes || []].join(" ");
  return [
    ...said ? [element("span", { text: said })] : [],
    ...data.length ? [pageData(data)] : []
  ];
}
function pageData(entries) {
  const rows = entries.flatMap(([kind, name, value]) => [
    element("dt", { text: name ? `${kind}: ${name}` : kind }),
    element("dd", { text: value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value })
  ]);
  return element("details", {
    attributes: { class: "pagedata" },
    children: [element("summary", { text: `Page data (${entries.length})` }), element("dl", { children: rows })]
  });
}

// comparator/ui/components/panes/js/text/passage.js
var LONGEST = 4e3;
var Passage = class _Passage {
  // owner: { targets(), attach(target, passage), comment(passage), closed() }
  constructor(pane, owner) {
    this.pane = pane;
    this.owner = owner;
    this.picked = null;
    this.menu = element("div", { attributes: { class: "passage", role: "menu", "aria-label": "Selected words", hidden: true } });
    this.menu.addEventListener("keydown", (event) => this.key(event));
    this.menu.addEventListener("mousedown", (event) => event.preventDefault());
    pane.stage.append(this.menu);
  }
  // The selected words of the frame with their place in its text; null where nothing is selected.
  static of(frame) {
    const inner = frame?.document;
    const selection = inner?.getSelection?.();
    if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
    const text = selection.toString().trim();
    if (text.length < 2) return null;
    const range = selection.getRangeAt(0);
    const start = isDifferences(frame.mode) ? null : placeOf(inner, range.startContainer, range.startOffset);
    const short = text.slice(0, LONGEST);
    return { fileId: frame.file.id, text: short, start, end: start === null ? null : start + short.length, box: range.getBoundingClientRect() };
  }
  selected(frame) {
    if (this.menu.contains(this.menu.getRootNode().activeElement)) return;
    this.picked = frame === this.pane.current ? _Passage.of(frame) : null;
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
};
function placeOf(inner, node, offset) {
  if (node.nodeType !== 3) return null;
  const walker = inner.createTreeWalker(inner.body, 4);
  let before = 0;
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    if (text === node) return before + offset;
    before += text.data.length;
  }
  return null;
}

// comparator/ui/components/panes/js/pane/webpage.js
var PAGES = /* @__PURE__ */ new Set(["html", "code", "text", "xml", "binary"]);
var offered = /* @__PURE__ */ new Map();
var PictureFrame = class extends Frame {
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
    window.addEventListener("comparator:page-width", (event) => {
      const own = this.document?.getElementById("phone");
      if (own) own.checked = event.detail;
    });
  }
};
var LiveFrame = class extends Frame {
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
};
var WebModes = class {
  constructor(pane) {
    this.pane = pane;
    this.buttons = {
      picture: button("Show pictures of the page in a browser", { text: "Picture", press: () => pane.turn("picture") }),
      live: button("Run the page with its scripts, offline", { text: "Live", press: () => pane.turn("live") })
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
      offered.set(file.id, fetch(address).then((answer) => answer.ok ? answer.json() : {}).catch(() => {
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
      const frame2 = new LiveFrame(...rest);
      frame2.node.setAttribute("sandbox", "allow-scripts");
      return frame2;
    }
    if (mode !== "picture") return new Frame(...rest);
    const frame = new PictureFrame(...rest);
    frame.memory = this.pane.owner.memory;
    return frame;
  }
};

// comparator/ui/components/panes/js/pane/zoom.js
var ZOOMED = /* @__PURE__ */ new Set(["pdf", "image", "svg", "html", "docx", "pptx"]);
var DRAWN = { pdf: ".sheet", image: ".picture", svg: ".picture" };
var STEPS_OF_ZOOM = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];
function nextZoom(now, by) {
  const at = STEPS_OF_ZOOM.findIndex((step) => step >= now - 1e-3);
  return STEPS_OF_ZOOM[Math.min(STEPS_OF_ZOOM.length - 1, Math.max(0, at + by))];
}
var shapeOf = (frame) => frame.printed ? "pdf" : frame.file.family;
function zoomable(frame) {
  const { document: inner, mode, state } = frame;
  if (isDifferences(mode)) return Boolean(inner?.querySelector(".sheet, div.over"));
  if (!["view", "content"].includes(mode) || !ZOOMED.has(shapeOf(frame))) return false;
  return state !== "ready" || Boolean(inner.querySelector(DRAWN[shapeOf(frame)] || "body > :not(.message, .mono)"));
}
function applyZoom(frame, zoom) {
  const inner = frame.document;
  if (!inner?.body || frame.state !== "ready" || !zoomable(frame)) return;
  if ((frame.zoom || 1) === zoom) return;
  const share = frame.share;
  frame.zoom = zoom;
  const root = inner.documentElement;
  root.style.setProperty("--comparator-zoom", String(zoom));
  root.toggleAttribute("data-zoomed", zoom !== 1);
  if (frame.file.family === "image" || frame.file.family === "svg") zoomPictures(inner, zoom);
  else if (shapeOf(frame) !== "pdf") inner.body.style.zoom = zoom === 1 ? "" : String(zoom);
  frame.share = share;
  frame.near();
}
function zoomPictures(inner, zoom) {
  const room = inner.body.clientWidth - 40;
  for (const picture of inner.querySelectorAll(".picture img, div.over > img:first-child")) {
    const natural = Number(picture.getAttribute("width")) || picture.naturalWidth || room;
    const drawing = picture.classList.contains("drawing");
    const width = (drawing ? room : Math.min(natural, room)) * zoom;
    picture.style.width = zoom === 1 ? "" : `${width}px`;
    picture.style.maxWidth = picture.style.maxHeight = zoom === 1 ? "" : "none";
    picture.style.height = zoom === 1 ? "" : "auto";
  }
}

// comparator/ui/components/panes/js/pane/pane.js
var KEPT2 = 5;
function hide({ node }) {
  node.classList.remove("front");
  node.setAttribute("aria-hidden", "true");
  node.tabIndex = -1;
}
var Pane = class {
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
      on: { keydown: (event) => this.seek(event) }
    });
    this.pager = element("span", { attributes: { class: "pager" }, children: [this.goal, this.back, this.count, this.forth] });
    this.less = button("Smaller", { text: "−", press: () => owner.zoomed(this, -1) });
    this.fit = button("Fit to the width", { text: "100%", kind: "fit", press: () => owner.zoomed(this, 0) });
    this.larger = button("Larger", { text: "+", press: () => owner.zoomed(this, 1) });
    this.zoom = element("span", { attributes: { class: "zoom", role: "group", "aria-label": "Zoom" }, children: [this.less, this.fit, this.larger] });
    this.save = element("a", {
      attributes: { class: "save", title: "Download this file", "aria-label": "Download this file", download: "" },
      children: [icon("download")]
    });
    this.switch = element("span", {
      attributes: { class: "switch", role: "group", "aria-label": "View" },
      children: [this.view, this.content, this.source]
    });
    this.header = element("header", { children: [this.badge, this.title, this.pager, this.zoom, this.switch, this.save] });
    this.notes = element("div", { attributes: { class: "filenotes", hidden: true } });
    this.status = element("div", { attributes: { class: "status", role: "status" } });
    this.veil = element("div", { attributes: { class: "veil" } });
    this.stage = element("div", { attributes: { class: "stage" }, children: [this.veil] });
    this.node = element("section", {
      attributes: { class: "pane", "data-side": side },
      children: [this.header, this.notes, this.stage, this.status]
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
    return this.open(this.owner.memory.get("modes")[file.id] || "view", this.owner.memory.get("pages")[file.id] || 1);
  }
  open(mode, page) {
    const query = mode === "view" || mode === "content" ? this.owner.memory.get("asked")[this.file.id] || "" : "";
    const known = this.frames.find((frame2) => frame2.holds(this.file, mode, page, query));
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
    while (this.frames.length > KEPT2) {
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
      told: (text) => this.tell(text),
      selected: (which) => this.passage.selected(which),
      row: () => this.row,
      query: () => query,
      went: (which, query2, name, trusted) => this.go(which, query2, name, trusted)
    });
  }
  // Load the first part of a file that is not shown yet, nor seen; `then` is called once it is there or cannot be.
  prepare(file, then) {
    this.forget();
    if (!file) return then();
    this.prepared = this.frame(`Output ${this.side.toUpperCase()}`, file, "view", 1, "");
    hide(this.prepared);
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
    this.web.describe(mode);
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
    const again = button("Load again", { text: "Load again", press: () => {
      this.cover("loading", "");
      frame.retry();
    } });
    const why = frame.state === "stalled" ? "This page did not respond within 5 seconds, so it was closed. You can still read its source." : "This file could not be loaded: the server did not answer.";
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
    this.veil.replaceChildren(...text ? [element("p", { text })] : [], ...action ? [action] : []);
    if (kind === "loading") {
      this.veil.setAttribute("aria-busy", "true");
      this.veil.replaceChildren(...[70, 92, 84, 40, 88, 61].map((width) => element("i", { attributes: { style: `width:${width}%` } })));
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
    if (text) this.telling = setTimeout(() => {
      this.status.textContent = "";
    }, 8e3);
  }
  // Looks for the quote here, then in the source, then on the page of the file that holds it. Whoever goes to another
  // file or quote meanwhile stays there.
  async quote(detail) {
    const { file } = this;
    const left = () => this.file !== file || this.wanted !== detail;
    this.wanted = detail;
    let frame = this.current;
    await frame.ready();
    if (left()) return false;
    let ranges = findQuote(frame.document, detail.text, detail.start);
    if (!ranges) {
      const onPages = file.pages ? await this.whereabouts(detail.text, `${file.id}.pages`) : null;
      const place = await this.whereabouts(detail.text, file.id);
      if (left()) return false;
      const other = frame.mode === "view" ? [{ mode: "source", page: 1 }] : [{ mode: "view", page: 1 }];
      const inContent = file.pages ? [{ page: 1, ...place, mode: "content" }] : place ? [place] : other;
      const tries = onPages ? [onPages, ...inContent] : inContent;
      const asked = this.owner.memory.get("asked")[this.file.id] || "";
      for (const { mode, page, sheet } of tries) {
        if (sheet) this.owner.memory.put("asked", this.file.id, `sheet=${sheet}`);
        const other2 = this.open(mode, page);
        await other2.ready();
        if (left()) return false;
        ranges = findQuote(other2.document, detail.text, detail.start);
        if (ranges) {
          this.owner.memory.put("modes", this.file.id, mode);
          this.owner.memory.put("pages", this.file.id, page);
          frame = other2;
        } else {
          this.owner.memory.put("asked", this.file.id, asked);
          this.place(frame);
        }
      }
    }
    if (ranges) {
      this.tell("");
      markQuote(frame, ranges);
    } else this.tell("This quote was not found in the output.");
    return Boolean(ranges);
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
    for (const frame of this.frames) clearQuote(frame);
  }
};

// comparator/ui/components/panes/js/room.js
var NARROW = "(max-width: 1099px)";
var MOST_ABOVE = 0.3;
var Room = class {
  // Whatever pushes `grid` down makes one of its ancestors higher, so these are watched rather than the place itself.
  constructor(grid) {
    this.grid = grid;
    this.onResize = () => this.measure();
    this.observer = new ResizeObserver(this.onResize);
    window.addEventListener("resize", this.onResize);
    for (let at = grid.getRootNode().host ?? grid; at && at !== document.body; at = at.parentElement) this.observer.observe(at);
  }
  close() {
    this.observer.disconnect();
    window.removeEventListener("resize", this.onResize);
  }
  measure() {
    let scrolled = 0;
    for (let at = this.grid.getRootNode().host ?? this.grid; at; at = at.parentElement) scrolled += at.scrollTop;
    const above = Math.min(this.grid.getBoundingClientRect().top + scrolled, window.innerHeight * MOST_ABOVE);
    if (Math.abs(above - this.above) < 1) return;
    this.above = above;
    this.grid.style.setProperty("--above", `${Math.ceil(above)}px`);
  }
};

// comparator/ui/components/panes/js/files/strip.js
var MANY = 14;
var Strip = class {
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
      children: [this.files, this.back, this.at, this.forth, this.tick]
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
        text: label,
        kind: "fold",
        pressed: this.unfolded,
        press: () => {
          this.unfolded = !this.unfolded;
          this.draw();
        }
      }));
    }
    if (!total) nodes.push(element("span", { attributes: { class: "divider" }, text: "No files" }));
    this.list.replaceChildren(...nodes);
    const chosen = this.list.querySelector("[aria-selected=true]");
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
        type: "button",
        role: "tab",
        "data-entry": entry.id,
        "aria-selected": String(chosen),
        tabindex: chosen ? "0" : "-1",
        class: seen ? "seen" : null,
        title: `${entry.names.join(" and ")}: ${whereOf(entry)}${seen ? ", looked at" : ""}`
      },
      children: [
        element("i", { attributes: { class: "dot", "aria-hidden": "true" } }),
        entry.role ? element("small", { text: entry.role }) : null,
        element("span", { attributes: { class: "name" }, text: titleOf(entry, this.few ? 40 : 64) }),
        ...marksOf(entry),
        tag ? element("small", { text: tag }) : null
      ],
      on: { click: () => this.owner.choose(entry) }
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
};

// comparator/ui/components/panes/js/together.js
var Together = class {
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
        button("Output B in full width", { text: "B", kind: "only-b", press: () => this.show("b") })
      ]
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
};

// comparator/ui/components/panes/js/wire.js
var NOTES = "comparator:notes";
var NOTE = "comparator:note";
var NOTES_WANTED = "comparator:notes-wanted";
var Wire = class {
  // told(state) is called with everything that the server knows, whenever it changes.
  constructor(told) {
    this.place = null;
    this.onNotes = (event) => {
      if (event.detail?.place === this.place) told(event.detail);
    };
    window.addEventListener(NOTES, this.onNotes);
  }
  open(place) {
    this.place = place;
    window.dispatchEvent(new CustomEvent(NOTES_WANTED, { detail: { place } }));
  }
  tell(act) {
    window.dispatchEvent(new CustomEvent(NOTE, { detail: { place: this.place, ...act } }));
  }
  close() {
    window.removeEventListener(NOTES, this.onNotes);
  }
};

// comparator/ui/components/panes/js/main.js
var shownIn = /* @__PURE__ */ new WeakMap();
var Panes = class {
  constructor(root) {
    this.root = root;
    this.memory = new Memory("");
    this.entries = [];
    this.entry = null;
    this.signature = null;
    this.generation = 0;
    this.looked = /* @__PURE__ */ new Set();
    this.targets = [];
    this.closed = false;
    this.wire = new Wire((state) => this.told(state));
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
    this.coming = new First(() => [this.a, this.b].some(({ current }) => current?.state === "loading" && !current.suspect));
    this.bar = element("div", { attributes: { class: "bar" }, children: [this.strip.node, this.strip.list, this.find.node, this.together.node] });
    this.grid = element("div", { attributes: { class: "grid" }, children: [this.a.node, this.b.node, this.list.node] });
    this.node = element("div", { attributes: { class: "panes" }, children: [this.findings.node, this.bar, this.grid] });
    bookRoom();
    root.append(this.node);
    this.room = new Room(this.grid);
    this.keys = new PaneKeys((name) => this.act(name));
    this.onQuote = (event) => this.quote(event.detail || {});
    window.addEventListener("comparator:show-quote", this.onQuote);
  }
  // What the parts are given. The memory is exchanged with the comparison, so they reach it through here.
  proxy() {
    return {
      get: (name) => this.memory.get(name),
      set: (name, value) => this.memory.set(name, value),
      put: (table, id, value) => this.memory.put(table, id, value)
    };
  }
  owner() {
    const panes = this;
    return {
      memory: this.proxy(),
      get prefix() {
        return panes.prefix;
      },
      theme: () => this.theme,
      scrolled: (pane) => {
        this.attention.scrolled();
        this.together.scrolled(pane);
      },
      paged: (pane, by) => this.together.paged(pane, by),
      sought: (pane, number) => this.together.sought(pane, number),
      zoomed: (pane, by) => this.together.zoomed(pane, by),
      sheeted: (pane, name) => this.together.sheeted(pane, name),
      sorted: (pane, table, order) => this.together.sorted(pane, table, order),
      loaded: (frame) => this.find.loaded(frame),
      seen: () => {
        this.ahead.seen();
        this.coming.there();
      },
      turned: () => this.differences.turned(),
      changed: (number) => this.differences.to(number),
      notes: {
        targets: () => this.targets,
        closed: () => this.closed,
        attach: (target, passage) => this.wire.tell({ do: "attach", target, passage }),
        comment: (passage) => this.wire.tell({ do: "write-comment", passage })
      }
    };
  }
  lister() {
    const panes = this;
    return {
      get looked() {
        return panes.looked;
      },
      get found() {
        return panes.find.counts;
      },
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
      pair: (a, b) => this.wire.tell({ do: "pair", a: a.id, b: b.id }),
      apart: (entry) => this.wire.tell({ do: "apart", a: entry.a.id, b: entry.b.id }),
      unpair: (entry) => this.wire.tell({ do: "unpair", files: entry.files.map((file) => file.id) })
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
      ended: () => {
        this.list.input.value = "";
        this.list.refresh();
      }
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
    this.room.close();
    window.removeEventListener("comparator:show-quote", this.onQuote);
    this.node.remove();
  }
  update(data) {
    this.prefix = data.prefix;
    this.names = data.names;
    this.targets = data.targets;
    this.dress();
    this.room.measure();
    const signature = JSON.stringify([data.place, data.pairs, data.extras, data.aside, data.names]);
    if (signature === this.signature) return;
    const moved = data.place !== this.memory.place;
    this.signature = signature;
    if (moved) {
      this.memory = new Memory(data.place);
      this.looked = /* @__PURE__ */ new Set();
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
    const before = moved ? null : this.entry?.files[0]?.id;
    const kept = this.entries.find((entry) => entry.id === this.memory.get("file")) || this.entries.find((entry) => before && entry.files.some((file) => file.id === before));
    const first = kept || this.entries.find((entry) => !entry.identical && !entry.role) || this.entries[0];
    if (first) this.choose(first);
    this.together.arrange();
    if (moved) this.ahead.moved();
    this.wire.open(data.place);
  }
  // What the server knows of ticks, evidence and comments, and the answer to a search.
  told(state) {
    const looked = new Set(state.looked);
    const same = looked.size === this.looked.size && [...looked].every((id) => this.looked.has(id));
    this.looked = looked;
    this.closed = state.closed;
    if (!same) {
      this.strip.draw();
      this.list.refresh();
    }
    this.find.told(state.found);
    this.ahead.told(state.ahead);
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
      "next-hit": () => this.find.counts.size ? this.find.go(1) : this.differences.go(1),
      "previous-hit": () => this.find.counts.size ? this.find.go(-1) : this.differences.go(-1),
      "zoom-in": () => this.together.zoomed(pane, 1),
      "zoom-out": () => this.together.zoomed(pane, -1),
      "zoom-fit": () => this.together.zoomed(pane, 0),
      evidence: () => [this.a, this.b].find((one) => one.passage.picked)?.passage.choices(),
      comment: () => this.comment()
    };
    if (!Object.hasOwn(acts, name)) return false;
    if (name.endsWith("-hit") && !this.find.counts.size && !this.differences.summary) return false;
    if (name === "evidence" && (this.closed || ![this.a, this.b].some((one) => one.passage.picked && one.label()))) return false;
    acts[name]();
    return true;
  }
  turn() {
    const mode = this.a.current?.mode === "source" || !this.a.file && this.b.current?.mode === "source" ? "view" : "source";
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
      found = detail.text ? await pane.quote(detail) : true;
    } else {
      const pane = detail.label === "B" ? this.b : this.a;
      pane.tell("The quoted file is in neither output.");
    }
    window.dispatchEvent(new CustomEvent("comparator:quote-shown", { detail: { fileId: detail.fileId, found } }));
  }
};
function main_default(component) {
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
    if (panes.generation !== generation) return;
    shownIn.delete(root);
    panes.destroy();
  };
}
export {
  main_default as default
};
