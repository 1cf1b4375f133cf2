// ---------------------------------------------------------------------------------------------------------------
// One sheet on the page: the server's data, the changes that are on their way, and what is unfolded.
// ---------------------------------------------------------------------------------------------------------------

const TYPING_PAUSE = 700;
const PATIENCE = 3000;
const GIVE_UP = 15000;
const TRIES = 2;
const RELOAD_AGAIN = 60000;
const STACKED = 1100;
const ROOMY = 1000;

class View {
  constructor(comparisonId, owner) {
    this.comparisonId = comparisonId;
    this.outbox = new Outbox(`comparator:outbox:${comparisonId}:${owner}:`);
    this.ui = { row: null, open: new Set(), anchors: new Set(), problems: false, pressed: false, flagging: false, flag: "" };
    this.edited = new Map();
    this.nextLine = 1;
    this.refusals = new Map();
    this.handled = new Set();
    this.command = null;
    this.queue = [];
    this.offline = false;
    this.unheard = null;
    this.sentAt = 0;
    this.savedAt = null;
    this.note = "";
    this.downloaded = null;
    this.timer = null;
  }

  moveTo(root) {
    this.watched = null;
    this.root = root;
    this.tree = [];
    this.measure();
  }

  // Whether reasons have room beside the rationale; in between, the table has none to spare.
  measure() {
    const width = this.root.getBoundingClientRect().width;
    const roomy = window.innerWidth < STACKED || width >= ROOMY;
    const changed = roomy !== this.roomy;
    this.roomy = roomy;
    return changed;
  }

  follow() {
    if (this.root.isConnected && this.measure() && this.sheet) this.render();
    placeBar(this.root);
  }

  // --- what the server says ------------------------------------------------------------------------------------

  receive(api) {
    const { data } = api;
    this.api = api;
    this.sheet = data.sheet;
    this.index();
    const refused = new Map(data.refused.map(({ id, why }) => [id, why]));
    for (const item of this.outbox.items) if (refused.has(item.id)) this.refusals.set(item.id, refused.get(item.id));
    const stored = this.outbox.drop(new Set([...this.sheet.saved, ...refused.keys()]));
    if (stored) this.savedAt = Date.now();
    else this.savedAt ??= this.sheet.saved_at ? new Date(this.sheet.saved_at).getTime() : null;
    const answered = data.handled.some((id) => !this.handled.has(id));
    if (stored || answered) this.heard();
    this.handled = new Set(data.handled);
    // A page that looks again by itself has nothing new to say and must not wipe away the answer to a command.
    if (answered || data.note) this.note = data.note;
    if (this.command && this.handled.has(this.command.id)) {
      this.command = null;
      this.sendNext();
    }
    if (this.sheet.problems.length === 0) this.ui.pressed = this.ui.problems = false;
    this.ui.row ??= this.firstOpenRow();
    this.render();
    if (data.download) this.save(data.download);
  }

