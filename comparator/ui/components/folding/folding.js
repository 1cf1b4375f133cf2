// @ts-check
// Streamlit folds its navigation on telephones only; on a tablet it would take a third of the page.
const NARROW = 1024;
let folded = false;

export default function () {
  if (folded) return;
  folded = true;
  /** @type {HTMLElement | null} */
  const button = document.querySelector("[data-testid=stSidebarCollapseButton] button");
  if (window.innerWidth < NARROW) button?.click();
}
