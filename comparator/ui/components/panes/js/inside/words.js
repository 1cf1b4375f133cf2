// @ts-check
// Finds words and quotes in a document, across elements.

import { closestOf, isElement, parentOf, tagOf } from "./names.js";

const UNREAD = new Set(["STYLE", "SCRIPT", "TITLE", "TEMPLATE"]);

// The document's words with the node and offset of each character that counts.
function wordsOf(inner, root, counts) {
  const walker = inner.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) => {
    const parent = parentOf(node);
    if (!isElement(parent) || UNREAD.has(tagOf(parent).toUpperCase()) || closestOf(parent, "[data-skip]")) return NodeFilter.FILTER_REJECT;
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

// The ranges that a quote covers, or null. Three tries, each looser than the one before: as it stands, white space
// apart; without marks that only the source has (tags, and the names of pages and cells that a judge is given); piece
// by piece, for words that stand beside each other on the page but apart in the file.
export function findQuote(inner, root, quote, start, { tags: tagged }) {
  if (!root) return null;
  const formula = findFormula(inner, quote);
  if (formula) return [formula];
  const names = /^\s*\[(?:page|cell) [^\]]*\]\s*$/gm;
  const tags = tagged ? /<[^>]*>/g : /(?!)/g;
  const bare = unescaped(quote.replace(names, " ").replace(tags, " "));
  for (const words of new Set([quote, bare])) {
    const range = findWords(inner, root, words, start);
    if (range) return [range];
  }
  return findPieces(inner, root, bare, start);
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

function unescaped(text) {
  const names = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", apos: "'" };
  return text.replace(/&(amp|lt|gt|quot|nbsp|apos|#\d{1,6});/g,
    (whole, name) => names[name] ?? String.fromCodePoint(Math.min(Number(name.slice(1)), 0x10ffff)));
}

function findPieces(inner, root, quote, start) {
  const letters = (text) => Array.from(text).filter(letterOrDigit).length;
  const pieces = quote.split(/\s{2,}|[\n|]/).filter((piece) => letters(piece) >= 3);
  const sum = pieces.reduce((all, piece) => all + letters(piece), 0);
  if (pieces.length < 2 || sum < 0.6 * letters(quote)) return null;
  const ranges = pieces.map((piece) => findWords(inner, root, piece, start));
  return ranges.every(Boolean) ? ranges : null;
}

// One range over the words, or null. White space never counts; in a second try only letters and digits do, so that
// "**Total:** 12" is found as "Total: 12" and a line of JSON in its folded tree.
function findWords(inner, root, quote, start) {
  /** @type {[(letter: string) => boolean, number][]} */
  const tries = [[notSpace, 1], [letterOrDigit, 6]];
  for (const [counts, least] of tries) {
    const wanted = Array.from(quote.toLowerCase()).join("").split("").filter(counts).join("");
    if (wanted.length < least) continue;
    const words = wordsOf(inner, root, counts);
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

// Every place of some words, one range each; white space and upper case never count.
export function findAll(inner, root, text, most = 5000) {
  const wanted = Array.from(text.toLowerCase()).join("").split("").filter(notSpace).join("");
  if (!wanted) return [];
  const words = wordsOf(inner, root, notSpace);
  const ranges = [];
  for (let at = words.text.indexOf(wanted); at >= 0 && ranges.length < most; at = words.text.indexOf(wanted, at + wanted.length)) {
    const last = at + wanted.length - 1;
    const range = inner.createRange();
    range.setStart(words.nodes[at], words.offsets[at]);
    range.setEnd(words.nodes[last], words.offsets[last] + 1);
    ranges.push(range);
  }
  return ranges;
}
