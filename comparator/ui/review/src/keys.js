// @ts-check
// Keys: one listener on the document. A key that is typed into an output is typed on the page again by its frame.

import { h, isTyping } from "./dom.js";
import { answerKey } from "./sheet/question.js";

const PANE_KEYS = {
	"]": "next-file",
	"[": "previous-file",
	"/": "search",
	f: "files",
	x: "looked",
	s: "source",
	w: "which",
	d: "differences",
	l: "linked",
	".": "next-hit",
	",": "previous-hit",
	v: "evidence",
	m: "comment",
	g: "into-a",
	G: "into-b",
	"+": "zoom-in",
	"-": "zoom-out",
	"|": "zoom-fit",
};

const dialogOpen = () => document.querySelector("[role=dialog]:not([hidden]), dialog[open]") !== null;

// The score and output that a digit stands for; by its place on the keyboard where Shift changes the character.
function digit(key) {
	const found = /^Digit([1-5])$/.exec(key.code || "");
	if (key.shiftKey && found) return { label: "B", score: Number(found[1]) };
	if (/^[1-5]$/.test(key.key)) return { label: "A", score: Number(key.key) };
	if (/^[6-9]$/.test(key.key)) return { label: "B", score: Number(key.key) - 5 };
	return key.key === "0" ? { label: "B", score: 5 } : null;
}

// Carry out a key; true if it was one of ours. `at` is the focused element of the review, or null.
function handleKey(view, key, at) {
	if (view.dialog?.open) return false;
	const act = () => Boolean(PANE_KEYS[key.key]) && view.panes.act(PANE_KEYS[key.key]);
	if (!view.sheet) return !isTyping(at) && !key.ctrlKey && !key.metaKey && !key.altKey && act();
	if (key.key === "Enter" && (key.ctrlKey || key.metaKey)) {
		if (view.leaving) return true;
		view.flush();
		if (view.ui.question?.kind === "guess") return view.focusQuestion();
		return view.press(
			view.sheet.finalised
				? "next"
				: view.opensFirst
					? "open_judge"
					: key.shiftKey
						? "finalise"
						: "finalise_next",
		);
	}
	if (key.key === "s" && (key.ctrlKey || key.metaKey) && view.sheet.finalised)
		return view.sheet.verdict?.totals === null ? view.askInBar({ kind: "scores" }) : view.press("export");
	if (key.ctrlKey || key.metaKey || key.altKey || (isTyping(at) && !at.readOnly)) return false;
	if (view.ignores(key)) return true;
	if (view.ui.question && answerKey(view, key)) return true;
	if (view.readOnly && !view.leaving && (digit(key) || /^([abceny=]|Delete)$/i.test(key.key)))
		return view.tellClosed();
	if (isTyping(at)) return false;
	if (key.key === "?") return view.showKeys();
	const down = key.key === "j" || (at && key.key === "ArrowDown");
	if (down || key.key === "k" || (at && key.key === "ArrowUp")) return view.moveRow(down ? 1 : -1, at);
	if (key.key === "i") return view.toggleAnchors();
	if (key.key === "p") return view.toggleSheet();
	if (at?.getAttribute("role") === "radio" && (key.key === "ArrowLeft" || key.key === "ArrowRight"))
		return view.moveStep(key.key === "ArrowRight" ? 1 : -1, at);
	if (act()) return true;
	return view.readOnly ? false : handleEdit(view, key, at);
}

function handleEdit(view, key, at) {
	const row = view.currentRow();
	const inButton = at?.tagName === "BUTTON" && at.getAttribute("role") !== "radio";
	const side = key.shiftKey ? "B" : "A";
	const scored = digit(key);
	if (scored) return view.score(scored.label, scored.score);
	switch (key.key) {
		case "Enter":
			return inButton ? false : view.confirmRow(row);
		case " ":
			if (inButton || !view.shown || !row.startsWith("expectation.")) return false;
			return view.toggleCheck(row, at?.dataset.address?.startsWith("expectation:B") ? "B" : side);
		case "a":
		case "b":
			return view.answerBetter(key.key.toUpperCase());
		case "=":
			return view.answerBetter("TIE");
		case "c":
			return view.confirmRest();
		case "n":
		case "N":
			if (!view.shown) return view.askInBar({ kind: "say", name: "cannot_judge" });
			return view.showRow(row, view.cannotJudge(view.addressOf(row, side)));
		case "Delete":
			return view.shown ? view.showRow(row, view.clear(view.addressOf(row, side))) : view.clear(view.better);
		case "e":
		case "E":
			return view.focusReason(side);
		case "y":
		case "Y":
			return view.focusReason(side, "select");
		case "t":
			return view.focusReasoning();
		case "q":
			return view.askInBar({ kind: "menu" });
		case "r":
			return view.sheet.opened ? false : view.press("open_judge");
		case "z":
			return view.press("undo");
		default:
			return false;
	}
}

export function listen(current) {
	// The review that a key is meant for; null where somebody types, or a focused control keeps the keys that it lives by.
	const meant = (event) => {
		const view = current();
		const at = event.composedPath()[0];
		if (event.defaultPrevented || event.isComposing || !view?.visible || dialogOpen()) return null;
		const submits = event.key === "Enter" && (event.ctrlKey || event.metaKey);
		if (event.composedPath().includes(view.root)) {
			const own =
				at instanceof Element && !at.closest(".sheet, .bar") && at.closest("button, a, summary, [role=tab]");
			return own && /^(Enter| |Arrow.*)$/.test(event.key) && !submits ? null : view;
		}
		const control = at instanceof Element && at.closest("button, a, summary, [role=button], [role=tab]");
		return isTyping(at) || (control && /^(Enter| |Arrow.*)$/.test(event.key) && !submits) ? null : view;
	};
	// Before anybody else hears it: a key that is swallowed does nothing anywhere.
	const swallow = (event) => {
		if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.composedPath()[0])) return;
		const view = meant(event);
		if (!current()?.catches(event) && (!view || view.dialog?.open || !view.ignores(event))) return;
		event.preventDefault();
		event.stopImmediatePropagation();
	};
	const onKey = (event) => {
		if (event.repeat && !/^(Arrow|[jk]$)/.test(event.key)) return;
		const view = meant(event);
		if (!view) return;
		const at = event.composedPath()[0];
		const inside =
			at instanceof HTMLElement && event.composedPath().includes(view.root) && at.tagName !== "IFRAME";
		if (handleKey(view, event, inside ? at : null)) event.preventDefault();
	};
	window.addEventListener("keydown", swallow, true);
	document.addEventListener("keydown", onKey);
	return () => {
		window.removeEventListener("keydown", swallow, true);
		document.removeEventListener("keydown", onKey);
	};
}

export function cheatSheet(view) {
	return h(
		"dialog.keys",
		{
			key: "keys",
			"aria-labelledby": "bc-keys",
			onclick: (event) => event.target === event.currentTarget && event.target.close(),
		},
		// The list is longer than a low window: it begins at its top, not at the button that closes it.
		h("h3", { id: "bc-keys", tabindex: "-1", autofocus: true }, "Keys"),
		h(
			"dl",
			view.given.keys.map(([keys, what]) => h("div", h("dt", keys), h("dd", what))),
		),
		h("button.command", { onclick: () => view.dialog.close() }, "Close"),
	);
}
