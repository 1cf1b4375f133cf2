// @ts-check
// The values of one review as they hold now: what the server knows, and over it the changes that are on their way.

import { Outbox, kept } from "../kept.js";
import { LABELS, count } from "../words.js";

export class Values {
	/** @type {any} */
	root = null;

	begin(comparisonId, owner) {
		this.comparisonId = comparisonId;
		this.owner = owner;
		this.outbox = new Outbox(`comparator:outbox:${comparisonId}:${owner}:`);
		// `question` is what stands in the bar now: an answer other than scores, a reason's code, or a guess.
		this.ui = { row: null, pressed: false, question: null, shown: null };
		this.refusals = new Map();
		this.note = "";
		/** @type {any} */
		this.sheet = null;
		/** @type {any} */
		this.given = {};
		/** @type {any[]} */
		this.lines = [];
	}

	/** @returns {any} */
	find(selector) {
		return this.root.querySelector(selector);
	}

	addressOf(row, label) {
		return row.startsWith("expectation.") ? row.replace(".", `:${label}:`) : `score:${label}:${row}`;
	}

	render() {}

	filesChanged() {}

	flush() {}

	flushSoon() {}

	goDeaf(_why) {
		return true;
	}

	get leaving() {
		return false;
	}

	/** @returns {HTMLElement | null} */
	focused() {
		const { activeElement } = /** @type {Document | ShadowRoot} */ (this.root.getRootNode());
		return /** @type {HTMLElement | null} */ (activeElement ?? null);
	}

	// The rows of the table, each with what the judge says of it, and every value by its address.
	index() {
		const { rubric, judgment, expectations, prose, preference } = this.sheet;
		this.values = new Map();
		const put = (address, judged, below = judged) => {
			const entry = this.sheet.own[address];
			const own = entry
				? { ...entry, shown: entry.value ?? below }
				: { touch: "untouched", shown: below, reason: "", code: "", blind: false };
			this.values.set(address, { own, judged });
		};
		const says = (valueOf, readingOf) =>
			judgment &&
			Object.fromEntries(
				LABELS.map((label) => [
					label,
					{
						value: valueOf(judgment.assessments[label]) ?? null,
						by_pass: judgment.passes.map(({ order, repetition, answer }) => ({
							order,
							repetition,
							...readingOf(answer, label),
						})),
					},
				]),
			);
		this.criteria = ["content", "structure"].flatMap((dimension) =>
			(rubric?.[dimension] ?? []).map((criterion) => {
				const row = `${dimension}.${criterion.key}`;
				const judge = says(
					({ scores }) => scores[row],
					({ criteria }, label) => {
						const { score, rationale, quotes } = criteria[row][label];
						return {
							value: score,
							text: rationale,
							quotes: quotes.map((quote) => ({
								...quote,
								file_id: this.sheet.cited[label][quote.file] ?? null,
							})),
						};
					},
				);
				return { ...criterion, row, title: criterion.name, dimension, isScore: true, judge };
			}),
		);
		this.expectations = expectations.map((name, index) => {
			const judge = says(
				(said) => said.expectations[index],
				(answer, label) => {
					const { passed, evidence } = answer.expectations[index][label];
					return { value: passed, text: evidence, quotes: [] };
				},
			);
			return { row: `expectation.${index}`, name, title: `Expectation ${index + 1}`, isScore: false, judge };
		});
		this.lines = [...this.criteria, ...this.expectations];
		for (const label of LABELS) {
			for (const { row, isScore, judge } of this.lines) {
				const value = judge?.[label].value ?? null;
				put(this.addressOf(row, label), isScore && value !== null ? Number(value) : value);
			}
			for (const part of ["strengths", "weaknesses"]) put(`${part}:${label}`, null, prose[part][label]);
		}
		put("reasoning", null, prose.reasoning);
		put("winner", null);
		if (preference) put("preference", null);
	}

	get panelName() {
		return `comparator:panel:${this.given.scores_first ? "judged" : "open"}`;
	}

	// A low, narrow window begins with the outputs.
	get shown() {
		return (
			this.ui.shown ??
			kept(this.panelName) ??
			(this.given.scores_first && (window.innerWidth >= 1200 || window.innerHeight >= 900))
		);
	}

	get names() {
		return this.given.names;
	}

	get readOnly() {
		return this.sheet.finalised;
	}

	// A value as it holds now: what the server knows, and over it what is still on its way there.
	own(address) {
		const base = this.values.get(address)?.own ?? { touch: "untouched", shown: null, reason: "", code: "" };
		const item = this.outbox.last(address);
		if (!item) return base;
		const { reason, code, value } = item;
		const blind = !this.sheet.opened;
		switch (item.kind) {
			case "set":
				return { touch: "changed", shown: value, reason, code, blind };
			case "confirm":
			case "confirm_rest":
				return { touch: "confirmed", shown: value, reason, code, blind };
			case "cannot_judge":
				return { touch: "cannot_judge", shown: this.judged(address), reason, code, blind };
			default:
				return { touch: "untouched", shown: this.judged(address), reason: "", code: "", blind };
		}
	}

