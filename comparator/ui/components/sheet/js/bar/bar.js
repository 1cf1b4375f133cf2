// @ts-check
// What stands above the table when something went wrong, and the bar at the bottom that is always in view.

import { questionBar } from "./question.js";
import { h } from "../dom.js";
import { hint } from "./hints.js";
import { preferenceWords } from "../preference.js";
import { ownCheck, ownScore } from "../table/steps.js";
import { letter } from "../table/table.js";
import {
  LABELS,
  ago,
  basis,
  count,
  decided,
  effortWords,
  judgeWords,
  shown,
  verdictWords,
  whoJudges,
  wins,
} from "../words.js";

export function banners(view) {
  const { sheet } = view;
  const { judge } = sheet;
  const notes = [];
  if (judge.state !== "done") notes.push(judgeTrouble(view, judge));
  if (view.restarted) {
    notes.push(
      h("div", { class: "banner bad", role: "alert", key: "restarted" }, h("b", {}, "Your session on the server has ended."), " Your changes are kept. Reload to continue. ", h("button", { type: "button", class: "command small", on: { click: () => location.reload() } }, "Reload")),
    );
  }
  if (view.trouble) {
    notes.push(h("div", { class: "banner bad", role: "alert", key: "trouble" }, h("b", {}, "Not saved yet."), ` ${shown(view.trouble)} Your changes are kept in this browser and will be sent again.`));
  }
  for (const [id, why] of view.refusals) {
    notes.push(h("div", { class: "banner bad", role: "alert", key: `refused/${id}` }, `Not stored: ${shown(why)} `, h("button", { type: "button", class: "link", on: { click: () => view.dismiss(id) } }, "Dismiss")));
  }
  return h("div", { class: "banners", key: "banners" }, notes);
}

function judgeTrouble(view, judge) {
  const banner = {
    failed: ["bad", "The judge failed."],
    interrupted: ["bad", judge.problem ? shown(judge.problem) : "The judge was interrupted."],
    waiting: ["", judge.step ? `${shown(judge.step)} …` : "The judge has not started."],
    running: ["", `The judge is working${judge.step ? `: ${shown(judge.step)}` : ""} …`],
  }[judge.state];
  const broken = judge.state === "failed" || judge.state === "interrupted";
  const retry = broken || (judge.state === "waiting" && !judge.step);
  return h(
    "div",
    { class: `banner ${banner[0]}`, key: "judge", role: broken ? "alert" : "status" },
    h("b", {}, banner[1]),
    judge.state !== "interrupted" && judge.problem && ` ${shown(judge.problem)}`,
    retry && " You can score without it. ",
    retry && commandButton(view, "retry", broken ? "Retry" : "Judge", { look: "small" }),
  );
}

function commandButton(view, name, text, { look = "", title = null, disabled = false } = {}) {
  const busy = view.command?.name === name;
  return h(
    "button",
    { type: "button", class: `command ${look}`, "data-command": name, title, disabled, "aria-busy": busy ? "true" : null, on: { click: () => view.press(name) } },
    text,
  );
}

export function bar(view) {
  const { sheet } = view;
  const judged = judgeWords(sheet, view.names);
  return h(
    "div",
    { class: "bar", key: "bar", role: "region", "aria-label": "Decision" },
    obstacles(view),
    !(view.rowSeen && view.ui.shown) && strip(view),
    h(
      "div",
      { class: "line" },
      h(
        "div",
        { class: "summary" },
        h("span", { class: "who", title: [judged, sheet.judge.form ? "" : effortWords(sheet.judge)].filter(Boolean).join(" · ") }, h("span", { class: "tag outline" }, whoJudges(sheet)), ` ${judged}`),
        h("span", { class: "who", title: ownWords(view) }, h("span", { class: "tag solid" }, "you"), " ", sheet.finalised ? finalWords(view) : ownWords(view)),
      ),
      sheet.finalised ? finalisedActions(view) : openActions(view),
    ),
  );
}

function sheetButton(view) {
  return h("button", { type: "button", class: "command", "data-toggle": "scores", title: "Show or hide the scores (p)", "aria-expanded": String(view.ui.shown), "aria-controls": "bc-scores", on: { click: () => view.toggleSheet() } }, view.ui.shown ? "Hide scores" : "Scores");
}

