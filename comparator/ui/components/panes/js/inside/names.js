// @ts-check
// Documents and elements, asked through the prototypes of a window. A page can give elements names that stand before what
// a document or a form holds (<img name=addEventListener>, <input name=closest>): nothing here asks those.

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
