// Both outputs side by side: which file, linked scrolling and zoom, and what a reviewer has looked at.

import { button, group, h, menu } from "../dom.js";
import { keepPlace, placeIn } from "../kept.js";
import { Differences } from "./differences.js";
import { applyZoom, nextZoom } from "./documents.js";
import { Files, ROLES, entryOf } from "./files.js";
import { Find } from "./find.js";
import { Pane } from "./pane.js";

// A file counts as looked at that was in view for a while, or was scrolled.
const WHILE = 4000;
const SCROLLED = 1200;
// So that the rest of this pair's page comes first.
const QUIET = 100;
const whenIdle = window.requestIdleCallback || ((act) => setTimeout(act, 50));

export class Panes {
	entries = [];
	entry = null;
	memory = placeIn("");
	signature = "";
	shownFor = null;
	prefix = "";
	theme = "light";
	since = 0;
	media = window.matchMedia("(max-width: 1099px)");

	constructor(view, signal) {
		this.view = view;
		this.find = new Find(this);
		this.files = new Files(this);
		this.differences = new Differences(this);
		this.a = new Pane("a", this);
		this.b = new Pane("b", this);
		this.both = [this.a, this.b];
		this.media.addEventListener("change", () => this.draw(), { signal });
	}

	close() {
		this.remember();
		clearTimeout(this.looking);
		clearTimeout(this.ahead);
	}

	draw() {
		this.view.render();
	}

	rememberedOf(file) {
		return (this.memory.files[file?.id] ??= {});
	}

	get frames() {
		return [...this.a.frames, ...this.b.frames];
	}

	get narrow() {
		return this.media.matches;
	}

	get side() {
		const side = this.memory.side;
		return this.entry?.role || (this.narrow && side === "both") ? "a" : side;
	}

	// A pane, and the other one where both go together.
	with(pane) {
		const linked = this.memory.linked && !this.entry?.role;
		return linked ? [pane, pane === this.a ? this.b : this.a] : [pane];
	}

	node() {
		const { side, narrow, memory, entry } = this;
		const shows = (which, label, text) =>
			button(label, () => this.show(which), { text, class: which.toUpperCase(), pressed: side === which });
		const word = narrow ? "Output " : "";
		const sides = h(
			"span.switch",
			group("Outputs shown"),
			!narrow && shows("both", "Both outputs side by side", "A | B"),
			shows("a", "Output A in full width", `${word}A`),
			shows("b", "Output B in full width", `${word}B`),
		);
		const linked = button("Scroll, page and zoom both outputs together (l)", () => this.toggleLinked(), {
			name: "Scroll both outputs together",
			symbol: "link",
			text: "Linked",
			pressed: memory.linked,
		});
		return h(
			"div.panes",
			{ class: [entry?.role && "single", narrow && "narrow"], "data-side": side, "data-theme": this.theme },
			h(
				"div.filebar",
				this.files.strip(),
				this.find.node(),
				h(
					"div.tools",
					this.differences.node(),
					narrow ? sides : menu("bc-sides", "Which outputs are shown (w)", linked, sides),
				),
			),
			h("div.grid", this.a.node(), this.b.node(), this.files.list()),
		);
	}

	dress() {
		const theme = getComputedStyle(this.view.root).colorScheme.includes("dark") ? "dark" : "light";
		if (theme === this.theme) return;
		this.theme = theme;
		for (const frame of this.frames) frame.paint();
	}

	update(data) {
		const { comparisonId, names } = this.view;
		const signature = JSON.stringify([comparisonId, data, names]);
		if (signature === this.signature) return;
		this.signature = signature;
		const moved = this.shownFor !== comparisonId;
		if (moved) this.moved();
		this.prefix = data.prefix;
		this.entries = data.entries.map(entryOf);
		this.files.update(this.entries, data.aside);
		// Files that are paired in another way are still those that one was reading.
		const before = moved ? null : this.entry?.files[0]?.id;
		const entry =
			this.entries.find(({ id }) => id === this.memory.file) ??
			this.entries.find(({ files }) => before && files.some(({ id }) => id === before)) ??
			this.entries.find(({ identical, role }) => !identical && !role) ??
			this.entries[0];
		if (entry) this.choose(entry);
		if (moved) for (const pane of this.both) pane.forget();
	}

	// Neither a rerun nor a reload loses the reviewer's place.
	remember() {
		if (this.shownFor) keepPlace(this.shownFor, this.memory);
	}

	moved() {
		this.remember();
		this.shownFor = this.view.comparisonId;
		this.memory = placeIn(this.shownFor);
		this.find.ask("");
		this.files.filter = "";
		this.files.node?.hidePopover();
		for (const pane of this.both) pane.leave();
		this.nextFiles = this.ready = null;
		this.asked = false;
	}

	choose(entry) {
		const { names } = this.view;
		if (entry !== this.entry) {
			this.since = Date.now();
			this.look();
		}
		this.entry = entry;
		this.memory.file = entry.id;
		if (entry.role) this.a.show(entry.a, ROLES[entry.role] ?? "Task file");
		else
			for (const pane of this.both) {
				const { side, label } = pane;
				pane.show(entry[side], names ? `${label}: ${names[label]}` : `Output ${label}`);
			}
		this.differences.apply();
		this.draw();
		this.files.fit();
	}

