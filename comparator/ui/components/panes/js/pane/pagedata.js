// @ts-check
// One line above a pane: what its file is about, what was taken away of it, and the data of a page that nobody sees.

import { element } from "../dom.js";

const MOST_SHOWN = 1500;

export function notesOf(file, facts) {
  const data = facts?.data || [];
  const notes = [...(file?.notes || []), ...(facts?.notes || [])].join(" ");
  return [
    ...(notes ? [element("span", { text: notes })] : []),
    ...(data.length ? [pageData(data)] : []),
  ];
}

// A list that unfolds: title, meta, Open Graph, JSON-LD, microdata and comments, as the judge is given them.
function pageData(entries) {
  const rows = entries.flatMap(([kind, name, value]) => [
    element("dt", { text: name ? `${kind}: ${name}` : kind }),
    element("dd", { text: value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value }),
  ]);
  return element("details", {
    attributes: { class: "pagedata" },
    children: [element("summary", { text: `Page data (${entries.length})` }), element("dl", { children: rows })],
  });
}
