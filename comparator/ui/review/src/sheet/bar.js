// The bar: what the judge and the reviewer say, which output is better and why, and what can be done.

import { h, link } from "../dom.js";
import { keep, kept } from "../kept.js";
import {
	PREFERENCES,
	SHARED,
	count,
	decided,
	judgeWords,
	leftOut,
	outcome,
	preferenceWords,
	shown,
	verdictWords,
	wins,
} from "../words.js";
import { decidedFinally } from "./prose.js";
import { answersGiven, questionBar } from "./question.js";
import { reasonField } from "./table.js";

function banners(view) {
	const bad = (key, ...words) => h("div.banner.bad", { role: "alert", key }, words);
	return h(
		"div.banners",
		view.trouble &&
			bad(
				"trouble",
				h("b", "Not saved yet."),
				` ${shown(view.trouble)} Your changes are kept here and will be sent again.`,
			),
		[...view.refusals].map(([why, names]) =>
			bad(
				`refused/${why}`,
				`Not stored: ${[...names].map((name) => `${name}. `).join("")}${shown(why)} `,
				link("Dismiss", () => {
					view.refusals.delete(why);
					view.render();
				}),
			),
		),
		answersGiven(view),
	);
}

const button = (text, title, onclick, props = {}) => h("button.command", { title, onclick, ...props }, text);
const command = (view, name, text, title = null, props = {}) =>
	button(text, title, () => view.press(name), {
		"data-command": name,
		"aria-busy": view.isPressed(name) || null,
		...props,
	});
const asks = (view, question, text, title, props = {}) =>
	button(text, title, () => view.askInBar(question), {
		"data-ask": question.name ?? question.kind,
		"aria-expanded": view.ui.question?.kind === question.kind && view.ui.question.name === question.name,
		...props,
	});

// A note stands where the judge's word stood, so that nothing moves.
export function bar(view) {
	const { sheet, note, readOnly } = view;
	const says = (look, who, words, title = null) =>
		h("span.who", { title }, h("span.tag", { class: look }, who), " ", words);
	const judge = judgeWords(sheet, view.names, view.hidden);
	const mine = ownWords(view);
	const told = view.leaving ? `${view.ending} …` : shown(note);
	return h(
		"div.bar",
		{ role: "region", "aria-label": "Decision" },
		obstacles(view),
		h(
			"div.line",
			{ class: readOnly && "final" },
			!readOnly && winner(view),
			h(
				"div.summary",
				told
					? h("output.who.note", { title: told }, told)
					: judge
						? says("outline", "judge", judge, judge)
						: h("span.who", "\xa0"),
				readOnly
					? says("solid", view.standing?.whose ?? "you", decision(view), view.standing ? null : mine)
					: says("solid", "you", mine, mine),
				readOnly && h("span.given", reasonField(view, view.better, { name: "" })),
			),
			h("div.actions", readOnly ? finalActions(view) : openActions(view)),
		),
	);
}

function winner(view) {
	const { better, sheet } = view;
	const own = view.own(better);
	const set = own.touch === "changed" ? own.shown : null;
	const keys = { A: "a", TIE: "=", B: "b" };
	const choices = sheet.preference
		? PREFERENCES.map(([value, name], at) => [value, name, String(at + 1)])
		: Object.keys(keys).map((value) => [value, SHARED.outcomes[value], keys[value]]);
	const choice = ([value, name, key]) =>
		h(
			"button.choice",
			{
				role: "radio",
				class: value === "SAME" ? "TIE" : value.split("_")[0],
				"data-address": better,
				"aria-checked": set === value,
				tabindex: (set ?? choices[choices.length >> 1][0]) === value ? "0" : "-1",
				title: `${name} (${key})`,
				onclick: () => view.answerBetter(value),
			},
			h("span.digit", { "aria-hidden": true }, key),
			` ${name}`,
		);
	const scored = set === null && !view.hidden && sheet.verdict?.totals && sheet.verdict.winner;
	const hasScores = view.addresses().some((address) => view.own(address).shown !== null);
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
			!sheet.preference &&
				hasScores &&
				h(
					"button.choice",
					{
						role: "radio",
						key: "scores",
						"aria-checked": set === null && Boolean(sheet.verdict),
						tabindex: "-1",
						disabled: set === null,
						title: "Let the scores say who wins",
						onclick: () => view.clear(better),
					},
					`By the scores${scored ? `: ${scored === "TIE" ? "tie" : scored}` : ""}`,
				),
		),
		reasonField(view, better, { name: "which output is better" }),
	);
}

