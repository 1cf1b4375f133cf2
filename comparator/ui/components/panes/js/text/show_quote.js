// @ts-check
// Leads a pane to a quote, wherever in its file that stands.

// Looks for the quote here, then in the source, then on the page of the file that holds it. Whoever goes to another
// file or quote meanwhile stays there.
export async function showQuote(pane, detail) {
  const { file } = pane;
  const left = () => pane.file !== file || pane.wanted !== detail;
  pane.wanted = detail;
  const frame = pane.current;
  await frame.ready();
  if (left()) return false;
  let found = await frame.ask("quote", detail.text, detail.start);
  if (left()) return false;
  if (!found) {
    const onPages = file.pages ? await pane.whereabouts(detail.text, `${file.id}.pages`) : null;
    const place = await pane.whereabouts(detail.text, file.id);
    if (left()) return false;
    const other = frame.mode === "view" ? [{ mode: "source", page: 1 }] : [{ mode: "view", page: 1 }];
    const inContent = file.pages ? [{ page: 1, ...place, mode: "content" }] : place ? [place] : other;
    const tries = onPages ? [onPages, ...inContent] : inContent;
    const asked = pane.owner.memory.get("asked")[pane.file.id] || "";
    for (const { mode, page, sheet } of tries) {
      // In the order of the file, since that is what its parts are counted by.
      if (sheet) pane.owner.memory.put("asked", pane.file.id, `sheet=${sheet}`);
      const other = pane.open(mode, page);
      await other.ready();
      if (left()) return false;
      found = await other.ask("quote", detail.text, detail.start);
      if (left()) return false;
      if (found) {
        pane.owner.memory.put("modes", pane.file.id, mode);
        pane.owner.memory.put("pages", pane.file.id, page);
        break;
      } else {
        pane.owner.memory.put("asked", pane.file.id, asked);
        pane.place(frame);
      }
    }
  }
  pane.tell(found ? "" : "This quote was not found in the output.");
  return Boolean(found);
}
