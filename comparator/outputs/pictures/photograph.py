"""Opens a page from memory in a browser without a network, and photographs it; runs in an isolated process."""

import contextlib
import io
import os
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files as resources
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from PIL import Image
from playwright.sync_api import Browser, CDPSession, Error, Page, Request, Route, sync_playwright
from playwright.sync_api import TimeoutError as TooSlow

from comparator.domain.pair.view import PageEvidence, PagePicture
from comparator.outputs.extract.images import encoded, pieces
from comparator.outputs.isolated.process import cut_off
from comparator.outputs.limits import PictureLimits
from comparator.outputs.pictures.camera import DEVICES, Device, PageFile

ORIGIN = "http://output.invalid"
"""The origin of the page as its scripts see it; the name resolves nowhere."""
ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=http://127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    "--force-webrtc-ip-handling-policy",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--no-pings",
    "--disable-sync",
    "--disable-speech-api",
    "--disable-notifications",
    "--disable-file-system",
    "--deny-permission-prompts",
    "--mute-audio",
    "--no-first-run",
    "--force-color-profile=srgb",
    "--renderer-process-limit=2",
)
_QUIET, _STAND_STILL = (
    resources("comparator.outputs.pictures").joinpath(f"{name}.js").read_text(encoding="utf-8")
    for name in ("quiet", "stand_still")
)
_MOST_WORDS = 400_000
_WRITTEN = """(all) => [...(window[Symbol.for("written on canvases")] || []),
    all && document.body ? document.body.innerText : ""].join("\\n")"""
"""The words on canvases, which are in no layout, and of frames in processes of their own."""
_KINDS = {
    "script": "script",
    "stylesheet": "style sheet",
    "font": "font",
    "image": "picture",
    "media": "audio or video",
    "fetch": "data",
    "xhr": "data",
    "websocket": "web socket",
    "ping": "beacon",
    "document": "page",
}
_WEB_FONTS = ("fonts.googleapis.com", "fonts.gstatic.com", "use.typekit.net", "fonts.bunny.net")


@dataclass
class BrowserMessages:
    """What the browser said about a page: each message once, in order."""

    most: int
    longest: int
    errors: dict[str, None] = field(default_factory=dict)
    written: list[str] = field(default_factory=list)
    missing: dict[str, None] = field(default_factory=dict)

    def error(self, text: str) -> None:
        """A message of the console, on one line."""
        self._add(self.errors, text.replace(ORIGIN + "/", ""))

    def not_loaded(self, kind: str, address: str) -> None:
        """An address that was asked for, with what it was for."""
        if address.startswith(ORIGIN + "/"):
            address = unquote(address.removeprefix(ORIGIN + "/")) + ": no such file in this output"
        what = "web font" if urlsplit(address).hostname in _WEB_FONTS else _KINDS.get(kind, kind)
        self._add(self.missing, f"{address} ({what})", tail=len(what) + 3)

    def evidence(self, *pictures: PagePicture, problem: str = "") -> PageEvidence:
        """The pictures with all that was said so far."""
        return PageEvidence(
            pictures=pictures,
            errors=tuple(self.errors),
            not_loaded=tuple(self.missing),
            problem=problem,
            written="\n".join(self.written),
        )

    def _add(self, table: dict[str, None], text: str, tail: int = 0) -> None:
        line = " ".join(text.split())
        if len(line) > self.longest:
            line = line[: self.longest - tail - 1] + "…" + (line[-tail:] if tail else "")
        if line and len(table) < self.most:
            table[line] = None


def photograph(
    page: str, files: list[PageFile], chromium: str, cut: bool, limits: PictureLimits
) -> Iterator[PageEvidence]:
    """What a user sees of a page in each window, and what the browser said so far."""
    # Playwright speaks to the browser through pipes; nothing here needs a network.
    if cut:
        cut_off()
    messages = BrowserMessages(most=limits.messages, longest=limits.message_length)
    by_path = {unicodedata.normalize("NFC", file.name): file for file in files}
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium,
                args=[*ARGUMENTS, f"--js-flags=--max-old-space-size={limits.script_memory // 1048576}"],
                # Root cannot use Chromium's sandbox; everybody else does.
                chromium_sandbox=os.geteuid() != 0,
                handle_sigint=False,
                handle_sigterm=False,
                timeout=15_000,
            )
            for device in DEVICES:
                yield _photograph_at(browser, device, page, by_path, messages, limits)
    except Error as error:
        yield messages.evidence(problem=f"The browser failed: {_first_line(error)}")


