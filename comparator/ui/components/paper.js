// @ts-check
// Charts and tables are drawn for the width and the colours of the screen; nothing draws them anew for paper. Before
// printing each is scaled to the page, a chart of the dark theme gets the light one's colours, and a table with
// columns out of sight says so.
const COLOURED = ["style", "fill", "stroke"];
const DRAWN = ".js-plotly-plot, [data-testid=stDataFrame]";
// An A4 page less its margins and the frames around a chart or table, in pixels.
const WIDTH = 630;

export default function ({ parentElement, data }) {
  const page = parentElement.ownerDocument;
  const undo = [];

  const before = () => {
    const colours = Object.entries(data.colours);
    page.documentElement.toggleAttribute("data-recoloured", colours.length > 0);
    for (const drawn of page.querySelectorAll(DRAWN)) {
      drawn.style.setProperty("--paper-zoom", Math.min(1, WIDTH / drawn.getBoundingClientRect().width));
      const seen = drawn.querySelector(".dvn-scroller");
      const cut = seen && seen.scrollWidth > seen.clientWidth + 1;
      drawn.toggleAttribute("data-cut", Boolean(cut));
    }
    if (!colours.length || undo.length) return;
    for (const mark of page.querySelectorAll(".js-plotly-plot :is([style], [fill], [stroke])")) {
      for (const name of COLOURED) {
        const own = mark.getAttribute(name);
        const light = own?.replace(/rgb\([^)]*\)/g, (colour) => data.colours[colour] ?? colour);
        if (own === null || light === own) continue;
        undo.push([mark, name, own]);
        mark.setAttribute(name, light);
      }
    }
  };
  const after = () => {
    for (const [mark, name, own] of undo.splice(0)) mark.setAttribute(name, own);
  };

  const view = page.defaultView;
  view.addEventListener("beforeprint", before);
  view.addEventListener("afterprint", after);
  return () => {
    view.removeEventListener("beforeprint", before);
    view.removeEventListener("afterprint", after);
  };
}
