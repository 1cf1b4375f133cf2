// Made by `npm run bundle` from panes/notes/notes.js; do not edit.

// comparator/ui/components/panes/js/dom.js
function element(tag, { attributes = {}, children = [], text = null, on = {} } = {}) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  if (text !== null) node.textContent = text;
  for (const child of children) if (child) node.append(child);
  for (const [type, listener] of Object.entries(on)) node.addEventListener(type, listener);
  return node;
}
var ICONS = {
  link: "M9 15l6-6M10.5 6.5l1.8-1.8a4.2 4.2 0 0 1 6 6l-1.8 1.8M13.500 17.500l-1.800 1.800a4.200 4.200 0 0 1-6-6l1.800-1.800",
  swap: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",
  download: "M12 4v11M7 10.500l5 5 5-5M5 20h14",
  left: "M14.500 5l-7 7 7 7",
  right: "M9.500 5l7 7-7 7",
  list: "M4 6h16M4 12h16M4 18h10",
  close: "M6 6l12 12M18 6L6 18",
  tick: "M5 12.500l4.500 4.500L19 7.500",
  apart: "M10 12H3M6 9l-3 3 3 3M14 12h7M18 9l3 3-3 3",
  differ: "M5 9h14M5 15h14M16 4L8 20",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H9"
};
function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", ICONS[name]);
  drawing.append(line);
  return drawing;
}
function button(label, { symbol = null, text = null, pressed = null, press, kind = "" }) {
  const node = element("button", {
    attributes: { type: "button", title: label, "aria-label": label, class: kind || null },
    children: symbol ? [icon(symbol)] : [],
    on: { click: press }
  });
  if (text !== null) node.append(element("span", { text }));
  if (pressed !== null) node.setAttribute("aria-pressed", String(pressed));
  return node;
}
function middle(name, most) {
  const letters = Array.from(name);
  if (letters.length <= most) return name;
  const end = Math.ceil((most - 1) * 0.6);
  return letters.slice(0, most - 1 - end).join("") + "…" + letters.slice(-end).join("");
}

// comparator/ui/components/panes/notes/outbox.js
var NotesOutbox = class {
  constructor(place) {
    this.name = `comparator.notes.${place}`;
    this.items = [];
    try {
      this.items = JSON.parse(localStorage.getItem(this.name) || "[]");
    } catch {
    }
  }
  put(act) {
    const last = this.items.at(-1);
    if (act.do === "look" && last?.do === "look" && last.on === act.on && !last.sent && last.files.length < 500) {
      last.files = [.../* @__PURE__ */ new Set([...last.files, ...act.files])];
    } else this.items.push({ ...act, id: noteId() });
    this.save();
  }
  drop(ids) {
    const before = this.items.length;
    this.items = this.items.filter((item) => !ids.has(item.id));
    if (this.items.length !== before) this.save();
  }
  outgoing() {
    for (const item of this.items) item.sent = true;
    return this.items.slice(0, 200).map(({ sent, ...item }) => item);
  }
  save() {
    try {
      if (this.items.length) localStorage.setItem(this.name, JSON.stringify(this.items));
      else localStorage.removeItem(this.name);
    } catch {
    }
  }
};
function noteId() {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte & 31]).join("");
}

// comparator/ui/components/panes/notes/thread.js
function ago(instant) {
  const seconds = Math.max(0, Math.round((Date.now() - new Date(instant).getTime()) / 1e3));
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
}
function showPassage({ fileId, label, text, start }) {
  window.dispatchEvent(new CustomEvent("comparator:show-quote", { detail: { fileId, label, text, start } }));
}
function passageLink(note) {
  const words = note.text ? `“${middle(note.text.replace(/\s+/g, " "), 160)}”` : `on ${middle(note.file, 60)}`;
  return button(note.text ? `Show in ${note.file}` : `Show ${note.file}`, { text: words, kind: "passage-link", press: () => showPassage(note) });
}
function whereIs(note) {
  const side = note.label ? [element("b", { attributes: { class: `mark ${note.label.toLowerCase()}` }, text: note.label })] : [];
  return [...side, element("span", { attributes: { class: "file", title: note.file }, text: middle(note.file, 50) })];
}
function thread(comment, replies, owner) {
  const head = [
    element("b", { text: comment.mine ? "You" : comment.author }),
    element("time", { attributes: { title: new Date(comment.at).toLocaleString() }, text: ago(comment.at) })
  ];
  if (comment.fileId) head.push(...whereIs({ ...comment, text: comment.selection }));
  const place = comment.fileId && comment.selection ? [passageLink({ ...comment, text: comment.selection })] : [];
  const jump = comment.fileId && !comment.selection ? [button(`Show ${comment.file}`, { text: "Show file", kind: "quiet", press: () => showPassage({ ...comment, text: "" }) })] : [];
  return element("li", {
    children: [
      element("div", { attributes: { class: "head" }, children: head }),
      ...place,
      element("p", { text: comment.text }),
      element("div", { attributes: { class: "acts" }, children: [...jump, button(`Reply to ${comment.mine ? "your comment" : comment.author}`, { text: "Reply", kind: "quiet", press: () => owner.reply(comment) })] }),
      replies.length ? element("ul", { children: replies.map(([reply, more]) => thread(reply, more, owner)) }) : null
    ]
  });
}
function threads(comments) {
  const known = new Set(comments.map((comment) => comment.id));
  const under = /* @__PURE__ */ new Map();
  for (const comment of comments) {
    const parent = known.has(comment.repliesTo) ? comment.repliesTo : null;
    if (!under.has(parent)) under.set(parent, []);
    under.get(parent).push(comment);
  }
  const grown = (parent) => (under.get(parent) || []).map((comment) => [comment, grown(comment.id)]);
  return grown(null);
}

