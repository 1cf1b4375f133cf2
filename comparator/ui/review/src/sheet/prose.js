// @ts-check
// The words of the verdict: strengths and weaknesses, a line each, the reasoning, and earlier versions of the review.

import { h } from "../dom.js";
import { LABELS, count, decided, letter, moment, wins } from "../words.js";

const touchWords = ({ touch }) =>
	touch === "changed" ? "edited by you" : touch === "confirmed" ? "confirmed" : "";

export function prose(view) {
	const column = (label) =>
		h(
			"section",
			{ class: label, "aria-label": `Output ${label}` },
			h("h4", letter(label), ` Output ${label}`),
			["Strengths", "Weaknesses"].map((name) => lines(view, `${name.toLowerCase()}:${label}`, name, label)),
		);
	return h(
		"div.prose",
		{ key: "prose" },
		h("h3", "Strengths and weaknesses"),
		h("div.halves", LABELS.map(column)),
		reasoning(view),
		versions(view),
	);
}

function area(view, address, text, props, write) {
	const keys = (event) => {
		if (event.isComposing || event.key !== "Escape") return;
		event.preventDefault();
		event.stopPropagation();
		view.leaveField(event.target);
	};
	return h("textarea", {
		maxlength: 50000,
		"data-words": address,
		readonly: view.readOnly || view.leaving,
		field: { value: text, waiting: view.waits(address) },
		...props,
		oninput: (event) => write(event.target.value),
		onblur: () => view.flush(),
		onkeydown: keys,
	});
}

function lines(view, address, name, label) {
	const own = view.own(address);
	const text = (own.shown ?? []).join("\n");
	return h(
		"div.lines",
		{ key: address },
		h("div.list-head", h("span.list-title", name), h("span.touched", touchWords(own))),
		area(
			view,
			address,
			text,
			{
				rows: 2,
				"aria-label": `${name} of output ${label}, a line each`,
				placeholder: view.readOnly ? "None given." : "One a line",
			},
			(typed) => view.writeLines(address, typed),
		),
	);
}

function reasoning(view) {
	const own = view.own("reasoning");
	const text = own.shown ?? "";
	const rows = Math.min(14, Math.max(3, Math.ceil(text.length / 110) + text.split("\n").length - 1));
	return h(
		"div.reasoning",
		{ key: "reasoning" },
		h("div.list-head", h("h3", { id: "bc-reasoning" }, "Reasoning"), h("span.touched", touchWords(own))),
		area(
			view,
			"reasoning",
			text,
			{
				rows,
				"aria-labelledby": "bc-reasoning",
				placeholder: "Why this output is the better one",
				"data-reasoning": true,
			},
			(typed) => view.writeReasoning(typed),
		),
	);
}

// How many values a final review changed; a winner that was set is itself the change, and the offline check gives none.
export function changedWords(view, { changed, decided_by: rule }) {
	if (view.sheet.judge.form || (changed === 0 && rule === "reviewer")) return "";
	return changed === 0 ? "; no value changed" : `; ${count(changed, "value")} changed from the judge's`;
}

export const decidedFinally = ({ decided_by, verdict }) =>
	decided({ decided_by, left_out: verdict?.left_out });

function versions(view) {
	const { versions: all, finalised } = view.sheet;
	if (all.length === 0) return null;
	const line = (version) =>
		h(
			"li",
			{ value: version.number },
			moment(version.at),
			`: ${wins(version.winner, view.names)}, ${decidedFinally(version)}${changedWords(view, version)}`,
			version.unblinded && ", after the reveal",
		);
	return h(
		"div.history",
		{ key: "history" },
		h("h3", "Versions"),
		h("ol", { reversed: true }, all.toReversed().map(line)),
		!finalised && h("p.absent", "Reopened. These versions stay; finalising adds another."),
	);
}
