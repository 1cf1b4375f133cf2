// @ts-check
// One document in its frame. A document of ours may not run scripts, so that everything that happens in it is done from here.

import { h, make } from "../dom.js";
import { drawDiagrams } from "./diagrams.js";
import { Reader, isElement, safely } from "./reader.js";

const SANDBOX = "allow-same-origin";
export const LATER = 400;
const LAYERS = `
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
  // owner: { theme(), scrolled(frame), loaded(frame), worded(frame), failed(frame), tell(text), selected(frame, picked), went(frame, query, name, trusted) }
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
    this.arrived = [];
    /** @type {any} */
    this.facts = null;
    this.node = /** @type {HTMLIFrameElement} */ (make(h("iframe", { sandbox: SANDBOX, referrerpolicy: "no-referrer", title, "data-file": file.id, "data-mode": mode, tabindex: "0", on: { load: () => this.load() } })));
  }

  // Put it into the page.
  enter(stage) {
    stage.append(this.node);
    this.begin();
  }

  begin() {
    this.state = "loading";
    this.node.src = this.address();
  }

  fail(state) {
    this.state = state;
    this.owner.failed(this);
    this.resolveAll();
  }

  remove() {
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
    const inner = this.document;
    this.facts = factsOf(inner);
    if (!this.facts) {
      // The browser's own error page, or an answer that is not ours.
      this.fail("failed");
      return;
    }
    this.page = this.facts.page;
    this.pages = this.facts.pages;
    inner.addEventListener("scroll", () => this.near(), { passive: true });
    inner.addEventListener("click", (event) => this.go(event), true);
    const css = `${LAYERS}:root { --comparator-letters: ${letters.toFixed(4)} }`;
    this.reader = new Reader(this.node.contentWindow, (message) => this.heard(message), { css });
    const box = /** @type {HTMLInputElement | null} */ (inner.getElementById("phone"));
    if (this.mode === "picture" && box) this.owner.phone(box);
    this.arrive();
  }

  // What is shown is there.
  arrive() {
    this.state = "ready";
    this.zoom = 1;
    this.lit = null;
    this.paint();
    this.near();
    this.owner.loaded(this);
    this.words = null;
    this.linger();
    for (const resolve of this.arrived.splice(0)) resolve(this.ready());
  }

  // What the document answers to one act of a reader; nothing where it is not there.
  async ask(act, ...given) {
    if (this.state !== "ready") return undefined;
    if (["find", "hit", "quote"].includes(act)) this.whole();
    return this.reader[act](...given);
  }

  heard(message) {
    if (message.is === "scroll") this.scrolled(message);
    else if (message.is === "picked") this.owner.selected(this, message.picked);
    else if (message.is === "link") this.owner.tell(`Links are disabled here: ${message.address}`);
    else if (message.is === "key") return this.type(message.again);
    return undefined;
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
    this.node.contentWindow?.stop();
  }

  // Lay out all of a long text, of which only the beginning is when it comes.
  whole() {
    for (const part of this.document.querySelectorAll("pre.text > .later")) part.classList.remove("later");
  }

  // The rest of a long text, and the words of a PDF's further pages, once the beginning is seen.
  async later() {
    const inner = this.document;
    this.whole();
    drawDiagrams(inner);
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
      this.lit = null;
      this.owner.worded(this);
    } catch {
      // Without an answer the pages are seen all the same.
    }
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
    if (this.facts) this.document.documentElement.dataset.theme = this.owner.theme();
  }

  retry() {
    this.begin();
  }

  // How far down and across the document is, each from 0 to 1.
  get share() {
    return this.reader ? this.reader.share() : [0, 0];
  }

  set share(share) {
    if (!this.reader) return;
    if (share[0]) this.whole();
    this.reader.scroll(share);
  }

  scrolled({ own }) {
    // How far down it is counts for the other side and for later, so it is to be true of all of the text.
    this.whole();
    if (!own) this.owner.scrolled(this);
  }

  // Pictures of pages are loaded as they come near.
  near() {
    const inner = this.document;
    if (!inner) return;
    const limit = this.node.clientHeight + (this.front ? 1500 : 0);
    for (const picture of inner.querySelectorAll("img[data-src]")) {
      const box = picture.getBoundingClientRect();
      if (box.top > limit) break;
      if (box.bottom < -1500) continue;
      picture.setAttribute("src", picture.getAttribute("data-src"));
      picture.removeAttribute("data-src");
    }
  }

  // A key that was pressed inside is pressed on the page; false where the page used it.
  type(again) {
    // Space scrolls here.
    if (again.key === " ") return true;
    return document.body.dispatchEvent(new KeyboardEvent("keydown", { ...again, bubbles: true, cancelable: true, composed: true }));
  }

  // To another sheet, or to another order of a table.
  go(event) {
    const link = event.composedPath().find((node) => isElement(node) && node.matches("[data-go]"));
    if (!link || !["view", "content"].includes(this.mode)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const name = link.closest("nav.sheets") ? link.textContent.trim() : null;
    this.owner.went(this, link.getAttribute("data-go"), name, event.isTrusted);
  }

  // Scroll to a line, row or page by its number.
  reveal(number) {
    const inner = this.document;
    this.whole();
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

// What the server says of a document of ours, on its root element. Null where the document is no answer of ours.
function factsOf(inner) {
  const { page, pages, unit, first, last, total } = inner?.documentElement?.dataset || {};
  if (!pages) return null;
  return { page: Number(page), pages: Number(pages), unit, first: Number(first), last: Number(last), total };
}
