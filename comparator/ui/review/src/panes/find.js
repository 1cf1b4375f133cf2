// The search in all files, which the server does, and the way from hit to hit.

import { button, group, h, steps } from "../dom.js";
import { big, count } from "../words.js";

const FURTHER = 40;

export class Find {
	text = "";
	counts = new Map();
	answer = null;
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
		const { answer, counts, text } = this;
		if (text.length < 2) return text && "Type at least two letters to search the text.";
		if (!answer) return "Searching the text…";
		if (answer.problem) return answer.problem;
		const { left, unread } = answer;
		const rest = left ? `, ${big(left)} files to go` : unread ? `; ${unread} have no text` : "";
		if (!counts.size) return `not in the text of any file${rest}`;
		return `${big(this.total)} in the text of ${count(counts.size, "file")}${rest}`;
	}

	places() {
		return this.panes.entries
			.flatMap((entry) => ["a", "b"].map((side) => ({ entry, side, id: entry[side]?.id })))
			.filter(({ id }) => this.counts.get(id));
	}

	node() {
		if (!this.counts.size) return null;
		const ids = this.places().map(({ id }) => id);
		const before = ids.slice(0, Math.max(0, ids.indexOf(this.at?.id)));
		const nth = before.reduce((sum, id) => sum + this.counts.get(id), (this.at?.nth ?? 0) + 1);
		const here = this.at ? `${big(nth)} of ` : "";
		return h(
			"span.hits",
			group("Search hits"),
			h("output.says", `${here}${count(this.total, "hit")}`),
			steps("hit", (by) => this.go(by)),
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
			const fresh = index < 0;
			if (fresh) index = places.findIndex((place) => place.entry === this.panes.entry);
			const here = places[index];
			if (here && (await (fresh ? this.show(here, 0, 1) : this.show(here, this.at.nth + by, by)))) return;
			await this.show(places.at((index + by) % places.length), by > 0 ? 0 : Infinity, by);
		} finally {
			this.busy = false;
		}
	}

	// False where the file has no such hit. Whoever goes to another file meanwhile stays there.
	async show(place, nth, by) {
		if (nth < 0) return false;
		if (this.panes.entry !== place.entry) this.panes.choose(place.entry);
		const pane = this.panes[place.side];
		const left = () => pane.file?.id !== place.id;
		let frame = null;
		let count = 0;
		const read = async (next) => {
			frame = next;
			await frame.ready();
			count = left() ? 0 : await this.lit(frame);
		};
		await read(pane.current);
		if (nth === 0 && frame.pages > 1 && !count && !left()) {
			// The server knows the part with the first one, so that those before need not be drawn.
			const there = await pane.whereabouts(this.text, frame.served);
			if (there && !there.sheet && !left()) await read(pane.open(there.mode, there.page));
		}
		const fresh = this.at?.id !== place.id;
		let before = fresh ? 0 : this.at.before;
		for (let tries = 0; tries < FURTHER && !left(); tries += 1) {
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
			await read(pane.open(frame.mode, page));
			if (step < 0) before = Math.max(0, before - count);
		}
		if (left()) return true;
		if (!fresh || by < 0) return false;
		// Not in what is rendered, such as in an attribute: the source has it, or the page that holds it.
		const shown = await pane.quote({ text: this.text, start: null });
		if (shown) this.at = { id: place.id, nth: 0, before: 0 };
		this.panes.draw();
		return shown;
	}
}
