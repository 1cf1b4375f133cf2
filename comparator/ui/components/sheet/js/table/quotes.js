// @ts-check
// A quote of an output, as a link into the pane that shows it.

import { h } from "../dom.js";
import { cut, shown } from "../words.js";

export function quoteLink(quote, label) {
  const text = `“${shown(cut(quote.text, 400))}”`;
  const file = h("span", { class: "file", title: shown(quote.file) }, shown(cut(quote.file, 40)));
  if (!quote.found) return [h("s", {}, text), " ", file, " ", h("span", { class: "not-found" }, "not found in the output")];
  if (quote.file_id === null) return [h("span", {}, text), " ", file];
  const detail = { fileId: quote.file_id, label, text: quote.text, start: quote.start, end: quote.end };
  const show = () => window.dispatchEvent(new CustomEvent("comparator:show-quote", { detail }));
  return [h("button", { type: "button", class: "quote", title: `Show in output ${label}`, on: { click: show } }, text), " ", file];
}
