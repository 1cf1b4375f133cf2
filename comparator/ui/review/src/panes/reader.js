// What is done in the document of a frame: scrolling, finding, marking, selecting, keys and links. Documents of ours are
// reached from the page around them. In an output's own page the same text, without its last line, is part of the agent.

// A page can give elements names that stand before what a document or a form holds (<img name=addEventListener>, <input
// name=closest>): documents and elements are asked through the prototypes of a window.
const inside = new WeakMap();
const ask = (kind, name, node) => Reflect.get(kind.prototype, name, node);
const closestOf = (element, selector) => Element.prototype.closest.call(element, selector);
const parentOf = (node) => ask(Node, "parentNode", node);

// The document, answering as one whose page names nothing; the same one each time.
function safely(document) {
	const get = (_, name) => {
		const value = ask(HTMLDocument, name, document);
		return typeof value === "function" ? value.bind(document) : value;
	};
	const set = (_, name, value) => Reflect.set(HTMLDocument.prototype, name, value, document);
	if (document && !inside.has(document)) inside.set(document, new Proxy({}, { get, set }));
	return inside.get(document) ?? null;
}

function isElement(target) {
	try {
		return ask(Node, "nodeType", target) === 1;
	} catch {
		return false;
	}
}

const UNREAD = new Set(["STYLE", "SCRIPT", "TITLE", "TEMPLATE"]);

// The document's words, and of each character that counts its node, its offset there and in the whole text.
function wordsOf(inner, root, counts) {
	const walker = inner.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) => {
		const parent = parentOf(node);
		const unread =
			!isElement(parent) ||
			UNREAD.has(ask(Element, "tagName", parent).toUpperCase()) ||
			closestOf(parent, "[data-skip]");
		return unread ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
	});
	const letters = [];
	const places = [];
	let before = 0;
	for (let node = walker.nextNode(); node; node = walker.nextNode()) {
		const text = node.data;
		for (let index = 0; index < text.length; index += 1) {
			const low = text[index].toLowerCase();
			if (!counts(text[index])) continue;
			letters.push(low.length === 1 ? low : text[index]);
			places.push([node, index, before + index]);
		}
		before += text.length;
	}
	return { text: letters.join(""), places };
}

const wantedOf = (text, counts) => text.toLowerCase().split("").filter(counts).join("");

function* occurrences(text, wanted, step) {
	if (wanted) for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) yield at;
}

function rangeOf(inner, { places }, at, length) {
	const range = inner.createRange();
	range.setStart(places[at][0], places[at][1]);
	const [node, index] = places[at + length - 1];
	range.setEnd(node, index + 1);
	return range;
}

const notSpace = (letter) => !/\s/.test(letter);
const letterOrDigit = (letter) => /[\p{L}\p{N}]/u.test(letter);

// The ranges that a quote covers, or null: as it stands, white space apart; without marks that only the source has; or
// piece by piece, for words that stand apart in the file.
function findQuote(inner, root, quote, start, { tags: tagged }) {
	if (!root) return null;
	const formula = findFormula(inner, quote);
	if (formula) return [formula];
	const names = /^\s*\[(?:page|cell) [^\]]*\]\s*$/gm;
	const tags = tagged ? /<[^>]*>/g : /(?!)/g;
	const bare = unescaped(quote.replace(names, " ").replace(tags, " "));
	for (const words of new Set([quote, bare])) {
		const range = findWords(inner, root, words, start);
		if (range) return [range];
	}
	return findPieces(inner, root, bare, start);
}

// A formula is quoted as "B2: =SUM(A1:A9)".
function findFormula(inner, quote) {
	const [, cell, formula] = /^\s*([A-Z]{1,3}\d{1,7})\s*:\s*(=[^]*?)\s*$/.exec(quote) || [];
	if (!cell) return null;
	for (const node of inner.querySelectorAll(`[data-cell="${cell}"]`)) {
		if (node.textContent.replace(/\s/g, "") !== formula.replace(/\s/g, "")) continue;
		const range = inner.createRange();
		range.selectNodeContents(node);
		return range;
	}
	return null;
}

// In a text field nothing is read but references, such as &amp;.
const unescaped = (text) =>
	new DOMParser().parseFromString(`<textarea>${text}`, "text/html").body.textContent;