// The current row, to score while its place in the table is out of sight.
function strip(view) {
  const row = view.currentRow();
  if (row === "preference" && !view.readOnly) return preferenceStrip(view);
  const criterion = view.criteria.find((line) => line.path === row);
  const expectation = view.expectations.find((line) => `expectation.${line.index}` === row);
  if (view.readOnly || !(criterion || expectation)) return null;
  const side = (label) => [letter(label), criterion ? ownScore(view, criterion, label) : ownCheck(view, expectation, label)];
  const name = shown(criterion ? criterion.name : expectation.text);
  return h(
    "div",
    { class: "strip", key: "strip", title: name },
    h("button", { type: "button", class: "link", title: "Show this row", on: { click: () => view.focusRow(row, "A") } }, name),
    LABELS.map(side),
  );
}

function preferenceStrip(view) {
  const chosen = preferenceWords(view.own("preference").shown, view.names);
  return h("div", { class: "strip", key: "strip" }, h("button", { type: "button", class: "link", title: "Show the question", on: { click: () => view.focusRow("preference", "A") } }, chosen || "Which output does the task better? 1 A much better … 5 B much better"));
}

// How much a person has answered, in words.
function ownWords(view) {
  const { sheet } = view;
  const touches = view.addresses().map((address) => view.own(address).touch);
  const of = (touch) => touches.filter((t) => t === touch).length;
  if (!sheet.opened && !sheet.preference && view.lacking().length > 0) return `${count(view.lacking().length, "score")} to give before the judge's scores open`;
  if (sheet.preference && view.own("preference").touch === "untouched") return "no answer yet";
  if (sheet.preference && !sheet.verdict) return preferenceWords(view.own("preference").shown, view.names);
  if (!sheet.verdict) return `${count(sheet.missing.length, "value is", "values are")} not assessed`;
  const parts = [[verdictWords(sheet.verdict, view.names), ...basis(sheet.verdict)].join(", ")];
  const touched = ["changed", "confirmed"].filter(of).map((touch) => `${of(touch)} ${touch}`);
  if (touched.length) parts.push(touched.join(", "));
  if (of("cannot_judge")) parts.push(`${of("cannot_judge")} cannot judge`);
  // What nobody has assessed is named above.
  const left = view.addresses().map((address) => view.own(address)).filter(({ touch, shown: value }) => touch === "untouched" && value !== null).length;
  if (left) parts.push(`${count(left, "value")} not confirmed`);
  return parts.join(" · ");
}

function obstacles(view) {
  const { sheet } = view;
  const parts = [];
  if (view.leaving) parts.push(h("p", { class: "note", role: "status", key: "leaving" }, `${view.ending} … Keys are off until that is done.`));
  else if (view.note) parts.push(h("p", { class: "note", role: "status", key: "note" }, shown(view.note), view.offer?.note === view.note && [" ", h("button", { type: "button", class: "link", on: { click: () => view.offer.act() } }, "Undo")]));
  if (!sheet.finalised && sheet.problems.length > 0) {
    parts.push(
      h(
        "div",
        { class: view.ui.pressed ? "problems pressed" : "problems", role: "status", key: "problems" },
        h("span", {}, h("b", {}, "Before finalising: "), shown(sheet.problems.join(" "))),
        h("button", { type: "button", class: "link", on: { click: () => view.showObstacle() } }, "show me"),
      ),
    );
  }
  parts.push(questionBar(view));
  if (!view.ui.question) parts.push(hint(view));
  return h("div", { class: "obstacles" }, parts);
}

export function savedWords(view) {
  if (view.outbox.items.length > 0) return view.offline || view.trouble ? "not saved yet, will be sent again" : "saving…";
  if (view.offline) return "no connection to the server";
  return view.savedAt ? `saved ${ago(view.savedAt)}` : "";
}

function savedState(view) {
  const trouble = view.offline || view.trouble !== "";
  return h("span", { class: trouble ? "saved trouble" : "saved", role: "status", "aria-live": trouble ? "polite" : "off", "data-waiting": String(view.outbox.items.length), title: view.savedAt ? new Date(view.savedAt).toLocaleString() : null }, savedWords(view));
}

