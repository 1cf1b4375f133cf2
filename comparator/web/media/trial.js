// @ts-check
// Runs inside a page on trial and says when the page began and when it was drawn.

// The page cannot run a word of its own, and cannot take from this script what it calls: nothing a document names stands
// before what a window holds. It is drawn as it looks at first and as it will look later: unfolded, checked, scrolled,
// when its animations begin, are half done and end, and under the mouse or in a window of another size. The timers
// answer where nothing is drawn, as in a pane that is not seen.

// A page that is isolated shares its process with no other trial.
parent.postMessage(crossOriginIsolated ? "comparator:alone" : "comparator:began", "*");
addEventListener("load", async () => {
  // The most animation times, and the most scroll positions, that are tried.
  const mostTimes = 12;
  // Pixels beyond what is seen that a browser draws ahead.
  const screen = 4000;
  const all = (selector) => [...Document.prototype.querySelectorAll.call(document, selector)];
  const own = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name);
  const root = own("documentElement").get.call(document);
  let patience = 300;
  const drawn = () => new Promise((resolve) => {
    Element.prototype.getBoundingClientRect.call(root);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
    setTimeout(() => resolve(false), patience);
  });
  const tries = (act) => { try { act(); } catch { /* It has no such time. */ } };
  const animations = (share) => () => {
    for (const animation of Document.prototype.getAnimations.call(document)) tries(() => {
      const { delay, duration } = animation.effect.getComputedTiming();
      animation.currentTime = delay + Math.max(share * (Number(duration) || 0), 1);
    });
  };
  const times = new Set();
  const moving = all("animate, set, animateTransform, animateMotion");
  for (const part of moving) tries(() => times.add(part.getStartTime()));
  const begins = [...times].sort((one, other) => one - other);
  const few = begins.filter((_, index) => index % Math.ceil(begins.length / mostTimes) === 0);
  const folded = all("details"), boxes = all("input[type=checkbox], input[type=radio]");
  const steps = [];
  if (folded.length + boxes.length) steps.push(() => {
    for (const each of folded) each.open = true;
    for (const box of boxes) box.checked = !box.checked;
  });
  if (Document.prototype.getAnimations.call(document).length) steps.push(...[0, 0.5, 0.999].map(animations));
  const set = (time) => all("svg").forEach((drawing) => tries(() => drawing.setCurrentTime(time + 0.001)));
  for (const time of few) steps.push(() => set(time));
  const screens = Math.min(Math.ceil(root.scrollHeight / screen), mostTimes);
  for (let n = 1; n < screens; n += 1) steps.push(() => scrollTo(0, (root.scrollHeight * n) / screens));
  // Brought into view, an element would move the page around this frame too.
  const to = (element) => scrollBy(0, Element.prototype.getBoundingClientRect.call(element).top);
  for (const drawing of all("svg").slice(0, mostTimes)) steps.push(() => to(drawing));
  const state = /:(hover|active|focus(-visible|-within)?|target|checked|open|popover-open)(?![-\w])/g;
  const always = (rule) => (rule.selectorText ? rule.cssText.replace(state, ":not(x-none)") : "");
  const rules = (list) => [...list].map((rule) => always(rule) + rules(rule.cssRules ?? [])).join(" ");
  steps.push(() => tries(() => {
    const any = new CSSStyleSheet();
    let text = "* { content-visibility: visible !important } ";
    for (const sheet of own("styleSheets").get.call(document)) tries(() => { text += rules(sheet.cssRules); });
    any.replaceSync(text);
    own("adoptedStyleSheets").set.call(document, [any]);
  }));
  for (const step of [() => {}, ...steps]) {
    step();
    if (!await drawn()) patience = 10;
  }
  globalThis.comparatorDrawn = true;
  parent.postMessage("comparator:drawn", "*");
});
