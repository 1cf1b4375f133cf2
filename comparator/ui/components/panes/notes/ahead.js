// Has the server make the next pair's first previews ready while this pair is read.

const QUIET = 300;

class Ahead {
  // seen() is called once both outputs of a pair stand on the screen.
  constructor(seen) {
    this.seen = seen;
    this.place = null;
    this.onLoaded = (event) => this.loaded(event.detail);
    window.addEventListener("comparator:preview-loaded", this.onLoaded);
  }

  open(place) {
    if (place === this.place) return;
    this.place = place;
    this.asked = false;
    this.stop();
  }

  // A little later, when nothing of this pair is loading any more.
  loaded({ prefix, theme }) {
    this.prefix = prefix;
    this.theme = theme;
    if (this.asked) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.asked = true; this.seen(); }, QUIET);
  }

  // The answer: the files that come first in the next pair.
  async warm(ids) {
    if (!this.asked || this.going || !ids?.length) return;
    this.going = new AbortController();
    const { signal } = this.going;
    const get = (address) => fetch(`${this.prefix}/${address}`, { signal, priority: "low" });
    try {
      for (const id of ids.slice(0, 2).map(encodeURIComponent)) {
        const page = await (await get(`${id}/view?theme=${this.theme}&page=1`)).text();
        for (const [, picture] of page.slice(0, 400000).matchAll(/ src="(page\/\d+\.png)"/g)) await get(`${id}/${picture}`);
      }
    } catch {
      // It will be made when it is opened.
    }
  }

  stop() {
    clearTimeout(this.timer);
    this.going?.abort();
    this.going = null;
  }

  close() {
    this.stop();
    window.removeEventListener("comparator:preview-loaded", this.onLoaded);
  }
}
