// @ts-check
// Rows and focus: where the keys go, and how to move there.

import { PREFERENCES } from "../preference.js";
import { Sending } from "../sending/sending.js";
import { LABELS, shown } from "../words.js";

export class Rows extends Sending {
  rows() {
    const table = [...this.criteria.map((line) => line.path), ...this.expectations.map((line) => `expectation.${line.index}`)];
    if (!this.sheet.preference) return table;
    return this.ui.folded ? ["preference"] : ["preference", ...table];
  }

  // With a preference first, the criteria are folded away and optional.
  get showsCriteria() {
    return !this.sheet.preference || !this.ui.folded;
  }

  toggleCriteria() {
    if (!this.sheet.preference) return false;
    this.ui.folded = !this.ui.folded;
    this.render();
    return true;
  }

  addressOf(row, label) {
    if (row === "preference") return row;
    return row.startsWith("expectation.") ? `expectation:${label}:${row.slice("expectation.".length)}` : `score:${label}:${row}`;
  }

  firstOpenRow() {
    const rows = this.rows();
    return rows.find((row) => LABELS.some((label) => this.own(this.addressOf(row, label)).touch === "untouched")) ?? rows[0] ?? null;
  }

  answered(row) {
    return LABELS.some((label) => this.own(this.addressOf(row, label)).touch !== "untouched");
  }

  currentRow() {
    const rows = this.rows();
    return rows.includes(this.ui.row) ? this.ui.row : rows[0] ?? "";
  }

  // The row that the keys go to is repeated in the bar while it is out of sight, such as when reading the outputs, or
  // when it lies under the head or the rationale.
  watchRow() {
    const element = this.find(`[data-row="${CSS.escape(this.currentRow())}"]`);
    const { above, below } = this.covered;
    const margin = `-${above}px 0px -${below}px 0px`;
    if (element === this.watched && margin === this.watchedMargin) return;
    this.watched = element;
    this.watchedMargin = margin;
    this.sight?.disconnect();
    if (!element) return;
    const see = (entries) => {
      const seen = entries.at(-1).isIntersecting;
      if (seen === this.rowSeen || element !== this.watched) return;
      this.rowSeen = seen;
      this.render();
    };
    this.sight = new IntersectionObserver(see, { root: element.closest(".sheet"), rootMargin: margin, threshold: 0.5 });
    this.sight.observe(element);
  }

  // Go to a row: with the focus if it is in the sheet or the row in sight, else only the keys go there.
  goTo(row, label) {
    if (this.rowSeen || this.focused() !== null) this.focusRow(row, label);
    else this.enter(row);
  }

