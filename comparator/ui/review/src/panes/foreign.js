// @ts-check
// An output's own page or drawing: in an origin of its own, with an agent of ours inside that is spoken to by messages.
// Where its scripts run, what it says may come from them: it is shown, and nothing of it scores or saves.

import { innermost } from "../dom.js";
import { Frame } from "./frame.js";

export const FOREIGN = new Set(["html", "svg"]);
// Only Chromium gives such a page a process of its own; elsewhere it could freeze the tab, so its picture comes first.
export const APART = /Chrom(e|ium)\//.test(navigator.userAgent);
const PING = 1000;
const PATIENCE = 5;
const LOADING = 15;
const LOOKS = 5;
const NOUNS = {
  img: "picture", style: "style sheet", "style-src-elem": "style sheet", font: "web font", script: "script", media: "audio or video",
  frame: "embedded page", connect: "data request", here: "file that is not in this output",
};

export class ForeignFrame extends Frame {
  /** @type {any} */
  about = undefined;
  ahead = false;
  answers = new Map();
  asked = 0;
  at = [0, 0];

  // Asks where the page stands; what cannot be shown as a page is a document of ours.
  async begin() {
    this.state = "loading";
    clearInterval(this.beating);
    const still = this.ahead || this.owner.still();
    try {
      const answer = await fetch(`${this.prefix}/${encodeURIComponent(this.file.id)}/page?scripts=${still ? 0 : 1}`);
      if (!answer.ok) throw new Error(answer.statusText);
      this.about = await answer.json();
    } catch {
      this.fail("failed");
      return;
    }
    if (!this.about) {
      super.begin();
      return;
    }
    // No script runs before the page is shown.
    if (this.ahead && this.about.can) {
      this.node.dispatchEvent(new Event("load"));
      return;
    }
    this.node.setAttribute("sandbox", "allow-scripts allow-forms");
    this.node.classList.add("page");
    this.began = false;
    if (!this.hears) {
      this.hears = (event) => this.receive(event);
      this.blurs = () => setTimeout(() => this.refuseFocus());
      this.focuses = (event) => { this.before = event.composedPath()[0]; };
      window.addEventListener("message", this.hears);
      window.addEventListener("blur", this.blurs);
      window.addEventListener("focusin", this.focuses, true);
      this.node.addEventListener("focus", () => { this.entered = true; });
      this.node.addEventListener("pointerenter", () => { this.over = true; });
      this.node.addEventListener("pointerleave", () => this.left());
    }
    this.node.src = this.about.address;
  }

  holds(file, mode, page, query) {
    const same = !this.about?.can || this.about.scripts !== this.owner.still();
    return same && super.holds(file, mode, page, query);
  }

  // Whether scripts of the page may say what it says.
  get doubted() {
    return Boolean(this.about?.scripts);
  }

  get document() {
    return this.about ? null : super.document;
  }

  load() {
    if (this.about === null) super.load();
    // The frame has loaded, and the agent has said nothing: it is no page of the output.
    else if (this.node.getAttribute("src") && !this.began) setTimeout(() => this.began || this.fail("failed"), 1000);
  }

  receive({ source, data }) {
    const page = this.node.contentWindow?.[0];
    const message = data?.comparator;
    if (!page || source !== page || !message) return;
    if (message.is === "began") {
      this.began = true;
      this.answers.clear();
      this.beat();
    } else if (message.is === "loaded") {
      this.facts = { page: 1, pages: 1, notes: this.about.why ? [this.about.why] : [], data: this.about.data };
      this.arrive();
    } else if (message.is === "answer") {
      this.answers.get(message.id)?.(message.value);
      this.answers.delete(message.id);
    } else if (message.is === "missing") {
      this.missing(message.missing);
    } else if (message.is === "scroll") {
      this.at = message.share.map((part) => Math.min(Math.max(Number(part) || 0, 0), 1));
      if (!message.own) this.owner.scrolled(this);
    } else if (message.is === "picked") {
      if (!this.doubted || innermost() === this.node) this.owner.selected(this, message.picked);
    } else if (message.is === "link") {
      this.owner.tell(`Links are disabled here: ${String(message.address).slice(0, 300)}`);
    } else if (message.is === "key") {
      if (!this.doubted) this.type(message.again);
      else if (message.again?.key === "Escape") this.node.blur();
    }
  }