function findPieces(inner, root, quote, start) {
	const letters = (text) => Array.from(text).filter(letterOrDigit).length;
	const pieces = quote.split(/\s{2,}|[\n|]/).filter((piece) => letters(piece) >= 3);
	if (pieces.length < 2 || letters(pieces.join("")) < 0.6 * letters(quote)) return null;
	const ranges = pieces.map((piece) => findWords(inner, root, piece, start));
	return ranges.every(Boolean) ? ranges : null;
}

// One range over the words, or null. White space never counts; in a second try only letters and digits do, so that
// "**Total:** 12" is found as "Total: 12" and JSON of one line where it is indented.
function findWords(inner, root, quote, start) {
	const tries = [
		[notSpace, 1],
		[letterOrDigit, 6],
	];
	for (const [counts, least] of tries) {
		const wanted = wantedOf(quote, counts);
		if (wanted.length < least) continue;
		const words = wordsOf(inner, root, counts);
		const far = (at) => Math.abs(words.places[at][2] - start);
		let best = null;
		for (const at of occurrences(words.text, wanted, 1)) {
			if (best === null || far(at) < far(best)) best = at;
			if (start == null) break;
		}
		if (best !== null) return rangeOf(inner, words, best, wanted.length);
	}
	return null;
}

function findAll(inner, root, text) {
	const wanted = wantedOf(text, notSpace);
	const words = wordsOf(inner, root, notSpace);
	const ranges = [];
	for (const at of occurrences(words.text, wanted, wanted.length))
		if (ranges.push(rangeOf(inner, words, at, wanted.length)) === MOST_HITS) break;
	return ranges;
}

const MARKS = `
::highlight(comparator-quote) { background-color: #ffd54a; color: #111; }
::highlight(comparator-search) { background-color: #b7e4c7; color: #111; }
::highlight(comparator-search-here) { background-color: #2f9e5f; color: #fff; }
`;
const LONGEST = 4000;
const MOST_HITS = 5000;
const TYPED_IN = "input:not([type=checkbox]), textarea, select, [contenteditable]";
const OF_A_KEY = ["key", "code", "ctrlKey", "shiftKey", "altKey", "metaKey", "repeat"];

class Reader {
	hits = [];
	expected = null;
	selecting = 0;

	// tell(message) hears { is: "scroll", share }, { is: "picked", picked }, { is: "link", address } and { is: "key", … };
	// false as an answer to a key means that it is used up. `foreign` where the page is an output's own.
	constructor(view, tell, { foreign = false, css = "" } = {}) {
		this.view = view;
		this.tell = tell;
		this.foreign = foreign;
		this.inner = safely(view.document);
		const on = (type, act) => view.addEventListener(type, act, true);
		on("scroll", (event) => event.target === view.document && this.scrolled());
		on("keydown", (event) => this.key(event));
		for (const type of ["click", "auxclick"]) on(type, (event) => this.click(event));
		on("dragstart", (event) => this.under(event, "a, area, img") && event.preventDefault());
		on("selectionchange", () => {
			clearTimeout(this.selecting);
			this.selecting = setTimeout(() => this.tell({ is: "picked", picked: this.picked() }), 200);
		});
		if (!foreign) on("submit", (event) => event.preventDefault());
		const sheet = new view.CSSStyleSheet();
		sheet.replaceSync(MARKS + css);
		this.inner.adoptedStyleSheets = [...this.inner.adoptedStyleSheets, sheet];
	}

	get root() {
		return this.inner.body || this.inner.documentElement;
	}

	get scroller() {
		return this.inner.scrollingElement || this.inner.documentElement;
	}

	under(event, selector) {
		return event
			.composedPath()
			.find((node) => isElement(node) && Element.prototype.matches.call(node, selector));
	}

	get room() {
		const { scrollHeight, clientHeight, scrollWidth, clientWidth } = this.scroller;
		return [scrollHeight - clientHeight, scrollWidth - clientWidth];
	}

	get place() {
		const { scrollTop, scrollLeft } = this.scroller;
		return [scrollTop, scrollLeft];
	}

	isAt(place, within) {
		return this.place.every((at, axis) => Math.abs(at - place[axis]) < within);
	}

	share() {
		const { room } = this;
		return this.place.map((at, axis) => (room[axis] > 0 ? at / room[axis] : 0));
	}

	scroll(share) {
		const place = this.room.map((room, at) => Math.round(share[at] * room));
		if (this.isAt(place, 1)) return;
		// What we scroll ourselves must not scroll the other side in turn.
		this.expected = place;
		const [top, left] = place;
		this.view.scrollTo({ top, left, behavior: "instant" });
	}

