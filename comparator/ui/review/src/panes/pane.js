// One side: its header, its frames, what covers them, and what can be done with selected words.

import { button, cut, group, h, icon, menu, middle } from "../dom.js";
import { applyZoom, isDifferences, zoomable } from "./documents.js";
import { APART, FOREIGN, ForeignFrame } from "./foreign.js";
import { Frame, LATER } from "./frame.js";
import { big, shown } from "../words.js";

const KEPT = 5;
const PICTURED = new Set(["html", "code", "text", "xml", "binary"]);

const front = ({ node }, is) => node.classList.toggle("front", is);

export class Pane {
	frames = [];
	prepared = null;
	current = null;
	file = null;
	heading = "";
	said = "";
	pictures = false;
	picked = null;

	constructor(side, panes) {
		this.side = side;
		this.panes = panes;
	}

	get memory() {
		return this.panes.rememberedOf(this.file);
	}

	// Null for the task's own files.
	get label() {
		return this.panes.entry?.role ? null : this.side.toUpperCase();
	}

	get zoom() {
		return this.memory.zoom || 1;
	}

	node() {
		const { file, current: frame, panes } = this;
		const something = file && !frame?.document?.querySelector("body > [data-nothing]");
		const way = (name, label, text) =>
			button(label, () => this.turn(name), { symbol: name, text, pressed: (frame?.mode || "view") === name });
		return h(
			"section.pane",
			{
				class: [panes.entry?.role && "task", !file && "empty"],
				key: this.side,
				"data-side": this.side,
				"aria-label": this.heading,
			},
			h(
				"header",
				h("span.badge", { title: this.heading }, this.heading),
				h("span.name", { title: file ? `${file.name} (${file.size})` : null }, file && cut(file.name)),
				file && frame?.pages > 1 && this.pager(frame),
				something && [
					h(
						"span.switch",
						group("View"),
						way("view", "Show as rendered", "Rendered"),
						file.pages && way("content", "Show the text, tables and notes without the layout", "Content"),
						way("source", "Show the source", "Source"),
						this.pictures && way("picture", "Show pictures of the page in a browser", "Picture"),
					),
					menu(
						`bc-more-${this.side}`,
						`More of ${this.heading}`,
						frame && zoomable(frame) && this.zooms(),
						frame?.about?.can &&
							button("Run this page's scripts, cut off from the network", () => this.toggleScripts(), {
								text: "Scripts",
								pressed: frame.about.scripts,
								class: "scripts",
							}),
						h(
							"a.save",
							{
								title: "Download this file",
								download: "",
								href: this.address(file.pages ? `${file.id}.pages` : file.id, "download"),
							},
							icon("download"),
						),
					),
				],
			),
			this.notes(),
			h("div.stage", this.cover(), this.choices()),
			h("output.status", this.said),
		);
	}

	get stage() {
		return this.panes.view.find(`.pane[data-side="${this.side}"] .stage`);
	}

	address(id, rest) {
		return `${this.panes.prefix}/${encodeURIComponent(id)}/${rest}`;
	}

	pager({ facts, page, pages }) {
		const { unit, first, last, total } = facts || {};
		const span = unit ? `: ${unit}s ${big(first)} to ${big(last)}${total ? ` of ${big(total)}` : ""}` : "";
		return h(
			"span.pager",
			button("Previous part", () => this.step(-1), { symbol: "left", disabled: page <= 1 }),
			h("span.count", { title: `Part ${page} of ${pages}${span}` }, `${page} / ${pages}`),
			button("Next part", () => this.step(1), { symbol: "right", disabled: page >= pages }),
		);
	}

	zooms() {
		const way = (label, by, text, props = {}) =>
			button(label, () => this.panes.zoomed(this, by), { text, ...props });
		return h(
			"span.zoom",
			group("Zoom"),
			way("Smaller", -1, "−"),
			way("Fit to the width", 0, `${Math.round(100 * this.zoom)}%`, { class: "fit" }),
			way("Larger", 1, "+"),
		);
	}

	// What a page lacks is known late: its line is kept free, so that nothing moves.
	notes() {
		const { current, file } = this;
		if (!file) return null;
		const late = current?.file === file ? current.facts?.notes : null;
		const notes = [...file.notes, ...(late ?? [])].join(" ");
		return (
			(notes || FOREIGN.has(file.family)) &&
			h("div.filenotes", { tabIndex: notes ? 0 : -1 }, h("span", notes))
		);
	}

