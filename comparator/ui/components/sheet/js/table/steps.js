// @ts-check
// Values: a score as five steps, an expectation as met or not. Filled is given, an outline is empty, a dash is not assessed.

import { h } from "../dom.js";
import { ORDERS, figure, shown } from "../words.js";

const STEPS = [1, 2, 3, 4, 5];
const fill = (step, value) => (value >= step ? "full" : value >= step - 0.5 ? "half" : "none");

// What the judge gave no value for; without one of the reviewer's it counts nowhere.
function notAssessed(who) {
  return h("span", { class: "absent", title: `The ${who} has not assessed this. It counts only if you score both A and B.` }, "not assessed");
}

export function judgeScore(judge, label, who) {
  if (!judge) return h("span", { class: "absent", title: `The ${who} gave no score` }, "–");
  if (judge.score === null) return notAssessed(who);
  const value = Number(judge.score);
  const orders = ["AB", "BA"].map((order) => judge.by_pass.filter((pass) => pass.order === order).map((pass) => pass.value));
  const passes = orders.flat();
  const differ = new Set(passes).size > 1;
  const spoken = differ
    ? `${who}: ${figure(value)}; ${judge.by_pass.map((pass) => `${ORDERS[pass.order]}: ${pass.value}`).join(", ")}`
    : `${who}: ${figure(value)}`;
  return h(
    "span",
    { class: `value judge ${label}`, title: differ ? spoken : null },
    h("span", { class: "steps", "aria-hidden": "true" }, STEPS.map((step) => h("i", { class: `step ${fill(step, value)}` }))),
    h("b", { class: differ ? "figure differ" : "figure", "aria-hidden": "true" }, differ ? passes.join(" | ") : figure(value)),
    h("span", { class: "spoken" }, spoken),
  );
}

export function judgeCheck(judge, label, who) {
  if (!judge) return h("span", { class: "absent", title: `The ${who} did not check this` }, "–");
  if (judge.passed === null) return notAssessed(who);
  const passes = judge.by_pass.map((pass) => pass.value);
  const differ = new Set(passes).size > 1;
  const spoken = differ
    ? `${who}: not met, its readings differ: ${judge.by_pass.map((pass) => `${ORDERS[pass.order]}: ${pass.value ? "met" : "not met"}`).join(", ")}`
    : `${who}: ${judge.passed ? "met" : "not met"}`;
  return h(
    "span",
    { class: `value judge ${label}`, title: differ ? spoken : null },
    h("b", { class: differ ? "check differ" : "check", "aria-hidden": "true" }, differ ? passes.map((met) => (met ? "✓" : "✗")).join(" | ") : judge.passed ? "✓" : "✗"),
    h("span", { class: "spoken" }, spoken),
  );
}

const TOUCHED = { untouched: "not confirmed yet", confirmed: "confirmed", changed: "changed by you", cannot_judge: "you cannot judge this" };

function radios(view, { address, name, label, choices, current, touch, chosen }) {
  const stop = choices.find((choice) => choice.value === current) || choices[Math.ceil(choices.length / 2) - 1];
  return h(
    "span",
    { class: "steps", role: "radiogroup", "aria-label": `${name}, output ${label}, your ${choices.length > 2 ? "score" : "answer"}, ${TOUCHED[touch]}`, "aria-disabled": view.readOnly ? "true" : null },
    choices.map((choice) =>
      h(
        "button",
        {
          type: "button",
          role: "radio",
          class: `step ${choice.look}`,
          "aria-checked": chosen && choice.value === current ? "true" : "false",
          "aria-label": choice.name,
          "data-address": address,
          title: choice.title,
          tabindex: choice === stop ? "0" : "-1",
          disabled: view.readOnly,
          on: { click: () => view.choose(address, choice.value) },
        },
        h("i", { "aria-hidden": "true" }, choice.glyph),
      ),
    ),
  );
}

// The small button at the end of a value says whether it is touched, and confirms it or takes it back.
function mark(view, { address, name, label, own, judged }) {
  const { touch } = own;
  const what = `${name}, output ${label}`;
  if (touch === "untouched") {
    const can = !view.readOnly && judged !== null && judged !== undefined;
    return h("button", { type: "button", class: "mark", tabindex: "-1", disabled: !can, title: can ? "Confirm the judge's value (Enter confirms the row)" : null, "aria-label": `Confirm ${what}`, on: { click: () => view.confirm([address]) } }, "✓");
  }
  const delta = touch === "changed" && typeof judged === "number" ? Number(own.shown) - judged : 0;
  const face = touch === "confirmed" ? "✓" : touch === "cannot_judge" ? "?" : delta > 0 ? `+${figure(delta)}` : delta < 0 ? `−${figure(-delta)}` : judged === own.shown ? "=" : own.blind || judged === null ? "•" : "≠";
  return h("button", { type: "button", class: `mark ${touch}`, tabindex: "-1", disabled: view.readOnly, title: `${TOUCHED[touch]}; take it back (Delete)`, "aria-label": `Take back ${what}`, on: { click: () => view.clear(address) } }, face);
}

export function ownScore(view, line, label) {
  const address = `score:${label}:${line.path}`;
  const own = view.own(address);
  const value = own.shown === null ? 0 : Number(own.shown);
  const anchors = { 1: line.anchors.poor, 3: line.anchors.acceptable, 5: line.anchors.excellent };
  const judged = view.judged(address);
  const choices = STEPS.map((step) => ({ value: step, name: String(step), look: fill(step, value), title: anchors[step] ? `${step}: ${shown(anchors[step])}` : String(step), glyph: "" }));
  return h(
    "span",
    { class: `value own ${label} ${own.touch}` },
    radios(view, { address, name: shown(line.name), label, choices, current: value, touch: own.touch, chosen: own.touch !== "untouched" && own.touch !== "cannot_judge" }),
    h("b", { class: "figure", "aria-hidden": "true" }, own.shown === null ? "–" : figure(value)),
    mark(view, { address, name: shown(line.name), label, own, judged }),
  );
}

export function ownCheck(view, line, label) {
  const address = `expectation:${label}:${line.index}`;
  const own = view.own(address);
  const judged = view.judged(address);
  const choices = [true, false].map((met) => ({ value: met, name: met ? "met" : "not met", title: met ? "Met" : "Not met", glyph: met ? "✓" : "✗", look: own.shown === met ? "full" : "none" }));
  return h(
    "span",
    { class: `value own check ${label} ${own.touch}` },
    radios(view, { address, name: `Expectation ${line.index + 1}`, label, choices, current: own.shown, touch: own.touch, chosen: own.touch === "confirmed" || own.touch === "changed" }),
    mark(view, { address, name: `expectation ${line.index + 1}`, label, own, judged }),
  );
}
