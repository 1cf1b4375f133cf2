// Says once that the window is as narrow as a tablet's; nothing else tells the server. On a telephone Streamlit folds the
// navigation away when the page beside it is pressed, but not when a link in it opens another page: that counts as a press.
// Another page, or the same one of another project, is read from its beginning.
const NARROW = 1024;
let last = "";

export default function ({ data: place, setStateValue, parentElement }) {
	if (window.innerWidth < NARROW) setStateValue("narrow", true);
	if (place === last) return;
	last = place;
	if (!location.hash) document.querySelector(".stMain")?.scrollTo(0, 0);
	parentElement.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, composed: true }));
}