	cover() {
		const { file, current: frame, panes } = this;
		const state = panes.entry && !file ? "none" : (frame?.state ?? "loading");
		const text = {
			none: `Output ${this.label} has no such file.`,
			stalled: "This page did not respond, so it was closed. You can still read its source.",
			failed: "This file could not be loaded: the server did not answer.",
		}[state];
		const again = () => {
			frame.begin();
			panes.draw();
		};
		return h(
			"div.veil",
			{
				class: text ? "told" : "loading",
				hidden: state === "ready",
				"aria-busy": state === "loading" || null,
			},
			text
				? [h("p", text), file && button("Load again", again, { text: "Load again" })]
				: [70, 92, 84, 40, 88, 61].map((width) => h("i", { style: `width:${width}%` })),
		);
	}

	// Null where only the other side has the file.
	show(file, heading) {
		this.file = file;
		this.heading = heading;
		this.tell("");
		this.offerPictures(file);
		if (!file) return this.place(null);
		const { mode = file.family === "html" && !APART ? "picture" : "view", page = 1 } = this.memory;
		return this.open(mode, page);
	}

	async offerPictures(file) {
		this.pictures = false;
		if (!PICTURED.has(file?.family)) return;
		const ways = await this.fetched(file.id, "modes");
		if (this.file?.id !== file.id || !ways?.picture) return;
		this.pictures = true;
		this.panes.draw();
	}

	async fetched(id, rest) {
		try {
			const answer = await fetch(this.address(id, rest));
			return answer.ok ? await answer.json() : undefined;
		} catch {
			return undefined;
		}
	}

	whereabouts(text, id) {
		return this.fetched(id, `locate?${new URLSearchParams({ text })}`);
	}

	query(file, mode) {
		return (["view", "content"].includes(mode) && this.panes.rememberedOf(file).asked) || "";
	}

	frame(file, mode, page, row = 0) {
		const Kind = mode === "view" && FOREIGN.has(file.family) ? ForeignFrame : Frame;
		return new Kind(this, file, mode, page, row);
	}

	// A page, or with 0 for it the page with this row, such as a change of the differences.
	open(mode, page, row = 0) {
		const holds = (frame) => frame?.holds(this.file, mode, page);
		let frame = this.frames.find(holds);
		if (!frame && holds(this.prepared)) {
			frame = this.prepared;
			this.prepared = null;
			frame.paint();
			if (frame.state === "ready") this.loaded(frame);
		} else if (!frame) {
			frame = this.frame(this.file, mode, page, row);
			frame.enter(this.stage);
		}
		this.frames = [...this.frames.filter((other) => other !== frame), frame];
		this.place(frame);
		for (const old of this.frames.splice(0, this.frames.length - KEPT)) {
			old.stop();
			old.remove();
		}
		return frame;
	}

	// Load the first part of a file unseen, and go on once it is there or cannot be.
	prepare(file, then) {
		this.forget();
		if (!file) return then();
		this.prepared = this.frame(file, "view", 1);
		front(this.prepared, false);
		this.prepared.ahead = true;
		this.prepared.node.addEventListener("load", then, { once: true });
		return this.prepared.enter(this.stage);
	}

	forget() {
		this.prepared?.remove();
		this.prepared = null;
	}

	// Another pair is shown next: the frames of this one go once that is there.
	leave() {
		const old = this.frames.splice(0);
		this.current = null;
		for (const frame of old) {
			front(frame, false);
			frame.stop();
		}
		setTimeout(() => old.forEach((frame) => frame.remove()), LATER);
	}

	place(frame) {
		this.current = frame;
		this.picked = null;
		for (const other of this.frames) if (other !== frame) front(other, false);
		if (frame) {
			frame.node.title = `${this.heading}: ${frame.file.name}`;
			front(frame, true);
		}
		if (frame?.state === "ready") {
			frame.came();
			this.panes.seen();
		}
		this.panes.draw();
	}

	loaded(frame) {
		if (frame === this.prepared) return;
		const { zoom = 1, places = {} } = this.panes.rememberedOf(frame.file);
		applyZoom(frame, zoom);
		if (places[frame.spot]) frame.scrollTo(places[frame.spot]);
		if (frame.row) {
			this.keepPage(frame, frame.page);
			frame.change(frame.row);
		}
		if (frame === this.current) {
			this.panes.draw();
			this.panes.seen();
		}
		this.panes.find.lit(frame);
	}

	scrolled(frame) {
		const memory = this.panes.rememberedOf(frame.file);
		memory.places = { ...memory.places, [frame.spot]: frame.at };
		if (frame === this.current) this.panes.scrolled(this);
	}

