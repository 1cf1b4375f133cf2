// Tells the server that the window is as narrow as a tablet's. On a telephone Streamlit folds the navigation away when the
// page is pressed, but not when a link opens another: that counts as a press. Another page is read from its beginning.
const NARROW = 1024;
let last = "";

export default function ({ data: place, setStateValue, parentElement }) {
	if (window.innerWidth < NARROW) setStateValue("narrow", true);
	if (place === last) return;
	last = place;
	if (!location.hash) document.querySelector(".stMain")?.scrollTo(0, 0);
	parentElement.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, composed: true }));
}
