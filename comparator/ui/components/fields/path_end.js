// @ts-check
// A browser shows the beginning of what stands in a box. Of a long path the end is what tells it from others.
const BOXES = "[class*=st-key-][class*=_path] [data-testid=stTextInput] input";

export default function ({ parentElement }) {
  const page = parentElement.ownerDocument;
  // The browser goes back to the beginning as the box is left; this comes after it.
  const show = () => requestAnimationFrame(() => {
    for (const box of page.querySelectorAll(BOXES)) if (box !== page.activeElement) box.scrollLeft = box.scrollWidth;
  });
  page.addEventListener("focusout", show);
  show();
  return () => page.removeEventListener("focusout", show);
}
