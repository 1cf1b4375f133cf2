// The review of one pair: outputs, notes, scores and decision as one component, which Streamlit mounts once.

import { element, h, isTyping, render } from "./dom.js";
import { findingsLine } from "./findings.js";
import { keep, kept, ofTab } from "./kept.js";
import { cheatSheet, listen } from "./keys.js";
import { Notes } from "./notes.js";
import { Panes } from "./panes/panes.js";
import { bar } from "./sheet/bar.js";
import { prose } from "./sheet/prose.js";
import { Sending } from "./sheet/sending.js";
import { chosenRow, scoreTable } from "./sheet/table.js";
import { learn } from "./words.js";

// Streamlit may take the element down and make it anew, even seconds later: notes and open questions live on.
const LINGER = 5000;
const QUEUED = "comparator:queued";

class Review extends Sending {
	last = null;
	caught = "";
	path = location.pathname;
	// Stepped out of, though Streamlit may show it until the other page is there.
	left = false;
	listening = new AbortController();

	constructor() {
		super();
		const { signal } = this.listening;
		this.root = element("div", { class: "review" });
		// For tests and benchmarks.
		this.root.review = this;
		this.notes = new Notes(this);
		this.panes = new Panes(this, signal);
		this.clock = setInterval(() => {
			this.fit();
			this.panes.remember();
			this.watch();
		}, 1000);
		listen(this, signal);
		window.addEventListener("resize", () => this.fit(), { signal });
		// Another window may have gone on.
		window.addEventListener("focus", () => this.sheet && !this.busy && this.send({ whole: true }), {
			signal,
		});
		window.addEventListener("pagehide", () => this.panes.remember(), { signal });
		// Streamlit may leave two entries of the history for one review: a step back leads out of both.
		const leave = (event) => {
			if (location.pathname !== this.path) this.left = true;
			if (this.left || !this.visible) return;
			// Streamlit would show the first of them meanwhile, without a project.
			event.stopImmediatePropagation();
			history.back();
		};
		window.addEventListener("popstate", leave, { signal, capture: true });
		this.root.addEventListener("focusin", ({ target }) => (this.last = target));
		this.root.addEventListener("focusout", () =>
			setTimeout(() => {
				if (this.root.isConnected && !this.focused()) this.last = null;
			}),
		);
	}

	close() {
		this.listening.abort();
		clearInterval(this.clock);
		this.panes.close();
		this.root.remove();
	}

	// Whoever is typing meanwhile goes on there: letters without their field would run as keys.
	moveTo(parent) {
		const { last } = this;
		if (this.root.parentNode === parent) return;
		parent.append(this.root);
		last?.focus({ preventScroll: true });
		if (this.caught) document.execCommand("insertText", false, this.caught);
		this.caught = "";
	}

	catches({ key }) {
		if (this.root.isConnected || location.pathname !== this.path || !isTyping(this.last)) return false;
		if ([...key].length === 1) this.caught += key;
		return true;
	}

	receive({ id, whole, queued, ...context }, event) {
		this.left = false;
		// An older run of the page.
		if (this.led && this.led !== id) return;
		const led = this.going || this.led;
		this.led = null;
		if (this.comparisonId !== id || this.owner !== context.owner) {
			this.begin(id, context.owner);
			this.notes.moved();
			// The keys are the new pair's, not its bar's.
			this.focused()?.blur();
			this.find(".sheet .rows")?.scrollTo(0, 0);
		}
		Object.assign(this.given, context, { event });
		if (whole) this.take(whole);
		else if (!this.given.panes) this.send({ whole: true });
		// A reload is a new session, which does not know that the pair was opened from the queue.
		this.given.queued = queued ?? (led || kept(QUEUED, ofTab) === id);
		keep(QUEUED, this.given.queued ? id : null, ofTab);
		this.fit();
		this.render();
		this.panes.dress();
		this.filesChanged();
		this.flush();
	}

	// The next pair comes with the answer, before the page around it.
	answered(command, answer) {
		super.answered(command, answer);
		const id = answer.reply?.go_to;
		const { owner, scope, keys, event } = this.given;
		const context = { id, owner, scope, keys, began: new Date().toISOString(), queued: true };
		if (id) this.receive({ ...context, whole: answer.next }, event);
		this.led = id;
	}

	// The review takes what the window has below the head of the page.
	fit() {
		let above = this.root.getBoundingClientRect().top;
		for (let at = this.root.getRootNode().host; at; at = at.parentElement) above += at.scrollTop;
		this.root.style.setProperty("--above", `${Math.ceil(Math.min(above, 0.3 * window.innerHeight))}px`);
		this.panes.files.fit();
	}

	take(answer) {
		super.take(answer);
		learn(this.given);
	}

	filesChanged() {
		this.panes.update(this.given.panes);
	}

	get looked() {
		const sent = this.outbox.notes.flatMap(({ files }) => files ?? []);
		return new Set([...(this.given.notes?.looked ?? []), ...sent]);
	}

	// Whether a judge that is still hidden has said something, or is about to.
	get canOpen() {
		return !this.sheet.opened && (this.sheet.judge.state === "done" || this.working);
	}

	// Who scores blind looks at the judge next; who says which output is better is through.
	get opensFirst() {
		return this.canOpen && !this.sheet.preference && this.own("winner").touch !== "changed";
	}

	get dialog() {
		return this.find("dialog");
	}

	showKeys() {
		this.dialog.showModal();
	}

	render() {
		const field = this.focused();
		const { sheet } = this;
		const outputs = h(
			"div.outputs",
			sheet && findingsLine(this),
			this.panes.node(),
			this.given.notes && this.notes.draw(),
		);
		render([outputs, sheet && this.decision(), sheet && cheatSheet(this)], this.root);
		this.lost(field);
	}

	decision() {
		const { shown } = this;
		this.shownSaved = this.savedWords;
		return h(
			"div.decision",
			{ class: shown && "open" },
			h(
				"section.sheet",
				{ id: "bc-scores", hidden: !shown, "aria-label": "Scores", tabindex: "-1" },
				h("div.rows", scoreTable(this), prose(this)),
				chosenRow(this),
			),
			bar(this),
		);
	}
}

let review = null;
let mounts = 0;

// Streamlit calls this for every new set of data. The clean-up of an older call may come after a newer one.
export default function ({ data, parentElement, setTriggerValue }) {
	mounts += 1;
	const own = mounts;
	review ??= new Review();
	review.moveTo(parentElement);
	review.receive(data, (event) => setTriggerValue("event", event));
	const cleanUp = () => {
		if (own !== mounts) return;
		review?.close();
		review = null;
	};
	return () => setTimeout(cleanUp, LINGER);
}
