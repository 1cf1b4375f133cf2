// Streamlit folds its navigation on telephones only; on a tablet it would take a third of the page.
const NARROW = 1024;
let folded = false;

export default function () {
  if (folded) return;
  folded = true;
  if (window.innerWidth < NARROW) document.querySelector("[data-testid=stSidebarCollapseButton] button")?.click();
}
