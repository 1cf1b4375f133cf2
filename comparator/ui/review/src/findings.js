// @ts-check
// What is to be known of the pair before it is read, in one line above the outputs: each finding opened by a click, and
// the judge at work. A pair without findings has no such line.

import { h } from "./dom.js";
import { shown, sideWords } from "./words.js";

export function findingsLine(view) {
	const { findings, judge } = view.sheet;
	if (!findings.length && !view.working) return null;
	const told = (text) => shown(text).replace(/\{([AB])\}/g, (_, label) => sideWords(label, view.names));
	const step = shown(judge.step || "The judge is reading both outputs");
	return h(
		"div.findings",
		{ key: "findings", role: "region", "aria-label": "Findings about this pair" },
		h(
			"div.chips",
			{ role: "status" },
			view.working && [
				h("span.step", `Judge: ${step} …`),
				h("button.stop", { title: "Stop the judge", onclick: () => view.press("stop") }, "Stop"),
			],
			findings.map(({ name, about, lines, warns }, at) => [
				h(
					"button.finding",
					{ class: warns && "warn", title: about, popovertarget: `bc-finding-${at}` },
					told(name),
				),
				h(
					"div.about",
					{ id: `bc-finding-${at}`, popover: "auto" },
					told(about),
					lines.map((text) => h("blockquote", told(text))),
				),
			]),
		),
	);
}
