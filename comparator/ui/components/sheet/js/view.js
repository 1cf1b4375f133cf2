// @ts-check
// One sheet on the page: it takes what the server says, keeps what is unfolded, and draws.

import { given } from "./bar/question.js";
import { banners, bar, history, savedWords } from "./bar/bar.js";
import { h, innermost, patchChildren } from "./dom.js";
import { learnFlags, tellFindings } from "./findings.js";
import { cheatSheet, isTyping } from "./keys.js";
import { placeSheet, rememberShown } from "./place.js";
import { preference } from "./preference.js";
import { prose } from "./prose.js";
import { Rows } from "./table/rows.js";
import { ENDINGS, NOT_OPEN_YET, STILL_TYPING } from "./sending/sending.js";
import { chosenRow, expectationTable, scoreTable } from "./table/table.js";
import { learnProbability, learnRules, learnWords, ownText, reasonText, sameOwn, valueWords } from "./words.js";

export class View extends Rows {
  moveTo(root) {
    this.here = true;
    this.watched = null;
    this.root = root;
    this.tree = [];
  }

  // Where what covers the rows has grown or moved, whoever works with keys keeps the current row in sight.
  follow() {
    const before = JSON.stringify(this.covered);
    this.covered = placeSheet(this.root, this.ui.shown) ?? this.covered;
    const at = this.focused();
    if (before === JSON.stringify(this.covered) || !this.byKeys || at?.getAttribute("role") !== "radio") return;
    const row = this.find(`[data-row="${CSS.escape(this.currentRow())}"]`);
    if (row?.contains(at)) this.bringIn(row);
  }

  toggleSheet() {
    this.ui.shown = !this.ui.shown;
    rememberShown(this.ui.shown);
    this.render();
    return true;
  }

  // --- what the server says ------------------------------------------------------------------------------------

  // A sheet comes with the page, and in answer to changes. One that was read before the one at hand is old news: then
  // the server is asked once more, since it may still have known something newer of the judge.
  take(sheet, refusals) {
    const late = this.sheet && Date.parse(sheet.read_at) < Date.parse(this.sheet.read_at);
    if (!late) {
      this.sheet = sheet;
      this.index();
    }
    const refused = new Map(refusals.map(({ id, why }) => [id, why]));
    this.takeRefusals(refused);
    const stored = this.outbox.drop(new Set([...sheet.saved, ...refused.keys()]));
    if (stored) this.savedAt = Date.now();
    else this.savedAt ??= sheet.saved_at ? new Date(sheet.saved_at).getTime() : null;
    if (this.sheet.problems.length === 0) this.ui.pressed = false;
    if (late && sheet.read_at !== this.lateAt && !this.saving) {
      this.lateAt = sheet.read_at;
      this.save(this.outbox.outgoing());
    }
    return stored;
  }

  receive(api) {
    const { data } = api;
    this.api = api;
    learnRules(data.rules);
    learnFlags(data.flags);
    learnWords(data.words);
    learnProbability(data.probability);
    this.began = data.began;
    this.seen = data.seen;
    this.after = data.after;
    this.names = data.names;
    if (this.process !== data.process) this.foreign = false;
    this.process = data.process;
    const stored = this.take(data.sheet, []);
    const answered = data.handled.some((id) => !this.handled.has(id));
    if (stored || answered) this.heard();
    this.handled = new Set(data.handled);
    // A page that looks again by itself has nothing new to say and must not wipe away the answer to a command.
    if (answered || data.note) this.note = data.note || (this.note === NOT_OPEN_YET ? NOT_OPEN_YET : "");
    const asked = this.command && this.handled.has(this.command.id) ? this.command.name : null;
    if (asked) {
      this.command = null;
      if (asked === "undo" && !this.note) this.tellUndone();
      this.sendNext();
    }
    if (this.ui.question?.kind === "guess" && !this.sheet.guess) this.ui.question = null;
    this.ui.row ??= this.firstOpenRow();
    if (asked in ENDINGS && !this.sheet.finalised && !this.leaving) this.stay(asked);
    this.render();
    if (data.download) this.download(data.download);
  }

