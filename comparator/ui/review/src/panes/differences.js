// @ts-check
// The differences of a pair, shown in both panes; off where the two have little in common until asked for again.

import { button, h } from "../dom.js";
import { isDifferences } from "./documents.js";
import { big } from "../words.js";

const COMPARED = new Map();

export class Differences {
	at = 0;
	/** @type {any} */
	summary = null;
	said = "";

	constructor(panes) {
		this.panes = panes;
	}

	node() {
		const { summary, panes } = this;
		return h(
			"span.differences",
			{ hidden: Boolean(panes.entry?.role) },
			h("span.said", { role: "status" }, this.said),
			summary?.changes > 0 &&
				h(
					"span.steps",
					{ role: "group", "aria-label": "Changes" },
					button("Previous change (,)", () => this.go(-1), { symbol: "left" }),
					h("span.count", `${this.at || "–"} / ${big(summary.changes)}`),
					button("Next change (.)", () => this.go(1), { symbol: "right" }),
				),
			button(summary ? `${summary.words} (d)` : "Show differences (d)", () => this.toggle(), {
				name: "Show differences",
				symbol: "differ",
				text: "Differences",
				pressed: Boolean(summary),
			}),
		);
	}

	get memory() {
		return this.panes.memory;
	}

	get shown() {
		return [this.panes.a, this.panes.b].some(
			(pane) => pane.file && pane.current && isDifferences(pane.current.mode),
		);
	}

	toggle() {
		if (!this.panes.entry) return;
		this.memory.set("differences", !this.memory.get("differences"));
		this.apply();
	}

	async apply() {
		const { entry } = this.panes;
		this.at = 0;
		this.summary = null;
		this.draw("");
		if (!this.memory.get("differences")) {
			this.leave();
			return;
		}
		if (!entry || entry.role || !entry.a || !entry.b) {
			this.draw(entry && !entry.role ? "Only one output has this file." : "");
			return;
		}
		const waiting = setTimeout(() => entry === this.panes.entry && this.draw("Comparing…"), 200);
		const found = entry.identical ? { problem: "Both files are identical." } : await this.compared(entry);
		clearTimeout(waiting);
		if (entry !== this.panes.entry || !this.memory.get("differences")) return;
		if (found.problem) this.draw(found.problem);
		else {
			this.summary = found;
			const [a, b] = this.ids(entry);
			for (const [pane, other] of [
				[this.panes.a, b],
				[this.panes.b, a],
			]) {
				pane.open(`differences/${encodeURIComponent(other)}/${pane.side}`, 1);
			}
			this.draw(found.little ? `These two have little in common (${found.percent}%).` : "");
		}
	}

	// What is compared: the pages of Office files, unless somebody looks at their content.
	ids(entry) {
		const content = [entry.a, entry.b].some((file) => this.memory.get("modes")[file.id] === "content");
		return entry.a.pages && entry.b.pages && !content
			? [`${entry.a.id}.pages`, `${entry.b.id}.pages`]
			: [entry.a.id, entry.b.id];
	}

	async compared(entry) {
		const [a, b] = this.ids(entry);
		const key = `${a}/${b}`;
		if (!COMPARED.has(key)) {
			const address = `${this.panes.prefix}/${encodeURIComponent(a)}/differences/${encodeURIComponent(b)}/summary`;
			COMPARED.set(
				key,
				fetch(address)
					.then((answer) => (answer.ok ? answer.json() : Promise.reject()))
					.catch(() => {
						COMPARED.delete(key);
						return { problem: "The differences could not be loaded: the server did not answer." };
					}),
			);
		}
		return COMPARED.get(key);
	}

	leave() {
		for (const pane of [this.panes.a, this.panes.b]) {
			if (!pane.file || !pane.current || !isDifferences(pane.current.mode)) continue;
			pane.open(
				this.memory.get("modes")[pane.file.id] || "view",
				this.memory.get("pages")[pane.file.id] || 1,
			);
		}
	}

	// Another way to show a file was chosen, or a quote is looked for.
	turned() {
		if (!this.shown) return;
		this.memory.set("differences", false);
		this.apply();
	}

	go(by) {
		const all = this.summary?.changes || 0;
		if (all) this.to(this.at ? ((this.at - 1 + by + all) % all) + 1 : by > 0 ? 1 : all);
	}

	to(number) {
		this.at = Math.min(Math.max(number, 1), this.summary?.changes || 1);
		for (const pane of [this.panes.a, this.panes.b]) {
			const frame = pane.current;
			if (!frame || !isDifferences(frame.mode)) continue;
			const { first, last } = frame.facts || {};
			if (frame.state === "ready" && this.at >= Number(first) && this.at <= Number(last))
				frame.reveal(this.at);
			else pane.openAt(this.at);
		}
		this.draw("");
	}

	draw(text) {
		this.said = text;
		this.panes.draw();
	}
}
