// @ts-check
// The notes under the panes: comments and one's own evidence; and the one way on which the panes speak with the server.

import { button, element, middle } from "../js/dom.js";
import { NotesOutbox, noteId } from "./outbox.js";
import { passageLink, thread, threads, whereIs } from "./thread.js";

const notesIn = new WeakMap();
const AGAIN = 4000;

class Notes {
  constructor(root) {
    this.root = root;
    this.place = null;
    this.generation = 0;
    this.state = null;
    this.draft = null;
    this.open = false;
    this.fold = button("Comments and your evidence", { text: "Notes", kind: "fold", press: () => { this.open = !this.open; this.draw(); } });
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
    this.onWanted = (event) => { if (event.detail?.place === this.place) this.tell(); };
    this.onWithdraw = (event) => this.take({ place: this.place, do: "withdraw", text: event.detail?.id });
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
      on: { keydown: (event) => this.key(event), input: () => this.keep() },
    });
    return element("form", {
      attributes: { hidden: true },
      on: { submit: (event) => { event.preventDefault(); this.send(); } },
      children: [this.about, this.text, element("div", { attributes: { class: "acts" }, children: [
        element("button", { attributes: { type: "submit", class: "main" }, text: "Add comment" }),
        button("Do not comment", { text: "Cancel", press: () => this.cancel() }),
      ] })],
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
    for (const { files, on } of waiting) for (const id of files) if (on) looked.add(id); else looked.delete(id);
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
      // Ticks may wait a little, so that a run through many files is one message.
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
    // A server that was started anew does not know this page; the sheet finds that out and reloads it.
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
      // Kept until the page is left.
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
    this.says.textContent = last ? `Not stored: ${last}` : waiting ? (this.unheard > 0 ? "Not saved yet, will be sent again" : "Saving…")
      : empty ? "Select words in an output to attach them as evidence or to comment on them." : "";
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
    const acts = this.state.closed ? [] : [button(`Withdraw this evidence: ${middle(piece.text, 60)}`, { text: "Withdraw", kind: "quiet", press: () => this.take({ place: this.place, do: "withdraw", text: piece.id }) })];
    return element("li", {
      children: [
        element("div", { attributes: { class: "head" }, children: [element("b", { text: "Evidence" }), element("span", { text: `for ${piece.name}` }), ...whereIs(piece)] }),
        passageLink(piece), ...acts,
      ],
    });
  }
}

export default function (component) {
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
