// @ts-check
// What an output's own page may not do with the pointer and the keys: native pickers lie over our own page, and a pointer
// that is a picture reaches beyond the frame.

import { isElement, member, tagOf } from "./inside.js";

const PICKERS = "select, input[list], input[type=file], input[type=color], input[type=date], input[type=time], input[type=month], input[type=week], input[type=datetime-local]";

export function guard(frame, inner) {
  const refuse = (event) => {
    const key = event.type === "keydown";
    if (key && (event.key === "Tab" || event.key === "Escape")) return;
    const picker = frame.under(event, PICKERS);
    if (picker && (event.type !== "click" || tagOf(picker) !== "SELECT")) event.preventDefault();
  };
  for (const type of ["mousedown", "click", "keydown", "touchend"]) inner.addEventListener(type, refuse, { capture: true, passive: false });
  inner.addEventListener("mouseover", (event) => {
    const view = frame.node.contentWindow;
    if (!isElement(event.target) || !view.getComputedStyle(event.target).cursor.includes("url(")) return;
    const style = member(event.target instanceof view.HTMLElement ? HTMLElement : SVGElement, "style").get.call(event.target);
    style.setProperty("transition", "none", "important");
    style.setProperty("cursor", "auto", "important");
  }, true);
}