function openActions(view) {
  const { sheet } = view;
  return h(
    "div",
    { class: "actions" },
    savedState(view),
    sheetButton(view),
    commandButton(view, "undo", "Undo", { title: "Take back your last change (z)", disabled: !sheet.undoable && view.outbox.items.length === 0 }),
    askButton(view, { kind: "say", name: "skip" }, "Skip", "Leave this pair for later, or for another reviewer (q 1)"),
    askButton(view, { kind: "menu" }, "More…", "Flag for discussion, cannot judge, outside my expertise, I know which is which (q)"),
    view.showsCriteria && sheet.opened && h("button", { type: "button", class: "command", title: "Confirm all remaining values of the judge (c)", disabled: view.untouched().length === 0, on: { click: () => view.confirmRest() } }, "Confirm the rest"),
    h("button", { type: "button", class: "command", title: "Keys (?)", "aria-label": "Keys", on: { click: () => view.showKeys() } }, "?"),
    !sheet.opened && commandButton(view, "open_judge", "Open the judge's scores", { look: opensFirst(view) ? "primary" : "", title: opensFirst(view) ? "Ctrl + Enter, or r" : "r" }),
    commandButton(view, "finalise", "Finalise", { title: "Ctrl + Shift + Enter" }),
    commandButton(view, "finalise_next", "Finalise and open next", { look: opensFirst(view) ? "" : "primary", title: opensFirst(view) ? null : "Ctrl + Enter" }),
  );
}

// Who scores blind looks at the judge next; who says which output is better is through.
export const opensFirst = (view) => !view.sheet.opened && !view.sheet.preference && view.own("winner").touch !== "changed";

function askButton(view, question, text, title) {
  const now = view.ui.question;
  const open = now !== null && now.kind === question.kind && now.name === question.name;
  return h("button", { type: "button", class: "command", "data-ask": question.name || question.kind, title, "aria-expanded": String(open), on: { click: () => view.ask(question) } }, text);
}

function finalWords(view) {
  const latest = view.sheet.versions.at(-1);
  return h(
    "span",
    { class: "decided" },
    h("b", {}, latest ? `Finalised: ${wins(latest.winner, view.names)}` : "Finalised"),
    latest ? `, ${decidedFinally(latest)}${changedWords(view, latest)}.` : ".",
  );
}

const decidedFinally = ({ decided_by, verdict }) => decided({ decided_by, left_out: verdict?.left_out });

// A winner that was set is itself the change.
function changedWords(view, { changed, decided_by: rule }) {
  // The offline check gives no value that could be changed.
  if (view.sheet.judge.form) return "";
  if (changed === 0) return rule === "reviewer" ? "" : "; no value changed";
  return `; ${count(changed, "value")} changed from the judge's`;
}

function finalisedActions(view) {
  return h(
    "div",
    { class: "actions" },
    sheetButton(view),
    savedState(view),
    commandButton(view, "reopen", "Reopen"),
    view.sheet.verdict && !view.sheet.verdict.totals
      ? askButton(view, { kind: "scores" }, "Export comparison.json…", "Enter the four scores that comparison.json needs, then download it")
      : commandButton(view, "export", "Export comparison.json", { title: "Download the scores, the winner and the reasoning" }),
    commandButton(view, "export_provenance", "Export provenance", { title: "Download what is behind the result: the judge, the rubric, each change and its author" }),
    view.after?.place !== null && view.after && askButton(view, { kind: "write" }, "Save to a folder…", "Save comparison.json and its provenance to a folder on this machine"),
    view.after?.together > 0 && askButton(view, { kind: "reveal" }, "Reveal", "Show which candidate made which output"),
    commandButton(view, "next", "Next", { look: "primary", title: "Open the next comparison (Ctrl + Enter)" }),
  );
}

export function history(view) {
  const { versions, finalised } = view.sheet;
  if (versions.length === 0) return null;
  return h(
    "div",
    { class: "history", key: "history" },
    h("h3", {}, "Versions"),
    h(
      "ol",
      { reversed: true },
      versions.toReversed().map((version) => {
        const at = new Date(version.at);
        return h(
          "li",
          { value: version.number },
          h("span", { title: at.toLocaleString() }, ago(at.getTime())),
          `: ${wins(version.winner, view.names)}, ${decidedFinally(version)}${changedWords(view, version)}`,
          version.unblinded && ", after the reveal",
        );
      }),
    ),
    !finalised && h("p", { class: "absent" }, "Reopened. These versions stay; finalising adds another."),
  );
}
