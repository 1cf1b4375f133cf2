// The values of one review: what the server knows, and over it the changes that are on their way.

import { Outbox, kept } from "../kept.js";
import { LABELS, count } from "../words.js";

// What a change that is on its way makes of a value.
const TOUCHES = {
	set: "changed",
	confirm: "confirmed",
	confirm_rest: "confirmed",
	cannot_judge: "cannot_judge",
	clear: "untouched",
};

export class Values {
	root = null;
	// Until when typed keys are taken for words that have lost their field.
	deafUntil = 0;

	begin(comparisonId, owner) {
		this.comparisonId = comparisonId;
		this.owner = owner;
		this.outbox = new Outbox(`comparator:outbox:${comparisonId}:${owner}:`);
		this.ui = { row: null, question: null };
		this.refusals = new Map();
		this.note = "";
		this.sheet = null;
		this.given = {};
		this.lines = [];
	}

	get visible() {
		return this.root.checkVisibility();
	}

	find(selector) {
		return this.root.querySelector(selector);
	}

	addressOf(row, label) {
		return row.startsWith("expectation.") ? row.replace(".", `:${label}:`) : `score:${label}:${row}`;
	}

	// What `Sending` does.
	render() {}
	filesChanged() {}
	flush() {}
	flushSoon() {}
	goDeaf(_why) {}
	get leaving() {
		return false;
	}

	focused() {
		return this.root.getRootNode().activeElement ?? null;
	}

