// A field hands its text over when it is left, or on Enter (a text area: Ctrl+Enter), and the server keeps it once the
// page has run with it. Whoever leaves before that would lose it: the text waits in localStorage until the page says
// that it has it. A pause in typing counts as that key. Not so for paths: half a path may name a folder that nobody meant.
const PAUSE = 700;
const FORGET_AFTER = 30 * 24 * 3600 * 1000;
const KEPT = "[data-testid=stTextArea], [data-testid=stTextInput]";
const PATHS = "[class*=st-key-][class*=_path]";
const PREFIX = "comparator:typed:";
const LAST = "comparator:draft:";
const ENDS = ".st-key-new_judge_now button, .st-key-new_discard button";
const TRIES = 20;
const LATER = 150;

let timer = 0;
let shown = null;

const nameOf = (field) => [...(field.closest("[class*=st-key-]")?.classList ?? [])].find((name) => name.startsWith("st-key-"))?.slice(7);
const fieldOf = (name) => document.querySelector(`.st-key-${CSS.escape(name)} :is(textarea, input)`);
const isPath = (field) => field.closest(PATHS) !== null;

function handOver(field) {
  const command = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true, cancelable: true };
  field.dispatchEvent(new KeyboardEvent("keydown", command));
}

// React hears of a value that is set past it only by way of the element's own setter.
function put(field, text) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value").set.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  handOver(field);
}

// Storage may be full or closed to us: a reload may then lose what was typed within the last pause, as it would without.
function storage(act) {
  try {
    return act(localStorage);
  } catch {
    return null;
  }
}

function waiting(store) {
  return Object.keys(store)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => ({ name, ...JSON.parse(store.getItem(name)) }));
}

function forget(draft) {
  storage((store) => waiting(store).filter((item) => item.draft === draft).forEach((item) => store.removeItem(item.name)));
}

// What the page has is forgotten here; what it has not is put back when the page is opened, as soon as its fields stand.
function settle({ draft, kept }, tries) {
  storage((store) => {
    for (const item of waiting(store)) {
      if (Date.now() - item.made > FORGET_AFTER || (item.draft === draft && kept[item.field] === item.text)) store.removeItem(item.name);
      else if (item.draft === draft && tries > 0) {
        const field = fieldOf(item.field);
        if (!field) return setTimeout(() => settle({ draft, kept }, tries - 1), LATER);
        if (field.value !== item.text) put(field, item.text);
      }
    }
  });
}

export default function ({ parentElement, data, setTriggerValue }) {
  const page = parentElement.getRootNode().host?.ownerDocument ?? document;
  const opened = shown !== data.draft;
  shown = data.draft;
  const last = LAST + data.person;
  if (data.begun) storage((store) => store.setItem(last, data.draft));
  else {
    const before = opened && storage((store) => store.getItem(last));
    if (before && before !== data.draft) {
      // Asked for once: where it is gone, it is gone.
      storage((store) => store.removeItem(last));
      setTriggerValue("before", before);
    }
  }
  settle(data, opened ? TRIES : 0);

  const typed = (event) => {
    const field = event.target;
    if (!event.isTrusted || event.isComposing || !field.closest(KEPT) || isPath(field)) return;
    const name = nameOf(field);
    if (name in data.kept) {
      storage((store) => {
        store.setItem(last, data.draft);
        store.setItem(`${PREFIX}${data.draft}:${name}`, JSON.stringify({ draft: data.draft, field: name, text: field.value, made: Date.now() }));
      });
    }
    clearTimeout(timer);
    timer = setTimeout(() => handOver(field), PAUSE);
  };

  // The draft ends here: its fields were left for the button, so that the server has them.
  const ends = (event) => event.target.closest(ENDS) && forget(data.draft);

  page.addEventListener("input", typed, true);
  page.addEventListener("click", ends, true);
  return () => {
    page.removeEventListener("input", typed, true);
    page.removeEventListener("click", ends, true);
    // The page is left, or only drawn anew with what it has by now.
    setTimeout(() => {
      if (!parentElement.isConnected) {
        clearTimeout(timer);
        shown = null;
      }
    });
  };
}