  index() {
    this.values = new Map([
      ["reasoning", { own: this.sheet.prose.reasoning, judged: null }],
      ["winner", { own: this.sheet.own_winner, judged: null }],
    ]);
    for (const label of LABELS) {
      for (const line of this.sheet.criteria) {
        const judged = line.judge ? Number(line.judge[label].score) : null;
        this.values.set(`score:${label}:${line.path}`, { own: line.own[label], judged, measured: line.judge?.[label].measured ?? false });
      }
      for (const line of this.sheet.expectations) {
        const judged = line.judge ? line.judge[label].passed : null;
        this.values.set(`expectation:${label}:${line.index}`, { own: line.own[label], judged, measured: line.judge?.[label].measured ?? false });
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
    switch (item.kind) {
      case "set":
        return { touch: "changed", shown: value, reason, code };
      case "confirm":
      case "confirm_rest":
        return { touch: "confirmed", shown: value, reason, code };
      case "cannot_judge":
        return { touch: "cannot_judge", shown: this.judged(address), reason, code };
      default:
        return { touch: "untouched", shown: this.judged(address), reason: "", code: "" };
    }
  }

  judged(address) {
    return this.values.get(address)?.judged ?? null;
  }

  waits(address) {
    return this.outbox.last(address) !== undefined;
  }

  addresses() {
    return [...this.values.keys()].filter((address) => address.startsWith("score:") || address.startsWith("expectation:"));
  }

  // What one key may confirm together: values that the judge really gave. What a baseline could not measure is nobody's
  // opinion, and is left for a person to answer by itself.
  untouched() {
    if (this.readOnly) return [];
    return this.addresses().filter((address) => this.own(address).touch === "untouched" && this.judged(address) !== null && this.values.get(address).measured);
  }

  wantsReason(address) {
    if (this.sheet.reasons === "off") return false;
    const { touch } = this.own(address);
    return touch === "changed" || (touch === "cannot_judge" && this.sheet.reasons !== "off");
  }

  // --- changes -------------------------------------------------------------------------------------------------

  change(target, kind, value, more = {}, options = {}) {
    if (this.readOnly) return false;
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
    const kept = agrees ? {} : { reason: own.reason, code: own.code };
    return this.change(address, agrees ? "confirm" : "set", value, kept);
  }

  confirm(addresses, kind = "confirm") {
    const open = addresses.filter((address) => this.own(address).touch === "untouched" && this.judged(address) !== null);
    if (open.length === 0 || this.readOnly) return false;
    for (const address of open) this.outbox.put({ target: address, kind, value: this.judged(address) });
    this.flush();
    this.render();
    return true;
  }

  confirmRest() {
    return this.confirm(this.untouched(), "confirm_rest");
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
    if (editing && (this.waits(address) || this.focused()?.dataset.line?.startsWith(`${address}/`))) return editing;
    this.edited.delete(address);
    return (this.own(address).shown ?? []).map((text, index) => ({ key: `kept${index}`, text }));
  }

  editLines(address, lines, options = {}) {
    this.edited.set(address, lines);
    const value = lines.map((line) => line.text.trim()).filter(Boolean);
    return this.change(address, "set", value, {}, options);
  }

  addLine(address, position) {
    const line = { key: `new${(this.nextLine += 1)}`, text: "" };
    this.edited.set(address, this.lines(address).toSpliced(position, 0, line));
    this.renderLines(address);
    this.focusLine(address, line.key);
  }

  // A new empty line changes nothing yet, so nothing is sent; it is kept while the focus moves into it.
  renderLines(address) {
    const kept = this.lines;
    this.lines = (other) => (other === address ? this.edited.get(address) : kept.call(this, other));
    this.render();
    delete this.lines;
  }

  focusLine(address, key) {
    this.root.querySelector(`[data-line="${CSS.escape(`${address}/${key}`)}"]`)?.focus();
  }

  // --- sending -------------------------------------------------------------------------------------------------

  flushSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), TYPING_PAUSE);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = null;
    if (this.outbox.items.length === 0) return;
    this.sentAt = Date.now();
    this.api.setStateValue("outbox", { comparison: this.comparisonId, changes: this.outbox.outgoing() });
  }

  press(name) {
    if (this.sheet.finalised !== ["reopen", "export", "export_provenance", "next"].includes(name) && name !== "retry") return false;
    const finalises = name === "finalise" || name === "finalise_next";
    if (name === "undo" && !this.sheet.undoable && this.outbox.items.length === 0) return false;
    if (finalises && this.outbox.items.length === 0 && this.sheet.problems.length > 0) {
      this.ui.pressed = this.ui.problems = true;
      this.render();
      this.showObstacle();
      return true;
    }
    if (this.command?.name === name && name !== "undo") return true;
    this.queue.push({ name, id: newId(), text: name === "flag" ? this.ui.flag : "" });
    if (name === "flag") this.ui.flagging = false;
    this.note = "";
    if (!this.command) this.sendNext();
    this.render();
    return true;
  }

  // Puts the reviewer where the first thing in the way of finalising can be mended.
  showObstacle() {
    const [missing] = this.sheet.missing;
    if (missing && missing !== "rubric") {
      const [part, label, key] = missing.split(":");
      this.focusRow(part === "score" ? key : `expectation.${key}`, label);
      return;
    }
    const field = this.root.querySelector(".reason.missing textarea") ?? this.root.querySelector("[data-reasoning]");
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "center" });
  }

  // One command at a time: the next goes out when the server has answered the one before.
  sendNext() {
    const next = this.queue.shift();
    if (!next) return;
    clearTimeout(this.timer);
    this.command = next;
    this.sentAt = this.commandAt = Date.now();
    this.api.setTriggerValue("command", { ...next, comparison: this.comparisonId, outbox: this.outbox.outgoing() });
  }

  // A server that was started anew does not know this page's fragment and hears nothing of it until a reload.
  get restarted() {
    return this.unheard !== null && this.unheard > TRIES;
  }

  // Reload once by ourselves, unless somebody is typing: what is on its way is in localStorage and is sent then.
  reload() {
    if (isTyping(document.activeElement) || isTyping(this.focused())) return;
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
      const waiting = this.outbox.items.length > 0 && this.timer === null;
      if ((waiting || this.command || this.offline) && Date.now() - this.sentAt > PATIENCE) await this.resend(waiting);
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
      this.note = alive ? "The server has not answered. Press again if nothing has happened." : "No connection to the server: nothing was done. Your changes are kept here; press again when it is back.";
      this.command = null;
      this.queue = [];
    }
    this.sentAt = Date.now();
    if (alive && waiting) this.flush();
  }

  save({ id, name, text, media_type: type }) {
    if (this.downloaded === id) return;
    this.downloaded = id;
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10000);
  }

  // --- rows and focus ------------------------------------------------------------------------------------------

  rows() {
    return [...this.sheet.criteria.map((line) => line.path), ...this.sheet.expectations.map((line) => `expectation.${line.index}`)];
  }

  addressOf(row, label) {
    return row.startsWith("expectation.") ? `expectation:${label}:${row.slice("expectation.".length)}` : `score:${label}:${row}`;
  }

  firstOpenRow() {
    const rows = this.rows();
    return rows.find((row) => LABELS.some((label) => this.own(this.addressOf(row, label)).touch === "untouched")) ?? rows[0] ?? null;
  }

  currentRow() {
    const rows = this.rows();
    return rows.includes(this.ui.row) ? this.ui.row : rows[0] ?? "";
  }

  // The row that the keys go to is repeated in the bar while it is out of sight, such as when reading the outputs.
  watchRow() {
    const element = this.root.querySelector(`[data-row="${CSS.escape(this.currentRow())}"]`);
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
    this.sight = new IntersectionObserver(see, { rootMargin: "-56px 0px -120px 0px" });
    this.sight.observe(element);
  }

  // Go to a row: with the focus if it is in the sheet or the row in sight, else only the keys go there.
  goTo(row, label) {
    if (this.rowSeen || this.focused() !== null) this.focusRow(row, label);
    else this.enter(row);
  }

  enter(row) {
    if (this.ui.row === row) return;
    this.ui.row = row;
    this.render();
  }

  focused() {
    return this.root.getRootNode().activeElement ?? null;
  }

  focusRow(row, label) {
    this.enter(row);
    const address = CSS.escape(this.addressOf(row, label));
    const step = this.root.querySelector(`[data-address="${address}"][tabindex="0"]`);
    const line = this.root.querySelector(`[data-row="${CSS.escape(row)}"]`);
    step?.focus({ preventScroll: true });
    line?.scrollIntoView({ block: "nearest" });
  }

  moveRow(by, at) {
    const rows = this.rows();
    if (rows.length === 0) return false;
    const label = /^(?:score|expectation):B/.test(at?.dataset.address ?? "") ? "B" : "A";
    const fresh = at === null && this.focused() === null && this.rowSeen;
    const index = rows.indexOf(this.currentRow()) + (fresh && by > 0 ? 0 : by);
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
    this.choose(this.addressOf(row, label), score);
    // The row may have grown by a reason field. Who reads the panes above stays there.
    if (!this.rowSeen) return true;
    for (const name of ["row", "because"]) this.root.querySelector(`[data-${name}="${CSS.escape(row)}"]`)?.scrollIntoView({ block: "nearest" });
    return true;
  }

  toggleCheck(row, label) {
    const address = this.addressOf(row, label);
    this.choose(address, !this.own(address).shown);
    return true;
  }

  confirmRow(row) {
    if (!row) return false;
    this.confirm(LABELS.map((label) => this.addressOf(row, label)));
    const rows = this.rows();
    const next = rows[rows.indexOf(row) + 1];
    if (next) this.goTo(next, "A");
    return true;
  }

  focusReason(row) {
    const field = LABELS.map((label) => this.root.querySelector(`[data-reason="${CSS.escape(this.addressOf(row, label))}"]`)).find(Boolean);
    field?.focus();
    return Boolean(field);
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

  startFlag() {
    this.ui.flagging = !this.ui.flagging;
    this.ui.flag = "";
    this.render();
    this.root.querySelector("[data-flag]")?.focus();
  }

  stopFlag() {
    this.ui.flagging = false;
    this.render();
  }

  showKeys() {
    this.dialog?.showModal();
    return true;
  }

  get dialog() {
    return this.root.querySelector("dialog");
  }

  visible() {
    return this.root.isConnected && this.root.getClientRects().length > 0;
  }

  render() {
    this.saidSaved = savedWords(this);
    this.rowSeen ??= true;
    const after = [
      h("div", { class: "sheet", key: "sheet" }, banners(this), scoreTable(this), expectationTable(this), prose(this), history(this)),
      h("div", { class: "room", key: "room", "aria-hidden": "true" }),
      bar(this),
      cheatSheet(this),
    ];
    patchChildren(this.root, this.tree, after);
    this.tree = after;
    placeBar(this.root);
    this.watchRow();
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

// The bar is fixed to the window's bottom edge and as wide as the sheet; the room below the sheet is as high as the bar.
function placeBar(root) {
  const bar = root.querySelector(".bar");
  if (!bar) return;
  const { left, width } = root.getBoundingClientRect();
  bar.style.left = `${left}px`;
  bar.style.width = `${width}px`;
  root.style.setProperty("--bar", `${bar.offsetHeight}px`);
}

// What is unfolded and what is on its way outlives the element on the page.
const views = new Map();

function viewOf(comparisonId, owner) {
  const name = `${comparisonId}:${owner}`;
  if (!views.has(name)) views.set(name, new View(comparisonId, owner));
  return views.get(name);
}

// The next comparison is read from its top, wherever the one before was left.
function toTop(element) {
  for (let at = element.getRootNode().host ?? element; at; at = at.parentElement) if (at.scrollTop > 0) at.scrollTop = 0;
}

// Streamlit calls this for every new set of data, with the same parent; the clean-up of an older call may come after a
// newer call and must not take down what that one uses.
const mounted = new WeakMap();
const LINGER = 100;

export default function (api) {
  const { parentElement, data } = api;
  let place = mounted.get(parentElement);
  if (!place) {
    const root = document.createElement("div");
    root.className = "root";
    parentElement.appendChild(root);
    place = { root, calls: 0, view: null };
    const follow = () => place.view?.follow();
    const observer = new ResizeObserver(follow);
    observer.observe(root);
    observer.observe(document.documentElement);
    window.addEventListener("resize", follow);
    const stopKeys = listen(() => place.view);
    const clock = setInterval(() => place.view?.watch(), 1000);
    place.stop = () => {
      clearInterval(clock);
      stopKeys();
      observer.disconnect();
      window.removeEventListener("resize", follow);
      root.remove();
      mounted.delete(parentElement);
    };
    mounted.set(parentElement, place);
  }
  place.calls += 1;
  const call = place.calls;
  const known = views.size;
  const view = viewOf(data.sheet.comparison_id, data.owner);
  if (known > 0 && views.size > known) toTop(parentElement);
  if (place.view !== view) {
    place.root.replaceChildren();
    place.view = view;
    view.moveTo(place.root);
    queueMicrotask(() => view.flush());
  }
  view.receive(api);
  return () => setTimeout(() => place.calls === call && place.stop(), LINGER);
}
