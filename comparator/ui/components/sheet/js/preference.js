// @ts-check
// One question on the pair, where a project asks that first: which output is better, and why.

import { h } from "./dom.js";
import { reasonField } from "./table/table.js";
import { count, sideWords } from "./words.js";

export const PREFERENCES = [
  ["A_MUCH", "A much better"],
  ["A", "A better"],
  ["SAME", "The same"],
  ["B", "B better"],
  ["B_MUCH", "B much better"],
];

// The answer in words, with the candidate's name once that may be told; nothing where there is none.
export function preferenceWords(answer, names) {
  const words = PREFERENCES.find(([value]) => value === answer)?.[1] ?? "";
  return words.replace(/^[AB](?= )/, (label) => sideWords(label, names));
}

export function preference(view) {
  if (!view.sheet.preference) return null;
  const own = view.own("preference");
  const chosen = own.touch === "changed" ? own.shown : null;
  const stop = chosen ?? "SAME";
  return h(
    "section",
    { class: view.ui.row === "preference" ? "preference here" : "preference", key: "preference", "data-row": "preference", on: { focusin: () => view.enter("preference"), click: () => view.enter("preference") } },
    h("h3", { id: "bc-preference" }, "Which output does the task better?"),
    h(
      "div",
      { class: "choices", role: "radiogroup", "aria-labelledby": "bc-preference" },
      PREFERENCES.map(([value, name], index) =>
        h(
          "button",
          { type: "button", role: "radio", class: `choice ${value[0] === "S" ? "TIE" : value[0]}`, "data-address": "preference", "aria-checked": String(chosen === value), tabindex: value === stop ? "0" : "-1", title: `Key ${index + 1}`, disabled: view.readOnly, on: { click: () => view.answerPreference(value) } },
          h("span", { class: "digit", "aria-hidden": "true" }, String(index + 1)),
          ` ${name}`,
        ),
      ),
    ),
    chosen && reasonField(view, "preference", { label: null, name: "which output is better" }),
    h(
      "button",
      { type: "button", class: "link", "aria-expanded": String(view.showsCriteria), title: "Key h", on: { click: () => view.toggleCriteria() } },
      h("span", { class: "fold", "aria-hidden": "true" }),
      view.showsCriteria ? "Hide the criteria" : `Score the ${count(view.criteria.length, "criterion", "criteria")} too (optional)`,
    ),
  );
}
