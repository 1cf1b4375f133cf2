// @ts-check
// How the sheet gets onto the page and off it.

import { afterOutputs } from "../../panes/js/after_outputs.js";
import { listenEvidence, wantEvidence } from "./table/evidence.js";
import { listenFindings } from "./findings.js";
import { listen } from "./keys.js";
import { freePage } from "./place.js";
import { View } from "./view.js";

// What is unfolded and what is on its way outlives the element on the page.
const views = new Map();

const nameOf = ({ sheet, owner }) => `${sheet.comparison_id}:${owner}`;

function viewOf(data) {
  const name = nameOf(data);
  if (!views.has(name)) views.set(name, new View(data.sheet.comparison_id, data.owner));
  return views.get(name);
}

// The next comparison is read from its top, wherever the one before was left.
function toTop(element) {
  for (let at = element.getRootNode().host ?? element; at; at = at.parentElement) if (at.scrollTop > 0) at.scrollTop = 0;
  const sheet = element.querySelector(".sheet");
  if (sheet) sheet.scrollTop = 0;
}

function show(place) {
  const { data, parentElement } = place.api;
  const known = views.size;
  const view = viewOf(data);
  if (known > 0 && views.size > known) toTop(parentElement);
  if (place.view !== view) {
    place.view?.left();
    place.root.replaceChildren();
    place.view = view;
    view.moveTo(place.root);
    queueMicrotask(() => view.flush());
  }
  view.receive(place.api);
  wantEvidence(view);
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
    place = { root, calls: 0, view: null, api, wait: () => {} };
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
      place.wait();
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
  place.api = api;
  const call = place.calls;
  place.wait();
  // A sheet that is there goes on at once.
  if (views.get(nameOf(data))?.root === place.root) show(place);
  else place.wait = afterOutputs(() => show(place));
  return () => setTimeout(() => place.calls === call && place.stop(), LINGER);
}
