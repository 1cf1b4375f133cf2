// How elements are described. Preact touches nothing that stays the same, so that focus, scrolling and typing go on.
// Foreign text only ever becomes text nodes and attributes.

import { createElement, render } from "../../vendor/preact.js";

export { render };

// h("b.side.a", { title }, "A"): the name with its classes, then properties if there are any, then children.
export const h = (name, ...children) => {
	const [tag, ...classes] = name.split(".");
	// What Preact describes has no constructor.
	const given = children[0]?.constructor === Object ? children.shift() : {};
	const { class: more, field, ...props } = given;
	for (const key in props) if (props[key] === null) delete props[key];
	const look = [...classes, more].flat().filter(Boolean).join(" ");
	if (look) props.class = look;
	if (tag === "button") props.type ??= "button";
	if (field) props.ref = (at) => fill(at, field);
	return createElement(tag, props, ...children);
};

// Text is replaced where none typed waits to be stored; lines, which the server tidies, not while somebody types.
function fill(at, { value, waiting = false, exact = false }) {
	const idle = exact || at?.getRootNode().activeElement !== at;
	if (at && !waiting && idle && at.value !== value) at.value = value;
}

/** @returns {any} */
export function element(name, attributes) {
	const at = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) at.setAttribute(key, value);
	return at;
}

// What another origin's document answers to a message; nothing where it does not.
export function answerOf(view, message) {
	const { port1, port2 } = new MessageChannel();
	return new Promise((resolve) => {
		port1.onmessage = ({ data }) => resolve(data);
		view?.postMessage(message, "*", [port2]);
	});
}

// Drawn here, so that no icon font has to arrive first.
const ICONS = {
	link: "M9 15l6-6M10.5 6.5l1.8-1.8a4.2 4.2 0 0 1 6 6l-1.8 1.8M13.5 17.5l-1.8 1.8a4.2 4.2 0 0 1-6-6l1.8-1.8",
	download: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
	left: "M14.5 5l-7 7 7 7",
	right: "M9.5 5l7 7-7 7",
	list: "M4 6h16M4 12h16M4 18h10",
	close: "M6 6l12 12M18 6L6 18",
	differ: "M5 9h14M5 15h14M16 4L8 20",
	view: "M3 12q9-14 18 0q-9 14-18 0zM12 9.5a2.5 2.5 0 1 0 .01 0",
	content: "M4 5h16v14H4zM4 10h16M10 10v9",
	source: "M8 7l-5 5 5 5M16 7l5 5-5 5",
	picture: "M3 5h18v14H3zM3 16l5-5 5 5 3-3 5 4",
};
export const icon = (name) =>
	h("svg", { viewBox: "0 0 24 24", "aria-hidden": true }, h("path", { d: ICONS[name] }));

// A button of the panes: `label` is its name and its hint, `name` another name.
/** @param {any} label @param {any} press @param {any} [options] */
export function button(
	label,
	press,
	{ symbol = null, text = null, pressed = null, name = label, ...props } = {},
) {
	return h(
		"button",
		{ title: label, "aria-label": name, "aria-pressed": pressed, ...props, onclick: press },
		symbol && icon(symbol),
		text !== null && h("span", text),
	);
}

export const steps = (one, go, between = null, keys = ",.") => [
	button(`Previous ${one} (${keys[0]})`, () => go(-1), { symbol: "left" }),
	between,
	button(`Next ${one} (${keys[1]})`, () => go(1), { symbol: "right" }),
];

export const group = (label) => ({ role: "group", "aria-label": label });

// What few need, behind "…".
export const menu = (id, label, ...content) => [
	button(label, null, { text: "…", popovertarget: id }),
	h("div.menu", { id, popover: "auto", ...group(label) }, content),
];

const ENDING = 12;
// A name in two parts: in a narrow row the first gives way.
export function cut(name) {
	const letters = Array.from(name);
	return [
		h("span.start", letters.slice(0, -ENDING).join("")),
		h("span.end", letters.slice(-ENDING).join("")),
	];
}

export function middle(name, most) {
	const letters = Array.from(name);
	if (letters.length <= most) return name;
	const end = Math.ceil((most - 1) * 0.6);
	return letters.slice(0, most - 1 - end).join("") + "…" + letters.slice(-end).join("");
}

export const link = (text, onclick, props = {}) => h("button.link", { onclick, ...props }, text);

export const onKeys = (acts) => (event) => {
	const act = !event.isComposing && acts[event.key];
	if (!act) return;
	event.preventDefault();
	event.stopPropagation();
	act(event);
};

const WRITES =
	"textarea, select, [contenteditable=true], [role=textbox], [role=combobox], [role=grid], input:not([type=checkbox], [type=radio], [type=button])";
export const isTyping = (at) => at instanceof Element && at.closest(WRITES) !== null;

// What has the focus, also within other components of the page.
/** @returns {any} */
export function innermost() {
	let at = document.activeElement;
	while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
	return at;
}

export function save({ name, text }) {
	const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
	Object.assign(document.createElement("a"), { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
