// Keys: one listener on the document. A key that is typed into an output is typed on the page again by its frame.

import { h, isTyping } from "./dom.js";
import { answerKey } from "./sheet/question.js";

const HELD = /^(Enter| |Arrow.*)$/;

const chord = ({ ctrlKey, metaKey }) => ctrlKey || metaKey;
const modified = (key) => chord(key) || key.altKey;

// The score and output that a digit stands for; by its place on the keyboard where Shift changes the character.
function digit({ key, code, shiftKey }) {
	const shifted = shiftKey && /^Digit([1-5])$/.exec(code || "");
	if (shifted) return { label: "B", score: Number(shifted[1]) };
	return /^\d$/.test(key) ? { label: /[1-5]/.test(key) ? "A" : "B", score: Number(key) % 5 || 5 } : null;
}

function goOn(view) {
	if (view.leaving) return undefined;
	view.flush();
	if (view.ui.question?.kind === "guess") return view.focusQuestion();
	if (view.readOnly) return view.press("next");
	return view.press(view.opensFirst ? "open_judge" : view.finalises);
}

// Ctrl + S: the file of what was decided last, before that a word on what is kept.
function saves(view) {
	if (view.ending?.startsWith("Finalising")) return (view.exports = true);
	if (view.before && (view.leaving || !view.readOnly)) return view.exportBefore();
	if (!view.readOnly) return view.tellSaved();
	return view.verdict?.totals === null ? view.askInBar({ kind: "scores" }) : view.press("export");
}

// Carry out a key; false if it was none of ours. `at` is the focused element of the review, or null.
function handleKey(view, event, at) {
	const { key } = event;
	if (!view.sheet) return !isTyping(at) && !modified(event) && view.panes.key(key);
	if (key === "Enter" && chord(event)) return goOn(view);
	if (key === "s" && chord(event)) return saves(view);
	if ((modified(event) && key !== "z") || (isTyping(at) && !at.readOnly)) return false;
	if (view.ignores(event) || (view.ui.question && answerKey(view, event))) return true;
	if (view.readOnly && !view.leaving && (digit(event) || /^([abcenyz=]|Delete)$/i.test(key)))
		return view.tellClosed();
	if (isTyping(at)) return false;
	if (key === "?") return view.showKeys();
	// In a frame they scroll.
	const by = { j: 1, k: -1, ...((at || event.isTrusted) && { ArrowDown: 1, ArrowUp: -1 }) }[key];
	if (by) return view.moveRow(by, at);
	if (key === "i") return view.toggleAnchors();
	if (key === "p") return view.toggleSheet();
	if (key === "q") return view.askInBar({ kind: "menu" });
	const across = { ArrowRight: 1, ArrowLeft: -1 }[key];
	if (across && at?.getAttribute("role") === "radio") return view.moveStep(across, at);
	return view.panes.key(key) || (!view.readOnly && handleEdit(view, event, at));
}

function handleEdit(view, event, at) {
	const row = view.currentRow();
	const inButton = at?.tagName === "BUTTON" && at.getAttribute("role") !== "radio";
	const side = event.shiftKey ? "B" : "A";
	const scored = digit(event);
	if (scored) return view.score(scored, at);
	const inB = at?.dataset.address?.startsWith("expectation:B");
	const onRow = (change) => view.showRow(row, change(view.addressOf(row, side)));
	const acts = {
		Enter: () => !inButton && view.confirmRow(row),
		" ": () => !inButton && view.toggleCheck(row, inB ? "B" : side),
		a: () => view.answerBetter("A"),
		b: () => view.answerBetter("B"),
		"=": () => view.answerBetter("TIE"),
		c: () => view.confirmRest(),
		n: () =>
			view.shown
				? onRow((address) => view.cannotJudge(address))
				: view.askInBar({ kind: "say", name: "cannot_judge" }),
		Delete: () => (view.shown ? onRow((address) => view.clear(address)) : view.clear(view.better)),
		e: () => view.focusReason(side),
		y: () => view.focusReason(side, "select"),
		t: () => view.focusField(`[data-reason="${view.better}"]:enabled`),
		r: () => view.canOpen && view.press("open_judge"),
		z: () => view.press("undo"),
	};
	const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
	return Object.hasOwn(acts, key) && acts[key]();
}

export function listen(view, signal) {
	// Not where somebody types, or a focused control needs the key.
	const isForReview = (event) => {
		const [at] = event.composedPath();
		const inside = event.composedPath().includes(view.root);
		if (event.defaultPrevented || event.isComposing || !view.visible) return false;
		if (document.querySelector("[role=dialog]:not([hidden]), dialog[open]")) return false;
		if (view.dialog?.open || (!inside && isTyping(at))) return false;
		if (!HELD.test(event.key) || (event.key === "Enter" && chord(event)) || !(at instanceof Element))
			return true;
		return (
			!at.closest("button, a, summary, [role=button], [role=tab]") || (inside && at.closest(".sheet, .bar"))
		);
	};
	const swallow = (event) => {
		if (modified(event) || isTyping(event.composedPath()[0])) return;
		const ignored = () => isForReview(event) && view.ignores(event);
		if (!view.catches(event) && !ignored()) return;
		event.preventDefault();
		event.stopImmediatePropagation();
	};
	const onKey = (event) => {
		if ((event.repeat && !/^(Arrow|[jk]$)/.test(event.key)) || !isForReview(event)) return;
		const path = event.composedPath();
		const at = path.includes(view.root) && !(path[0] instanceof HTMLIFrameElement) ? path[0] : null;
		if (handleKey(view, event, at) !== false) event.preventDefault();
	};
	window.addEventListener("keydown", swallow, { capture: true, signal });
	document.addEventListener("keydown", onKey, { signal });
}

export const cheatSheet = (view) =>
	h(
		"dialog.keys",
		{
			"aria-labelledby": "bc-keys",
			onclick: (event) => event.target === event.currentTarget && event.target.close(),
		},
		// A list longer than the window begins at its top, not at the button that closes it.
		h("h3", { id: "bc-keys", tabindex: "-1", autofocus: true }, "Keys"),
		h(
			"dl",
			view.given.keys.map(([keys, what]) => h("div", h("dt", keys), h("dd", what))),
		),
		h("button.command", { onclick: () => view.dialog.close() }, "Close"),
	);
