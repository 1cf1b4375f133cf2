// @ts-check
// How high the panes are: the window less what stands above them, the score sheet's bar and drawer, and the line of notes.

export const NARROW = "(max-width: 1099px)";
const MOST_ABOVE = 0.3;

export class PaneHeight {
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
}
