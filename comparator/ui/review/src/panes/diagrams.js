// Mermaid diagrams, drawn in a hidden frame of another origin and shown as pictures.

import { answerOf, element } from "../dom.js";

const PATIENCE = 10000;
const HIDDEN =
	"position: absolute; width: 1000px; height: 10px; left: -2000px; border: 0; visibility: hidden";
let frame = null;
let turn = Promise.resolve();

async function drawn(source) {
	if (!frame) {
		frame = element("iframe", {
			sandbox: "allow-scripts",
			referrerpolicy: "no-referrer",
			"aria-hidden": "true",
			tabindex: "-1",
			style: HIDDEN,
			src: "/live/mermaid/",
		});
		const loaded = Promise.withResolvers();
		frame.onload = loaded.resolve;
		document.body.append(frame);
		await loaded.promise;
	}
	return answerOf(frame.contentWindow, source);
}

async function draw(source) {
	const drawing = await Promise.race([
		drawn(source),
		new Promise((resolve) => {
			setTimeout(resolve, PATIENCE);
		}),
	]);
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
		const address = turn.then(() => draw(source));
		turn = address.then(() => {});
		if (await address) picture.setAttribute("src", await address);
		else
			picture.replaceWith(
				Object.assign(inner.createElement("p"), {
					textContent: "This diagram cannot be drawn: see its source below.",
					className: "facts",
				}),
			);
	}
}
