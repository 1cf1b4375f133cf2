// The line above the outputs: what is to be known of the pair, and the judge at work.

import { h } from "./dom.js";
import { judgeState, shown, sideWords } from "./words.js";

export function findingsLine(view) {
	const { findings, judge } = view.sheet;
	if (!findings.length && judge.state === "done") return null;
	const told = (text) => shown(text).replace(/\{([AB])\}/g, (_, label) => sideWords(label, view.names));
	const broken = judge.state === "failed";
	const [act, name] = view.working ? ["stop", "Stop"] : ["retry", broken ? "Retry" : "Judge"];
	return h(
		"div.findings",
		{ role: "region", "aria-label": "Findings about this pair" },
		h(
			"div.chips",
			{ role: "status" },
			judge.state !== "done" && [
				h(
					"span.step",
					{ class: broken && "bad", role: broken ? "alert" : "status" },
					`${judgeState(judge).replace(/^./, (first) => first.toUpperCase())}${view.working ? " …" : ". "}`,
					shown(judge.problem),
				),
				h(
					"button.stop",
					{
						"data-command": act,
						"aria-busy": view.isPressed(act) || null,
						title: view.working ? "Stop the judge" : "You can score without it",
						onclick: () => view.press(act),
					},
					name,
				),
			],
			findings.map(({ name, about, lines, warns }, at) => [
				h(
					"button.finding",
					{ class: warns && "warn", title: about, popovertarget: `bc-finding-${at}` },
					told(name),
				),
				h(
					"div.menu.about",
					{ id: `bc-finding-${at}`, popover: "auto" },
					told(about),
					lines.map((text) => h("blockquote", told(text))),
				),
			]),
		),
	);
}
