// @ts-check
// The files of a pair: as tabs over the panes where they are few, and all in one list, grouped by folder. The browser lays
// out only the lines in sight, so that thousands stay usable.

import { button, h, middle } from "../dom.js";
import { big, count } from "../words.js";
import { KINDS, isLooked, marksOf, titleOf, whereOf } from "./entries.js";

const MANY = 14;
const { compare } = new Intl.Collator("en", { numeric: true });

export class Files {
	entries = [];
	sorted = [];
	aside = [];
	identicalShown = false;
	open = false;
	filter = "";
	only = null;
	joining = null;

	constructor(panes) {
		this.panes = panes;
	}

	// Before the reveal, what is set aside is not told by output: whoever left notes about itself would be known by them.
	update(entries, { files, both }) {
		this.entries = entries;
		this.sorted = entries.toSorted((one, two) => compare(one.names[0], two.names[0]));
		this.aside = files.length ? files : both.map((name) => ({ label: "", name, reason: "" }));
		this.joining = null;
	}

	get inTabs() {
		return this.entries.filter(
			(entry) => !entry.identical || this.identicalShown || entry === this.panes.entry,
		);
	}

	strip() {
		const { panes, inTabs } = this;
		const { entry } = panes;
		const identical = this.entries.filter((one) => one.identical).length;
		const few = this.entries.length - identical <= MANY;
		const tabs = few ? inTabs : inTabs.filter((one) => one === entry);
		const task = tabs.find((one) => one.role);
		const folded = this.identicalShown ? `Hide ${identical} identical` : `${identical} identical hidden`;
		return [
			h(
				"nav.strip",
				{ "aria-label": "Files" },
				button("All files: search, kinds, pairs (f)", null, {
					symbol: "list",
					text: count(this.entries.length, "file"),
					class: "all",
					popovertarget: "bc-files",
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
					this.tab(one, few ? 40 : 64),
				]),
				identical > 0 &&
					few &&
					button(
						folded,
						() => {
							this.identicalShown = !this.identicalShown;
							panes.draw();
						},
						{ text: folded, class: "fold", pressed: this.identicalShown, key: "same" },
					),
				!this.entries.length && h("span.divider", "No files"),
			),
		];
	}

	about(entry) {
		const seen = isLooked(entry, this.panes.looked) ? ", looked at" : "";
		return `${entry.names.join(" and ")}: ${whereOf(entry)}${seen}`;
	}