  // A row is entered when it is let go: what moved under the pointer before that would take the click.
  pointerDown() {
    this.pressing = true;
    this.byKeys = false;
    const release = () => {
      this.pressing = false;
      for (const name of ["pointerup", "pointercancel"]) window.removeEventListener(name, release, true);
    };
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, release, true);
  }

  enter(row) {
    if (this.ui.row === row) return;
    this.ui.row = row;
    this.render();
  }

  focused() {
    const { activeElement } = /** @type {Document | ShadowRoot} */ (this.root.getRootNode());
    return /** @type {HTMLElement | null} */ (activeElement ?? null);
  }

  focusRow(row, label) {
    this.enter(row);
    if (!this.ui.shown) this.toggleSheet();
    const address = CSS.escape(this.addressOf(row, label));
    const step = this.find(`[data-address="${address}"][tabindex="0"]`);
    const line = this.find(`[data-row="${CSS.escape(row)}"]`);
    step?.focus({ preventScroll: true });
    this.bringIn(line);
  }

  // The row with its reasons and rationale, as far as the sheet has room: its own lines come first.
  bringIn(line) {
    if (!line) return;
    for (let next = line.nextElementSibling; next?.matches(".because, .unfolded"); next = next.nextElementSibling) next.scrollIntoView({ block: "nearest" });
    line.scrollIntoView({ block: "nearest" });
  }

  // After a key has changed a row: it is wholly in sight, and the focus stands on the box of its value.
  showRow(row, done = true) {
    const at = this.focused();
    const address = at?.getAttribute("role") === "radio" ? at.dataset.address : null;
    if (address) this.find(`[data-row="${CSS.escape(row)}"] [data-address="${CSS.escape(address)}"][tabindex="0"]`)?.focus({ preventScroll: true });
    this.bringIn(this.find(`[data-row="${CSS.escape(row)}"]`));
    return done;
  }

  moveRow(by, at) {
    const rows = this.rows();
    if (rows.length === 0) return false;
    const label = /^(?:score|expectation):B/.test(at?.dataset.address ?? "") ? "B" : "A";
    const row = this.currentRow();
    // The first j only takes hold of a row in sight; one that was answered already is left by it.
    const fresh = at === null && this.focused() === null && this.rowSeen && !this.answered(row);
    const index = rows.indexOf(row) + (fresh && by > 0 ? 0 : by);
    this.goTo(rows[Math.min(rows.length - 1, Math.max(0, index))], label);
    return true;
  }

  moveStep(by, at) {
    const row = at.closest("[data-row], .strip");
    const steps = [...row.querySelectorAll("[role=radio]")];
    steps[steps.indexOf(at) + by]?.focus();
    return true;
  }

  scoreRow(row, label, score) {
    if (!row) return false;
    if (row.startsWith("expectation.")) return false;
    if (row === "preference") return this.answerPreference(PREFERENCES[score - 1][0]);
    this.choose(this.addressOf(row, label), score);
    return this.showRow(row);
  }

  toggleCheck(row, label) {
    const address = this.addressOf(row, label);
    this.choose(address, !this.own(address).shown);
    return this.showRow(row);
  }

  lineOf(row) {
    return this.criteria.find((line) => line.path === row) ?? this.expectations.find((line) => `expectation.${line.index}` === row);
  }

  // A value's name for a person, such as "Accuracy, A".
  nameOf(address) {
    const [part, label, ...rest] = address.split(":");
    const side = label ? `, ${label}` : "";
    if (part === "score") return `${shown(this.criteria.find((line) => line.path === rest.join(":"))?.name ?? rest.join(":"))}${side}`;
    if (part === "expectation") return `Expectation ${Number(rest[0]) + 1}${side}`;
    if (part === "preference") return "Which output is better";
    return part[0].toUpperCase() + part.slice(1) + side;
  }

  // The row of a value in the table; null for the words and the winner below it.
  rowOf(address) {
    if (address === "preference") return address;
    const [part, , key] = address.split(":");
    if (part === "score") return key;
    return part === "expectation" ? `expectation.${key}` : null;
  }

  confirmRow(row) {
    if (!row) return false;
    this.confirm(LABELS.map((label) => this.addressOf(row, label)));
    const rows = this.rows();
    const next = rows[rows.indexOf(row) + 1];
    if (next) this.goTo(next, "A");
    else this.showRow(row);
    return true;
  }

  // The value of a row that a reason explains: of the side asked for, else of the other.
  explained(row, side) {
    const addresses = row === "preference" ? [row] : [side, side === "A" ? "B" : "A"].map((label) => this.addressOf(row, label));
    return addresses.find((address) => this.wantsReason(address));
  }

  focusReason(row, side) {
    const address = this.explained(row, side);
    const field = address && this.find(`[data-reason="${CSS.escape(address)}"]`);
    if (!field) return this.goDeaf(`${this.noReason(address)} Keys are ignored for a moment.`);
    field.focus();
    return true;
  }

  noReason(address) {
    if (this.sheet.reasons === "off" && !address) return "This project does not ask for reasons.";
    return "A reason goes with a changed value or “cannot judge”; this row has neither.";
  }

  focusReasoning() {
    if (!this.showsCriteria) this.toggleCriteria();
    return this.focusField("[data-reasoning]");
  }

  // Which output is better, in one key; what is typed next says why.
  answerBetter(winner) {
    if (this.sheet.preference) return this.answerPreference(winner === "TIE" ? "SAME" : winner);
    const before = this.own("winner").shown;
    this.chooseWinner(winner);
    return this.focusField('[data-reason="winner"]', before !== winner);
  }

  answerPreference(answer) {
    const before = this.own("preference").shown;
    this.choosePreference(answer);
    return this.focusField('[data-reason="preference"]', before !== answer);
  }

  // Words must have their field: without one they would run as keys. Those that were written for another answer are
  // selected, so that what is typed takes their place.
  focusField(selector, anew = false) {
    if (!this.ui.shown) this.toggleSheet();
    const field = this.find(selector);
    if (!field) return this.goDeaf(this.note);
    field.focus({ preventScroll: true });
    if (anew) field.select();
    field.scrollIntoView({ block: "center" });
    return true;
  }

  askCode(row, side) {
    const address = this.explained(row, side);
    if (address && this.sheet.reason_codes.length > 0) return this.ask({ kind: "code", address });
    // The digit that follows was meant for a kind, and is no score.
    return this.goDeaf(address ? "This project has no kinds of reasons. Write one (e)." : this.noReason(address));
  }
}
