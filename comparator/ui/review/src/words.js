// Words and numbers as a reviewer reads them.

import { h, middle } from "./dom.js";

export const LABELS = ["A", "B"];
export const figure = (value) => ((value ?? null) === null ? "–" : String(Number(value)));
export const tenth = (value) => ((value ?? null) === null ? "–" : Number(value).toFixed(1));
export const percent = (value) => `${Math.round(Number(value) * 100)}%`;
export const big = (number) => Number(number).toLocaleString("en");
export const count = (number, one, many = `${one}s`) => `${big(number)} ${number === 1 ? one : many}`;

// Characters that hide or reorder text are shown as what they are.
const HIDDEN =
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g;
export const shown = (text) =>
	String(text ?? "").replace(
		HIDDEN,
		(c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
	);

const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const UNITS = { day: 86400, hour: 3600, minute: 60 };
export function ago(instant) {
	const date = new Date(instant);
	const seconds = (date.getTime() - Date.now()) / 1000;
	if (seconds < -7 * UNITS.day) return date.toLocaleDateString("en", { dateStyle: "medium" });
	const unit = /** @type {any} */ (Object.keys(UNITS).find((name) => -seconds >= UNITS[name]));
	return unit ? RELATIVE.format(Math.trunc(seconds / UNITS[unit]), unit) : "just now";
}
export const moment = (instant) =>
	h("time", { datetime: instant, title: new Date(instant).toLocaleString() }, ago(instant));

export const met = (value) => (value ? "met" : "not met");
export function valueWords({ value, reason = "" }) {
	const said = typeof value === "boolean" ? met(value) : [value ?? []].flat().join("; ");
	return [said, reason].map((text) => text && `: ${shown(text)}`).join("");
}

// Words that other pages have too, and what stated confidence is worth by blind reviews.
const DECIDED = {};
export const SHARED = /** @type {any} */ ({ probability: null });
export function learn({ rules = {}, words = {}, probability = null }) {
	Object.assign(DECIDED, rules, { reviewer: "set by you" });
	Object.assign(SHARED, words, { probability });
}
const surely = (stated) =>
	SHARED.probability === null
		? `stated confidence ${stated}%`
		: `probability ${percent(SHARED.probability)} (stated ${stated}%)`;
export const sideWords = (label, names) => (names ? `${shown(middle(names[label], 40))} (${label})` : label);
export const wins = (winner, names) => (winner === "TIE" ? SHARED.tie : `${sideWords(winner, names)} wins`);
export const outcome = ({ winner, last_change: changes }, names) =>
	(changes ? "" : "Accepted as judged: ") + wins(winner, names);
export const leftOut = (rows) => (rows?.length ? `${count(rows.length, "row")} not assessed` : "");
export const decided = ({ decided_by: rule, left_out: rows, totals }) =>
	[DECIDED[rule], totals && leftOut(rows)].filter(Boolean).join(", ");

export function verdictWords({ winner, totals, decided_by: rule }, names) {
	if (!totals) return wins(winner, names);
	const [a, b] = LABELS.map((label) => tenth(totals[label].overall_score));
	const scores = winner === "B" ? [b, a] : [a, b];
	const higher = a === b ? "TIE" : Number(a) > Number(b) ? "A" : "B";
	const against = higher === "TIE" ? ", at equal scores" : ", against the scores";
	const how = rule === "reviewer" && winner !== higher ? against : "";
	return `${wins(winner, names)}${how} ${scores.join(" to ")}`;
}

const STATES = { failed: "the judge failed", waiting: "the judge has not started" };
export const judgeState = ({ state, step }) =>
	(state !== "failed" && shown(step).toLowerCase()) || (STATES[state] ?? "the judge is working");

export function judgeWords(sheet, names, hidden = false) {
	const { judge, judgment } = sheet;
	const verdict = judgment?.verdict;
	if (!sheet.opened && judge.state === "done") return "hidden until you have answered";
	if (hidden && verdict) return "hidden with the scores";
	if (judge.state !== "done") return judgeState(judge);
	// Above the outputs it stands where it has found something.
	if (judge.form) return "";
	if (!verdict) return `no verdict${judge.judges?.length ? `: ${judge.settled}` : ""}`;
	const { contradictions, position_consistent: same, quotes_found: found, quotes_total: quotes } = judgment;
	return [
		verdictWords(verdict, names),
		verdict.decided_by !== "rubric" && DECIDED[verdict.decided_by],
		leftOut(verdict.left_out),
		contradictions.length && `its ${SHARED.disagree}`,
		same === true && SHARED.same_orders,
		same === false && `${judge.judges?.length ? "a judge's" : "its"} two orders disagree`,
		found < quotes && `${found} of ${count(quotes, "quote")} found`,
		surely(judgment.stated_confidence),
	]
		.filter(Boolean)
		.join(", ");
}

export const ORDERS = { AB: "A shown first", BA: "B shown first" };
// Readings that say the same stand once.
export function distinctReadings(passes) {
	const many = passes.some((pass) => pass.repetition > 0);
	const words = (pass) => ORDERS[pass.order] + (many ? `, reading ${pass.repetition + 1}` : "");
	const alike = new Map();
	for (const pass of passes) {
		const what = JSON.stringify([pass.value, pass.text, pass.quotes]);
		alike.set(what, [...(alike.get(what) ?? []), pass]);
	}
	return [...alike.values()].map((own) => {
		const all = own.length === passes.length && own.length > 1;
		return { pass: own[0], who: all ? "both orders" : own.map(words).join("; ") };
	});
}

export const letter = (label) => h("span", { class: `letter ${label}` }, label);

export const halves = (draw) =>
	h(
		"div.halves",
		LABELS.map((label) => h("section", { class: label, "aria-label": `Output ${label}` }, draw(label))),
	);

export const PREFERENCES = [
	["A_MUCH", "A much better"],
	["A", "A better"],
	["SAME", "The same"],
	["B", "B better"],
	["B_MUCH", "B much better"],
];

export function preferenceWords(answer, names) {
	const words = PREFERENCES.find(([value]) => value === answer)?.[1] ?? "";
	return words.replace(/^[AB](?= )/, (label) => sideWords(label, names));
}
