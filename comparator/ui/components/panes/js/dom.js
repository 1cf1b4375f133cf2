// @ts-check
// Elements by hand: every foreign word goes in as text, never as markup.

export function element(tag, { attributes = {}, children = [], text = null, on = {} } = {}) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  if (text !== null) node.textContent = text;
  for (const child of children) if (child) node.append(child);
  for (const [type, listener] of Object.entries(on)) node.addEventListener(type, listener);
  return node;
}

// Icons are drawn here, so that no icon font has to arrive first.
const ICONS = {
  link: "M9 15l6-6M10.5 6.5l1.8-1.8a4.2 4.2 0 0 1 6 6l-1.8 1.8M13.500 17.500l-1.800 1.800a4.200 4.200 0 0 1-6-6l1.800-1.800",
  swap: "M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4",
  download: "M12 4v11M7 10.500l5 5 5-5M5 20h14",
  left: "M14.500 5l-7 7 7 7",
  right: "M9.500 5l7 7-7 7",
  list: "M4 6h16M4 12h16M4 18h10",
  close: "M6 6l12 12M18 6L6 18",
  tick: "M5 12.500l4.500 4.500L19 7.500",
  apart: "M10 12H3M6 9l-3 3 3 3M14 12h7M18 9l3 3-3 3",
  differ: "M5 9h14M5 15h14M16 4L8 20",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H9",
};

export function icon(name) {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  drawing.setAttribute("viewBox", "0 0 24 24");
  drawing.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", ICONS[name]);
  drawing.append(line);
  return drawing;
}

export function button(label, { symbol = null, text = null, pressed = null, press, kind = "" }) {
  const node = element("button", {
    attributes: { type: "button", title: label, "aria-label": label, class: kind || null },
    children: symbol ? [icon(symbol)] : [],
    on: { click: press },
  });
  if (text !== null) node.append(element("span", { text }));
  if (pressed !== null) node.setAttribute("aria-pressed", String(pressed));
  return node;
}

// Long names lose their middle: the folder and the ending say most.
export function middle(name, most) {
  const letters = Array.from(name);
  if (letters.length <= most) return name;
  const end = Math.ceil((most - 1) * 0.6);
  return letters.slice(0, most - 1 - end).join("") + "…" + letters.slice(-end).join("");
}
