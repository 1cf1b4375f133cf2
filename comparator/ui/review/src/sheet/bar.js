// @ts-check
// The bar at the bottom: the judge's word and the reviewer's, which output is better and why, and what can be done.

import { h } from "../dom.js";
import { keep, kept } from "../kept.js";
import {
	PREFERENCES,
	SHARED,
	basis,
	count,
	judgeWords,
	letter,
	preferenceWords,
	shown,
	verdictWords,
	whoJudges,
	wins,
} from "../words.js";
import { changedWords, decidedFinally } from "./prose.js";
import { answersGiven, questionBar } from "./question.js";
import { reasonField } from "./table.js";

const link = (text, press, props = {}) => h("button.link", { ...props, onclick: press }, text);

export function banners(view) {
	const notes = [];
	if (view.trouble)
		notes.push(
			h(
				"div.banner.bad",
				{ role: "alert", key: "trouble" },
				h("b", "Not saved yet."),
				` ${shown(view.trouble)} Your changes are kept in this browser and will be sent again.`,
			),
		);
	for (const [why, names] of view.refusals)
		notes.push(
			h(
				"div.banner.bad",
				{ role: "alert", key: `refused/${why}` },
				`Not stored: ${[...names].map((name) => `${name}. `).join("")}${shown(why)} `,
				link("Dismiss", () => {
					view.refusals.delete(why);
					view.render();
				}),
			),
		);
	return h("div.banners", { key: "banners" }, notes, answersGiven(view));
}

const button = (text, title, look, onclick, props = {}) =>
	h("button.command", { class: look, title, onclick, ...props }, text);
const command = (view, name, text, title, look = "", disabled = false) =>
	button(text, title, look, () => view.press(name), {
		"data-command": name,
		"aria-busy": view.isPressed(name) || null,
		disabled,
	});
const asks = (view, question, text, title, look = "") =>
	button(text, title, look, () => view.askInBar(question), {
		"data-ask": question.name || question.kind,
		"aria-expanded": view.ui.question?.kind === question.kind && view.ui.question.name === question.name,
	});

export function bar(view) {
	const { sheet } = view;
	const judge = judgeWords(sheet, view.names);
	const mine = ownWords(view);
	return h(
		"div.bar",
		{ key: "bar", role: "region", "aria-label": "Decision" },
		obstacles(view),
		h(
			"div.line",
			winner(view),
			h(
				"div.summary",
				h("span.who", { title: judge }, h("span.tag.outline", whoJudges(sheet)), ` ${judge}`),
				h(
					"span.who",
					{ title: mine },
					h("span.tag.solid", "you"),
					" ",
					sheet.finalised ? finalWords(view) : mine,
				),
			),
			sheet.finalised ? finalActions(view) : openActions(view),
		),
	);
}

function winner(view) {
	const { better, sheet } = view;
	const own = view.own(better);
	const set = own.touch === "changed" ? own.shown : null;
	const keys = { A: "a", TIE: "=", B: "b" };
	const choices = sheet.preference
		? PREFERENCES
		: Object.keys(keys).map((value) => [value, SHARED.outcomes[value]]);
	const choice = ([value, name], index) =>
		h(
			"button",
			{
				role: "radio",
				class: `choice ${value === "SAME" ? "TIE" : value.split("_")[0]}`,
				"data-address": better,
				"aria-checked": set === value,
				"aria-label": name,
				tabindex: (set ?? choices[choices.length >> 1][0]) === value ? "0" : "-1",
				title: `${name} (${sheet.preference ? index + 1 : keys[value]})`,
				disabled: view.readOnly,
				onclick: () => view.answerBetter(value),
			},
			sheet.preference && h("span.digit", { "aria-hidden": true }, String(index + 1)),
			` ${name}`,
		);
	if (view.readOnly && set === null) return null;
	return h(
		"div.winner",
		{ key: "winner" },
		h(
			"div.choices",
			{
				role: "radiogroup",
				"aria-label": sheet.preference ? "Which output does the task better?" : "Winner",
			},
			choices.map(choice),
			// By what the scores give again.
			set !== null &&
				!sheet.preference &&
				!view.readOnly &&
				h(
					"button.choice",
					{
						role: "radio",
						key: "scores",
						"aria-checked": "false",
						tabindex: "-1",
						onclick: () => view.chooseBetter(better, ""),
					},
					"By the scores",
				),
		),
		set !== null &&
			reasonField(view, better, { name: sheet.preference ? "which output is better" : "the winner you set" }),
	);
}

function ownWords(view) {
	const { sheet } = view;
	const own = view.addresses().map((address) => view.own(address));
	const of = (touch) => own.filter((value) => value.touch === touch).length;
	if (!sheet.opened && !sheet.preference && view.lacking().length > 0)
		return `${count(view.lacking().length, "score")} to give before you can open the judge's`;
	if (sheet.preference && view.own("preference").touch === "untouched") return "no answer yet";
	if (sheet.preference && !sheet.verdict) return preferenceWords(view.own("preference").shown, view.names);
	if (!sheet.verdict)
		return view.own("winner").touch === "changed"
			? wins(view.own("winner").shown, view.names)
			: `${count(sheet.missing.length, "value is", "values are")} not assessed`;
	const parts = [[verdictWords(sheet.verdict, view.names), ...basis(sheet.verdict)].join(", ")];
	const touched = ["changed", "confirmed"].filter(of).map((touch) => `${of(touch)} ${touch}`);
	if (touched.length) parts.push(touched.join(", "));
	if (of("cannot_judge")) parts.push(`${of("cannot_judge")} cannot judge`);
	// What nobody has assessed is named above.
	const left = own.filter(({ touch, shown: value }) => touch === "untouched" && value !== null).length;
	if (left) parts.push(`${count(left, "value")} not confirmed`);
	return parts.join(" · ");
}

