// @ts-check
// Runs before the scripts of a page: takes from it what opens windows, asks questions or reaches the network.

const away = ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"];
for (const name of away) delete window[name];
for (const name of ["alert", "print"]) window[name] = () => {};
window.confirm = () => false;
window.prompt = () => null;
window.open = () => null;
