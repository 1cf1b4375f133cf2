// Says once that the window is as narrow as a tablet's; nothing else tells the server. On a telephone Streamlit folds the
// navigation away when the page beside it is pressed, but not when a link in it opens another page: that counts as a press.
const NARROW = 1024;
let last = "";

export default function ({ data: page, setStateValue, parentElement }) {
	if (window.innerWidth < NARROW) setStateValue("narrow", true);
	if (page === last) return;
	last = page;
	parentElement.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, composed: true }));
}
