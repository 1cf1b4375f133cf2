// The differences of a pair, shown in both panes.

import { button, group, h, steps } from "../dom.js";
import { isDifferences } from "./documents.js";
import { big } from "../words.js";

export class Differences {
	at = 0;
	summary = null;
	said = "";

	constructor(panes) {
		this.panes = panes;
	}

	node() {
		const { summary, panes } = this;
		const at = h("span.count", `${this.at || "–"} / ${big(summary?.changes)}`);
		return h(
			"span.differences",
			{ hidden: Boolean(panes.entry?.role) },
			h("output.said", this.said),
			summary?.changes > 0 &&
				h(
					"span.steps",
					group("Changes"),
					steps("change", (by) => this.go(by), at),
				),
			button(summary ? `${summary.words} (d)` : "Show differences (d)", () => this.show(!this.wanted), {
				name: "Show differences",
				symbol: "differ",
				text: "Differences",
				pressed: Boolean(summary),
			}),
		);
	}

	get wanted() {
		return this.panes.memory.differences;
	}

	get shown() {
		return this.panes.both.filter(({ file, current }) => file && current && isDifferences(current.mode));
	}

	show(wanted) {
		this.panes.memory.differences = wanted;
		this.apply();
	}

	async apply() {
		const { entry } = this.panes;
		this.at = 0;
		this.summary = null;
		this.draw("");
		if (!this.wanted) {
			for (const pane of this.shown) {
				const { mode = "view", page = 1 } = pane.memory;
				pane.open(mode, page);
			}
			return;
		}
		if (!entry || entry.role) return;
		if (!entry.a || !entry.b) return this.draw("Only one output has this file.");
		if (entry.identical) return this.draw("Both files are identical.");
		const isHere = () => entry === this.panes.entry && this.wanted;
		const waiting = setTimeout(() => isHere() && this.draw("Comparing…"), 200);
		const [a, b] = this.ids(entry);
		const found = await this.panes.a.fetched(a, `differences/${b}/summary`);
		clearTimeout(waiting);
		if (!isHere()) return;
		if (!found) return this.draw("The differences could not be loaded: the server did not answer.");
		if (found.problem) return this.draw(found.problem);
		this.summary = found;
		for (const pane of this.panes.both) pane.open(`differences/${pane.side === "a" ? b : a}/${pane.side}`, 1);
		this.draw(found.little ? `These two have little in common (${found.percent}%).` : "");
	}

	// The pages of Office files are compared, unless somebody looks at their content.
	ids({ a, b }) {
		const content = [a, b].some((file) => this.panes.rememberedOf(file).mode === "content");
		return a.pages && b.pages && !content ? [`${a.id}.pages`, `${b.id}.pages`] : [a.id, b.id];
	}

	turned() {
		if (this.shown.length) this.show(false);
	}

	go(by) {
		const all = this.summary?.changes;
		if (!all) return;
		this.at = this.at ? ((this.at - 1 + by + all) % all) + 1 : by > 0 ? 1 : all;
		for (const pane of this.shown) {
			const { facts, state } = pane.current;
			if (state === "ready" && this.at >= Number(facts?.first) && this.at <= Number(facts?.last))
				pane.current.change(this.at);
			else pane.open(pane.current.mode, 0, this.at);
		}
		this.draw("");
	}

	draw(text) {
		this.said = text;
		this.panes.draw();
	}
}
