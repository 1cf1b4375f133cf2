// Mermaid diagrams of a document of ours: drawn in a hidden frame of their own origin, and shown as pictures.

import { element } from "../dom.js";

const PATIENCE = 10000;
const HIDDEN =
	"position: absolute; width: 1000px; height: 10px; left: -2000px; border: 0; visibility: hidden";
const answers = new Map();
let frame = null;
let count = 0;
let turn = Promise.resolve();

window.addEventListener("message", ({ source, data }) => {
	const said = data?.comparatorDiagram;
	if (said && source === frame?.contentWindow) answers.get(said.id)?.(said.drawing);
});

function answer(id, act) {
	return new Promise((resolve) => {
		answers.set(id, resolve);
		act();
	});
}

async function drawn(source) {
	count += 1;
	const id = count;
	if (!frame) {
		frame = element("iframe", {
			sandbox: "allow-scripts",
			referrerpolicy: "no-referrer",
			"aria-hidden": "true",
			tabindex: "-1",
			style: HIDDEN,
		});
		await answer(0, () => {
			frame.src = "/live/mermaid/";
			document.body.append(frame);
		});
	}
	return answer(id, () => frame.contentWindow.postMessage({ id, source }, "*"));
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
