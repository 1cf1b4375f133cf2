// Made by `npm run bundle` from sheet/js/main.js; do not edit.

// comparator/ui/components/panes/js/first.js
var ASKED = "comparator:outputs-asked";
var THERE = "comparator:outputs-there";
var LONGEST = 300;
function afterOutputs(act) {
  const detail = { coming: false };
  window.dispatchEvent(new CustomEvent(ASKED, { detail }));
  if (!detail.coming) {
    act();
    return () => {
    };
  }
  const stop = () => {
    clearTimeout(timer);
    window.removeEventListener(THERE, go);
  };
  const go = () => {
    stop();
    act();
  };
  const timer = setTimeout(go, LONGEST);
  window.addEventListener(THERE, go);
  return stop;
}

// comparator/ui/components/sheet/js/dom.js
var h = (tag, props, ...children) => ({
  tag,
  props: props || {},
  children: children.flat(Infinity).map((child) => child && typeof child === "object" ? child : { words: words(child) })
});
var words = (value) => value === null || value === void 0 || value === false ? "" : String(value);
function create(node) {
  if (node.tag === void 0) {
    node.at = document.createTextNode(node.words);
    return node.at;
  }
  node.at = document.createElement(node.tag);
  node.at.handlers = {};
  setProps(node.at, {}, node.props);
  patchChildren(node.at, [], node.children);
  if (node.props.field) setField(node.at, node.props.field);
  return node.at;
}
function update(before, after) {
  after.at = before.at;
  if (after.tag === void 0) {
    if (before.words !== after.words) after.at.data = after.words;
    return after.at;
  }
  setProps(after.at, before.props, after.props);
  patchChildren(after.at, before.children, after.children);
  if (after.props.field) setField(after.at, after.props.field);
  return after.at;
}
var OWN_PROPS = /* @__PURE__ */ new Set(["key", "on", "field"]);
function setProps(element, before, after) {
  for (const name of Object.keys(before)) {
    if (!OWN_PROPS.has(name) && !(name in after)) element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(after)) {
    if (OWN_PROPS.has(name) || before[name] === value) continue;
    if (value === null || value === void 0 || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const kind of Object.keys(after.on || {})) {
    if (!(kind in element.handlers)) element.addEventListener(kind, (event) => element.handlers[kind]?.(event));
  }
  element.handlers = after.on || {};
  for (const kind of Object.keys(before.on || {})) element.handlers[kind] ??= void 0;
}
function setField(element, { value, waiting }) {
  if (waiting || element.getRootNode().activeElement === element) return;
  if (element.value !== value) element.value = value;
}
var sameKind = (a, b) => a.tag === b.tag && a.props?.key === b.props?.key;
function patchChildren(element, before, after) {
  const keyed = /* @__PURE__ */ new Map();
  const loose = [];
  for (const child of before) {
    if (child.props?.key === void 0) loose.push(child);
    else keyed.set(child.props.key, child);
  }
  const kept2 = /* @__PURE__ */ new Set();
  const nodes = after.map((child) => {
    const old = child.props?.key === void 0 ? loose.shift() : keyed.get(child.props.key);
    if (old === void 0 || !sameKind(old, child)) return create(child);
    kept2.add(old);
    return update(old, child);
  });
  for (const child of before) if (!kept2.has(child)) child.at.remove();
  nodes.forEach((node, index) => {
    if (element.childNodes[index] !== node) element.insertBefore(node, element.childNodes[index] || null);
  });
}
function innermost() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

// comparator/ui/components/sheet/js/words.js
var LABELS = ["A", "B"];
var figure = (value) => value === null || value === void 0 ? "–" : String(Number(value));
var tenth = (value) => value === null || value === void 0 ? "–" : Number(value).toFixed(1);
var percent = (value) => `${Math.round(Number(value) * 100)}%`;
var count = (number, one, many) => `${number.toLocaleString("en")} ${number === 1 ? one : many || `${one}s`}`;
var cut = (text, longest) => text.length <= longest ? text : `${text.slice(0, longest / 2)} … ${text.slice(-longest / 2)}`;
var HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/g;
var shown = (text) => String(text ?? "").replace(HIDDEN, (c) => `⟨U+${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
function ago(instant) {
  const seconds = Math.max(0, Math.round((Date.now() - instant) / 1e3));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return count(Math.floor(seconds / 86400), "day") + " ago";
}
function valueWords({ value }) {
  if (value === null || value === void 0 || Array.isArray(value)) return "";
  if (typeof value === "boolean") return value ? ": met" : ": not met";
  return `: ${shown(cut(String(value), 60))}`;
}
function ownSaid({ touch, shown: value }) {
  if (touch === "cannot_judge") return "cannot judge";
  const said = Array.isArray(value) ? value.map((line) => shown(cut(line, 40))).join(" / ") : shown(cut(String(value ?? ""), 60));
  const words2 = typeof value === "boolean" ? value ? "met" : "not met" : said || "nothing";
  return { untouched: `${words2} (not confirmed)`, confirmed: `${words2} (confirmed)` }[touch] ?? words2;
}
var reasonSaid = ({ reason, code }) => [code && shown(code), reason && `“${shown(cut(reason, 60))}”`].filter(Boolean).join(" ") || "no reason";
var sameOwn = (a, b) => a.touch === b.touch && a.reason === b.reason && a.code === b.code && JSON.stringify(a.shown) === JSON.stringify(b.shown);
var DECIDED = {};
var learnRules = (called) => Object.assign(DECIDED, called, { reviewer: "set by you" });
var WORTH = { probability: null };
var learnProbability = (known) => {
  WORTH.probability = known ?? null;
};
var surely = (stated) => WORTH.probability === null ? `stated confidence ${stated}%` : `probability ${Math.round(WORTH.probability * 100)}% (stated ${stated}%)`;
var wins = (winner2) => winner2 === "TIE" ? "a tie" : `${winner2} wins`;
var decided = ({ decided_by: rule, left_out: left }) => DECIDED[rule] + (left ? `, ${count(left, "row")} not assessed` : "");
function basis({ decided_by: rule, left_out: left }) {
  return [rule !== "rubric" && DECIDED[rule], left && `${count(left, "row")} not assessed`].filter(Boolean);
}
function verdictWords(verdict) {
  return `${wins(verdict.winner)} ${tenth(verdict.totals.A.overall_score)} : ${tenth(verdict.totals.B.overall_score)}`;
}
function judgeWords(sheet) {
  const { judge, judge_verdict: verdict } = sheet;
  if (!sheet.opened && judge.state === "done") return "hidden until you have answered";
  if (judge.state === "failed") return "the judge failed";
  if (judge.state === "interrupted") return "the judge was interrupted";
  if (judge.state === "waiting") return judge.step ? shown(judge.step).toLowerCase() : "the judge has not started";
  if (judge.state === "running") return `the judge is working${judge.step ? `: ${shown(judge.step)}` : ""}`;
  if (!verdict) return judge.judges?.length ? `no verdict, the judges are ${judge.settled === "no quorum" ? "too few" : "inconclusive"}` : "no verdict";
  const parts = [verdictWords(verdict), ...basis(verdict)];
  if (judge.self_consistent === false) parts.push("its scores and verdict disagree");
  if (judge.position_consistent === true && !isOffline(sheet)) parts.push("same in both orders");
  if (judge.position_consistent === false) parts.push(judge.judges?.length ? "a judge's two orders disagree" : "its two orders disagree");
  if (judge.quotes_total) parts.push(`${judge.quotes_found} of ${count(judge.quotes_total, "quote")} found`);
  if (judge.stated_confidence !== null && !isOffline(sheet)) parts.push(surely(judge.stated_confidence));
  return parts.join(", ");
}
var isOffline = (sheet) => sheet.judge.kind.startsWith("offline");
var whoJudges = (sheet) => isOffline(sheet) ? "offline check" : "judge";
function effortWords(judge) {
  const parts = [shown(judge.model)];
  if (judge.input_tokens || judge.output_tokens) {
    const cached = judge.cached_tokens ? ` (${judge.cached_tokens.toLocaleString("en")} cached)` : "";
    parts.push(`${judge.input_tokens.toLocaleString("en")} tokens in${cached}, ${judge.output_tokens.toLocaleString("en")} out`);
  }
  if (judge.cost !== null) parts.push(`${Number(judge.cost).toFixed(4)} ${shown(judge.currency)}`);
  if (judge.seconds) parts.push(`${judge.seconds.toFixed(1)} s`);
  return parts.filter(Boolean).join(" · ");
}
var ORDERS = { AB: "A shown first", BA: "B shown first" };
var orderWords = (pass, many) => ORDERS[pass.order] + (many ? `, reading ${pass.repetition + 1}` : "");

// comparator/ui/components/sheet/js/table/quotes.js
function quoteLink(quote, label) {
  const text = `“${shown(cut(quote.text, 400))}”`;
  const file = h("span", { class: "file", title: shown(quote.file) }, shown(cut(quote.file, 40)));
  if (!quote.found) return [h("s", {}, text), " ", file, " ", h("span", { class: "not-found" }, "not found in the output")];
  if (quote.file_id === null) return [h("span", {}, text), " ", file];
  const detail = { fileId: quote.file_id, label, text: quote.text, start: quote.start, end: quote.end };
  const show2 = () => window.dispatchEvent(new CustomEvent("comparator:show-quote", { detail }));
  return [h("button", { type: "button", class: "quote", title: `Show in output ${label}`, on: { click: show2 } }, text), " ", file];
}

// comparator/ui/components/sheet/js/table/evidence.js
var placeOf = (view) => `panes-${view.comparisonId}`;
var evidenceOf = /* @__PURE__ */ new Map();
function listenEvidence(current) {
  const onNotes = ({ detail }) => {
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
function wantEvidence(view) {
  if (!evidenceOf.has(placeOf(view))) window.dispatchEvent(new CustomEvent("comparator:notes-wanted", { detail: { place: placeOf(view) } }));
}
var piecesFor = (view, address) => (evidenceOf.get(placeOf(view))?.evidence ?? []).filter((piece) => piece.target === address);
function evidenceWords(view, sides) {
  const pieces = sides.flatMap(([, address]) => piecesFor(view, address)).length;
  return pieces ? ` · ${pieces} of yours` : "";
}
function ownEvidence(view, address, label) {
  const pieces = piecesFor(view, address);
  if (pieces.length === 0) return null;
  const withdraw = (piece) => window.dispatchEvent(new CustomEvent("comparator:withdraw-evidence", { detail: { id: piece.id } }));
  const closed = evidenceOf.get(placeOf(view)).closed;
  return h(
    "div",
    { class: "reading own-evidence" },
    h("p", {}, h("span", { class: "order" }, "Your evidence")),
    h("ul", { class: "quotes" }, pieces.map((piece) => h(
      "li",
      { key: `own/${piece.id}` },
      quoteLink({ file: piece.file, file_id: piece.fileId, text: piece.text, start: piece.start, end: null, found: true }, label),
      " ",
      !closed && h("button", { type: "button", class: "link", "aria-label": `Withdraw this evidence: ${shown(cut(piece.text, 60))}`, on: { click: () => withdraw(piece) } }, "Withdraw")
    )))
  );
}

// comparator/ui/components/sheet/js/findings.js
var ABOUT = {
  offline: ["Offline check: cannot tell right from wrong", "It checks form only and leaves the rest unassessed. The pair needs your scores."],
  contradicts: ["Judge's scores and verdict disagree", "The judge's stated winner contradicts its own scores, even after it was asked again. Decide by the outputs."],
  flip: ["Judge's two orders disagree", "The judge preferred one output when A was shown first, and the other when B was. Where its readings differ, both values are shown."],
  split: ["Judges disagree", "Several judges were asked. Each was reconciled over both orders first:"],
  addressed: ["An output addresses the judge", "It was treated as data, not as an instruction:"],
  told: ["May reveal its candidate", "A passage in an output says which run produced it. The pair is judged and reviewed, but counted separately from blind pairs."],
  void: ["Unusable output", "One of the two runs left no output, or only an error. The result counts only under “All runs”."],
  superseded: ["Replaced by a later import", "A later import replaced one of the outputs. The result counts only under “All runs”."],
  aside: ["Files set aside", "Files about the run rather than the task are not judged. They are listed after the reveal."],
  revealed: ["Candidates revealed", "Changes made now are marked as not blind and left out of blind statistics."],
  knows: ["Not blind for you", "You created this pair, or know which candidate is which. Your review is counted separately."]
};
var VOTES = { A: "A wins", B: "B wins", TIE: "a tie", inconclusive: "inconclusive, its two orders disagree", failed: "failed, or used an earlier rubric" };
function findingsOf(sheet) {
  const { judge } = sheet;
  const found = (kind, tone, lines = []) => ({ kind, tone, name: ABOUT[kind][0], about: ABOUT[kind][1], lines: lines.map((line) => shown(cut(line, 400))) });
  const notes = LABELS.flatMap((label) => (sheet.view_notes?.[label] ?? []).map((note) => ({ kind: `note/${label}`, tone: "warn", name: `${label}: ${shown(cut(note, 60))}`, about: shown(note), lines: [] })));
  return [
    isOffline(sheet) && found("offline", "warn"),
    judge.self_consistent === false && found("contradicts", "warn"),
    judge.position_consistent === false && found("flip", "warn"),
    judge.judges?.some((each) => each.vote !== judge.judges[0].vote) && found("split", "warn", judge.judges.map((each) => `${each.name}: ${VOTES[each.vote] ?? each.vote}`)),
    judge.addressed_judge.length > 0 && found("addressed", "warn", judge.addressed_judge),
    ...(sheet.cut_off ?? []).map((label) => ({ kind: `cut/${label}`, tone: "warn", name: `${label} cut off`, about: `Output ${label} was probably cut off before its end.`, lines: [] })),
    sheet.void && found("void", "warn"),
    sheet.may_be_told && found("told", "warn"),
    ...notes,
    sheet.superseded && found("superseded", ""),
    sheet.something_aside && found("aside", ""),
    sheet.revealed && found("revealed", ""),
    sheet.knows && !sheet.revealed && found("knows", "")
  ].filter(Boolean);
}
function tellFindings(view) {
  if (!view.sheet) return;
  const { judge } = view.sheet;
  const working = judge.state === "running" || judge.state === "waiting" && Boolean(judge.step);
  const detail = { place: placeOf(view), findings: findingsOf(view.sheet), step: working ? shown(judge.step || "The judge is reading both outputs") : "" };
  const told = JSON.stringify(detail);
  if (told === view.toldFindings) return;
  view.toldFindings = told;
  window.dispatchEvent(new CustomEvent("comparator:findings", { detail }));
}
function listenFindings(current) {
  const onWanted = () => {
    const view = current();
    if (!view) return;
    view.toldFindings = null;
    tellFindings(view);
  };
  const onCommand = ({ detail }) => current()?.press(detail?.name);
  window.addEventListener("comparator:findings-wanted", onWanted);
  window.addEventListener("comparator:command", onCommand);
  return () => {
    window.removeEventListener("comparator:findings-wanted", onWanted);
    window.removeEventListener("comparator:command", onCommand);
  };
}

// comparator/ui/components/sheet/js/bar/asking.js
var SAYINGS = {
  skip: { menu: "Skip", label: "Why do you skip this pair?", done: "Skip it" },
  flag: { menu: "Flag for discussion", label: "What should be discussed about this pair?", done: "Flag it" },
  cannot_judge: { menu: "Cannot judge this pair", label: "Why can this pair not be judged?", done: "Cannot judge" },
  outside_expertise: { menu: "Outside my expertise", label: "What expertise does this pair need?", done: "Outside my expertise" }
};
var SAID = { skip: "You skipped this pair", flag: "You flagged this pair for discussion", cannot_judge: "You cannot judge this pair", outside_expertise: "This pair is outside your expertise" };
var MOST_NAMED = 6;
var named = (winner2) => winner2 === "TIE" ? "a tie" : winner2;
var SURE = ["A guess", "Fairly sure", "Certain"];
function given(view) {
  if (view.sheet.answers.length === 0) return null;
  return h(
    "div",
    { class: "banners", key: "given" },
    view.sheet.answers.map(
      ({ id, kind, reason, at }) => h(
        "div",
        { class: "banner", key: `given/${id}` },
        h("b", { title: new Date(at).toLocaleString() }, `${SAID[kind]}.`),
        reason && ` ${shown(reason)}`,
        " ",
        !view.readOnly && h("button", { type: "button", class: "link", on: { click: () => view.press("withdraw", id) } }, "Take back")
      )
    )
  );
}
function askedChoices(view) {
  const { asking: asking2 } = view.ui;
  switch (asking2.kind) {
    case "menu":
      return [
        ...Object.entries(SAYINGS).map(([name, { menu }]) => [menu, () => view.ask({ kind: "say", name })]),
        !view.sheet.knows && ["I know which is which", () => view.press("knows")]
      ].filter(Boolean);
    case "code":
      return view.sheet.reason_codes.map((code) => [shown(code), () => chooseCode(view, asking2.address, code)]);
    case "guess":
      return guessChoices(view, asking2);
    case "reveal":
      return [[view.after.together > 1 ? `Reveal all ${view.after.together}` : "Reveal the candidates", () => view.press("reveal")]];
    case "left":
      return [
        ["Assess it", () => assessRest(view)],
        ["Leave it out and finalise", () => leaveOut(view, asking2.then)]
      ];
    default:
      return [];
  }
}
function chooseCode(view, address, code) {
  view.explain(address, { code });
  return view.stopAsking();
}
function assessRest(view) {
  const [first] = view.notAssessed();
  view.ui.asking = null;
  view.ui.folded = false;
  view.render();
  if (first) view.focusRow(view.rowOf(first), first.split(":")[1]);
  return true;
}
function leaveOut(view, then) {
  if (view.sheet.left_out_winner === null) return view.press(then, "leave:", { left: true });
  return view.ask({ kind: "leave", then });
}
function notAssessedWords(view) {
  const rows = /* @__PURE__ */ new Map();
  for (const address of view.notAssessed()) {
    const row = view.nameOf(address).replace(/, [AB]$/, "");
    rows.set(row, [...rows.get(row) ?? [], address.split(":")[1]]);
  }
  const names = [...rows].map(([row, labels]) => labels.length > 1 ? row : `${row} (${labels[0]})`);
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  return `Not assessed: ${names.slice(0, MOST_NAMED).join(", ")}${more}.`;
}
function leavingChanges(view) {
  const { left_out_winner: otherwise, verdict } = view.sheet;
  return otherwise && verdict ? ` Leaving it out changes the winner from ${named(otherwise)} to ${named(verdict.winner)}.` : "";
}
function guessChoices(view, asking2) {
  const { choices } = view.sheet.guess;
  const settle = (text) => {
    const { then, text: leaving } = asking2;
    view.press("guess", text);
    view.press(then, leaving, { left: true, guessed: true });
    return true;
  };
  if (choices.length === 0) return [["No", () => settle("")], ...["A suspicion", "Fairly sure", "I am certain"].map((name, index) => [name, () => settle(`:${index + 1}`)])];
  if (asking2.number !== void 0) return SURE.map((name, index) => [name, () => settle(`${asking2.number}:${index + 1}`)]);
  const next = (number) => {
    view.ui.asking = { ...asking2, number };
    view.render();
    view.root.querySelector(".asking button")?.focus();
    return true;
  };
  return [...choices.map(({ number, text }) => [shown(text), () => next(number)]), ["No idea", () => settle("")]];
}
var revealWords = (together) => together > 1 ? `${together} comparisons of these two candidates are revealed together. Later changes count as not blind.` : "Later changes count as not blind.";
function question(view) {
  const { asking: asking2 } = view.ui;
  if (asking2.kind === "menu") return "Instead of a verdict:";
  if (asking2.kind === "code") return "Why?";
  if (asking2.kind === "reveal") return revealWords(view.after.together);
  if (asking2.kind === "left") return notAssessedWords(view) + leavingChanges(view);
  if (asking2.number !== void 0) return "How sure are you?";
  return view.sheet.guess.choices.length > 0 ? "Before you go on: which candidate do you think made output A?" : "Before you go on: did anything reveal who made which output?";
}
function asking(view) {
  const { asking: now } = view.ui;
  if (!now) return null;
  if (now.kind === "say") return sayForm(view, now);
  if (now.kind === "leave") return leaveForm(view, now);
  if (now.kind === "write") return writeForm(view);
  return h(
    "div",
    { class: "asking", key: "asking", role: "group", "aria-labelledby": "bc-asking" },
    h("b", { id: "bc-asking" }, question(view)),
    askedChoices(view).map(
      ([name, act], index) => h("button", { type: "button", class: "command small", "data-choice": String(index + 1), on: { click: act } }, index < 9 && h("span", { class: "digit", "aria-hidden": "true" }, String(index + 1)), ` ${name}`)
    ),
    h("button", { type: "button", class: "link", title: "Escape", on: { click: () => view.stopAsking() } }, "Cancel")
  );
}
function sayForm(view, { name, text = null }) {
  const { label, done } = SAYINGS[name];
  const needed = view.sheet.reasons === "required";
  return lineForm(view, { name, text, label: `${label}${needed ? "" : " (optional)"}`, done, needed, send: (said) => view.press(name, said) });
}
function writeForm(view) {
  return lineForm(view, { name: "write", text: view.after.place, label: "Folder on this machine, or file to write", done: "Save both files", needed: true, lacking: "Enter a folder or a file name.", send: (said) => view.press("write", said) });
}
function leaveForm(view, { then }) {
  const label = `Why is it left out?${leavingChanges(view)}`;
  return lineForm(view, { name: then, text: null, label, done: "Leave it out and finalise", needed: true, send: (said) => view.press(then, `leave:${said}`, { left: true }) });
}
function lineForm(view, { name, text, label, done, needed, lacking = "Give a short reason.", send: pass }) {
  const send = () => {
    const said = view.root.querySelector("[data-say]").value.trim();
    if (needed && !said) {
      view.note = lacking;
      return view.render();
    }
    return pass(said);
  };
  const keys = (event) => {
    if (event.isComposing || event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") send();
    else view.stopAsking();
  };
  return h(
    "div",
    { class: "asking", key: `say/${name}` },
    h("input", { type: "text", maxlength: 3900, placeholder: label, "aria-label": label, "data-say": name, value: text, on: { keydown: keys } }),
    h("button", { type: "button", class: "command", "data-command": name, on: { click: send } }, done),
    h("button", { type: "button", class: "command", on: { click: () => view.stopAsking() } }, "Cancel")
  );
}
function answerKey(view, key) {
  if (key.key === "Escape") return view.stopAsking();
  const choice = /^[1-9]$/.test(key.key) ? askedChoices(view)[Number(key.key) - 1] : void 0;
  if (!choice) return /^[0-9]$/.test(key.key);
  choice[1]();
  return true;
}

// comparator/ui/components/sheet/js/bar/hints.js
var EXAMPLES = "Examples";
var DISMISSED = "comparator:hints";
var HINTS = {
  read: ["1 of 4: Read", "Compare A and B. ] opens the next file, and “Task” above says what was asked."],
  score: ["2 of 4: Score", "Give each criterion a score: 1 to 5 for A, 6 to 0 for B, or click. Enter confirms a row and goes on."],
  finalise: ["3 of 4: Finalise", "When the scores are as you want them, press Ctrl + Shift + Enter or “Finalise”."],
  export: ["4 of 4: Export", "“Export comparison.json” (Ctrl + S) saves the result. “Next” opens the next pair."]
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
  }
  view.ui.hints = false;
  view.render();
}
function stepOf(view) {
  if (view.sheet.finalised) return "export";
  const rows = view.rows();
  const given2 = rows.filter((row) => view.answered(row)).length;
  if (given2 === 0) return view.ui.row === view.ui.firstRow ? "read" : "score";
  return given2 < rows.length ? "score" : "finalise";
}
function hint(view) {
  view.ui.hints ??= hintsWanted();
  if (!view.ui.hints || view.sheet.project_name !== EXAMPLES) return null;
  view.ui.firstRow ??= view.ui.row;
  const step = stepOf(view);
  return h("p", { class: "hint", key: "hint", "data-step": step }, h("b", {}, HINTS[step][0]), ` ${HINTS[step][1]} `, h("button", { type: "button", class: "link", on: { click: () => dismissHints(view) } }, "Don't show hints again"));
}

// comparator/ui/components/sheet/js/panel.js
var RAIL = 1200;
var isRail = () => window.innerWidth >= RAIL;
var panelName = () => `comparator:panel:${isRail() ? "rail" : "drawer"}`;
function panelShown() {
  try {
    const kept2 = localStorage.getItem(panelName());
    if (kept2 !== null) return kept2 === "shown";
  } catch {
  }
  return isRail() || window.innerHeight >= 900;
}
function rememberPanel(open) {
  try {
    localStorage.setItem(panelName(), open ? "shown" : "folded");
  } catch {
  }
}
var TAKEN = ["--bc-rail", "--bc-drawer", "--bc-bar"];
var ROOM = "comparator:room";
var kept = null;
function placePanel(root, open) {
  const bar2 = root.querySelector(".bar");
  const panel = root.querySelector(".sheet");
  if (!bar2 || !panel || !root.isConnected) return;
  const rail = isRail();
  const left = Math.max(0, Math.round(root.getBoundingClientRect().left) - 16);
  root.dataset.panel = rail ? "rail" : "drawer";
  bar2.style.left = `${left}px`;
  panel.style.left = rail ? "" : `${left}px`;
  panel.style.bottom = `${bar2.offsetHeight}px`;
  const taken = { "--bc-bar": bar2.offsetHeight, "--bc-rail": open && rail ? panel.offsetWidth : 0, "--bc-drawer": open && !rail ? panel.offsetHeight : 0 };
  take(taken);
  const now = JSON.stringify({ ...size(), taken });
  if (now === kept) return;
  kept = now;
  try {
    localStorage.setItem(ROOM, now);
  } catch {
  }
}
var size = () => ({ width: window.innerWidth, height: window.innerHeight });
function take(taken) {
  for (const name of TAKEN) document.documentElement.style.setProperty(name, `${Number(taken[name])}px`);
}
function freePage() {
  for (const name of TAKEN) document.documentElement.style.removeProperty(name);
}

// comparator/ui/components/sheet/js/table/steps.js
var STEPS = [1, 2, 3, 4, 5];
var fill = (step, value) => value >= step ? "full" : value >= step - 0.5 ? "half" : "none";
function notAssessed(who) {
  return h("span", { class: "absent", title: `The ${who} has not assessed this. It counts only if you score both A and B.` }, "not assessed");
}
function judgeScore(judge, label, who) {
  if (!judge) return h("span", { class: "absent", title: `The ${who} gave no score` }, "–");
  if (judge.score === null) return notAssessed(who);
  const value = Number(judge.score);
  const orders = ["AB", "BA"].map((order) => judge.by_pass.filter((pass) => pass.order === order).map((pass) => pass.value));
  const passes = orders.flat();
  const differ = new Set(passes).size > 1;
  const spoken = differ ? `${who}: ${figure(value)}; ${judge.by_pass.map((pass) => `${ORDERS[pass.order]}: ${pass.value}`).join(", ")}` : `${who}: ${figure(value)}`;
  return h(
    "span",
    { class: `value judge ${label}`, title: differ ? spoken : null },
    h("span", { class: "steps", "aria-hidden": "true" }, STEPS.map((step) => h("i", { class: `step ${fill(step, value)}` }))),
    h("b", { class: differ ? "figure differ" : "figure", "aria-hidden": "true" }, differ ? passes.join(" | ") : figure(value)),
    h("span", { class: "spoken" }, spoken)
  );
}
function judgeCheck(judge, label, who) {
  if (!judge) return h("span", { class: "absent", title: `The ${who} did not check this` }, "–");
  if (judge.passed === null) return notAssessed(who);
  const passes = judge.by_pass.map((pass) => pass.value);
  const differ = new Set(passes).size > 1;
  const spoken = differ ? `${who}: not met, its readings differ: ${judge.by_pass.map((pass) => `${ORDERS[pass.order]}: ${pass.value ? "met" : "not met"}`).join(", ")}` : `${who}: ${judge.passed ? "met" : "not met"}`;
  return h(
    "span",
    { class: `value judge ${label}`, title: differ ? spoken : null },
    h("b", { class: differ ? "check differ" : "check", "aria-hidden": "true" }, differ ? passes.map((met) => met ? "✓" : "✗").join(" | ") : judge.passed ? "✓" : "✗"),
    h("span", { class: "spoken" }, spoken)
  );
}
var TOUCHED = { untouched: "not confirmed yet", confirmed: "confirmed", changed: "changed by you", cannot_judge: "you cannot judge this" };
function radios(view, { address, name, label, choices, current, touch, chosen }) {
  const stop = choices.find((choice) => choice.value === current) || choices[Math.ceil(choices.length / 2) - 1];
  return h(
    "span",
    { class: "steps", role: "radiogroup", "aria-label": `${name}, output ${label}, your ${choices.length > 2 ? "score" : "answer"}, ${TOUCHED[touch]}`, "aria-disabled": view.readOnly ? "true" : null },
    choices.map(
      (choice) => h(
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
          on: { click: () => view.choose(address, choice.value) }
        },
        h("i", { "aria-hidden": "true" }, choice.glyph)
      )
    )
  );
}
function mark(view, { address, name, label, own, judged: judged2 }) {
  const { touch } = own;
  const what = `${name}, output ${label}`;
  if (touch === "untouched") {
    const can = !view.readOnly && judged2 !== null && judged2 !== void 0;
    return h("button", { type: "button", class: "mark", tabindex: "-1", disabled: !can, title: can ? "Confirm the judge's value (Enter confirms the row)" : null, "aria-label": `Confirm ${what}`, on: { click: () => view.confirm([address]) } }, "✓");
  }
  const delta = touch === "changed" && typeof judged2 === "number" ? Number(own.shown) - judged2 : 0;
  const face = touch === "confirmed" ? "✓" : touch === "cannot_judge" ? "?" : delta > 0 ? `+${figure(delta)}` : delta < 0 ? `−${figure(-delta)}` : judged2 === own.shown ? "=" : own.blind || judged2 === null ? "•" : "≠";
  return h("button", { type: "button", class: `mark ${touch}`, tabindex: "-1", disabled: view.readOnly, title: `${TOUCHED[touch]}; take it back (Delete)`, "aria-label": `Take back ${what}`, on: { click: () => view.clear(address) } }, face);
}
function ownScore(view, line, label) {
  const address = `score:${label}:${line.path}`;
  const own = view.own(address);
  const value = own.shown === null ? 0 : Number(own.shown);
  const anchors2 = { 1: line.anchors.poor, 3: line.anchors.acceptable, 5: line.anchors.excellent };
  const judged2 = view.judged(address);
  const choices = STEPS.map((step) => ({ value: step, name: String(step), look: fill(step, value), title: anchors2[step] ? `${step}: ${shown(anchors2[step])}` : String(step), glyph: "" }));
  return h(
    "span",
    { class: `value own ${label} ${own.touch}` },
    radios(view, { address, name: shown(line.name), label, choices, current: value, touch: own.touch, chosen: own.touch !== "untouched" && own.touch !== "cannot_judge" }),
    h("b", { class: "figure", "aria-hidden": "true" }, own.shown === null ? "–" : figure(value)),
    mark(view, { address, name: shown(line.name), label, own, judged: judged2 })
  );
}
function ownCheck(view, line, label) {
  const address = `expectation:${label}:${line.index}`;
  const own = view.own(address);
  const judged2 = view.judged(address);
  const choices = [true, false].map((met) => ({ value: met, name: met ? "met" : "not met", title: met ? "Met" : "Not met", glyph: met ? "✓" : "✗", look: own.shown === met ? "full" : "none" }));
  return h(
    "span",
    { class: `value own check ${label} ${own.touch}` },
    radios(view, { address, name: `Expectation ${line.index + 1}`, label, choices, current: own.shown, touch: own.touch, chosen: own.touch === "confirmed" || own.touch === "changed" }),
    mark(view, { address, name: `expectation ${line.index + 1}`, label, own, judged: judged2 })
  );
}

// comparator/ui/components/sheet/js/table/table.js
var letter = (label) => h("span", { class: `letter ${label}` }, label);
function scoreTable(view) {
  const { sheet } = view;
  const groups = [
    ["content", "Content"],
    ["structure", "Structure"]
  ];
  return h(
    "table",
    { class: "scores", key: "scores" },
    h("caption", { class: "spoken" }, `Scores of both outputs, the ${whoJudges(sheet)}'s and yours. 1 to 5 scores output A, 6 to 0 output B.`),
    tableHead(view, "Criterion", rubricWords(view.sheet)),
    groups.map(
      ([dimension, title]) => h(
        "tbody",
        { key: dimension },
        h("tr", { class: "group", key: "head" }, h("th", { colspan: 6, scope: "rowgroup" }, title)),
        sheet.criteria.filter((line) => line.dimension === dimension).flatMap((line) => criterionRows(view, line)),
        footRow(`${title} score`, sheet, (verdict, label) => tenth(verdict.totals[label][`${dimension}_score`]), { of: countedWords(view, dimension) })
      )
    ),
    h("tbody", { key: "overall", class: "overall" }, footRow("Overall", sheet, (verdict, label) => tenth(verdict.totals[label].overall_score), { unit: "of 10" }))
  );
}
var rubricWords = (sheet) => sheet.rubric_version === null ? null : `Rubric version ${sheet.rubric_version}${sheet.rubric_author ? `, written by ${shown(sheet.rubric_author)}` : ""}`;
function tableHead(view, first, title = null) {
  const columns = LABELS.map((label) => h("th", { colspan: 2, scope: "colgroup", class: `side ${label}` }, letter(label), ` Output ${label}`));
  const halves2 = LABELS.flatMap((label) => [h("th", { scope: "col", class: `judge ${label}` }, whoJudges(view.sheet)), h("th", { scope: "col", class: `you ${label}` }, "you")]);
  return h(
    "thead",
    { key: "head" },
    h("tr", {}, h("th", { rowspan: 2, scope: "col", class: "name", title }, first), columns, h("th", { rowspan: 2, scope: "col", class: "why" }, view.sheet.reasons === "off" ? "" : "Why")),
    h("tr", {}, halves2)
  );
}
function countedWords(view, dimension) {
  const lines = view.sheet.criteria.filter((line) => line.dimension === dimension);
  const scored = lines.filter((line) => LABELS.every((label) => view.own(`score:${label}:${line.path}`).shown !== null));
  return scored.length && scored.length < lines.length ? `from ${scored.length} of ${count(lines.length, "row")}` : "";
}
function footRow(title, sheet, score, { of = "", unit = "" } = {}) {
  const cell = (verdict, who, label) => h("td", { class: `${who} ${label}`, "data-who": who === "judge" ? whoJudges(sheet) : who }, h("b", { class: "figure" }, verdict ? score(verdict, label) : "–"));
  return h(
    "tr",
    { class: "foot", key: "foot" },
    h("th", { scope: "row", class: "name" }, title, of && [" ", h("span", { class: "absent" }, of)]),
    LABELS.map((label) => [cell(sheet.judge_verdict, "judge", label), cell(sheet.verdict, "you", label)]),
    h("td", { class: "why" }, unit)
  );
}
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
    unfolds: unfoldWords(line, "rationale")
  };
  return [
    h(
      "tr",
      rowProps(view, row),
      h(
        "th",
        { scope: "row", class: "name", title: shown(line.description) || null },
        h("span", { class: "label" }, name),
        toggle(view, "anchors", row, { label: `What 1, 3 and 5 mean for ${name}`, face: "i", look: "info" })
      ),
      LABELS.map((label) => [
        judged(view, label, judgeScore, line),
        h("td", { class: `you ${label}` }, ownScore(view, line, label))
      ]),
      whyCell(view, row, why)
    ),
    becauseRow(view, row, why),
    view.ui.anchors.has(row) && h("tr", { class: "unfolded", key: `${row}/anchors` }, h("td", { colspan: 6 }, anchors(line))),
    view.ui.open.has(row) && unfolded(view, row, line)
  ].filter(Boolean);
}
function unfoldWords(line, word) {
  if (!line.judge) return "more";
  const quotes = LABELS.flatMap((label) => line.judge[label].by_pass.flatMap((pass) => pass.quotes)).length;
  return quotes ? `${word} · ${count(quotes, "quote")}` : word;
}
function rowProps(view, row) {
  return {
    class: view.ui.row === row ? "row here" : "row",
    key: row,
    "data-row": row,
    on: { pointerdown: () => view.pointerDown(), focusin: () => view.pressing || view.enter(row), click: () => view.enter(row) }
  };
}
function toggle(view, set, row, { label, face, look }) {
  const open = view.ui[set].has(row);
  return h("button", { type: "button", class: look, "aria-expanded": open ? "true" : "false", "aria-label": label, title: look === "info" ? label : null, on: { click: () => view.unfold(set, row) } }, face);
}
function anchors(line) {
  const meaning = [
    [1, line.anchors.poor],
    [3, line.anchors.acceptable],
    [5, line.anchors.excellent]
  ];
  return h(
    "div",
    { class: "anchors" },
    line.description && h("p", { class: "about" }, shown(line.description)),
    meaning.map(([score, text]) => h("p", {}, h("b", { class: "figure" }, score), " ", shown(text)))
  );
}
function whyCell(view, row, { sides, name, unfolds }) {
  const face = [h("span", { class: "fold", "aria-hidden": "true" }), unfolds, evidenceWords(view, sides)];
  return h("td", { class: "why" }, toggle(view, "open", row, { label: `${unfolds}${evidenceWords(view, sides)}: ${name}`, face, look: "link" }));
}
function becauseRow(view, row, { sides, name }) {
  const fields = sides.map(([label, address]) => view.wantsReason(address) && reasonField(view, address, { label, name: `${name}, output ${label}` })).filter(Boolean);
  if (fields.length === 0) return null;
  return h("tr", { class: "because", key: `${row}/because`, "data-because": row, on: { focusin: () => view.enter(row) } }, h("td", { colspan: 6 }, fields));
}
function reasonField(view, address, { label, name }) {
  const own = view.own(address);
  const required = view.sheet.reasons === "required" || address === "winner" || address === "preference";
  const missing = required && !own.reason.trim() && !own.code;
  const codes = view.sheet.reason_codes;
  return h(
    "div",
    { class: missing ? "reason missing" : "reason", key: `reason/${address}` },
    label && letter(label),
    codes.length > 0 && h(
      "select",
      { "aria-label": `Kind of reason, ${name}`, disabled: view.readOnly, field: { value: own.code, waiting: false }, on: { change: (event) => view.explain(address, { code: event.target.value }) } },
      h("option", { value: "" }, "Kind…"),
      codes.map((code) => h("option", { value: code }, shown(code)))
    ),
    h("textarea", {
      rows: 1,
      maxlength: 4e3,
      placeholder: required && !own.code ? "Reason (needed)" : "Reason (optional)",
      "aria-label": `Reason, ${name}`,
      "aria-required": required ? "true" : null,
      "aria-invalid": missing ? "true" : null,
      "data-reason": address,
      readonly: view.readOnly || view.leaving,
      field: { value: own.reason, waiting: view.waits(address) },
      on: { input: (event) => view.explain(address, { reason: event.target.value }, { typing: true }), blur: () => view.flush(), keydown: (event) => leaveReason(view, event) }
    })
  );
}
function leaveReason(view, event) {
  if (event.isComposing || event.key !== "Escape" && (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
  view.flush();
  view.focusRow(view.currentRow(), event.target.dataset.reason.includes(":B:") ? "B" : "A");
}
function unfolded(view, row, line) {
  return h("tr", { class: "unfolded", key: `${row}/open` }, h("td", { colspan: 6 }, halves(view, row, line)));
}
var sayScore = (value) => value ?? "not assessed";
var sayMet = (value) => value === null ? "not assessed." : value ? "met." : "not met.";
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
        ownEvidence(view, address, label)
      );
    })
  );
}
function chosenRow(view) {
  const row = view.currentRow();
  const line = view.lineOf(row);
  if (!line?.judge || !isRail() || view.ui.open.has(row)) return null;
  return h("aside", { class: "chosen", key: "chosen", "aria-label": `Rationale: ${shown(line.name || line.text)}` }, h("h3", {}, shown(line.name || line.text)), halves(view, row, line));
}
function answers(view, address, what) {
  if (view.readOnly) return null;
  const own = view.own(address);
  const button = (text, act, pressed) => h("button", { type: "button", class: "link", "aria-label": `${text}: ${what}`, "aria-pressed": pressed === void 0 ? null : String(pressed), on: { click: act } }, text);
  return [
    view.judged(address) !== null && own.touch !== "confirmed" && button("Confirm", () => view.confirm([address])),
    button("Cannot judge", () => own.touch === "cannot_judge" ? view.clear(address) : view.cannotJudge(address), own.touch === "cannot_judge"),
    own.touch !== "untouched" && button("Take back", () => view.clear(address))
  ];
}
function rationales(judge, label, say) {
  const many = judge.by_pass.some((pass) => pass.repetition > 0);
  return judge.by_pass.map(
    (pass) => h(
      "div",
      { class: "reading" },
      h("p", {}, h("span", { class: "order" }, `${orderWords(pass, many)}: `), h("b", { class: "figure" }, say(pass.value)), " ", shown(pass.text)),
      pass.quotes.length > 0 && h("ul", { class: "quotes" }, pass.quotes.map((quote) => h("li", {}, quoteLink(quote, label))))
    )
  );
}
function expectationTable(view) {
  const { sheet } = view;
  if (sheet.expectations.length === 0) return null;
  return h(
    "table",
    { class: "scores expectations", key: "expectations" },
    h("caption", { class: "spoken" }, `Which expectations each output meets, by the ${whoJudges(sheet)} and by you.`),
    tableHead(view, "Expectation"),
    h(
      "tbody",
      {},
      sheet.expectations.flatMap((line) => expectationRows(view, line)),
      footRow("Pass rate", sheet, (verdict, label) => verdict.pass_rates ? percent(verdict.pass_rates[label]) : "–")
    )
  );
}
function expectationRows(view, line) {
  const row = `expectation.${line.index}`;
  const why = {
    sides: LABELS.map((label) => [label, `expectation:${label}:${line.index}`]),
    name: `expectation ${line.index + 1}`,
    unfolds: unfoldWords(line, "evidence")
  };
  return [
    h(
      "tr",
      rowProps(view, row),
      h("th", { scope: "row", class: "name", title: shown(line.text) }, h("span", { class: "label" }, shown(line.text))),
      LABELS.map((label) => [
        judged(view, label, judgeCheck, line),
        h("td", { class: `you ${label}` }, ownCheck(view, line, label))
      ]),
      whyCell(view, row, why)
    ),
    becauseRow(view, row, why),
    view.ui.open.has(row) && unfolded(view, row, line)
  ].filter(Boolean);
}

