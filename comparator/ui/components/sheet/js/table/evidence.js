// @ts-check
// The reviewer's own evidence: passages attached from the outputs. The notes under the panes know it and tell it.

import { h } from "../dom.js";
import { quoteLink } from "./quotes.js";
import { cut, shown } from "../words.js";

export const placeOf = (view) => `panes-${view.comparisonId}`;
const evidenceOf = new Map();

export function listenEvidence(current) {
  const onNotes = (/** @type {CustomEvent} */ { detail }) => {
    const view = current();
    if (!view?.sheet || detail?.place !== placeOf(view)) return;
    evidenceOf.set(detail.place, detail);
    view.render();
  };
  const onUnheard = () => current()?.askWhoAnswers();
  window.addEventListener("comparator:notes", onNotes);
  window.addEventListener("comparator:unheard", onUnheard);
  return () => {
    window.removeEventListener("comparator:notes", onNotes);
    window.removeEventListener("comparator:unheard", onUnheard);
  };
}

export function wantEvidence(view) {
  if (!evidenceOf.has(placeOf(view))) window.dispatchEvent(new CustomEvent("comparator:notes-wanted", { detail: { place: placeOf(view) } }));
}

const piecesFor = (view, address) => (evidenceOf.get(placeOf(view))?.evidence ?? []).filter((piece) => piece.target === address);

// What the button that unfolds a row says of it.
export function evidenceWords(view, sides) {
  const pieces = sides.flatMap(([, address]) => piecesFor(view, address)).length;
  return pieces ? ` · ${pieces} of yours` : "";
}

export function ownEvidence(view, address, label) {
  const pieces = piecesFor(view, address);
  if (pieces.length === 0) return null;
  const withdraw = (piece) => window.dispatchEvent(new CustomEvent("comparator:withdraw-evidence", { detail: { id: piece.id } }));
  const closed = evidenceOf.get(placeOf(view)).closed;
  return h(
    "div",
    { class: "reading own-evidence" },
    h("p", {}, h("span", { class: "order" }, "Your evidence")),
    h("ul", { class: "quotes" }, pieces.map((piece) =>
      h("li", { key: `own/${piece.id}` },
        quoteLink({ file: piece.file, file_id: piece.fileId, text: piece.text, start: piece.start, end: null, found: true }, label),
        " ",
        !closed && h("button", { type: "button", class: "link", "aria-label": `Withdraw this evidence: ${shown(cut(piece.text, 60))}`, on: { click: () => withdraw(piece) } }, "Withdraw")))),
  );
}
