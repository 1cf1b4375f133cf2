// @ts-check
// Questions that stand in the bar: answers other than scores, the code of a reason, and who made which output.

import { h } from "../dom.js";
import { shown } from "../words.js";

export const OTHER_ANSWERS = {
  skip: { menu: "Skip", label: "Why do you skip this pair?", done: "Skip it" },
  flag: { menu: "Flag for discussion", label: "What should be discussed about this pair?", done: "Flag it" },
  cannot_judge: { menu: "Cannot judge this pair", label: "Why can this pair not be judged?", done: "Cannot judge" },
  outside_expertise: { menu: "Outside my expertise", label: "What expertise does this pair need?", done: "Outside my expertise" },
};
const GIVEN = { skip: "You skipped this pair", flag: "You flagged this pair for discussion", cannot_judge: "You cannot judge this pair", outside_expertise: "This pair is outside your expertise" };
const SURE = ["a guess", "fairly sure", "certain"];

// What the person has said of the pair, each to be taken back.
export function given(view) {
  if (view.sheet.answers.length === 0) return null;
  return h(
    "div",
    { class: "banners", key: "given" },
    view.sheet.answers.map(({ id, kind, text = "", at }) =>
      h(
        "div",
        { class: "banner", key: `given/${id}` },
        h("b", { title: new Date(at).toLocaleString() }, `${GIVEN[kind]}.`),
        text && ` ${shown(text)}`,
        " ",
        !view.readOnly && h("button", { type: "button", class: "link", on: { click: () => view.press("withdraw", id) } }, "Take back"),
      ),
    ),
  );
}

// The choices of the question in the bar, in the order of their digits.
function askedChoices(view) {
  const { question } = view.ui;
  switch (question.kind) {
    case "menu":
      return [
        ...Object.entries(OTHER_ANSWERS).map(([name, { menu }]) => [menu, () => view.ask({ kind: "say", name })]),
        view.sheet.blindness !== "known" && ["I know which is which", () => view.press("knows")],
      ].filter(Boolean);
    case "code":
      return view.sheet.reason_codes.map((code) => [shown(code), () => chooseCode(view, question.address, code)]);
    case "guess":
      return guessChoices(view, question);
    case "reveal":
      return [[view.after.together > 1 ? `Reveal all ${view.after.together}` : "Reveal the candidates", () => view.press("reveal")]];
    default:
      return [];
  }
}

function chooseCode(view, address, code) {
  view.explain(address, { code });
  return view.closeQuestion();
}

// Each candidate with each degree of certainty: one answer, which finalises.
function guessChoices(view, { then }) {
  const choices = view.sheet.guess;
  const answer = (text) => () => {
    view.press("guess", text);
    return view.press(then, "", { guessed: true });
  };
  if (choices.length === 0) return [["No", answer("")], ...["A suspicion", "Fairly sure", "I am certain"].map((name, index) => [name, answer(`:${index + 1}`)])];
  return [...choices.flatMap(({ number, text }) => SURE.map((sure, index) => [`${shown(text)}: ${sure}`, answer(`${number}:${index + 1}`)])), ["No idea", answer("")]];
}

const revealWords = (together) =>
  together > 1 ? `${together} comparisons of these two candidates are revealed together. Later changes count as not blind.` : "Later changes count as not blind.";

function questionText(view) {
  const { question } = view.ui;
  if (question.kind === "menu") return "Instead of a verdict:";
  if (question.kind === "code") return "Why?";
  if (question.kind === "reveal") return revealWords(view.after.together);
  return view.sheet.guess.length > 0 ? "Before you go on: which candidate do you think made output A?" : "Before you go on: did anything reveal who made which output?";
}

export function questionBar(view) {
  const { question: now } = view.ui;
  if (!now) return null;
  if (now.kind === "say") return sayForm(view, now);
  if (now.kind === "write") return writeForm(view);
  if (now.kind === "scores") return scoresForm(view);
  return h(
    "div",
    { class: "asking", key: "asking", role: "group", "aria-labelledby": "bc-asking" },
    h("b", { id: "bc-asking" }, questionText(view)),
    askedChoices(view).map(([name, act], index) =>
      h("button", { type: "button", class: "command small", "data-choice": String(index + 1), on: { click: act } }, index < 9 && h("span", { class: "digit", "aria-hidden": "true" }, String(index + 1)), ` ${name}`),
    ),
    h("button", { type: "button", class: "link", title: "Escape", on: { click: () => view.closeQuestion() } }, "Cancel"),
  );
}

// With the words of an answer that did not reach the server.
function sayForm(view, { name, text = null }) {
  const { label, done } = OTHER_ANSWERS[name];
  const needed = view.sheet.reasons === "required";
  return lineForm(view, { name, text, label: `${label} (${needed ? "required" : "optional"})`, done, needed, send: (typed) => view.press(name, typed) });
}

// Where on this machine the two files go: a folder, or a file of this name.
function writeForm(view) {
  return lineForm(view, { name: "write", text: view.after.place, label: "Folder on this machine, or file to write", done: "Save both files", needed: true, lacking: "Enter a folder or a file name.", send: (typed) => view.press("write", typed) });
}

// A pair that was decided by its winner alone has no scores, which comparison.json needs.
function scoresForm(view) {
  const why = view.own("reasoning").shown ? "" : "; then a sentence on why";
  const label = `Four whole numbers from 1 to 5: content and structure of A, then of B${why}. They go into this file only, not into any statistic.`;
  return lineForm(view, { name: "scores", text: null, label, done: "Export comparison.json", needed: true, lacking: "Write four numbers, such as 4,3,2,3.", send: (typed) => view.press("export", typed) });
}

function lineForm(view, { name, text, label, done, needed, lacking = "Give a short reason.", send: pass }) {
  const send = () => {
    const typed = view.root.querySelector("[data-say]").value.trim();
    if (needed && !typed) {
      view.note = lacking;
      return view.render();
    }
    return pass(typed);
  };
  const keys = (event) => {
    if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") send();
    else view.closeQuestion();
  };
  return h(
    "div",
    { class: "asking", key: `say/${name}` },
    h("input", { type: "text", maxlength: 3900, placeholder: label, "aria-label": label, "data-say": name, value: text, on: { keydown: keys } }),
    h("button", { type: "button", class: "command", "data-command": name, on: { click: send } }, done),
    h("button", { type: "button", class: "command", on: { click: () => view.closeQuestion() } }, "Cancel"),
  );
}

// A key while a question stands in the bar: a digit chooses, Escape leaves. Other keys keep their meaning.
export function answerKey(view, key) {
  if (key.key === "Escape") return view.closeQuestion();
  const choice = /^[1-9]$/.test(key.key) ? askedChoices(view)[Number(key.key) - 1] : undefined;
  if (!choice) return /^[0-9]$/.test(key.key);
  choice[1]();
  return true;
}