	index() {
		const { rubric, judgment, expectations, own: mine, cited } = this.sheet;
		const { prose, verdict } = this.standing ?? this.sheet;
		// What other people settled stands where one's own values would.
		const settled = this.standing ? verdict.assessments : undefined;
		this.values = new Map();
		const put = (address, judged, below = judged) => {
			const own = { touch: "untouched", reason: "", code: "", blind: false, ...mine[address] };
			this.values.set(address, { own: { ...own, shown: own.value ?? below }, judged });
		};
		// `valueOf` is read from what all readings come to, `readingOf` from one of them.
		const line = (about, valueOf, readingOf) => {
			const of = (label) => ({
				value: valueOf(judgment.assessments[label]),
				by_pass: judgment.passes.map(({ answer, ...pass }) => ({ ...pass, ...readingOf(answer, label) })),
			});
			return { ...about, valueOf, judge: judgment && { A: of("A"), B: of("B") } };
		};
		const criterionLine = (criterion, dimension) => {
			const row = `${dimension}.${criterion.key}`;
			return line(
				{ ...criterion, row, title: criterion.name, dimension, isScore: true },
				({ scores }) => ((scores[row] ?? null) === null ? null : Number(scores[row])),
				({ criteria }, label) => {
					const { score: value, rationale: text, quotes } = criteria[row][label];
					const placed = (quote) => ({ ...quote, label, fileId: cited[label][quote.file] ?? null });
					return { value, text, quotes: quotes.map(placed) };
				},
			);
		};
		this.criteria = ["content", "structure"].flatMap((dimension) =>
			rubric[dimension].map((criterion) => criterionLine(criterion, dimension)),
		);
		this.expectations = expectations.map((name, at) =>
			line(
				{ row: `expectation.${at}`, name, title: `Expectation ${at + 1}`, isScore: false },
				(said) => said.expectations[at] ?? null,
				(answer, label) => {
					const { passed: value, evidence: text } = answer.expectations[at][label];
					return { value, text, quotes: [] };
				},
			),
		);
		this.lines = [...this.criteria, ...this.expectations];
		for (const label of LABELS) {
			for (const { row, valueOf, judge } of this.lines)
				put(this.addressOf(row, label), judge?.[label].value ?? null, settled && valueOf(settled[label]));
			for (const part of ["strengths", "weaknesses"]) put(`${part}:${label}`, null, prose[part][label]);
		}
		for (const address of ["reasoning", "winner", "preference"]) put(address, null);
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

	// Whether the reviewer has put the scores away, and with them whatever tells the judge's verdict.
	get hidden() {
		return !this.readOnly && (this.ui.shown ?? kept(this.panelName)) === false;
	}

	get verdict() {
		return (this.standing ?? this.sheet).verdict;
	}

	get names() {
		return this.given.names;
	}

	// What other people settled, until the reader begins a review of their own.
	get standing() {
		return this.ui.begun ? null : this.given.standing;
	}

	reviewToo() {
		this.ui.begun = true;
		this.index();
		this.render();
	}

	get readOnly() {
		return this.sheet.finalised || Boolean(this.standing);
	}

	own(address) {
		// One text says why.
		const why = address === this.better ? this.own("reasoning").shown : null;
		const own = this.latest(address);
		return why === null ? own : { ...own, reason: why };
	}

	get better() {
		return this.sheet.preference ? "preference" : "winner";
	}

	latest(address) {
		const item = this.outbox.last(address);
		if (!item) return this.values.get(address).own;
		const { reason, code, kind } = item;
		const touch = TOUCHES[kind];
		const shown = touch === "changed" || touch === "confirmed" ? item.value : this.judged(address);
		return { touch, shown, reason, code, blind: !this.sheet.opened };
	}

	judged(address) {
		return this.values.get(address).judged;
	}

	waits(address) {
		return [address, address === this.better && "reasoning"].some((target) => this.outbox.last(target));
	}

	addresses() {
		return [...this.values.keys()].filter((address) => /^(score|expectation):/.test(address));
	}

	// What the judge has given and nobody has touched.
	untouched(addresses = this.addresses()) {
		return this.readOnly
			? []
			: addresses.filter(
					(address) => this.own(address).touch === "untouched" && this.judged(address) !== null,
				);
	}

	// The first value without which the review cannot be finalised.
	needed() {
		const { opened, preference, verdict } = this.sheet;
		if (preference && this.own("preference").touch === "untouched") return "preference";
		if (!opened || verdict) return this.lacking()[0] ?? null;
		if (this.addresses().every((address) => this.own(address).shown === null)) return "winner";
		const lacks = ({ row }) =>
			LABELS.map((label) => this.addressOf(row, label)).find((address) => this.own(address).shown === null);
		const { criteria } = this;
		const bare = criteria.find(({ dimension }) =>
			criteria.every((line) => line.dimension !== dimension || lacks(line)),
		);
		return bare ? lacks(bare) : null;
	}

	// A reason explains what was changed of the judge's; a score that was given blind changed nothing.
	wantsReason(address) {
		const { touch, blind } = this.own(address);
		if (address === this.better) return touch === "changed" || Boolean(this.verdict);
		if (this.sheet.reasons === "off") return false;
		return (touch === "changed" && !blind) || touch === "cannot_judge";
	}

	// What a blind review has yet to answer before the judge's values open.
	lacking() {
		if (this.own("winner").touch === "changed") return [];
		return this.sheet.before_opening.filter((address) => this.own(address).touch === "untouched");
	}

	change(target, kind, value, more = {}) {
		return this.store([{ target, kind, value, ...more }]);
	}

	store(changes) {
		if (this.readOnly || this.leaving) return this.leaving;
		for (const change of changes) this.outbox.put(change);
		this.note = "";
		if (changes[0].typing) this.flushSoon();
		else this.flush();
		this.render();
		return true;
	}

	choose(address, value) {
		const kind = value === this.judged(address) ? "confirm" : "set";
		const { touch, shown, reason, code } = this.own(address);
		if (touch === TOUCHES[kind] && shown !== null && Number(shown) === Number(value)) return;
		this.change(address, kind, value, kind === "set" ? { reason, code } : {});
	}

	confirm(addresses, kind = "confirm") {
		const open = this.untouched(addresses);
		if (open.length === 0 || this.leaving) return false;
		return this.store(open.map((target) => ({ target, kind, value: this.judged(target) })));
	}

	confirmRest() {
		const rest = this.untouched();
		const done = this.confirm(rest, "confirm_rest");
		if (done) this.note = `Confirmed ${count(rest.length, "value")}.`;
		else if (!this.leaving) this.note = "Nothing is left to confirm.";
		this.render();
	}

	clear(address) {
		return this.own(address).touch !== "untouched" && this.change(address, "clear", null);
	}

	cannotJudge(address) {
		return this.change(address, "cannot_judge", null, { reason: this.own(address).reason });
	}

	explain(address, more) {
		const { touch, shown, reason, code } = this.own(address);
		const { reason: text } = more;
		// Of the scores, where no winner was set.
		if (touch === "untouched")
			return this.change("reasoning", text.trim() ? "set" : "clear", text, { typing: true });
		if (address === this.better) return this.chooseBetter(shown, more);
		const [kind, value] = touch === "cannot_judge" ? ["cannot_judge", null] : ["set", shown];
		return this.change(address, kind, value, { reason, code, ...more });
	}

	// A winner, or one of five answers where a project asks that; it takes the reasoning along.
	chooseBetter(value, more = { reason: this.own(this.better).reason }) {
		const moved = { target: "reasoning", kind: "clear", value: null };
		const words = this.own(moved.target).shown !== null;
		return this.store([{ target: this.better, kind: "set", value, ...more }, ...(words ? [moved] : [])]);
	}

	// Strengths and weaknesses are a line each.
	write(address, text) {
		const lines = text.split("\n").map((line) => line.trim());
		this.change(address, "set", lines.filter(Boolean), { typing: true });
	}
}