	scrolled() {
		const own = this.expected !== null && this.isAt(this.expected, 3);
		this.expected = null;
		this.tell({ is: "scroll", share: this.share(), own });
	}

	key(event) {
		if (event.isComposing || this.under(event, TYPED_IN)) return;
		const again = Object.fromEntries(OF_A_KEY.map((name) => [name, event[name]]));
		if (this.tell({ is: "key", again }) === false) event.preventDefault();
	}

	// Links lead nowhere; those inside the document scroll it.
	click(event) {
		// Firefox follows those of formulas, too.
		const link = this.under(event, "a, area, math[*|href], math [*|href]");
		if (!link) return;
		const has = (name) => Element.prototype.getAttribute.call(link, name);
		const address = (has("href") ?? has("xlink:href") ?? "").trim();
		if (this.foreign && /^(#|javascript:)/i.test(address)) return;
		event.preventDefault();
		const outside = this.foreign ? address.slice(0, 2000) : has("data-link");
		if (outside) this.tell({ is: "link", address: outside });
		else if (address.startsWith("#") && event.type === "click") this.goTo(address.slice(1));
	}

	goTo(name) {
		const { inner, scroller } = this;
		let target = inner.getElementById(name);
		try {
			target ??= inner.getElementById(decodeURIComponent(name));
		} catch {}
		if (target) scroller.scrollTop += target.getBoundingClientRect().top - 4;
		else if (!name) scroller.scrollTop = 0;
	}

	picked() {
		const selection = this.inner.getSelection?.();
		if (!selection || selection.isCollapsed || !selection.rangeCount) return null;
		const text = selection.toString().trim().slice(0, LONGEST);
		if (text.length < 2) return null;
		const range = selection.getRangeAt(0);
		const { left, top, bottom } = range.getBoundingClientRect();
		const before = this.inner.createRange();
		before.setStart(this.root, 0);
		before.setEnd(range.startContainer, range.startOffset);
		const inText = ask(Node, "nodeType", range.startContainer) === 3;
		return { text, start: inText ? before.toString().length : null, box: { left, top, bottom } };
	}

	find(text) {
		this.hits = findAll(this.inner, this.root, text);
		this.mark("comparator-search", this.hits);
		return this.hits.length;
	}

	hit(number) {
		const range = this.hits[number];
		this.mark("comparator-search-here", range ? [range] : []);
		if (range) this.reveal([range]);
	}

	quote(text, start) {
		const ranges = findQuote(this.inner, this.root, text, start, { tags: this.foreign });
		if (!ranges) return false;
		this.mark("comparator-quote", ranges);
		this.reveal(ranges);
		return true;
	}

	mark(name, ranges) {
		// Not in every browser.
		try {
			if (ranges.length) this.view.CSS.highlights.set(name, new this.view.Highlight(...ranges));
			else this.view.CSS.highlights.delete(name);
		} catch {}
	}

	unmark() {
		this.hits = [];
		for (const name of ["comparator-search", "comparator-search-here"]) this.mark(name, []);
	}

	reveal(ranges) {
		for (const range of ranges)
			for (let node = range.commonAncestorContainer; node; node = parentOf(node))
				if (node.nodeName === "DETAILS") node.open = true;
		const [range] = ranges;
		const parent = parentOf(range.startContainer);
		const first = isElement(parent) ? parent : this.root;
		const own = range.getBoundingClientRect();
		const box = own.height ? own : Element.prototype.getBoundingClientRect.call(first);
		// Not scrollIntoView: it would scroll the page around the frame too.
		const down = box.top - this.view.innerHeight * 0.3;
		const across = box.left < 0 || box.right > this.view.innerWidth ? box.left - 60 : 0;
		this.view.scrollBy({ top: down, left: across, behavior: "instant" });
		const wide = closestOf(first, ".scroll");
		if (wide) {
			const edge = wide.getBoundingClientRect();
			if (box.left < edge.left || box.right > edge.right) wide.scrollLeft += box.left - edge.left - 40;
		}
	}

	zoom(value) {
		const share = this.share();
		this.root.style.zoom = value === 1 ? "" : String(value);
		this.scroll(share);
	}

	// What is read here, and what was written on canvases (agent.js).
	written(canvases) {
		const words = ask(HTMLElement, "innerText", this.root);
		return [words, ...canvases].join("\n").slice(0, 400_000);
	}
}

export { Reader, isElement, safely };
