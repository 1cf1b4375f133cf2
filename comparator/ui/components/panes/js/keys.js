// @ts-check
// The keys of the panes, and the same acts by name for whoever else has keys or buttons for them.

const PANE_KEYS = {
  "]": "next-file", "[": "previous-file", "/": "search", f: "files", x: "looked", s: "source", w: "which",
  l: "linked", ".": "next-hit", ",": "previous-hit", v: "evidence", m: "comment", g: "into-a", G: "into-b", "+": "zoom-in", "-": "zoom-out", "|": "zoom-fit",
};
const WRITES = "textarea, select, [contenteditable=true], [role=textbox], [role=combobox], [role=grid], input:not([type=checkbox]):not([type=radio]):not([type=button])";

export class PaneKeys {
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
}
