// The words of the verdict: strengths, weaknesses, reasoning, and earlier versions of the review.

import { h, onKeys } from "../dom.js";
import { count, decided, halves, letter, moment, outcome, shown } from "../words.js";

export function prose(view) {
	const { versions, finalised } = view.sheet;
	const listed = (name, label) =>
		field(view, `${name.toLowerCase()}:${label}`, h("span.list-title", name), {
			rows: 2,
			"aria-label": `${name} of output ${label}, a line each`,
			placeholder: view.readOnly ? "None given." : "One a line",
		});
	return h(
		"div.prose",
		h("h3", "Strengths and weaknesses"),
		halves((label) => [
			h("h4", letter(label), ` Output ${label}`),
			["Strengths", "Weaknesses"].map((name) => listed(name, label)),
		]),
		h("h3", "Reasoning, as exported"),
		h(
			"p.reasoning",
			{ style: "white-space: pre-line" },
			shown((view.standing ?? view.sheet).prose.reasoning) || "None yet. Say why in the bar.",
		),
		versions.length > 0 &&
			h(
				"div.history",
				h("h3", "Versions"),
				h(
					"ol",
					{ reversed: true },
					versions.toReversed().map((version) => line(view, version)),
				),
				!finalised && h("p.absent", "Reopened. These versions stay; finalising adds another."),
			),
	);
}

function field(view, address, title, props) {
	const { shown: value, touch } = view.own(address);
	return h(
		"div.lines",
		{ key: address },
		h("div.list-head", title, h("span.touched", { changed: "edited by you", confirmed: "confirmed" }[touch])),
		h("textarea", {
			maxlength: 50000,
			"data-words": address,
			readonly: view.readOnly || view.leaving,
			field: { value: [value ?? []].flat().join("\n"), waiting: view.waits(address) },
			...props,
			oninput: (event) => view.write(address, event.target.value),
			onblur: () => view.flush(),
			onkeydown: onKeys({ Escape: ({ target }) => view.leaveField(target) }),
		}),
	);
}

// A winner that was set is itself the change, and the offline check gives no values.
export function decidedFinally(view, { changed, decided_by, verdict, last_change }) {
	const words = decided({ ...verdict, decided_by });
	if (view.sheet.judge.form || !last_change || (changed === 0 && decided_by === "reviewer")) return words;
	const values = changed === 0 ? "no value changed" : `${count(changed, "value")} changed from the judge's`;
	return `${words}; ${values}`;
}

const line = (view, version) =>
	h(
		"li",
		{ value: version.number },
		moment(version.at),
		`: ${outcome(version, view.names)}, ${decidedFinally(view, version)}`,
		version.unblinded && ", after the reveal",
	);
