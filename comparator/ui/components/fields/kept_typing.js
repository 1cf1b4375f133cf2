// @ts-check
// A field hands its text over when it is left, or on Enter (a text area: Ctrl+Enter). A pause in typing counts as that key.
// Not so for paths: half a path may name a folder that nobody meant. Whoever leaves the page at once would still lose the
// last words, so the tab keeps them until the server holds them, and gives them back.
const PAUSE = 700;
const KEPT = "[data-testid=stTextArea], [data-testid=stTextInput]";
const PATHS = "[class*=st-key-][class*=_path]";
const STORE = "comparator-typing";
const NOTHING = { draft: "", saved: false, fields: {} };

function stored() {
  try {
    return { ...NOTHING, ...JSON.parse(sessionStorage.getItem(STORE)) };
  } catch {
    return NOTHING;
  }
}

function nameOf(field) {
  const classes = [...(field.closest("[class*=st-key-]")?.classList ?? [])];
  return classes.find((name) => name.startsWith("st-key-"))?.slice("st-key-".length);
}

function commit(field) {
  const command = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true, cancelable: true };
  field.dispatchEvent(new KeyboardEvent("keydown", command));
}

function giveBack(field, text) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, text);
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  commit(field);
}

// `onServer` is what the server has of each field; a draft that it has not saved has another id after a reload.
export default function ({ data, parentElement }) {
  const { draft, saved, on_server: onServer } = data;
  const page = parentElement.getRootNode().host?.ownerDocument ?? document;
  let timer = 0;

  const ours = (kept) => kept.draft === draft || !(kept.saved || saved);
  const keep = (fields) => sessionStorage.setItem(STORE, JSON.stringify({ draft, saved, fields }));

  const soon = (field) => {
    clearTimeout(timer);
    timer = setTimeout(() => commit(field), PAUSE);
  };
  const typed = (event) => {
    if (event.isComposing || !event.isTrusted || !event.target.closest(KEPT)) return;
    const [name, kept] = [nameOf(event.target), stored()];
    if (name in onServer) keep({ ...(ours(kept) ? kept.fields : {}), [name]: event.target.value });
    if (!event.target.closest(PATHS)) soon(event.target);
  };
  // A field that is left hands over by itself; another key would lead back from the page that was gone to.
  const left = () => clearTimeout(timer);
  const startedOver = (event) => event.target.closest?.(".st-key-new_discard") && sessionStorage.removeItem(STORE);

  const kept = stored();
  const missing = new Map(
    ours(kept) ? Object.entries(kept.fields).filter(([name, text]) => onServer[name] !== text) : [],
  );
  keep(Object.fromEntries(missing));
  // The page comes in pieces: a field may stand in it only later.
  const giveBackWhatIsThere = () => {
    for (const [name, text] of missing) {
      const field = page.querySelector(`.st-key-${CSS.escape(name)} :is(textarea, input)`);
      if (!field) continue;
      missing.delete(name);
      if (field !== page.activeElement) giveBack(field, text);
      else if (!field.closest(PATHS)) soon(field);
    }
    if (!missing.size) coming.disconnect();
  };
  const coming = new MutationObserver(giveBackWhatIsThere);
  coming.observe(page.body, { childList: true, subtree: true });
  giveBackWhatIsThere();

  page.addEventListener("input", typed, true);
  page.addEventListener("click", startedOver, true);
  page.addEventListener("focusout", left, true);
  return () => {
    left();
    coming.disconnect();
    page.removeEventListener("focusout", left, true);
    page.removeEventListener("input", typed, true);
    page.removeEventListener("click", startedOver, true);
  };
}
