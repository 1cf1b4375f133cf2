// How large pages and pictures are drawn; text keeps the size of the browser's own zoom.

export const isDifferences = (mode) => mode.startsWith("differences/");

const ZOOMED = new Set(["pdf", "image", "docx", "pptx"]);
const DRAWN = { pdf: ".sheet", image: ".picture" };
const STEPS_OF_ZOOM = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4];

export function nextZoom(now, by) {
	const at = STEPS_OF_ZOOM.findIndex((step) => step >= now - 0.001);
	return STEPS_OF_ZOOM[Math.min(STEPS_OF_ZOOM.length - 1, Math.max(0, at + by))];
}

const shapeOf = (frame) => (frame.printed ? "pdf" : frame.file.family);

// Not where text, bytes or a reason stand in the place of pages and pictures.
export function zoomable(frame) {
	const { document: inner, mode, state } = frame;
	if (frame.about) return true;
	if (isDifferences(mode)) return Boolean(inner?.querySelector(".sheet, div.over"));
	if (!["view", "content"].includes(mode) || !ZOOMED.has(shapeOf(frame))) return false;
	return (
		state !== "ready" || Boolean(inner.querySelector(DRAWN[shapeOf(frame)] || "body > :not(.message, .mono)"))
	);
}

// A document honours `--comparator-zoom`; pictures and pages of outputs are told here.
export function applyZoom(frame, zoom) {
	const inner = frame.document;
	if ((frame.zoom || 1) === zoom) return;
	if (!frame.about && (!inner?.body || frame.state !== "ready" || !zoomable(frame))) return;
	frame.zoom = zoom;
	if (frame.about) return void frame.ask("zoom", zoom);
	const { at } = frame;
	const root = inner.documentElement;
	root.style.setProperty("--comparator-zoom", String(zoom));
	root.toggleAttribute("data-zoomed", zoom !== 1);
	if (frame.file.family === "image") zoomPictures(inner, zoom);
	else if (shapeOf(frame) !== "pdf") inner.body.style.zoom = zoom === 1 ? "" : String(zoom);
	frame.scrollTo(at);
	frame.near();
}

function zoomPictures(inner, zoom) {
	for (const picture of inner.querySelectorAll(".picture img, div.over > img:first-child")) {
		const natural = Number(picture.getAttribute("width")) || picture.naturalWidth;
		const width = `min(${natural * zoom}px, ${100 * zoom}%)`;
		picture.style.cssText =
			zoom === 1 ? "" : `width: ${width}; max-width: none; max-height: none; height: auto`;
	}
}