// comparator/ui/components/sheet/js/preference.js
var PREFERENCES = [
  ["A_MUCH", "A much better"],
  ["A", "A better"],
  ["SAME", "The same"],
  ["B", "B better"],
  ["B_MUCH", "B much better"]
];
function preference(view) {
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
      PREFERENCES.map(
        ([value, name], index) => h(
          "button",
          { type: "button", role: "radio", class: `choice ${value[0] === "S" ? "TIE" : value[0]}`, "data-address": "preference", "aria-checked": String(chosen === value), tabindex: value === stop ? "0" : "-1", title: `Key ${index + 1}`, disabled: view.readOnly, on: { click: () => view.choosePreference(value) } },
          h("span", { class: "digit", "aria-hidden": "true" }, String(index + 1)),
          ` ${name}`
        )
      )
    ),
    chosen && reasonField(view, "preference", { label: null, name: "which output is better" }),
    h(
      "button",
      { type: "button", class: "link", "aria-expanded": String(view.showsCriteria), title: "Key h", on: { click: () => view.toggleCriteria() } },
      h("span", { class: "fold", "aria-hidden": "true" }),
      view.showsCriteria ? "Hide the criteria" : `Score the ${count(view.sheet.criteria.length, "criterion", "criteria")} too (optional)`
    )
  );
}

