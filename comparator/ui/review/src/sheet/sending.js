// What goes to the server: changes, notes and commands, one request at a time, again where nobody answered.

import { isTyping, save } from "../dom.js";
import { newId } from "../kept.js";
import { ago, shown, valueWords } from "../words.js";
import { Rows, near, still } from "./rows.js";

const TYPING_PAUSE = 700;
const PATIENCE = 3000;
const LOOK_AGAIN = 1000;
const SAVING = 20000;
const DEAF = 1500;
const STILL_TYPING = 800;
const TO_LOOK = 1500;
const AWAY = "No connection to the server, so nothing was done. Your changes are kept here.";
const CLOSED = "This review is finalised. Reopen it to change a score.";
const SETTLED = "Others have reviewed this pair. Press “Review it too” to score it.";

// Commands that end the work on this pair: until the server has answered, nothing more is taken for it.
const OPENING = "Opening the next pair";
const ENDINGS = {
	finalise: "Finalising",
	finalise_next: "Finalising and opening the next pair",
	skip: OPENING,
	cannot_judge: OPENING,
	outside_expertise: OPENING,
	next: OPENING,
};
const FINAL = new Set(["reopen", "export", "export_provenance", "reveal", "next"]);
const ANYTIME = new Set(["retry", "stop"]);
const TOLD = new Set(["finalise", "finalise_next", "reopen", "reveal", "open_judge"]);

export class Sending extends Rows {
	// The pair before, which was just decided.
	before = null;
	// Its file is wanted once it is final.
	exports = false;
	// The pair that an answer opened.
	led = null;
	shownSaved = "";

	begin(comparisonId, owner) {
		super.begin(comparisonId, owner);
		this.queue = [];
		this.commands = [];
		this.busy = false;
		this.offline = false;
		this.trouble = "";
		this.going = false;
		this.ended = false;
		this.sentAt = 0;
		this.judgedAt = Date.now();
		this.outdated = false;
		this.savedAt = null;
		clearTimeout(this.timer);
		this.timer = null;
	}

