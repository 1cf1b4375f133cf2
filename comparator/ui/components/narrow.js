// Tells the server that the window is narrow. On a telephone Streamlit folds the navigation away when the page is pressed:
// another page counts as a press, and is read from its beginning.
const NARROW = 1024;
let last = "";

export default function ({ data: place, setStateValue, parentElement }) {
	if (window.innerWidth < NARROW) setStateValue("narrow", true);
	if (place === last) return;
	last = place;
	if (!location.hash) document.querySelector(".stMain")?.scrollTo(0, 0);
	parentElement.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, composed: true }));
}
