// @ts-check
// Comments as threads: what was written on a file or a passage, and the replies to it.

import { button, element, middle } from "../js/dom.js";

function ago(instant) {
  const seconds = Math.max(0, Math.round((Date.now() - new Date(instant).getTime()) / 1000));
  if (seconds < 60) return "just now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
}

function showPassage({ fileId, label, text, start }) {
  window.dispatchEvent(new CustomEvent("comparator:show-quote", { detail: { fileId, label, text, start } }));
}

// A link into the panes: the words, or the whole file.
export function passageLink(note) {
  const words = note.text ? `“${middle(note.text.replace(/\s+/g, " "), 160)}”` : `on ${middle(note.file, 60)}`;
  return button(note.text ? `Show in ${note.file}` : `Show ${note.file}`, { text: words, kind: "passage-link", press: () => showPassage(note) });
}

export function whereIs(note) {
  const side = note.label ? [element("b", { attributes: { class: `mark ${note.label.toLowerCase()}` }, text: note.label })] : [];
  return [...side, element("span", { attributes: { class: "file", title: note.file }, text: middle(note.file, 50) })];
}

// owner: { reply(comment) }
export function thread(comment, replies, owner) {
  const head = [element("b", { text: comment.mine ? "You" : comment.author }),
    element("time", { attributes: { title: new Date(comment.at).toLocaleString() }, text: ago(comment.at) })];
  if (comment.fileId) head.push(...whereIs({ ...comment, text: comment.selection }));
  const place = comment.fileId && comment.selection ? [passageLink({ ...comment, text: comment.selection })] : [];
  const jump = comment.fileId && !comment.selection ? [button(`Show ${comment.file}`, { text: "Show file", kind: "quiet", press: () => showPassage({ ...comment, text: "" }) })] : [];
  return element("li", {
    children: [
      element("div", { attributes: { class: "head" }, children: head }),
      ...place,
      element("p", { text: comment.text }),
      element("div", { attributes: { class: "acts" }, children: [...jump, button(`Reply to ${comment.mine ? "your comment" : comment.author}`, { text: "Reply", kind: "quiet", press: () => owner.reply(comment) })] }),
      replies.length ? element("ul", { children: replies.map(([reply, more]) => thread(reply, more, owner)) }) : null,
    ],
  });
}

// Each comment with its replies, deep replies under the one that they answer.
export function threads(comments) {
  const known = new Set(comments.map((comment) => comment.id));
  const under = new Map();
  for (const comment of comments) {
    const parent = known.has(comment.repliesTo) ? comment.repliesTo : null;
    if (!under.has(parent)) under.set(parent, []);
    under.get(parent).push(comment);
  }
  const grown = (parent) => (under.get(parent) || []).map((comment) => [comment, grown(comment.id)]);
  return grown(null);
}
