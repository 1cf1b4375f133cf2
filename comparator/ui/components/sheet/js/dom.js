// @ts-check
// A small keyed view: h() describes an element, patch() makes the page equal to it and touches nothing else, so that
// focus, scroll positions and what is being typed stay. Foreign text only ever becomes text nodes and attributes.

export const h = (tag, props, ...children) => ({
  tag,
  props: props || {},
  children: children.flat(Infinity).map((child) => (child && typeof child === "object" ? child : { words: words(child) })),
});

const words = (value) => (value === null || value === undefined || value === false ? "" : String(value));

function create(node) {
  if (node.tag === undefined) {
    node.at = document.createTextNode(node.words);
    return node.at;
  }
  node.at = document.createElement(node.tag);
  node.at.handlers = {};
  setProps(node.at, {}, node.props);
  patchChildren(node.at, [], node.children);
  if (node.props.field) setField(node.at, node.props.field);
  return node.at;
}

function update(before, after) {
  after.at = before.at;
  if (after.tag === undefined) {
    if (before.words !== after.words) after.at.data = after.words;
    return after.at;
  }
  setProps(after.at, before.props, after.props);
  patchChildren(after.at, before.children, after.children);
  if (after.props.field) setField(after.at, after.props.field);
  return after.at;
}

const OWN_PROPS = new Set(["key", "on", "field"]);

function setProps(element, before, after) {
  for (const name of Object.keys(before)) {
    if (!OWN_PROPS.has(name) && !(name in after)) element.removeAttribute(name);
  }
  for (const [name, value] of Object.entries(after)) {
    if (OWN_PROPS.has(name) || before[name] === value) continue;
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const kind of Object.keys(after.on || {})) {
    if (!(kind in element.handlers)) element.addEventListener(kind, (event) => element.handlers[kind]?.(event));
  }
  element.handlers = after.on || {};
  for (const kind of Object.keys(before.on || {})) element.handlers[kind] ??= undefined;
}

// A field's text is replaced only while nobody is typing in it and nothing typed waits to be stored.
function setField(element, { value, waiting }) {
  if (waiting || element.getRootNode().activeElement === element) return;
  if (element.value !== value) element.value = value;
}

const sameKind = (a, b) => a.tag === b.tag && a.props?.key === b.props?.key;

export function patchChildren(element, before, after) {
  const keyed = new Map();
  const loose = [];
  for (const child of before) {
    if (child.props?.key === undefined) loose.push(child);
    else keyed.set(child.props.key, child);
  }
  const kept = new Set();
  const nodes = after.map((child) => {
    const old = child.props?.key === undefined ? loose.shift() : keyed.get(child.props.key);
    if (old === undefined || !sameKind(old, child)) return create(child);
    kept.add(old);
    return update(old, child);
  });
  for (const child of before) if (!kept.has(child)) child.at.remove();
  nodes.forEach((node, index) => {
    if (element.childNodes[index] !== node) element.insertBefore(node, element.childNodes[index] || null);
  });
}

// What has the focus, also within other components of the page.
export function innermost() {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}
