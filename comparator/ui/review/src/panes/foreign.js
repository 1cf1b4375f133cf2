// An output's own page or drawing, in an origin of its own, spoken to through an agent inside (agent.js). Where its scripts
// run, what it says may come from them: it is shown, and nothing of it scores or saves.

import { answerOf, innermost } from "../dom.js";
import { Frame } from "./frame.js";

export const FOREIGN = new Set(["html", "svg"]);
// Only Chromium gives such a page its own process; elsewhere it could freeze the tab, so its picture comes first.
export const APART = /Chrom(e|ium)\//.test(navigator.userAgent);
const PING = 1000;
const PATIENCE = 5;
const LOADING = 15;
const LOOKS = 5;
const NOUNS = {
	img: "picture",
	style: "style sheet",
	font: "web font",
	script: "script",
	media: "audio or video",
	frame: "embedded page",
	connect: "data request",
	here: "file that is not in this output",
};

export class ForeignFrame extends Frame {
	about = undefined;
	ahead = false;
	stopHearing = new AbortController();

	constructor(...given) {
		super(...given);
		const on = (type, act) =>
			window.addEventListener(type, act, { capture: true, signal: this.stopHearing.signal });
		on("message", (event) => this.receive(event));
		on("blur", (event) => event.target === window && setTimeout(() => this.refuseFocus()));
		on("focusin", (event) => {
			this.before = event.composedPath()[0];
		});
		this.node.onfocus = () => (this.entered = true);
		this.node.onpointerenter = () => (this.over = true);
		// The keys are the page's until the pointer leaves it, or Esc.
		this.node.onpointerleave = () => {
			this.over = false;
			if (this.doubted && innermost() === this.node) this.node.blur();
		};
	}

	// Asks where the page stands; what cannot be shown as a page is a document of ours.
	async begin() {
		this.restart();
		clearInterval(this.beating);
		this.about = await this.pane.fetched(this.file.id, `page?scripts=${this.ahead || this.still ? 0 : 1}`);
		if (this.about === undefined) return this.fail("failed");
		if (!this.about) {
			this.node.src = this.address();
			return;
		}
		// No script runs before the page is shown.
		if (this.ahead && this.about.can) return this.node.dispatchEvent(new Event("load"));
		this.node.setAttribute("sandbox", "allow-scripts allow-forms");
		this.node.classList.add("page");
		this.began = false;
		this.node.src = this.about.address;
	}

	get still() {
		return Boolean(this.panes.rememberedOf(this.file).still);
	}

	holds(...given) {
		return (!this.about?.can || this.about.scripts !== this.still) && super.holds(...given);
	}

	get reasons() {
		return [this.about.why].filter(Boolean);
	}

	get doubted() {
		return this.about?.scripts;
	}

	get document() {
		return this.about ? null : super.document;
	}

	load() {
		if (this.about === null) super.load();
		// The frame has loaded, and the agent has said nothing: it is no page of the output.
		else if (this.node.getAttribute("src") && !this.began)
			setTimeout(() => this.began || this.fail("failed"), 1000);
	}

	receive({ source, data }) {
		const page = this.node.contentWindow?.[0];
		const message = data?.comparator;
		if (!page || source !== page || !message) return;
		switch (message.is) {
			case "began":
				this.began = true;
				return this.beat();
			case "loaded":
				this.facts = { notes: this.reasons };
				return this.arrive();
			case "missing":
				return this.missing(message.missing);
			case "scroll":
				message.share = message.share.map((part) => Math.min(Math.max(Number(part) || 0, 0), 1));
				break;
			case "picked":
				if (this.doubted && innermost() !== this.node) return;
				break;
			case "key":
				if (this.doubted) return message.again?.key === "Escape" && this.node.blur();
		}
		return this.heard(message);
	}

	// While a page loads, a large library may keep it from answering.
	beat() {
		clearInterval(this.beating);
		let unanswered = 0;
		this.beating = setInterval(() => {
			if (!this.node.isConnected) clearInterval(this.beating);
			if (document.hidden) return;
			if (unanswered >= (this.state === "loading" ? LOADING : PATIENCE)) {
				clearInterval(this.beating);
				this.node.removeAttribute("src");
				this.began = true;
				return this.fail("stalled");
			}
			unanswered += 1;
			this.say("share").then(() => {
				unanswered = 0;
			});
			this.turn = (this.turn || 0) + 1;
			if (this.doubted && this.turn % LOOKS === 2) this.look();
		}, PING);
	}

	// Scripts may write a name that stands in no file: the server takes note.
	async look() {
		const words = String(await this.say("written"));
		if (words === this.words) return;
		this.words = words;
		fetch(this.pane.address(this.file.id, "written"), { method: "POST", body: words }).catch(() => {});
	}

	say(act, ...args) {
		return this.about ? answerOf(this.node.contentWindow?.[0], { act, args }) : super.say(act, ...args);
	}

	missing({ kinds, hosts }) {
		const counted = Object.keys(NOUNS)
			.filter(
				(kind) => Number.isInteger(kinds[kind]) && kinds[kind] > 0 && (kind !== "script" || this.doubted),
			)
			.map((kind) => `${kinds[kind]} ${NOUNS[kind]}${kinds[kind] > 1 && kind !== "here" ? "s" : ""}`);
		if (!counted.length || !this.facts) return;
		const from = hosts.filter((host) => /^[a-z0-9.-]{1,80}$/.test(host)).slice(0, 5);
		this.facts.notes = [
			...this.reasons,
			`Not loaded: ${counted.join(", ")}${from.length ? ` (${from.join(", ")})` : ""}.`,
		];
		this.panes.draw();
	}

	// Only a person gives a page the keys: its scripts do not take them from who is typing.
	refuseFocus() {
		if (!this.doubted || innermost() !== this.node) {
			this.entered = false;
			return;
		}
		if (this.entered || this.over)
			this.pane.tell("Keys go to this page until you press Esc or move the pointer out of it.");
		else {
			this.node.blur();
			this.before?.focus?.({ preventScroll: true });
		}
	}

	stop() {
		if (this.about) this.there.resolve();
		else super.stop();
	}

	remove() {
		clearInterval(this.beating);
		this.stopHearing.abort();
		super.remove();
	}
}