	judged(address) {
		return this.values.get(address)?.judged ?? null;
	}

	snapshot() {
		return new Map([...this.values.keys()].map((address) => [address, this.own(address)]));
	}

	waits(address) {
		return this.outbox.last(address) !== undefined;
	}

	addresses() {
		return [...this.values.keys()].filter(
			(address) => address.startsWith("score:") || address.startsWith("expectation:"),
		);
	}

	untouched() {
		if (this.readOnly) return [];
		return this.addresses().filter(
			(address) => this.own(address).touch === "untouched" && this.judged(address) !== null,
		);
	}

	// The first value without which the review cannot be finalised; null where there is none.
	needed() {
		const { opened, preference, verdict } = this.sheet;
		const { criteria } = this;
		if (preference && this.own("preference").touch === "untouched") return "preference";
		if (!opened || verdict) return this.lacking()[0] ?? null;
		const lacks = ({ row }) => LABELS.find((label) => this.own(this.addressOf(row, label)).shown === null);
		const bare = criteria.find(({ dimension }) =>
			criteria.every((line) => line.dimension !== dimension || lacks(line)),
		);
		return bare ? this.addressOf(bare.row, lacks(bare)) : null;
	}

	// A reason explains what was changed of the judge's; a score that was given blind changed nothing.
	wantsReason(address) {
		if (address === "winner" || address === "preference") return this.own(address).touch === "changed";
		if (this.sheet.reasons === "off") return false;
		const { touch, blind } = this.own(address);
		return (touch === "changed" && !blind) || touch === "cannot_judge";
	}

	// The addresses that a blind review has yet to answer before the judge's values open.
	lacking() {
		if (this.own("winner").touch === "changed") return [];
		return this.sheet.before_opening.filter((address) => this.own(address).touch === "untouched");
	}

	change(target, kind, value, more = {}, options = {}) {
		if (this.readOnly || this.leaving) return this.leaving;
		this.outbox.put({ target, kind, value, ...more }, options);
		this.note = "";
		if (options.typing) this.flushSoon();
		else if (!options.later) this.flush();
		this.render();
		return true;
	}

	choose(address, value) {
		const own = this.own(address);
		const agrees = value === this.judged(address);
		const touch = agrees ? "confirmed" : "changed";
		if (
			own.touch === touch &&
			own.shown !== null &&
			(typeof value === "boolean" ? own.shown === value : Number(own.shown) === value)
		)
			return true;
		const kept = agrees ? {} : { reason: own.reason, code: own.code };
		return this.change(address, agrees ? "confirm" : "set", value, kept);
	}

	confirm(addresses, kind = "confirm") {
		const open = addresses.filter(
			(address) => this.own(address).touch === "untouched" && this.judged(address) !== null,
		);
		if (open.length === 0 || this.readOnly || this.leaving) return false;
		for (const address of open) this.outbox.put({ target: address, kind, value: this.judged(address) });
		this.note = "";
		this.flush();
		this.render();
		return true;
	}

	confirmRest() {
		const rest = this.untouched();
		const done = this.confirm(rest, "confirm_rest");
		if (done) this.note = `Confirmed ${count(rest.length, "value")} that you had not touched.`;
		else if (!this.leaving) this.note = "No values of the judge are left to confirm.";
		this.render();
		return true;
	}

	clear(address) {
		return address && this.own(address).touch !== "untouched" ? this.change(address, "clear", null) : false;
	}

	cannotJudge(address) {
		return address ? this.change(address, "cannot_judge", null, { reason: this.own(address).reason }) : false;
	}

	explain(address, more, options = {}) {
		const own = this.own(address);
		const kind = own.touch === "cannot_judge" ? "cannot_judge" : "set";
		const value = kind === "set" ? own.shown : null;
		return this.change(address, kind, value, { reason: own.reason, code: own.code, ...more }, options);
	}

	// Which output is better: a winner, or one of five answers where a project asks that; nothing goes by the scores.
	chooseBetter(target, value) {
		if (value === "") return this.clear(target);
		const own = this.own(target);
		if (own.touch === "changed" && own.shown === value) return true;
		return this.change(target, "set", value, { reason: own.reason, code: own.code });
	}

	writeReasoning(text) {
		const kind = text.trim() === "" ? "clear" : "set";
		return this.change("reasoning", kind, kind === "set" ? text : null, {}, { typing: true });
	}

	writeLines(address, text) {
		const lines = text.split("\n").map((line) => line.trim());
		return this.change(address, "set", lines.filter(Boolean), {}, { typing: true });
	}
}
