// @ts-check
// The table: criteria by dimension and the expectations, each row with its reasons, anchors and rationale.

import { h } from "../dom.js";
import { evidenceWords, ownEvidence } from "./evidence.js";
import { isRail } from "../place.js";
import { quoteLink } from "./quotes.js";
import { judgeCheck, judgeScore, ownCheck, ownScore } from "./steps.js";
import { LABELS, count, distinctReadings, percent, shown, tenth, whoJudges } from "../words.js";

export const letter = (label) => h("span", { class: `letter ${label}` }, label);

export function scoreTable(view) {
  const { sheet } = view;
  const groups = [
    ["content", "Content"],
    ["structure", "Structure"],
  ];
  return h(
    "table",
    { class: "scores", key: "scores" },
    h("caption", { class: "spoken" }, `Scores of both outputs, the ${whoJudges(sheet)}'s and yours. 1 to 5 scores output A, 6 to 0 output B.`),
    tableHead(view, "Criterion", rubricWords(view.sheet)),
    groups.map(([dimension, title]) =>
      h(
        "tbody",
        { key: dimension },
        h("tr", { class: "group", key: "head" }, h("th", { colspan: 6, scope: "rowgroup" }, title)),
        dimension === "content" && sheet.rubric?.right_answer && h("tr", { class: "unfolded", key: "right" }, h("td", { colspan: 6 }, `A right answer must contain (written before any output was seen): ${shown(sheet.rubric.right_answer)}`)),
        view.criteria.filter((line) => line.dimension === dimension).flatMap((line) => criterionRows(view, line)),
        footRow(`${title} score`, sheet, (verdict, label) => tenth(verdict.totals?.[label][`${dimension}_score`]), { of: countedWords(view, view.criteria.filter((line) => line.dimension === dimension).map((line) => line.path)) }),
      ),
    ),
    h("tbody", { key: "overall", class: "overall" }, footRow("Overall", sheet, (verdict, label) => tenth(verdict.totals?.[label].overall_score), { unit: "of 10" })),
  );
}

const rubricWords = (sheet) => (sheet.rubric_version === null ? null : `Rubric version ${sheet.rubric_version}${sheet.rubric_author ? `, written by ${shown(sheet.rubric_author)}` : ""}`);

// Once it may be told, the candidate's name stands beside the letter; CSS cuts a long one.
export const sideHead = (label, name) =>
  h("th", { colspan: 2, scope: "colgroup", class: `side ${label}`, title: name ? shown(name) : null }, letter(label), name ? ` · ${shown(name)}` : ` Output ${label}`);

function tableHead(view, first, title = null) {
  const columns = LABELS.map((label) => sideHead(label, view.names?.[label]));
  const halves = LABELS.flatMap((label) => [h("th", { scope: "col", class: `judge ${label}` }, view.sheet.judge.form ? "" : "judge"), h("th", { scope: "col", class: `you ${label}` }, "you")]);
  return h(
    "thead",
    { key: "head" },
    h("tr", {}, h("th", { rowspan: 2, scope: "col", class: "name", title }, first), columns, h("th", { rowspan: 2, scope: "col", class: "why" }, view.sheet.reasons === "off" ? "" : "Why")),
    h("tr", {}, halves),
  );
}

const given = (view, row) => LABELS.filter((label) => view.own(view.addressOf(row, label)).shown !== null);

// How many rows a dimension's score or the pass rate is the mean of, where some have no value yet.
export function countedWords(view, rows) {
  const counted = rows.filter((row) => given(view, row).length === LABELS.length);
  return counted.length && counted.length < rows.length ? `from ${counted.length} of ${count(rows.length, "row")}` : "";
}

// A row of a final review that counts nowhere, since only one output has a value.
const leftOut = (view, row) => view.readOnly && given(view, row).length === 1;
const leftOutMark = (view, row) => leftOut(view, row) && h("span", { class: "absent", title: "Only one output has a value here, so the row is not in the result." }, " left out");

function footRow(title, sheet, score, { of = "", unit = "" } = {}) {
  const cell = (verdict, who, label) =>
    h("td", { class: `${who} ${label}`, "data-who": who === "judge" ? whoJudges(sheet) : who }, h("b", { class: "figure" }, verdict ? score(verdict, label) : "–"));
  return h(
    "tr",
    { class: "foot", key: "foot" },
    h("th", { scope: "row", class: "name" }, title, of && [" ", h("span", { class: "absent" }, of)]),
    LABELS.map((label) => [cell(sheet.judgment?.verdict, "judge", label), cell(sheet.verdict, "you", label)]),
    h("td", { class: "why" }, unit),
  );
}

