// The rows with their values and reasons; below them what the judge says of the chosen row. A filled step is given, an
// outline is empty, a dash is not assessed.

import { h, link, middle } from "../dom.js";
import {
	LABELS,
	ORDERS,
	distinctReadings,
	figure,
	halves,
	letter,
	met,
	percent,
	shown,
	tenth,
} from "../words.js";

const TOUCHED = {
	untouched: "not confirmed yet",
	confirmed: "confirmed",
	changed: "changed by you",
	cannot_judge: "you cannot judge this",
};
const fill = (step, value) => (value >= step ? "full" : value >= step - 0.5 ? "half" : "none");
const check = (value) => (value ? "✓" : "✗");
const meanings = ({ anchors }) => [
	[1, anchors.poor],
	[3, anchors.acceptable],
	[5, anchors.excellent],
];

const nameOf = (line, label) => `${shown(line.title)}, output ${label}`;

// What the judge gave, where the steps do not show it.
function judged(view, { judge, isScore }, label, touch) {
	const { value = null, by_pass: readings = [] } = judge?.[label] ?? {};
	const differ = new Set(readings.map((reading) => reading.value)).size > 1;
	if (value === null || (!differ && touch !== "changed")) return null;
	const [face, say] = isScore ? [figure, figure] : [check, met];
	const passes = readings.toSorted((one, two) => one.order.localeCompare(two.order));
	const spoken = passes.map((pass) => `${ORDERS[pass.order]}: ${say(pass.value)}`).join(", ");
	const faces = differ ? passes.map((pass) => face(pass.value)).join(" | ") : face(value);
	return h("div.judged", "judge ", h("b", { class: differ && "differ", title: spoken, role: "img" }, faces));
}

function own(view, line, label) {
	const { isScore, row } = line;
	const address = view.addressOf(row, label);
	const { shown: value, touch, blind } = view.own(address);
	const current = isScore ? Number(value ?? 0) : value;
	const choices = /** @type {any[]} */ (isScore ? [1, 2, 3, 4, 5] : [true, false]);
	const texts = Object.fromEntries(isScore ? meanings(line) : []);
	const stop = choices.includes(current) ? current : isScore ? 3 : true;
	const kind = isScore ? "score" : "answer";
	const step = (choice) => {
		const name = isScore ? String(choice) : met(choice);
		return h(
			"button.step",
			{
				role: "radio",
				class: isScore ? fill(choice, current) : current === choice ? "full" : "none",
				"aria-checked": /^(confirmed|changed)$/.test(touch) && choice === current,
				"aria-label": name,
				"data-address": address,
				title: texts[choice] ? `${choice}: ${shown(texts[choice])}` : name,
				tabindex: choice === stop ? "0" : "-1",
				disabled: view.readOnly,
				onclick: ({ detail }) => {
					view.choose(address, choice);
					// Where keys score, the next digit is the next score.
					if (detail && view.judged(address) !== null && view.wantsReason(address))
						view.focusField(`[data-reason="${address}"]`);
				},
			},
			h("i", { "aria-hidden": true }, !isScore && check(choice)),
		);
	};
	const steps = {
		role: "radiogroup",
		"aria-label": `${nameOf(line, label)}, ${view.standing ? `${kind}, ${view.standing.whose}` : `your ${kind}, ${TOUCHED[touch]}`}`,
		"aria-disabled": view.readOnly || null,
	};
	return h(
		"td.you",
		{ class: label },
		h(
			"span.value",
			{ class: [!isScore && "check", touch] },
			h("span.steps", steps, choices.map(step)),
			isScore && h("b.figure", { "aria-hidden": true }, value === null ? "–" : figure(current)),
			h(
				"span.mark",
				{ class: touch, title: TOUCHED[touch], "aria-hidden": true },
				mark(touch, value, blind, view.judged(address)),
			),
		),
		judged(view, line, label, touch),
	);
}

// By how much the judge's value was changed; a score of one's own changed nothing.
function mark(touch, value, blind, judge) {
	if (touch !== "changed") return { confirmed: "✓", cannot_judge: "?" }[touch];
	const delta = typeof judge === "number" ? Number(value) - judge : 0;
	if (delta) return `${delta > 0 ? "+" : "−"}${figure(Math.abs(delta))}`;
	return judge === value ? "=" : blind || judge === null ? "•" : "≠";
}

