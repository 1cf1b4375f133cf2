// @ts-check
// Has the browser save the file that the page has written; once, however often the page runs.
let last = "";

export default function ({ data: href }) {
	if (href === last) return;
	last = href;
	Object.assign(document.createElement("a"), { href, download: "" }).click();
}
