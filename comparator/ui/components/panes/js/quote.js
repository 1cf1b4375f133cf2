// Finds a quote in a frame's document, across elements, and marks it.

const NAME = "comparator-quote";
const UNREAD = new Set(["STYLE", "SCRIPT", "TITLE", "TEMPLATE"]);

// The document's words with the node and offset of each character that counts.
function wordsOf(inner, counts) {
  const walker = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT, (node) => {
    const parent = node.parentElement;
    if (!parent || UNREAD.has(parent.tagName) || parent.closest("[data-skip]")) return NodeFilter.FILTER_REJECT;
    return NodeFilter.FILTER_ACCEPT;
  });
  const letters = [];
  const nodes = [];
  const offsets = [];
  const raw = [];
  let before = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data;
    for (let index = 0; index < text.length; index += 1) {
      const letter = text[index];
      if (!counts(letter)) continue;
      letters.push(letter.toLowerCase().length === 1 ? letter.toLowerCase() : letter);
      nodes.push(node);
      offsets.push(index);
      raw.push(before + index);
    }
    before += text.length;
  }
  return { text: letters.join(""), nodes, offsets, raw };
}

const notSpace = (letter) => !/\s/.test(letter);
const letterOrDigit = (letter) => /[\p{L}\p{N}]/u.test(letter);

// A range over the quote, or null. White space never counts; in a second try only letters and digits do, so that
// "**Total:** 12" is found as "Total: 12" and a line of JSON in its folded tree.
function findQuote(inner, quote, start) {
  return findFormula(inner, quote) || findWords(inner, quote, start);
}

// A formula is quoted as "B2: =SUM(A1:A9)".
function findFormula(inner, quote) {
  const [, cell, formula] = /^\s*([A-Z]{1,3}\d{1,7})\s*:\s*(=[^]*?)\s*$/.exec(quote) || [];
  if (!cell) return null;
  for (const node of inner.querySelectorAll(`[data-cell="${cell}"]`)) {
    if (node.textContent.replace(/\s/g, "") !== formula.replace(/\s/g, "")) continue;
    const range = inner.createRange();
    range.selectNodeContents(node);
    return range;
  }
  return null;
}

function findWords(inner, quote, start) {
  for (const [counts, least] of [[notSpace, 1], [letterOrDigit, 6]]) {
    const wanted = Array.from(quote.toLowerCase()).join("").split("").filter(counts).join("");
    if (wanted.length < least) continue;
    const words = wordsOf(inner, counts);
    let best = -1;
    for (let at = words.text.indexOf(wanted); at >= 0; at = words.text.indexOf(wanted, at + 1)) {
      if (best < 0) best = at;
      else if (start != null && Math.abs(words.raw[at] - start) < Math.abs(words.raw[best] - start)) best = at;
      if (start == null) break;
    }
    if (best >= 0) {
      const last = best + wanted.length - 1;
      const range = inner.createRange();
      range.setStart(words.nodes[best], words.offsets[best]);
      range.setEnd(words.nodes[last], words.offsets[last] + 1);
      return range;
    }
  }
  return null;
}

function clearQuote(frame) {
  try {
    frame.node.contentWindow?.CSS?.highlights?.delete(NAME);
  } catch {
    // A frame that shows the browser's own error page.
  }
}

function markQuote(frame, range) {
  const inner = frame.document;
  const view = frame.node.contentWindow;
  for (let node = range.commonAncestorContainer; node; node = node.parentNode) {
    if (node.nodeName === "DETAILS") node.open = true;
  }
  view.CSS.highlights.set(NAME, new view.Highlight(range));
  const first = range.startContainer.parentElement ?? inner.body;
  const box = range.getBoundingClientRect().height ? range.getBoundingClientRect() : first.getBoundingClientRect();
  const scroller = inner.scrollingElement;
  // Not scrollIntoView: it would scroll our own page too.
  scroller.scrollTop += box.top - view.innerHeight * 0.3;
  if (box.left < 0 || box.right > view.innerWidth) scroller.scrollLeft += box.left - 60;
  const wide = first.closest(".scroll");
  if (wide) {
    const edge = wide.getBoundingClientRect();
    if (box.left < edge.left || box.right > edge.right) wide.scrollLeft += box.left - edge.left - 40;
  }
}