	tell(text) {
		clearTimeout(this.telling);
		if (text) this.telling = setTimeout(() => this.tell(""), 8000);
		if (text === this.said) return;
		this.said = text;
		this.panes.draw();
	}

	toggleScripts() {
		this.memory.still = !this.memory.still;
		this.open("view", 1);
	}

	turn(mode) {
		if (!this.file || this.current?.mode === mode) return;
		this.panes.differences.turned();
		Object.assign(this.memory, { mode, page: 1 });
		this.open(mode, 1);
	}

	keepPage(frame, page) {
		if (!isDifferences(frame.mode)) this.memory.page = page;
	}

	step(by) {
		for (const pane of this.panes.with(this)) {
			const { mode, page = 0, pages = 0 } = pane.current ?? {};
			if (page + by < 1 || page + by > pages) continue;
			pane.keepPage(pane.current, page + by);
			pane.open(mode, page + by);
		}
	}

	// On another sheet nothing is ordered yet.
	go(frame, query, sheet, trusted) {
		if (frame !== this.current) return;
		const asked = new URLSearchParams(sheet ? "" : frame.query);
		for (const [key, value] of new URLSearchParams(query))
			if (value) asked.set(key, value);
			else asked.delete(key);
		Object.assign(this.memory, { asked: String(asked), page: 1 });
		this.open(frame.mode, 1);
		if (trusted && sheet) for (const other of this.panes.with(this).slice(1)) other.current?.sheet(sheet);
	}

	selected(frame, picked) {
		this.picked = null;
		if (frame === this.current && typeof picked?.text === "string") {
			// Places are those of the file, which the differences are not.
			const start = isDifferences(frame.mode) ? null : picked.start;
			this.picked = { ...picked, start, end: start === null ? null : start + picked.text.length };
		}
		this.panes.draw();
	}

	get targets() {
		const { given, lines } = this.panes.view;
		return this.label && given.notes && !given.notes.closed ? lines : [];
	}

	choices() {
		if (!this.picked) return null;
		const { targets } = this;
		const { left, top, bottom } = this.picked.box;
		const below = bottom + 44 < this.stage.clientHeight;
		return h(
			"div.passage",
			{
				...group("Selected words"),
				style: `left: min(${Math.max(left, 4)}px, 100% - 310px); top: ${below ? bottom + 6 : Math.max(top - 40, 4)}px`,
			},
			targets.length > 0 &&
				h(
					"select",
					{ "aria-label": "Attach as evidence (v)", onchange: (event) => this.attach(event.target) },
					h("option", { value: "" }, "Attach as evidence to…"),
					targets.map(({ row, name }) =>
						h("option", { value: this.panes.view.addressOf(row, this.label) }, middle(shown(name), 60)),
					),
				),
			button("Comment on this (m)", () => this.comment(), { text: "Comment" }),
		);
	}

	attach(select) {
		this.tell(`Attached to ${select.selectedOptions[0].label}.`);
		this.panes.view.tell({ do: "attach", target: select.value, passage: this.taken() });
	}

	comment() {
		this.panes.view.notes.compose(this.taken());
	}

	taken() {
		const { text, start, end } = this.picked;
		this.picked = null;
		this.current?.node.focus({ preventScroll: true });
		return { fileId: this.file.id, text, start, end, file: this.file.name, label: this.label };
	}

	// Whoever goes to another file or quote meanwhile stays there.
	async quote(detail) {
		const { file, current: frame, memory } = this;
		this.wanted = detail;
		const left = () => this.file !== file || this.wanted !== detail;
		const finds = async (there) => {
			await there.ready();
			return !left() && (await there.ask("quote", detail.text, detail.start));
		};
		let found = await finds(frame);
		const places = [];
		if (!found && !left()) {
			const place = await this.whereabouts(detail.text, file.id);
			if (file.pages)
				places.push(await this.whereabouts(detail.text, `${file.id}.pages`), {
					page: 1,
					...place,
					mode: "content",
				});
			else places.push(place ?? { mode: frame.mode === "view" ? "source" : "view", page: 1 });
		}
		const { asked } = memory;
		for (const { mode, page, sheet } of places.filter(Boolean)) {
			if (found || left()) break;
			// In the order of the file, since that is what its parts are counted by.
			if (sheet) memory.asked = `sheet=${sheet}`;
			found = await finds(this.open(mode, page));
			if (found) Object.assign(memory, { mode, page });
			else if (!left()) {
				memory.asked = asked;
				this.place(frame);
			}
		}
		if (left()) return false;
		this.tell(found ? "" : "This quote was not found in the output.");
		return Boolean(found);
	}
}
