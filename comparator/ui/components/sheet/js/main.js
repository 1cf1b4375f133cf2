// @ts-check
// How the sheet gets onto the page and off it.

import { listenEvidence, wantEvidence } from "./evidence.js";
import { listenFindings } from "./findings.js";
import { listen } from "./keys.js";
import { freePage } from "./panel.js";
import { View } from "./view.js";

// What is unfolded and what is on its way outlives the element on the page.
const views = new Map();

function viewOf(comparisonId, owner) {
  const name = `${comparisonId}:${owner}`;
  if (!views.has(name)) views.set(name, new View(comparisonId, owner));
  return views.get(name);
}

// The next comparison is read from its top, wherever the one before was left.
function toTop(element) {
  for (let at = element.getRootNode().host ?? element; at; at = at.parentElement) if (at.scrollTop > 0) at.scrollTop = 0;
  const panel = element.querySelector(".sheet");
  if (panel) panel.scrollTop = 0;
}

// Streamlit calls this for every new set of data, with the same parent; the clean-up of an older call may come after a
// newer call and must not take down what that one uses.
const mounted = new WeakMap();
const LINGER = 100;

export default function (api) {
  const { parentElement, data } = api;
  let place = mounted.get(parentElement);
  if (!place) {
    const root = document.createElement("div");
    root.className = "root";
    parentElement.appendChild(root);
    place = { root, calls: 0, view: null };
    // Where Streamlit has made the element anew, the view lives there before this place is taken down.
    const living = () => (place.view?.root === root ? place.view : null);
    const follow = () => living()?.follow();
    const observer = new ResizeObserver(follow);
    observer.observe(root);
    observer.observe(document.documentElement);
    window.addEventListener("resize", follow);
    const stopKeys = listen(living);
    const stopEvidence = listenEvidence(living);
    const stopFindings = listenFindings(living);
    const clock = setInterval(() => living()?.watch(), 1000);
    place.stop = () => {
      const view = living();
      view?.left();
      clearInterval(clock);
      stopKeys();
      stopEvidence();
      stopFindings();
      if (view) freePage();
      observer.disconnect();
      window.removeEventListener("resize", follow);
      root.remove();
      mounted.delete(parentElement);
    };
    mounted.set(parentElement, place);
  }
  place.calls += 1;
  const call = place.calls;
  const known = views.size;
  const view = viewOf(data.sheet.comparison_id, data.owner);
  if (known > 0 && views.size > known) toTop(parentElement);
  if (place.view !== view) {
    place.view?.left();
    place.root.replaceChildren();
    place.view = view;
    view.moveTo(place.root);
    queueMicrotask(() => view.flush());
  }
  view.receive(api);
  wantEvidence(view);
  return () => setTimeout(() => place.calls === call && place.stop(), LINGER);
}
