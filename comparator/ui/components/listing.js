// @ts-check
// The list of comparisons. Everything foreign is set as text, never as markup.

const saved = new Set();
const RELATIVE = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [["year", 31536000], ["month", 2592000], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]];

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === "") continue;
    if (name === "class") node.className = value;
    else if (name === "onclick") node.addEventListener("click", value);
    else node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== ""));
  return node;
}

function ago(iso) {
  const seconds = (new Date(iso).getTime() - Date.now()) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return RELATIVE.format(Math.round(seconds / length), unit);
  }
  return "just now";
}

function exact(iso) {
  return new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

function chip(flag) {
  return el("span", { class: `chip ${flag.tone}`, title: flag.hover }, flag.text);
}

function score(value) {
  return Number(value).toFixed(1);
}

const CELLS = {
  title: (row, choose) => [el("div", { class: "titled" },
    el("a", {
      href: row.href,
      class: "open",
      title: row.title,
      onclick: (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        choose("open");
      },
    }, row.title),
    row.below ? el("span", { class: "below", title: row.below }, row.below) : null)],
  status: (row) => [row.status ? chip(row.status) : el("span", { class: "none" }, "–")],
  winner: (row) => {
    if (!row.winner) return [row.by ? el("span", { class: "by", title: row.by }, row.by) : el("span", { class: "none" }, "–")];
    const tie = row.winner === "TIE";
    return [
      tie ? el("span", { class: "tie" }, "Tie")
        : row.names ? el("span", { class: "named", title: `${row.names[row.winner]} wins` }, row.names[row.winner])
        : el("span", { class: `letter ${row.winner}`, role: "img", "aria-label": `${row.winner} wins` }, row.winner),
      row.scores ? scores(row) : null,
      row.by ? el("span", { class: "by", title: row.by }, row.by) : null,
    ];
  },
  flags: (row) => row.flags.map(chip),
  time: (row) => [moment(row.time)],
  actions: (row, choose) => row.actions.length > 1 ? [menu(row, choose)] : row.actions.map((action) => button(action, choose)),
};

// Once the names may be told, they stand in one order in every row; before that A stands before B.
function both(row) {
  return row.turned ? ["B", "A"] : ["A", "B"];
}

// Both scores, the winner's in bold; their names, or A and B, are told on hover.
function scores(row) {
  const named = both(row).map((label) => `${row.names ? row.names[label] : label} ${score(row.scores[label])}`).join(", ");
  const [one, two] = both(row).map((label) => el(row.winner === label ? "b" : "span", {}, score(row.scores[label])));
  return el("span", { class: "figures", title: named, role: "img", "aria-label": named }, one, " : ", two);
}

function button(action, choose) {
  return el("button", { type: "button", title: action.hover, onclick: () => choose(action.name) }, action.label);
}

// One button for all that can be done with a row. The browser lays its list above everything, so no edge cuts it off.
function menu(row, choose) {
  const list = el("div", { class: "menu", popover: "auto", role: "menu" }, ...row.actions.map((action) =>
    el("button", { type: "button", role: "menuitem", title: action.hover, onclick: () => { list.hidePopover(); choose(action.name); } }, action.label)));
  const opener = el("button", { type: "button", class: "opener", "aria-haspopup": "menu", "aria-label": `Files and judgments of ${row.title}`, title: "Files and judgments",
    onclick: () => {
      list.togglePopover();
      const { right, bottom } = opener.getBoundingClientRect();
      const { width, height } = list.getBoundingClientRect();
      list.style.left = `${Math.max(4, right - width)}px`;
      list.style.top = `${Math.min(bottom + 2, window.innerHeight - height - 4)}px`;
      list.querySelector("button")?.focus();
    } }, "⋯");
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const items = [...list.querySelectorAll("button")];
    items.at((items.indexOf(event.target) + step) % items.length)?.focus();
  });
  return el("span", {}, opener, list);
}

function moment(iso) {
  return el("time", { datetime: iso, title: exact(iso) }, ago(iso));
}

function head(data, sort) {
  return data.columns.map(({ name, label }) => {
    const { by, descending, offered } = data.sorting || { offered: [] };
    const cell = el("th", { class: name, scope: "col", role: "columnheader" });
    if (!offered.includes(name)) {
      cell.append(label);
      return cell;
    }
    if (by === name) cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const arrow = by !== name ? "" : descending ? " ↓" : " ↑";
    cell.append(el("button", { type: "button", class: "sort", onclick: () => sort(name) }, label, arrow));
    return cell;
  });
}

function table(data, send, sort) {
  const body = data.rows.flatMap((row, at) => [
    row.group && (at === 0 || data.rows[at - 1].group !== row.group)
      ? el("tr", { class: "group", role: "row" }, el("th", { class: "group", scope: "rowgroup", role: "rowheader" }, row.group))
      : null,
    el("tr", { role: "row" }, ...data.columns.map(({ name }) => {
      const cell = el("td", { class: name, role: "cell" });
      cell.append(...CELLS[name](row, (action) => send({ action, id: row.id })).filter(Boolean));
      return cell;
    })),
  ].filter(Boolean));
  // Roles are named, since a narrow list is laid out as cards.
  return el("table", { role: "table" },
    el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, ...head(data, sort))),
    el("tbody", { role: "rowgroup" }, ...body));
}

function save({ id, name, text }) {
  if (saved.has(id)) return;
  saved.add(id);
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export default function listing({ parentElement, data, setTriggerValue }) {
  let root = parentElement.querySelector(".root");
  if (!root) {
    root = el("div", { class: "root" });
    parentElement.append(root);
  }
  const focused = root.getRootNode().activeElement;
  const place = focused && [...root.querySelectorAll("a, button")].indexOf(focused);
  root.replaceChildren(
    table(data, (chosen) => setTriggerValue("chosen", chosen), (column) => setTriggerValue("sorted", column)),
  );
  if (place >= 0 && focused) root.querySelectorAll("a, button")[place]?.focus({ preventScroll: true });
  if (data.save) save(data.save);
}