  // Undo may reach a value that is out of sight: it is named and its row is shown.
  tellUndone() {
    const before = this.beforeUndo ?? new Map();
    // The reasoning follows the winner of itself.
    const untouched = (own) => own.touch === "untouched";
    const address = [...before.keys()].find((each) => !sameOwn(before.get(each), this.own(each)) && !(untouched(before.get(each)) && untouched(this.own(each))));
    if (!address) return;
    const [was, is] = [before.get(address), this.own(address)];
    const [from, to] = ownText(was) === ownText(is) ? [reasonText(was), reasonText(is)] : [ownText(was), ownText(is)];
    this.note = `Undone: ${this.nameOf(address)}: ${from} → ${to}`;
    const row = this.rowOf(address);
    if (row) this.ui.row = row;
    if (row && this.sheet.preference && row !== "preference") this.ui.folded = false;
    this.render();
    const place = row ? `[data-row="${CSS.escape(row)}"]` : address === "reasoning" ? "[data-reasoning]" : `[data-line^="${CSS.escape(address)}/"], .winner`;
    this.find(place)?.scrollIntoView({ block: "center" });
  }

  // What came after the review was finalised is named once and given up; anything else is refused for its own reason.
  takeRefusals(refused) {
    const saved = new Set(this.sheet.saved);
    const items = this.outbox.items.filter((item) => refused.has(item.id) && !saved.has(item.id));
    if (!this.sheet.finalised || items.length === 0) {
      for (const item of items) this.refusals.set(item.id, refused.get(item.id));
      return;
    }
    const names = [...new Set(items.map((item) => item.target))].map((target) => this.nameOf(target) + valueWords(this.outbox.last(target)));
    this.refusals.set("late", `${names.join("; ")}. The review was already finalised, so this change was dropped. Reopen the review to make it.`);
  }

  // The server did not let go of the pair: the reviewer is put where that can be put right, and words that were typed on
  // in the meantime do not run as commands there.
  stay(asked) {
    this.deafUntil = Date.now() + STILL_TYPING;
    if (!asked.startsWith("finalise")) return;
    if (this.note === this.sheet.problems.join(" ")) this.note = "";
    if (this.sheet.problems.length > 0) this.stopAtObstacle();
  }

  // --- folding and dialogs -------------------------------------------------------------------------------------

  unfold(set, row) {
    if (!row) return false;
    if (!this.ui[set].delete(row)) this.ui[set].add(row);
    this.render();
    return true;
  }

  dismiss(id) {
    this.refusals.delete(id);
    this.render();
  }

  // Put a question into the bar. Its own keys go before all others until it is answered or left by Escape.
  ask(question) {
    if (this.leaving) return true;
    const again = this.ui.question?.kind === question.kind && this.ui.question.name === question.name && question.kind !== "guess";
    if (!this.ui.question) this.askedFrom = innermost();
    this.ui.question = again ? null : question;
    this.note = "";
    this.render();
    return this.focusQuestion();
  }

  // The question takes the keys: digits are its answers, and no words of a field that had the focus.
  focusQuestion() {
    this.find(".asking textarea, .asking input, .asking button")?.focus();
    return true;
  }

  closeQuestion() {
    this.ui.question = null;
    this.render();
    // Who was reading an output goes on reading there.
    if (this.askedFrom instanceof HTMLIFrameElement && this.askedFrom.isConnected) this.askedFrom.focus({ preventScroll: true });
    else if (this.rowSeen) this.focusRow(this.currentRow(), "A");
    return true;
  }

  showKeys() {
    this.dialog?.showModal();
    return true;
  }

  get dialog() {
    return this.find("dialog");
  }

  visible() {
    return this.root.isConnected && this.root.getClientRects().length > 0;
  }

  render() {
    // An answer may come after the page has gone on to another pair.
    if (!this.here) return;
    this.shownSaved = savedWords(this);
    this.rowSeen ??= true;
    const criteria = this.showsCriteria ? [scoreTable(this), expectationTable(this), prose(this)] : [];
    const after = [
      h("section", { class: "sheet", key: "sheet", id: "bc-scores", hidden: !this.ui.shown, "aria-label": "Scores", tabindex: "-1", "data-comparison": this.comparisonId }, banners(this), given(this), preference(this), criteria, history(this), chosenRow(this)),
      bar(this),
      cheatSheet(this),
    ];
    const field = this.focused();
    patchChildren(this.root, this.tree, after);
    this.tree = after;
    // Whoever types in a field that is gone goes on typing.
    if (isTyping(field) && !field?.isConnected) this.deafUntil = Date.now() + STILL_TYPING;
    this.follow();
    tellFindings(this);
    this.watchRow();
  }
}
