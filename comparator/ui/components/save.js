// Has the browser save the file that the page has written; once, however often the page runs.
const saved = new Set();

export default function ({ data: href }) {
	if (saved.has(href)) return;
	saved.add(href);
	Object.assign(document.createElement("a"), { href, download: "" }).click();
}
