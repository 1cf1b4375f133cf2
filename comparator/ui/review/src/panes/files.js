// @ts-check
// The files of a pair: as tabs over the panes where they are few, and all in one list, grouped by folder and drawn only
// where it is in sight, so that thousands stay usable.

import { button, h, middle } from "../dom.js";
import { big, count } from "../words.js";
import { KINDS, isLooked, marksOf, titleOf, whereOf } from "./entries.js";

const MANY = 14;
const ROW = 28;
const SPARE = 12;
const SAME = "\u0000same";
const TASK = "\u0000task";
const ASIDE = "\u0000aside";
const collator = new Intl.Collator("en", { numeric: true });

export class Files {
	entries = [];
	sorted = [];
	aside = { both: [], files: [] };
	identicalShown = false;
	open = false;
	filter = "";
	only = null;
	joining = null;
	turned = new Set();
	at = -1;
	top = 0;
	height = 400;

	constructor(panes) {
		this.panes = panes;
	}

	update(entries, aside) {
		this.entries = entries;
		this.sorted = [...entries].sort((one, two) => collator.compare(one.names[0], two.names[0]));
		this.aside = aside;
		this.joining = null;
	}

	moved() {
		this.open = false;
		this.filter = "";
	}

	get identical() {
		return this.entries.filter((entry) => entry.identical).length;
	}

	get inTabs() {
		return this.entries.filter(
			(entry) => !entry.identical || this.identicalShown || entry === this.panes.entry,
		);
	}

	strip() {
		const { panes, inTabs, identical } = this;
		const { entry } = panes;
		const few = this.entries.length - identical <= MANY;
		const tabs = few ? inTabs : inTabs.filter((one) => one === entry);
		const task = tabs.find((one) => one.role);
		return [
			h(
				"nav.strip",
				{ "aria-label": "Files" },
				button("All files: search, kinds, pairs (f)", () => this.toggle(), {
					symbol: "list",
					text: count(this.entries.length, "file"),
					class: "all",
					"aria-haspopup": "dialog",
				}),
				button("Previous file ([)", () => panes.step(-1), { symbol: "left", name: "Previous file" }),
				h("span.at", `${inTabs.indexOf(entry) + 1} / ${big(inTabs.length)}`),
				button("Next file (])", () => panes.step(1), { symbol: "right", name: "Next file" }),
				entry &&
					button("Looked at (x)", () => panes.tick(entry), {
						symbol: "tick",
						class: "tick",
						pressed: isLooked(entry, panes.looked),
					}),
			),
			h(
				"div.files",
				{ role: "tablist", "aria-label": "Files", onkeydown: (event) => this.tabKey(event) },
				tabs.map((one) => [
					one === task && few && h("span.divider", { role: "presentation", key: "task" }, "Task"),
					this.tab(one, few),
				]),
				identical > 0 &&
					few &&
					button(
						this.identicalShown ? `Hide ${identical} identical` : `${identical} identical hidden`,
						() => {
							this.identicalShown = !this.identicalShown;
							this.panes.draw();
						},
						{
							text: this.identicalShown ? `Hide ${identical} identical` : `${identical} identical hidden`,
							class: "fold",
							pressed: this.identicalShown,
							key: "same",
						},
					),
				!this.entries.length && h("span.divider", "No files"),
			),
		];
	}

	tab(entry, few) {
		const chosen = entry === this.panes.entry;
		const seen = isLooked(entry, this.panes.looked);
		const { tag } = KINDS[entry.kind];
		return h(
			"button",
			{
				role: "tab",
				key: entry.id,
				"aria-selected": chosen,
				tabindex: chosen ? "0" : "-1",
				class: seen ? "seen" : null,
				title: `${entry.names.join(" and ")}: ${whereOf(entry)}${seen ? ", looked at" : ""}`,
				onclick: () => this.panes.choose(entry),
			},
			h("i.dot", { "aria-hidden": true }),
			entry.role && h("small", entry.role),
			h("span.name", titleOf(entry, few ? 40 : 64)),
			marksOf(entry),
			tag && h("small", tag),
		);
	}

	// Not scrollIntoView: it would scroll the page too.
	showTab() {
		const list = this.panes.view.find(".files");
		const chosen = list?.querySelector("[aria-selected=true]");
		if (!chosen) return;
		const left = chosen.offsetLeft - list.offsetLeft;
		if (left < list.scrollLeft || left + chosen.offsetWidth > list.scrollLeft + list.clientWidth)
			list.scrollLeft = left - 2;
	}

	tabKey(event) {
		const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (!by) return;
		event.preventDefault();
		event.stopPropagation();
		this.panes.step(by);
		this.panes.view.find(".files [aria-selected=true]")?.focus();
	}

	toggle() {
		if (this.open) this.hide();
		else this.show();
	}

	show() {
		this.open = true;
		this.panes.draw();
		// The server reads ahead, so that the first search finds the words at hand.
		if (!this.panes.find.text) this.panes.find.warm();
		this.reveal(this.panes.entry);
		this.input.focus({ preventScroll: true });
		this.input.select();
	}