def _photograph_at(
    browser: Browser,
    device: Device,
    name: str,
    files: Mapping[str, PageFile],
    messages: BrowserMessages,
    limits: PictureLimits,
) -> PageEvidence:
    context = browser.new_context(
        viewport={"width": device.width, "height": device.height},
        is_mobile=device.touch,
        has_touch=device.touch,
        service_workers="block",
        accept_downloads=False,
        locale="en-US",
        timezone_id="UTC",
        permissions=[],
    )
    context.add_init_script(_QUIET)
    page = context.new_page()
    crashed: list[bool] = []
    _listen(page, files, messages, crashed, most=limits.requests)
    try:
        try:
            page.goto(f"{ORIGIN}/{quote(name)}", wait_until="load", timeout=limits.loading * 1000)
        except TooSlow:
            messages.error(f"The page had not finished loading after {limits.loading:g} seconds.")
        page.wait_for_function("() => true", timeout=2_000)
        with contextlib.suppress(TooSlow):
            page.wait_for_load_state("networkidle", timeout=1_500)
        page.evaluate(_STAND_STILL, limits.height)
        with contextlib.suppress(TooSlow):
            page.wait_for_selector("html[data-still-for-picture]", state="attached", timeout=4_000)
        messages.written += _words(page)
        return messages.evidence(_picture(page, device, limits))
    except TooSlow:
        problem = "its scripts kept it busy, and no picture could be taken."
    except Error as error:
        reason = "the page crashed" if crashed else _first_line(error)
        problem = f"no picture could be taken: {reason}."
    finally:
        with contextlib.suppress(Error):
            # A hung page cannot be asked to leave.
            if not crashed:
                context.unroute_all(behavior="ignoreErrors")
    return messages.evidence(problem=f"At {device.width} pixels {problem}")


def _listen(
    page: Page, files: Mapping[str, PageFile], messages: BrowserMessages, crashed: list[bool], *, most: int
) -> None:
    opened = False
    requests = 0

    def answer(route: Route, request: Request) -> None:
        nonlocal opened, requests
        requests += 1
        path = unicodedata.normalize("NFC", unquote(urlsplit(request.url).path).lstrip("/"))
        names = (path, f"{path}index.html", f"{path}/index.html")
        readable = request.method in ("GET", "HEAD") and request.url.startswith(ORIGIN + "/")
        file = next((files[name] for name in names if name in files), None) if readable else None
        leaving = request.is_navigation_request() and request.frame == page.main_frame
        if file is not None and requests <= most:
            opened = opened or leaving
            headers = {
                "content-type": file.media_type,
                "access-control-allow-origin": "*",
                "x-dns-prefetch-control": "off",
            }
            route.fulfill(status=200, headers=headers, body=file.data)
            return
        messages.not_loaded(request.resource_type, request.url)
        if leaving and opened:
            # An answer without content leaves the page where it is.
            route.fulfill(status=204)
        else:
            route.abort("blockedbyclient")

    def console(message: Any) -> None:
        # What was not loaded is told by itself, with its address.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            messages.error(message.text)

    page.route("**/*", answer)
    page.on("console", console)
    page.on("pageerror", lambda error: messages.error(f"Uncaught {error.name or 'error'}: {error.message}"))
    page.on("websocket", lambda socket: messages.not_loaded("websocket", socket.url))
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.on("popup", lambda popup: popup.close())
    page.on("crash", lambda _page: crashed.append(True))


def _picture(page: Page, device: Device, limits: PictureLimits) -> PagePicture:
    # Asked of the browser, not of the page: its own scripts may have altered what it says of itself.
    session = page.context.new_cdp_session(page)
    metrics = session.send("Page.getLayoutMetrics")
    # A page that was not made for phones is laid out wider there, and shown smaller.
    width = max(_layout_width(session), device.width) if device.touch else device.width
    if device.touch and metrics["cssLayoutViewport"]["clientWidth"] > width:
        # One that is wider than it was laid out is not: the browser would show it smaller, and its fault would be gone.
        size = {"width": width, "height": device.height, "deviceScaleFactor": 1, "mobile": False}
        session.send("Emulation.setDeviceMetricsOverride", size)
        metrics = session.send("Page.getLayoutMetrics")
    scale = device.width / width
    full = max(int(metrics["cssContentSize"]["height"]), 1)
    height = min(max(full, int(device.height / scale)), int(limits.height / scale))
    png = page.screenshot(
        full_page=True,
        clip={"x": 0, "y": 0, "width": width, "height": height},
        animations="disabled",
        scale="css",
        timeout=10_000,
    )
    picture = Image.open(io.BytesIO(png), formats=("PNG",)).convert("RGB")
    if scale < 1:
        picture = picture.resize((device.width, max(int(height * scale), 1)))
    return PagePicture(
        device=device.name,
        width=picture.width,
        height=max(int(full * scale), 1),
        shown=picture.height,
        across=int(metrics["cssContentSize"]["width"] * scale),
        tiles=tuple(encoded(piece, every_grey=True) for piece in pieces(picture)),
    )


def _layout_width(session: CDPSession) -> int:
    """The width that the page was laid out in."""
    frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]
    world = session.send("Page.createIsolatedWorld", {"frameId": frame})["executionContextId"]
    query = {"expression": "document.documentElement.clientWidth", "contextId": world, "returnByValue": True}
    return int(session.send("Runtime.evaluate", query)["result"]["value"])


def _words(page: Page) -> Iterator[str]:
    """All words that are shown: of the layout with shadow trees and generated content, of canvases and frames."""
    session = page.context.new_cdp_session(page)
    seen = session.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
    for document in seen["documents"]:
        texts = [seen["strings"][n] for n in document["layout"]["text"] if n >= 0]
        typed = [seen["strings"][n] for n in document["nodes"].get("inputValue", {}).get("value", ())]
        # Elements part some words and not others.
        yield from ("\n".join((*texts, *typed))[:_MOST_WORDS], "".join(texts)[:_MOST_WORDS])
    for frame in page.frames:
        with contextlib.suppress(Error):
            yield str(frame.evaluate(_WRITTEN, frame != page.main_frame))[:_MOST_WORDS]


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0].rstrip(".")[:200]
