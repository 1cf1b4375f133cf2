// The files of a pair: as tabs where they are few, and all in one list by folder.

import { button, cut, group, h, onKeys, steps } from "../dom.js";
import { big, count } from "../words.js";

const MANY = 14;
const { compare } = new Intl.Collator("en", { numeric: true });
export const ROLES = { input: "Task input", reference: "Reference answer" };
// Why two files stand together: a word beside the name, and a sentence on hover.
const KINDS = {
	same_path: ["", "in A and B under the same path"],
	same_role: ["other name", "the same deliverable under another name"],
	renamed: ["renamed?", "probably renamed"],
	only_a: ["", "only in A"],
	only_b: ["", "only in B"],
	identical: ["same", "identical in A and B"],
	same_text: ["same text, different layout", "with the same text and a different layout"],
	same_words: ["same text", "with the same text; the layout is not compared"],
};

const folderOf = (name) => name.slice(0, Math.max(0, name.lastIndexOf("/")));

// A pair of files, a file of one output, or one of the task's own, which has a role.
export function entryOf({ a, b = null, kind = "task", role = null }) {
	const files = [a, b].filter(Boolean);
	const names = [...new Set(files.map((file) => file.name))];
	const identical = kind === "identical";
	return {
		a,
		b,
		kind,
		role,
		files,
		names,
		identical,
		id: files.map(({ id }) => id).join("."),
		folder: folderOf(names[0]),
	};
}

export const isLooked = (entry, looked) => entry.files.every((file) => looked.has(file.id));

// Under the head of its folder, and as the second of a pair, a name goes without the folder.
export const titlesOf = ({ names, folder }, short = false) =>
	names.map((name, at) =>
		(short || at) && folderOf(name) === folder ? name.slice(folder && folder.length + 1) : name,
	);
const title = (entry, short) =>
	h(
		"span.name",
		titlesOf(entry, short).map((name, at) => [at > 0 && " ⇄ ", cut(name)]),
	);

const small = (words) => words && h("small", words);
const marks = (entry) =>
	!entry.role &&
	["a", "b"].map((side) =>
		h("b.side", { class: entry[side] ? side : "none" }, entry[side] ? side.toUpperCase() : "–"),
	);

export class Files {
	entries = [];
	sorted = [];
	aside = [];
	open = false;
	filter = "";
	wraps = false;

	constructor(panes) {
		this.panes = panes;
	}

	update(entries, aside) {
		this.entries = entries;
		this.aside = aside;
		this.sorted = entries.toSorted((one, two) => compare(one.names[0], two.names[0]));
	}

	// Identical files are found in the list only.
	get inTabs() {
		return this.entries.filter((entry) => !entry.identical || entry === this.panes.entry);
	}

	// One file is named by the heads of the panes; tabs that are all in sight need no arrows.
	strip() {
		const { panes, inTabs } = this;
		const { entry } = panes;
		const at = h("span.at", `${inTabs.indexOf(entry) + 1} / ${big(inTabs.length)}`);
		const few = inTabs.length <= MANY;
		const tabs = few ? inTabs : inTabs.filter((one) => one === entry);
		return [
			h(
				"nav.strip",
				{ "aria-label": "Files" },
				button("All files: names and text (f)", null, {
					symbol: "list",
					text: count(this.entries.length, "file"),
					class: "all",
					popovertarget: "bc-files",
				}),
				inTabs[1] && (!few || this.wraps) && steps("file", (by) => panes.step(by), at, "[]"),
			),
			h(
				"div.files",
				{
					role: "tablist",
					"aria-label": "Files",
					onkeydown: onKeys({ ArrowRight: () => this.stepTab(1), ArrowLeft: () => this.stepTab(-1) }),
				},
				this.entries.length > 1 && tabs.map((one) => this.tab(one)),
				!this.entries.length && h("small", "No files"),
			),
		];
	}

	about({ names, role, kind }) {
		return `${names.join(" and ")}: ${role ? (ROLES[role] ?? role) : KINDS[kind][1]}`;
	}

	tab(entry) {
		const chosen = entry === this.panes.entry;
		return h(
			"button",
			{
				role: "tab",
				key: entry.id,
				"aria-selected": chosen,
				tabindex: chosen ? "0" : "-1",
				class: isLooked(entry, this.panes.view.looked) && "seen",
				title: this.about(entry),
				"aria-label": entry.names.join(" and "),
				onclick: () => this.panes.choose(entry),
			},
			h("i.dot", { "aria-hidden": true }),
			small(entry.role),
			title(entry),
			marks(entry),
			small(KINDS[entry.kind]?.[0]),
		);
	}

	fit() {
		const list = this.panes.view.find(".files");
		const chosen = list?.querySelector("[aria-selected=true]");
		if (!chosen) return;
		list.scrollTop = chosen.offsetTop - list.offsetTop;
		const wraps = list.scrollHeight > list.clientHeight + 4;
		if (wraps === this.wraps) return;
		this.wraps = wraps;
		this.panes.draw();
	}