// A cell with the judge's value of one output, drawn by `draw`.
function judged(view, label, draw, line) {
  const who = whoJudges(view.sheet);
  return h("td", { class: `judge ${label}`, "data-who": who }, draw(line.judge && line.judge[label], label, who));
}

function criterionRows(view, line) {
  const row = line.path;
  const name = shown(line.name);
  const why = {
    sides: LABELS.map((label) => [label, `score:${label}:${line.path}`]),
    name,
    unfolds: unfoldWords(line, "rationale"),
  };
  return [
    h(
      "tr",
      rowProps(view, row),
      h(
        "th",
        { scope: "row", class: "name", title: shown(line.description) || null },
        h("span", { class: "label" }, name),
        leftOutMark(view, row),
        toggle(view, "anchors", row, { label: `What 1, 3 and 5 mean for ${name}`, face: "i", look: "info" }),
      ),
      LABELS.map((label) => [
        judged(view, label, judgeScore, line),
        h("td", { class: `you ${label}` }, ownScore(view, line, label)),
      ]),
      whyCell(view, row, why),
    ),
    becauseRow(view, row, why),
    view.ui.anchors.has(row) && h("tr", { class: "unfolded", key: `${row}/anchors` }, h("td", { colspan: 6 }, anchors(line))),
    view.ui.open.has(row) && unfolded(view, row, line),
  ].filter(Boolean);
}

function unfoldWords(line, word) {
  if (!line.judge) return "more";
  const quotes = LABELS.flatMap((label) => line.judge[label].by_pass.flatMap((pass) => pass.quotes)).length;
  return quotes ? `${word} · ${count(quotes, "quote")}` : word;
}

function rowProps(view, row) {
  return {
    class: ["row", view.ui.row === row && "here", leftOut(view, row) && "left-out"].filter(Boolean).join(" "),
    key: row,
    "data-row": row,
    on: { pointerdown: () => view.pointerDown(), focusin: () => view.pressing || view.enter(row), click: () => view.enter(row) },
  };
}

function toggle(view, set, row, { label, face, look }) {
  const open = view.ui[set].has(row);
  return h("button", { type: "button", class: look, "aria-expanded": open ? "true" : "false", "aria-label": label, title: label, on: { click: () => view.unfold(set, row) } }, face);
}

function anchors(line) {
  const meaning = [
    [1, line.anchors.poor],
    [3, line.anchors.acceptable],
    [5, line.anchors.excellent],
  ];
  return h(
    "div",
    { class: "anchors" },
    line.description && h("p", { class: "about" }, shown(line.description)),
    meaning.map(([score, text]) => h("p", {}, h("b", { class: "figure" }, score), " ", shown(text))),
  );
}

function whyCell(view, row, { sides, name, unfolds }) {
  const face = [h("span", { class: "fold", "aria-hidden": "true" }), unfolds, evidenceWords(view, sides)];
  return h("td", { class: "why" }, toggle(view, "open", row, { label: `${unfolds}${evidenceWords(view, sides)}: ${name}`, face, look: "link" }));
}

// The reasons stand under the scores, as wide as the sheet.
function becauseRow(view, row, { sides, name }) {
  const fields = sides.map(([label, address]) => view.wantsReason(address) && reasonField(view, address, { label, name: `${name}, output ${label}` })).filter(Boolean);
  if (fields.length === 0) return null;
  return h("tr", { class: "because", key: `${row}/because`, "data-because": row, on: { focusin: () => view.enter(row) } }, h("td", { colspan: 6 }, fields));
}

export function reasonField(view, address, { label, name }) {
  const own = view.own(address);
  const required = view.sheet.reasons === "required";
  const missing = required && !own.reason.trim() && !own.code;
  const codes = view.sheet.reason_codes;
  return h(
    "div",
    { class: missing ? "reason missing" : "reason", key: `reason/${address}` },
    label && letter(label),
    codes.length > 0 &&
      h(
        "select",
        { "aria-label": `Kind of reason, ${name}`, disabled: view.readOnly, field: { value: own.code, waiting: false }, on: { change: (event) => view.explain(address, { code: event.target.value }) } },
        h("option", { value: "" }, "Kind…"),
        codes.map((code) => h("option", { value: code }, shown(code))),
      ),
    h("textarea", {
      rows: 1,
      maxlength: 4000,
      placeholder: required && !own.code ? "Reason (required)" : "Reason (optional)",
      "aria-label": `Reason, ${name}`,
      "aria-required": required ? "true" : null,
      "aria-invalid": missing ? "true" : null,
      "data-reason": address,
      readonly: view.readOnly || view.leaving,
      field: { value: own.reason, waiting: view.waits(address) },
      on: { input: (event) => view.explain(address, { reason: event.target.value }, { typing: true }), blur: () => view.flush(), keydown: (event) => leaveReason(view, event) },
    }),
  );
}

