// @ts-check
// The outputs are what a reviewer waits for: what takes long to draw asks here whether they are on their way.

const ASKED = "comparator:outputs-asked";
const THERE = "comparator:outputs-there";
const LONGEST = 300;

// Calls act() once the outputs are drawn: at once where none are coming, in any case soon. Returns how to call it off.
export function afterOutputs(act) {
  const detail = { coming: false };
  window.dispatchEvent(new CustomEvent(ASKED, { detail }));
  if (!detail.coming) {
    act();
    return () => {};
  }
  const stop = () => {
    clearTimeout(timer);
    window.removeEventListener(THERE, go);
  };
  const go = () => {
    stop();
    act();
  };
  const timer = setTimeout(go, LONGEST);
  window.addEventListener(THERE, go);
  return stop;
}

// The panes' part: coming() is asked, and there() says that nothing is coming any more.
export class OutputsComing {
  constructor(coming) {
    this.coming = coming;
    this.onAsked = (event) => { event.detail.coming ||= coming(); };
    window.addEventListener(ASKED, this.onAsked);
  }

  there() {
    if (this.coming()) return;
    // After the frame in which they are drawn.
    requestAnimationFrame(() => setTimeout(() => window.dispatchEvent(new CustomEvent(THERE))));
  }

  close() {
    window.removeEventListener(ASKED, this.onAsked);
  }
}
