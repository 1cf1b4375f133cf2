// @ts-check
// What goes to the server and when: changes at once to an address of their own, commands one at a time by way of the
// page, all of it again where nobody answered.

import { OTHER_ANSWERS } from "../bar/question.js";
import { savedWords } from "../bar/bar.js";
import { innermost } from "../dom.js";
import { isTyping } from "../keys.js";
import { newId } from "./outbox.js";
import { Values } from "./values.js";

const CHANGES = "changes";
const TYPING_PAUSE = 700;
const PATIENCE = 3000;
const SAVING = 20000;
const GIVE_UP = 15000;
const TRIES = 2;
const RELOAD_AGAIN = 60000;
const DEAF = 1500;
export const STILL_TYPING = 800;
const SAME_BURST = 600;
const AWAY = "No connection to the server, so nothing was done. Your changes are kept here. Try again once it is back.";
const CLOSED = "This review is finalised. Reopen it to change a score.";
export const NOT_OPEN_YET = "The review was not open yet when you pressed that key. Press it again.";

// When a key was last swallowed because a pair was being left; it outlives the pair, as the burst of keys does.
const swallowed = { at: 0 };

// Commands that end the work on this pair: until the server has answered, nothing more is taken for it.
export const ENDINGS = {
  finalise: "Finalising",
  finalise_next: "Finalising and opening the next pair",
  skip: "Opening the next pair",
  cannot_judge: "Opening the next pair",
  outside_expertise: "Opening the next pair",
  next: "Opening the next pair",
};

