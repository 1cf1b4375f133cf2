// @ts-check
// The first minutes: in the example pairs a hint stands in the bar for each of the four steps, until it is dismissed.

import { h } from "../dom.js";

const EXAMPLES = "Examples";
const DISMISSED = "comparator:hints";
const HINTS = {
  read: ["1 of 4: Read", "Compare A and B. ] opens the next file, and “Task” above says what was asked."],
  score: ["2 of 4: Score", "Press a, b or = to say which output is better, and type why. Or score each criterion: 1 to 5 for A, 6 to 0 for B."],
  finalise: ["3 of 4: Finalise", "When all is as you want it, press Ctrl + Shift + Enter or “Finalise”."],
  export: ["4 of 4: Export", "“Export comparison.json” (Ctrl + S) saves the result. “Next” opens the next pair."],
};

function hintsWanted() {
  try {
    return localStorage.getItem(DISMISSED) === null;
  } catch {
    return false;
  }
}

function dismissHints(view) {
  try {
    localStorage.setItem(DISMISSED, "dismissed");
  } catch {
    // Storage is closed to us: it is gone from this page at least.
  }
  view.ui.hints = false;
  view.render();
}

function stepOf(view) {
  if (view.sheet.finalised) return "export";
  if (view.own("winner").touch === "changed") return "finalise";
  const rows = view.rows();
  const given = rows.filter((row) => view.answered(row)).length;
  if (given === 0) return view.ui.row === view.ui.firstRow ? "read" : "score";
  return given < rows.length ? "score" : "finalise";
}

export function hint(view) {
  view.ui.hints ??= hintsWanted();
  if (!view.ui.hints || view.sheet.project_name !== EXAMPLES) return null;
  view.ui.firstRow ??= view.ui.row;
  const step = stepOf(view);
  return h("p", { class: "hint", key: "hint", "data-step": step }, h("b", {}, HINTS[step][0]), ` ${HINTS[step][1]} `, h("button", { type: "button", class: "link", on: { click: () => dismissHints(view) } }, "Don't show hints again"));
}