	async pick(entry) {
		this.files.node.hidePopover();
		this.choose(entry);
		if (this.files.hits(entry)) await this.find.open(entry);
	}

	async first(text, entry) {
		await this.find.ask(text);
		if (this.find.counts.size) {
			this.files.node.hidePopover();
			await this.find.go(1);
		} else if (entry) await this.pick(entry);
	}

	step(by) {
		const shown = this.files.inTabs;
		if (!shown.length) return;
		this.choose(shown[(shown.indexOf(this.entry) + by + shown.length) % shown.length]);
	}

	look() {
		clearTimeout(this.looking);
		this.looking = setTimeout(() => (document.hidden ? this.look() : this.markSeen()), WHILE);
	}

	markSeen() {
		clearTimeout(this.looking);
		const files = (this.entry?.files ?? []).map(({ id }) => id).filter((id) => !this.view.looked.has(id));
		if (files.length) this.view.tell({ do: "look", files });
	}

	toggleLinked() {
		this.memory.linked = !this.memory.linked;
		this.draw();
		this.follow(this.a);
	}

	show(which) {
		this.memory.side = which;
		this.draw();
	}

	scrolled(pane) {
		if (Date.now() - this.since > SCROLLED) this.markSeen();
		this.follow(pane);
	}

	follow(pane) {
		const [own, other] = this.with(pane).map(({ current }) => current);
		if (own && other?.state === "ready") other.scrollTo(own.at);
	}

	zoomed(pane, by) {
		const zoom = by ? nextZoom(pane.zoom, by) : 1;
		for (const { current, memory } of this.with(pane)) {
			if (!current) continue;
			memory.zoom = zoom;
			applyZoom(current, zoom);
		}
		this.draw();
	}

	// What the next pair opens with is loaded unseen, while this one is read.
	seen() {
		clearTimeout(this.ahead);
		this.ahead = setTimeout(() => this.loadAhead(), QUIET);
	}

	async loadAhead() {
		if (this.view.given.scope === undefined || this.both.some(({ current }) => current?.state === "loading"))
			return;
		if (!this.asked) {
			this.asked = true;
			const { comparisonId } = this.view;
			const answer = await this.view.ask({ ahead: true });
			if (comparisonId !== this.view.comparisonId) return;
			this.nextFiles = answer?.ahead;
		}
		const key = JSON.stringify(this.nextFiles);
		if (!this.nextFiles?.length || key === this.ready) return;
		this.ready = key;
		const [a, b] = this.nextFiles;
		const load = (pane, file, then) =>
			whenIdle(() => this.ready === key && pane.prepare(file, then), { timeout: 1000 });
		load(this.a, a, () => load(this.b, b, () => {}));
	}

	key(key) {
		if (!this.entry) return false;
		const { memory, narrow } = this;
		const pane = this.side === "b" ? this.b : this.a;
		const picked = this.both.find((one) => one.picked);
		const order = narrow ? ["a", "b"] : ["both", "a", "b"];
		const into = (one) => one.current?.node.focus({ preventScroll: true });
		const hits = this.find.counts.size ? this.find : this.differences;
		const acts = {
			g: () => into(this.a),
			G: () => into(this.b),
			"]": () => this.step(1),
			"[": () => this.step(-1),
			"/": () => this.files.toggle(),
			f: () => this.files.toggle(),
			s: () => {
				const mode = (this.a.file ? this.a : this.b).current?.mode === "source" ? "view" : "source";
				for (const one of this.both) one.turn(mode);
			},
			w: () => this.show(order[(order.indexOf(this.side) + 1) % order.length]),
			l: () => this.toggleLinked(),
			d: () => this.differences.show(!memory.differences),
			".": () => hits.go(1),
			",": () => hits.go(-1),
			"+": () => this.zoomed(pane, 1),
			"-": () => this.zoomed(pane, -1),
			"|": () => this.zoomed(pane, 0),
			v: () => {
				if (!picked?.targets.length) return false;
				const select = picked.stage.querySelector(".passage select");
				select.focus();
				select.showPicker();
			},
			m: () => (picked ? picked.comment() : this.view.notes.compose()),
		};
		return Object.hasOwn(acts, key) && acts[key]() !== false;
	}

	// Show a quote, or without words its file.
	quote(detail) {
		const entry = this.entries.find(({ files }) => files.some(({ id }) => id === detail.fileId));
		for (const frame of this.frames) frame.ask("mark", "comparator-quote", []);
		this.differences.turned();
		if (!entry) return (detail.label === "B" ? this.b : this.a).tell("The quoted file is in neither output.");
		if (entry !== this.entry) this.choose(entry);
		const pane = entry.a?.id === detail.fileId ? this.a : this.b;
		if (!entry.role && (this.narrow || this.memory.side !== "both")) this.show(pane.side);
		return detail.text && pane.quote(detail);
	}
}