// comparator/ui/components/sheet/js/bar/bar.js
function banners(view) {
  const { sheet } = view;
  const { judge } = sheet;
  const notes = [];
  if (judge.state !== "done") notes.push(judgeTrouble(view, judge));
  if (view.restarted) {
    notes.push(
      h("div", { class: "banner bad", role: "alert", key: "restarted" }, h("b", {}, "Your session on the server has ended."), " Your changes are kept. Reload to continue. ", h("button", { type: "button", class: "command small", on: { click: () => location.reload() } }, "Reload"))
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
  const said = {
    failed: ["bad", "The judge failed."],
    interrupted: ["bad", judge.problem ? shown(judge.problem) : "The judge was interrupted."],
    waiting: ["", judge.step ? `${shown(judge.step)} …` : "The judge has not started."],
    running: ["", `The judge is working${judge.step ? `: ${shown(judge.step)}` : ""} …`]
  }[judge.state];
  const broken = judge.state === "failed" || judge.state === "interrupted";
  const retry = broken || judge.state === "waiting" && !judge.step;
  return h(
    "div",
    { class: `banner ${said[0]}`, key: "judge", role: broken ? "alert" : "status" },
    h("b", {}, said[1]),
    judge.state !== "interrupted" && judge.problem && ` ${shown(judge.problem)}`,
    retry && " You can score without it. ",
    retry && commandButton(view, "retry", broken ? "Retry" : "Judge", { look: "small" })
  );
}
function commandButton(view, name, text, { look = "", title = null, disabled = false } = {}) {
  const busy = view.command?.name === name;
  return h(
    "button",
    { type: "button", class: `command ${look}`, "data-command": name, title, disabled, "aria-busy": busy ? "true" : null, on: { click: () => view.press(name) } },
    text
  );
}
function bar(view) {
  const { sheet } = view;
  return h(
    "div",
    { class: "bar", key: "bar", role: "region", "aria-label": "Decision" },
    obstacles(view),
    !(view.rowSeen && view.ui.panel) && strip(view),
    h(
      "div",
      { class: "line" },
      h(
        "div",
        { class: "summary" },
        h("span", { class: "who", title: [judgeWords(sheet), isOffline(sheet) ? "" : effortWords(sheet.judge)].filter(Boolean).join(" · ") }, h("span", { class: "tag outline" }, whoJudges(sheet)), ` ${judgeWords(sheet)}`),
        h("span", { class: "who", title: ownWords(view) }, h("span", { class: "tag solid" }, "you"), " ", sheet.finalised ? finalWords(view) : ownWords(view))
      ),
      sheet.finalised ? finalisedActions(view) : openActions(view)
    )
  );
}
function panelButton(view) {
  return h("button", { type: "button", class: "command", "data-panel": "toggle", title: "Show or hide the scores (p)", "aria-expanded": String(view.ui.panel), "aria-controls": "bc-panel", on: { click: () => view.togglePanel() } }, view.ui.panel ? "Hide scores" : "Scores");
}
function strip(view) {
  const row = view.currentRow();
  if (row === "preference" && !view.readOnly) return preferenceStrip(view);
  const criterion = view.sheet.criteria.find((line) => line.path === row);
  const expectation = view.sheet.expectations.find((line) => `expectation.${line.index}` === row);
  if (view.readOnly || !(criterion || expectation)) return null;
  const side = (label) => [letter(label), criterion ? ownScore(view, criterion, label) : ownCheck(view, expectation, label)];
  const name = shown(criterion ? criterion.name : expectation.text);
  return h(
    "div",
    { class: "strip", key: "strip", title: name },
    h("button", { type: "button", class: "link", title: "Show this row", on: { click: () => view.focusRow(row, "A") } }, name),
    LABELS.map(side)
  );
}
function preferenceStrip(view) {
  const chosen = PREFERENCES.find(([value]) => value === view.own("preference").shown);
  return h("div", { class: "strip", key: "strip" }, h("button", { type: "button", class: "link", title: "Show the question", on: { click: () => view.focusRow("preference", "A") } }, chosen ? chosen[1] : "Which output does the task better? 1 A much better … 5 B much better"));
}
function ownWords(view) {
  const { sheet } = view;
  const touches = view.addresses().map((address) => view.own(address).touch);
  const of = (touch) => touches.filter((t) => t === touch).length;
  if (!sheet.opened && !sheet.preference && view.lacking().length > 0) return `${count(view.lacking().length, "score")} to give before the judge's scores open`;
  if (sheet.preference && view.own("preference").touch === "untouched") return "no answer yet";
  if (sheet.preference && !sheet.verdict) return PREFERENCES.find(([value]) => value === view.own("preference").shown)?.[1] ?? "";
  if (!sheet.verdict) return `${count(sheet.missing.length, "value is", "values are")} not assessed`;
  const parts = [[verdictWords(sheet.verdict), ...basis(sheet.verdict)].join(", ")];
  const touched = ["changed", "confirmed"].filter(of).map((touch) => `${of(touch)} ${touch}`);
  if (touched.length) parts.push(touched.join(", "));
  if (of("cannot_judge")) parts.push(`${of("cannot_judge")} cannot judge`);
  const left = view.addresses().map((address) => view.own(address)).filter(({ touch, shown: value }) => touch === "untouched" && value !== null).length;
  if (left) parts.push(`${count(left, "value")} not confirmed`);
  return parts.join(" · ");
}
function obstacles(view) {
  const { sheet } = view;
  const said = [];
  if (view.leaving) said.push(h("p", { class: "note", role: "status", key: "leaving" }, `${view.ending} … Keys are off until that is done.`));
  else if (view.note) said.push(h("p", { class: "note", role: "status", key: "note" }, shown(view.note), view.offer?.note === view.note && [" ", h("button", { type: "button", class: "link", on: { click: () => view.offer.act() } }, "Undo")]));
  if (!sheet.finalised && sheet.problems.length > 0) {
    const rest = sheet.problems.length - 1;
    said.push(
      h(
        "div",
        { class: view.ui.pressed ? "problems pressed" : "problems", role: "status", key: "problems" },
        h("span", {}, h("b", {}, "Before finalising: "), shown(sheet.problems[0])),
        h("button", { type: "button", class: "link", on: { click: () => view.showObstacle() } }, "show me"),
        rest > 0 && h("button", { type: "button", class: "link", "aria-expanded": String(view.ui.problems), on: { click: () => view.toggleProblems() } }, view.ui.problems ? "fewer" : `and ${rest} more`),
        view.ui.problems && h("ul", {}, sheet.problems.slice(1).map((problem) => h("li", {}, shown(problem))))
      )
    );
  }
  said.push(asking(view));
  if (!view.ui.asking) said.push(hint(view));
  return h("div", { class: "obstacles" }, said);
}
function savedWords(view) {
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
    panelButton(view),
    commandButton(view, "undo", "Undo", { title: "Take back your last change (z)", disabled: !sheet.undoable && view.outbox.items.length === 0 }),
    askButton(view, { kind: "say", name: "skip" }, "Skip", "Leave this pair for later, or for another reviewer (q 1)"),
    askButton(view, { kind: "menu" }, "More…", "Flag for discussion, cannot judge, outside my expertise, I know which is which (q)"),
    view.showsCriteria && sheet.opened && h("button", { type: "button", class: "command", title: "Confirm all remaining values of the judge (c)", disabled: view.untouched().length === 0, on: { click: () => view.confirmRest() } }, "Confirm the rest"),
    h("button", { type: "button", class: "command", title: "Keys (?)", "aria-label": "Keys", on: { click: () => view.showKeys() } }, "?"),
    !sheet.opened && commandButton(view, "open_judge", "Open the judge's scores", { look: opensFirst(view) ? "primary" : "", title: opensFirst(view) ? "Ctrl + Enter, or r" : "r" }),
    commandButton(view, "finalise", "Finalise", { title: "Ctrl + Shift + Enter" }),
    commandButton(view, "finalise_next", "Finalise and open next", { look: opensFirst(view) ? "" : "primary", title: opensFirst(view) ? null : "Ctrl + Enter" })
  );
}
var opensFirst = (view) => !view.sheet.opened && !view.sheet.preference;
function askButton(view, question2, text, title) {
  const now = view.ui.asking;
  const open = now !== null && now.kind === question2.kind && now.name === question2.name;
  return h("button", { type: "button", class: "command", "data-ask": question2.name || question2.kind, title, "aria-expanded": String(open), on: { click: () => view.ask(question2) } }, text);
}
function finalWords(view) {
  const latest = view.sheet.versions.at(-1);
  return h(
    "span",
    { class: "decided" },
    h("b", {}, latest ? `Finalised: ${wins(latest.winner)}` : "Finalised"),
    latest ? `, ${decided(latest)}; ${count(latest.changed, "value")} changed against the ${whoJudges(view.sheet)}.` : "."
  );
}
function finalisedActions(view) {
  return h(
    "div",
    { class: "actions" },
    panelButton(view),
    savedState(view),
    commandButton(view, "reopen", "Reopen"),
    commandButton(view, "export", "Export comparison.json", { title: "Download the scores, the winner and the reasoning" }),
    commandButton(view, "export_provenance", "Export provenance", { title: "Download what is behind the result: the judge, the rubric, each change and its author" }),
    view.after?.place !== null && view.after && askButton(view, { kind: "write" }, "Save to a folder…", "Save comparison.json and its provenance to a folder on this machine"),
    view.after?.together > 0 && askButton(view, { kind: "reveal" }, "Reveal", "Show which candidate made which output"),
    commandButton(view, "next", "Next", { look: "primary", title: "Open the next comparison (Ctrl + Enter)" })
  );
}
function history(view) {
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
          `: ${wins(version.winner)}, ${decided(version)}, ${count(version.changed, "value")} changed against the ${whoJudges(view.sheet)}`,
          version.left_out_reason && `; left out because: ${shown(version.left_out_reason)}`,
          version.unblinded && ", after the reveal"
        );
      })
    ),
    !finalised && h("p", { class: "absent" }, "Reopened. These versions stay; finalising adds another.")
  );
}