function rows(view, line) {
	const { row } = line;
	const reasons = LABELS.filter((label) => view.wantsReason(view.addressOf(row, label)));
	return [
		h(
			"tr.row",
			{
				class: view.ui.row === row && "here",
				key: row,
				"data-row": row,
				onfocusin: () => view.enter(row),
				onclick: () => view.enter(row),
			},
			h(
				"th.name",
				{ scope: "row", title: line.description && shown(line.description) },
				h("span.label", shown(line.name)),
			),
			LABELS.map((label) => own(view, line, label)),
		),
		reasons.length > 0 &&
			h(
				"tr.because",
				{ key: `${row}/because`, onfocusin: () => view.enter(row) },
				h(
					"td",
					{ colspan: 3 },
					reasons.map((label) => {
						const name = nameOf(line, label);
						return reasonField(view, view.addressOf(row, label), { label, name });
					}),
				),
			),
	];
}

export function reasonField(view, address, { label = null, name }) {
	const { touch, code, reason } = view.own(address);
	const { reasons, reason_codes: codes } = view.sheet;
	if (view.readOnly) {
		const given = [shown(code), shown(reason)].filter(Boolean).join(": ");
		return given && h("p.reason", { key: `reason/${address}` }, label && letter(label), given);
	}
	const missing = view.lacks(address);
	const required = reasons === "required";
	const disabled = !view.wantsReason(address);
	const keys = (event) => {
		const { key, target, isComposing, shiftKey, ctrlKey, metaKey } = event;
		const code = target.matches("select") && codes[Number(key) - 1];
		const ends = key === "Escape" || (key === "Enter" && !shiftKey && !ctrlKey && !metaKey);
		if (isComposing || (!code && !ends)) return;
		event.preventDefault();
		event.stopPropagation();
		if (code) view.explain(address, { code });
		view.leaveField(target, label ?? "A");
	};
	return h(
		"div.reason",
		{ class: missing && "missing", key: `reason/${address}`, onkeydown: keys },
		label && letter(label),
		label &&
			codes.length > 0 &&
			h(
				"select",
				{
					"aria-label": `Kind of reason, ${name}`,
					disabled,
					field: { value: code },
					onchange: (event) => view.explain(address, { code: event.target.value }),
				},
				h("option", { value: "" }, "Kind of reason…"),
				codes.map((kind, at) => h("option", { value: kind }, `${at < 9 ? at + 1 : ""} ${shown(kind)}`)),
			),
		h("textarea", {
			rows: 1,
			maxlength: 4000,
			placeholder:
				touch === "untouched"
					? `${view.sheet.preference ? "1 to 5" : "a, = or b"}, then say why; Ctrl + Enter goes on`
					: `Reason (${required && !code ? "required" : "optional"}); Esc frees the keys`,
			disabled,
			"aria-label": `Reason, ${name}`,
			"aria-required": required || null,
			"aria-invalid": missing || null,
			"data-reason": address,
			readonly: view.leaving,
			field: { value: reason, waiting: view.waits(address), exact: true },
			oninput: (event) => view.explain(address, { reason: event.target.value, typing: true }),
			onblur: () => view.flush(),
		}),
	);
}

// `read` takes the figure below the rows from a verdict.
function group(view, name, lines, title, read, about = "") {
	return h(
		"tbody",
		{ key: name, class: name.toLowerCase() },
		h("tr.group", h("th", { colspan: 3, scope: "rowgroup" }, name)),
		about && h("tr.group", h("td", { colspan: 3 }, about)),
		lines.map((line) => rows(view, line)),
		foot(view, title, read),
	);
}

const foot = (view, title, read, of = "") =>
	h(
		"tr.foot",
		h("th.name", { scope: "row" }, title, of && [" ", h("span.absent", of)]),
		LABELS.map((label) =>
			h("td.you", { class: label }, h("b.figure", view.verdict ? read(view.verdict, label) : "–")),
		),
	);

