// Runs before the scripts of a page: takes from it what opens windows, asks questions or reaches the network, and notes
// what it writes on canvases.

const away = ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel", "WebTransport"];
for (const name of away) delete window[name];
for (const name of ["alert", "print"]) window[name] = () => {};
window.confirm = () => false;
window.prompt = () => null;
window.open = () => null;

const written = new Set();
window[Symbol.for("written on canvases")] = written;
for (const kind of [CanvasRenderingContext2D, OffscreenCanvasRenderingContext2D]) {
  for (const name of ["fillText", "strokeText"]) {
    const write = kind.prototype[name];
    kind.prototype[name] = function (text, ...rest) {
      if (written.size < 5000) written.add(String(text).slice(0, 500));
      return write.call(this, text, ...rest);
    };
  }
}