// comparator/ui/components/sheet/js/keys.js
var CHEATS = [
  ["j k, ↓ ↑", "next, previous row (arrows while the table has the focus)"],
  ["1 … 5", "score output A"],
  ["6 … 9 0, or Shift + 1 … 5", "score output B from 1 to 5"],
  ["Space, Shift + Space", "expectation met or not: A, B"],
  ["← →", "move between the steps; Space chooses"],
  ["Enter", "confirm the row and go on"],
  ["a, b, =", "which output is better: A, B, the same; then its reason"],
  ["c", "confirm all other values that the judge gave"],
  ["p", "show or hide the scores"],
  ["n, Shift + N", "cannot judge: A, B"],
  ["Delete, Shift + Delete", "clear a value: A, B"],
  ["o", "unfold the rationale"],
  ["i", "what 1, 3 and 5 mean"],
  ["e, Shift + E", "write the reason: A, B; Enter or Escape goes back to the table"],
  ["t", "write the reasoning; Escape goes back to the table"],
  ["y, Shift + Y", "choose the kind of reason by its digit: A, B"],
  ["q", "skip, flag, cannot judge, outside my expertise, I know which is which"],
  ["z", "undo"],
  ["Ctrl + Enter", "finalise and open next; in a blind review first open the judge's scores"],
  ["1, 2 when asked", "assess what is not assessed, or leave it out"],
  ["Ctrl + Shift + Enter", "finalise and stay here"],
  ["Ctrl + S", "export comparison.json once the review is finalised"],
  ["s (on the queue)", "start reviewing, or go on"],
  ["?", "this list; Escape closes it"]
];
var PREFERENCE_CHEATS = [
  ["a, b, =", "A better, B better, the same"],
  ["1 … 5", "A much better, A better, the same, B better, B much better"],
  ["h", "show or hide the criteria"]
];
var BLIND_CHEATS = [["r", "open the judge's scores"]];
var PANE_CHEATS = [
  ["[ ]", "previous, next file"],
  ["f, /", "list of files, search"],
  ["x", "mark the file as viewed"],
  ["w", "which side is shown: both, A, B"],
  ["g, Shift + G", "into output A, B: arrows, Page Down and Space scroll it; all keys work there as well"],
  ["s", "as it looks, or its source"],
  ["d", "differences"],
  ["l", "scroll both together, or each alone"],
  [", .", "previous, next place found, or change"],
  ["v", "attach the selected words to a criterion as evidence"],
  ["m", "comment on the file or the selected words"],
  ["+ − |", "larger, smaller, fit"]
];
var TEXT_INPUTS = /* @__PURE__ */ new Set(["text", "search", "email", "number", "password", "tel", "url", "date", "time", "datetime-local", "month", "week"]);
function isTyping(element) {
  if (!(element instanceof Element)) return false;
  if (element instanceof HTMLElement && element.isContentEditable || element.closest("[contenteditable=true], [role=textbox], [role=combobox], [role=grid]")) return true;
  return element.tagName === "TEXTAREA" || element.tagName === "SELECT" || element instanceof HTMLInputElement && TEXT_INPUTS.has(element.type);
}
var dialogOpen = () => document.querySelector("[role=dialog], dialog[open]") !== null;
function digit(key) {
  const found = /^Digit([1-5])$/.exec(key.code || "");
  if (key.shiftKey && found) return { label: "B", score: Number(found[1]) };
  if (/^[1-5]$/.test(key.key)) return { label: "A", score: Number(key.key) };
  if (/^[6-9]$/.test(key.key)) return { label: "B", score: Number(key.key) - 5 };
  return key.key === "0" ? { label: "B", score: 5 } : null;
}
function handleKey(view, key, at) {
  if (view.dialog?.open) return false;
  if (key.key === "Enter" && (key.ctrlKey || key.metaKey)) {
    if (view.leaving) return true;
    view.flush();
    if (["guess", "left", "leave"].includes(view.ui.asking?.kind)) return true;
    view.press(view.sheet.finalised ? "next" : opensFirst(view) ? "open_judge" : key.shiftKey ? "finalise" : "finalise_next");
    return true;
  }
  if (key.key === "s" && (key.ctrlKey || key.metaKey) && view.sheet.finalised) return view.press("export");
  if (key.ctrlKey || key.metaKey || key.altKey) return false;
  if (view.readOnly && !view.leaving && (digit(key) || /^([abceny=]|Delete)$/i.test(key.key))) return view.tellClosed();
  if (isTyping(at)) return false;
  if (view.ignores(key)) return true;
  if (view.ui.asking && answerKey(view, key)) return true;
  if (key.key === "?") return view.showKeys();
  const down = key.key === "j" || at && key.key === "ArrowDown";
  if (down || key.key === "k" || at && key.key === "ArrowUp") return view.moveRow(down ? 1 : -1, at);
  if (key.key === "o") return view.unfold("open", view.currentRow());
  if (key.key === "i") return view.unfold("anchors", view.currentRow());
  if (key.key === "h") return view.toggleCriteria();
  if (key.key === "p") return view.togglePanel();
  if (key.key === "d") {
    window.dispatchEvent(new CustomEvent("comparator:toggle-differences"));
    return true;
  }
  if (at && at.getAttribute("role") === "radio" && at.dataset.address && (key.key === "ArrowLeft" || key.key === "ArrowRight")) {
    return view.moveStep(key.key === "ArrowRight" ? 1 : -1, at);
  }
  return view.readOnly ? false : handleEdit(view, key, at);
}
function handleEdit(view, key, at) {
  const row = view.currentRow();
  const inButton = at?.tagName === "BUTTON" && at.getAttribute("role") !== "radio";
  const side = key.shiftKey ? "B" : "A";
  const scored = digit(key);
  if (scored) return view.scoreRow(row, scored.label, scored.score);
  switch (key.key) {
    case "Enter":
      return inButton ? false : view.confirmRow(row);
    case " ":
      if (inButton || !row.startsWith("expectation.")) return false;
      return view.toggleCheck(row, at?.dataset.address?.startsWith("expectation:B") ? "B" : side);
    case "a":
    case "b":
      return view.answerBetter(key.key.toUpperCase());
    case "=":
      return view.answerBetter("TIE");
    case "c":
      return view.confirmRest();
    case "n":
    case "N":
      if (row === "preference") return view.ask({ kind: "say", name: "cannot_judge" });
      return view.cannotJudge(view.addressOf(row, side));
    case "Delete":
      return view.clear(view.addressOf(row, side));
    case "e":
    case "E":
      return view.focusReason(row, side);
    case "y":
    case "Y":
      return view.askCode(row, side);
    case "t":
      return view.focusReasoning();
    case "q":
      return view.ask({ kind: "menu" });
    case "r":
      return view.sheet.opened ? false : view.press("open_judge");
    case "z":
      return view.press("undo");
    default:
      return false;
  }
}
function listen(current) {
  let forwarded = null;
  const meant = (event) => {
    const view = current();
    const at = event.composedPath()[0];
    if (event.defaultPrevented || event.isComposing || !view?.visible() || dialogOpen()) return null;
    if (event.composedPath().includes(view.root)) return view;
    const submits = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    const control = at instanceof Element && at.closest("button, a, summary, [role=button], [role=tab]");
    return isTyping(at) || control && /^(Enter| |Arrow.*)$/.test(event.key) && !submits ? null : view;
  };
  const swallow = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.composedPath()[0])) return;
    const view = meant(event);
    if (!view || view.dialog?.open || !view.ignores(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onKey = (event) => {
    forwarded = null;
    if (event.repeat && !/^(Arrow|[jk]$)/.test(event.key)) return;
    const view = meant(event);
    const inside = view && event.composedPath().includes(view.root);
    if (view && handleKey(view, event, inside ? event.composedPath()[0] : null)) event.preventDefault();
  };
  const onForwarded = ({ detail: key }) => {
    forwarded = key;
    setTimeout(() => {
      const view = current();
      if (forwarded !== key || typeof key?.key !== "string" || key.key === " " || !view?.visible() || dialogOpen()) return;
      handleKey(view, key, null);
    });
  };
  window.addEventListener("keydown", swallow, true);
  document.addEventListener("keydown", onKey);
  window.addEventListener("comparator:key", onForwarded);
  return () => {
    window.removeEventListener("keydown", swallow, true);
    document.removeEventListener("keydown", onKey);
    window.removeEventListener("comparator:key", onForwarded);
  };
}
var cheatList = (cheats) => h("dl", {}, cheats.map(([keys, what]) => h("div", {}, h("dt", {}, keys), h("dd", {}, what))));
function cheatSheet(view) {
  return h(
    "dialog",
    { key: "keys", class: "keys", "aria-labelledby": "bc-keys", on: { click: (event) => event.target === event.currentTarget && event.target.close() } },
    // The list is longer than a low window: it begins at its top, not at the button that closes it.
    h("h3", { id: "bc-keys", tabindex: "-1", autofocus: true }, "Keys"),
    h("div", { class: "lists" }, cheatList([...view.sheet.preference ? PREFERENCE_CHEATS : [], ...view.sheet.opened ? [] : BLIND_CHEATS, ...CHEATS]), h("div", {}, h("h4", {}, "Outputs"), cheatList(PANE_CHEATS))),
    h("button", { type: "button", class: "command", on: { click: () => view.dialog.close() } }, "Close")
  );
}

// comparator/ui/components/sheet/js/prose.js
var touchWords = (own) => own.touch === "changed" ? "edited by you" : own.touch === "confirmed" ? "confirmed" : "";
function prose(view) {
  const { sheet } = view;
  const column = (label) => h(
    "section",
    { class: label, "aria-label": `Output ${label}` },
    h("h4", {}, letter(label), ` Output ${label}`),
    lineList(view, `strengths:${label}`, "Strengths", `Strengths of output ${label}`),
    lineList(view, `weaknesses:${label}`, "Weaknesses", `Weaknesses of output ${label}`)
  );
  return h(
    "div",
    { class: "prose", key: "prose" },
    h("h3", {}, "Strengths and weaknesses"),
    h("div", { class: "halves" }, LABELS.map(column)),
    reasoning(view),
    winner(view, sheet)
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
      lines.map(
        (line) => h(
          "li",
          { key: `line/${line.key}` },
          h("textarea", {
            rows: 1,
            maxlength: 4e3,
            "aria-label": `${name}, line ${lines.indexOf(line) + 1}`,
            "data-line": `${address}/${line.key}`,
            readonly: view.readOnly || view.leaving,
            field: { value: line.text, waiting: view.waits(address) },
            on: {
              input: (event) => view.editLines(address, lines.map((other) => other === line ? { ...line, text: event.target.value } : other), { typing: true }),
              blur: () => view.flush(),
              keydown: keys(line)
            }
          }),
          !view.readOnly && h("button", { type: "button", class: "quiet", tabindex: "-1", title: "Remove this line", "aria-label": `Remove line ${lines.indexOf(line) + 1} of ${name}`, on: { click: () => remove(line) } }, "×")
        )
      )
    ),
    lines.length === 0 && view.readOnly && h("p", { class: "absent" }, "None given."),
    !view.readOnly && h("button", { type: "button", class: "link add", "aria-label": `Add to ${name}`, on: { click: () => view.addLine(address, lines.length) } }, "+ Add a line")
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
      maxlength: 5e4,
      "aria-labelledby": "bc-reasoning",
      placeholder: "Why this output is the better one",
      "data-reasoning": true,
      readonly: view.readOnly || view.leaving,
      field: { value: text, waiting: view.waits("reasoning") },
      on: { input: (event) => view.writeReasoning(event.target.value), blur: () => view.flush(), keydown: (event) => leaveReasoning(view, event) }
    })
  );
}
function leaveReasoning(view, event) {
  if (event.isComposing || event.key !== "Escape") return;
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
    ["A", "A wins"],
    ["B", "B wins"],
    ["TIE", "Tie"]
  ];
  return h(
    "div",
    { class: "winner", key: "winner" },
    h("h3", { id: "bc-winner" }, "Winner"),
    h(
      "div",
      { class: "choices", role: "radiogroup", "aria-labelledby": "bc-winner" },
      choices.map(
        ([value, name]) => h("button", { type: "button", role: "radio", class: `choice ${value}`, "aria-checked": String(set === value), disabled: view.readOnly, on: { click: () => view.chooseWinner(value) } }, name)
      )
    ),
    set !== "" && reasonField(view, "winner", { label: null, name: "the winner you set" }),
    h("span", { class: "touched" }, sheet.verdict ? `Now: ${verdictWords(sheet.verdict)}, ${decided(sheet.verdict)}` : "")
  );
}

