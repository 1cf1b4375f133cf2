// Rows and focus: where the keys go, and how to move there.

import { innermost } from "../dom.js";
import { keep } from "../kept.js";
import { LABELS, PREFERENCES, shown } from "../words.js";
import { Values } from "./values.js";

export const near = { block: "nearest" };
export const still = { preventScroll: true };

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
		if (shown === this.shown) return;
		this.ui.shown = shown;
		keep(this.panelName, shown);
		this.render();
	}

	enter(row) {
		if (this.ui.row === row) return;
		this.ui.row = row;
		this.render();
	}

	stepOf(address) {
		return this.find(`[data-address="${address}"][tabindex="0"]`);
	}

	focusRow(row, label) {
		this.enter(row);
		this.toggleSheet(true);
		this.stepOf(this.addressOf(row, label))?.focus(still);
		return this.showRow(row);
	}

	showRow(row, done = true) {
		this.toggleSheet(true);
		const line = this.find(`[data-row="${row}"]`);
		const at = this.focused();
		if (at?.getAttribute("role") === "radio") this.stepOf(at.dataset.address)?.focus(still);
		this.find(`[data-row="${row}"] + .because`)?.scrollIntoView(near);
		line?.scrollIntoView(near);
		return done;
	}

	showAddress(address) {
		const row = this.rowOf(address);
		if (row) return this.focusRow(row, address.split(":")[1] ?? "A");
		return this.stepOf(this.better)?.focus();
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
	}

	// With five answers, 1 to 5 give one, except in the table.
	score({ label, score }, at) {
		const row = this.currentRow();
		if (this.sheet.preference && label === "A" && !(this.shown && at?.closest("table")))
			return this.answerBetter(PREFERENCES[score - 1][0]);
		if (!this.shown) return this.goDeaf("The scores are hidden. Show them (p) first.");
		if (!row || row.startsWith("expectation.")) return false;
		this.choose(this.addressOf(row, label), score);
		return this.showRow(row);
	}

	toggleCheck(row, label) {
		if (!this.shown || !row.startsWith("expectation.")) return false;
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
		const { touch, reason, code } = this.own(address);
		const wants = touch !== "untouched" && this.wantsReason(address);
		return this.sheet.reasons === "required" && wants && !reason.trim() && !code;
	}

	// Of the side asked for, else of the other, else of the winner.
	focusReason(side, part = "textarea") {
		const row = this.currentRow();
		const sides = [side, side === "A" ? "B" : "A"];
		const addresses = this.shown && row ? sides.map((label) => this.addressOf(row, label)) : [this.better];
		const address = addresses.find((each) => this.wantsReason(each));
		const field = address && this.find(`.reason:has([data-reason="${address}"]) ${part}`);
		if (field) field.focus();
		else this.goDeaf(address ? "Write a reason (e)." : "Nothing here takes a reason.");
	}

	// Which output is better, in one key; what is typed next says why.
	answerBetter(answer) {
		const value = this.sheet.preference && answer === "TIE" ? "SAME" : answer;
		const anew = this.own(this.better).shown !== value;
		if (anew) this.chooseBetter(value);
		this.focusField(`[data-reason="${this.better}"]`, anew);
	}

	// Words without a field would run as keys.
	focusField(selector, anew = false) {
		const field = this.find(selector);
		if (!field) return this.goDeaf(this.note);
		field.focus(still);
		if (anew) field.selectionStart = field.value.length;
		return field.scrollIntoView(near);
	}

	// The keys go back to the row that one came from, or to the page.
	leaveField(field, label = "A") {
		this.flush();
		if (this.shown && field.closest(".sheet") && this.currentRow()) this.focusRow(this.currentRow(), label);
		else field.blur();
	}

	toggleAnchors() {
		this.toggleSheet(true);
		this.find(".anchors")?.toggleAttribute("open");
	}

	askInBar(question) {
		if (this.leaving) return;
		const { question: before } = this.ui;
		const again = before?.kind === question.kind && before.name === question.name && before.kind !== "guess";
		if (!before) this.askedFrom = innermost();
		this.ui.question = again ? null : question;
		this.note = "";
		this.render();
		this.focusQuestion();
	}

	focusQuestion() {
		this.find(".asking :is(input, button)")?.focus();
	}

	closeQuestion() {
		this.ui.question = null;
		this.render();
		this.deafUntil = 0;
		const from = this.askedFrom;
		// Who was reading an output goes on reading there.
		if (from?.isConnected && from !== document.body) from.focus(still);
		return true;
	}
}