	flushSoon() {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.flush(), TYPING_PAUSE);
	}

	// What is made meanwhile goes with the next request, in order.
	flush() {
		clearTimeout(this.timer);
		this.timer = null;
		if (this.sheet && !this.busy && (this.outbox.items.length > 0 || this.queue.length > 0)) this.send();
	}

	async send(more = {}) {
		this.busy = true;
		this.commands = this.queue.splice(0);
		const { commands, outbox } = this;
		const answer = await this.ask({ ...more, ...outbox.outgoing(), commands });
		// The page has gone on to another pair.
		if (outbox !== this.outbox) return;
		this.busy = false;
		this.commands = [];
		this.sentAt = Date.now();
		this.offline = answer === null;
		this.trouble = answer?.problem ?? "";
		const last = commands.at(-1);
		if (answer?.sheet) {
			this.take(answer);
			if (last) this.answered(last, answer);
			if (this.timer === null && (this.outbox.unsent || this.queue.length)) this.flush();
		} else if (last) this.note = this.offline ? AWAY : "";
		// What was not done is asked again, not sent again: it may no longer be meant.
		const asks = !answer?.reply?.done && last?.question?.kind !== "guess" && last?.question;
		if (asks) this.ui.question = { ...asks, text: last.text };
		this.render();
		if (asks) this.focusQuestion();
		if (answer?.panes) this.filesChanged();
	}

	async ask(more) {
		const { owner, began, scope } = this.given;
		const body = { comparison: this.comparisonId, owner, began, scope, ...more };
		try {
			const answer = await fetch("/changes", {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify(body),
				signal: AbortSignal.timeout(SAVING),
			});
			return await answer.json();
		} catch {
			return null;
		}
	}

	// One read before the one at hand is old news.
	take(answer) {
		const { sheet, refused = [], ...parts } = answer;
		if (!this.sheet || Date.parse(sheet.read_at) >= Date.parse(this.sheet.read_at)) {
			Object.assign(this.given, parts);
			// Keys pressed while the judge works are not meant for its scores.
			if (this.sheet?.opened && sheet.judgment && !this.sheet.judgment) this.judgedAt = Date.now();
			const { seen, judge, finalised } = this.sheet ?? sheet;
			if (sheet.finalised && !finalised && !answer.reply) this.note = "Finalised in another window.";
			this.outdated ||= sheet.seen !== seen || sheet.judge.state !== judge.state;
			this.sheet = sheet;
			this.index();
		}
		const saved = new Set(sheet.saved);
		// What was not stored is named once, by reason, and given up.
		for (const { id, why } of refused) {
			const item = this.outbox.items.find((each) => each.id === id);
			if (!item || saved.has(id)) continue;
			const names = this.refusals.get(why) ?? new Set();
			if (item.target && !item.do) names.add(this.nameOf(item.target) + valueWords(item));
			this.refusals.set(why, names);
			saved.add(id);
		}
		// Of notes, what was sent is stored.
		if (answer.refused) for (const { id } of this.outbox.notes) if (this.outbox.sent.has(id)) saved.add(id);
		const tells = this.outbox.items.some(({ id, do: act }) => saved.has(id) && act !== "look");
		this.outbox.drop(saved);
		if (tells) this.savedAt = Date.now();
		else this.savedAt ??= sheet.saved_at;
		if (this.sheet.problems.length === 0) this.ui.pressed = false;
		this.ui.row ??= this.firstOpenRow();
	}

	answered(command, { reply, refused }) {
		if (!reply) {
			this.deafUntil = Date.now() + STILL_TYPING;
			this.note = `Not done, because a change sent with it was not stored: ${refused[0].why}`;
			return;
		}
		this.note = reply.note;
		if (reply.download) save(reply.download);
		if (reply.undone) this.showUndone(reply.undone);
		if (reply.go_to || reply.go_home) {
			const { comparisonId: id, sheet, verdict } = this;
			this.leave(reply);
			if (command.name === "finalise_next") this.before = { id, sheet, scored: verdict?.totals };
		} else if (command.name.startsWith("finalise") && !this.sheet.finalised) this.stay();
		else if (TOLD.has(command.name)) {
			this.ended = command.name === "finalise_next";
			if (command.name.startsWith("finalise")) this.before = null;
			this.tellPage({ name: "changed" });
		}
		if (this.exports && reply.done) this.before ? this.exportBefore() : this.press("export");
		this.exports = false;
	}

	// In this one's place, so that one step back leads out of the review; a page that does not hear is loaded anew.
	leave({ go_to: to }) {
		this.going = true;
		this.before = null;
		const address = new URL(location.href);
		if (to) {
			address.searchParams.set("c", to);
			history.replaceState(history.state, "", address);
		} else {
			address.pathname = "/";
			address.searchParams.delete("c");
		}
		this.tellPage(to ? { name: "next", to } : { name: "none left" });
		clearTimeout(this.reload);
		const waits = () => this.visible && (this.going || this.led);
		this.reload = setTimeout(() => waits() && location.assign(address), 2 * PATIENCE);
	}

	async exportBefore(text = "") {
		const { id, scored } = this.before;
		if (!scored && !text) return this.askInBar({ kind: "scores", before: true });
		const answer = await this.ask({ comparison: id, commands: [{ name: "export", id: newId(), text }] });
		const { download, note } = answer?.reply ?? { note: AWAY };
		this.note = note;
		if (!download) return this.render();
		save(download);
		return this.ui.question && this.closeQuestion();
	}

	tellSaved() {
		this.flush();
		this.note = "Changes save themselves. Once you finalise, Ctrl + S saves comparison.json.";
		this.render();
	}

	tellPage(event) {
		this.given.event?.({ ...event, at: Date.now() });
	}

	// The pair is not finalised: what was typed on does not run as keys.
	stay() {
		this.deafUntil = Date.now() + STILL_TYPING;
		if (this.note === this.sheet.problems.join(" ")) this.note = "";
		if (this.sheet.problems.length > 0) this.stopAtObstacle();
	}

	// Undo may reach a value that is out of sight.
	showUndone(address) {
		const row = this.rowOf(address);
		if (row) this.ui.row = row;
		this.render();
		this.find(row ? `[data-row="${row}"]` : `[data-words="${address}"]`)?.scrollIntoView(near);
	}

	get working() {
		const { state, step } = this.sheet.judge;
		return state === "running" || Boolean(step);
	}

	isPressed(name) {
		return this.commands.some((command) => command.name === name);
	}

	get ending() {
		if (this.going) return OPENING;
		return [...this.commands, ...this.queue].map(({ name }) => ENDINGS[name]).find(Boolean);
	}

	get finalises() {
		return this.given.queued ? "finalise_next" : "finalise";
	}

	get leaving() {
		return this.ending !== undefined;
	}

	// A key led to no field: what is typed next must not run as commands.
	goDeaf(why) {
		this.note = why;
		this.deafUntil = Date.now() + DEAF;
		this.render();
	}

	// What is typed while the pair is being left, and words without a field.
	ignores({ key }) {
		const types = [...key].length === 1 || ["Enter", "Delete", "Backspace"].includes(key);
		if (!types || (!this.leaving && Date.now() > this.deafUntil)) return false;
		this.deafUntil = Math.max(this.deafUntil, Date.now() + STILL_TYPING);
		if (!this.leaving && !this.note) {
			this.note = "Keys that were typed without a field are ignored.";
			this.render();
		}
		return true;
	}

	// A key that would change a final review is answered in words.
	tellClosed() {
		this.goDeaf(this.standing ? SETTLED : CLOSED);
	}

	// Whoever types in a field that is gone goes on typing.
	lost(field) {
		if (isTyping(field) && !field.isConnected && !this.leaving) this.deafUntil = Date.now() + STILL_TYPING;
	}

	press(name, text = "") {
		if (this.leaving) return undefined;
		this.deafUntil = 0;
		if (this.readOnly !== FINAL.has(name) && !ANYTIME.has(name)) return false;
		const finalises = name.startsWith("finalise");
		const stored = this.outbox.changes.length === 0;
		if (name === "open_judge" && this.lacking().length > 0) return this.stopAtObstacle();
		if (name === "undo" && stored && !this.sheet.undoable) {
			this.note = "Nothing to undo here. “Back to it” or History opens a final pair.";
			return this.render();
		}
		if (finalises && stored && !this.sheet.undoable && Date.now() - this.judgedAt < TO_LOOK)
			return this.goDeaf("Look at it first.");
		if (finalises && stored && this.sheet.problems.length > 0) return this.stopAtObstacle();
		const guessed = this.queue.some((command) => command.name === "guess");
		if (finalises && this.sheet.guess && !guessed) return this.askInBar({ kind: "guess", then: name });
		if (name !== "undo" && this.isPressed(name)) return undefined;
		const { question } = this.ui;
		const seen = this.sheet.saved.length + this.outbox.changes.length;
		this.queue.push({ name, id: newId(), text, seen, question });
		this.ui.question = null;
		this.note = "";
		// A guess goes with what it was asked before.
		if (name !== "guess") this.flush();
		return this.render();
	}

	stopAtObstacle() {
		this.ui.question = null;
		this.note = "";
		this.ui.pressed = true;
		this.render();
		return this.showObstacle();
	}

	showObstacle() {
		const missing = this.needed();
		if (missing) return this.showAddress(missing);
		if (!this.find(".bar .reason.missing")) this.toggleSheet(true);
		const field = this.find(".reason.missing textarea") ?? this.find(".winner [role=radio]");
		field?.focus(still);
		return field?.scrollIntoView(near);
	}

	async watch() {
		const idle = this.sheet && !this.busy;
		const waited = Date.now() - this.sentAt;
		const unsaved = this.outbox.items.length > 0 || this.offline;
		if (idle && unsaved && this.timer === null && waited > PATIENCE) this.send();
		else if (idle && this.outdated) {
			this.outdated = false;
			await this.send({ whole: true });
			this.tellPage({ name: "changed" });
		} else if (idle && this.working && waited >= LOOK_AGAIN) this.send({ look: true });
		if (this.shownSaved !== this.savedWords) this.render();
	}

	get savedWords() {
		if (this.outbox.items.some(({ do: act }) => act !== "look"))
			return this.offline || this.trouble ? "not saved yet, will be sent again" : "saving…";
		if (this.offline) return "no connection to the server";
		return this.savedAt ? `saved ${ago(this.savedAt)}` : "";
	}

	// A note. Files looked at wait a little, so that a run through many is one request.
	tell(edit) {
		this.outbox.put(edit);
		if (edit.do === "look") this.flushSoon();
		else this.flush();
		this.render();
	}
}