// comparator/ui/components/sheet/js/sending/outbox.js
var FORGET_AFTER = 30 * 24 * 3600 * 1e3;
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
var Outbox = class {
  constructor(prefix) {
    this.prefix = prefix;
    this.items = [];
    this.sent = /* @__PURE__ */ new Set();
    this.load();
  }
  load() {
    try {
      for (const name of Object.keys(localStorage).filter((other) => other.startsWith(this.prefix))) {
        try {
          const item = JSON.parse(localStorage.getItem(name));
          if (typeof item?.id === "string" && Date.now() - item.made < FORGET_AFTER) this.items.push(item);
        } catch {
          localStorage.removeItem(name);
        }
      }
    } catch {
    }
    this.items.sort((a, b) => a.made - b.made);
  }
  // A new change. While an earlier change of the same field by typing has not been sent, the new one replaces it, under
  // a new id: another tab may have sent the earlier one already.
  put(change, { typing = false } = {}) {
    const newest = this.items.at(-1)?.made ?? 0;
    const item = { id: newId(), value: null, reason: "", code: "", ...change, made: Math.max(Date.now(), newest + 1) };
    if (typing) {
      const unsent = this.items.filter((i) => i.typing && i.target === item.target && !this.sent.has(i.id));
      this.drop(new Set(unsent.map((i) => i.id)));
      item.typing = true;
    }
    this.items.push(item);
    this.store(this.prefix + item.id, JSON.stringify(item));
    return item;
  }
  // Forget the changes that the server has stored or refused; true if there were any.
  drop(ids) {
    const before = this.items.length;
    for (const item of this.items) if (ids.has(item.id)) this.store(this.prefix + item.id, null);
    this.items = this.items.filter((item) => !ids.has(item.id));
    return this.items.length !== before;
  }
  store(name, text) {
    try {
      if (text === null) localStorage.removeItem(name);
      else localStorage.setItem(name, text);
    } catch {
    }
  }
  // What goes over the wire.
  outgoing() {
    for (const item of this.items) this.sent.add(item.id);
    return this.items.map(({ id, target, kind, value, reason, code }) => ({ id, target, kind, value, reason, code }));
  }
  get unsent() {
    return this.items.some((item) => !this.sent.has(item.id));
  }
  last(target) {
    return this.items.findLast((item) => item.target === target);
  }
};

