// The list of comparisons. Everything foreign is set as text, never as markup.

import { element, h, render } from "../review/src/dom.js";
import { letter, moment, tenth } from "../review/src/words.js";

const chip = ({ tone, hover, text }) => h("span.chip", { class: tone, title: hover || null }, text);
const small = (words) => words && h("span.by", { title: words }, words);
const flagged = (flags) =>
	flags.length > 1
		? chip({
				tone: "warn",
				hover: flags.map(({ text, hover }) => `${text}: ${hover}`).join("\n"),
				text: `${flags.length} findings`,
			})
		: flags.map(chip);
const CELLS = {
	title: (row) => [
		h(
			"div.titled",
			h("a.open", { href: row.href, title: row.title }, row.title),
			row.note && h("span.by", row.note),
			flagged(row.flags),
			h(
				"span.about",
				{ title: row.about.join(" · ") },
				row.about.map((part, at) => h("span", at > 0 && " · ", part)),
			),
		),
		row.problem && h("div.problem", row.problem),
	],
	starts: (row) =>
		h(
			"div.both",
			(row.turned ? ["B", "A"] : ["A", "B"]).map((label) =>
				h("span", { title: row.starts[label] }, `${row.names?.[label] ?? label}: ${row.starts[label]}`),
			),
		),
	status: ({ status }) => chip(status),
	project: ({ project }) => small(project),
	winner: (row) => (row.winner ? [...verdict(row), small(row.by)] : small(row.by || "–")),
	why: ({ why }) => small(why),
	time: ({ time }) => moment(time),
	actions: ({ actions }, choose) =>
		actions.map(({ name, hover, label }) =>
			h("button", { title: hover || null, onclick: () => choose(name) }, label),
		),
};

// Who won, the winner and its score first: the letter; once names may be told, both with the winner's in bold.
export function verdict({ winner, names, scores, turned }) {
	const first = winner === "B" || (winner === "TIE" && turned) ? "B" : "A";
	const order = first === "A" ? ["A", "B"] : ["B", "A"];
	const tie = winner === "TIE" && h("span.tie", "Tie");
	const figures = scores && h("span.figures", order.map((label) => tenth(scores[label])).join(" to "));
	if (!names) return [tie || letter(winner), figures];
	const [one, two] = order.map((label) => [letter(label), ` ${names[label]}`]);
	return [
		tie,
		h(tie ? "span.named" : "b.named", { title: tie ? null : `${names[first]} wins` }, one),
		figures || (tie ? " and " : " over "),
		h("span.named", two),
	];
}

function head({ name, label }, { by: column, descending, offered }, sort) {
	if (!offered.includes(name)) return h("th", { class: name, scope: "col" }, label);
	const [order, arrow] =
		column !== name ? [null, " ↕"] : descending ? ["descending", " ↓"] : ["ascending", " ↑"];
	const button = h("button.sort", { onclick: () => sort(name) }, label, arrow);
	return h("th", { class: name, scope: "col", "aria-sort": order }, button);
}

function table({ columns, rows, sorting }, send, sort) {
	const line = (row) => {
		const choose = (action) => send({ action, id: row.id });
		const open = (event) => {
			if (event.metaKey || event.ctrlKey || event.shiftKey || event.target.closest("button")) return;
			event.preventDefault();
			choose("open");
		};
		const cells = columns.map(({ name }) => h("td", { class: name }, CELLS[name](row, choose)));
		return h("tr", { key: row.id, onclick: open }, cells);
	};
	const body = rows.flatMap((row, at) => [
		row.group &&
			row.group !== rows[at - 1]?.group &&
			h("tr.group", { key: `group/${row.id}` }, h("th.group", { scope: "rowgroup" }, row.group)),
		line(row),
	]);
	return h(
		"table",
		h(
			"thead",
			h(
				"tr",
				columns.map((column) => head(column, sorting || { offered: [] }, sort)),
			),
		),
		h("tbody", body),
	);
}

export default function listing({ parentElement, data, setTriggerValue }) {
	let root = parentElement.querySelector(".root");
	if (!root) parentElement.append((root = element("div", { class: "root" })));
	const send = (chosen) => setTriggerValue("chosen", chosen);
	const sort = (column) => setTriggerValue("sorted", column);
	render(table(data, send, sort), root);
	if (data.into_view) root.scrollIntoView({ behavior: "smooth" });
}