	tab(entry, most) {
		const chosen = entry === this.panes.entry;
		const { tag } = KINDS[entry.kind];
		return h(
			"button",
			{
				role: "tab",
				key: entry.id,
				"aria-selected": chosen,
				tabindex: chosen ? "0" : "-1",
				class: isLooked(entry, this.panes.looked) && "seen",
				title: this.about(entry),
				onclick: () => this.panes.choose(entry),
			},
			h("i.dot", { "aria-hidden": true }),
			entry.role && h("small", entry.role),
			h("span.name", titleOf(entry, most)),
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

	/** @returns {HTMLElement} */
	get node() {
		return this.panes.view.find(".list");
	}

	toggle() {
		this.node.togglePopover();
	}

	toggled(open) {
		if (open === this.open) return;
		this.open = open;
		this.joining = null;
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

	matches(entry) {
		const named = entry.low.includes(this.filter);
		if (this.joining)
			return !entry.role && entry !== this.joining && Boolean(entry[this.joining.a ? "b" : "a"]) && named;
		return (!this.only || entry.kind === this.only) && (named || this.hits(entry) > 0);
	}

	// Always there, so that it can be opened; drawn while it is open.
	list() {
		return h(
			"div.list",
			{
				key: "list",
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
		const { joining, panes } = this;
		const about = panes.find.about();
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
					spellcheck: "false",
					field: { value: panes.find.text, waiting: false },
					onfocus: (event) => event.target.select(),
					oninput: (event) => this.typed(event.target.value),
				}),
				button("Close (Escape)", () => this.toggle(), { symbol: "close" }),
			),
			h("span.state", { role: "status", hidden: !about }, about),
			this.chips(),
			joining &&
				h(
					"p.hint",
					`Which file of ${joining.a ? "B" : "A"} belongs to ${middle(joining.names[0], 40)}?`,
					button("Do not pair", () => this.join(null), { text: "Cancel" }),
				),
			h(
				"div.scroll",
				{ role: "group", "aria-label": "Found files", tabindex: "-1" },
				groups.length ? groups : h("p.nothing", "No file matches this name or text."),
			),
		];
	}

	chips() {
		const counts = Object.keys(KINDS).map((kind) => [
			kind,
			KINDS[kind].chip,
			this.entries.filter((entry) => entry.kind === kind).length,
		]);
		const looked = this.entries.filter((entry) => isLooked(entry, this.panes.looked)).length;
		const chip = ([kind, name, number]) =>
			number > 0 &&
			button(
				`Show only: ${name}`,
				() => {
					this.only = this.only === kind ? null : kind;
					this.panes.draw();
				},
				{ text: `${name} ${big(number)}`, pressed: this.only === kind },
			);
		return h(
			"div.chips",
			{ role: "group", "aria-label": "Kinds of files" },
			[...counts, ["aside", "Set aside", this.aside.length]].map(chip),
			h("span.count", `${big(looked)} of ${big(this.entries.length)} looked at`),
		);
	}

	// Folders with their files, then the task's files and what is folded away; all of it open where one searches.
	groups() {
		const searching = Boolean(this.filter || this.only || this.joining);
		const groups = Map.groupBy(
			this.sorted.filter((entry) => this.matches(entry)),
			(entry) => (entry.role ? "Task" : entry.identical && !searching ? "Identical" : `/${entry.folder}`),
		);
		const folders = [...groups.keys()].filter((name) => name.startsWith("/")).sort(compare);
		const part = (name, rows, open = true) =>
			h(
				"details",
				{ key: `${name}${searching}`, open: open || searching },
				h(
					"summary.line.head",
					{ title: name },
					h("span.name", middle(name, 60)),
					h("small", big(rows.length)),
				),
				rows,
			);
		const rowsOf = (name, short = false) => groups.get(name).map((entry) => this.row(entry, short));
		const aside = this.aside.length > 0 && (!searching || this.only === "aside");
		return [
			folders.length === 1 && folders[0] === "/"
				? rowsOf("/")
				: folders.map((name) => part(name.slice(1) || "(top folder)", rowsOf(name, true))),
			groups.has("Task") && part("Task", rowsOf("Task")),
			groups.has("Identical") && part("Identical", rowsOf("Identical"), false),
			aside &&
				part(
					"Set aside, not judged",
					this.aside.map((file) => this.asideRow(file)),
					false,
				),
		]
			.flat()
			.filter(Boolean);
	}

	asideRow({ label, name, reason }) {
		return h(
			"div.line.aside",
			{ key: `${label} ${name}`, title: `${name}${reason && `: ${reason}`}` },
			label && h("b", { class: `side ${label.toLowerCase()}` }, label),
			h("span.name", middle(name, 60)),
			h("small", reason),
			button("Judge this file anyway", () => this.panes.view.tell({ do: "take_back", text: name }), {
				text: "Judge it",
			}),
		);
	}

	row(entry, short) {
		const { panes } = this;
		const seen = isLooked(entry, panes.looked);
		const hits = this.hits(entry);
		const { tag } = KINDS[entry.kind];
		return h(
			"div.line",
			{ class: entry === panes.entry && "current", key: entry.id },
			button(seen ? "Viewed; clear the mark" : "Mark as viewed", () => panes.tick(entry), {
				name: `Looked at: ${entry.names[0]}`,
				pressed: seen,
				class: seen ? "dot seen" : "dot",
				tabindex: "-1",
			}),
			h(
				"button.open",
				{
					"aria-current": entry === panes.entry,
					title: this.about(entry),
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
		const files = entry.files.map(({ id }) => id);
		return [
			files.length === 2
				? button("Unpair these files", () => view.tell({ do: "apart", files }), { symbol: "apart" })
				: button(`Pair with a file of ${entry.a ? "B" : "A"}`, () => this.join(entry), { symbol: "link" }),
			entry.byHand &&
				button("Undo pairing by hand", () => view.tell({ do: "unpair", files }), { symbol: "undo" }),
		];
	}

	join(entry) {
		this.joining = entry;
		this.node.querySelector("input").value = "";
		this.typed("");
	}

	pick(entry) {
		if (!this.joining) return this.panes.pick(entry);
		const [a, b] = this.joining.a ? [this.joining.a, entry.b] : [entry.a, this.joining.b];
		this.joining = null;
		return this.panes.view.tell({ do: "pair", files: [a.id, b.id] });
	}

	// Arrows go from the search through the lines; Enter in the search opens the first hit.
	key(event) {
		event.stopPropagation();
		if (event.isComposing) return;
		const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		if (by) {
			event.preventDefault();
			const stops = [...this.node.querySelectorAll("input, .open")].filter((stop) => stop.checkVisibility());
			const at = stops.findIndex((stop) => stop.matches(":focus"));
			/** @type {HTMLElement} */ (stops[at + by])?.focus();
		} else if (event.key === "Enter" && event.target.matches("input"))
			this.panes.first(
				event.target.value.trim(),
				this.sorted.find((entry) => this.matches(entry)),
			);
		else if (event.key === "Escape") this.node.hidePopover();
	}
}