// comparator/ui/components/panes/notes/notes.js
var notesIn = /* @__PURE__ */ new WeakMap();
var AGAIN = 4e3;
var Notes = class {
  constructor(root) {
    this.root = root;
    this.place = null;
    this.generation = 0;
    this.state = null;
    this.draft = null;
    this.open = false;
    this.fold = button("Comments and your evidence", { text: "Notes", kind: "fold", press: () => {
      this.open = !this.open;
      this.draw();
    } });
    this.write = button("Comment on the whole comparison", { text: "Comment", press: () => this.compose({ passage: null }) });
    this.says = element("span", { attributes: { class: "says", role: "status" } });
    this.bar = element("div", { attributes: { class: "line" }, children: [this.fold, this.write, this.says] });
    this.form = this.composer();
    this.pieces = element("ul", { attributes: { class: "pieces", "aria-label": "Your evidence" } });
    this.list = element("ul", { attributes: { class: "threads", "aria-label": "Comments" } });
    this.body = element("div", { attributes: { class: "body" }, children: [this.form, this.pieces, this.list] });
    this.node = element("section", { attributes: { class: "notes", "aria-label": "Notes" }, children: [this.bar, this.body] });
    root.append(this.node);
    this.onNote = (event) => this.take(event.detail || {});
    this.onWanted = (event) => {
      if (event.detail?.place === this.place) this.tell();
    };
    this.onWithdraw = (event) => this.take({ place: this.place, do: "withdraw", evidence: event.detail?.id });
    window.addEventListener("comparator:note", this.onNote);
    window.addEventListener("comparator:notes-wanted", this.onWanted);
    window.addEventListener("comparator:withdraw-evidence", this.onWithdraw);
    this.ticking = setInterval(() => this.again(), AGAIN);
  }
  destroy() {
    clearInterval(this.ticking);
    window.removeEventListener("comparator:note", this.onNote);
    window.removeEventListener("comparator:notes-wanted", this.onWanted);
    window.removeEventListener("comparator:withdraw-evidence", this.onWithdraw);
    this.node.remove();
  }
  composer() {
    this.about = element("div", { attributes: { class: "about" } });
    this.text = element("textarea", {
      attributes: { rows: "2", maxlength: "8000", "aria-label": "Comment", placeholder: "Write a comment" },
      on: { keydown: (event) => this.key(event), input: () => this.keep() }
    });
    return element("form", {
      attributes: { hidden: true },
      on: { submit: (event) => {
        event.preventDefault();
        this.send();
      } },
      children: [this.about, this.text, element("div", { attributes: { class: "acts" }, children: [
        element("button", { attributes: { type: "submit", class: "main" }, text: "Add comment" }),
        button("Do not comment", { text: "Cancel", press: () => this.cancel() })
      ] })]
    });
  }
  // --- from and to the server ----------------------------------------------------------------------------------------
  update(api) {
    const { data } = api;
    this.api = api;
    if (data.place !== this.place) {
      this.place = data.place;
      this.outbox = new NotesOutbox(`${data.place}.${data.owner}`);
      this.asked = null;
      this.draft = this.kept();
      this.open = false;
    }
    this.state = data;
    this.unheard = 0;
    this.outbox.drop(new Set(data.handled));
    if (this.outbox.items.some((item) => !item.sent)) this.flush();
    this.draw();
    this.tell();
  }
  tell() {
    if (!this.state) return;
    const waiting = this.outbox.items.filter((item) => item.do === "look");
    const looked = new Set(this.state.looked);
    for (const { files, on } of waiting) for (const id of files) if (on) looked.add(id);
    else looked.delete(id);
    const detail = { place: this.place, looked: [...looked], evidence: this.state.evidence, closed: this.state.closed, found: this.state.found, ahead: this.state.ahead };
    window.dispatchEvent(new CustomEvent("comparator:notes", { detail }));
  }
  take(act) {
    if (act.place !== this.place || !this.outbox) return;
    const { place, ...rest } = act;
    if (act.do === "write-comment") {
      this.compose({ passage: act.passage });
    } else if (act.do === "search") {
      this.asked = { id: noteId(), text: act.text };
      this.sentAt = Date.now();
      this.api.setStateValue("query", { place: this.place, ...this.asked });
    } else {
      this.outbox.put(rest);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.flush(), act.do === "look" ? 600 : 0);
      this.draw();
    }
  }
  flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (!this.outbox.items.length) return;
    this.sentAt = Date.now();
    this.api.setStateValue("outbox", { place: this.place, items: this.outbox.outgoing() });
  }
  // What the server has not acknowledged is sent once more; it is stored once all the same.
  again() {
    if (!this.outbox?.items.length || Date.now() - this.sentAt < AGAIN || !this.root.isConnected) return;
    this.api.setStateValue("outbox", { place: this.place, items: this.outbox.outgoing(), again: Date.now() });
    this.sentAt = Date.now();
    this.unheard += 1;
    if (this.unheard > 1) window.dispatchEvent(new CustomEvent("comparator:unheard"));
    this.draw();
  }
  // --- writing -------------------------------------------------------------------------------------------------------
  get draftName() {
    return `comparator.notes.draft.${this.place}`;
  }
  kept() {
    try {
      return JSON.parse(sessionStorage.getItem(this.draftName) || "null");
    } catch {
      return null;
    }
  }
  keep() {
    if (this.draft) this.draft.written = this.text.value;
    try {
      if (this.draft) sessionStorage.setItem(this.draftName, JSON.stringify(this.draft));
      else sessionStorage.removeItem(this.draftName);
    } catch {
    }
  }
  compose({ passage = null, reply = null }) {
    const written = this.draft?.written || "";
    this.draft = { passage, reply, written };
    this.open = true;
    this.keep();
    this.draw();
    this.text.focus({ preventScroll: true });
    this.form.scrollIntoView({ block: "nearest" });
  }
  cancel() {
    this.draft = null;
    this.text.value = "";
    this.keep();
    this.draw();
  }
  key(event) {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Escape") this.cancel();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.send();
    }
  }
  send() {
    const text = this.text.value.trim();
    if (!text || !this.draft) return;
    const { passage, reply } = this.draft;
    this.draft = null;
    this.text.value = "";
    this.keep();
    this.take({ place: this.place, do: "comment", text, passage, repliesTo: reply?.id || null });
  }
  // --- drawing -------------------------------------------------------------------------------------------------------
  draw() {
    const { comments, evidence, refused } = this.state;
    const parts = [];
    if (comments.length) parts.push(`${comments.length} comment${comments.length === 1 ? "" : "s"}`);
    if (evidence.length) parts.push(`${evidence.length} piece${evidence.length === 1 ? "" : "s"} of evidence`);
    const empty = !parts.length && !this.draft;
    this.fold.hidden = empty;
    this.fold.lastChild.textContent = `${this.open ? "▾" : "▸"} ${parts.join(", ") || "Notes"}`;
    this.fold.setAttribute("aria-label", parts.join(", ") || "Notes");
    this.fold.setAttribute("aria-expanded", String(this.open));
    const waiting = this.outbox.items.filter((item) => item.do !== "look").length;
    const last = refused.at(-1);
    this.says.classList.toggle("bad", Boolean(last));
    this.says.textContent = last ? `Not stored: ${last}` : waiting ? this.unheard > 0 ? "Not saved yet, will be sent again" : "Saving…" : empty ? "Select words in an output to attach them as evidence or to comment on them." : "";
    this.body.hidden = !(this.open || this.draft);
    this.form.hidden = !this.draft;
    if (this.draft) this.drawDraft();
    const owner = { reply: (comment) => this.compose({ reply: comment }) };
    this.list.replaceChildren(...threads(comments).map(([comment, replies]) => thread(comment, replies, owner)));
    this.pieces.replaceChildren(...evidence.map((piece) => this.piece(piece)));
  }
  drawDraft() {
    const { passage, reply, written } = this.draft;
    const about = [];
    if (reply) about.push(element("span", { text: `In reply to ${reply.mine ? "yourself" : reply.author}: “${middle(reply.text, 100)}”` }));
    else if (passage) {
      about.push(...whereIs({ label: passage.label, file: passage.file || "" }));
      if (passage.text) about.push(element("q", { text: middle(passage.text.replace(/\s+/g, " "), 160) }));
    } else about.push(element("span", { text: "On the whole comparison" }));
    this.about.replaceChildren(...about);
    if (this.text.value !== written && this.root.getRootNode().activeElement !== this.text && this.text.getRootNode().activeElement !== this.text) this.text.value = written;
  }
  piece(piece) {
    const acts = this.state.closed ? [] : [button(`Withdraw this evidence: ${middle(piece.text, 60)}`, { text: "Withdraw", kind: "quiet", press: () => this.take({ place: this.place, do: "withdraw", evidence: piece.id }) })];
    return element("li", {
      children: [
        element("div", { attributes: { class: "head" }, children: [element("b", { text: "Evidence" }), element("span", { text: `for ${piece.name}` }), ...whereIs(piece)] }),
        passageLink(piece),
        ...acts
      ]
    });
  }
};
function notes_default(component) {
  const root = component.parentElement;
  let notes = notesIn.get(root);
  if (!notes) {
    notes = new Notes(root);
    notesIn.set(root, notes);
  }
  notes.generation += 1;
  const generation = notes.generation;
  notes.update(component);
  return () => {
    if (notes.generation !== generation) return;
    notesIn.delete(root);
    notes.destroy();
  };
}
export {
  notes_default as default
};
