// @ts-check
// The table: criteria by dimension and the expectations, each row with its values and reasons; below it what the judge
// says of the chosen row. A filled step is given, an outline is empty, a dash is not assessed.

import { h } from "../dom.js";
import { LABELS, ORDERS, count, cut, distinctReadings, figure, letter, percent, shown, tenth, whoJudges } from "../words.js";

const STEPS = [1, 2, 3, 4, 5];
const TOUCHED = { untouched: "not confirmed yet", confirmed: "confirmed", changed: "changed by you", cannot_judge: "you cannot judge this" };
const fill = (step, value) => (value >= step ? "full" : value >= step - 0.5 ? "half" : "none");
const met = (value) => (value ? "met" : "not met");
const check = (value) => (value ? "✓" : "✗");

// A judge's value of one output; where its readings differ, each of them.
function judged(view, line, label) {
  const who = whoJudges(view.sheet);
  return h("td", { class: `judge ${label}`, "data-who": who }, judgeValue(line.judge?.[label], label, who, "anchors" in line));
}

function judgeValue(judge, label, who, isScore) {
  const value = judge && (isScore ? judge.score : judge.passed);
  if (!judge) return h("span", { class: "absent", title: `The ${who} gave no value` }, "–");
  if (value === null) return h("span", { class: "absent", title: `The ${who} has not assessed this. It counts only if you score both A and B.` }, "not assessed");
  const say = isScore ? String : met;
  // Both readings of the order AB before those of BA.
  const passes = Object.keys(ORDERS).flatMap((order) => judge.by_pass.filter((pass) => pass.order === order));
  const differ = new Set(passes.map((pass) => pass.value)).size > 1;
  const spoken = `${who}: ${isScore ? figure(value) : met(value)}${differ ? `; ${passes.map((pass) => `${ORDERS[pass.order]}: ${say(pass.value)}`).join(", ")}` : ""}`;
  const face = (one) => (isScore ? figure(one) : check(one));
  return h("span", { class: `value judge ${label}`, title: differ ? spoken : null },
    h("b", { class: `${isScore ? "figure" : "check"}${differ ? " differ" : ""}`, "aria-hidden": "true" }, differ ? passes.map((pass) => face(pass.value)).join(" | ") : face(value)),
    h("span", { class: "spoken" }, spoken));
}

function own(view, line, label) {
  const isScore = "anchors" in line;
  const address = view.addressOf(isScore ? line.path : `expectation.${line.index}`, label);
  const value = view.own(address);
  const name = isScore ? shown(line.name) : `Expectation ${line.index + 1}`;
  const current = isScore ? Number(value.shown ?? 0) : value.shown;
  const meaning = isScore ? { 1: line.anchors.poor, 3: line.anchors.acceptable, 5: line.anchors.excellent } : {};
  const choices = isScore
    ? STEPS.map((step) => ({ value: step, name: String(step), look: fill(step, current), title: meaning[step] ? `${step}: ${shown(meaning[step])}` : String(step), glyph: "" }))
    : [true, false].map((one) => ({ value: one, name: met(one), look: current === one ? "full" : "none", title: one ? "Met" : "Not met", glyph: check(one) }));
  const stop = choices.find((choice) => choice.value === current) ?? choices[Math.ceil(choices.length / 2) - 1];
  const given = value.touch === "confirmed" || value.touch === "changed";
  const step = (choice) => h("button", {
    type: "button", role: "radio", class: `step ${choice.look}`, "aria-checked": String(given && choice.value === current), "aria-label": choice.name, "data-address": address,
    title: choice.title, tabindex: choice === stop ? "0" : "-1", disabled: view.readOnly, on: { click: () => view.choose(address, choice.value) },
  }, h("i", { "aria-hidden": "true" }, choice.glyph));
  return h("td", { class: `you ${label}` }, h("span", { class: `value own ${isScore ? "" : "check "}${label} ${value.touch}` },
    h("span", { class: "steps", role: "radiogroup", "aria-label": `${name}, output ${label}, your ${isScore ? "score" : "answer"}, ${TOUCHED[value.touch]}`, "aria-disabled": view.readOnly ? "true" : null }, choices.map(step)),
    isScore && h("b", { class: "figure", "aria-hidden": "true" }, value.shown === null ? "–" : figure(current)),
    mark(view, address, `${name}, output ${label}`)));
}

