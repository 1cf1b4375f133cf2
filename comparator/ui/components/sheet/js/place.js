// @ts-check
// Where the scores stand: a rail at the right of a wide window, a drawer above the bar of a narrow one. The page reads
// from these properties how much room they take, and gives the outputs the rest.

const RAIL = 1200;
export const isRail = () => window.innerWidth >= RAIL;
const storedName = () => `comparator:panel:${isRail() ? "rail" : "drawer"}`;

// A low, narrow window begins with the outputs; the bar keeps the current criterion.
export function sheetShown() {
  try {
    const kept = localStorage.getItem(storedName());
    if (kept !== null) return kept === "shown";
  } catch {
    // Storage is closed to us.
  }
  return isRail() || window.innerHeight >= 900;
}

export function rememberShown(open) {
  try {
    localStorage.setItem(storedName(), open ? "shown" : "folded");
  } catch {
    // Storage is closed to us.
  }
}

// Above it the panes need `panes` of the height; `rows` is the least that shows a row, in pixels.
const DRAWER = { usual: 0.4, narrow: 0.34, below: 768, least: 0.5, panes: 0.45, rows: 120 };
const drawerHeight = () => (window.innerWidth < DRAWER.below ? DRAWER.narrow : DRAWER.usual) * window.innerHeight;

// The drawer keeps its upper edge while the bar below it grows and shrinks: what moved under a finger would take the tap
// that was meant for its neighbour. Where too little of it were left, it takes its place anew.
const freshTop = (bottom) => Math.max(bottom - drawerHeight(), Math.min(DRAWER.panes * window.innerHeight, bottom - DRAWER.rows));
let drawer = { size: "", top: 0 };
function drawerTop(bar) {
  const size = JSON.stringify([window.innerWidth, window.innerHeight]);
  const left = window.innerHeight - bar - drawer.top;
  if (drawer.size !== size || left < DRAWER.least * drawerHeight() || left > drawerHeight() / DRAWER.least) drawer = { size, top: freshTop(window.innerHeight - bar) };
  return drawer.top;
}

const TAKEN = ["--bc-rail", "--bc-drawer", "--bc-bar"];
const ROOM = "comparator:room";
let kept = null;

// Lays out the sheet; says how much of its rows lies under the head and under the rationale, null while it is not there.
export function placeSheet(root, open) {
  const bar = root.querySelector(".bar");
  const sheet = root.querySelector(".sheet");
  if (!bar || !sheet || !root.isConnected) return null;
  const rail = isRail();
  const left = Math.max(0, Math.round(root.getBoundingClientRect().left) - 16);
  root.dataset.place = rail ? "rail" : "drawer";
  bar.style.left = `${left}px`;
  sheet.style.left = rail ? "" : `${left}px`;
  sheet.style.bottom = `${bar.offsetHeight}px`;
  sheet.style.top = rail || !open ? "" : `${drawerTop(bar.offsetHeight)}px`;
  const covered = { above: sheet.querySelector("thead")?.offsetHeight ?? 0, below: sheet.querySelector(".chosen")?.offsetHeight ?? 0, height: sheet.offsetHeight };
  sheet.style.scrollPadding = `${covered.above}px 0 ${covered.below}px`;
  const taken = { "--bc-bar": bar.offsetHeight, "--bc-rail": open && rail ? sheet.offsetWidth : 0, "--bc-drawer": open && !rail ? sheet.offsetHeight : 0 };
  take(taken);
  const now = JSON.stringify({ ...size(), taken });
  if (now === kept) return covered;
  kept = now;
  try {
    localStorage.setItem(ROOM, now);
  } catch {
    // Storage is closed to us.
  }
  return covered;
}

// The outputs come before the sheet and leave it the room that it took last, so that they are laid out once.
export function bookRoom() {
  if (document.documentElement.style.getPropertyValue(TAKEN[0])) return;
  let before = null;
  try {
    before = JSON.parse(localStorage.getItem(ROOM) ?? "null");
  } catch {
    // Storage is closed to us, or holds what another version wrote.
  }
  const { width, height } = size();
  take(before?.width === width && before.height === height ? before.taken : usual(width, height));
}

// As the style sheet has it, below a bar of one line.
function usual(width, height) {
  const open = sheetShown();
  const rail = open && isRail() ? Math.min(Math.max(356, 0.24 * width), 380) : 0;
  return { "--bc-bar": 71, "--bc-rail": rail, "--bc-drawer": open && !rail ? drawerHeight() : 0 };
}

const size = () => ({ width: window.innerWidth, height: window.innerHeight });

function take(taken) {
  for (const name of TAKEN) document.documentElement.style.setProperty(name, `${Number(taken[name])}px`);
}

export function freePage() {
  for (const name of TAKEN) document.documentElement.style.removeProperty(name);
}
