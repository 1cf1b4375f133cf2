// Loads what the next pair opens with into frames that are not seen yet, while this pair is read.

const QUIET = 300;
const whenIdle = window.requestIdleCallback || ((act) => setTimeout(act, 50));

class Ahead {
  constructor(panes) {
    this.panes = panes;
    this.heard = false;
    this.asked = false;
    this.timer = 0;
  }

  // A little later, when nothing of this pair is loading any more, the server is asked, once.
  seen() {
    clearTimeout(this.timer);
    if (this.asked || !this.heard) return;
    this.timer = setTimeout(() => {
      if ([this.panes.a, this.panes.b].some((pane) => pane.current?.state === "loading")) return;
      this.asked = true;
      this.panes.wire.tell({ do: "seen" });
    }, QUIET);
  }

  // The notes are there to ask through. Their answer: a file for each side, null where the next pair has none.
  told(files) {
    this.heard = true;
    this.seen();
    const key = JSON.stringify(files);
    if (!this.asked || !files?.length || key === this.held) return;
    this.held = key;
    const [a, b] = files.map(fileOf);
    const load = (pane, file, then) => whenIdle(() => this.held === key && pane.prepare(file, then), { timeout: 1000 });
    load(this.panes.a, a, () => load(this.panes.b, b, () => {}));
  }

  // Another pair is shown: what was prepared and is not part of it is let go.
  moved() {
    this.stop();
    this.heard = this.asked = false;
    this.held = null;
    this.panes.a.forget();
    this.panes.b.forget();
  }

  stop() {
    clearTimeout(this.timer);
  }
}