	stepTab(by) {
		this.panes.step(by);
		this.panes.view.find(".files [aria-selected=true]")?.focus();
	}

	get node() {
		return this.panes.view.find(".list");
	}

	toggle() {
		this.node.togglePopover();
	}

	toggled(open) {
		if (open === this.open) return;
		this.open = open;
		this.panes.draw();
	}

	typed(text) {
		this.filter = text.trim().toLowerCase();
		clearTimeout(this.waiting);
		this.waiting = setTimeout(() => this.panes.find.ask(text.trim()), 200);
		this.panes.draw();
	}

	hits(entry) {
		return entry.files.reduce((sum, file) => sum + (this.panes.find.counts.get(file.id) || 0), 0);
	}

	get matching() {
		return this.sorted.filter(
			(entry) => entry.names.some((name) => name.toLowerCase().includes(this.filter)) || this.hits(entry) > 0,
		);
	}

	// Always there, so that it can be opened.
	list() {
		return h(
			"div.list",
			{
				id: "bc-files",
				popover: "auto",
				role: "dialog",
				"aria-label": "All files",
				onbeforetoggle: (event) => this.toggled(event.newState === "open"),
				onkeydown: (event) => this.key(event),
			},
			this.open && this.body(),
		);
	}

	body() {
		const { panes } = this;
		const { looked } = panes.view;
		const seen = this.entries.filter((entry) => isLooked(entry, looked)).length;
		const groups = this.groups();
		return [
			h(
				"div.top",
				h("input", {
					type: "search",
					autofocus: true,
					placeholder: "Search names and text",
					"aria-label": "Search names and text of all files",
					maxlength: 200,
					spellcheck: false,
					field: { value: panes.find.text },
					onfocus: (event) => event.target.select(),
					oninput: (event) => this.typed(event.target.value),
				}),
				button("Close (Escape)", () => this.toggle(), { symbol: "close" }),
			),
			h("output.state", panes.find.about()),
			h("span.count", `${big(seen)} of ${big(this.entries.length)} looked at`),
			h(
				"div.scroll",
				{ ...group("Found files"), tabindex: "-1" },
				groups.length ? groups : h("p.nothing", "No file matches this name or text."),
			),
		];
	}

	groups() {
		const searching = Boolean(this.filter);
		const groups = Map.groupBy(this.matching, (entry) =>
			entry.role ? "Task" : entry.identical && !searching ? "Identical" : `/${entry.folder}`,
		);
		const rows = (name, short = false) => (groups.get(name) ?? []).map((entry) => this.row(entry, short));
		const part = (name, lines, open = true) =>
			lines.length > 0 &&
			h(
				"details",
				{ key: `${name}${searching}`, open: open || searching },
				h("summary.line.head", { title: name }, h("span.name", cut(name)), h("small", big(lines.length))),
				lines,
			);
		const folders = [...groups.keys()].filter((name) => name.startsWith("/")).sort(compare);
		return [
			folders.length === 1 && folders[0] === "/"
				? rows("/")
				: folders.map((name) => part(name.slice(1) || "(top folder)", rows(name, true))),
			part("Task", rows("Task")),
			part("Identical", rows("Identical"), false),
			part("Set aside, not judged", searching ? [] : this.aside.map((file) => this.asideRow(file)), false),
		]
			.flat()
			.filter(Boolean);
	}

	asideRow({ label, name, reason }) {
		return h(
			"div.line.aside",
			{ key: `${label} ${name}`, title: `${name}${reason && `: ${reason}`}` },
			label && h("b.side", { class: label.toLowerCase() }, label),
			h("span.name", cut(name)),
			h("small", reason),
			button("Judge this file anyway", () => this.panes.view.tell({ do: "take_back", text: name }), {
				text: "Judge it",
			}),
		);
	}

	row(entry, short) {
		const hits = this.hits(entry);
		return h(
			"div.line",
			{ class: entry === this.panes.entry && "current", key: entry.id },
			h("i.dot", { class: isLooked(entry, this.panes.view.looked) && "seen", "aria-hidden": true }),
			h(
				"button.open",
				{
					"aria-current": entry === this.panes.entry,
					title: this.about(entry),
					onclick: () => this.panes.pick(entry),
				},
				title(entry, short),
				hits > 0 && h("small.hits", count(hits, "hit")),
				small(KINDS[entry.kind]?.[0]),
				marks(entry),
			),
		);
	}

	key(event) {
		event.stopPropagation();
		if (event.isComposing) return;
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by) {
			event.preventDefault();
			const stops = [...this.node.querySelectorAll("input, .open")].filter((stop) => stop.checkVisibility());
			const at = stops.findIndex((stop) => stop.matches(":focus"));
			stops[at + by]?.focus();
		} else if (event.key === "Enter" && event.target.matches("input"))
			this.panes.first(event.target.value.trim(), this.matching[0]);
		else if (event.key === "Escape") this.node.hidePopover();
	}
}