  // A page that answers nothing for five seconds is put away; while it loads, a large library may take longer.
  beat() {
    clearInterval(this.beating);
    let unanswered = 0;
    this.beating = setInterval(() => {
      if (!this.node.isConnected) clearInterval(this.beating);
      if (document.hidden) return;
      if (unanswered >= (this.state === "loading" ? LOADING : PATIENCE)) {
        this.close();
        this.fail("stalled");
        return;
      }
      unanswered += 1;
      this.say("ping").then(() => { unanswered = 0; });
      this.turn = (this.turn || 0) + 1;
      if (this.doubted && this.turn % LOOKS === 2) this.look();
    }, PING);
  }

  // Scripts may write a name that stands in no file: the server takes note of what it reads, and answers nothing.
  async look() {
    const words = String(await this.say("written"));
    if (words === this.words) return;
    this.words = words;
    fetch(`${this.prefix}/${encodeURIComponent(this.file.id)}/written`, { method: "POST", body: words }).catch(() => {});
  }

  say(act, ...args) {
    this.asked += 1;
    const id = this.asked;
    return new Promise((resolve) => {
      this.answers.set(id, resolve);
      this.node.contentWindow?.[0]?.postMessage({ id, act, args }, "*");
    });
  }

  async ask(act, ...args) {
    if (!this.about) return super.ask(act, ...args);
    return this.state === "ready" ? this.say(act, ...args) : undefined;
  }

  // What the page asked for and does not get, in our words.
  missing({ kinds, hosts }) {
    const counted = Object.entries(kinds).filter(([kind, count]) => NOUNS[kind] && (kind !== "script" || this.doubted) && Number.isInteger(count) && count > 0)
      .map(([kind, count]) => `${count} ${NOUNS[kind]}${count > 1 && kind !== "here" ? "s" : ""}`);
    if (!counted.length || !this.facts) return;
    const from = hosts.filter((host) => /^[a-z0-9.-]{1,80}$/.test(host)).slice(0, 5);
    this.facts.notes = [...(this.about.why ? [this.about.why] : []), `Not loaded: ${counted.join(", ")}${from.length ? ` (${from.join(", ")})` : ""}.`];
    this.owner.noted(this);
  }

  // The keys are the page's until the pointer leaves it, or Esc.
  left() {
    this.over = false;
    if (this.doubted && innermost() === this.node) this.node.blur();
  }

  // Only a person gives a page the keys: its scripts do not take them from who is typing.
  refuseFocus() {
    if (!this.doubted || innermost() !== this.node) {
      this.entered = false;
      return;
    }
    if (this.over || this.entered) this.owner.tell("Keys go to this page until you press Esc or move the pointer out of it.");
    else {
      this.node.blur();
      this.before?.focus?.({ preventScroll: true });
    }
  }

  get share() {
    return this.about ? this.at : super.share;
  }

  set share(share) {
    if (!this.about) super.share = share;
    else {
      this.at = share;
      this.ask("scroll", share);
    }
  }

  scrolled(message) {
    if (!this.about) super.scrolled(message);
  }

  whole() {
    if (!this.about) super.whole();
  }

  async later() {
    if (!this.about) await super.later();
  }

  paint() {
    if (!this.about) super.paint();
  }

  reveal(number) {
    if (!this.about) super.reveal(number);
  }

  stop() {
    if (this.about) this.resolveAll();
    else super.stop();
  }

  close() {
    clearInterval(this.beating);
    this.node.removeAttribute("src");
    this.began = true;
  }

  remove() {
    clearInterval(this.beating);
    window.removeEventListener("message", this.hears);
    window.removeEventListener("blur", this.blurs);
    window.removeEventListener("focusin", this.focuses, true);
    super.remove();
  }
}
