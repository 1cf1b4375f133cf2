// @ts-check
// How large pages and pictures are drawn; text keeps the size of the browser's own zoom.

import { isDifferences } from "../differences.js";

const ZOOMED = new Set(["pdf", "image", "svg", "html", "docx", "pptx"]);
const DRAWN = { pdf: ".sheet", image: ".picture", svg: ".picture" };
const STEPS_OF_ZOOM = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

export function nextZoom(now, by) {
  const at = STEPS_OF_ZOOM.findIndex((step) => step >= now - 0.001);
  return STEPS_OF_ZOOM[Math.min(STEPS_OF_ZOOM.length - 1, Math.max(0, at + by))];
}

const shapeOf = (frame) => (frame.printed ? "pdf" : frame.file.family);

// Whether there is something to draw larger: not where text, bytes or a reason stand in its place.
export function zoomable(frame) {
  const { document: inner, mode, state } = frame;
  if (isDifferences(mode)) return Boolean(inner?.querySelector(".sheet, div.over"));
  if (!["view", "content"].includes(mode) || !ZOOMED.has(shapeOf(frame))) return false;
  return state !== "ready" || Boolean(inner.querySelector(DRAWN[shapeOf(frame)] || "body > :not(.message, .mono)"));
}

// A document honours `--comparator-zoom`; pictures and foreign pages are told here.
export function applyZoom(frame, zoom) {
  const inner = frame.document;
  if (!inner?.body || frame.state !== "ready" || !zoomable(frame)) return;
  if ((frame.zoom || 1) === zoom) return;
  const share = frame.share;
  frame.zoom = zoom;
  const root = inner.documentElement;
  root.style.setProperty("--comparator-zoom", String(zoom));
  root.toggleAttribute("data-zoomed", zoom !== 1);
  if (frame.file.family === "image" || frame.file.family === "svg") zoomPictures(inner, zoom);
  else if (shapeOf(frame) !== "pdf") inner.body.style.zoom = zoom === 1 ? "" : String(zoom);
  frame.share = share;
  frame.near();
}

function zoomPictures(inner, zoom) {
  const room = inner.body.clientWidth - 40;
  for (const picture of inner.querySelectorAll(".picture img, div.over > img:first-child")) {
    const natural = Number(picture.getAttribute("width")) || picture.naturalWidth || room;
    const drawing = picture.classList.contains("drawing");
    const width = (drawing ? room : Math.min(natural, room)) * zoom;
    picture.style.width = zoom === 1 ? "" : `${width}px`;
    picture.style.maxWidth = picture.style.maxHeight = zoom === 1 ? "" : "none";
    picture.style.height = zoom === 1 ? "" : "auto";
  }
}
