// @ts-check
// The words of the verdict: strengths and weaknesses as lines, the reasoning, and the winner set outright.

import { h } from "./dom.js";
import { letter, reasonField } from "./table/table.js";
import { LABELS, SHARED, decided, verdictWords } from "./words.js";

const touchWords = (own) => (own.touch === "changed" ? "edited by you" : own.touch === "confirmed" ? "confirmed" : "");

export function prose(view) {
  const { sheet } = view;
  const column = (label) =>
    h(
      "section",
      { class: label, "aria-label": `Output ${label}` },
      h("h4", {}, letter(label), ` Output ${label}`),
      lineList(view, `strengths:${label}`, "Strengths", `Strengths of output ${label}`),
      lineList(view, `weaknesses:${label}`, "Weaknesses", `Weaknesses of output ${label}`),
    );
  return h(
    "div",
    { class: "prose", key: "prose" },
    h("h3", {}, "Strengths and weaknesses"),
    h("div", { class: "halves" }, LABELS.map(column)),
    reasoning(view),
    winner(view, sheet),
  );
}

function lineList(view, address, title, name) {
  const lines = view.lines(address);
  const remove = (line) => view.editLines(address, lines.filter((other) => other !== line));
  const keys = (line) => (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      view.addLine(address, lines.indexOf(line) + 1);
    } else if (event.key === "Backspace" && line.text === "" && lines.length > 1) {
      event.preventDefault();
      remove(line);
      view.focusLine(address, lines[Math.max(0, lines.indexOf(line) - 1)].key);
    }
  };
  return h(
    "div",
    { class: "list" },
    h("div", { class: "list-head" }, h("span", { class: "list-title" }, title), h("span", { class: "touched" }, touchWords(view.own(address)))),
    h(
      "ul",
      { "aria-label": name },
      lines.map((line) =>
        h(
          "li",
          { key: `line/${line.key}` },
          h("textarea", {
            rows: 1,
            maxlength: 4000,
            "aria-label": `${name}, line ${lines.indexOf(line) + 1}`,
            "data-line": `${address}/${line.key}`,
            readonly: view.readOnly || view.leaving,
            field: { value: line.text, waiting: view.waits(address) },
            on: {
              input: (event) => view.editLines(address, lines.map((other) => (other === line ? { ...line, text: event.target.value } : other)), { typing: true }),
              blur: () => view.flush(),
              keydown: keys(line),
            },
          }),
          !view.readOnly && h("button", { type: "button", class: "quiet", tabindex: "-1", title: "Remove this line", "aria-label": `Remove line ${lines.indexOf(line) + 1} of ${name}`, on: { click: () => remove(line) } }, "×"),
        ),
      ),
    ),
    lines.length === 0 && view.readOnly && h("p", { class: "absent" }, "None given."),
    !view.readOnly && h("button", { type: "button", class: "link add", "aria-label": `Add to ${name}`, on: { click: () => view.addLine(address, lines.length) } }, "+ Add a line"),
  );
}

function reasoning(view) {
  const own = view.own("reasoning");
  const text = own.shown ?? "";
  return h(
    "div",
    { class: "reasoning", key: "reasoning" },
    h("div", { class: "list-head" }, h("h3", { id: "bc-reasoning" }, "Reasoning"), h("span", { class: "touched" }, touchWords(own))),
    h("textarea", {
      rows: Math.min(14, Math.max(3, Math.ceil(text.length / 110) + text.split("\n").length - 1)),
      maxlength: 50000,
      "aria-labelledby": "bc-reasoning",
      placeholder: "Why this output is the better one",
      "data-reasoning": true,
      readonly: view.readOnly || view.leaving,
      field: { value: text, waiting: view.waits("reasoning") },
      on: { input: (event) => view.writeReasoning(event.target.value), blur: () => view.flush(), keydown: (event) => reasoningKey(view, event) },
    }),
  );
}

function reasoningKey(view, event) {
  if (event.isComposing) return;
  if (event.key !== "Escape") return;
  event.preventDefault();
  event.stopPropagation();
  view.flush();
  view.focusRow(view.currentRow(), "A");
}

function winner(view, sheet) {
  const own = view.own("winner");
  const set = own.touch === "untouched" ? "" : own.shown;
  const choices = [
    ["", "By the scores"],
    ...Object.entries(SHARED.outcomes),
  ];
  return h(
    "div",
    { class: "winner", key: "winner" },
    h("h3", { id: "bc-winner" }, "Winner"),
    h(
      "div",
      { class: "choices", role: "radiogroup", "aria-labelledby": "bc-winner" },
      choices.map(([value, name]) =>
        h("button", { type: "button", role: "radio", class: `choice ${value}`, "aria-checked": String(set === value), disabled: view.readOnly, on: { click: () => (value ? view.answerBetter(value) : view.chooseWinner(value)) } }, name),
      ),
    ),
    set !== "" && reasonField(view, "winner", { label: null, name: "the winner you set" }),
    h("span", { class: "touched" }, sheet.verdict ? `Now: ${verdictWords(sheet.verdict, view.names)}, ${decided(sheet.verdict)}` : ""),
  );
}