	hide() {
		this.open = false;
		this.joining = null;
		this.panes.draw();
		this.panes.view.find(".strip > .all")?.focus({ preventScroll: true });
	}

	/** @returns {HTMLInputElement} */
	get input() {
		return this.panes.view.find(".list input");
	}

	typed(text) {
		this.filter = text.trim().toLowerCase();
		this.at = -1;
		clearTimeout(this.waiting);
		this.waiting = setTimeout(() => this.panes.find.ask(text.trim()), 200);
		this.panes.draw();
	}

	hits(entry) {
		return entry.files.reduce((sum, file) => sum + (this.panes.find.counts.get(file.id) || 0), 0);
	}

	matches(entry) {
		const named = entry.low.includes(this.filter);
		if (this.joining)
			return !entry.role && entry !== this.joining && Boolean(entry[this.joining.a ? "b" : "a"]) && named;
		return (!this.only || entry.kind === this.only) && (named || this.hits(entry) > 0);
	}

	// Before the reveal not by output: whoever left notes about itself would be known by them.
	get asideFiles() {
		return this.aside.files.length
			? this.aside.files
			: this.aside.both.map((name) => ({ label: "", name, reason: "" }));
	}

	// The lines as they follow each other: folders with their files, then what is folded away.
	lines() {
		const searching = this.filter !== "" || this.only !== null || this.joining !== null;
		const groups = Map.groupBy(
			this.sorted.filter((entry) => this.matches(entry)),
			(entry) => (entry.identical && !searching ? SAME : entry.role ? TASK : entry.folder),
		);
		const names = [...groups.keys()].filter((name) => !name.startsWith("\u0000")).sort(collator.compare);
		const flat = names.length === 1 && names[0] === "";
		const lines = [];
		const add = (key, title, rows, usually = false) => {
			const folded = !searching && usually !== this.turned.has(key);
			if (title) lines.push({ head: key, title, count: rows.length, folded });
			if (!folded || !title) lines.push(...rows);
		};
		for (const name of names)
			add(
				name,
				flat ? "" : name || "(top folder)",
				groups.get(name).map((entry) => ({ entry, short: !flat })),
			);
		for (const [key, title, usually] of [
			[TASK, "Task", false],
			[SAME, "Identical", true],
		])
			if (groups.has(key))
				add(
					key,
					title,
					groups.get(key).map((entry) => ({ entry })),
					Boolean(usually),
				);
		if (this.asideFiles.length && (!searching || this.only === "aside"))
			add(
				ASIDE,
				"Set aside, not judged",
				this.asideFiles.map((aside) => ({ aside })),
				true,
			);
		return lines;
	}

	list() {
		if (!this.open) return null;
		const { panes } = this;
		const about = panes.find.about();
		this.all = this.lines();
		const first = Math.max(0, Math.floor(this.top / ROW) - SPARE);
		const rows = this.all
			.slice(first, Math.ceil((this.top + this.height) / ROW) + SPARE)
			.map((line, index) => this.row(line, first + index));
		return h(
			"div.list",
			{
				key: "list",
				role: "dialog",
				"aria-label": "All files",
				onkeydown: (event) => {
					if (event.key === "Escape") {
						event.stopPropagation();
						this.hide();
					}
				},
			},
			h(
				"div.top",
				h("input", {
					type: "search",
					placeholder: "Search names and text",
					"aria-label": "Search names and text of all files",
					maxlength: 200,
					spellcheck: "false",
					field: { value: this.panes.find.text, waiting: false },
					oninput: (event) => this.typed(event.target.value),
					onkeydown: (event) => this.key(event),
				}),
				button("Close (Escape)", () => this.hide(), { symbol: "close" }),
			),
			h("span.state", { role: "status", hidden: !about }, about),
			this.chips(),
			this.joining &&
				h(
					"p.hint",
					`Which file of ${this.joining.a ? "B" : "A"} belongs to ${middle(this.joining.names[0], 40)}?`,
					button(
						"Do not pair",
						() => {
							this.joining = null;
							panes.draw();
						},
						{ text: "Cancel" },
					),
				),
			h(
				"div.scroll",
				{
					role: "group",
					"aria-label": "Found files",
					tabindex: "-1",
					ref: (node) => {
						this.body = node;
					},
					onscroll: (event) => {
						this.top = event.target.scrollTop;
						this.height = event.target.clientHeight;
						panes.draw();
					},
				},
				h(
					"div.rows",
					{ style: `height: ${this.all.length * ROW}px` },
					rows,
					!this.all.length && h("p.nothing", "No file matches this name or text."),
				),
			),
		);
	}

