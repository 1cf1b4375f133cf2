// The list of files: pairs first, identical ones folded away, then the task's own files.

const ROLES = { input: "Task input", reference: "Reference answer" };
const MANY = 12;

class Strip {
  // owner: { memory, choose(entry) }
  constructor(owner) {
    this.owner = owner;
    this.entries = [];
    this.filter = "";
    this.list = element("div", { attributes: { class: "files", role: "tablist", "aria-label": "Files" } });
    this.search = element("input", {
      attributes: { type: "search", placeholder: "Find a file", "aria-label": "Find a file", hidden: true },
      on: { input: () => { this.filter = this.search.value.trim().toLowerCase(); this.draw(); } },
    });
    this.more = button("Show all files", { text: "All files", pressed: false, kind: "more", press: () => this.stretch() });
    this.node = element("nav", { attributes: { class: "strip" }, children: [this.search, this.list, this.more] });
    new ResizeObserver(() => this.fit()).observe(this.list);
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.unfolded = false;
    this.current = null;
  }

  update(entries) {
    this.entries = entries;
    this.search.hidden = entries.length <= MANY;
    if (!this.node.classList.contains("stretched")) this.more.lastChild.textContent = `All ${entries.length}`;
    this.draw();
  }

  select(entry) {
    this.current = entry;
    const seen = this.owner.memory.get("seen");
    if (!seen.includes(entry.id)) this.owner.memory.set("seen", [...seen, entry.id]);
    this.draw();
  }

  // The list is two rows high; where there is more, a button says so.
  fit() {
    const open = this.node.classList.contains("stretched");
    this.more.hidden = !open && this.list.scrollHeight <= this.list.clientHeight + 2;
  }

  stretch() {
    const open = this.node.classList.toggle("stretched");
    this.more.setAttribute("aria-pressed", String(open));
    this.more.lastChild.textContent = open ? "Fewer" : `All ${this.entries.length}`;
    this.fit();
  }

  shown() {
    return this.entries.filter((entry) => (!entry.identical || this.unfolded || entry === this.current)
      && (!this.filter || entry.names.some((name) => name.toLowerCase().includes(this.filter))));
  }

  draw() {
    const focused = this.list.getRootNode().activeElement?.dataset?.entry;
    const seen = new Set(this.owner.memory.get("seen"));
    const nodes = [];
    let task = false;
    for (const entry of this.shown()) {
      if (entry.role && !task) {
        task = true;
        nodes.push(element("span", { attributes: { class: "divider", role: "presentation" }, text: "Task" }));
      }
      nodes.push(this.tab(entry, seen.has(entry.id)));
    }
    const identical = this.entries.filter((entry) => entry.identical).length;
    if (identical) {
      const label = this.unfolded ? `Hide ${identical} identical` : `${identical} identical hidden`;
      nodes.push(button(label, {
        text: label, kind: "fold", pressed: this.unfolded,
        press: () => { this.unfolded = !this.unfolded; this.draw(); },
      }));
    }
    if (!this.entries.length) nodes.push(element("span", { attributes: { class: "divider" }, text: "No files" }));
    this.list.replaceChildren(...nodes);
    this.fit();
    const chosen = this.list.querySelector("[aria-selected=true]");
    // Not scrollIntoView: it would scroll the page too.
    if (chosen) {
      const top = chosen.offsetTop - this.list.offsetTop;
      if (top < this.list.scrollTop || top + chosen.offsetHeight > this.list.scrollTop + this.list.clientHeight) {
        this.list.scrollTop = top - 2;
      }
    }
    if (focused) this.list.querySelector(`[data-entry="${CSS.escape(focused)}"]`)?.focus();
  }

  tab(entry, seen) {
    const chosen = entry === this.current;
    const marks = entry.role ? [] : ["a", "b"].map((side) => element("b", {
      attributes: { class: entry[side] ? "mark " + side : "mark none" }, text: entry[side] ? side.toUpperCase() : "–",
    }));
    const names = [...new Set(entry.names)];
    const name = element("span", {
      attributes: { class: "name" }, text: names.map((one) => middle(one, names.length > 1 ? 22 : 36)).join(" ⇄ "),
    });
    const where = entry.role ? ROLES[entry.role] || entry.role
      : entry.identical ? "identical in A and B"
        : entry.a && entry.b ? "in A and B" : entry.a ? "only in A" : "only in B";
    return element("button", {
      attributes: {
        type: "button", role: "tab", "data-entry": entry.id, "aria-selected": String(chosen),
        tabindex: chosen ? "0" : "-1", title: `${names.join(" and ")}: ${where}${seen ? ", looked at" : ""}`,
        class: seen ? "seen" : null,
      },
      children: [element("i", { attributes: { class: "dot", "aria-hidden": "true" } }),
        entry.role ? element("small", { text: entry.role }) : null, name, ...marks,
        entry.identical ? element("small", { text: "same" }) : null],
      on: { click: () => this.owner.choose(entry) },
    });
  }

  key(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    this.owner.step(by);
    this.list.querySelector("[aria-selected=true]")?.focus();
  }
}