// Enter and Escape give the keys back to the table; Shift + Enter breaks the line.
function leaveReason(view, event) {
  if (event.isComposing || (event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey))) return;
  event.preventDefault();
  event.stopPropagation();
  view.flush();
  view.focusRow(view.currentRow(), event.target.dataset.reason.includes(":B:") ? "B" : "A");
}

// What unfolds under a row: for each output every reading's words and quotes, and the rarer answers.
function unfolded(view, row, line) {
  return h("tr", { class: "unfolded", key: `${row}/open` }, h("td", { colspan: 6 }, halves(view, row, line)));
}

const sayScore = (value) => value ?? "not assessed";
const sayMet = (value) => (value === null ? "not assessed." : value ? "met." : "not met.");

function halves(view, row, line) {
  const say = row.startsWith("expectation.") ? sayMet : sayScore;
  return h(
    "div",
    { class: "halves" },
    LABELS.map((label) => {
      const address = view.addressOf(row, label);
      return h(
        "section",
        { class: label, "aria-label": `Output ${label}` },
        h("div", { class: "half-head" }, letter(label), answers(view, address, `${shown(line.name || line.text)}, output ${label}`)),
        line.judge ? rationales(line.judge[label], label, say) : h("p", { class: "absent" }, view.sheet.opened ? "No rationale from the judge yet." : "The judge's rationale opens after you have answered."),
        ownEvidence(view, address, label),
      );
    }),
  );
}

// What the judge says of the chosen row, at the rail's foot, so that choosing one moves no other.
export function chosenRow(view) {
  const row = view.currentRow();
  const line = view.lineOf(row);
  if (!line?.judge || !isRail() || view.ui.open.has(row)) return null;
  return h("aside", { class: "chosen", key: "chosen", "aria-label": `Rationale: ${shown(line.name || line.text)}` }, h("h3", {}, shown(line.name || line.text)), halves(view, row, line));
}

function answers(view, address, what) {
  if (view.readOnly) return null;
  const own = view.own(address);
  const button = (text, act, pressed) => h("button", { type: "button", class: "link", "aria-label": `${text}: ${what}`, "aria-pressed": pressed === undefined ? null : String(pressed), on: { click: act } }, text);
  return [
    view.judged(address) !== null && own.touch !== "confirmed" && button("Confirm", () => view.confirm([address])),
    button("Cannot judge", () => (own.touch === "cannot_judge" ? view.clear(address) : view.cannotJudge(address)), own.touch === "cannot_judge"),
    own.touch !== "untouched" && button("Take back", () => view.clear(address)),
  ];
}

function rationales(judge, label, say) {
  return distinctReadings(judge.by_pass).map(({ pass, who }) =>
    h(
      "div",
      { class: "reading" },
      h("p", {}, h("span", { class: "order" }, `${who}: `), h("b", { class: "figure" }, say(pass.value)), " ", shown(pass.text)),
      pass.quotes.length > 0 && h("ul", { class: "quotes" }, pass.quotes.map((quote) => h("li", {}, quoteLink(quote, label)))),
    ),
  );
}

export function expectationTable(view) {
  const { sheet } = view;
  if (view.expectations.length === 0) return null;
  return h(
    "table",
    { class: "scores expectations", key: "expectations" },
    h("caption", { class: "spoken" }, `Which expectations each output meets, by the ${whoJudges(sheet)} and by you.`),
    tableHead(view, "Expectation"),
    h(
      "tbody",
      {},
      h("tr", { class: "group", key: "head" }, h("th", { colspan: 6, scope: "rowgroup" }, "Expectations")),
      view.expectations.flatMap((line) => expectationRows(view, line)),
      footRow("Pass rate", sheet, (verdict, label) => (verdict.pass_rates ? percent(verdict.pass_rates[label]) : "–"), { of: countedWords(view, view.expectations.map((line) => `expectation.${line.index}`)) }),
    ),
  );
}

function expectationRows(view, line) {
  const row = `expectation.${line.index}`;
  const why = {
    sides: LABELS.map((label) => [label, `expectation:${label}:${line.index}`]),
    name: `expectation ${line.index + 1}`,
    unfolds: unfoldWords(line, "evidence"),
  };
  return [
    h(
      "tr",
      rowProps(view, row),
      h("th", { scope: "row", class: "name" }, h("span", { class: "label" }, shown(line.text)), leftOutMark(view, row)),
      LABELS.map((label) => [
        judged(view, label, judgeCheck, line),
        h("td", { class: `you ${label}` }, ownCheck(view, line, label)),
      ]),
      whyCell(view, row, why),
    ),
    becauseRow(view, row, why),
    view.ui.open.has(row) && unfolded(view, row, line),
  ].filter(Boolean);
}
