// @ts-check
// The document in a frame, reached through the prototypes of our own window. A page can give elements names that stand
// before what a document or a form holds (<img name=addEventListener>, <input name=closest>): nothing here asks those.

const inside = new WeakMap();

// A member of a document, element or other node as the browser made it, whatever the page calls its elements.
export function member(kind, name) {
  for (let holder = kind.prototype; holder; holder = Object.getPrototypeOf(holder)) {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    if (found) return found;
  }
  return null;
}

// The document, answering as one whose page names nothing; the same one each time.
export function safely(document) {
  if (!document) return null;
  if (!inside.has(document)) {
    inside.set(document, new Proxy({}, {
      get(_, name) {
        const found = member(HTMLDocument, name);
        if (!found) return undefined;
        if (found.get) return found.get.call(document);
        return typeof found.value === "function" ? found.value.bind(document) : found.value;
      },
      set(_, name, value) {
        member(HTMLDocument, name)?.set?.call(document, value);
        return true;
      },
    }));
  }
  return inside.get(document);
}

// The same for what may be a form.
export const closestOf = (element, selector) => Element.prototype.closest.call(element, selector);
export const parentOf = (node) => member(Node, "parentNode").get.call(node);
export const tagOf = (element) => member(Element, "tagName").get.call(element);

export function isElement(target) {
  try {
    return member(Node, "nodeType").get.call(target) === 1;
  } catch {
    // A window, or nothing.
    return false;
  }
}

const FACTS = "comparator ";

// What the server says of the document: before a page of an output, in a comment that no page can come before; in our
// own documents, on their root element. Null where the document is not an answer of ours.
export function factsOf(inner) {
  const first = inner?.firstChild;
  if (first?.nodeType === 8 && first.data.startsWith(FACTS)) return JSON.parse(first.data.slice(FACTS.length));
  const { kind, page, pages, unit, first: from, last, total } = inner?.documentElement?.dataset || {};
  if (!pages) return null;
  return { kind, page: Number(page), pages: Number(pages), unit, first: Number(from), last: Number(last), total, notes: [], data: [] };
}
