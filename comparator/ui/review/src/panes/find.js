// @ts-check
// Words looked up in all files on the server: how many stand where, and from one to the next.

import { button, h } from "../dom.js";
import { big, count } from "../words.js";

const FURTHER = 40;

export class Find {
	text = "";
	counts = new Map();
	/** @type {any} */
	answer = null;
	/** @type {any} */
	at = null;

	constructor(panes) {
		this.panes = panes;
	}

	// Where time did not suffice, the server goes on when asked again.
	async ask(text) {
		if (text === this.text) return;
		this.text = text;
		this.answer = null;
		this.counts = new Map();
		this.at = null;
		this.light();
		while (text.length >= 2 && text === this.text) {
			const answer = await this.panes.view.ask({ search: text });
			if (text !== this.text) return;
			this.answer = answer?.found ?? { problem: "The search failed: the server did not answer." };
			this.counts = new Map(this.answer.hits);
			this.light();
			if (!this.answer.left || this.answer.problem) return;
		}
	}

	end() {
		this.ask("");
		this.panes.files.filter = "";
		this.panes.draw();
	}

	get total() {
		return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
	}

	about() {
		if (this.text.length < 2) return this.text ? "Type at least two letters to search the text." : "";
		const { answer } = this;
		if (!answer) return "Searching the text…";
		if (answer.problem) return answer.problem;
		const files = this.counts.size;
		const found = files
			? `${big(this.total)} in the text of ${count(files, "file")}`
			: "not in the text of any file";
		return (
			found +
			(answer.left
				? `, ${big(answer.left)} files to go`
				: answer.unread
					? `; ${answer.unread} have no text`
					: "")
		);
	}

	places() {
		const place = (entry, side) => ({
			entry,
			side,
			id: entry[side]?.id,
			count: this.counts.get(entry[side]?.id) || 0,
		});
		return this.panes.entries
			.flatMap((entry) => [place(entry, "a"), place(entry, "b")])
			.filter((one) => one.count);
	}

	node() {
		if (!this.counts.size) return null;
		let before = 0;
		for (const place of this.places()) {
			if (place.id === this.at?.id) break;
			before += place.count;
		}
		const here = this.at ? `${big(before + this.at.nth + 1)} of ` : "";
		return h(
			"span.hits",
			{ role: "group", "aria-label": "Search hits" },
			h("span.says", { role: "status" }, `${here}${count(this.total, "hit")}`),
			button("Previous hit (,)", () => this.go(-1), { symbol: "left" }),
			button("Next hit (.)", () => this.go(1), { symbol: "right" }),
			button("Clear the search", () => this.end(), { symbol: "close" }),
		);
	}

	light() {
		for (const frame of this.panes.frames) {
			if (!this.counts.size) frame.lit = frame.ask("unmark") && null;
			else this.lit(frame);
		}
		this.panes.draw();
	}

	async lit(frame) {
		if (frame.state !== "ready" || !this.counts.get(frame.file.id)) return 0;
		if (frame.lit?.text !== this.text) frame.lit = { text: this.text, count: frame.ask("find", this.text) };
		return (await frame.lit.count) || 0;
	}

	loaded(frame) {
		if (this.counts.size) this.lit(frame);
	}

	async open(entry) {
		const place = this.places().find((one) => one.entry === entry);
		if (place) await this.show(place, 0, 1);
	}

	async go(by) {
		const places = this.places();
		if (!places.length || this.busy) return;
		this.busy = true;
		try {
			let index = places.findIndex((place) => place.id === this.at?.id);
			if (index >= 0 && (await this.show(places[index], this.at.nth + by, by))) return;
			if (index < 0) {
				index = places.findIndex((place) => place.entry === this.panes.entry);
				if (index >= 0 && (await this.show(places[index], 0, 1))) return;
			}
			const next = places[(index + by + places.length) % places.length];
			await this.show(next, by > 0 ? 0 : Infinity, by);
		} finally {
			this.busy = false;
		}
	}

	// Show one hit, on whichever part of the file it stands; false where the file has no such hit. Whoever goes to
	// another file meanwhile stays there.
	async show(place, nth, by) {
		if (nth < 0) return false;
		if (this.panes.entry !== place.entry) this.panes.choose(place.entry);
		const pane = this.panes[place.side];
		const left = () => pane.file?.id !== place.id;
		let frame = pane.current;
		await frame.ready();
		if (left()) return true;
		if (nth === 0 && frame.pages > 1 && !(await this.lit(frame))) {
			// The server knows on which part the first one stands, so that those before need not be drawn.
			const there = await pane.whereabouts(this.text, frame.served);
			if (there && !there.sheet && !left()) {
				frame = pane.open(there.mode, there.page);
				await frame.ready();
			}
			if (left()) return true;
		}
		const fresh = this.at?.id !== place.id;
		let before = fresh ? 0 : this.at.before;
		for (let tries = 0; tries < FURTHER; tries += 1) {
			const count = await this.lit(frame);
			if (left()) return true;
			const at = nth === Infinity ? count - 1 : nth - before;
			if (at >= 0 && at < count) {
				this.at = { id: place.id, nth: before + at, before };
				this.panes.draw();
				for (const one of this.panes.frames) one.ask("hit", one === frame ? at : -1);
				return true;
			}
			const step = at < 0 ? -1 : 1;
			const page = frame.page + step;
			if (page < 1 || page > frame.pages) break;
			if (step > 0) before += count;
			frame = pane.open(frame.mode, page);
			await frame.ready();
			if (left()) return true;
			if (step < 0) before = Math.max(0, before - (await this.lit(frame)));
		}
		if (!fresh || by < 0) return false;
		// Not in what is rendered, such as in an attribute: the source has it, or the page that holds it.
		const shown = await pane.quote({ text: this.text, start: null });
		if (shown) this.at = { id: place.id, nth: 0, before: 0 };
		this.panes.draw();
		return shown;
	}
}