function ownWords(view) {
	const { sheet, better } = view;
	const all = view.addresses().map((address) => view.own(address));
	const of = (kind) => all.filter(({ touch }) => touch === kind).length;
	const answer = view.own(better);
	const answered = answer.touch === "changed";
	const lacking = view.lacking().length;
	if (view.canOpen && !sheet.preference && lacking)
		return `say which output is better, or give ${count(lacking, "score")}`;
	if (!sheet.verdict && sheet.preference && answered) return preferenceWords(answer.shown, view.names);
	if (!sheet.verdict && answered) return wins(answer.shown, view.names);
	if (!answered && (sheet.preference || all.every(({ shown: value }) => value === null)))
		return "no answer yet";
	if (!sheet.verdict) return leftOut([...new Set(sheet.missing.map((address) => view.rowOf(address)))]);
	const untouched = !answered && of("untouched") === all.length;
	const left = all.filter(({ touch, shown: value }) => touch === "untouched" && value !== null).length;
	if (untouched) return "nothing changed yet; finalising accepts the judge's scores";
	return [
		!view.hidden
			? [verdictWords(sheet.verdict, view.names), decided(sheet.verdict)].join(", ")
			: answered && wins(answer.shown, view.names),
		["changed", "confirmed"]
			.filter(of)
			.map((touch) => `${of(touch)} ${touch}`)
			.join(", "),
		of("cannot_judge") && `${of("cannot_judge")} cannot judge`,
		left && `${count(left, "value")} left as judged`,
	]
		.filter(Boolean)
		.join(" · ");
}

function decision(view) {
	const { standing, names } = view;
	const latest = view.sheet.versions.at(-1);
	const [what, rest] = standing
		? [verdictWords(standing.verdict, names), ` ${shown(standing.prose.reasoning)}`]
		: [
				(latest.last_change ? "Finalised: " : "") + outcome(latest, names),
				`, ${decidedFinally(view, latest)}.`,
			];
	return h("span.decided", h("b", what), rest);
}

function obstacles(view) {
	const { sheet, ui } = view;
	return h(
		"div.obstacles",
		banners(view),
		!view.readOnly &&
			sheet.problems.length > 0 &&
			(ui.pressed || sheet.saved.length > 0) &&
			h(
				"div.problems",
				{ class: ui.pressed && "pressed", role: "status" },
				h("span", h("b", "First: "), shown(sheet.problems.join(" "))),
				link("show me", () => view.showObstacle()),
			),
		questionBar(view),
		!ui.question && hint(view),
	);
}

const scoresButton = (view) =>
	button(view.shown ? "Hide scores" : "Scores", "Show or hide the scores (p)", () => view.toggleSheet(), {
		"data-toggle": "scores",
		"aria-expanded": view.shown,
		"aria-controls": "bc-scores",
	});

const more = (view) =>
	asks(view, { kind: "menu" }, "…", "Other answers, comment, keys (q)", { "aria-label": "More" });

function openActions(view) {
	const { sheet, opensFirst } = view;
	const trouble = view.offline || view.trouble !== "";
	const { queued } = view.given;
	const ctrlEnter = (title) => ({ title: `${title} (Ctrl + Enter)`, class: "primary" });
	const opens = opensFirst && !view.lacking().length && ctrlEnter("r");
	const finalise = queued ? "Finalise, next" : "Finalise";
	return [
		h(
			"span.saved",
			{
				class: trouble && "trouble",
				role: "status",
				"aria-live": trouble ? "polite" : "off",
				"data-waiting": String(view.outbox.items.length),
			},
			view.savedWords,
		),
		// First, so that nothing moves once it is gone.
		view.canOpen && command(view, "open_judge", "Open the judge's scores", "r", opens),
		scoresButton(view),
		command(view, "undo", "Undo", "Take back your last change (z)", {
			disabled: !sheet.undoable && view.outbox.changes.length === 0,
		}),
		asks(view, { kind: "say", name: "skip" }, "Skip", "Leave this pair for later, or for others (q 1)", {
			class: "rare",
		}),
		more(view),
		command(view, view.finalises, finalise, finalise, !opensFirst && ctrlEnter(finalise)),
	];
}

function finalActions(view) {
	const text = "Export comparison.json";
	return [
		scoresButton(view),
		view.standing
			? button("Review it too", "Begin your own review", () => view.reviewToo())
			: command(view, "reopen", "Reopen"),
		more(view),
		view.given.together > 0 &&
			asks(view, { kind: "reveal" }, "Reveal", "Show which candidate made which output"),
		view.verdict && !view.verdict.totals
			? asks(view, { kind: "scores" }, `${text}…`, "Needs four scores")
			: command(view, "export", text, "Scores you did not give are the judge's (Ctrl + S)"),
		command(view, "next", view.ended || view.given.last ? "To the queue" : "Next pair", "Ctrl + Enter", {
			class: "primary",
		}),
	];
}

const DISMISSED = "comparator:hints";
function hint(view) {
	const { sheet, before } = view;
	if (sheet.finalised || before) keep(DISMISSED, true);
	if (sheet.project_name !== "Examples" || kept(DISMISSED)) return null;
	const answered =
		view.own(view.better).touch === "changed" || view.rows().every((row) => view.isAnswered(row));
	const [name, words] = answered
		? ["2 of 2: Finalise", "Press Ctrl + Enter. Ctrl + S then saves comparison.json."]
		: ["1 of 2: Decide", "Say which output is better (a, b or =) and why, or score the criteria."];
	return h("p.hint", { key: "hint" }, h("b", name), ` ${words}`);
}
