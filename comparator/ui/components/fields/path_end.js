// @ts-check
// A browser shows the beginning of what stands in a box. Of a long path the end is what tells it from others.
export default function ({ parentElement, data }) {
  const page = parentElement.ownerDocument;
  // The browser goes back to the beginning as the box is left; this comes after it.
  const show = () => requestAnimationFrame(() => {
    const box = page.querySelector(`.st-key-${CSS.escape(data.box)} input`);
    if (box && box !== page.activeElement) box.scrollLeft = box.scrollWidth;
  });
  page.addEventListener("focusout", show);
  show();
  return () => page.removeEventListener("focusout", show);
}
