// One document in its frame. Ours run no scripts, so that all that happens in them is done from here.

import { element } from "../dom.js";
import { drawDiagrams } from "./diagrams.js";
import { Reader, isElement, safely } from "./reader.js";

export const LATER = 400;
const LAYERS = `
.layer ::highlight(comparator-search) { background-color: rgb(47 158 95 / .35); color: transparent; }
.layer ::highlight(comparator-search-here) { background-color: rgb(47 158 95 / .7); color: transparent; }
[data-zoomed] div.over { max-width: none; }
`;

export class Frame {
	pages = 1;
	state = "loading";
	// How far down and across the document is, each from 0 to 1.
	at = [0, 0];
	// What the server says on the root element of a document of ours.
	facts = null;
	// Settled when the document is there, or when it is sure not to come.
	/** @type {any} */
	there = Promise.withResolvers();

	constructor(pane, file, mode, page, row) {
		this.pane = pane;
		this.panes = pane.panes;
		this.file = file;
		this.mode = mode;
		this.page = page;
		// What is asked of the file beside its page, such as a sheet or an order: "sheet=2&sort=1,asc".
		this.query = pane.query(file, mode);
		this.row = row;
		this.node = element("iframe", {
			sandbox: "allow-same-origin",
			referrerpolicy: "no-referrer",
			"data-file": file.id,
			"data-mode": mode,
			tabindex: "0",
		});
		this.node.onload = () => this.load();
	}

	enter(stage) {
		stage.append(this.node);
		return this.begin();
	}

	begin() {
		this.restart();
		this.node.src = this.address();
	}

	restart() {
		this.state = "loading";
		this.facts = null;
		this.there = Promise.withResolvers();
	}

	fail(state) {
		this.state = state;
		this.panes.draw();
		this.there.resolve();
	}

	remove() {
		this.node.remove();
	}

	// The pages of an Office file are a file of their own beside its content.
	get served() {
		return this.printed ? `${this.file.id}.pages` : this.file.id;
	}

	get printed() {
		return this.file.pages && (this.mode === "view" || this.mode.includes(".pages/"));
	}

	address() {
		const query = new URLSearchParams(this.query);
		query.set("theme", this.panes.theme);
		query.set("page", String(this.page));
		if (this.row) query.set("row", String(this.row));
		return this.pane.address(this.served, `${this.mode === "content" ? "view" : this.mode}?${query}`);
	}

	get spot() {
		return spotOf(this.file, this.mode, this.page, this.query);
	}

	holds(file, mode, page) {
		const { state, spot } = this;
		return /loading|ready/.test(state) && spot === spotOf(file, mode, page, this.pane.query(file, mode));
	}

	get document() {
		return safely(this.node.contentDocument);
	}

	all(selector) {
		return [...(this.document?.querySelectorAll(selector) ?? [])];
	}

	load() {
		const inner = this.document;
		const { page, pages, ...facts } = inner?.documentElement?.dataset ?? {};
		// The browser's own error page, or an answer that is not ours.
		if (!pages) return this.fail("failed");
		Object.assign(this, { page: Number(page), pages: Number(pages), facts });
		inner.addEventListener("scroll", () => this.near(), { passive: true });
		inner.addEventListener("click", (event) => this.go(event), true);
		this.reader = new Reader(this.node.contentWindow, (message) => this.heard(message), { css: LAYERS });
		return this.arrive();
	}

	arrive() {
		this.state = "ready";
		this.zoom = 1;
		this.lit = null;
		this.paint();
		this.pane.loaded(this);
		this.complete = false;
		this.came();
		this.there.resolve();
	}

	async ask(act, ...args) {
		return this.state === "ready" ? this.say(act, ...args) : undefined;
	}

	say(act, ...args) {
		return this.reader[act](...args);
	}

	heard({ is, share, own, picked, address, again }) {
		if (is === "key") return this.type(again);
		if (is === "scroll") {
			this.at = share;
			if (!own) this.pane.scrolled(this);
		} else if (is === "picked") this.pane.selected(this, picked);
		else if (is === "link") this.pane.tell(`Links are disabled here: ${String(address).slice(0, 300)}`);
	}

	get front() {
		return this.node.classList.contains("front");
	}

	// Whoever goes on at once does not wait for what is not looked at.
	came() {
		this.near();
		setTimeout(() => this.node.isConnected && this.front && this.ready(), LATER);
	}

	stop() {
		this.there.resolve();
		this.node.contentWindow?.stop();
	}

	// Diagrams follow once the beginning is seen.
	async ready() {
		await this.there.promise;
		if (this.state !== "ready" || !this.document || this.complete) return;
		this.complete = true;
		drawDiagrams(this.document);
	}

	paint() {
		const root = this.facts && this.document?.documentElement;
		if (root) root.dataset.theme = this.panes.theme;
	}

	scrollTo(share) {
		this.at = share;
		this.ask("scroll", share);
	}

	near() {
		const limit = this.node.clientHeight + (this.front ? 1500 : 0);
		for (const picture of this.all("img[data-src]")) {
			const box = picture.getBoundingClientRect();
			if (box.top > limit) break;
			if (box.bottom < -1500) continue;
			picture.setAttribute("src", picture.getAttribute("data-src"));
			picture.removeAttribute("data-src");
		}
	}

	// A key pressed inside is pressed on the page; false where the page used it. Space scrolls here.
	type(again) {
		return (
			again.key === " " ||
			document.body.dispatchEvent(new KeyboardEvent("keydown", { ...again, bubbles: true, cancelable: true }))
		);
	}

	go(event) {
		const link = event.composedPath().find((node) => isElement(node) && node.matches("[data-go]"));
		if (!link || !["view", "content"].includes(this.mode)) return;
		event.preventDefault();
		event.stopImmediatePropagation();
		const name = link.closest("nav.sheets") ? link.textContent.trim() : null;
		this.pane.go(this, link.getAttribute("data-go"), name, event.isTrusted);
	}

	change(number) {
		for (const before of this.all("[data-here]")) before.removeAttribute("data-here");
		const [target] = this.all(`[data-change="${Number(number)}"]`);
		if (!target) return;
		target.setAttribute("data-here", "");
		const range = this.document.createRange();
		range.selectNode(target);
		this.reader.reveal([range]);
	}

	sheet(name) {
		this.all("nav.sheets a")
			.find((tab) => tab.textContent.trim() === name)
			?.click();
	}
}

const spotOf = ({ id, pages }, ...rest) => [id, pages, ...rest].join("/");