// comparator/ui/components/sheet/js/sending/values.js
var Values = class {
  constructor(comparisonId, owner) {
    this.comparisonId = comparisonId;
    this.owner = owner;
    this.outbox = new Outbox(`comparator:outbox:${comparisonId}:${owner}:`);
    this.ui = { row: null, open: /* @__PURE__ */ new Set(), anchors: /* @__PURE__ */ new Set(), problems: false, pressed: false, asking: null, folded: true, panel: panelShown() };
    this.edited = /* @__PURE__ */ new Map();
    this.nextLine = 1;
    this.refusals = /* @__PURE__ */ new Map();
    this.handled = /* @__PURE__ */ new Set();
    this.command = null;
    this.queue = [];
    this.offline = false;
    this.unheard = null;
    this.saving = false;
    this.trouble = "";
    this.foreign = false;
    this.here = false;
    this.sentAt = 0;
    this.savedAt = null;
    this.note = "";
    this.offer = null;
    this.downloaded = null;
    this.timer = null;
    this.deafUntil = 0;
    this.sheet = null;
    this.api = null;
    this.root = null;
    this.began = null;
    this.seen = null;
    this.process = null;
    this.saidSaved = "";
    this.redrawn = null;
  }
  // The first element of the sheet that a selector names, or null.
  /** @returns {any} */
  find(selector) {
    return this.root.querySelector(selector);
  }
  // What the classes above this one do: draw the sheet, send a change, move the focus, ask a question in the bar.
  render() {
  }
  flush() {
  }
  flushSoon() {
  }
  get leaving() {
    return false;
  }
  /** @returns {HTMLElement | null} */
  focused() {
    return null;
  }
  take(_sheet, _refused) {
    return false;
  }
  focusRow(_row, _label) {
  }
  focusReasoning() {
    return false;
  }
  togglePanel() {
    return false;
  }
  ask(_question) {
    return false;
  }
  // --- reading -------------------------------------------------------------------------------------------------
  index() {
    this.values = /* @__PURE__ */ new Map([
      ["reasoning", { own: this.sheet.prose.reasoning, judged: null }],
      ["winner", { own: this.sheet.own_winner, judged: null }]
    ]);
    if (this.sheet.preference) this.values.set("preference", { own: this.sheet.preference, judged: null });
    for (const label of LABELS) {
      for (const line of this.sheet.criteria) {
        const score = line.judge?.[label].score ?? null;
        this.values.set(`score:${label}:${line.path}`, { own: line.own[label], judged: score === null ? null : Number(score) });
      }
      for (const line of this.sheet.expectations) {
        this.values.set(`expectation:${label}:${line.index}`, { own: line.own[label], judged: line.judge?.[label].passed ?? null });
      }
      for (const part of ["strengths", "weaknesses"]) this.values.set(`${part}:${label}`, { own: this.sheet.prose[part][label], judged: null });
    }
  }
  get readOnly() {
    return this.sheet.finalised;
  }
  // A value as it holds now: what the server knows, and over it what is still on its way there.
  own(address) {
    const base = this.values.get(address)?.own ?? { touch: "untouched", shown: null, reason: "", code: "" };
    const item = this.outbox.last(address);
    if (!item) return base;
    const { reason, code, value } = item;
    const blind = !this.sheet.opened;
    switch (item.kind) {
      case "set":
        return { touch: "changed", shown: value, reason, code, blind };
      case "confirm":
      case "confirm_rest":
        return { touch: "confirmed", shown: value, reason, code, blind };
      case "cannot_judge":
        return { touch: "cannot_judge", shown: this.judged(address), reason, code, blind };
      default:
        return { touch: "untouched", shown: this.judged(address), reason: "", code: "", blind };
    }
  }
  judged(address) {
    return this.values.get(address)?.judged ?? null;
  }
  snapshot() {
    return new Map([...this.values.keys()].map((address) => [address, this.own(address)]));
  }
  waits(address) {
    return this.outbox.last(address) !== void 0;
  }
  addresses() {
    return [...this.values.keys()].filter((address) => address.startsWith("score:") || address.startsWith("expectation:"));
  }
  // What one key may confirm together: values that the judge gave.
  untouched() {
    if (this.readOnly) return [];
    return this.addresses().filter((address) => this.own(address).touch === "untouched" && this.judged(address) !== null);
  }
  // What neither the judge nor the reviewer has given a value for: it counts nowhere.
  notAssessed() {
    return this.addresses().filter((address) => this.own(address).shown === null);
  }
  // The first value without which the review cannot be finalised; null where what is missing may be left out.
  needed() {
    const { opened, preference: preference2, verdict, missing, criteria } = this.sheet;
    if (opened ? verdict : preference2) return null;
    const lacks = (line) => LABELS.find((label) => this.own(`score:${label}:${line.path}`).shown === null);
    const bare = criteria.find(({ dimension }) => criteria.every((line) => line.dimension !== dimension || lacks(line)));
    return opened && bare ? `score:${lacks(bare)}:${bare.path}` : missing[0] ?? null;
  }
  // A reason explains what was changed of the judge's; a score that was given blind changed nothing.
  wantsReason(address) {
    if (address === "winner" || address === "preference") return this.own(address).touch === "changed";
    if (this.sheet.reasons === "off") return false;
    const { touch, blind } = this.own(address);
    return touch === "changed" && !blind || touch === "cannot_judge";
  }
  // The addresses that a blind review has yet to answer before the judge's values open.
  lacking() {
    return this.sheet.before_opening.filter((address) => this.own(address).touch === "untouched");
  }
  // --- changes -------------------------------------------------------------------------------------------------
  change(target, kind, value, more = {}, options = {}) {
    if (this.readOnly || this.leaving) return this.leaving;
    this.outbox.put({ target, kind, value, ...more }, options);
    this.note = "";
    if (options.typing) this.flushSoon();
    else if (!options.later) this.flush();
    this.render();
    return true;
  }
  choose(address, value) {
    const own = this.own(address);
    const agrees = value === this.judged(address);
    const settled = agrees ? "confirmed" : "changed";
    if (own.touch === settled && own.shown !== null && (typeof value === "boolean" ? own.shown === value : Number(own.shown) === value)) return true;
    const kept2 = agrees ? {} : { reason: own.reason, code: own.code };
    return this.change(address, agrees ? "confirm" : "set", value, kept2);
  }
  confirm(addresses, kind = "confirm") {
    const open = addresses.filter((address) => this.own(address).touch === "untouched" && this.judged(address) !== null);
    if (open.length === 0 || this.readOnly || this.leaving) return false;
    for (const address of open) this.outbox.put({ target: address, kind, value: this.judged(address) });
    this.note = "";
    this.flush();
    this.render();
    return true;
  }
  confirmRest() {
    const rest = this.untouched();
    const done = this.confirm(rest, "confirm_rest");
    if (!done && !this.leaving) this.note = "No values of the judge are left to confirm.";
    if (done) {
      this.note = `Confirmed ${count(rest.length, "value")} that you had not touched.`;
      this.offer = { note: this.note, act: () => this.unconfirm(rest) };
    }
    this.render();
    return true;
  }
  unconfirm(addresses) {
    const confirmed = addresses.filter((address) => this.own(address).touch === "confirmed");
    if (this.readOnly || this.leaving) return false;
    for (const address of confirmed) this.outbox.put({ target: address, kind: "clear" });
    this.note = `Taken back: ${count(confirmed.length, "value is", "values are")} not confirmed again.`;
    this.flush();
    this.render();
    return true;
  }
  clear(address) {
    return address && this.own(address).touch !== "untouched" ? this.change(address, "clear", null) : false;
  }
  cannotJudge(address) {
    return address ? this.change(address, "cannot_judge", null, { reason: this.own(address).reason }) : false;
  }
  explain(address, more, options = {}) {
    const own = this.own(address);
    const kind = own.touch === "cannot_judge" ? "cannot_judge" : "set";
    const value = kind === "set" ? own.shown : null;
    return this.change(address, kind, value, { reason: own.reason, code: own.code, ...more }, options);
  }
  choosePreference(value) {
    const own = this.own("preference");
    if (own.touch === "changed" && own.shown === value) return true;
    return this.change("preference", "set", value, { reason: own.reason, code: own.code });
  }
  chooseWinner(value) {
    if (value === "") return this.clear("winner");
    const own = this.own("winner");
    return this.change("winner", "set", value, { reason: own.reason, code: own.code });
  }
  writeReasoning(text) {
    const kind = text.trim() === "" ? "clear" : "set";
    return this.change("reasoning", kind, kind === "set" ? text : null, {}, { typing: true });
  }
  // The lines of a list. While it is being edited they are kept here with their empty lines.
  lines(address) {
    const editing = this.edited.get(address);
    if (editing && (this.redrawn === address || this.waits(address) || this.focused()?.dataset.line?.startsWith(`${address}/`))) return editing;
    this.edited.delete(address);
    return (this.own(address).shown ?? []).map((text, index) => ({ key: `kept${index}`, text }));
  }
  editLines(address, lines, options = {}) {
    this.edited.set(address, lines);
    const value = lines.map((line) => line.text.trim()).filter(Boolean);
    return this.change(address, "set", value, {}, options);
  }
  addLine(address, position) {
    if (this.leaving) return;
    const line = { key: `new${this.nextLine += 1}`, text: "" };
    this.edited.set(address, [...this.lines(address).slice(0, position), line, ...this.lines(address).slice(position)]);
    this.renderLines(address);
    this.focusLine(address, line.key);
  }
  // A new empty line changes nothing yet, so nothing is sent; it is kept while the focus moves into it.
  renderLines(address) {
    this.redrawn = address;
    this.render();
    this.redrawn = null;
  }
  focusLine(address, key) {
    this.find(`[data-line="${CSS.escape(`${address}/${key}`)}"]`)?.focus();
  }
};