export class Sending extends Values {
  flushSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), TYPING_PAUSE);
  }

  // One request at a time, so that changes arrive in the order in which they were made; what is made meanwhile goes next.
  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.outbox.items.length === 0 || this.saving) return;
    this.sentAt = Date.now();
    this.save(this.outbox.outgoing());
  }

  // The notes are not heard: the answer to a save tells whether the server was started anew.
  askWhoAnswers() {
    if (!this.saving) this.save(this.outbox.outgoing());
  }

  async save(changes) {
    this.saving = true;
    const reply = await post({ comparison: this.comparisonId, owner: this.owner, began: this.began, seen: this.seen, changes });
    this.saving = false;
    this.offline = reply === null;
    // Where nobody answered, whoever waits for a command is told at the next look.
    this.sentAt = this.offline ? 0 : Date.now();
    this.trouble = reply?.problem ?? "";
    if (reply?.sheet) {
      this.foreign = reply.process !== this.process;
      if (!this.foreign) this.heard();
      this.take(reply.sheet, reply.refused);
      if (reply.refused.length > 0 && this.queue[0]?.name.startsWith("finalise")) {
        this.queue = [];
        this.note = `Not finalised, since a value sent with it was not stored: ${reply.refused[0].why}`;
      }
      if (this.timer === null && this.outbox.unsent) this.flush();
      else this.sendNext();
    } else if (this.queue.length > 0) {
      this.giveUp(this.queue[0], this.offline ? AWAY : "");
    }
    this.render();
  }

  // What ends the work on this pair and is on its way; null if nothing is.
  get ending() {
    return [this.command, ...this.queue].map((command) => ENDINGS[command?.name]).find(Boolean) ?? null;
  }

  get leaving() {
    return this.ending !== null;
  }

  // A key led to no field: what is typed next was meant for one, and must not run as commands.
  goDeaf(why, time = DEAF) {
    this.note = why;
    this.deafUntil = Date.now() + time;
    this.render();
    return true;
  }

  // True for a key that is swallowed: while the pair is being left, in the rest of what was typed then, or in the
  // middle of words that have no field.
  ignores(key) {
    const types = [...key.key].length === 1 || ["Enter", "Delete", "Backspace"].includes(key.key);
    if (!types) return false;
    const burst = Date.now() - swallowed.at < SAME_BURST;
    if (this.leaving || burst) {
      swallowed.at = Date.now();
      if (!this.leaving) this.tellSwallowed();
      return true;
    }
    if (Date.now() > this.deafUntil) return false;
    this.deafUntil = Math.max(this.deafUntil, Date.now() + STILL_TYPING);
    return true;
  }

  tellSwallowed() {
    if (this.note) return;
    this.note = "Keys pressed while the pair was opening were ignored.";
    this.render();
  }

  // A key that would change a final review is answered in words; what is typed after it was meant as a reason.
  tellClosed() {
    return this.goDeaf(this.command?.name === "reopen" ? NOT_OPEN_YET : CLOSED);
  }

  // The page shows another comparison; what was asked for here is done.
  left() {
    this.here = false;
    this.command = null;
    this.queue = [];
    this.note = "";
  }

  // `guessed`: the question before finalising has been answered.
  press(name, text = "", { guessed = false } = {}) {
    if (this.leaving) return true;
    this.deafUntil = 0;
    if (this.sheet.finalised !== ["reopen", "export", "export_provenance", "write", "reveal", "next"].includes(name) && name !== "retry" && name !== "stop") return false;
    const finalises = name === "finalise" || name === "finalise_next";
    if (name === "open_judge" && this.lacking().length > 0) return this.showLacking();
    // The key means what the button beside the note does: all that one press has confirmed, not the last value of it.
    if (name === "undo" && this.note && this.offer?.note === this.note) return this.offer.act();
    if (name === "undo" && !this.sheet.undoable && this.outbox.items.length === 0) return false;
    if (finalises && this.outbox.items.length === 0 && this.sheet.problems.length > 0) return this.stopAtObstacle();
    if (finalises && this.sheet.guess && !guessed) return this.ask({ kind: "guess", then: name });
    if (this.command?.name === name && name !== "undo") return true;
    if (this.offline) return this.tellAway();
    this.queue.push({ name, id: newId(), text });
    this.ui.question = null;
    this.note = "";
    if (!this.command) this.sendNext();
    this.render();
    return true;
  }

  // Nothing is asked of a server that is away: it could be carried out later, when it is no longer meant.
  tellAway() {
    this.note = AWAY;
    this.sentAt = 0;
    this.render();
    return true;
  }

  // Puts the reviewer where an answer is still needed before the judge's values open.
  showLacking() {
    const [first] = this.lacking();
    const rest = first === "preference" ? "" : `, or score every criterion of A and B (“cannot judge”, n, is a score): ${this.lacking().length} to go`;
    this.note = `Before the judge's scores open, say which output is better${rest}.`;
    this.render();
    this.focusRow(this.rowOf(first), first.split(":")[1] ?? "A");
    return true;
  }

  stopAtObstacle() {
    this.ui.question = null;
    this.ui.pressed = true;
    this.render();
    this.showObstacle();
    return true;
  }

  // Puts the reviewer where the first thing in the way of finalising can be put right.
  showObstacle() {
    const missing = this.needed();
    if (missing) {
      if (missing !== "preference") this.ui.folded = false;
      this.focusRow(this.rowOf(missing), missing.split(":")[1] ?? "A");
      return;
    }
    const field = this.find(".reason.missing textarea") ?? this.find(".winner [role=radio]");
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "center" });
  }

  // One command at a time: the next goes out when the server has answered the one before and stored what was changed
  // before it. It says how many changes the reviewer had in view.
  sendNext() {
    const [next] = this.queue;
    if (!next || this.command) return;
    next.seen ??= this.sheet.saved.length + this.outbox.items.length;
    if (this.outbox.items.length > 0) {
      this.flush();
      return;
    }
    this.queue.shift();
    this.command = next;
    this.commandAt = Date.now();
    if (next.name === "undo") this.beforeUndo = this.snapshot();
    this.tellCommand();
  }

  // Told again under the same id, a command is carried out once.
  tellCommand() {
    this.sentAt = Date.now();
    this.api.setTriggerValue("command", { ...this.command, comparison: this.comparisonId });
  }

  // A server that was started anew stores changes, but does not know this page and hears no command until a reload.
  get restarted() {
    return this.foreign || (this.unheard !== null && this.unheard > TRIES);
  }

  // Reload once by ourselves, unless somebody is typing, be it a comment or a search: the rest of it would run as keys
  // afterwards. What is on its way is in localStorage and is sent then.
  reload() {
    if (isTyping(innermost())) return;
    const name = `comparator:reloaded:${this.comparisonId}`;
    try {
      if (Date.now() - Number(sessionStorage.getItem(name)) < RELOAD_AGAIN) return;
      sessionStorage.setItem(name, String(Date.now()));
    } catch {
      return;
    }
    location.reload();
  }

  // Called every second: keeps "saved 5 s ago" true, and notices a server that does not answer.
  async watch() {
    if (this.watching) return;
    this.watching = true;
    try {
      const waiting = this.outbox.items.length > 0 && this.timer === null && !this.saving;
      if ((waiting || this.command || this.offline) && Date.now() - this.sentAt > PATIENCE) await this.resend(waiting);
      if (this.foreign) this.reload();
    } finally {
      this.watching = false;
    }
    if (this.shownSaved !== savedWords(this)) this.render();
  }

  heard() {
    this.offline = false;
    this.unheard = null;
  }

  async resend(waiting) {
    const alive = await isAlive();
    this.offline = !alive;
    if (!alive) this.unheard = 0;
    else if (this.unheard !== null) this.unheard += 1;
    if (this.restarted) this.reload();
    if (this.command && (!alive || Date.now() - this.commandAt > GIVE_UP)) {
      this.giveUp(this.command, alive ? "The server has not answered. Try again if nothing has happened." : AWAY);
      this.render();
    }
    this.sentAt = Date.now();
    if (!alive) return;
    // Nothing was taken since, so that it still means the same.
    if (this.command?.name in ENDINGS) this.tellCommand();
    else if (waiting) this.flush();
  }

  // A command was not carried out; words that came with it are not lost.
  giveUp({ name, text }, why) {
    this.note = why;
    if (text && name in OTHER_ANSWERS) this.ui.question = { kind: "say", name, text };
    this.command = null;
    this.queue = [];
  }

  download({ id, name, text, media_type: type }) {
    if (this.downloaded === id) return;
    this.downloaded = id;
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }
}

// What the server answers to these changes: the sheet as it stands now, or a problem; null where nobody answered.
async function post(body) {
  try {
    const answer = await fetch(new URL(CHANGES, document.baseURI), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
      signal: AbortSignal.timeout(SAVING),
    });
    return await answer.json();
  } catch {
    return null;
  }
}

async function isAlive() {
  try {
    const answer = await fetch(new URL("_stcore/health", document.baseURI), { cache: "no-store", signal: AbortSignal.timeout(2500) });
    return answer.ok;
  } catch {
    return false;
  }
}
