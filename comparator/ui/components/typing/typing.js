// @ts-check
// A field hands its text over when it is left, or on Enter (a text area: Ctrl+Enter). Whoever reloads before that would
// lose it, so a pause in typing counts as that key. Not so for paths: half a path may name a folder that nobody meant.
const PAUSE = 700;
const KEPT = "[data-testid=stTextArea], [data-testid=stTextInput]";
const PATHS = "[class*=st-key-][class*=_path]";

export default function ({ parentElement }) {
  const page = parentElement.getRootNode().host?.ownerDocument ?? document;
  let timer = 0;

  const typed = (event) => {
    if (event.isComposing || !event.target.closest(KEPT) || event.target.closest(PATHS)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const command = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true, cancelable: true };
      event.target.dispatchEvent(new KeyboardEvent("keydown", command));
    }, PAUSE);
  };

  page.addEventListener("input", typed, true);
  return () => {
    clearTimeout(timer);
    page.removeEventListener("input", typed, true);
  };
}
