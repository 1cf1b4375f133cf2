// @ts-check
// Notices what a reviewer has looked at: a file that was before them for a while, or that they scrolled.

const WHILE = 4000;
const SCROLLED = 1200;

export class Attention {
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
}