export function scoreTable(view) {
	const { sheet, criteria, expectations } = view;
	const answer = sheet.rubric?.right_answer;
	const score = (part) => (verdict, label) => tenth(verdict.totals?.[label][`${part}_score`]);
	const dimension = (name, about) => {
		const key = name.toLowerCase();
		const lines = criteria.filter((line) => line.dimension === key);
		return group(view, name, lines, `${name} score`, score(key), about);
	};
	const rate = ({ pass_rates: rates }, label) => (rates ? percent(rates[label]) : "–");
	return h(
		"table.scores",
		h(
			"caption.spoken",
			"Your scores of both outputs, and the judge's where they differ. 1 to 5 scores output A, 6 to 0 output B.",
		),
		h(
			"thead",
			h(
				"tr",
				h("th.spoken", { scope: "col" }, "Criterion"),
				LABELS.map((label) => {
					const name = view.names ? shown(view.names[label]) : `Output ${label}`;
					const side = { class: label, scope: "col", title: name };
					return h("th.side", side, letter(label), ` ${name}`);
				}),
			),
			foot(view, "Overall", score("overall"), "of 10"),
			sheet.judgment && !view.standing && h("tr.group", h("td", "Pale: the judge's. Full: yours.")),
		),
		dimension(
			"Content",
			criteria.length
				? answer && `A right answer must contain (written before any output was seen): ${shown(answer)}`
				: "The judge is writing the criteria.",
		),
		dimension("Structure"),
		expectations.length > 0 && group(view, "Expectations", expectations, "Pass rate", rate),
	);
}

// What the judge says of the chosen row, in a place of its own, so that choosing moves no row.
export function chosenRow(view) {
	const line = view.lineOf(view.currentRow());
	if (!line) return null;
	const name = shown(line.name);
	return h(
		"aside.chosen",
		{ "aria-label": `Rationale: ${name}` },
		h("h3", name),
		view.untouched().length > 0 &&
			h(
				"div.half-head",
				link("Confirm", () => view.confirmRow(line.row), { title: "Enter" }),
				link("Confirm the rest", () => view.confirmRest(), { title: "c" }),
			),
		line.isScore &&
			h(
				"details.anchors",
				h("summary", { title: "i" }, "What 1, 3 and 5 mean"),
				line.description && h("p.about", shown(line.description)),
				meanings(line).map(([score, text]) => h("p", h("b", `${score} `), shown(text))),
			),
		halves((label) => half(view, line, label)),
	);
}

function half(view, line, label) {
	const address = view.addressOf(line.row, label);
	const none = view.canOpen
		? "The judge's rationale opens after you have answered."
		: view.working && "No rationale from the judge yet.";
	return [
		h("div.half-head", letter(label), answers(view, address, `${shown(line.name)}, output ${label}`)),
		line.judge
			? distinctReadings(line.judge[label].by_pass).map(({ pass, who }) => {
					const value =
						pass.value === null ? "not assessed" : line.isScore ? pass.value : `${met(pass.value)}.`;
					const quotes = pass.quotes.map((quote) => h("li", quoteLink(view, quote)));
					const whose = h("span.order", `judge, ${who}: `);
					return reading([whose, h("b", value), " ", shown(pass.text)], quotes);
				})
			: none && h("p.absent", none),
		ownEvidence(view, address),
	];
}

const reading = (words, quotes, look = "") =>
	h("div.reading", { class: look }, h("p", words), quotes.length > 0 && h("ul.quotes", quotes));

function answers(view, address, what) {
	if (view.readOnly) return null;
	const { touch } = view.own(address);
	const cannot = touch === "cannot_judge";
	const act = (text, onclick, pressed = null) =>
		link(text, onclick, { "aria-label": `${text}: ${what}`, "aria-pressed": pressed });
	return [
		act("Cannot judge", () => (cannot ? view.clear(address) : view.cannotJudge(address)), cannot),
		touch !== "untouched" && act("Take back", () => view.clear(address)),
	];
}

function quoteLink(view, quote) {
	const { file: name, fileId, label, found = true } = quote;
	const text = `“${shown(middle(quote.text, 400))}”`;
	const file = h("span.file", { title: shown(name) }, shown(middle(name, 40)));
	if (!found) return [h("s", text), " ", file, " ", h("span.not-found", "not found in the output")];
	const show = { title: `Show in output ${label}`, onclick: () => view.panes.quote(quote) };
	return [fileId === null ? h("span", text) : h("button.quote", show, text), " ", file];
}

function ownEvidence(view, address) {
	const pieces = (view.given.notes?.evidence ?? []).filter((piece) => piece.target === address);
	const quotes = pieces.map((piece) =>
		h("li", { key: piece.id }, quoteLink(view, piece), " ", view.notes.withdraw(piece)),
	);
	return quotes.length > 0 && reading(h("span.order", "Your evidence"), quotes, "own-evidence");
}
