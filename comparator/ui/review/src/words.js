// @ts-check
// Words and numbers as a reviewer reads them.

import { h } from "./dom.js";

export const LABELS = ["A", "B"];
export const figure = (value) => (value === null || value === undefined ? "–" : String(Number(value)));
export const tenth = (value) => (value === null || value === undefined ? "–" : Number(value).toFixed(1));
export const percent = (value) => `${Math.round(Number(value) * 100)}%`;
export const big = (number) => Number(number).toLocaleString("en");
export const count = (number, one, many) => `${big(number)} ${number === 1 ? one : many || `${one}s`}`;
export const cut = (text, longest) =>
	text.length <= longest ? text : `${text.slice(0, longest / 2)} … ${text.slice(-longest / 2)}`;

// Characters that hide or reorder text are shown as what they are.
const HIDDEN =
	/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g;
export const shown = (text) =>
	String(text ?? "").replace(
		HIDDEN,
		(c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
	);

export function ago(instant) {
	const seconds = Math.max(0, Math.round((Date.now() - new Date(instant).getTime()) / 1000));
	if (seconds < 60) return `${seconds} s ago`;
	if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
	if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
	return count(Math.floor(seconds / 86400), "day") + " ago";
}

export function valueWords({ value }) {
	if (value === null || value === undefined || Array.isArray(value)) return "";
	if (typeof value === "boolean") return value ? ": met" : ": not met";
	return `: ${shown(cut(String(value), 60))}`;
}

export function ownText({ touch, shown: value }) {
	if (touch === "cannot_judge") return "cannot judge";
	const text = Array.isArray(value)
		? value.map((line) => shown(cut(line, 40))).join(" / ")
		: shown(cut(String(value ?? ""), 60));
	const words = typeof value === "boolean" ? (value ? "met" : "not met") : text || "nothing";
	return { untouched: `${words} (not confirmed)`, confirmed: `${words} (confirmed)` }[touch] ?? words;
}

export const reasonText = ({ reason, code }) =>
	[code && shown(code), reason && `“${shown(cut(reason, 60))}”`].filter(Boolean).join(" ") || "no reason";
export const sameOwn = (a, b) =>
	a.touch === b.touch &&
	a.reason === b.reason &&
	a.code === b.code &&
	JSON.stringify(a.shown) === JSON.stringify(b.shown);

// Words that lists, dashboards and messages have too, and what the judge's stated confidence is worth in this project: the
// page sends them. Only from enough blind reviews on is the confidence a probability.
const DECIDED = {};
export const SHARED = {
	disagree: "",
	same_orders: "",
	offline_check: "",
	outcomes: { A: "", B: "", TIE: "" },
	tie: "",
	probability: null,
};
export function learn({ rules = {}, words = {}, probability = null }) {
	Object.assign(DECIDED, rules, { reviewer: "set by you" });
	Object.assign(SHARED, words, { probability });
}
const surely = (stated) =>
	SHARED.probability === null
		? `stated confidence ${stated}%`
		: `probability ${Math.round(SHARED.probability * 100)}% (stated ${stated}%)`;
// What an output is called: by its letter, and by its candidate's name too once that may be told.
export const sideWords = (label, names) => (names ? `${shown(cut(names[label], 40))} (${label})` : label);
export const wins = (winner, names) => (winner === "TIE" ? SHARED.tie : `${sideWords(winner, names)} wins`);
const leftOut = (rows) => (rows?.length ? `${count(rows.length, "row")} not assessed` : "");
export const decided = ({ decided_by: rule, left_out: rows }) =>
	[DECIDED[rule], leftOut(rows)].filter(Boolean).join(", ");

export function basis({ decided_by: rule, left_out: rows }) {
	return [rule !== "rubric" && DECIDED[rule], leftOut(rows)].filter(Boolean);
}

export function verdictWords(verdict, names) {
	if (!verdict.totals) return wins(verdict.winner, names);
	return `${wins(verdict.winner, names)} ${tenth(verdict.totals.A.overall_score)} : ${tenth(verdict.totals.B.overall_score)}`;
}

export function judgeWords(sheet, names) {
	const { judge, judgment } = sheet;
	const verdict = judgment?.verdict;
	if (!sheet.opened && judge.state === "done") return "hidden until you have answered";
	if (judge.state === "failed") return "the judge failed";
	if (judge.state === "interrupted") return "the judge was interrupted";
	if (judge.state === "waiting")
		return judge.step ? shown(judge.step).toLowerCase() : "the judge has not started";
	if (judge.state === "running") return `the judge is working${judge.step ? `: ${shown(judge.step)}` : ""}`;
	if (judge.form) return shown(judge.form);
	if (!verdict)
		return judge.judges?.length
			? `no verdict, the judges are ${judge.settled === "no quorum" ? "too few" : "inconclusive"}`
			: "no verdict";
	const parts = [verdictWords(verdict, names), ...basis(verdict)];
	if (judgment.self_consistent === false) parts.push(`its ${SHARED.disagree}`);
	if (judgment.position_consistent === true) parts.push(SHARED.same_orders);
	if (judgment.position_consistent === false)
		parts.push(judge.judges?.length ? "a judge's two orders disagree" : "its two orders disagree");
	if (judgment.quotes_total)
		parts.push(`${judgment.quotes_found} of ${count(judgment.quotes_total, "quote")} found`);
	parts.push(surely(judgment.stated_confidence));
	return parts.join(", ");
}

export const whoJudges = (sheet) => (sheet.judge.form ? SHARED.offline_check : "judge");

export function effortWords(judge) {
	const parts = [shown(judge.model)];
	if (judge.input_tokens || judge.output_tokens) {
		const cached = judge.cached_tokens ? ` (${big(judge.cached_tokens)} cached)` : "";
		parts.push(`${big(judge.input_tokens)} tokens in${cached}, ${big(judge.output_tokens)} out`);
	}
	if (judge.cost !== null) parts.push(`${Number(judge.cost).toFixed(4)} ${shown(judge.currency)}`);
	if (judge.seconds) parts.push(`${judge.seconds.toFixed(1)} s`);
	return parts.filter(Boolean).join(" · ");
}

export const ORDERS = { AB: "A shown first", BA: "B shown first" };
// Readings that say the same stand once, under whose they are.
export function distinctReadings(passes) {
	const many = passes.some((pass) => pass.repetition > 0);
	const alike = new Map();
	for (const pass of passes) {
		const what = JSON.stringify([pass.value, pass.text, pass.quotes]);
		alike.set(what, [...(alike.get(what) ?? []), pass]);
	}
	return [...alike.values()].map((own) => {
		const all = own.length === passes.length && own.length > 1;
		return { pass: own[0], who: all ? "both orders" : own.map((pass) => orderWords(pass, many)).join("; ") };
	});
}

const orderWords = (pass, many) => ORDERS[pass.order] + (many ? `, reading ${pass.repetition + 1}` : "");

export const letter = (label) => h("span", { class: `letter ${label}` }, label);

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
