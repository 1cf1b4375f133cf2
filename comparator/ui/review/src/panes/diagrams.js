// @ts-check
// Mermaid diagrams of a document of ours: drawn in a hidden frame of their own origin, and shown as pictures.

import { h, make } from "../dom.js";

const PATIENCE = 10000;

class Drawer {
	/** @type {any} */
	frame = null;
	waiting = new Map();
	count = 0;
	turn = Promise.resolve();

	// One after another: a picture of the diagram as an address, null where it cannot be drawn.
	draw(source) {
		const drawn = this.turn.then(() => this.one(source));
		this.turn = drawn.then(() => {});
		return drawn;
	}

	async one(source) {
		this.count += 1;
		const id = this.count;
		const ready = this.frame || this.open();
		const drawing = await Promise.race([
			Promise.resolve(ready).then(() =>
				this.answer(id, () => this.frame.contentWindow.postMessage({ id, source }, "*")),
			),
			new Promise((resolve) => {
				setTimeout(resolve, PATIENCE);
			}),
		]);
		if (drawing === undefined) this.close();
		return drawing ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}` : null;
	}

	answer(id, act) {
		return new Promise((resolve) => {
			this.waiting.set(id, resolve);
			act();
		});
	}

	open() {
		this.frame = make(
			h("iframe", {
				sandbox: "allow-scripts",
				referrerpolicy: "no-referrer",
				"aria-hidden": true,
				tabindex: "-1",
				title: "",
				style:
					"position: absolute; width: 1000px; height: 10px; left: -2000px; border: 0; visibility: hidden",
			}),
		);
		this.hears = ({ source, data }) => {
			if (source !== this.frame?.contentWindow || !data?.comparatorDiagram) return;
			const { id, drawing } = data.comparatorDiagram;
			this.waiting.get(id)?.(drawing);
			this.waiting.delete(id);
		};
		window.addEventListener("message", this.hears);
		return this.answer(0, () => {
			this.frame.src = "/live/mermaid/";
			document.body.append(this.frame);
		});
	}

	// It hangs, or does not come: the next diagram gets a new frame.
	close() {
		window.removeEventListener("message", this.hears);
		this.frame?.remove();
		this.frame = null;
		this.waiting.clear();
	}
}

const drawer = new Drawer();

export async function drawDiagrams(inner) {
	for (const picture of inner.querySelectorAll("img[data-diagram]")) {
		const source = picture.getAttribute("data-diagram");
		picture.removeAttribute("data-diagram");
		const address = await drawer.draw(source);
		if (address) picture.setAttribute("src", address);
		else
			picture.replaceWith(
				Object.assign(inner.createElement("p"), {
					textContent: "This diagram cannot be drawn: see its source below.",
					className: "facts",
				}),
			);
	}
}
