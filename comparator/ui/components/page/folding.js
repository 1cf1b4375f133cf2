// @ts-check
// Streamlit folds its navigation by itself on telephones and on pages that need the width. It has no setting for a tablet,
// where the navigation would take a third of a page: there its own button is pressed.
const NARROW = 1024;
const FOLD = "[data-testid=stSidebarCollapseButton] button";
const LINK = "[data-testid=stSidebar] a";
let listens = false;
let folded = false;

function fold() {
  /** @type {HTMLElement | null} */
  const button = document.querySelector(FOLD);
  if (window.innerWidth < NARROW) button?.click();
}

export default function ({ data }) {
  if (!listens) {
    listens = true;
    // A page that was chosen in it is what one wants to see then.
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Element && target.closest(LINK)) setTimeout(fold, 0);
    });
  }
  if (folded || data.wide) return;
  folded = true;
  fold();
}