// The small button at the end of a value says whether it is touched, and confirms it or takes it back.
function mark(view, address, what) {
  const value = view.own(address);
  const judge = view.judged(address);
  const { touch } = value;
  if (touch === "untouched") {
    const can = !view.readOnly && judge !== null;
    return h("button", { type: "button", class: "mark", tabindex: "-1", disabled: !can, title: can ? "Confirm the judge's value (Enter confirms the row)" : null, "aria-label": `Confirm ${what}`, on: { click: () => view.confirm([address]) } }, "✓");
  }
  const delta = touch === "changed" && typeof judge === "number" ? Number(value.shown) - judge : 0;
  const changed = delta ? `${delta > 0 ? "+" : "−"}${figure(Math.abs(delta))}` : judge === value.shown ? "=" : value.blind || judge === null ? "•" : "≠";
  return h("button", { type: "button", class: `mark ${touch}`, tabindex: "-1", disabled: view.readOnly, title: `${TOUCHED[touch]}; take it back (Delete)`, "aria-label": `Take back ${what}`, on: { click: () => view.clear(address) } }, { confirmed: "✓", cannot_judge: "?" }[touch] ?? changed);
}

const rowOf = (line) => line.path ?? `expectation.${line.index}`;
const nameOf = (line) => shown(line.name ?? line.text);
const given = (view, row) => LABELS.filter((label) => view.own(view.addressOf(row, label)).shown !== null);

// How many rows a dimension's score or the pass rate is the mean of, where some have no value yet.
export function countedWords(view, rows) {
  const counted = rows.filter((row) => given(view, row).length === LABELS.length);
  return counted.length && counted.length < rows.length ? `from ${counted.length} of ${count(rows.length, "row")}` : "";
}

function rows(view, line) {
  const row = rowOf(line);
  // A row of a final review that counts nowhere, since only one output has a value.
  const leftOut = view.readOnly && given(view, row).length === 1;
  const reasons = LABELS.filter((label) => view.wantsReason(view.addressOf(row, label)));
  return [
    h("tr", {
      class: ["row", view.ui.row === row && "here", leftOut && "left-out"].filter(Boolean).join(" "), key: row, "data-row": row,
      on: { pointerdown: () => view.pointerDown(), focusin: () => view.pressing || view.enter(row), click: () => view.enter(row) },
    },
    h("th", { scope: "row", class: "name", title: line.description ? shown(line.description) : null }, h("span", { class: "label" }, nameOf(line)),
      leftOut && h("span", { class: "absent", title: "Only one output has a value here, so the row is not in the result." }, " left out")),
    LABELS.map((label) => [judged(view, line, label), own(view, line, label)])),
    // The reasons stand under the scores, as wide as the sheet.
    reasons.length > 0 && h("tr", { class: "because", key: `${row}/because`, on: { focusin: () => view.enter(row) } },
      h("td", { colspan: 5 }, reasons.map((label) => reasonField(view, view.addressOf(row, label), { label, name: `${"anchors" in line ? nameOf(line) : `expectation ${line.index + 1}`}, output ${label}` })))),
  ].filter(Boolean);
}