// comparator/ui/components/sheet/js/sending/sending.js
var CHANGES = "changes";
var TYPING_PAUSE = 700;
var PATIENCE = 3e3;
var SAVING = 2e4;
var GIVE_UP = 15e3;
var TRIES = 2;
var RELOAD_AGAIN = 6e4;
var DEAF = 1500;
var STILL_TYPING = 800;
var SAME_BURST = 600;
var AWAY = "No connection to the server, so nothing was done. Your changes are kept here. Try again once it is back.";
var CLOSED = "This review is finalised. Reopen it to change a score.";
var NOT_OPEN_YET = "The review was not open yet when you pressed that key. Press it again.";
var swallowed = { at: 0 };
var ENDINGS = {
  finalise: "Finalising",
  finalise_next: "Finalising and opening the next pair",
  skip: "Opening the next pair",
  cannot_judge: "Opening the next pair",
  outside_expertise: "Opening the next pair",
  next: "Opening the next pair"
};
var Sending = class extends Values {
  flushSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), TYPING_PAUSE);
  }
  // One request at a time, so that changes arrive in the order in which they were made; what is made meanwhile goes next.
  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.outbox.items.length === 0 || this.saving) return;
    this.sentAt = Date.now();
    this.save(this.outbox.outgoing());
  }
  // The notes are not heard: the answer to a save tells whether the server was started anew.
  askWhoAnswers() {
    if (!this.saving) this.save(this.outbox.outgoing());
  }
  async save(changes) {
    this.saving = true;
    const told = await post({ comparison: this.comparisonId, owner: this.owner, began: this.began, seen: this.seen, changes });
    this.saving = false;
    this.offline = told === null;
    this.sentAt = this.offline ? 0 : Date.now();
    this.trouble = told?.problem ?? "";
    if (told?.sheet) {
      this.foreign = told.process !== this.process;
      if (!this.foreign) this.heard();
      this.take(told.sheet, told.refused);
      if (this.timer === null && this.outbox.unsent) this.flush();
    }
    this.render();
  }
  // What ends the work on this pair and is on its way; null if nothing is.
  get ending() {
    return [this.command, ...this.queue].map((command) => ENDINGS[command?.name]).find(Boolean) ?? null;
  }
  get leaving() {
    return this.ending !== null;
  }
  // A key led to no field: what is typed next was meant for one, and must not run as commands.
  goDeaf(why, time = DEAF) {
    this.note = why;
    this.deafUntil = Date.now() + time;
    this.render();
    return true;
  }
  // True for a key that is swallowed: while the pair is being left, in the rest of what was typed then, or in the
  // middle of words that have no field.
  ignores(key) {
    const types = [...key.key].length === 1 || ["Enter", "Delete", "Backspace"].includes(key.key);
    if (!types) return false;
    const burst = Date.now() - swallowed.at < SAME_BURST;
    if (this.leaving || burst) {
      swallowed.at = Date.now();
      if (!this.leaving) this.tellSwallowed();
      return true;
    }
    if (Date.now() > this.deafUntil) return false;
    this.deafUntil = Math.max(this.deafUntil, Date.now() + STILL_TYPING);
    return true;
  }
  tellSwallowed() {
    if (this.note) return;
    this.note = "Keys pressed while the pair was opening were ignored.";
    this.render();
  }
  // A key that would change a final review is answered in words.
  tellClosed() {
    this.note = this.command?.name === "reopen" ? NOT_OPEN_YET : CLOSED;
    this.render();
    return true;
  }
  // The page shows another comparison; what was asked for here is done.
  left() {
    this.here = false;
    this.command = null;
    this.queue = [];
    this.note = "";
  }
  // `asked` says which questions before finalising have been answered.
  press(name, text = "", asked = {}) {
    if (this.leaving) return true;
    if (this.sheet.finalised !== ["reopen", "export", "export_provenance", "write", "reveal", "next"].includes(name) && name !== "retry" && name !== "stop") return false;
    const finalises = name === "finalise" || name === "finalise_next";
    if (name === "open_judge" && this.lacking().length > 0) return this.showLacking();
    if (name === "undo" && this.note && this.offer?.note === this.note) return this.offer.act();
    if (name === "undo" && !this.sheet.undoable && this.outbox.items.length === 0) return false;
    if (finalises && this.outbox.items.length === 0 && this.sheet.problems.length > 0) return this.stopAtObstacle();
    if (finalises && !asked.left && this.sheet.opened && this.notAssessed().length > 0) return this.ask({ kind: "left", then: name });
    if (finalises && this.sheet.guess && !asked.guessed) return this.ask({ kind: "guess", then: name, text });
    if (this.command?.name === name && name !== "undo") return true;
    if (this.offline) return this.tellAway();
    this.queue.push({ name, id: newId(), text });
    this.ui.asking = null;
    this.note = "";
    if (!this.command) this.sendNext();
    this.render();
    return true;
  }
  // Nothing is asked of a server that is away: it could be carried out later, when it is no longer meant.
  tellAway() {
    this.note = AWAY;
    this.sentAt = 0;
    this.render();
    return true;
  }
  // Puts the reviewer where an answer is still needed before the judge's values open.
  showLacking() {
    const [first] = this.lacking();
    this.note = `The judge's scores open when every criterion of A and B has a score of yours, or “cannot judge” (n): ${this.lacking().length} to go.`;
    this.render();
    if (first === "preference") this.focusRow("preference", "A");
    else this.focusRow(first.split(":").slice(2).join(":"), first.split(":")[1]);
    return true;
  }
  stopAtObstacle() {
    this.ui.pressed = this.ui.problems = true;
    this.render();
    this.showObstacle();
    return true;
  }
  // Puts the reviewer where the first thing in the way of finalising can be mended.
  showObstacle() {
    const missing = this.needed();
    if (this.sheet.preference && this.own("preference").touch === "untouched") {
      this.focusRow("preference", "A");
      return;
    }
    if (missing && missing !== "rubric") {
      this.ui.folded = false;
      const [part, label, key] = missing.split(":");
      this.focusRow(part === "score" ? key : `expectation.${key}`, label);
      return;
    }
    const field = this.find(".reason.missing textarea");
    if (!field) return this.focusReasoning();
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
  }
  // One command at a time: the next goes out when the server has answered the one before.
  sendNext() {
    const next = this.queue.shift();
    if (!next) return;
    clearTimeout(this.timer);
    this.command = next;
    this.commandAt = Date.now();
    if (next.name === "undo") this.beforeUndo = this.snapshot();
    this.tellCommand();
  }
  // Told again under the same id, a command is carried out once.
  tellCommand() {
    this.sentAt = Date.now();
    const outbox = this.outbox.outgoing();
    this.api.setTriggerValue("command", { ...this.command, comparison: this.comparisonId, outbox, seen: this.sheet.saved.length + outbox.length });
  }
  // A server that was started anew stores changes, but does not know this page and hears no command until a reload.
  get restarted() {
    return this.foreign || this.unheard !== null && this.unheard > TRIES;
  }
  // Reload once by ourselves, unless somebody is typing, be it a comment or a search: the rest of it would run as keys
  // afterwards. What is on its way is in localStorage and is sent then.
  reload() {
    if (isTyping(innermost())) return;
    const name = `comparator:reloaded:${this.comparisonId}`;
    try {
      if (Date.now() - Number(sessionStorage.getItem(name)) < RELOAD_AGAIN) return;
      sessionStorage.setItem(name, String(Date.now()));
    } catch {
      return;
    }
    location.reload();
  }
  // Called every second: keeps "saved 5 s ago" true, and notices a server that does not answer.
  async watch() {
    if (this.watching) return;
    this.watching = true;
    try {
      const waiting = this.outbox.items.length > 0 && this.timer === null && !this.saving;
      if ((waiting || this.command || this.offline) && Date.now() - this.sentAt > PATIENCE) await this.resend(waiting);
      if (this.foreign) this.reload();
    } finally {
      this.watching = false;
    }
    if (this.saidSaved !== savedWords(this)) this.render();
  }
  heard() {
    this.offline = false;
    this.unheard = null;
  }
  async resend(waiting) {
    const alive = await isAlive();
    this.offline = !alive;
    if (!alive) this.unheard = 0;
    else if (this.unheard !== null) this.unheard += 1;
    if (this.restarted) this.reload();
    if (this.command && (!alive || Date.now() - this.commandAt > GIVE_UP)) {
      this.note = alive ? "The server has not answered. Try again if nothing has happened." : AWAY;
      const { name, text } = this.command;
      if (text && name in SAYINGS) this.ui.asking = { kind: "say", name, text };
      this.command = null;
      this.queue = [];
      this.render();
    }
    this.sentAt = Date.now();
    if (!alive) return;
    if (this.command?.name in ENDINGS) this.tellCommand();
    else if (waiting) this.flush();
  }
  download({ id, name, text, media_type: type }) {
    if (this.downloaded === id) return;
    this.downloaded = id;
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1e4);
  }
};
async function post(told) {
  try {
    const answer = await fetch(new URL(CHANGES, document.baseURI), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(told),
      cache: "no-store",
      signal: AbortSignal.timeout(SAVING)
    });
    return await answer.json();
  } catch {
    return null;
  }
}
async function isAlive() {
  try {
    const answer = await fetch(new URL("_stcore/health", document.baseURI), { cache: "no-store", signal: AbortSignal.timeout(2500) });
    return answer.ok;
  } catch {
    return false;
  }
}

