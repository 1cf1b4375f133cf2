// Questions in the bar.

import { h, link, onKeys } from "../dom.js";
import { shown } from "../words.js";

// An answer's name, and what is asked with it.
const OTHER_ANSWERS = {
	skip: ["Skip", "Why do you skip this pair?"],
	flag: ["Flag for discussion", "What should be discussed about this pair?"],
	cannot_judge: ["Cannot judge", "Why can this pair not be judged?"],
	outside_expertise: ["Outside my expertise", "What expertise does this pair need?"],
};
const SURE = ["a guess", "fairly sure", "certain"];

export const answersGiven = (view) =>
	view.sheet.answers.map(({ id, kind, text = "" }) =>
		h(
			"div.banner",
			{ key: `given/${id}` },
			h("b", `Your answer: ${OTHER_ANSWERS[kind][0]}.`),
			text && ` ${shown(text)}`,
			" ",
			!view.readOnly && link("Take back", () => view.press("withdraw", id)),
		),
	);

const ASKED = {
	menu: (view) => {
		const say = ([name, [menu]]) => [menu, () => view.askInBar({ kind: "say", name })];
		const answers = Object.entries(OTHER_ANSWERS).map(say);
		if (view.sheet.blindness !== "known") answers.push(["I know which is which", () => view.press("knows")]);
		const provenance = ["Export provenance", () => view.press("export_provenance")];
		const then = (act) => () => view.closeQuestion() && act();
		return [
			"More:",
			...(view.readOnly ? [provenance] : answers),
			["Comment", then(() => view.notes.compose())],
			["Keys", then(() => view.showKeys())],
		];
	},
	reveal: (view) => {
		const all = view.given.together > 1 ? view.given.together : 0;
		return [
			`${all ? `Reveals all ${all} comparisons of these two candidates. ` : ""}Later changes count as not blind.`,
			[all ? `Reveal all ${all}` : "Reveal the candidates", () => view.press("reveal")],
		];
	},
	guess: (view, { then }) => {
		const answer = (text) => () => {
			view.press("guess", text);
			view.press(then);
		};
		const candidates = view.sheet.guess ?? [];
		if (!candidates.length)
			return [
				"Before you go on: did anything reveal who made which output?",
				["No", answer("")],
				...SURE.map((name, at) => [name, answer(`:${at + 1}`)]),
			];
		return [
			"Before you go on: which candidate do you think made output A?",
			...candidates.flatMap(({ number, text }) =>
				SURE.map((sure, at) => [`${shown(text)}: ${sure}`, answer(`${number}:${at + 1}`)]),
			),
			["No idea", answer("")],
		];
	},
};

export function questionBar(view) {
	const { question: now } = view.ui;
	if (!now) return null;
	if (now.kind === "say") {
		const [done, label] = OTHER_ANSWERS[now.name];
		const needed = view.sheet.reasons === "required";
		return lineForm(view, now.name, {
			text: now.text,
			label: `${label} (${needed ? "required" : "optional"})`,
			done,
			lacking: needed && "Give a short reason.",
		});
	}
	if (now.kind === "scores") {
		// A pair that was decided by its winner alone has no scores, which comparison.json needs.
		const { prose } = now.before ? view.before.sheet : view.sheet;
		const why = prose.reasoning ? "" : ", then a sentence on why";
		return lineForm(view, "export", {
			text: now.text,
			act: now.before && ((typed) => view.exportBefore(typed)),
			label: `${now.before ? "The pair before: " : ""}1 to 5 for content and structure of A, then of B, such as 4,3,2,3${why}. Only this file gets them.`,
			done: "Export comparison.json",
			lacking: "Write four numbers.",
		});
	}
	const [text, ...choices] = ASKED[now.kind](view, now);
	const choice = ([name, act], at) =>
		h(
			"button.command.small",
			{ onclick: act },
			at < 9 && h("span.digit", { "aria-hidden": true }, at + 1),
			` ${name}`,
		);
	return h(
		"div.asking",
		{ role: "group", "aria-labelledby": "bc-asking" },
		h("b", { id: "bc-asking" }, text),
		choices.map(choice),
		link("Cancel", () => view.closeQuestion(), { title: "Escape" }),
	);
}

function lineForm(view, name, { text = null, act = null, label, done, lacking }) {
	const send = () => {
		const typed = view.find("[data-say]").value.trim();
		if (typed || !lacking) return act ? act(typed) : view.press(name, typed);
		view.note = lacking;
		return view.render();
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
			defaultValue: text,
			onkeydown: onKeys({ Enter: send, Escape: () => view.closeQuestion() }),
		}),
		h("button.command", { "data-command": name, onclick: send }, done),
		h("button.command", { onclick: () => view.closeQuestion() }, "Cancel"),
	);
}

// A digit chooses, Escape leaves; other keys keep their meaning.
export function answerKey(view, { key }) {
	if (key === "Escape") return view.closeQuestion();
	const { question } = view.ui;
	if (/^[1-9]$/.test(key)) ASKED[question.kind]?.(view, question)[key]?.[1]();
	return /^[0-9]$/.test(key);
}
