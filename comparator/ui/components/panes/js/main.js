// Puts the strip and the two panes together. Called again on every rerun: what is already shown stays as it is.

const NARROW = "(max-width: 1099px)";
const shownIn = new WeakMap();

class Panes {
  constructor(root) {
    this.root = root;
    this.memory = new Memory("");
    this.entries = [];
    this.entry = null;
    this.signature = null;
    this.generation = 0;
    this.strip = new Strip({ memory: this.proxy(), choose: (entry) => this.choose(entry), step: (by) => this.step(by) });
    this.a = new Pane("a", this.owner());
    this.b = new Pane("b", this.owner());
    this.link = button("Scroll both outputs together", {
      symbol: "link", text: "Linked", pressed: true, press: () => this.toggle("linked"),
    });
    this.exchange = button("Swap sides", { symbol: "swap", text: "Swap", pressed: false, press: () => this.toggle("swapped") });
    this.sides = element("span", {
      attributes: { class: "switch", role: "group", "aria-label": "Outputs shown" },
      children: [
        button("Both outputs side by side", { text: "A | B", kind: "both", press: () => this.side("both") }),
        button("Output A in full width", { text: "A", kind: "only-a", press: () => this.side("a") }),
        button("Output B in full width", { text: "B", kind: "only-b", press: () => this.side("b") }),
      ],
    });
    this.tools = element("div", { attributes: { class: "tools" }, children: [this.link, this.exchange, this.sides] });
    this.bar = element("div", { attributes: { class: "bar" }, children: [this.strip.node, this.tools] });
    this.grid = element("div", { attributes: { class: "grid" }, children: [this.a.node, this.b.node] });
    this.node = element("div", { attributes: { class: "panes" }, children: [this.bar, this.grid] });
    root.append(this.node);
    this.media = window.matchMedia(NARROW);
    this.onMedia = () => this.arrange();
    this.onQuote = (event) => this.quote(event.detail || {});
    this.media.addEventListener("change", this.onMedia);
    window.addEventListener("comparator:show-quote", this.onQuote);
  }

  // The memory is exchanged when another comparison is shown, so the parts reach it through here.
  proxy() {
    return {
      get: (name) => this.memory.get(name),
      set: (name, value) => this.memory.set(name, value),
      put: (table, id, value) => this.memory.put(table, id, value),
    };
  }

  owner() {
    const panes = this;
    return {
      memory: this.proxy(),
      get prefix() { return panes.prefix; },
      theme: () => this.theme,
      scrolled: (pane) => this.scrolled(pane),
      paged: (pane, by) => this.paged(pane, by),
    };
  }

  destroy() {
    this.media.removeEventListener("change", this.onMedia);
    window.removeEventListener("comparator:show-quote", this.onQuote);
    this.node.remove();
  }

  update(data) {
    this.prefix = data.prefix;
    this.node.style.setProperty("--height", `${data.height}vh`);
    this.dress();
    const signature = JSON.stringify([data.place, data.pairs, data.extras]);
    if (signature === this.signature) return;
    this.signature = signature;
    this.memory = new Memory(data.place);
    this.entries = [
      ...data.pairs.map((pair) => ({
        id: `${pair.a?.id || ""}.${pair.b?.id || ""}`, a: pair.a, b: pair.b, identical: pair.identical, role: null,
        names: [pair.a?.name, pair.b?.name].filter(Boolean),
      })),
      ...data.extras.map(({ role, file }) => ({ id: file.id, a: file, b: null, role, names: [file.name], identical: false })),
    ];
    this.strip.update(this.entries);
    const kept = this.entries.find((entry) => entry.id === this.memory.get("file"));
    const first = kept || this.entries.find((entry) => !entry.identical && !entry.role) || this.entries[0];
    if (first) this.choose(first);
    this.arrange();
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
    this.node.classList.toggle("single", Boolean(entry.role));
    this.a.node.classList.toggle("task", Boolean(entry.role));
    if (entry.role) {
      this.a.show(entry.a, ROLES[entry.role] || "Task file", "");
    } else {
      this.a.show(entry.a, "Output A", "Output A has no such file.");
      this.b.show(entry.b, "Output B", "Output B has no such file.");
    }
    this.arrange();
  }

  step(by) {
    const shown = this.strip.shown();
    if (!shown.length) return;
    const at = shown.indexOf(this.entry);
    this.choose(shown[(at + by + shown.length) % shown.length]);
  }

  toggle(name) {
    this.memory.set(name, !this.memory.get(name));
    this.arrange();
    if (name === "linked" && this.memory.get("linked") && this.a.current) this.scrolled(this.a);
  }

  side(which) {
    this.memory.set("side", which);
    this.arrange();
  }

  // Sides are exchanged by order, not by moving: a frame that is moved is loaded again.
  arrange() {
    const narrow = this.media.matches;
    let side = this.memory.get("side");
    if (narrow && side === "both") side = this.memory.get("swapped") ? "b" : "a";
    if (this.entry?.role) side = "a";
    this.node.dataset.side = side;
    this.node.classList.toggle("narrow", narrow);
    this.node.classList.toggle("swapped", this.memory.get("swapped"));
    this.link.setAttribute("aria-pressed", String(this.memory.get("linked")));
    this.exchange.setAttribute("aria-pressed", String(this.memory.get("swapped")));
    for (const node of this.sides.children) {
      const own = node.classList.contains("both") ? "both" : node.classList.contains("only-a") ? "a" : "b";
      node.setAttribute("aria-pressed", String(own === side));
      node.hidden = narrow && own === "both";
      if (own !== "both") node.lastChild.textContent = (narrow ? "Output " : "") + own.toUpperCase();
    }
  }

  other(pane) {
    return pane === this.a ? this.b : this.a;
  }

  scrolled(pane) {
    if (!this.memory.get("linked") || this.entry?.role) return;
    const other = this.other(pane).current;
    if (other?.state === "ready" && pane.current) other.share = pane.current.share;
  }

  paged(pane, by) {
    if (!this.memory.get("linked") || this.entry?.role || this.paging) return;
    this.paging = true;
    this.other(pane).step(by);
    this.paging = false;
  }

  async quote(detail) {
    const entry = this.entries.find((one) => one.a?.id === detail.fileId || one.b?.id === detail.fileId);
    this.a.clear();
    this.b.clear();
    let found = false;
    if (entry) {
      if (entry !== this.entry) this.choose(entry);
      const pane = entry.a?.id === detail.fileId ? this.a : this.b;
      if (!entry.role && (this.media.matches || this.memory.get("side") !== "both")) this.side(pane.side);
      this.node.scrollIntoView({ block: "nearest" });
      found = await pane.quote(detail);
    } else {
      const pane = detail.label === "B" ? this.b : this.a;
      pane.tell("The file of this quote is not among the outputs.");
    }
    window.dispatchEvent(new CustomEvent("comparator:quote-shown", { detail: { fileId: detail.fileId, found } }));
  }
}

export default function (component) {
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
    // An earlier run's farewell may come after a later run has begun.
    if (panes.generation !== generation) return;
    shownIn.delete(root);
    panes.destroy();
  };
}
