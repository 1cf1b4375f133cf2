// @ts-check
// Says once that the window is as narrow as a tablet's; nothing else tells the server.
const NARROW = 1024;

export default function ({ setStateValue }) {
  if (window.innerWidth < NARROW) setStateValue("narrow", true);
}