// comparator/ui/components/sheet/js/table/rows.js
var Rows = class extends Sending {
  rows() {
    const table = [...this.sheet.criteria.map((line) => line.path), ...this.sheet.expectations.map((line) => `expectation.${line.index}`)];
    if (!this.sheet.preference) return table;
    return this.ui.folded ? ["preference"] : ["preference", ...table];
  }
  // With a preference first, the criteria are folded away and optional.
  get showsCriteria() {
    return !this.sheet.preference || !this.ui.folded;
  }
  toggleCriteria() {
    if (!this.sheet.preference) return false;
    this.ui.folded = !this.ui.folded;
    this.render();
    return true;
  }
  addressOf(row, label) {
    if (row === "preference") return row;
    return row.startsWith("expectation.") ? `expectation:${label}:${row.slice("expectation.".length)}` : `score:${label}:${row}`;
  }
  firstOpenRow() {
    const rows = this.rows();
    return rows.find((row) => LABELS.some((label) => this.own(this.addressOf(row, label)).touch === "untouched")) ?? rows[0] ?? null;
  }
  answered(row) {
    return LABELS.some((label) => this.own(this.addressOf(row, label)).touch !== "untouched");
  }
  currentRow() {
    const rows = this.rows();
    return rows.includes(this.ui.row) ? this.ui.row : rows[0] ?? "";
  }
  // The row that the keys go to is repeated in the bar while it is out of sight, such as when reading the outputs.
  watchRow() {
    const element = this.find(`[data-row="${CSS.escape(this.currentRow())}"]`);
    if (element === this.watched) return;
    this.watched = element;
    this.sight?.disconnect();
    if (!element) return;
    const see = (entries) => {
      const seen = entries.at(-1).isIntersecting;
      if (seen === this.rowSeen || element !== this.watched) return;
      this.rowSeen = seen;
      this.render();
    };
    this.sight = new IntersectionObserver(see, { threshold: 0.5 });
    this.sight.observe(element);
  }
  // Go to a row: with the focus if it is in the sheet or the row in sight, else only the keys go there.
  goTo(row, label) {
    if (this.rowSeen || this.focused() !== null) this.focusRow(row, label);
    else this.enter(row);
  }
  // A row is entered when it is let go: what moved under the pointer before that would take the click.
  pointerDown() {
    this.pressing = true;
    const release = () => {
      this.pressing = false;
      for (const name of ["pointerup", "pointercancel"]) window.removeEventListener(name, release, true);
    };
    for (const name of ["pointerup", "pointercancel"]) window.addEventListener(name, release, true);
  }
  enter(row) {
    if (this.ui.row === row) return;
    this.ui.row = row;
    this.render();
  }
  focused() {
    const { activeElement } = (
      /** @type {Document | ShadowRoot} */
      this.root.getRootNode()
    );
    return (
      /** @type {HTMLElement | null} */
      activeElement ?? null
    );
  }
  focusRow(row, label) {
    this.enter(row);
    if (!this.ui.panel) this.togglePanel();
    const address = CSS.escape(this.addressOf(row, label));
    const step = this.find(`[data-address="${address}"][tabindex="0"]`);
    const line = this.find(`[data-row="${CSS.escape(row)}"]`);
    step?.focus({ preventScroll: true });
    this.bringIn(line);
  }
  // The row with its reasons and rationale, as far as the panel has room: its own lines come first.
  bringIn(line) {
    for (let next = line?.nextElementSibling; next?.matches(".because, .unfolded"); next = next.nextElementSibling) next.scrollIntoView({ block: "nearest" });
    line?.scrollIntoView({ block: "nearest" });
  }
  moveRow(by, at) {
    const rows = this.rows();
    if (rows.length === 0) return false;
    const label = /^(?:score|expectation):B/.test(at?.dataset.address ?? "") ? "B" : "A";
    const row = this.currentRow();
    const fresh = at === null && this.focused() === null && this.rowSeen && !this.answered(row);
    const index = rows.indexOf(row) + (fresh && by > 0 ? 0 : by);
    this.goTo(rows[Math.min(rows.length - 1, Math.max(0, index))], label);
    return true;
  }
  moveStep(by, at) {
    const row = at.closest("[data-row], .strip");
    const steps = [...row.querySelectorAll("[role=radio]")];
    steps[steps.indexOf(at) + by]?.focus();
    return true;
  }
  scoreRow(row, label, score) {
    if (!row) return false;
    if (row.startsWith("expectation.")) return false;
    if (row === "preference") return this.choosePreference(PREFERENCES[score - 1][0]);
    this.choose(this.addressOf(row, label), score);
    this.bringIn(this.find(`[data-row="${CSS.escape(row)}"]`));
    return true;
  }
  toggleCheck(row, label) {
    const address = this.addressOf(row, label);
    this.choose(address, !this.own(address).shown);
    return true;
  }
  lineOf(row) {
    return this.sheet.criteria.find((line) => line.path === row) ?? this.sheet.expectations.find((line) => `expectation.${line.index}` === row);
  }
  // A value's name for a person, such as "Accuracy, A".
  nameOf(address) {
    const [part, label, ...rest] = address.split(":");
    const side = label ? `, ${label}` : "";
    if (part === "score") return `${shown(this.sheet.criteria.find((line) => line.path === rest.join(":"))?.name ?? rest.join(":"))}${side}`;
    if (part === "expectation") return `Expectation ${Number(rest[0]) + 1}${side}`;
    if (part === "preference") return "Which output is better";
    return part[0].toUpperCase() + part.slice(1) + side;
  }
  // The row of a value in the table; null for the words and the winner below it.
  rowOf(address) {
    if (address === "preference") return address;
    const [part, , key] = address.split(":");
    if (part === "score") return key;
    return part === "expectation" ? `expectation.${key}` : null;
  }
  confirmRow(row) {
    if (!row) return false;
    this.confirm(LABELS.map((label) => this.addressOf(row, label)));
    const rows = this.rows();
    const next = rows[rows.indexOf(row) + 1];
    if (next) this.goTo(next, "A");
    return true;
  }
  // The value of a row that a reason explains: of the side asked for, else of the other.
  explained(row, side) {
    const addresses = row === "preference" ? [row] : [side, side === "A" ? "B" : "A"].map((label) => this.addressOf(row, label));
    return addresses.find((address) => this.wantsReason(address));
  }
  focusReason(row, side) {
    const address = this.explained(row, side);
    const field = address && this.find(`[data-reason="${CSS.escape(address)}"]`);
    if (!field) return this.goDeaf(`${this.noReason(address)} Keys are ignored for a moment.`);
    field.focus();
    return true;
  }
  noReason(address) {
    if (this.sheet.reasons === "off" && !address) return "This project does not ask for reasons.";
    return "A reason goes with a changed value or “cannot judge”; this row has neither.";
  }
  // The sentences of the verdict; the offline check's are selected, so that one's own take their place.
  focusReasoning() {
    if (!this.showsCriteria) this.toggleCriteria();
    const field = this.find("[data-reasoning]");
    if (!field) return false;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: "center" });
    if (isOffline(this.sheet) && this.own("reasoning").touch === "untouched") field.select();
    return true;
  }
  // Which output is better, in one key: the review itself where that is asked first, else the winner and its reason.
  answerBetter(winner2) {
    if (this.sheet.preference) return this.choosePreference(winner2 === "TIE" ? "SAME" : winner2);
    this.chooseWinner(winner2);
    if (!this.ui.panel) this.togglePanel();
    const field = this.find('[data-reason="winner"]');
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "center" });
    return true;
  }
  askCode(row, side) {
    const address = this.explained(row, side);
    if (address && this.sheet.reason_codes.length > 0) return this.ask({ kind: "code", address });
    return this.goDeaf(address ? "This project has no kinds of reasons. Write one (e)." : this.noReason(address));
  }
};

// comparator/ui/components/sheet/js/view.js
var View = class extends Rows {
  moveTo(root) {
    this.here = true;
    this.watched = null;
    this.root = root;
    this.tree = [];
  }
  follow() {
    placePanel(this.root, this.ui.panel);
  }
  togglePanel() {
    this.ui.panel = !this.ui.panel;
    rememberPanel(this.ui.panel);
    this.render();
    return true;
  }
  // --- what the server says ------------------------------------------------------------------------------------
  // A sheet comes with the page, and in answer to changes. One that was read before the one at hand is old news: then
  // the server is asked once more, since it may still have known something newer of the judge.
  take(sheet, refusals) {
    const late = this.sheet && Date.parse(sheet.read_at) < Date.parse(this.sheet.read_at);
    if (!late) {
      this.sheet = sheet;
      this.index();
    }
    const refused = new Map(refusals.map(({ id, why }) => [id, why]));
    this.takeRefusals(refused);
    const stored = this.outbox.drop(/* @__PURE__ */ new Set([...sheet.saved, ...refused.keys()]));
    if (stored) this.savedAt = Date.now();
    else this.savedAt ??= sheet.saved_at ? new Date(sheet.saved_at).getTime() : null;
    if (this.sheet.problems.length === 0) this.ui.pressed = this.ui.problems = false;
    if (late && sheet.read_at !== this.lateAt && !this.saving) {
      this.lateAt = sheet.read_at;
      this.save(this.outbox.outgoing());
    }
    return stored;
  }
  receive(api) {
    const { data } = api;
    this.api = api;
    learnRules(data.rules);
    learnProbability(data.probability);
    this.began = data.began;
    this.seen = data.seen;
    this.after = data.after;
    if (this.process !== data.process) this.foreign = false;
    this.process = data.process;
    const stored = this.take(data.sheet, data.refused);
    const answered = data.handled.some((id) => !this.handled.has(id));
    if (stored || answered) this.heard();
    this.handled = new Set(data.handled);
    if (answered || data.note) this.note = data.note || (this.note === NOT_OPEN_YET ? NOT_OPEN_YET : "");
    const asked = this.command && this.handled.has(this.command.id) ? this.command.name : null;
    if (asked) {
      this.command = null;
      if (asked === "undo" && !this.note) this.tellUndone();
      this.sendNext();
    }
    if (this.ui.asking?.kind === "guess" && !this.sheet.guess) this.ui.asking = null;
    this.ui.row ??= this.firstOpenRow();
    if (asked in ENDINGS && !this.sheet.finalised && !this.leaving) this.stay(asked);
    this.render();
    if (data.download) this.download(data.download);
  }
  // Undo may reach a value that is out of sight: it is named and its row is shown.
  tellUndone() {
    const before = this.beforeUndo ?? /* @__PURE__ */ new Map();
    const address = [...before.keys()].find((each) => !sameOwn(before.get(each), this.own(each)));
    if (!address) return;
    const [was, is] = [before.get(address), this.own(address)];
    const [from, to] = ownSaid(was) === ownSaid(is) ? [reasonSaid(was), reasonSaid(is)] : [ownSaid(was), ownSaid(is)];
    this.note = `Undone: ${this.nameOf(address)}: ${from} → ${to}`;
    const row = this.rowOf(address);
    if (row) this.ui.row = row;
    if (row && this.sheet.preference && row !== "preference") this.ui.folded = false;
    this.render();
    const place = row ? `[data-row="${CSS.escape(row)}"]` : address === "reasoning" ? "[data-reasoning]" : `[data-line^="${CSS.escape(address)}/"], .winner`;
    this.find(place)?.scrollIntoView({ block: "center" });
  }
  // What came after the review was finalised is named once and given up; anything else is refused for its own reason.
  takeRefusals(refused) {
    const saved = new Set(this.sheet.saved);
    const items = this.outbox.items.filter((item) => refused.has(item.id) && !saved.has(item.id));
    if (!this.sheet.finalised || items.length === 0) {
      for (const item of items) this.refusals.set(item.id, refused.get(item.id));
      return;
    }
    const names = [...new Set(items.map((item) => item.target))].map((target) => this.nameOf(target) + valueWords(this.outbox.last(target)));
    this.refusals.set("late", `${names.join("; ")}. The review was already finalised, so this change was dropped. Reopen the review to make it.`);
  }
  // The server did not let go of the pair: the reviewer is put where that can be mended, and words that were typed on
  // in the meantime do not run as commands there.
  stay(asked) {
    this.deafUntil = Date.now() + STILL_TYPING;
    if (!asked.startsWith("finalise")) return;
    if (this.sheet.problems.length > 0) this.stopAtObstacle();
    else if (this.sheet.opened && this.notAssessed().length > 0) this.ask({ kind: "left", then: asked });
  }
  // --- folding and dialogs -------------------------------------------------------------------------------------
  unfold(set, row) {
    if (!row) return false;
    if (!this.ui[set].delete(row)) this.ui[set].add(row);
    this.render();
    return true;
  }
  toggleProblems() {
    this.ui.problems = !this.ui.problems;
    this.render();
  }
  dismiss(id) {
    this.refusals.delete(id);
    this.render();
  }
  // Put a question into the bar. Its own keys go before all others until it is answered or left by Escape.
  ask(question2) {
    if (this.leaving) return true;
    const again = this.ui.asking?.kind === question2.kind && this.ui.asking.name === question2.name && question2.kind !== "guess";
    if (!this.ui.asking) this.askedFrom = innermost();
    this.ui.asking = again ? null : question2;
    this.note = "";
    this.render();
    this.find(".asking textarea, .asking input, .asking button")?.focus();
    return true;
  }
  stopAsking() {
    this.ui.asking = null;
    this.render();
    if (this.askedFrom instanceof HTMLIFrameElement && this.askedFrom.isConnected) this.askedFrom.focus({ preventScroll: true });
    else if (this.rowSeen) this.focusRow(this.currentRow(), "A");
    return true;
  }
  showKeys() {
    this.dialog?.showModal();
    return true;
  }
  get dialog() {
    return this.find("dialog");
  }
  visible() {
    return this.root.isConnected && this.root.getClientRects().length > 0;
  }
  render() {
    if (!this.here) return;
    this.saidSaved = savedWords(this);
    this.rowSeen ??= true;
    const criteria = this.showsCriteria ? [scoreTable(this), expectationTable(this), prose(this)] : [];
    const after = [
      h("section", { class: "sheet", key: "sheet", id: "bc-panel", hidden: !this.ui.panel, "aria-label": "Scores", tabindex: "-1", "data-comparison": this.comparisonId }, banners(this), given(this), preference(this), criteria, history(this), chosenRow(this)),
      bar(this),
      cheatSheet(this)
    ];
    patchChildren(this.root, this.tree, after);
    this.tree = after;
    this.follow();
    tellFindings(this);
    this.watchRow();
  }
};

// comparator/ui/components/sheet/js/main.js
var views = /* @__PURE__ */ new Map();
var nameOf = ({ sheet, owner }) => `${sheet.comparison_id}:${owner}`;
function viewOf(data) {
  const name = nameOf(data);
  if (!views.has(name)) views.set(name, new View(data.sheet.comparison_id, data.owner));
  return views.get(name);
}
function toTop(element) {
  for (let at = element.getRootNode().host ?? element; at; at = at.parentElement) if (at.scrollTop > 0) at.scrollTop = 0;
  const panel = element.querySelector(".sheet");
  if (panel) panel.scrollTop = 0;
}
function show(place) {
  const { data, parentElement } = place.api;
  const known = views.size;
  const view = viewOf(data);
  if (known > 0 && views.size > known) toTop(parentElement);
  if (place.view !== view) {
    place.view?.left();
    place.root.replaceChildren();
    place.view = view;
    view.moveTo(place.root);
    queueMicrotask(() => view.flush());
  }
  view.receive(place.api);
  wantEvidence(view);
}
var mounted = /* @__PURE__ */ new WeakMap();
var LINGER = 100;
function main_default(api) {
  const { parentElement, data } = api;
  let place = mounted.get(parentElement);
  if (!place) {
    const root = document.createElement("div");
    root.className = "root";
    parentElement.appendChild(root);
    place = { root, calls: 0, view: null, api, wait: () => {
    } };
    const living = () => place.view?.root === root ? place.view : null;
    const follow = () => living()?.follow();
    const observer = new ResizeObserver(follow);
    observer.observe(root);
    observer.observe(document.documentElement);
    window.addEventListener("resize", follow);
    const stopKeys = listen(living);
    const stopEvidence = listenEvidence(living);
    const stopFindings = listenFindings(living);
    const clock = setInterval(() => living()?.watch(), 1e3);
    place.stop = () => {
      place.wait();
      const view = living();
      view?.left();
      clearInterval(clock);
      stopKeys();
      stopEvidence();
      stopFindings();
      if (view) freePage();
      observer.disconnect();
      window.removeEventListener("resize", follow);
      root.remove();
      mounted.delete(parentElement);
    };
    mounted.set(parentElement, place);
  }
  place.calls += 1;
  place.api = api;
  const call = place.calls;
  place.wait();
  if (views.get(nameOf(data))?.root === place.root) show(place);
  else place.wait = afterOutputs(() => show(place));
  return () => setTimeout(() => place.calls === call && place.stop(), LINGER);
}
export {
  main_default as default
};
