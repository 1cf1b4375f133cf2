// A text area hands its text over when it is left, or on Ctrl+Enter. Whoever reloads before that would lose it, so a
// pause in typing counts as Ctrl+Enter.
const PAUSE = 700;

export default function ({ parentElement }) {
  const page = parentElement.getRootNode().host?.ownerDocument ?? document;
  let timer = 0;

  const typed = (event) => {
    if (!(event.target instanceof HTMLTextAreaElement) || event.isComposing) return;
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
