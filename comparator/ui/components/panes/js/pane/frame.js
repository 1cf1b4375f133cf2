// @ts-check
// One document in its frame. The frame may not run scripts, so that everything that happens in it is done from here.

import { element } from "../dom.js";
import { guard } from "./guard.js";
import { factsOf, isElement, safely } from "./inside.js";
import { TRIED, Trial, passed } from "./trial.js";

const SANDBOX = "allow-same-origin";
export const LATER = 400;
const MARKS = `
::highlight(comparator-quote) { background-color: #ffd54a; color: #111; }
::highlight(comparator-search) { background-color: #b7e4c7; color: #111; }
::highlight(comparator-search-here) { background-color: #2f9e5f; color: #fff; }
.layer ::highlight(comparator-search) { background-color: rgb(47 158 95 / .35); color: transparent; }
.layer ::highlight(comparator-search-here) { background-color: rgb(47 158 95 / .7); color: transparent; }
[data-zoomed] div.over { max-width: none; }
[data-zoomed] .sheet { width: calc(100% * var(--comparator-zoom, 1)); max-width: calc(900px * var(--comparator-zoom, 1)); }
`;

// How large letters must be drawn to be as wide as Helvetica's, in which the words of a PDF are laid out: a machine may
// have neither Arial nor another font of these widths.
const letters = (() => {
  const sample = "The quick brown fox jumps over the lazy dog, and 1234567890 others rest in the shade of an old tree.";
  const helvetica = 44.969;
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = '100px Arial, "Liberation Sans", sans-serif';
  return (100 * helvetica) / pen.measureText(sample).width || 1;
})();

export class Frame {
  // owner: { theme(), scrolled(frame), loaded(frame), worded(frame), failed(frame), tell(text), selected(frame), went(frame, query, name, trusted) }
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
    // The line, row or page to go to.
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
        tabindex: "0",
      },
      on: { load: () => this.load() },
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
        this.resolveAll();
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
    // Still on trial.
    if (!this.node.getAttribute("src")) return;
    const inner = this.document;
    this.facts = factsOf(inner);
    if (!this.facts) {
      // The browser's own error page, or an answer that is not ours.
      this.state = "failed";
      this.owner.failed(this);
      this.resolveAll();
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
    if (this.foreign) guard(this, inner);
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
    this.resolveAll();
    this.trial?.stop();
    try {
      this.node.contentWindow?.stop();
    } catch {
      // A live page is in an origin of its own.
    }
  }

  // Lay out all of a long text, of which only the beginning is when it comes.
  whole() {
    for (const part of this.document.querySelectorAll("pre.text > .later")) part.classList.remove("later");
  }

  // The rest of a long text, and the words of a PDF's further pages, once the beginning is seen.
  async later() {
    const inner = this.document;
    if (this.foreign) return;
    this.whole();
    if (!inner.querySelector("[data-words]")) return;
    try {
      const answer = await fetch(`${this.prefix}/${encodeURIComponent(this.served)}/words?page=${this.page}`);
      if (!answer.ok) return;
      for (const [number, layer] of await answer.json()) {
        const place = inner.querySelector(`[data-words="${number}"]`);
        if (!place) continue;
        // Escaped by the server, into a document in which nothing runs.
        place.innerHTML = layer;
        place.removeAttribute("data-words");
      }
      this.hitsOf = null;
      this.owner.worded(this);
    } catch {
      // Without an answer the pages are seen all the same.
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
      // An older browser: hits are found and scrolled to, and not coloured.
    }
  }

  select() {
    clearTimeout(this.selecting);
    this.selecting = setTimeout(() => this.owner.selected(this), 200);
  }

  resolveAll() {
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
    // A page of an output may have a theme of its own, by the very same name.
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
    const part = (at, room) => (room > 0 ? at / room : 0);
    return [part(scroller.scrollTop, scroller.scrollHeight - scroller.clientHeight),
      part(scroller.scrollLeft, scroller.scrollWidth - scroller.clientWidth)];
  }

  set share([down, across]) {
    const scroller = this.document?.scrollingElement;
    if (!scroller) return;
    if (!this.foreign && down) this.whole();
    const top = Math.round(down * (scroller.scrollHeight - scroller.clientHeight));
    const left = Math.round(across * (scroller.scrollWidth - scroller.clientWidth));
    if (Math.abs(scroller.scrollTop - top) < 1 && Math.abs(scroller.scrollLeft - left) < 1) return;
    // What we scroll ourselves must not scroll the other side in turn.
    this.expected = [top, left];
    scroller.scrollTop = top;
    scroller.scrollLeft = left;
  }

  scroll() {
    // How far down it is counts for the other side and for later, so it is to be true of all of the text.
    if (!this.foreign) this.whole();
    this.near();
    const scroller = this.document?.scrollingElement;
    const own = this.expected && Math.abs(scroller.scrollTop - this.expected[0]) < 3
      && Math.abs(scroller.scrollLeft - this.expected[1]) < 3;
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
      key, code, location, ctrlKey, shiftKey, altKey, metaKey, repeat, bubbles: true, cancelable: true, composed: true,
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
        // Not an encoded name; taken as it is.
      }
      const target = name ? this.document.getElementById(name) : null;
      const top = target ? target.getBoundingClientRect().top + this.document.scrollingElement.scrollTop : 0;
      if (target || !name) this.document.scrollingElement.scrollTop = top - 4;
    } else if (link.hasAttribute("data-link")) {
      this.owner.tell(`Links are disabled here: ${link.getAttribute("data-link")}`);
    }
  }

  // Scroll to a line, row or page by its number.
  reveal(number) {
    const inner = this.document;
    if (!this.foreign) this.whole();
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
    // On a page that is drawn large the words may stand beside what is seen.
    const words = target.tagName === "I" && target.nextElementSibling?.querySelector("del, ins");
    const box = (words || target).getBoundingClientRect();
    if (box.left < 0 || (words && box.right > this.node.clientWidth)) inner.scrollingElement.scrollLeft += box.left - this.node.clientWidth * 0.3;
  }

  // Go to the sheet of this name in a workbook, as if its tab had been clicked.
  sheet(name) {
    const tabs = [...(this.document?.querySelectorAll("nav.sheets a") || [])];
    tabs.find((tab) => tab.textContent.trim() === name)?.click();
  }
}
