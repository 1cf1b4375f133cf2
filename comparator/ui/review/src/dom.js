// A small keyed view: h() describes an element, patch() makes the page equal to it and touches nothing else, so that
// focus, scroll positions and what is being typed stay. Foreign text only ever becomes text nodes and attributes.

// h("b.side.a", { title }, "A"): the name with its classes, then properties if there are any, then children. A property that is
// a function listens, and one of ARIA's says true and false in words.
export const h = (name, ...children) => {
	const [tag, ...classes] = name.split(".");
	const isNode = (child) => child?.constructor === Object;
	const { class: more, ...props } =
		isNode(children[0]) && !("at" in children[0]) ? children.shift() : /** @type {any} */ ({});
	props.class = [...classes, more].flat().filter(Boolean).join(" ") || null;
	if (tag === "button") props.type ??= "button";
	const said = (child) =>
		isNode(child) ? child : { at: null, words: child === 0 || child ? String(child) : "" };
	return { at: null, tag, props, children: children.flat(Infinity).map(said) };
};

const OWN_PROPS = new Set(["key", "field", "ref"]);

export function make(node) {
	if (node.tag === undefined) return (node.at = document.createTextNode(node.words));
	node.at = /svg|path/.test(node.tag)
		? document.createElementNS("http://www.w3.org/2000/svg", node.tag)
		: document.createElement(node.tag);
	update({ props: {}, children: [], at: node.at }, node);
	node.props.ref?.(node.at);
	return node.at;
}

function update(before, after) {
	const at = (after.at = before.at);
	if (after.tag === undefined) {
		if (before.words !== after.words) at.data = after.words;
		return at;
	}
	setProps(at, before.props, after.props);
	patch(at, before.children, after.children);
	// A field's text is replaced only while nobody is typing in it and nothing typed waits to be stored.
	const { value, waiting } = after.props.field ?? { waiting: true };
	if (!waiting && at.getRootNode().activeElement !== at && at.value !== value) at.value = value;
	return at;
}

function setProps(element, before, after) {
	for (const name of Object.keys({ ...before, ...after })) {
		const value = after[name] ?? null;
		if (OWN_PROPS.has(name) || (before[name] ?? null) === value) continue;
		if (name.startsWith("on")) {
			element.hears ??= {};
			if (!(name in element.hears))
				element.addEventListener(name.slice(2), (event) => element.hears[name]?.(event));
			element.hears[name] = value;
		} else if (value === null || (value === false && !name.startsWith("aria-")))
			element.removeAttribute(name);
		else element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
	}
}

// Children that are not described, such as frames, stay behind those that are.
export function patch(element, before, after) {
	const keyed = new Map(
		before.filter((child) => child.props?.key !== undefined).map((child) => [child.props.key, child]),
	);
	const loose = before.filter((child) => child.props?.key === undefined);
	const kept = new Set();
	const nodes = after.map((child) => {
		const old = child.props?.key === undefined ? loose.shift() : keyed.get(child.props.key);
		if (old === undefined || old.tag !== child.tag) return make(child);
		kept.add(old);
		return update(old, child);
	});
	for (const child of before) if (!kept.has(child)) child.at.remove();
	const { activeElement } = /** @type {ShadowRoot} */ (element.getRootNode());
	nodes.forEach((node, index) => {
		if (element.childNodes[index] === node) return;
		// What has the focus would lose it if it moved: the others move around it.
		if (node.parentNode === element && node.contains(activeElement))
			while (element.childNodes[index] !== node) element.childNodes[index].remove();
		else element.insertBefore(node, element.childNodes[index] || null);
	});
}

// Icons are drawn here, so that no icon font has to arrive first.
const ICONS = {
	link: "M9 15l6-6M10.5 6.5l1.8-1.8a4.2 4.2 0 0 1 6 6l-1.8 1.8M13.5 17.500l-1.8 1.800a4.2 4.2 0 0 1-6-6l1.8-1.8",
	download: "M12 4v11M7 10.500l5 5 5-5M5 20h14",
	left: "M14.5 5l-7 7 7 7",
	right: "M9.5 5l7 7-7 7",
	list: "M4 6h16M4 12h16M4 18h10",
	close: "M6 6l12 12M18 6L6 18",
	differ: "M5 9h14M5 15h14M16 4L8 20",
};
export const icon = (name) =>
	h("svg", { viewBox: "0 0 24 24", "aria-hidden": true }, h("path", { d: ICONS[name] }));

// A button of the panes: `label` is its name and its hint, `name` another name.
/** @param {string} label @param {(event?: any) => any} press @param {Record<string, any>} [options] */
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

// Long names lose their middle: the folder and the ending say most.
export function middle(name, most) {
	const letters = Array.from(name);
	if (letters.length <= most) return name;
	const end = Math.ceil((most - 1) * 0.6);
	return letters.slice(0, most - 1 - end).join("") + "…" + letters.slice(-end).join("");
}

const WRITES =
	"textarea, select, [contenteditable=true], [role=textbox], [role=combobox], [role=grid], input:not([type=checkbox], [type=radio], [type=button])";
export const isTyping = (at) => at instanceof Element && at.closest(WRITES) !== null;

// What has the focus, also within other components of the page.
export function innermost() {
	let at = document.activeElement;
	while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
	return at;
}

// Have the browser save a text as a file.
export function save({ name, text, media_type: type = "application/json" }) {
	const href = URL.createObjectURL(new Blob([text], { type }));
	Object.assign(document.createElement("a"), { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
