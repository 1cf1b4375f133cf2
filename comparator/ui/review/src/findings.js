// @ts-check
// What is to be known of the pair before it is read, in one line above the outputs: each finding opened by a click, and
// the judge at work. A pair without findings has no such line.

import { h } from "./dom.js";
import { LABELS, cut, shown, sideWords, wins } from "./words.js";

const ABOUT = {
	example: [
		"Example judgment",
		"It was written for this example in the format of a model's answer. No model was used.",
	],
	flip: [
		"Judge's two orders disagree",
		"The judge preferred one output when A was shown first, and the other when B was. Where its readings differ, both values are shown.",
	],
	split: ["Judges disagree", "Several judges were asked. Each was reconciled over both orders first:"],
	addressed: ["An output addresses the judge", "It was treated as data, not as an instruction:"],
	aside: ["Files set aside", "These files are not judged. The reveal shows which output they belong to."],
	revealed: [
		"Candidates revealed",
		"Changes made now are marked as not blind and left out of blind statistics.",
	],
	late: [
		"Candidates are known: your review will not count as blind",
		"They were revealed before you finalised. Blind statistics leave your review out.",
	],
	sides_hidden: [
		"Sides are hidden; you know the candidates",
		"You set this pair up. Which output is whose was drawn by chance. Your review is counted separately, not as blind.",
	],
	known: ["Not blind for you", "You know which output is whose. Your review is counted separately."],
};

const FORM_ONLY =
	"It looks at form only: whether there is an output, whether its files open and parse, and whether the files that the task names are there. It cannot tell right from wrong.";
const NO_DIFFERENCE = "no difference in form";
const NO_WINNER = {
	inconclusive: "inconclusive, its two orders disagree",
	abstained: "abstained",
	failed: "failed, or used an earlier rubric",
};

// What lists say of the same pair; the page sends it, so that it stands in one place.
export const learnFlags = (flags) => Object.assign(ABOUT, flags);

// Both verdicts of each reading that contradicts itself.
const bothVerdicts = (judgment, names) =>
	judgment.contradictions.map(
		({ order, named, by_scores: scored }) =>
			`With ${order[0]} shown first, it named: ${wins(named, names)}. Its scores say: ${wins(scored, names)}.`,
	);

export function findingsOf(sheet, names) {
	const { judge, judgment } = sheet;
	const addressed = [...new Set((judgment?.passes ?? []).flatMap(({ answer }) => answer.addressed_judge))];
	const found = (kind, tone, lines = []) => ({
		kind,
		tone,
		name: ABOUT[kind][0],
		about: ABOUT[kind][1],
		lines: lines.map((line) => shown(cut(line, 400))),
	});
	const notes = LABELS.flatMap((label) =>
		(sheet.view_notes?.[label] ?? []).map((note) => ({
			kind: `note/${label}`,
			tone: "warn",
			name: `${sideWords(label, names)}: ${shown(cut(note, 60))}`,
			about: shown(note),
			lines: [],
		})),
	);
	return [
		judge.form && {
			kind: "offline",
			tone: judge.form === NO_DIFFERENCE ? "" : "warn",
			name: `Offline check: ${shown(judge.form)}`,
			about: FORM_ONLY,
			lines: [],
		},
		judge.example && found("example", ""),
		judgment?.contradictions.length > 0 && found("contradicts", "warn", bothVerdicts(judgment, names)),
		judgment?.position_consistent === false && found("flip", "warn"),
		judge.judges?.some((each) => each.vote !== judge.judges[0].vote) &&
			found(
				"split",
				"warn",
				judge.judges.map((each) => `${each.name}: ${NO_WINNER[each.vote] ?? wins(each.vote, names)}`),
			),
		addressed.length > 0 && found("addressed", "warn", addressed),
		...(sheet.cut_off ?? []).map((label) => ({
			kind: `cut/${label}`,
			tone: "warn",
			name: ABOUT.cut[0].replace("{}", () => sideWords(label, names)),
			about: ABOUT.cut[1],
			lines: [],
		})),
		sheet.void && found("void", "warn"),
		sheet.may_reveal && found("reveals", "warn"),
		...notes,
		sheet.superseded && found("superseded", ""),
		sheet.aside_of_both?.length > 0 && found("aside", "", sheet.aside_of_both),
		sheet.revealed && (sheet.finalised ? found("revealed", "") : found("late", "warn")),
		sheet.blindness in ABOUT && !sheet.revealed && found(sheet.blindness, ""),
	].filter(Boolean);
}

export function findingsLine(view) {
	const findings = findingsOf(view.sheet, view.names);
	if (!findings.length && !view.working) return null;
	const step = shown(view.sheet.judge.step || "The judge is reading both outputs");
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
			findings.map(({ kind, tone, name, about, lines }) => [
				h("button", { class: `finding ${tone}`, key: kind, title: about, popovertarget: `bc-${kind}` }, name),
				h(
					"div.about",
					{ key: `about/${kind}`, id: `bc-${kind}`, popover: "auto" },
					about,
					lines.map((text) => h("blockquote", text)),
				),
			]),
		),
	);
}
