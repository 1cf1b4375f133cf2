// Mermaid diagrams, drawn in a hidden frame of another origin and shown as pictures.

import { answerOf, element } from "../dom.js";

const PATIENCE = 10000;
let frame = null;
let turn = Promise.resolve(null);

async function drawn(source) {
	if (!frame) {
		frame = element("iframe", {
			sandbox: "allow-scripts",
			referrerpolicy: "no-referrer",
			style: "position: absolute; width: 1000px; left: -2000px; visibility: hidden",
			src: "/live/mermaid/",
		});
		document.body.append(frame);
		await new Promise((resolve) => (frame.onload = resolve));
	}
	return answerOf(frame.contentWindow, source);
}

async function draw(source) {
	const late = new Promise((resolve) => setTimeout(resolve, PATIENCE));
	const drawing = await Promise.race([drawn(source), late]);
	// It hangs, or does not come: the next diagram gets a new frame.
	if (drawing === undefined) {
		frame?.remove();
		frame = null;
	}
	return drawing ? `data:image/svg+xml;charset=utf-8,${encodeURIComponent(drawing)}` : null;
}

export async function drawDiagrams(inner) {
	for (const picture of inner.querySelectorAll("img[data-diagram]")) {
		const source = picture.getAttribute("data-diagram");
		picture.removeAttribute("data-diagram");
		turn = turn.then(() => draw(source));
		const address = await turn;
		if (address) picture.setAttribute("src", address);
		else {
			const instead = element("p", { class: "facts" });
			instead.textContent = "This diagram cannot be drawn: see its source below.";
			picture.replaceWith(instead);
		}
	}
}
