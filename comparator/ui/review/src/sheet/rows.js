// Rows and focus: where the keys go, and how to move there.

import { innermost } from "../dom.js";
import { keep } from "../kept.js";
import { LABELS, PREFERENCES, shown } from "../words.js";
import { Values } from "./values.js";

const near = { block: "nearest" };
const still = { preventScroll: true };

export class Rows extends Values {
	rows() {
		return this.lines.map(({ row }) => row);
	}

	isAnswered(row, of = "some") {
		return LABELS[of]((label) => this.own(this.addressOf(row, label)).touch !== "untouched");
	}

	firstOpenRow() {
		const rows = this.rows();
		return rows.find((row) => !this.isAnswered(row, "every")) ?? rows[0] ?? null;
	}

	currentRow() {
		return this.lineOf(this.ui.row)?.row ?? this.rows()[0] ?? "";
	}

	lineOf(row) {
		return this.lines.find((line) => line.row === row);
	}

	toggleSheet(shown = !this.shown) {
		if (shown === this.shown) return true;
		this.ui.shown = shown;
		keep(this.panelName, shown);
		this.render();
		return true;
	}

	enter(row) {
		if (this.ui.row === row) return;
		this.ui.row = row;
		this.render();
	}

	stepOf(address) {
		return this.find(`[data-address="${CSS.escape(address)}"][tabindex="0"]`);
	}

	focusRow(row, label) {
		this.enter(row);
		this.toggleSheet(true);
		this.stepOf(this.addressOf(row, label))?.focus(still);
		return this.showRow(row);
	}

	// After a key has changed a row: it is in sight, and the focus is on its value.
	showRow(row, done = true) {
		this.toggleSheet(true);
		const line = this.find(`[data-row="${CSS.escape(row)}"]`);
		const at = this.focused();
		if (at?.getAttribute("role") === "radio") this.stepOf(at.dataset.address)?.focus(still);
		if (line?.nextElementSibling?.matches(".because")) line.nextElementSibling.scrollIntoView(near);
		line?.scrollIntoView(near);
		return done;
	}

	showAddress(address) {
		const row = this.rowOf(address);
		if (row) return this.focusRow(row, address.split(":")[1] ?? "A");
		this.stepOf(this.better)?.focus();
		return true;
	}

	moveRow(by, at) {
		const rows = this.rows();
		if (rows.length === 0) return false;
		const label = /^(?:score|expectation):B/.test(at?.dataset.address ?? "") ? "B" : "A";
		const row = this.currentRow();
		// The first j only takes hold of a row; one that was answered already is left by it.
		const fresh = at === null && this.focused() === null && !this.isAnswered(row);
		const index = rows.indexOf(row) + (fresh && by > 0 ? 0 : by);
		return this.focusRow(rows[Math.min(rows.length - 1, Math.max(0, index))], label);
	}

	moveStep(by, at) {
		const steps = [...at.closest("td, .winner").querySelectorAll("[role=radio]")];
		steps[steps.indexOf(at) + by]?.focus();
		return true;
	}

	score(label, score) {
		const row = this.currentRow();
		if (this.sheet.preference && !this.shown && label === "A")
			return this.answerBetter(PREFERENCES[score - 1][0]);
		if (!this.shown)
			return this.goDeaf("The scores are hidden, so this key changes none. Show them (p) first.");
		if (!row || row.startsWith("expectation.")) return false;
		this.choose(this.addressOf(row, label), score);
		return this.showRow(row);
	}

	toggleCheck(row, label) {
		const address = this.addressOf(row, label);
		this.choose(address, !this.own(address).shown);
		return this.showRow(row);
	}

	nameOf(address) {
		const [part, label] = address.split(":");
		const row = this.rowOf(address);
		const other = part === "preference" ? "Which output is better" : part[0].toUpperCase() + part.slice(1);
		return (row ? shown(this.lineOf(row)?.title ?? row) : other) + (label ? `, ${label}` : "");
	}

	rowOf(address) {
		const [part, , key] = address.split(":");
		return { score: key, expectation: `expectation.${key}` }[part] ?? null;
	}

	confirmRow(row) {
		if (!row || !this.shown) return false;
		this.confirm(LABELS.map((label) => this.addressOf(row, label)));
		const rows = this.rows();
		const next = rows[rows.indexOf(row) + 1];
		return next ? this.focusRow(next, "A") : this.showRow(row);
	}

	lacks(address) {
		const { reason, code } = this.own(address);
		return this.sheet.reasons === "required" && this.wantsReason(address) && !reason.trim() && !code;
	}

	get better() {
		return this.sheet.preference ? "preference" : "winner";
	}

	// The reason of a value, or the list of its kinds: of the side asked for, else of the other, else of the winner.
	focusReason(side, part = "textarea") {
		const row = this.currentRow();
		const sides = [side, side === "A" ? "B" : "A"];
		const addresses = this.shown && row ? sides.map((label) => this.addressOf(row, label)) : [this.better];
		const address = addresses.find((each) => this.wantsReason(each));
		const field = address && this.find(`[data-because="${CSS.escape(address)}"] ${part}`);
		field?.focus();
		if (field) return true;
		if (address) return this.goDeaf("There are no kinds of reasons here. Write one (e).");
		if (this.sheet.reasons === "off") return this.goDeaf("This project does not ask for reasons.");
		return this.goDeaf("A reason goes with a changed value or “cannot judge”; this row has neither.");
	}

	focusReasoning() {
		this.toggleSheet(true);
		return this.focusField("[data-reasoning]");
	}

	// Which output is better, in one key; what is typed next says why.
	answerBetter(answer) {
		const before = this.own(this.better).shown;
		this.chooseBetter(this.better, this.sheet.preference && answer === "TIE" ? "SAME" : answer);
		return this.focusField(`[data-reason="${this.better}"]`, before !== answer);
	}

	// Words without a field would run as keys. Those written for another answer are selected, to be typed over.
	focusField(selector, anew = false) {
		const field = this.find(selector);
		if (!field) return this.goDeaf(this.note);
		field.focus(still);
		if (anew) field.select();
		field.scrollIntoView(near);
		return true;
	}

	// The keys go back to the row that one came from, or to the page.
	leaveField(field, label = "A") {
		this.flush();
		if (this.shown && field.closest(".sheet") && this.currentRow()) this.focusRow(this.currentRow(), label);
		else field.blur();
	}

	// What 1, 3 and 5 mean for the chosen row, and for those that are chosen next.
	toggleAnchors() {
		this.toggleSheet(true);
		const anchors = this.find(".anchors");
		if (anchors) anchors.open = !anchors.open;
		return true;
	}

	// Put a question into the bar, or take it away. Its keys go before all others.
	askInBar(question) {
		if (this.leaving) return true;
		const { question: before } = this.ui;
		const again = before?.kind === question.kind && before.name === question.name && before.kind !== "guess";
		if (!before) this.askedFrom = innermost();
		this.ui.question = again ? null : question;
		this.note = "";
		this.render();
		return this.focusQuestion();
	}

	focusQuestion() {
		this.find(".asking textarea, .asking input, .asking button")?.focus();
		return true;
	}

	closeQuestion() {
		this.ui.question = null;
		this.render();
		const from = /** @type {HTMLElement | null} */ (this.askedFrom);
		// Who was reading an output goes on reading there.
		if (from?.isConnected && from !== document.body) from.focus(still);
		return true;
	}
}