export function reasonField(view, address, { label = null, name }) {
  const value = view.own(address);
  const required = view.sheet.reasons === "required";
  const missing = view.lacks(address);
  const codes = view.sheet.reason_codes;
  // Enter and Escape give the keys back; Shift + Enter breaks the line.
  const keys = (event) => {
    if (event.isComposing || (event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    event.stopPropagation();
    view.leaveField(event.target, label ?? "A");
  };
  return h("div", { class: missing ? "reason missing" : "reason", key: `reason/${address}` },
    label && letter(label),
    codes.length > 0 && h("select", { "aria-label": `Kind of reason, ${name}`, disabled: view.readOnly, field: { value: value.code, waiting: false }, on: { change: (event) => view.explain(address, { code: event.target.value }) } },
      h("option", { value: "" }, "Kind…"), codes.map((code) => h("option", { value: code }, shown(code)))),
    h("textarea", {
      rows: 1, maxlength: 4000, placeholder: required && !value.code ? "Reason (required)" : "Reason (optional)", "aria-label": `Reason, ${name}`, "aria-required": required ? "true" : null,
      "aria-invalid": missing ? "true" : null, "data-reason": address, readonly: view.readOnly || view.leaving, field: { value: value.reason, waiting: view.waits(address) },
      on: { input: (event) => view.explain(address, { reason: event.target.value }, { typing: true }), blur: () => view.flush(), keydown: keys },
    }));
}

function foot(view, title, read, of, unit = "") {
  const { judgment, verdict } = view.sheet;
  const cell = (who, from, label) => h("td", { class: `${who} ${label}`, "data-who": who === "judge" ? whoJudges(view.sheet) : who }, h("b", { class: "figure" }, from ? read(from, label) : "–"));
  return h("tr", { class: "foot", key: "foot" },
    h("th", { scope: "row", class: "name" }, title, [of, unit].filter(Boolean).map((words) => [" ", h("span", { class: "absent" }, words)])),
    LABELS.map((label) => [cell("judge", judgment?.verdict, label), cell("you", verdict, label)]));
}

// Once it may be told, the candidate's name stands beside the letter; CSS cuts a long one.
export const sideHead = (label, name) =>
  h("th", { colspan: 2, scope: "colgroup", class: `side ${label}`, title: name ? shown(name) : null }, letter(label), name ? ` · ${shown(name)}` : ` Output ${label}`);

function table(view, { kind, first, title = null, caption, groups }) {
  const halves = LABELS.flatMap((label) => [h("th", { scope: "col", class: `judge ${label}` }, view.sheet.judge.form ? "" : "judge"), h("th", { scope: "col", class: `you ${label}` }, "you")]);
  return h("table", { class: `scores ${kind}`, key: kind },
    h("caption", { class: "spoken" }, caption),
    h("thead", { key: "head" }, h("tr", {}, h("th", { rowspan: 2, scope: "col", class: "name", title }, first), LABELS.map((label) => sideHead(label, view.names?.[label]))), h("tr", {}, halves)),
    groups);
}

const group = (name, lines, view, last, about = null) =>
  h("tbody", { key: name }, h("tr", { class: "group", key: "head" }, h("th", { colspan: 5, scope: "rowgroup" }, name)), about && h("tr", { class: "group", key: "about" }, h("td", { colspan: 5 }, about)), lines.flatMap((line) => rows(view, line)), last);

export function scoreTables(view) {
  const { sheet, criteria, expectations } = view;
  const who = whoJudges(sheet);
  const dimension = (key, name) => {
    const lines = criteria.filter((line) => line.dimension === key);
    const about = key === "content" && sheet.rubric?.right_answer ? `A right answer must contain (written before any output was seen): ${shown(sheet.rubric.right_answer)}` : null;
    return group(name, lines, view, foot(view, `${name} score`, (verdict, label) => tenth(verdict.totals?.[label][`${key}_score`]), countedWords(view, lines.map(rowOf))), about);
  };
  return [
    table(view, {
      kind: "criteria", first: "Criterion", title: sheet.rubric_version === null ? null : `Rubric version ${sheet.rubric_version}${sheet.rubric_author ? `, written by ${shown(sheet.rubric_author)}` : ""}`,
      caption: `Scores of both outputs, the ${who}'s and yours. 1 to 5 scores output A, 6 to 0 output B.`,
      groups: [dimension("content", "Content"), dimension("structure", "Structure"), h("tbody", { key: "overall", class: "overall" }, foot(view, "Overall", (verdict, label) => tenth(verdict.totals?.[label].overall_score), "", "of 10"))],
    }),
    expectations.length > 0 && table(view, {
      kind: "expectations", first: "Expectation", caption: `Which expectations each output meets, by the ${who} and by you.`,
      groups: [group("Expectations", expectations, view, foot(view, "Pass rate", (verdict, label) => (verdict.pass_rates ? percent(verdict.pass_rates[label]) : "–"), countedWords(view, expectations.map(rowOf))))],
    }),
  ];
}

// What the judge says of the chosen row, and what its scores mean; in a place of its own, so that choosing moves no row.
export function chosenRow(view) {
  const line = view.lineOf(view.currentRow());
  if (!line) return null;
  const meaning = line.anchors && [[1, line.anchors.poor], [3, line.anchors.acceptable], [5, line.anchors.excellent]];
  return h("aside", { class: "chosen", key: "chosen", "aria-label": `Rationale: ${nameOf(line)}` },
    h("h3", {}, nameOf(line), meaning && h("button", { type: "button", class: "info", "aria-expanded": String(view.anchors === true), "aria-label": `What 1, 3 and 5 mean for ${nameOf(line)}`, title: "What 1, 3 and 5 mean (i)", on: { click: () => view.toggleAnchors() } }, "i")),
    meaning && view.anchors && h("div", { class: "anchors" }, line.description && h("p", { class: "about" }, shown(line.description)), meaning.map(([score, text]) => h("p", {}, h("b", {}, `${score} `), shown(text)))),
    h("div", { class: "halves" }, LABELS.map((label) => half(view, line, label))));
}

function half(view, line, label) {
  const address = view.addressOf(rowOf(line), label);
  return h("section", { class: label, "aria-label": `Output ${label}` },
    h("div", { class: "half-head" }, letter(label), answers(view, address, `${nameOf(line)}, output ${label}`)),
    line.judge ? distinctReadings(line.judge[label].by_pass).map((reading) => rationale(view, reading, label, "anchors" in line))
      : h("p", { class: "absent" }, view.sheet.opened ? "No rationale from the judge yet." : "The judge's rationale opens after you have answered."),
    ownEvidence(view, address, label));
}

function answers(view, address, what) {
  if (view.readOnly) return null;
  const { touch } = view.own(address);
  const button = (text, act, pressed) => h("button", { type: "button", class: "link", "aria-label": `${text}: ${what}`, "aria-pressed": pressed === undefined ? null : String(pressed), on: { click: act } }, text);
  return [
    view.judged(address) !== null && touch !== "confirmed" && button("Confirm", () => view.confirm([address])),
    button("Cannot judge", () => (touch === "cannot_judge" ? view.clear(address) : view.cannotJudge(address)), touch === "cannot_judge"),
    touch !== "untouched" && button("Take back", () => view.clear(address)),
  ];
}

function rationale(view, { pass, who }, label, isScore) {
  const value = pass.value === null ? "not assessed" : isScore ? pass.value : `${met(pass.value)}.`;
  return h("div", { class: "reading" },
    h("p", {}, h("span", { class: "order" }, `${who}: `), h("b", {}, value), " ", shown(pass.text)),
    pass.quotes.length > 0 && h("ul", { class: "quotes" }, pass.quotes.map((quote) => h("li", {}, quoteLink(view, quote, label)))));
}

function quoteLink(view, quote, label) {
  const text = `“${shown(cut(quote.text, 400))}”`;
  const file = h("span", { class: "file", title: shown(quote.file) }, shown(cut(quote.file, 40)));
  if (!quote.found) return [h("s", {}, text), " ", file, " ", h("span", { class: "not-found" }, "not found in the output")];
  if (quote.file_id === null) return [h("span", {}, text), " ", file];
  const passage = { fileId: quote.file_id, label, text: quote.text, start: quote.start };
  return [h("button", { type: "button", class: "quote", title: `Show in output ${label}`, on: { click: () => view.showQuote(passage) } }, text), " ", file];
}

// Passages that the reviewer attached.
function ownEvidence(view, address, label) {
  const { evidence = [], closed } = view.given.notes ?? {};
  const pieces = evidence.filter((piece) => piece.target === address);
  if (pieces.length === 0) return null;
  return h("div", { class: "reading own-evidence" },
    h("p", {}, h("span", { class: "order" }, "Your evidence")),
    h("ul", { class: "quotes" }, pieces.map((piece) => h("li", { key: piece.id },
      quoteLink(view, { file: piece.file, file_id: piece.fileId, text: piece.text, start: piece.start, found: true }, label), " ",
      !closed && h("button", { type: "button", class: "link", "aria-label": `Withdraw this evidence: ${shown(cut(piece.text, 60))}`, on: { click: () => view.tell({ do: "withdraw", text: piece.id }) } }, "Withdraw")))));
}
