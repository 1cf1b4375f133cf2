// @ts-check
// Streamlit folds its navigation on telephones only; on a tablet it would take a third of the page. What a page that
// needs the width has folded is unfolded on the next one that does not, unless a person folds it.
const NARROW = 1024;
const FOLD = "[data-testid=stSidebarCollapseButton] button";
const LINK = "[data-testid=stSidebar] a";
const UNFOLD = "[data-testid=stExpandSidebarButton]";
let begun = false;
let wide = false;
let own = false;

function press(selector) {
  /** @type {HTMLElement | null} */
  const button = document.querySelector(selector);
  button?.click();
}

export default function ({ data }) {
  const narrow = window.innerWidth < NARROW;
  if (!begun) {
    begun = true;
    document.addEventListener("click", ({ isTrusted, target }) => {
      if (isTrusted && target instanceof Element && target.closest(`${FOLD}, ${UNFOLD}`)) own = Boolean(target.closest(FOLD));
    }, true);
    if (narrow) press(FOLD);
    // A page that was chosen in it is what one wants to see then.
    document.addEventListener("click", ({ target }) => {
      if (window.innerWidth < NARROW && target instanceof Element && target.closest(LINK)) setTimeout(() => press(FOLD), 0);
    });
  } else if (wide && !data.wide && !narrow && !own) press(UNFOLD);
  wide = data.wide;
}
