// Runs in an output's own page before anything of it. What the page's scripts make it say can neither score nor save
// (foreign.js).

import { Reader } from "./reader.js";

// The page stands in a frame of ours that stands in the app.
const app = window.parent.parent;
if (window.parent !== window.top && app === window.top) {
	const tell = (message) => app.postMessage({ comparator: message }, "*");
	const later = setTimeout;
	const reader = new Reader(window, tell, { foreign: true });
	const place = location.href.split("/", 5).join("/");
	const missing = { kinds: {}, hosts: [] };
	let told = 0;
	const canvases = new Set();
	for (const name of ["fillText", "strokeText"]) {
		const write = CanvasRenderingContext2D.prototype[name];
		CanvasRenderingContext2D.prototype[name] = function (text, ...rest) {
			if (canvases.size < 5000) canvases.add(String(text).slice(0, 500));
			return write.call(this, text, ...rest);
		};
	}

	const note = (kind, address) => {
		missing.kinds[kind] = (missing.kinds[kind] || 0) + 1;
		const host = URL.parse(address)?.hostname;
		if (host && !missing.hosts.includes(host) && missing.hosts.length < 20) missing.hosts.push(host);
		told ||= later(() => {
			told = 0;
			tell({ is: "missing", missing });
		}, 300);
	};
	const on = (type, act) => window.addEventListener(type, act, true);
	on("securitypolicyviolation", ({ effectiveDirective: kind, blockedURI }) =>
		note(kind.replace(/-src.*/, ""), blockedURI),
	);
	on("error", ({ target: { src, href } }) => {
		if ([src, href].some((address) => typeof address === "string" && address.startsWith(place)))
			note("here", "");
	});

	on("message", ({ source, data, ports }) => {
		if (source !== app) return;
		const { act, args } = data;
		ports[0].postMessage(reader[act](...(act === "written" ? [canvases] : args)));
	});
	// Outside Chromium a link of a nested page could lead out: there it takes neither clicks nor keys.
	if (!("userAgentData" in navigator))
		document.addEventListener("DOMContentLoaded", () => {
			for (const nested of document.querySelectorAll("iframe, frame, object, embed"))
				nested.setAttribute("inert", "");
		});
	on("load", () => tell({ is: "loaded" }));
	tell({ is: "began" });
}

// An origin of its own has no storage: what a page keeps lasts as long as it is open.
class Storage {
	getItem(key) {
		return Object.hasOwn(this, key) ? String(this[key]) : null;
	}
	setItem(key, value) {
		this[key] = String(value);
	}
	removeItem(key) {
		delete this[key];
	}
	clear() {
		for (const key in this) delete this[key];
	}
	key(number) {
		return Object.keys(this)[number] ?? null;
	}
	get length() {
		return Object.keys(this).length;
	}
}
for (const name of ["localStorage", "sessionStorage"])
	Object.defineProperty(window, name, { value: new Storage(), configurable: true });
document.currentScript?.remove();
