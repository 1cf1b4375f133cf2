// @ts-check
// Questions that stand in the bar: answers other than scores, the code of a reason, and who made which output.

import { h } from "../dom.js";
import { shown } from "../words.js";

// An answer's name in the menu, what is asked with it, the button that gives it, and how it is told afterwards.
const OTHER_ANSWERS = {
	skip: ["Skip", "Why do you skip this pair?", "Skip it", "You skipped this pair"],
	flag: [
		"Flag for discussion",
		"What should be discussed about this pair?",
		"Flag it",
		"You flagged this pair for discussion",
	],
	cannot_judge: [
		"Cannot judge this pair",
		"Why can this pair not be judged?",
		"Cannot judge",
		"You cannot judge this pair",
	],
	outside_expertise: [
		"Outside my expertise",
		"What expertise does this pair need?",
		"Outside my expertise",
		"This pair is outside your expertise",
	],
};
const SURE = ["a guess", "fairly sure", "certain"];

export const answersGiven = (view) =>
	view.sheet.answers.map(({ id, kind, text = "", at }) =>
		h(
			"div.banner",
			{ key: `given/${id}` },
			h("b", { title: new Date(at).toLocaleString() }, `${OTHER_ANSWERS[kind][3]}.`),
			text && ` ${shown(text)}`,
			" ",
			!view.readOnly && h("button.link", { onclick: () => view.press("withdraw", id) }, "Take back"),
		),
	);

function choicesOf(view, question) {
	switch (question.kind) {
		case "menu":
			return [
				...Object.entries(OTHER_ANSWERS).map(([name, [menu]]) => [
					menu,
					() => view.askInBar({ kind: "say", name }),
				]),
				view.sheet.blindness !== "known" && ["I know which is which", () => view.press("knows")],
			].filter(Boolean);
		case "guess":
			return guesses(view, question);
		case "reveal": {
			const { together } = view.given;
			return [
				[together > 1 ? `Reveal all ${together}` : "Reveal the candidates", () => view.press("reveal")],
			];
		}
		default:
			return [];
	}
}

// Each candidate with each degree of certainty: one answer, which finalises.
function guesses(view, { then }) {
	const choices = view.sheet.guess ?? [];
	const answer = (text) => () => {
		view.press("guess", text);
		return view.press(then, "", { guessed: true });
	};
	if (choices.length === 0)
		return [
			["No", answer("")],
			...["A suspicion", "Fairly sure", "I am certain"].map((name, index) => [name, answer(`:${index + 1}`)]),
		];
	return [
		...choices.flatMap(({ number, text }) =>
			SURE.map((sure, index) => [`${shown(text)}: ${sure}`, answer(`${number}:${index + 1}`)]),
		),
		["No idea", answer("")],
	];
}

function textOf(view, { kind }) {
	if (kind === "menu") return "Instead of a verdict:";
	if (kind === "guess")
		return view.sheet.guess?.length
			? "Before you go on: which candidate do you think made output A?"
			: "Before you go on: did anything reveal who made which output?";
	const { together } = view.given;
	return `${together > 1 ? `${together} comparisons of these two candidates are revealed together. ` : ""}Later changes count as not blind.`;
}

const SCORES = "They go into this file only, not into any statistic.";

export function questionBar(view) {
	const { question: now } = view.ui;
	if (!now) return null;
	if (now.kind === "say") {
		const [, label, done] = OTHER_ANSWERS[now.name];
		const needed = view.sheet.reasons === "required";
		return lineForm(view, {
			name: now.name,
			text: now.text,
			label: `${label} (${needed ? "required" : "optional"})`,
			done,
			lacking: needed && "Give a short reason.",
		});
	}
	if (now.kind === "scores") {
		// A pair that was decided by its winner alone has no scores, which comparison.json needs.
		const why = view.own("reasoning").shown ? "" : "; then a sentence on why";
		return lineForm(view, {
			name: "scores",
			command: "export",
			label: `Four whole numbers from 1 to 5: content and structure of A, then of B${why}. ${SCORES}`,
			done: "Export comparison.json",
			lacking: "Write four numbers, such as 4,3,2,3.",
		});
	}
	const choice = ([name, act], index) =>
		h(
			"button.command.small",
			{ "data-choice": String(index + 1), onclick: act },
			index < 9 && h("span.digit", { "aria-hidden": true }, String(index + 1)),
			` ${name}`,
		);
	return h(
		"div.asking",
		{ key: "asking", role: "group", "aria-labelledby": "bc-asking" },
		h("b", { id: "bc-asking" }, textOf(view, now)),
		choicesOf(view, now).map(choice),
		h("button.link", { title: "Escape", onclick: () => view.closeQuestion() }, "Cancel"),
	);
}

function lineForm(view, { name, command = name, text = null, label, done, lacking }) {
	const send = () => {
		const typed = view.find("[data-say]").value.trim();
		if (typed || !lacking) return view.press(command, typed);
		view.note = lacking;
		return view.render();
	};
	const keys = (event) => {
		if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
		event.preventDefault();
		event.stopPropagation();
		if (event.key === "Enter") send();
		else view.closeQuestion();
	};
	return h(
		"div.asking",
		{ key: `say/${name}` },
		h("input", {
			type: "text",
			maxlength: 3900,
			placeholder: label,
			"aria-label": label,
			"data-say": name,
			value: text,
			onkeydown: keys,
		}),
		h("button.command", { "data-command": command, onclick: send }, done),
		h("button.command", { onclick: () => view.closeQuestion() }, "Cancel"),
	);
}

// A key while a question stands in the bar: a digit chooses, Escape leaves. Other keys keep their meaning.
export function answerKey(view, key) {
	if (key.key === "Escape") return view.closeQuestion();
	const choice = /^[1-9]$/.test(key.key) ? choicesOf(view, view.ui.question)[Number(key.key) - 1] : undefined;
	if (choice) choice[1]();
	return /^[0-9]$/.test(key.key);
}