function finalWords(view) {
	const latest = view.sheet.versions.at(-1);
	return h(
		"span.decided",
		h("b", latest ? `Finalised: ${wins(latest.winner, view.names)}` : "Finalised"),
		latest ? `, ${decidedFinally(latest)}${changedWords(view, latest)}.` : ".",
	);
}

function obstacles(view) {
	const { sheet, note } = view;
	return h(
		"div.obstacles",
		view.leaving
			? h("p.note", { role: "status", key: "leaving" }, `${view.ending} … Keys are off until that is done.`)
			: note && h("p.note", { role: "status", key: "note" }, shown(note)),
		!sheet.finalised &&
			sheet.problems.length > 0 &&
			h(
				"div",
				{ class: view.ui.pressed ? "problems pressed" : "problems", role: "status", key: "problems" },
				h("span", h("b", "Before finalising: "), shown(sheet.problems.join(" "))),
				link("show me", () => view.showObstacle()),
			),
		questionBar(view),
		!view.ui.question && hint(view),
	);
}

function openActions(view) {
	const { sheet } = view;
	const { opensFirst } = view;
	const first = opensFirst ? "primary" : "";
	const trouble = view.offline || view.trouble !== "";
	return h(
		"div.actions",
		h(
			"span",
			{
				class: trouble ? "saved trouble" : "saved",
				role: "status",
				"aria-live": trouble ? "polite" : "off",
				"data-waiting": String(view.outbox.items.length),
				title: view.savedAt ? new Date(view.savedAt).toLocaleString() : null,
			},
			view.savedWords,
		),
		panelButton(view),
		command(
			view,
			"undo",
			"Undo",
			"Take back your last change (z)",
			"",
			!sheet.undoable && view.outbox.changes.length === 0,
		),
		asks(
			view,
			{ kind: "say", name: "skip" },
			"Skip",
			"Leave this pair for later, or for others (q 1)",
			"rare",
		),
		asks(
			view,
			{ kind: "menu" },
			"More…",
			"Flag, cannot judge, outside my expertise, I know which is which (q)",
		),
		view.shown &&
			sheet.opened &&
			button(
				"Confirm the rest",
				"Confirm all remaining values of the judge (c)",
				"rare",
				() => view.confirmRest(),
				{ disabled: view.untouched().length === 0 },
			),
		button("?", "Keys (?)", "rare", () => view.showKeys(), { "aria-label": "Keys" }),
		!sheet.opened &&
			command(view, "open_judge", "Open the judge's scores", opensFirst ? "Ctrl + Enter, or r" : "r", first),
		command(view, "finalise", "Finalise", "Ctrl + Shift + Enter"),
		command(
			view,
			"finalise_next",
			"Finalise, next",
			`Finalise and open the next pair${opensFirst ? "" : " (Ctrl + Enter)"}`,
			opensFirst ? "" : "primary",
		),
	);
}

const panelButton = (view) =>
	button(view.shown ? "Hide scores" : "Scores", "Show or hide the scores (p)", "", () => view.toggleSheet(), {
		"data-toggle": "scores",
		"aria-expanded": view.shown,
		"aria-controls": "bc-scores",
	});

function finalActions(view) {
	const { sheet } = view;
	const bare = sheet.verdict && !sheet.verdict.totals;
	return h(
		"div.actions",
		panelButton(view),
		command(view, "reopen", "Reopen"),
		bare
			? asks(view, { kind: "scores" }, "Export comparison.json…", "Enter its four scores, then download it")
			: command(view, "export", "Export comparison.json", "Download scores, winner and reasoning"),
		command(view, "export_provenance", "Export provenance", "Download what is behind the result", "rare"),
		view.given.together > 0 &&
			asks(view, { kind: "reveal" }, "Reveal", "Show which candidate made which output"),
		command(view, "next", "Next", "Open the next comparison (Ctrl + Enter)", "primary"),
	);
}

// The first minutes: in the example pairs a hint stands in the bar for each of four steps, until it is dismissed.
const EXAMPLES = "Examples";
const DISMISSED = "comparator:hints";
const HINTS = {
	read: ["1 of 4: Read", "Compare A and B. ] opens the next file, and “Task” above says what was asked."],
	score: [
		"2 of 4: Decide",
		"Press a, b or = to say which output is better, and type why. Or score each criterion: 1 to 5 for A, 6 to 0 for B.",
	],
	finalise: ["3 of 4: Finalise", "When all is as you want it, press Ctrl + Shift + Enter or “Finalise”."],
	export: [
		"4 of 4: Export",
		"“Export comparison.json” (Ctrl + S) saves the result. “Next” opens the next pair.",
	],
};

function hintStep(view) {
	if (view.sheet.finalised) return "export";
	if (view.own(view.better).touch === "changed") return "finalise";
	const rows = view.rows();
	const given = rows.filter((row) => view.isAnswered(row)).length;
	if (given === 0) return view.ui.row === view.ui.firstRow ? "read" : "score";
	return given < rows.length ? "score" : "finalise";
}

function hint(view) {
	if (view.sheet.project_name !== EXAMPLES || kept(DISMISSED)) return null;
	view.ui.firstRow ??= view.ui.row;
	const [name, words] = HINTS[hintStep(view)];
	return h(
		"p.hint",
		{ key: "hint", "data-step": hintStep(view) },
		h("b", name),
		` ${words} `,
		link("Don't show hints again", () => {
			keep(DISMISSED, "dismissed");
			view.render();
		}),
	);
}