	chips() {
		const counts = new Map(
			Object.keys(KINDS).map((kind) => [kind, this.entries.filter((entry) => entry.kind === kind).length]),
		);
		counts.set("aside", this.asideFiles.length);
		const looked = this.entries.filter((entry) => isLooked(entry, this.panes.looked)).length;
		const chip = ([kind, count]) => {
			const name = kind === "aside" ? "Set aside" : KINDS[kind].chip;
			return (
				count > 0 &&
				button(
					`Show only: ${name}`,
					() => {
						this.only = this.only === kind ? null : kind;
						this.toTop();
					},
					{ text: `${name} ${big(count)}`, pressed: this.only === kind },
				)
			);
		};
		return h(
			"div.chips",
			{ role: "group", "aria-label": "Kinds of files" },
			[...counts].map(chip),
			h("span.count", `${big(looked)} of ${big(this.entries.length)} looked at`),
		);
	}

	toTop() {
		this.top = this.body.scrollTop = 0;
		this.panes.draw();
	}

	row(line, index) {
		const style = `top: ${index * ROW}px`;
		if (line.head !== undefined) {
			return h(
				"button.line.head",
				{
					key: `head ${line.head}`,
					style,
					"aria-expanded": !line.folded,
					title: line.title,
					onclick: () => {
						if (!this.turned.delete(line.head)) this.turned.add(line.head);
						this.panes.draw();
					},
				},
				h("span.name", `${line.folded ? "▸" : "▾"} ${middle(line.title, 60)}`),
				h("small", big(line.count)),
			);
		}
		if (line.aside) {
			const { label, name, reason } = line.aside;
			return h(
				"div.line.aside",
				{ key: `aside ${label} ${name}`, style, title: `${name}${reason ? `: ${reason}` : ""}` },
				label && h("b", { class: `side ${label.toLowerCase()}` }, label),
				h("span.name", middle(name, 60)),
				h("small", reason),
				button("Judge this file anyway", () => this.panes.view.tell({ do: "take_back", text: name }), {
					text: "Judge it",
				}),
			);
		}
		return this.entryRow(line.entry, line.short, index, style);
	}

	entryRow(entry, short, index, style) {
		const { panes } = this;
		const seen = isLooked(entry, panes.looked);
		const hits = this.hits(entry);
		const { tag } = KINDS[entry.kind];
		return h(
			"div",
			{
				class: ["line", entry === panes.entry && "current", index === this.at && "at"],
				key: entry.id,
				style,
			},
			h("button", {
				class: seen ? "dot seen" : "dot",
				"aria-pressed": seen,
				tabindex: "-1",
				title: seen ? "Viewed; clear the mark" : "Mark as viewed",
				"aria-label": `Looked at: ${entry.names[0]}`,
				onclick: () => panes.tick(entry),
			}),
			h(
				"button.open",
				{
					"aria-current": entry === panes.entry,
					title: `${entry.names.join(" and ")}: ${whereOf(entry)}${seen ? ", looked at" : ""}`,
					onclick: () => this.pick(entry),
				},
				h("span.name", titleOf(entry, 54, short)),
				hits > 0 && h("small.hits", count(hits, "hit")),
				tag && h("small", tag),
				entry.byHand && entry.kind !== "by_hand" && h("small", "by hand"),
				marksOf(entry),
			),
			!entry.role && !this.joining && this.acts(entry),
		);
	}

	acts(entry) {
		const { view } = this.panes;
		const join = () => {
			this.joining = entry;
			this.filter = "";
			this.input.value = "";
			this.toTop();
			this.input.focus();
		};
		return [
			entry.a && entry.b
				? button("Unpair these files", () => view.tell({ do: "apart", files: [entry.a.id, entry.b.id] }), {
						symbol: "apart",
					})
				: button(`Pair with a file of ${entry.a ? "B" : "A"}`, join, { symbol: "link" }),
			entry.byHand &&
				button(
					"Undo pairing by hand",
					() => view.tell({ do: "unpair", files: entry.files.map((file) => file.id) }),
					{ symbol: "undo" },
				),
		];
	}

	pick(entry) {
		if (!this.joining) return this.panes.pick(entry);
		const [a, b] = this.joining.a ? [this.joining.a, entry.b] : [entry.a, this.joining.b];
		this.joining = null;
		return this.panes.view.tell({ do: "pair", files: [a.id, b.id] });
	}

	reveal(entry) {
		const top = this.all.findIndex((line) => line.entry === entry) * ROW;
		this.height = this.body.clientHeight;
		if (top >= 0 && (top < this.top || top + ROW > this.top + this.height))
			this.body.scrollTop = Math.max(0, top - this.height / 3);
		this.top = this.body.scrollTop;
		this.panes.draw();
	}

	key(event) {
		event.stopPropagation();
		if (event.isComposing) return;
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by) {
			event.preventDefault();
			let at = this.at + by;
			while (this.all[at] && !this.all[at].entry) at += by;
			if (!this.all[at]) return;
			this.at = at;
			this.reveal(this.all[at].entry);
		} else if (event.key === "Enter") {
			event.preventDefault();
			const entry = this.all[this.at]?.entry;
			if (entry) this.pick(entry);
			else this.panes.first(this.input.value.trim(), this.all.find((one) => one.entry)?.entry);
		} else if (event.key === "Escape") this.hide();
	}
}
